"""A trace as a table: every step with what it changed, or with everything observed."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from otsrw.traces.trace import State, Trace, Value


def trace_table(trace: Trace, full: bool = False, title: str | None = None) -> Table:
    """The steps of a trace; changed observers stand out, unchanged ones are shown only at the start or if `full`."""
    table = Table(title=title, title_justify="left", show_lines=True)
    table.add_column("step", justify="right")
    table.add_column("transition", overflow="fold")
    table.add_column("observers" if full else "what changed", overflow="fold")
    for position, state in enumerate(trace.states):
        label = "initially" if state.label is None else str(state.label)
        if trace.loop == position:
            label += "  (the loop comes back here)"
        before = trace.states[position - 1].observers if position else {}
        table.add_row(str(state.index), Text(label), _observers(state, before, full or position == 0))
    return table


def _observers(state: State, before: object, everything: bool) -> Text:
    text = Text()
    for name, value in state.observers.items():
        changed = name in state.changed
        if not (changed or everything):
            continue
        if text:
            text.append("\n")
        text.append(f"{name} = {shown(value)}", style="bold" if changed else "")
        if changed and isinstance(before, dict) and name in before:
            text.append(f"   was {shown(before[name])}", style="dim")
    return text if text else Text("nothing", style="dim")


def shown(value: Value) -> str:
    """A value as the specification writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)

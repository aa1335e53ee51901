"""A trace as a table: every step with what it changed, or with everything observed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from rich.table import Table
from rich.text import Text

from otsrw.ots.run import Run
from otsrw.ots.stepping import Action
from otsrw.report.tables import titled
from otsrw.theory.printing import show
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term
from otsrw.traces.observed import trace_of
from otsrw.traces.trace import Label, Trace, TraceState, Value

Changes = Mapping[tuple[int, str], str]
"""How an observer changed in a step, where that is shorter than its old and new value."""


def run_table(run: Run, full: bool = False, title: str | None = None) -> Table:
    """The steps of a run; of a collection only what came and what went, unless `full`."""
    labels = short_labels(run)
    return trace_table(trace_of(run), full, title, {} if full else collection_changes(run), labels)


def trace_table(
    trace: Trace,
    full: bool = False,
    title: str | None = None,
    changes: Changes | None = None,
    labels: list[str] | None = None,
) -> Table:
    """The steps of a trace; changed observers stand out, unchanged ones are shown only if `full`."""
    table = titled(title, show_lines=True)
    table.add_column("step", justify="right")
    table.add_column("transition", overflow="fold")
    table.add_column("observers" if full else "what changed", overflow="fold")
    for position, state in enumerate(trace.states):
        label = "initially" if state.label is None else str(state.label) if labels is None else labels[position - 1]
        if trace.loop == position:
            label += "  (the loop comes back here)"
        if position == 0 and not full:
            observers = Text("\n".join(summed_up(state.observers)))
        else:
            before = trace.states[position - 1].observers if position else {}
            observers = _observers(state, before, full, changes or {})
        table.add_row(str(state.index), Text(label), observers)
    return table


MANY = 8
"""So many values of an observer are written in one line if they are the same."""


def summed_up(observers: Mapping[str, Value]) -> list[str]:
    """Values as lines; a value that an observer has for many arguments is told once."""
    families: dict[str, dict[str, str]] = {}
    for name, value in observers.items():
        families.setdefault(Label.read(name).transition, {})[name] = shown(value)
    lines = []
    for family, values in families.items():
        common, number = Counter(values.values()).most_common(1)[0]
        if number < MANY:
            lines += [f"{name} = {value}" for name, value in values.items()]
            continue
        others = [f"{name} = {value}" for name, value in values.items() if value != common]
        lines += [*others, f"{family}(…) = {common}   for {'the other' if others else 'all'} {number}"]
    return lines


def _observers(state: TraceState, before: Mapping[str, Value], everything: bool, changes: Changes) -> Text:
    text = Text()
    for name, value in state.observers.items():
        changed = name in state.changed
        if not (changed or everything):
            continue
        if text:
            text.append("\n")
        short = changes.get((state.index, name))
        if short is not None:
            text.append(short, style="bold")
            continue
        text.append(f"{name} = {shown(value)}", style="bold" if changed else "")
        if changed and name in before:
            text.append(f"   was {shown(before[name])}", style="dim")
    return text if text else Text("nothing", style="dim")


def shown(value: Value) -> str:
    """A value as the specification writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def collection_changes(run: Run) -> Changes:
    """For each step and each set or bag that it changes: what came and what went, a line each."""
    found: dict[tuple[int, str], str] = {}
    for number, (before, after) in enumerate(zip(run.states, run.states[1:], strict=False), 1):
        for slot, old, new in zip(run.instance.slots, before.values, after.values, strict=True):
            constructor = _collection_constructor(run, slot.observer.value)
            if constructor is None or old is new:
                continue
            came, went = _elements(new, constructor), _elements(old, constructor)
            parts = [f"{slot.name} + {show(e)}" for e in (came - went).elements()]
            parts += [f"{slot.name} - {show(e)}" for e in (went - came).elements()]
            found[number, slot.name] = "\n".join(parts)
    return found


Cell = tuple[tuple[str, str], ...]
"""A value in lines, each with a sign: `+` came, `-` goes, or nothing."""


def compared(run: Run, index: int) -> dict[str, tuple[Cell, Cell]]:
    """Observed sets and bags in a state of a run and in the next one, an element a line."""
    found: dict[str, tuple[Cell, Cell]] = {}
    last = index + 1 == len(run.states)
    old, new = run.states[index].values, run.states[index if last else index + 1].values
    for position, slot in enumerate(run.instance.slots):
        constructor = _collection_constructor(run, slot.observer.value)
        if constructor is None or constructor.identity is None:
            continue
        before, after = _elements(old[position], constructor), _elements(new[position], constructor)
        stayed, nothing = _signed("", before & after), (("", show(constructor.identity)),)
        now, then = (*stayed, *_signed("-", before - after)), (*stayed, *_signed("+", after - before))
        found[slot.name] = (now or nothing, () if last else then or nothing)
    return found


def _signed(sign: str, elements: Counter[Term]) -> Cell:
    return tuple((sign, show(element)) for element in elements.elements())


def arrivals(run: Run, step: int) -> list[tuple[str, str]]:
    """What a step adds to observed sets and bags: the observer, and the element."""
    found = []
    before, after = run.states[step - 1], run.states[step]
    for slot, old, new in zip(run.instance.slots, before.values, after.values, strict=True):
        constructor = _collection_constructor(run, slot.observer.value)
        if constructor is not None and old is not new:
            came = _elements(new, constructor) - _elements(old, constructor)
            found += [(slot.name, show(element)) for element in came.elements()]
    return found


def _collection_constructor(run: Run, sort: Sort) -> Symbol | None:
    """The set or multiset constructor of a sort."""
    for symbol in run.instance.module.signature.symbols():
        if symbol.assoc and symbol.comm and symbol.native is None and symbol.identity is not None:
            if any(decl.coarity is sort for decl in symbol.decls):
                return symbol
    return None


def _elements(value: Term, constructor: Symbol) -> Counter[Term]:
    if value.op is constructor:
        return Counter(value.args)
    return Counter() if value is constructor.identity else Counter([value])


def short_labels(run: Run) -> list[str]:
    return [short_label(run, action) for action in run.actions]


def short_label(run: Run, action: Action) -> str:
    """The transition with its arguments; collections, which say what else there is, are left out."""
    words = [
        "…" if given is None or _collection_constructor(run, parameter.sort) is not None else show(given)
        for given, parameter in zip(action.arguments, action.transition.parameters, strict=True)
    ]
    while words and words[-1] == "…":
        words.pop()
    return f"{action.transition.name}({', '.join(words)})" if words else action.transition.name

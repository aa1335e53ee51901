"""A run as a message sequence chart: who sends what to whom, one lane for each principal.

A specification does not say who sends. The convention: the principal sort is the sort of entities that most transitions
take; the first argument of that sort acts, and the second receives if the step adds something to a set or a bag. What
a transition called `fake...` does is done by the intruder, in the name of the first of two principals.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations

from rich.table import Table
from rich.text import Text

from otsrw.ots.model import Ots
from otsrw.ots.run import Run
from otsrw.ots.stepping import Action
from otsrw.records import dataclass
from otsrw.report.traces import arrivals, run_table, short_label
from otsrw.theory.printing import show

INTRUDERS = ("intr", "intruder", "enemy", "spy", "eve", "mallory")
FORGED = "fake"
MAX_SORTED = 6
MARGIN = 4
GAP = 4
MIN_LANE = 12


@dataclass(frozen=True, slots=True)
class ChartEvent:
    """A step: an arrow from `actor` to `receiver`, or something the actor does alone."""

    title: str
    actor: str | None
    receiver: str | None
    messages: tuple[str, ...]
    notes: tuple[str, ...]
    label: str = ""
    """The transition with its arguments."""

    @property
    def forged(self) -> bool:
        return self.title.startswith(FORGED)


@dataclass(frozen=True, slots=True)
class Chart:
    lanes: tuple[str, ...]
    events: tuple[ChartEvent, ...]


def chart_of(run: Run) -> Chart | None:
    """The chart of a run; None if no transition takes a principal."""
    sort = principal_sort(run.instance.ots, run.instance.given)
    if sort is None:
        return None
    lanes = list(run.instance.given[sort])
    intruder = next((name for name in lanes if name.lower() in INTRUDERS), "intruder")
    events = tuple(_event(run, number, action, sort, intruder) for number, action in enumerate(run.actions, 1))
    for event in events:
        lanes += [name for name in (event.actor, event.receiver) if name is not None and name not in lanes]
    return Chart(_ordered(lanes, events), events)


def run_chart(run: Run) -> Text | Table:
    """The chart of a run, or the table of its steps if it has no principals."""
    chart = chart_of(run)
    return run_table(run) if chart is None else chart_text(chart)


def principal_sort(ots: Ots, entities: dict[str, tuple[str, ...]]) -> str | None:
    """The sort with entities that most transitions take, the first of several."""
    uses: Counter[str] = Counter()
    for transition in ots.transitions:
        uses.update(list(dict.fromkeys(p.sort.name for p in transition.parameters if p.sort.name in entities)))
    return uses.most_common(1)[0][0] if uses else None


def _event(run: Run, number: int, action: Action, sort: str, intruder: str) -> ChartEvent:
    parameters = action.transition.parameters
    names = [
        show(given)
        for given, parameter in zip(action.arguments, parameters, strict=True)
        if given is not None and parameter.sort.name == sort
    ]
    came = arrivals(run, number)
    title, actor, receiver = action.transition.name, names[0] if names else None, None
    if title.startswith(FORGED):
        actor = intruder
        receiver = names[-1] if len(names) in (1, 2) else None
        if len(names) == 2:
            title += f", as {names[0]}"
    elif len(names) == 2 and came:
        receiver = names[1]
    if receiver == actor:
        receiver = None
    first = came[0][0] if came and receiver is not None else None
    return ChartEvent(
        title,
        actor,
        receiver,
        tuple(element for observer, element in came if observer == first),
        tuple(f"{observer} + {element}" for observer, element in came if observer != first),
        short_label(run, action),
    )


def _ordered(lanes: list[str], events: tuple[ChartEvent, ...]) -> tuple[str, ...]:
    """Lanes in the order that makes arrows shortest; with many lanes, as they are."""
    if len(lanes) > MAX_SORTED:
        return tuple(lanes)
    arrows = [(e.actor, e.receiver) for e in events if e.actor is not None and e.receiver is not None]
    return min(permutations(lanes), key=lambda order: sum(abs(order.index(a) - order.index(b)) for a, b in arrows))


def chart_text(chart: Chart) -> Text:
    """The chart in characters."""
    columns = columns_of(chart)
    text = Text(no_wrap=True)
    text.append(_names(chart.lanes, columns) + "\n", style="bold")
    for number, event in enumerate(chart.events, 1):
        for line, style in _lines(chart, columns, number, event):
            text.append(line.rstrip() + "\n", style=style)
    text.append(_names(chart.lanes, columns), style="bold")
    return text


def _names(lanes: tuple[str, ...], columns: list[int]) -> str:
    line = ""
    for name, column in zip(lanes, columns, strict=True):
        line = line.ljust(max(column - len(name) // 2, len(line) + bool(line))) + name
    return line


def _lines(chart: Chart, columns: list[int], number: int, event: ChartEvent) -> list[tuple[str, str]]:
    lifelines = _lifelines(columns)
    if event.actor is None:
        rows = [(_written(lifelines, columns[0] + 2, event.title), "")]
    elif event.receiver is None:
        rows = [(_written(lifelines, columns[chart.lanes.index(event.actor)], f"■ {event.title}"), "")]
    else:
        start, end = (columns[chart.lanes.index(name)] for name in (event.actor, event.receiver))
        rows = [(_written(lifelines, min(start, end) + 2, message), "cyan") for message in event.messages]
        style = "red" if event.title.startswith(FORGED) else "green"
        rows.append((_written(lifelines, min(start, end) + 1, _arrow(event.title, start, end)), style))
    rows += [(_written(lifelines, columns[0] + 2, f"({note})"), "dim") for note in event.notes]
    first, style = rows[0]
    return [(lifelines, ""), (f"{number:>2}" + first[2:], style), *rows[1:]]


def _lifelines(columns: list[int]) -> str:
    line = ""
    for column in columns:
        line = line.ljust(column) + "│"
    return line


def _written(line: str, column: int, text: str) -> str:
    line = line.ljust(column + len(text))
    return line[:column] + text + line[column + len(text) :]


def _arrow(title: str, start: int, end: int) -> str:
    body = f" {title} ".center(abs(end - start) - 2, "─")
    return f"{body}>" if start < end else f"<{body}"


def columns_of(chart: Chart) -> list[int]:
    """Where the lanes stand: far enough apart for every message."""
    widths = [MIN_LANE] * (len(chart.lanes) - 1)
    for left, (one, other) in enumerate(pairwise(chart.lanes)):
        widths[left] = max(MIN_LANE, (len(one) + len(other)) // 2 + 2)
    for event in sorted(chart.events, key=lambda event: _span(chart, event)):
        if event.actor is None or event.receiver is None:
            continue
        first, last = sorted(chart.lanes.index(name) for name in (event.actor, event.receiver))
        needed = GAP + max(map(len, (event.title, *event.messages)))
        missing = needed - sum(widths[first:last])
        for position in range(first, last):
            widths[position] += max(0, -(-missing // (last - first)))
    columns = [max(MARGIN + 2, MARGIN + len(chart.lanes[0]) // 2)]
    for width in widths:
        columns.append(columns[-1] + width)
    return columns


def _span(chart: Chart, event: ChartEvent) -> int:
    if event.actor is None or event.receiver is None:
        return 0
    return abs(chart.lanes.index(event.actor) - chart.lanes.index(event.receiver))

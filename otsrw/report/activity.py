"""What the transitions of a specification did, and what never happened, for eyes and for programs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from rich.table import Table

from otsrw.report.console import Console
from otsrw.report.documents import problem_document
from otsrw.report.tables import titled
from otsrw.report.words import counted, grouped, listed
from otsrw.search.results import Activity, Doubt, DoubtKind
from otsrw.syntax.diagnostics import Diagnostic

_CODES = {
    DoubtKind.NEVER_ENABLED: "W541",
    DoubtKind.NO_EFFECT: "W542",
    DoubtKind.NEVER_TRUE: "W543",
    DoubtKind.CONSTANT: "W544",
    DoubtKind.DEADLOCK: "W545",
}
_ALWAYS = {
    DoubtKind.NEVER_ENABLED: "{} can never happen",
    DoubtKind.NO_EFFECT: "{} can never change anything",
    DoubtKind.NEVER_TRUE: "the left side of {} is never true",
    DoubtKind.CONSTANT: "{} can never change",
    DoubtKind.DEADLOCK: "a {} can be reached",
}
_WITHIN = _ALWAYS | {
    DoubtKind.NEVER_ENABLED: "{} did not happen {bound}",
    DoubtKind.NO_EFFECT: "{} changed nothing {bound}",
    DoubtKind.NEVER_TRUE: "the left side of {} was not true {bound}",
    DoubtKind.CONSTANT: "{} did not change {bound}",
}
_QUIET = (DoubtKind.NO_EFFECT, DoubtKind.CONSTANT)
"""What a verdict does not mention as long as more states may follow."""
MAX_NAMED = 3


def activity_document(activity: Activity | None) -> dict[str, Any]:
    """The counts of each transition, what they are counts of, and the doubts; None where nothing was counted."""
    if activity is None:
        return {"transitions": None, "counted": None, "doubts": []}
    return {
        "transitions": {name: count._asdict() for name, count in activity.transitions.items()},
        "counted": {"states": activity.states, "depth": activity.depth, "whole": activity.whole},
        "doubts": [
            problem_document(diagnostic_of_doubt(doubt, activity))
            | {"kind": doubt.kind.value, "subject": doubt.subject, "reason": doubt.reason}
            for doubt in activity.doubts
        ],
    }


def diagnostic_of_doubt(doubt: Doubt, activity: Activity) -> Diagnostic:
    """A doubt as a warning at its place in the specification, with the guilty condition."""
    message = _sentence(doubt.kind, [doubt.subject], activity)
    if doubt.kind is DoubtKind.DEADLOCK:
        message += f" after {doubt.reason}" if doubt.reason else ": an initial state is one"
    elif doubt.reason is not None:
        message += f": {doubt.reason} is never true" if activity.whole else f": {doubt.reason} was not true"
    return Diagnostic(_CODES[doubt.kind], message, doubt.span)


def with_doubts(verdict: str, activity: Activity | None) -> str:
    """A verdict that also says what makes it doubtful."""
    if activity is None:
        return verdict
    told = [doubt for doubt in activity.doubts if activity.whole or doubt.kind not in _QUIET]
    by_kind = groupby(told, key=lambda doubt: doubt.kind)
    said = (_sentence(kind, [doubt.subject for doubt in doubts], activity) for kind, doubts in by_kind)
    return "; ".join([verdict, *said])


def certain_doubts(doubts: Iterable[tuple[str, str]]) -> list[str]:
    """A sentence for each kind of doubts about all reachable states."""
    by_kind = groupby(doubts, key=lambda doubt: doubt[0])
    return [
        _ALWAYS[DoubtKind(kind)].format(listed([subject for _, subject in group], MAX_NAMED)) for kind, group in by_kind
    ]


def show_activity(console: Console, activity: Activity | None, table: bool = True) -> None:
    """Warn about what is doubtful; what may still happen beyond the bound is told, with all counts, by `-v`."""
    if activity is None:
        return
    if activity.whole or console.verbose:
        show_doubts(console, activity)
    if console.verbose and table:
        console.show(activity_table(activity))


def show_doubts(console: Console, activity: Activity) -> None:
    """Warn about all that is doubtful."""
    for doubt in activity.doubts:
        console.problem(diagnostic_of_doubt(doubt, activity))


def extent_line(activity: Activity) -> str:
    """How many states were looked at, and whether these are all."""
    states = counted(activity.states, "state")
    if activity.whole:
        return f"looked at {states}: all that can be reached with these entities"
    if activity.cut:
        return f"looked at {states}: there are more, so nothing is said about what never happens"
    return f"looked at {states}: all within {counted(activity.depth, 'step')}"


def activity_table(activity: Activity) -> Table:
    """For each transition, in how many states it is enabled and how many steps it makes."""
    table = titled(f"transitions in {counted(activity.states, 'state')}")
    table.add_column("transition", overflow="fold")
    table.add_column("enabled", justify="right")
    table.add_column("taken", justify="right")
    for name, count in activity.transitions.items():
        table.add_row(name, grouped(count.enabled), grouped(count.taken))
    return table


def activity_rows(activity: Activity | None) -> dict[str, Any]:
    """The same for the template of a page."""
    if activity is None:
        return {"doubts": [], "transitions": [], "counted": 0}
    return {
        "doubts": [diagnostic_of_doubt(doubt, activity).message for doubt in activity.doubts],
        "transitions": [(name, *map(grouped, count)) for name, count in activity.transitions.items()],
        "counted": activity.states,
    }


def _sentence(kind: DoubtKind, subjects: list[str], activity: Activity) -> str:
    form = (_ALWAYS if activity.whole else _WITHIN)[kind]
    bound = f"in {counted(activity.runs, 'run')}" if activity.runs else f"within {counted(activity.depth, 'step')}"
    return form.format(listed(subjects, MAX_NAMED), bound=bound)

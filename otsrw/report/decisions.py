"""What neighbourhoods decide, turning points and the shortest counterexamples, as text and as parts of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from otsrw.report.words import counted, grouped
from otsrw.traces.decisions import DecisionGroup
from otsrw.traces.explanation import Explanation
from otsrw.traces.lts import Lts, Path
from otsrw.traces.turning import TurningPoint

if TYPE_CHECKING:
    from otsrw.traces.alternatives import ShortestRuns

MAX_GROUPS = 20
MAX_RUN_GROUPS = 10


def decided_text(group: DecisionGroup) -> str:
    """`+abort, -commit`: the types of events that prevent every violation, and those that make it certain."""
    return ", ".join([*(f"+{kind}" for kind in group.correct), *(f"-{kind}" for kind in group.incorrect)])


def size_text(group: DecisionGroup) -> str:
    """How many neighbourhoods there are, and how many up to renaming."""
    renamed = f" ({grouped(len(group.orbits))} up to renaming)" if len(group.orbits) < len(group) else ""
    return f"{grouped(len(group))}{renamed}"


def groups_table(explained: Explanation) -> Any:
    """A row for each group, best first; None if no two neighbourhoods decide the same."""
    from rich.text import Text

    from otsrw.report.tables import titled

    groups, result = explained.groups, explained.result
    if len(groups) == len(result.neighbourhoods):
        return None
    table = titled("What is decided, best first (+ prevents every violation, - makes it certain)")
    for heading in ("decides", "type", "neighbourhoods", "before step", "for example"):
        table.add_column(heading, overflow="fold")
    for group in groups[:MAX_GROUPS]:
        steps = ", ".join(str(position + 1) for position in group.positions) or "-"
        name = result.state_name(group.example.state)
        table.add_row(Text(decided_text(group)), str(group.type), size_text(group), steps, f"state {name}")
    return table


def turning_labels(explained: Explanation) -> list[str | None]:
    """The labels of the turning points; None stands for a gap between them."""
    path, result = explained.result.counterexample, explained.result
    items: list[str | None] = []
    after = 0
    for point in explained.turning if path is not None else ():
        items += [None] if point.step > after else []
        items.append(result.lts.label(path.transitions[point.step]) if path is not None else None)
        after = point.step + 1
    return [*items, None] if path is not None and items and after < path.length else items


def turning_lines(explained: Explanation) -> list[str]:
    """What each turning point takes away or decides."""
    path, result = explained.result.counterexample, explained.result
    assert path is not None or not explained.turning, "turning points are those of a counterexample"
    return [
        f"{point.step + 1}. {result.lts.label(path.transitions[point.step])}: {_what(point)}"
        for point in explained.turning
        if path is not None
    ]


def _what(point: TurningPoint) -> str:
    words = []
    if point.last_chances:
        words.append(f"takes away the last chance of {', '.join(point.last_chances)}")
    if point.decides:
        words.append("decides, every run violates from here on")
    return " and ".join(words)


def runs_lines(lts: Lts, runs: ShortestRuns) -> list[str]:
    """How many shortest counterexamples there are, and one of each group."""
    if not runs.groups:
        return ["shortest counterexamples: too many to count" if not runs.counted else "no counterexample"]
    renamed = "" if runs.renamed is None else f", {grouped(runs.renamed)} up to renaming"
    kinds = f"{grouped(len(runs.groups))} up to renaming and the order of events"
    lines = [f"shortest counterexamples: {grouped(runs.count)}{renamed}, {kinds}"]
    for group in runs.groups[:MAX_RUN_GROUPS]:
        events = f", {counted(group.renamings, 'choice')} of entities" if group.renamings > 1 else ""
        lines.append(f"  {counted(group.runs, 'run')}{events}: {run_text(lts, group.example)}")
    if len(runs.groups) > MAX_RUN_GROUPS:
        lines.append(f"  and {len(runs.groups) - MAX_RUN_GROUPS} more (--json has all)")
    return lines


def run_text(lts: Lts, path: Path) -> str:
    """The labels of a run, with brackets around a loop that goes on for ever."""
    words = [lts.label(transition) for transition in path.transitions]
    if path.loop is not None:
        words = [*words[: path.loop], "(", *words[path.loop :], ") for ever"]
    return " ".join(words) or "(the initial state)"


def groups_document(explained: Explanation) -> list[dict[str, Any]]:
    unfolding = explained.result.unfolding

    def state(place: int) -> dict[str, int]:
        if unfolding is None:
            return {"state": place}
        return {"state": unfolding.states[place], "memory": unfolding.memories[place]}

    return [
        {
            "type": str(group.type),
            "correct": list(group.correct),
            "incorrect": list(group.incorrect),
            "size": len(group),
            "positions": list(group.positions),
            "example": state(group.example.state),
            "orbits": [[state(found.state) for found in orbit] for orbit in group.orbits],
        }
        for group in explained.groups
    ]


def turning_document(explained: Explanation) -> list[dict[str, Any]]:
    path = explained.result.counterexample
    return [
        {
            "step": point.step + 1,
            "label": explained.result.lts.label(path.transitions[point.step]),
            "last_chances": list(point.last_chances),
            "decides": point.decides,
        }
        for point in explained.turning
        if path is not None
    ]


def runs_document(lts: Lts, runs: ShortestRuns) -> dict[str, Any]:
    return {
        "count": runs.count if runs.counted else None,
        "up_to_renaming": runs.renamed,
        "groups": [
            {"runs": group.runs, "renamings": group.renamings, "example": group.example.trace(lts).to_document()}
            for group in runs.groups
        ],
    }

"""The result of a bounded search for eyes and for programs."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from otsrw.application.entities import EntityCoverage
from otsrw.report.activity import activity_document, activity_rows, with_doubts
from otsrw.report.chart_drawing import drawn_chart
from otsrw.report.documents import header, share_documents
from otsrw.report.html import render_page, run_rows
from otsrw.report.pictures import StatePicture, played_run
from otsrw.report.tables import titled
from otsrw.report.words import counted, grouped
from otsrw.search.results import SearchResult, WideWork
from otsrw.theory.printing import show, show_plainly
from otsrw.traces.observed import trace_of

MAX_LEVELS = 8


def search_document(
    results: list[SearchResult], replay: str | None, coverage: EntityCoverage | None = None
) -> dict[str, Any]:
    """The last instance tried decides; the others are listed with it."""
    last = results[-1]
    return header("search") | {
        "verdict": last.verdict,
        "reason": last.reason or None,
        "invariant": None if last.invariant is None else last.invariant.name,
        "states": last.states,
        "depth": last.depth,
        "levels": list(last.levels),
        "exhausted": last.exhausted,
        "trace": None if last.run is None else trace_of(last.run).to_document(),
        "violation": violation_document(last),
        "entities": {name: list(words) for name, words in last.entities.items()},
        "instances": [
            {
                "entities": {name: list(words) for name, words in result.entities.items()},
                "verdict": result.verdict,
                "states": result.states,
                "depth": result.depth,
                "exhausted": result.exhausted,
                "seconds": round(result.seconds, 6),
            }
            for result in results
        ],
        "any_number": None if coverage is None else coverage_document(coverage),
        **activity_document(last.activity),
        "unit": "states" if _renamings(last) is None else "orbits",
        "work": work_document(last.work),
        "replay": replay,
        "memory": last.memory,
        "seconds": round(sum(result.seconds for result in results), 6),
    }


def work_document(work: WideWork | None) -> dict[str, Any] | None:
    """How the work was shared; None for a search in one Maude process."""
    if work is None:
        return None
    return {
        "workers": work.workers,
        "renamings": work.orbits,
        "interchangeable": [list(group) for group in work.groups],
        "collision_risk": work.risk,
        "repeated_tasks": work.repeated,
        "divided": None if work.division is None else work.division._asdict(),
        "undivided": work.undivided,
        "shares": share_documents(work.shares, "states"),
    }


def work_lines(result: SearchResult) -> list[str]:
    """What is to be said about a search that was not done by one Maude process."""
    work = result.work
    if work is None:
        return []
    lines = []
    if work.orbits is not None:
        groups = "; ".join(" ".join(group) for group in work.groups)
        told = f"interchangeable: {groups} ({grouped(work.orbits)} renamings); what is counted are orbits, not states"
        lines.append(told if groups else "no two entities are interchangeable: every state is an orbit of its own")
    if work.division is not None:
        level, parts, is_counted = work.division
        lines.append(f"divided after level {level}: {parts} parts by {counted(work.workers, 'worker')}")
        risk = f"states are counted by 16 bytes each; risk that the count is too low: {work.risk:.0e}"
        lines.append(risk if is_counted else f"the states after level {level} were not counted")
    elif work.undivided is not None:
        lines.append(f"the work was not divided: {work.undivided}")
    if work.division is None and work.risk:
        lines.append(f"states are told apart by 16 bytes each; risk that two of them have the same: {work.risk:.0e}")
    if work.repeated:
        lines.append(f"{counted(work.repeated, 'task')} had to be repeated because a process died")
    return lines


def _is_counted(result: SearchResult) -> bool:
    return result.work is None or result.work.division is None or result.work.division.counted


def _renamings(result: SearchResult) -> int | None:
    return None if result.work is None else result.work.orbits


def violation_document(result: SearchResult) -> dict[str, str] | None:
    if result.run is None:
        return None
    return {variable.op.name: show(value) for variable, value in result.run.violation}


def level_table(results: list[SearchResult]) -> Table:
    """How many states R<=k has, for each instance; of many levels the first and the last ones."""
    orbits = any(_renamings(result) is not None for result in results)
    table = titled("orbits of states" if orbits else "distinct states")
    table.add_column("entities", overflow="fold")
    deepest = max(len(result.levels) for result in results)
    levels: list[int | None] = [*range(deepest)]
    if deepest > MAX_LEVELS:
        levels[MAX_LEVELS // 2 : deepest - MAX_LEVELS // 2] = [None]
    for level in levels:
        table.add_column("..." if level is None else f"R≤{level}", justify="right", no_wrap=True)
    for result in results:
        known = dict(enumerate(map(grouped, result.levels)))
        table.add_row(entities_text(result), *("" if level is None else known.get(level, "") for level in levels))
    return table


def entities_text(result: SearchResult) -> str:
    return "; ".join(f"{name} = {' '.join(words)}" for name, words in result.entities.items()) or "none"


def verdict_line(result: SearchResult, coverage: EntityCoverage | None = None) -> tuple[str, str]:
    """What was found out, in one line, and its colour; what makes it doubtful is said, too."""
    text, style = _verdict(result, coverage if coverage is not None and coverage.is_for_any_number else None)
    return with_doubts(text, result.activity), style


def _verdict(result: SearchResult, coverage: EntityCoverage | None) -> tuple[str, str]:
    name = "the search" if result.invariant is None else result.invariant.name
    noun = "state" if _renamings(result) is None else "orbit"
    more = "" if _is_counted(result) else "more than "
    cost = f"{more}{counted(result.states, noun)}, {result.seconds:.2f} s, {result.memory / 1e6:.0f} MB"
    if result.verdict == "violated":
        assert result.run is not None
        where = ", ".join(f"{v.op.name} = {show(t)}" for v, t in result.run.violation)
        after = f"after {counted(result.depth, 'step')}"
        return f"violated: {name} is false {after}{f' for {where}' if where else ''}; {cost}", "red"
    if result.verdict == "unknown":
        return f"unknown: {result.reason}; seen so far: depth {result.depth}, {cost}", "yellow"
    if result.exhausted:
        others = ""
        if coverage is not None and coverage.is_as_deep_as_asked:
            within = "" if coverage.is_unbounded else f" and within {counted(coverage.depth, 'step')}"
            others = f",{within} for {any_number(coverage)}"
        return (
            f"holds: {name} is true in every reachable state of this instance ({_ended(result)}){others}; {cost}",
            "green",
        )
    numbers = "" if coverage is None else f", for {any_number(coverage)}"
    within = f"within {counted(result.depth, 'step')}{numbers}"
    return f"holds: no violation of {name} {within} ({_ended(result)}); {cost}", "green"


def _ended(result: SearchResult) -> str:
    """Why the search ended, and how likely it is that fingerprints have hidden a state from it."""
    ended = "exhausted" if result.exhausted else "the bound was reached"
    work = result.work
    if work is None or not work.risk or (work.division is not None and not result.exhausted):
        return ended
    return f"{ended}; risk of a missed state {work.risk:.0e}"


def any_number(coverage: EntityCoverage) -> str:
    """Of which sorts there may be any number."""
    return f"any number of {' and '.join(demand.sort for demand in coverage.demands.demands)}"


def coverage_document(coverage: EntityCoverage) -> dict[str, Any]:
    return {
        "holds": coverage.is_for_any_number,
        "depth": None if coverage.is_unbounded else coverage.depth,
        "enough": coverage.needed,
        "obstacles": [obstacle.reason for obstacle in coverage.demands.obstacles],
        "doubt": coverage.doubt,
    }


def coverage_lines(coverage: EntityCoverage) -> list[str]:
    """How many entities are enough for the depth, or what keeps that from being known."""
    if coverage.doubt is not None:
        return [f"these entities are enough for any number of them, if this is so: {coverage.doubt}"]
    if coverage.is_as_deep_as_asked or not coverage.demands.demands:
        return []
    if coverage.demands.obstacles:
        return [f"other numbers of entities may behave differently: {coverage.demands.obstacles[0]}"]
    needed = ", ".join(f"{sort} {count}" for sort, count in coverage.demands.enough(coverage.asked).items())
    return [f"enough entities for depth {coverage.asked}: {needed}"]


def search_page(results: list[SearchResult], replay: str | None, file: str, picture: StatePicture | None = None) -> str:
    """All instances that were tried, on one page."""
    last = results[-1]
    return render_page(
        "search.html",
        file=file,
        verdict=last.verdict,
        mark={"holds": "verified", "violated": "falsified"}.get(last.verdict, last.verdict),
        heading={"holds": "holds", "violated": "does not hold"}.get(last.verdict, "is not decided"),
        sentence=verdict_line(last)[0],
        invariant="the search" if last.invariant is None else last.invariant.name,
        formula="" if last.invariant is None else show_plainly(last.invariant.formula),
        trace=None if last.run is None else run_rows(last.run),
        chart=None if last.run is None else drawn_chart(last.run),
        picture=played_run(picture, last.run),
        replay=replay,
        found="A shortest one, replayed by rewriting.",
        activity=activity_rows(last.activity),
        instances=[
            {"entities": entities_text(result), "levels": [*map(grouped, result.levels)]}
            for result in results
            if result.levels
        ],
    )

"""Random runs for eyes and for programs."""

from __future__ import annotations

from typing import Any

from otsrw.report.activity import activity_document, activity_rows, with_doubts
from otsrw.report.chart_drawing import drawn_chart
from otsrw.report.documents import header
from otsrw.report.html import render_page, run_rows
from otsrw.report.pictures import StatePicture, played_run
from otsrw.report.words import counted
from otsrw.search.simulation import Simulation
from otsrw.theory.printing import show, show_plainly
from otsrw.traces.observed import trace_of


def simulation_document(result: Simulation, replay: str | None) -> dict[str, Any]:
    told = activity_document(result.activity)
    return header("simulate") | {
        "runs": result.runs,
        "steps": result.steps,
        "states": result.states,
        "transitions": told["transitions"],
        "doubts": told["doubts"],
        "violated": None if result.violated is None else result.violated.name,
        "violations": result.violations,
        "violation": None if result.run is None else {v.op.name: show(t) for v, t in result.run.violation},
        "trace": None if result.run is None else trace_of(result.run).to_document(),
        "found_after": result.found_after if result.run is not None else None,
        "entities": {name: list(words) for name, words in result.instance.given.items()},
        "seed": result.asked.seed,
        "complete": not (result.was_stopped or result.was_interrupted),
        "replay": replay,
        "seconds": round(result.seconds, 6),
    }


def simulation_verdict(result: Simulation) -> tuple[str, str]:
    """What was found out, in one line, and its colour; what makes it doubtful is said, too."""
    cost = f"{counted(result.runs, 'run')}, {counted(result.steps, 'step')}, {counted(result.states, 'state')}"
    cost += f", {result.seconds:.2f} s"
    if result.run is not None and result.violated is not None:
        where = ", ".join(f"{v.op.name} = {show(t)}" for v, t in result.run.violation)
        after = f"after {counted(len(result.run.actions), 'step')}{f' for {where}' if where else ''}"
        return f"violated: {result.violated.name} is false {after}, found after {result.found_after}; {cost}", "red"
    names = ", ".join(each.name for each in result.invariants)
    if result.was_interrupted or result.was_stopped:
        why = "interrupted" if result.was_interrupted else f"the time is spent ({result.asked.timeout:g} s)"
        return f"unknown: {why}, no violation of {names} so far; {cost}", "yellow"
    text = f"no violation of {names} was met, which proves nothing; {cost}" if names else f"ran clean; {cost}"
    return with_doubts(text, result.activity), "green"


def simulation_page(result: Simulation, replay: str | None, file: str, picture: StatePicture | None = None) -> str:
    """The counts and the counterexample, on the page of a search."""
    violated = result.violated
    names = ", ".join(each.name for each in result.invariants) if violated is None else violated.name
    return render_page(
        "search.html",
        file=file,
        verdict="violated" if violated else "no violation met",
        mark="falsified" if violated else "unknown",
        heading="does not hold" if violated else "was not violated",
        sentence=simulation_verdict(result)[0],
        invariant=names,
        formula="" if violated is None else show_plainly(violated.formula),
        trace=None if result.run is None else run_rows(result.run),
        chart=None if result.run is None else drawn_chart(result.run),
        picture=played_run(picture, result.run),
        replay=replay,
        found="Made shorter, and replayed by rewriting.",
        activity=activity_rows(result.activity),
        instances=[],
    )

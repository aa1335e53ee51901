"""`otsrw simulate FILE --runs K --steps N --seed X`: random runs with invariants checked along the way."""

from __future__ import annotations

import argparse
import shlex

from otsrw.application import Recognised
from otsrw.application.stages import ALL_INVARIANTS
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame, save
from otsrw.cli.pictures import picture_for_run
from otsrw.report.activity import activity_table, show_activity
from otsrw.report.charts import run_chart
from otsrw.report.simulation import simulation_document, simulation_page, simulation_verdict
from otsrw.report.traces import run_table
from otsrw.search.simulation import RandomRuns, Simulation
from otsrw.traces.formats.itf import write_itf
from otsrw.traces.observed import trace_of


def execute(options: argparse.Namespace) -> int:
    return in_frame("simulate", options, _simulate)


def _simulate(frame: CommandFrame) -> Ending:
    options = frame.options
    recognised = frame.recognised()
    names = _names(recognised, options.inv)
    asked = RandomRuns(options.runs, options.steps, options.seed, options.timeout)
    with frame.progress() as view:
        view.task(f"{options.runs} runs of {recognised.ots.name}")
        result = recognised.instantiated(options.entities).simulated(
            names, asked, lambda done: view.say(f"{done} done")
        )
    replay = _replay(options, result) if result.run is not None else None
    if result.run is not None and options.itf:
        save(options.itf, write_itf(trace_of(result.run)))
    if options.html:
        save(options.html, simulation_page(result, replay, options.file, picture_for_run(frame, result.run)))
    return Ending(_code(result), lambda: simulation_document(result, replay), lambda: _show(frame, result, replay))


def _names(recognised: Recognised, asked: str | None) -> tuple[str, ...]:
    """The invariants to check; without one that the file names, every candidate."""
    return recognised.invariants(asked if asked or recognised.ots.suggested else ALL_INVARIANTS)


def _code(result: Simulation) -> int:
    if result.run is not None:
        return exits.VIOLATED
    if result.was_interrupted:
        return exits.INTERRUPTED
    return exits.UNKNOWN if result.was_stopped else exits.HOLDS


def _replay(options: argparse.Namespace, result: Simulation) -> str:
    """The command that makes the same runs again."""
    asked = result.asked
    words = ["otsrw", "simulate", options.file, "--runs", str(asked.runs), "--steps", str(asked.steps)]
    words += ["--seed", str(asked.seed)]
    if options.inv:
        words += ["--inv", options.inv]
    if options.module:
        words += ["--module", options.module]
    for sort, entities in result.instance.given.items():
        words += ["--with", f"{sort}={','.join(entities)}"]
    return shlex.join(words)


def _show(frame: CommandFrame, result: Simulation, replay: str | None) -> None:
    console, options = frame.console, frame.options
    console.show(activity_table(result.activity))
    show_activity(console, result.activity, table=False)
    if result.run is not None:
        title = "counterexample, made shorter and replayed by rewriting"
        console.show(run_table(result.run, options.full, title))
        if options.chart:
            console.show(run_chart(result.run))
    if replay is not None:
        console.line(f"again: {replay}")
    console.verdict(*simulation_verdict(result))

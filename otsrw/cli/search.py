"""`otsrw search FILE --inv I --depth N`: bounded search in Maude."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from otsrw.application import Instantiated, Recognised
from otsrw.application.entities import EntityCoverage, coverage_of, with_enough
from otsrw.application.stages import ALL_INVARIANTS
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame, replay_command, save
from otsrw.cli.pictures import picture_for_run
from otsrw.cli.several import ask_about_each
from otsrw.records import replace
from otsrw.report.activity import show_activity
from otsrw.report.charts import run_chart
from otsrw.report.search import (
    coverage_lines,
    level_table,
    search_document,
    search_page,
    verdict_line,
    work_lines,
)
from otsrw.report.traces import run_table
from otsrw.report.words import grouped
from otsrw.search import Limits, Progress, SearchResult
from otsrw.search.results import unfinished
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.formats.itf import write_itf
from otsrw.traces.observed import trace_of

if TYPE_CHECKING:
    from otsrw.search.wide import Means


def execute(options: argparse.Namespace) -> int:
    options.file = options.files[0]
    if len(options.files) == 1 and options.inv != ALL_INVARIANTS:
        return in_frame("search", options, _decide)
    return in_frame("search", options, lambda frame: ask_about_each(frame, options.files, _decide_one))


def _decide(frame: CommandFrame) -> Ending:
    recognised = frame.recognised()
    return _decide_one(frame, recognised, recognised.invariant(frame.options.inv).name)


def _decide_one(frame: CommandFrame, recognised: Recognised, name: str) -> Ending:
    options = frame.options
    results, instantiated = _search(frame, recognised, name)
    last = results[-1]
    replay = None
    if last.verdict == "violated":
        choices = ["--symmetry"] if options.symmetry else []
        replay = replay_command(options, name, last.depth, last.entities, choices)
    if last.run is not None and options.itf:
        save(options.itf, write_itf(trace_of(last.run)))
    if options.html:
        save(options.html, search_page(results, replay, options.file, picture_for_run(frame, last.run)))
    code = exits.INTERRUPTED if last.was_interrupted else exits.of_verdict(last.verdict)
    coverage = coverage_of(instantiated, last) if last.verdict == "holds" else None
    return Ending(
        code,
        lambda: search_document(results, replay, coverage),
        lambda: _show(frame, results, replay, coverage),
    )


def _search(frame: CommandFrame, recognised: Recognised, name: str) -> tuple[list[SearchResult], Instantiated]:
    """One result for each instance tried, up to the first that is not `holds`, and the last of these instances."""
    results: list[SearchResult] = []
    given = with_enough(recognised, frame.options.entities, frame.options.depth, name)
    for instantiated in recognised.growing(given):
        results.append(_searched(frame, instantiated, name))
        if results[-1].verdict != "holds":
            break
    return results, instantiated


def _searched(frame: CommandFrame, instantiated: Instantiated, name: str) -> SearchResult:
    options, given = frame.options, instantiated.instance.given
    limits = Limits(options.timeout)
    if options.memory is not None:
        limits = Limits(options.timeout, options.memory * 1_000_000)
    invariant = instantiated.invariant(name)
    seen = Progress(0, 0, 0.0, 0)
    with frame.progress() as view:
        view.task(", ".join([name, *(f"{len(words)} {sort}" for sort, words in given.items())]))

        def listen(progress: Progress) -> None:
            nonlocal seen
            seen = progress
            view.search_progress(progress)

        try:
            return instantiated.search(invariant, options.depth, limits, listen, options.count, _means(options))
        except KeyboardInterrupt:
            stopped = unfinished(instantiated.instance, invariant, seen, "interrupted")
            return replace(stopped, was_interrupted=True)


def _means(options: argparse.Namespace) -> Means | None:
    """How to search, if it is not the search of one Maude process."""
    is_divided = options.jobs is not None or options.cluster
    if options.uncounted and (not is_divided or options.symmetry or options.compact):
        hint = "add --jobs N, or leave --uncounted out; with --symmetry and --compact states are always counted"
        raise OtsrwError("E545", "--uncounted is for a search that is divided", hint=hint)
    if not (options.symmetry or options.compact or options.cluster or options.jobs is not None):
        return None
    from otsrw.search.wide import Means

    return Means(options.symmetry, options.jobs or 1, options.cluster, options.compact, not options.uncounted)


def _show(
    frame: CommandFrame, results: list[SearchResult], replay: str | None, coverage: EntityCoverage | None
) -> None:
    console, options, last = frame.console, frame.options, results[-1]
    if any(result.levels for result in results):
        console.show(level_table([result for result in results if result.levels]))
    if last.run is not None:
        console.show(run_table(last.run, options.full, "counterexample, replayed by rewriting"))
        if options.chart:
            console.show(run_chart(last.run))
    show_activity(console, last.activity)
    for line in work_lines(last):
        console.line(line)
    if options.verbose:
        rate = last.states / last.seconds if last.seconds else 0
        console.line(f"{grouped(int(rate))} states a second")
    if replay is not None:
        console.line(f"again: {replay}")
    for line in () if coverage is None else coverage_lines(coverage):
        console.line(line)
    console.verdict(*verdict_line(last, coverage))

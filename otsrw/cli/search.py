"""`otsrw search FILE --inv I --depth N`: bounded search in Maude."""

from __future__ import annotations

import argparse
import shlex
from functools import partial

from otsrw.cli import exits
from otsrw.cli.specification import Specification, invariant_of, on_specification, save
from otsrw.ots import Instance, growing_entities
from otsrw.report.charts import run_chart
from otsrw.report.console import Console
from otsrw.report.progress import progress_view
from otsrw.report.search import grouped, level_table, search_document, search_page, verdict_line
from otsrw.report.traces import run_table
from otsrw.search import Limits, Progress, SearchResult, search
from otsrw.search.session import unfinished
from otsrw.traces.formats.itf import write_itf
from otsrw.traces.observed import trace_of

INTERRUPTED = "interrupted"
_EXITS = {"holds": exits.HOLDS, "violated": exits.VIOLATED, "unknown": exits.UNKNOWN}


def execute(options: argparse.Namespace) -> int:
    return on_specification("search", options, partial(_decide, options))


def _decide(options: argparse.Namespace, specification: Specification, console: Console) -> int:
    name = specification.invariant_name(options.inv)
    results = _search(specification, name, options)
    last = results[-1]
    replay = _replay_command(options, name, last) if last.verdict == "violated" else None
    if last.run is not None and options.itf:
        save(options.itf, write_itf(trace_of(last.run)))
    if options.html:
        save(options.html, search_page(results, replay, options.file))
    if options.json:
        console.document(search_document(results, replay))
    else:
        _show(console, results, replay, options)
    return exits.INTERRUPTED if last.reason == INTERRUPTED else _EXITS[last.verdict]


def _search(specification: Specification, name: str, options: argparse.Namespace) -> list[SearchResult]:
    """One result for each instance tried, up to the first that is not `holds`."""
    limits = Limits(options.timeout)
    if options.memory is not None:
        limits = Limits(options.timeout, options.memory * 1_000_000)
    results: list[SearchResult] = []
    with progress_view(not options.json and not options.quiet) as view:
        for entities in growing_entities(specification.ots, options.entities):
            instance = Instance(specification.ots, entities)
            invariant = invariant_of(instance, name)
            view.task(f"{name}, {_entities(entities)}" if entities else name)
            seen = Progress(0, 0, 0.0, 0)

            def listen(progress: Progress) -> None:
                nonlocal seen
                seen = progress
                view.search_progress(progress)

            try:
                results.append(search(instance, invariant, options.depth, limits, listen))
            except KeyboardInterrupt:
                results.append(unfinished(instance, invariant, seen, INTERRUPTED))
            if results[-1].verdict != "holds":
                break
    return results


def _entities(entities: dict[str, tuple[str, ...]]) -> str:
    return ", ".join(f"{len(words)} {name}" for name, words in entities.items())


def _show(console: Console, results: list[SearchResult], replay: str | None, options: argparse.Namespace) -> None:
    last = results[-1]
    if any(result.levels for result in results):
        console.show(level_table([result for result in results if result.levels]))
    if last.run is not None:
        console.show(run_table(last.run, options.full, "counterexample, replayed by rewriting"))
        if options.chart:
            console.show(run_chart(last.run))
    if options.verbose:
        rate = last.states / last.seconds if last.seconds else 0
        console.line(f"{grouped(int(rate))} states a second")
    if replay is not None:
        console.line(f"again: {replay}")
    console.verdict(*verdict_line(last))


def _replay_command(options: argparse.Namespace, name: str, result: SearchResult) -> str:
    words = ["otsrw", "search", options.file, "--inv", name, "--depth", str(result.depth)]
    if options.module:
        words += ["--module", options.module]
    for sort, entities in result.entities.items():
        words += ["--with", f"{sort}={','.join(entities)}"]
    return shlex.join(words)

"""Results as pieces of HTML, for notebooks: they look as on a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable
from functools import singledispatch

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from otsrw.application.specification import Specification
from otsrw.display import Displayed
from otsrw.induction.lemmas import LemmaReport
from otsrw.induction.results import IgfResult
from otsrw.ots.run import Run
from otsrw.proofs.results import Outcome
from otsrw.report.activity import activity_table
from otsrw.report.classify import class_notes
from otsrw.report.igf import igf_verdict, lemma_table, lemma_trees, lemma_verdict
from otsrw.report.ots import ots_tables
from otsrw.report.search import level_table, verdict_line
from otsrw.report.simplify import show_simplification
from otsrw.report.simulation import simulation_verdict
from otsrw.report.traces import run_table, trace_table
from otsrw.search.results import SearchResult
from otsrw.search.simulation import Simulation
from otsrw.traces.classification import Classification
from otsrw.traces.explanation import Explanation
from otsrw.traces.simplification import Simplification
from otsrw.traces.trace import Trace

WIDTH = 120
MAX_COMMANDS = 50
_FORMAT = '<pre style="line-height:normal;overflow-x:auto">{code}</pre>'


def as_html(result: Displayed) -> str:
    """A result as a piece of HTML."""
    console = _recording(WIDTH)
    _show(result, console)
    return console.export_html(inline_styles=True, code_format=_FORMAT)


def text_as_html(text: str) -> str:
    """A text with the colours of a terminal as a piece of HTML."""
    console = _recording(max(WIDTH, *map(len, text.splitlines()), 1))
    console.print(Text.from_ansi(text.rstrip("\n")))
    return console.export_html(inline_styles=True, code_format=_FORMAT)


def _recording(width: int) -> Console:
    """A console that keeps what it prints; it is not told of the notebook, where it would show all of it as well."""
    return Console(record=True, width=width, file=io.StringIO(), highlight=False, force_jupyter=False)


@singledispatch
def _show(result: Displayed, console: Console) -> None:
    console.print(Text(repr(result)))


@_show.register
def _(result: Trace, console: Console) -> None:
    console.print(trace_table(result))


@_show.register
def _(result: Run, console: Console) -> None:
    console.print(run_table(result))


@_show.register
def _(result: SearchResult, console: Console) -> None:
    _print(console, [level_table([result]), *_counterexample(result.run), Text(*verdict_line(result))])


@_show.register
def _(result: Simulation, console: Console) -> None:
    parts = [activity_table(result.activity), *_counterexample(result.run), Text(*simulation_verdict(result))]
    _print(console, parts)


@_show.register
def _(result: IgfResult, console: Console) -> None:
    _print(console, [*lemma_trees(result), *_counterexample(result.run), Text(*igf_verdict(result))])


@_show.register
def _(result: LemmaReport, console: Console) -> None:
    _print(console, [lemma_table(result), Text(*lemma_verdict(result))])


@_show.register
def _(result: Simplification, console: Console) -> None:
    show_simplification(Explanation.of(result), console, verbose=False, show_prefixes=False)
    console.print(Text(result.verdict, "green" if result.holds else "yellow" if result.unknown else "red"))


@_show.register
def _(result: Classification, console: Console) -> None:
    for number, found in enumerate(result.classes, 1):
        console.print(Text(f"class {number}: {found.constraint}"))
        console.print(Text(f"  {'; '.join(class_notes(result, found))}", "dim"))
    if result.unexplained is not None:
        console.print(Text("some counterexamples cannot be characterised", "yellow"))
    elif not result.classes:
        console.print(Text("no counterexample within the bound", "green"))


@_show.register
def _(result: Outcome, console: Console) -> None:
    if result.commands:
        table = Table("module", "command", "result", title_justify="left")
        for command in result.commands[:MAX_COMMANDS]:
            shown = "no result" if command.result is None else command.result
            style = {"true": "green", "false": "red"}.get(shown, "")
            table.add_row(Text(command.module), Text(f"{command.kind} {command.term}"), Text(shown, style))
        console.print(table)
    if len(result.commands) > MAX_COMMANDS:
        console.print(f"... and {len(result.commands) - MAX_COMMANDS} more")
    for problem in result.problems:
        console.print(Text(problem.render(), "red" if problem.is_error else "yellow"))


@_show.register
def _(result: Specification, console: Console) -> None:
    _print(console, ots_tables(result.ots, result.instance))


def _counterexample(run: Run | None) -> list[RenderableType]:
    return [] if run is None else [run_table(run)]


def _print(console: Console, parts: Iterable[RenderableType]) -> None:
    for part in parts:
        console.print(part)

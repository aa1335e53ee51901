"""Results in notebooks: after `%load_ext otsrw` they show themselves as they look on a terminal."""

from __future__ import annotations

import io
from typing import Any

from rich.console import Console, RenderableType

from otsrw.induction.results import IgfResult
from otsrw.report.igf import igf_verdict, lemma_tree
from otsrw.report.search import level_table, verdict_line
from otsrw.report.traces import run_table, trace_table
from otsrw.search.results import SearchResult
from otsrw.traces.trace import Trace

WIDTH = 120
_FORMAT = '<pre style="line-height:normal;overflow-x:auto">{code}</pre>'

Shown = IgfResult | SearchResult | Trace


def as_html(result: Shown) -> str:
    """A result as a piece of HTML."""
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    for part in _parts(result):
        console.print(part)
    return console.export_html(inline_styles=True, code_format=_FORMAT)


def _parts(result: Shown) -> list[RenderableType]:
    if isinstance(result, Trace):
        return [trace_table(result)]
    counterexample = [] if result.run is None else [run_table(result.run)]
    if isinstance(result, SearchResult):
        return [level_table([result]), *counterexample, verdict_line(result)[0]]
    return [lemma_tree(result), *counterexample, igf_verdict(result)[0]]


def load_ipython_extension(shell: Any) -> None:
    """What IPython calls for `%load_ext otsrw`."""
    formatter = shell.display_formatter.formatters["text/html"]
    for kind in (IgfResult, SearchResult, Trace):
        formatter.for_type(kind, as_html)

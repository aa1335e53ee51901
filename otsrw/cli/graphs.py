"""What `simplify`, `explore` and `classify` have in common: the graph of a specification, and the files they write."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from otsrw.cli.specification import Specification, check_findings, invariant_of, load
from otsrw.ots import Instance, Invariant
from otsrw.report.console import Console
from otsrw.report.progress import progress_view
from otsrw.syntax.diagnostics import Diagnostic, TheoryProblem
from otsrw.traces.observed import ObservedGraph, observed_graph


@dataclass(frozen=True, eq=False, slots=True)
class Subject:
    """An instance of the OTS of a file, its graph, and the invariant that was asked for."""

    specification: Specification
    instance: Instance
    invariant: Invariant | None
    graph: ObservedGraph


def subject_of(options: argparse.Namespace, console: Console, invariant_needed: bool) -> Subject:
    """Raises `Refused` if the file has errors, `OtsrwError` for whatever else is wrong."""
    specification = load(options, console)
    check_findings(specification, console)
    name = specification.invariant_name(options.inv) if invariant_needed or options.inv else None
    instance = specification.instance()
    invariant = None if name is None else invariant_of(instance, name)
    with progress_view(not options.json and not options.quiet) as view:
        view.task("the graph")
        graph = observed_graph(
            instance,
            options.depth,
            invariant,
            options.max_states,
            lambda depth, states, seconds: view.say(
                f"depth {depth}, {states:,} states, {states / seconds:,.0f} a second"
            ),
        )
    if graph.cut:
        message = f"only {graph.lts.states - len(graph.lts.frontier)} of {graph.lts.states} states were expanded"
        console.problem(Diagnostic("W531", message, hint="give --depth, or more with --max-states"))
    return Subject(specification, instance, invariant, graph)


def write_text(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, "utf-8", errors="replace")
    except OSError as error:
        raise TheoryProblem("E307", f"cannot write {name!r}: {error.strerror}") from None

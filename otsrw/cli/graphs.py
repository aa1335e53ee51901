"""What `simplify`, `explore` and `classify` have in common: a system, what is claimed of it, files that are written."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from otsrw.cli.specification import Specification, check_findings, invariant_of, load
from otsrw.ots import Instance, Invariant
from otsrw.report.console import Console
from otsrw.report.progress import progress_view
from otsrw.report.simplify import Claim
from otsrw.search.session import OutOfLimits
from otsrw.syntax.diagnostics import BudgetExceeded, Diagnostic, TheoryProblem
from otsrw.syntax.source import Source
from otsrw.traces.formats import decoded, read_aut, read_lts
from otsrw.traces.lts import Lts
from otsrw.traces.matching import Match, split_labels
from otsrw.traces.observed import ObservedGraph, observed_graph
from otsrw.traces.product import Safety
from otsrw.traces.propositions import suspects
from otsrw.traces.temporal import TemporalProperty

_SPECIFICATIONS = (".cafe", ".mod", ".cafeobj")


def is_specification(options: argparse.Namespace) -> bool:
    """Whether the file is a specification, not a labelled transition system."""
    if options.file == "-":
        return bool(options.inv or options.module or options.entities or options.depth is not None)
    return Path(options.file).suffix in _SPECIFICATIONS


def wrong_use(options: argparse.Namespace) -> str | None:
    """What is wrong with the options that say what to look at."""
    if sum(given is not None for given in (options.inev, options.inv, options.ltl)) > 1:
        return "give one of --inv, --inev and --ltl"
    if options.fair is not None and options.ltl is None:
        return "--fair needs --ltl"
    if options.inv is not None and not is_specification(options):
        return "--inv needs a specification (.cafe, .mod)"
    return None


@dataclass(frozen=True, eq=False, slots=True)
class System:
    """A system, what is claimed of it, for an invariant what must not be met, and for a formula the formula."""

    lts: Lts
    claim: Claim
    safety: Safety | None = None
    graph: ObservedGraph | None = None
    """What the system was made from, if it is that of a specification."""
    temporal: TemporalProperty | None = None


def system_of(options: argparse.Namespace, console: Console, property_needed: bool) -> System:
    """The system, with warnings for what a formula says of values and events that are not there."""
    system = _system_of(options, console, property_needed)
    if system.temporal is not None:
        for problem in suspects(system.lts, system.temporal.formulas, system.temporal.match):
            console.problem(problem)
    return system


def _system_of(options: argparse.Namespace, console: Console, property_needed: bool) -> System:
    """From an .aut file, or from the graph of a specification; the invariant the file names if a property is needed."""
    labels = None if options.inev is None else split_labels(options.inev)
    fair = () if options.fair is None else split_labels(options.fair)
    temporal = None if options.ltl is None else TemporalProperty.of(options.ltl, fair, Match(options.match))
    claim = Claim(labels or (), None, options.ltl, fair)
    if not is_specification(options):
        return System(_read(options.file), claim, temporal=temporal)
    subject = subject_of(options, console, property_needed and not claim)
    if subject.invariant is None:
        return System(subject.graph.lts, claim, None, subject.graph, temporal)
    claim = Claim(invariant=subject.invariant.name)
    return System(subject.graph.lts, claim, subject.graph.safety, subject.graph)


def _read(name: str) -> Lts:
    if name == "-":
        return read_aut(Source("<stdin>", decoded(sys.stdin.buffer.read())))
    return read_lts(Path(name), name)


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

        def tell(depth: int, states: int, seconds: float) -> None:
            view.say(f"depth {depth}, {states:,} states, {states / seconds:,.0f} a second")

        try:
            graph = observed_graph(instance, options.depth, invariant, options.max_states, tell)
        except OutOfLimits as stop:
            raise BudgetExceeded("E402", str(stop), hint="give a smaller --depth or --max-states") from None
    if graph.cut:
        message = f"only {graph.lts.states - len(graph.lts.frontier)} of {graph.lts.states} states were expanded"
        console.problem(Diagnostic("W531", message, hint="give --depth, or more with --max-states"))
    return Subject(specification, instance, invariant, graph)


def write_text(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, "utf-8", errors="replace")
    except OSError as error:
        raise TheoryProblem("E307", f"cannot write {name!r}: {error.strerror}") from None

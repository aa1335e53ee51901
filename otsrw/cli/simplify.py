"""`otsrw simplify FILE`: FILE is a specification, with `--inv` or `--inev`, or an .aut file with `--inev`."""

from __future__ import annotations

import argparse
import sys

from otsrw.application.systems import System
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Document, Ending, in_frame, save
from otsrw.cli.pictures import picture_of
from otsrw.cli.systems import complained, given_run, means_specification, system_of, wrong_use
from otsrw.cli.timing import time_limit
from otsrw.records import replace
from otsrw.report.simplify import print_simplification, simplify_document, simplify_page, simplify_verdict
from otsrw.traces.claims import Claim
from otsrw.traces.explanation import Explanation
from otsrw.traces.formats import write_autx, write_dot, write_itf
from otsrw.traces.matching import split_labels
from otsrw.traces.neighbourhoods import Incoming
from otsrw.traces.simplification import Simplification


def execute(options: argparse.Namespace) -> int:
    wrong = wrong_use(options)
    if wrong is None and options.inev is None and options.ltl is None and not means_specification(options):
        wrong = "an .aut file needs --inev or --ltl"
    return in_frame("simplify", options, _simplify, _failed) if wrong is None else complained(options, wrong)


def _failed(frame: CommandFrame) -> Document:
    return simplify_document(None, Claim(), frame.console.problems, frame.seconds)


def _simplify(frame: CommandFrame) -> Ending:
    options, console = frame.options, frame.console
    pattern = () if options.pattern is None else split_labels(options.pattern)
    with time_limit(options.timeout):
        given = given_run(options)
        system = system_of(frame, property_needed=True)
        for problem in system.doubts(pattern):
            console.problem(problem)
        result = system.simplified(Incoming(options.incoming), pattern, given)
        explained = _explained(frame, system, result)
        _write_files(frame, system, explained)
    claim, seconds = system.claim, frame.seconds

    def show() -> None:
        if not options.quiet:
            print_simplification(explained, sys.stdout, options.verbose, options.show_prefixes)
        print(simplify_verdict(result, claim, seconds, options.pattern))

    return Ending(
        _exit_code(system, result),
        lambda: simplify_document(explained, claim, console.problems, seconds, options.show_prefixes),
        show,
    )


def _explained(frame: CommandFrame, system: System, result: Simplification) -> Explanation:
    """The result with what the options ask for besides."""
    options = frame.options
    explained = system.explanation(result)
    if options.why:
        explained = replace(explained, why=system.causes(result))
    if options.runs:
        explained = replace(explained, runs=system.shortest_runs(result))
    if options.lasts is not None:
        with frame.progress() as view:
            view.task("a larger part of the graph")
            larger = system.larger(options.lasts or None, options.max_states, view.graph_progress)
        explained = replace(explained, lasts=system.lasting(result, larger, Incoming(options.incoming)))
    return explained


def _write_files(frame: CommandFrame, system: System, explained: Explanation) -> None:
    options, result = frame.options, explained.result
    if options.dot is not None:
        save(options.dot, write_dot(result.coloured, result.tags))
    if options.autx is not None:
        save(options.autx, write_autx(result.coloured, result.tags))
    if options.itf is not None and result.counterexample is not None:
        save(options.itf, write_itf(result.counterexample.trace(result.lts)))
    if options.html is not None:
        picture = picture_of(frame, result.lts.observers)
        save(options.html, simplify_page(explained, system.claim, options.file, picture))


def _exit_code(system: System, result: Simplification) -> int:
    code = exits.of_verdict(result.verdict)
    is_safety = system.claim.invariant is not None
    return exits.LIVENESS_VIOLATED if code == exits.VIOLATED and not is_safety else code

"""`otsrw simplify FILE`: FILE is a specification, with `--inv` or `--inev`, or an .aut file with `--inev`."""

from __future__ import annotations

import argparse
import sys
import time

from otsrw.cli import exits
from otsrw.cli.graphs import System, is_specification, system_of, write_text, wrong_use
from otsrw.cli.specification import Refused
from otsrw.cli.timing import TimeIsUp, time_limit
from otsrw.report.console import Console
from otsrw.report.simplify import (
    Claim,
    missing_labels,
    print_simplification,
    simplify_document,
    simplify_page,
    simplify_verdict,
)
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError, ProblemKind
from otsrw.traces.counterexamples import NO_PATTERN
from otsrw.traces.formats import LtsProblem, write_autx, write_dot, write_itf
from otsrw.traces.matching import ActionSequence, Match, split_labels
from otsrw.traces.neighbourhoods import Incoming
from otsrw.traces.observed import checked
from otsrw.traces.simplification import Simplification, simplify_inevitability, simplify_safety, simplify_temporal


def execute(options: argparse.Namespace) -> int:
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    wrong = wrong_use(options)
    if wrong is None and options.inev is None and options.ltl is None and not is_specification(options):
        wrong = "an .aut file needs --inev or --ltl"
    if wrong is not None:
        console.complain(wrong)
        return exits.USAGE
    start = time.perf_counter()
    claim, result = Claim(), None
    try:
        with time_limit(options.timeout):
            system = system_of(options, console, property_needed=True)
            claim = system.claim
            result = _simplified(options, console, system)
            _write_files(options, claim, result)
    except TimeIsUp:
        console.problem(BudgetExceeded("E402", f"the time is spent: {options.timeout} s").problem)
    except LtsProblem as error:
        for problem in error.problems:
            console.problem(problem)
    except OtsrwError as error:
        console.problem(error.problem)
    except Refused:
        pass
    seconds = time.perf_counter() - start
    if options.json:
        console.document(simplify_document(result, claim, console.problems, seconds, options.show_prefixes))
    elif result is not None:
        if not options.quiet:
            print_simplification(result, sys.stdout, options.verbose, options.show_prefixes)
        print(simplify_verdict(result, claim, seconds, options.pattern))
    return _exit_code(console, claim, result)


def _simplified(options: argparse.Namespace, console: Console, system: System) -> Simplification:
    result = _decided(options, console, system)
    return result if system.graph is None else checked(system.graph, result)


def _decided(options: argparse.Namespace, console: Console, system: System) -> Simplification:
    lts, claim, safety = system.lts, system.claim, system.safety
    match, incoming = Match(options.match), Incoming(options.incoming)
    wanted = split_labels(options.pattern) if options.pattern is not None else ()
    pattern = ActionSequence.of(lts, wanted, match) if wanted else NO_PATTERN
    sequence = ActionSequence.of(lts, claim.labels, match)
    for problem in missing_labels(lts, tuple(dict.fromkeys(sequence.missing() + pattern.missing()))):
        console.problem(problem)
    if system.temporal is not None:
        return simplify_temporal(lts, system.temporal, incoming, pattern)
    if safety is not None:
        return simplify_safety(lts, safety, incoming, pattern)
    return simplify_inevitability(lts, sequence, incoming, pattern)


def _write_files(options: argparse.Namespace, claim: Claim, result: Simplification) -> None:
    if options.dot is not None:
        write_text(options.dot, write_dot(result.lts, result.tags))
    if options.autx is not None:
        write_text(options.autx, write_autx(result.lts, result.tags))
    if options.itf is not None and result.counterexample is not None:
        write_text(options.itf, write_itf(result.counterexample.trace(result.lts)))
    if options.html is not None:
        write_text(options.html, simplify_page(result, claim, options.file))


def _exit_code(console: Console, claim: Claim, result: Simplification | None) -> int:
    errors = [problem for problem in console.problems if problem.is_error]
    if errors:
        in_time = all(error.kind is not ProblemKind.TIME for error in errors)
        return max(map(exits.code_of, errors)) if in_time else exits.UNKNOWN
    if result is None or result.unknown:
        return exits.UNKNOWN
    if result.holds:
        return exits.HOLDS
    return exits.VIOLATED if claim.invariant is not None else exits.LIVENESS_VIOLATED

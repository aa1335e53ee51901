"""`otsrw simplify FILE`: FILE is a specification, with `--inv` or `--inev`, or an .aut file with `--inev`."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from otsrw.cli import exits
from otsrw.cli.graphs import subject_of, write_text
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
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError
from otsrw.syntax.source import Source
from otsrw.traces.counterexamples import NO_PATTERN
from otsrw.traces.formats import LtsProblem, decoded, read_aut, read_lts, write_autx, write_dot, write_itf
from otsrw.traces.lts import Lts
from otsrw.traces.matching import ActionSequence, Match, split_labels
from otsrw.traces.neighbourhoods import Incoming
from otsrw.traces.product import Safety
from otsrw.traces.simplification import Simplification, simplify_inevitability, simplify_safety

_SPECIFICATIONS = (".cafe", ".mod", ".cafeobj")


def execute(options: argparse.Namespace) -> int:
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    if options.inev is not None and options.inv is not None:
        console.complain("give --inv or --inev, not both")
        return exits.USAGE
    if options.inev is None and not _is_specification(options):
        console.complain("an .aut file needs --inev")
        return exits.USAGE
    start = time.perf_counter()
    claim, result = Claim(), None
    try:
        with time_limit(options.timeout):
            lts, claim, safety = _subject(options, console)
            result = _simplified(options, console, lts, claim, safety)
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


def _is_specification(options: argparse.Namespace) -> bool:
    if options.file == "-":
        return bool(options.inv or options.module or options.entities or options.depth is not None)
    return Path(options.file).suffix in _SPECIFICATIONS


def _subject(options: argparse.Namespace, console: Console) -> tuple[Lts, Claim, Safety | None]:
    """The system, what is claimed of it, and for an invariant what it must not meet."""
    labels = None if options.inev is None else split_labels(options.inev)
    if not _is_specification(options):
        return _read(options.file), Claim(labels or ()), None
    subject = subject_of(options, console, invariant_needed=labels is None)
    if labels is not None or subject.invariant is None:
        return subject.graph.lts, Claim(labels or ()), None
    return subject.graph.lts, Claim(invariant=subject.invariant.name), subject.graph.safety


def _simplified(
    options: argparse.Namespace, console: Console, lts: Lts, claim: Claim, safety: Safety | None
) -> Simplification:
    match, incoming = Match(options.match), Incoming(options.incoming)
    wanted = split_labels(options.pattern) if options.pattern is not None else ()
    pattern = ActionSequence.of(lts, wanted, match) if wanted else NO_PATTERN
    sequence = ActionSequence.of(lts, claim.labels, match)
    for problem in missing_labels(lts, tuple(dict.fromkeys(sequence.missing() + pattern.missing()))):
        console.problem(problem)
    if safety is not None:
        return simplify_safety(lts, safety, incoming, pattern)
    return simplify_inevitability(lts, sequence, incoming, pattern)


def _read(name: str) -> Lts:
    if name == "-":
        return read_aut(Source("<stdin>", decoded(sys.stdin.buffer.read())))
    return read_lts(Path(name), name)


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
    errors = [problem.code for problem in console.problems if problem.is_error]
    if errors:
        return exits.UNKNOWN if "E402" in errors else max(exits.code_of(code) for code in errors)
    if result is None or result.unknown:
        return exits.UNKNOWN
    if result.holds:
        return exits.HOLDS
    return exits.VIOLATED if claim.invariant is not None else exits.LIVENESS_VIOLATED

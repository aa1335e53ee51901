"""`otsrw simplify FILE.aut --inev A,B`"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from otsrw.cli import exits
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
from otsrw.syntax.diagnostics import BudgetExceeded, Diagnostic, OtsrwError, TheoryProblem
from otsrw.syntax.source import Source
from otsrw.traces.counterexamples import NO_PATTERN
from otsrw.traces.formats import LtsProblem, decoded, read_aut, read_lts, write_autx, write_dot, write_itf
from otsrw.traces.lts import Lts
from otsrw.traces.matching import ActionSequence, Match, split_labels
from otsrw.traces.neighbourhoods import Incoming
from otsrw.traces.simplification import Simplification, simplify_inevitability


@dataclass
class _Outcome:
    claim: Claim = field(default_factory=Claim)
    result: Simplification | None = None
    problems: list[Diagnostic] = field(default_factory=list)


def execute(options: argparse.Namespace) -> int:
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    start = time.perf_counter()
    outcome = _Outcome()
    try:
        with time_limit(options.timeout):
            _work(options, outcome)
    except TimeIsUp:
        outcome.problems.append(BudgetExceeded("E402", f"the time is spent: {options.timeout} s").problem)
    except LtsProblem as error:
        outcome.problems += error.problems
    except OtsrwError as error:
        outcome.problems.append(error.problem)
    seconds = time.perf_counter() - start
    for problem in outcome.problems:
        console.problem(problem)
    if options.json:
        console.document(
            simplify_document(outcome.result, outcome.claim, outcome.problems, seconds, options.show_prefixes)
        )
    elif outcome.result is not None:
        if not options.quiet:
            print_simplification(outcome.result, sys.stdout, options.verbose, options.show_prefixes)
        print(simplify_verdict(outcome.result, outcome.claim, seconds, options.pattern))
    return _exit_code(outcome)


def _work(options: argparse.Namespace, outcome: _Outcome) -> None:
    match = Match(options.match)
    outcome.claim = Claim(split_labels(options.inev))
    wanted = split_labels(options.pattern) if options.pattern is not None else ()
    lts = _read(options.file)
    sequence = ActionSequence.of(lts, outcome.claim.labels, match)
    pattern = ActionSequence.of(lts, wanted, match) if wanted else NO_PATTERN
    outcome.problems += missing_labels(lts, tuple(dict.fromkeys(sequence.missing() + pattern.missing())))
    result = simplify_inevitability(lts, sequence, Incoming(options.incoming), pattern)
    _write_files(options, outcome.claim, result)
    outcome.result = result


def _read(name: str) -> Lts:
    if name == "-":
        return read_aut(Source("<stdin>", decoded(sys.stdin.buffer.read())))
    return read_lts(Path(name), name)


def _write_files(options: argparse.Namespace, claim: Claim, result: Simplification) -> None:
    if options.dot is not None:
        _write(options.dot, write_dot(result.lts, result.tags))
    if options.autx is not None:
        _write(options.autx, write_autx(result.lts, result.tags))
    if options.itf is not None and result.counterexample is not None:
        _write(options.itf, write_itf(result.counterexample.trace(result.lts)))
    if options.html is not None:
        _write(options.html, simplify_page(result, claim, options.file))


def _write(name: str, text: str) -> None:
    try:
        Path(name).write_text(text, "utf-8", errors="replace")
    except OSError as error:
        raise TheoryProblem("E307", f"cannot write {name!r}: {error.strerror}") from None


def _exit_code(outcome: _Outcome) -> int:
    errors = [problem.code for problem in outcome.problems if problem.is_error]
    if "E402" in errors:
        return exits.UNKNOWN
    if errors:
        return exits.BAD_INPUT
    return exits.HOLDS if outcome.result is None or outcome.result.holds else exits.LIVENESS_VIOLATED

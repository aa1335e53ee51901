"""`otsrw run FILE...`"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from otsrw.cli import exits
from otsrw.proofs.files import decode
from otsrw.proofs.results import Outcome
from otsrw.proofs.session import Quit, Session, Settings
from otsrw.report.console import Console
from otsrw.report.documents import run_document
from otsrw.syntax.source import Source


def execute(options: argparse.Namespace) -> int:
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    settings = Settings(max_rewrites=options.max_rewrites, timeout=options.timeout, trace=options.trace)
    session = Session(settings, console.line)
    start = time.perf_counter()
    shown = _Shown(session.outcome, console)
    interrupted = False
    try:
        for name in options.files:
            _load(session, name)
            shown.flush()
    except Quit:
        pass
    except KeyboardInterrupt:
        interrupted = True
    shown.flush()
    console.flush()
    seconds = time.perf_counter() - start
    if options.json:
        console.document(run_document(session.outcome, seconds, options.expect))
    elif not interrupted:
        console.run_verdict(session.outcome, seconds, options.expect)
    if interrupted:
        print("interrupted", file=sys.stderr)
        return exits.INTERRUPTED
    return exit_code(session.outcome, options.expect)


class _Shown:
    """Prints problems once."""

    def __init__(self, outcome: Outcome, console: Console) -> None:
        self.outcome = outcome
        self.console = console
        self.count = 0

    def flush(self) -> None:
        for problem in self.outcome.problems[self.count :]:
            self.console.problem(problem)
        self.count = len(self.outcome.problems)


def _load(session: Session, name: str) -> None:
    if name == "-":
        session.run_source(Source("<stdin>", decode(sys.stdin.buffer.read()), Path.cwd()))
    else:
        session.run_file(Path(name), name)


def exit_code(outcome: Outcome, expected: str | None) -> int:
    if outcome.errors:
        return exits.code_of_all(outcome.errors)
    if expected is not None and outcome.unexpected(expected):
        return exits.VIOLATED
    return exits.HOLDS

"""`otsrw run FILE...`"""

from __future__ import annotations

import argparse
import sys
import time

from otsrw.cli import exits
from otsrw.cli.framing import expanded
from otsrw.proofs import Outcome, Session, Settings
from otsrw.proofs.files import decode
from otsrw.proofs.workspace import Dialect
from otsrw.report.console import Console
from otsrw.report.documents import run_document
from otsrw.report.events import telling
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Source


def execute(options: argparse.Namespace) -> int:
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    settings = Settings(max_rewrites=options.max_rewrites, timeout=options.timeout, trace=options.trace)
    settings.dialect = None if options.dialect is None else Dialect(options.dialect)
    settings.expand = expanded
    settings.portable = options.portable
    session = Session(settings, telling(console))
    start = time.perf_counter()
    interrupted = False
    try:
        for name in options.files:
            _load(session, name)
            if session.has_quit:
                break
    except KeyboardInterrupt:
        interrupted = True
    console.flush()
    seconds = time.perf_counter() - start
    if options.html and not _write_page(session.outcome, options, console):
        return exits.USAGE
    if options.json:
        console.document(run_document(session.outcome, seconds, options.expect))
    elif not interrupted:
        console.run_verdict(session.outcome, seconds, options.expect)
    if interrupted:
        print("interrupted", file=sys.stderr)
        return exits.INTERRUPTED
    return exit_code(session.outcome, options.expect)


def _write_page(outcome: Outcome, options: argparse.Namespace, console: Console) -> bool:
    """Write the page of the proofs; False if that is not possible."""
    from otsrw.cli.frame import save  # here, so that a plain run loads neither
    from otsrw.report.prooftree import proofs_page

    try:
        save(options.html, proofs_page(outcome, ", ".join(options.files)))
    except OtsrwError as error:
        console.problem(error.problem)
        return False
    return True


def _load(session: Session, name: str) -> None:
    if name == "-":
        session.run_source(Source("<stdin>", decode(sys.stdin.buffer.read())))
    else:
        session.run_file(name)


def exit_code(outcome: Outcome, expected: str | None) -> int:
    if outcome.errors:
        return exits.code_of_all(outcome.errors)
    if expected is not None and (outcome.unexpected(expected) or outcome.open_proofs):
        return exits.VIOLATED
    return exits.HOLDS

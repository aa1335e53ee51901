"""From a file to a loaded specification: its commands are run, its problems are told."""

from __future__ import annotations

import sys

from otsrw.application.comparisons import with_values_compared
from otsrw.application.frames import framed
from otsrw.application.stages import Loaded
from otsrw.proofs import Session, Settings
from otsrw.proofs.files import decode
from otsrw.syntax.diagnostics import SeveralProblems, Tell
from otsrw.syntax.source import Source

STANDARD_INPUT = "-"


class LoadFailed(SeveralProblems):
    """A file has errors."""


def load_specification(
    name: str, settings: Settings | None = None, tell: Tell | None = None, by_value: bool = False
) -> Loaded:
    """Run a file, or standard input for `-`; raises `LoadFailed` if it has errors.

    If something is to be proved, its equations compare `by_value`.
    """
    settings = settings or Settings()
    settings.expand = with_values_compared if by_value else framed
    session = Session(settings)
    run_into(session, name, tell)
    return Loaded(name, session)


def run_into(session: Session, name: str, tell: Tell | None = None) -> None:
    """Run one more file in a session; raises `LoadFailed` if it has errors."""
    before = len(session.outcome.problems)
    if name == STANDARD_INPUT:
        session.run_source(Source("<stdin>", decode(sys.stdin.buffer.read())))
    else:
        session.run_file(name)
    problems = session.outcome.problems[before:]
    errors = [problem for problem in problems if problem.is_error]
    for problem in problems:
        if tell is not None and not problem.is_error:
            tell(problem)
    if errors:
        raise LoadFailed(errors)

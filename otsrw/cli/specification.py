"""What the commands on an OTS have in common: their file, module, invariant and entities."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from otsrw.cli import exits
from otsrw.ots import Instance, Invariant, Ots, entities_of, find_ots
from otsrw.ots.naming import invariant_name
from otsrw.proofs.files import decode
from otsrw.proofs.session import Quit, Session, Settings
from otsrw.report.console import Console
from otsrw.report.documents import refusal_document
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError, ProblemKind
from otsrw.syntax.source import Source, Span


class Refused(Exception):
    """The command cannot go on: its exit code, and the problems, which are printed already."""

    def __init__(self, code: int, problems: Sequence[Diagnostic]) -> None:
        super().__init__(code)
        self.code = code
        self.problems = tuple(problems)

    def end(self, command: str, console: Console) -> int:
        """The last the command does: with --json there is a document even so."""
        if console.json:
            console.document(refusal_document(command, self.problems))
        return self.code


@dataclass(frozen=True, eq=False, slots=True)
class Specification:
    """A loaded file and the OTS in it."""

    path: str
    ots: Ots
    given: tuple[str, ...]
    declarations: tuple[str, ...]
    """The text of the modules and views that were loaded."""
    session: Session

    def instance(self) -> Instance:
        return Instance(self.ots, entities_of(self.ots, self.given))

    def invariant_name(self, wanted: str | None) -> str:
        """The invariant asked for, the one the file names, or the only one there is."""
        return invariant_name(self.ots, wanted)


Body = Callable[[Specification, Console], int]


def on_specification(command: str, options: argparse.Namespace, body: Body) -> int:
    """Load the file and do what the command does with its OTS; whatever is wrong is printed and ends it."""
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    try:
        specification = load(options, console)
        check_findings(specification, console)
        try:
            return body(specification, console)
        except OtsrwError as error:
            raise refuse(error, console, options.file) from None
    except Refused as refused:
        return refused.end(command, console)


def save(name: str, text: str) -> None:
    """Write a file the user asked for."""
    try:
        Path(name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise OtsrwError("E511", f"cannot write {name}: {error.strerror}") from None


def invariant_of(instance: Instance, name: str) -> Invariant:
    return next(i for i in instance.ots.invariants if i.name == name)


def load(options: argparse.Namespace, console: Console) -> Specification:
    """The OTS of the file named on the command line; problems are printed, and errors end the command."""
    session = Session(Settings(max_rewrites=options.max_rewrites, timeout=options.timeout))
    try:
        if options.file == "-":
            session.run_source(Source("<stdin>", decode(sys.stdin.buffer.read()), Path.cwd()))
        else:
            session.run_file(Path(options.file), options.file)
    except Quit:
        pass
    for problem in session.outcome.problems:
        console.problem(problem)
    if session.outcome.errors:
        raise Refused(exits.code_of_all(session.outcome.errors), session.outcome.errors)
    try:
        ots = find_ots(session.library, options.module, filter(None, [getattr(options, "inv", None)]))
    except OtsrwError as error:
        raise refuse(error, console, options.file) from None
    declarations = tuple(span.text for span in session.declarations)
    return Specification(options.file, ots, tuple(options.entities), declarations, session)


def refuse(error: OtsrwError, console: Console, file: str) -> Refused:
    """Print an error; what to raise to end the command."""
    problem = error.at(Span(Source(file, ""), 0, 0)).problem
    console.problem(problem)
    return Refused(exits.code_of(problem), [problem])


def check_findings(specification: Specification, console: Console) -> None:
    """Errors in what was understood of the OTS end the command; what is left out of it is said."""
    problems = [finding for finding in specification.ots.findings if finding.is_error]
    for finding in specification.ots.findings:
        if finding.is_error or finding.kind is ProblemKind.LEFT_OUT:
            console.problem(finding)
    if problems:
        raise Refused(exits.BAD_INPUT, problems)

"""What the commands on a specification have in common: load it, do the work, show the result, end with a code.

A command gives its work as a function from a `CommandFrame` to an `Ending`. Whatever goes wrong in it is an
`OtsrwError`: it is printed here, and its kind decides the exit code. With --json there is a document even then.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import Any

from otsrw.application import Instantiated, Loaded, LoadFailed, Recognised, load_specification
from otsrw.cli import exits
from otsrw.proofs import Settings
from otsrw.records import dataclass
from otsrw.report.console import Console
from otsrw.report.documents import refusal_document
from otsrw.report.progress import ProgressView, progress_view
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError, ProblemKind, TheoryProblem
from otsrw.syntax.source import Source, Span

Document = dict[str, Any]

_PROVING = frozenset(("igf", "lemmas", "check"))
"""Commands whose answers are about all values."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a command ended: its exit code, its document, and what to show if no document is wanted."""

    code: int
    document: Callable[[], Document]
    show: Callable[[], None]


class CommandFrame:
    """What a command has at hand while it works."""

    def __init__(self, command: str, options: argparse.Namespace) -> None:
        self.command = command
        self.options = options
        self.console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
        self._started = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Since the command began."""
        return time.perf_counter() - self._started

    def about(self, file: str, invariant: str | None = None) -> CommandFrame:
        """The frame of the same command for one file, and for one invariant if it is named."""
        given = {**vars(self.options), "file": file}
        if invariant is not None:
            given["inv"] = invariant
        return CommandFrame(self.command, argparse.Namespace(**given))

    def progress(self) -> AbstractContextManager[ProgressView]:
        """A line that says how far the work is; silent unless somebody looks."""
        return progress_view(not self.options.json and not self.options.quiet)

    @property
    def settings(self) -> Settings:
        settings = Settings(max_rewrites=self.options.max_rewrites, timeout=self.options.timeout)
        settings.portable = self.options.portable
        return settings

    def loaded(self) -> Loaded:
        by_value = self.command in _PROVING
        return load_specification(self.options.file, self.settings, self.console.problem, by_value)

    def recognised(self) -> Recognised:
        """The OTS of the file."""
        return self.understood(self.loaded().recognised(self.options.module, getattr(self.options, "inv", None)))

    def understood(self, found: Recognised) -> Recognised:
        """An OTS without errors; errors in what was understood end the command, and what is left out is said."""
        for finding in found.ots.findings:
            if finding.kind is ProblemKind.LEFT_OUT:
                self.console.problem(finding)
        if found.problems:
            raise LoadFailed(found.problems)
        return found

    def instantiated(self) -> Instantiated:
        return self.recognised().instantiated(self.options.entities)


Work = Callable[[CommandFrame], Ending]


def in_frame(
    command: str,
    options: argparse.Namespace,
    work: Work,
    failed: Callable[[CommandFrame], Document] | None = None,
) -> int:
    """Do the work of a command; the exit code. `failed` makes the document if the work fails."""
    frame = CommandFrame(command, options)
    console = frame.console
    try:
        ending = work(frame)
    except OtsrwError as error:
        problems = _placed(error, options.file)
        for problem in problems:
            console.problem(problem)
        if options.json:
            console.document(refusal_document(command, problems) if failed is None else failed(frame))
        return exits.code_of_all(problems)
    if options.json:
        console.document(ending.document())
    else:
        ending.show()
    console.flush()
    return ending.code


def _placed(error: OtsrwError, file: str) -> tuple[Diagnostic, ...]:
    """The problems of an error; one without a place is a problem of the file."""
    return error.at(Span(Source(file, ""), 0, 0)).all_problems()


def save(name: str, text: str) -> None:
    """Write a file the user asked for."""
    try:
        with open(name, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError as error:
        raise TheoryProblem("E307", f"cannot write {name!r}: {error.strerror}") from None


def replay_command(
    options: argparse.Namespace,
    invariant: str,
    depth: int,
    given: Mapping[str, Iterable[str]],
    choices: Iterable[str] = (),
) -> str:
    """The command line that finds the same counterexample again."""
    import shlex

    words = ["otsrw", options.command, options.file, "--inv", invariant, "--depth", str(depth)]
    if options.module:
        words += ["--module", options.module]
    for sort, entities in given.items():
        words += ["--with", f"{sort}={','.join(entities)}"]
    return shlex.join([*words, *choices])

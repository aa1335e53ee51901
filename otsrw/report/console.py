"""What people see: plain text when piped, colour on a terminal; problems on standard error, the verdict last."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import StringIO
from typing import IO, TYPE_CHECKING, Any

from otsrw.proofs.answers import CommandResult
from otsrw.proofs.events import ProofReached
from otsrw.proofs.results import Outcome
from otsrw.report.plain_table import PlainTable
from otsrw.syntax.diagnostics import Diagnostic, ProblemKind

if TYPE_CHECKING:
    from rich.console import Console as RichConsole

_RESET = "\x1b[0m"
_STYLES = {"red": "\x1b[31m", "green": "\x1b[32m", "yellow": "\x1b[33m", "dim": "\x1b[2m", "bold": "\x1b[1m"}
MAX_LISTED = 20
BUFFERED_LINES = 500
WIDTH = 120
"""Columns of a table in a file or a pipe."""


def print_richly(stream: IO[str], width: int, work: Callable[[RichConsole], None], highlight: bool = True) -> None:
    """Print with a console of rich; in a file or a pipe it has a width, and no line ends with blanks."""
    from rich.console import Console as RichConsole

    no_color = bool(os.environ.get("NO_COLOR"))
    if bool(getattr(stream, "isatty", lambda: False)()):
        work(RichConsole(file=stream, no_color=no_color, highlight=highlight))
        return
    written = StringIO()
    work(RichConsole(file=written, no_color=no_color, highlight=highlight, width=width))
    stream.writelines(f"{line.rstrip(' ')}\n" for line in written.getvalue().split("\n")[:-1])


class Console:
    """Prints lines, problems and verdicts according to the options every command has."""

    def __init__(self, json: bool = False, quiet: bool = False, verbose: bool = False) -> None:
        self.json = json
        self.quiet = quiet
        self.verbose = verbose
        self._human = sys.stderr if json else sys.stdout
        self._on_terminal = self._human.isatty()
        self._coloured = _wants_colour(self._human)
        self.tells = not (quiet or json)
        """Is what is said while the command runs printed at all?"""
        self._waiting: list[str] = []
        self.problems: list[Diagnostic] = []
        """All that were reported, shown or not."""

    def line(self, text: str, style: str | None = None) -> None:
        """Something the run has to say while it runs; without a style it is plain."""
        if not self.tells:
            return
        self._waiting.append(_in_style(text, style) if style is not None and self._coloured else text)
        if self._on_terminal or len(self._waiting) >= BUFFERED_LINES:
            self.flush()

    def problem(self, problem: Diagnostic) -> None:
        """Something wrong or odd: told after all that was said before it."""
        self.problems.append(problem)
        hidden = self.quiet or (problem.kind is ProblemKind.NOTE and not self.verbose)
        if problem.is_error or not hidden:
            self.flush()
            print(_first_line_styled(problem, "red" if problem.is_error else "yellow"), file=sys.stderr)

    def document(self, document: dict[str, Any]) -> None:
        import json as json_module

        print(json_module.dumps(document, indent=1, ensure_ascii=False))

    def show(self, renderable: Any) -> None:
        """A table or a tree."""
        if self.quiet:
            return
        self.flush()
        print_richly(self._human, WIDTH, lambda console: console.print(renderable))

    def show_table(self, plain: PlainTable, rich: Callable[[], Any]) -> None:
        """A table: the plain one in a file or a pipe if it fits, else what rich makes of it."""
        lines = None if self._on_terminal or os.environ.get("FORCE_COLOR") else plain.lines(WIDTH)
        if lines is None:
            self.show(rich())
        elif not self.quiet:
            self.flush()
            self._human.writelines(f"{line}\n" for line in lines)

    def verdict(self, text: str, style: str) -> None:
        """The last line."""
        self.flush()
        print(_styled(text, style, self._human), file=self._human)

    def complain(self, text: str) -> None:
        """Something wrong outside any file."""
        self.flush()
        print(_styled(f"otsrw: {text}", "red", sys.stderr), file=sys.stderr)

    def run_verdict(self, outcome: Outcome, seconds: float, expected: str | None) -> None:
        self.flush()
        reductions = outcome.reductions()
        unexpected = outcome.unexpected(expected) if expected is not None else []
        for command in unexpected[:MAX_LISTED]:
            print(_styled(_unexpected_line(command), "yellow", self._human), file=self._human)
        if len(unexpected) > MAX_LISTED:
            print(f"... and {len(unexpected) - MAX_LISTED} more", file=self._human)
        for proof in outcome.open_proofs:
            print(_styled(_open_line(proof), "yellow", self._human), file=self._human)
        rewrites = sum(c.rewrites for c in reductions)
        total = f"{_plural(len(reductions), 'reduction')}, {_plural(rewrites, 'rewrite')}, {seconds:.2f} s"
        if outcome.proofs:
            total = f"{_complete(outcome)}, {total}"
        if outcome.errors:
            verdict, style = f"{_plural(len(outcome.errors), 'error')}; {total}", "red"
        elif unexpected:
            verdict, style = (
                f"{len(unexpected)} of {len(reductions)} reductions did not give {expected}; {total}",
                "red",
            )
        elif expected is not None and outcome.open_proofs:
            verdict, style = f"goals are open; {total}", "red"
        elif not reductions and not outcome.proofs:
            verdict, style = f"ran clean, no reductions; {seconds:.2f} s", "green"
        elif expected is not None and reductions:
            verdict, style = f"all reductions gave {expected}; {total}", "green"
        else:
            verdict, style = f"ran clean; {total}", "green"
        self.verdict(verdict, style)

    def flush(self) -> None:
        """Write what was said so far: a run may have a lot to say, one system call a line would be slow."""
        if self._waiting:
            self._human.write("\n".join(self._waiting) + "\n")
            self._waiting.clear()
        self._human.flush()


def _open_line(proof: ProofReached) -> str:
    shown = ", ".join(proof.open_goals[:MAX_LISTED]) + (" ..." if len(proof.open_goals) > MAX_LISTED else "")
    goals = "goal" if len(proof.open_goals) == 1 else "goals"
    return f"{proof.span.source.name}:{proof.span.line}: open {goals} {shown}"


def _complete(outcome: Outcome) -> str:
    proofs, left = outcome.proofs, len(outcome.open_proofs)
    if left:
        return f"{left} of {_plural(len(proofs), 'proof')} open"
    granted = sum(bool(proof.assumed) for proof in proofs)
    resting = f" ({granted} with something taken for granted)" if granted else ""
    return f"{_plural(len(proofs), 'proof')} complete{resting}"


def _unexpected_line(command: CommandResult) -> str:
    result = command.result if command.result is not None else "no result"
    if len(result) > 300:
        result = result[:300] + " ..."
    return f"{command.span.source.name}:{command.span.line}: {command.kind} gave {result}"


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _first_line_styled(problem: Diagnostic, style: str) -> str:
    first, newline, rest = problem.render().partition("\n")
    return _styled(first, style, sys.stderr) + newline + rest


def _styled(text: str, style: str, stream: Any) -> str:
    return _in_style(text, style) if _wants_colour(stream) else text


def _wants_colour(stream: Any) -> bool:
    """A terminal is coloured unless NO_COLOR is set, and anything else if FORCE_COLOR is set and NO_COLOR is not."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or bool(stream.isatty())


def _in_style(text: str, style: str) -> str:
    return f"{_STYLES[style]}{text}{_RESET}"

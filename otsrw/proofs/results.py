"""What running a file gives: frozen records that text, colour and JSON are made from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from otsrw.display import Displayed
from otsrw.rewriting.search import SearchNote
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.syntax.source import Span
from otsrw.theory.terms import Term


class CommandResult(NamedTuple):
    """One reduction: what was asked, in which module, and the answer. `result` is None if it failed."""

    kind: str  # 'red', 'exec', 'bred', 'parse'
    module: str
    term: str
    result: str | None
    sort: str | None
    rewrites: int
    seconds: float
    span: Span
    shown_term: str = ""
    shown_result: str = ""
    notes: tuple[str, ...] = ()
    normal_form: Term | None = None


class Outcome(Displayed):
    """Everything a run produced so far."""

    def __init__(self, commands: Iterable[CommandResult] = (), problems: Iterable[Diagnostic] = ()) -> None:
        self.commands = list(commands)
        self.problems = list(problems)

    @property
    def errors(self) -> list[Diagnostic]:
        return [p for p in self.problems if p.is_error]

    @property
    def warnings(self) -> list[Diagnostic]:
        return [p for p in self.problems if not p.is_error]

    def reductions(self) -> list[CommandResult]:
        return [c for c in self.commands if c.kind != "parse"]

    def unexpected(self, expected: str) -> list[CommandResult]:
        """Reductions whose result is not the expected one."""
        return [c for c in self.reductions() if c.result != expected]


__all__ = ["CommandResult", "Outcome", "SearchNote"]

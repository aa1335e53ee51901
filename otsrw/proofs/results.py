"""What running a file gives: the answers and the problems, in order."""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.display import Displayed
from otsrw.proofs.answers import CommandResult, TermCommandKind
from otsrw.proofs.events import Answered, ProblemFound, ProofReached, SessionEvent
from otsrw.syntax.diagnostics import Diagnostic


class Outcome(Displayed):
    """Everything a run produced so far: a listener that keeps answers and problems."""

    def __init__(self, commands: Iterable[CommandResult] = (), problems: Iterable[Diagnostic] = ()) -> None:
        self.commands = list(commands)
        self.problems = list(problems)
        self._proofs: dict[int, ProofReached] = {}

    def hear(self, event: SessionEvent) -> None:
        """Keep what an event brings."""
        if isinstance(event, Answered):
            self.commands.append(event.answer)
        elif isinstance(event, ProblemFound):
            self.problems.append(event.problem)
        elif isinstance(event, ProofReached):
            self._proofs[event.number] = event

    @property
    def errors(self) -> list[Diagnostic]:
        return [p for p in self.problems if p.is_error]

    @property
    def warnings(self) -> list[Diagnostic]:
        return [p for p in self.problems if not p.is_error]

    @property
    def proofs(self) -> list[ProofReached]:
        """The proofs by tactics, in order."""
        return list(self._proofs.values())

    @property
    def open_proofs(self) -> list[ProofReached]:
        """Those with goals that are left."""
        return [proof for proof in self.proofs if proof.open_goals]

    def reductions(self) -> list[CommandResult]:
        return [c for c in self.commands if c.command is not TermCommandKind.PARSE]

    def unexpected(self, expected: str) -> list[CommandResult]:
        """Reductions whose result is not the expected one."""
        return [c for c in self.reductions() if c.result != expected]

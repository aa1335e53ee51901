"""Facts that a proof score uses without proving them by reductions: those of linear arithmetic, in words."""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.workbench import Equation, Why
from otsrw.theory.printing import show, show_plainly
from otsrw.theory.terms import Term


class FactSheet:
    """The facts of the passages written so far, with the first passage that uses each."""

    def __init__(self, connectives: Connectives) -> None:
        self._connectives = connectives
        self._first_use: dict[str, int] = {}

    def lines(self, equations: Iterable[Equation], passage: int) -> list[str]:
        """The equations of a passage, with a comment before each fact of arithmetic."""
        lines: list[str] = []
        for equation in equations:
            if equation.why is Why.ARITHMETIC:
                text = self._sentence(equation)
                self._first_use.setdefault(text, passage)
                lines.append(f"  -- arithmetic: {text}")
            shown = show_plainly if equation.left.ground else show
            lines.append(f"  eq {shown(equation.left)} = {shown(equation.right)} .")
        return lines

    def header(self) -> list[str]:
        """What all passages use, as comments."""
        if not self._first_use:
            return []
        title = "-- facts about numbers, decided by linear arithmetic, and the first passage that uses each:"
        return [title, *(f"--   {number}: {text}" for text, number in self._first_use.items())]

    def _sentence(self, fact: Equation) -> str:
        claim = self._literal(fact.left, fact.right)
        if not fact.because:
            return claim
        reasons = " and ".join(self._literal(each.left, each.right) for each in fact.because)
        return f"{reasons} implies {claim}"

    def _literal(self, left: Term, right: Term) -> str:
        if right is self._connectives.true:
            return show_plainly(left)
        if right is self._connectives.false:
            return f"not {show_plainly(left)}"
        return f"({show_plainly(left)} = {show_plainly(right)})"

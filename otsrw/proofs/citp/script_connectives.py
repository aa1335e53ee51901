"""Connectives that scripts declare for themselves: CafeOBJ would make sums of products of those that it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from otsrw.theory.terms import Term


class ScriptConnective(Enum):
    """The words of the connectives."""

    IMPLICATION = "==>>"
    DISJUNCTION = "or>>"

    @property
    def symbol(self) -> str:
        """The name of the operator."""
        return f"_{self.value}_"

    def joined(self, parts: Iterable[str]) -> str:
        """The text of the operator between formulas."""
        return f" {self.value} ".join(parts)

    def lines(self) -> Iterator[str]:
        """The declaration and the equations."""
        word = self.value
        yield f"  op {self.symbol} : Bool Bool -> Bool {{ r-assoc prec: 90 }}"
        if self is ScriptConnective.IMPLICATION:
            yield f"  eq (true {word} C:Bool) = C .  eq (false {word} C:Bool) = true ."
            yield f"  eq (C:Bool {word} true) = true .  eq (C:Bool {word} C) = true ."
        else:
            yield f"  eq (true {word} C:Bool) = true .  eq (false {word} C:Bool) = C ."
            yield f"  eq (C:Bool {word} true) = true .  eq (C:Bool {word} false) = C ."


def premises_of(term: Term) -> tuple[tuple[Term, ...], Term]:
    """The premises of a chain of implications of scripts, and the claim at its end; no premises if it is none."""
    premises: list[Term] = []
    while term.op.name == ScriptConnective.IMPLICATION.symbol:
        premise, term = term.args
        premises.append(premise)
    return tuple(premises), term

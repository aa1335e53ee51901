"""Which arguments of observers and transitions mean the same kind of thing.

In `got(S, N, M)` the second index may be a voter and the first one a candidate, though both are nodes. The equations
tell: two places are of one role if a variable of an equation stands at both, or is compared with one that does.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.theory.builtins import EQUALITIES
from otsrw.theory.modules import Axiom
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, distinct_subterms

ArgumentPlace = tuple[Symbol, int]
"""An operator, and which of its arguments."""


class Roles:
    """The places of operators on states, by role."""

    def __init__(self, axioms: Iterable[Axiom], state_sort: Sort) -> None:
        self._parent: dict[object, object] = {}
        for number, axiom in enumerate(axioms):
            sides = [side for side in (axiom.lhs, axiom.rhs, axiom.condition) if side is not None]
            for part in (part for side in sides for part in distinct_subterms(side)):
                self._learn(number, part, state_sort)

    def of(self, place: ArgumentPlace) -> object:
        """What all places of one role have in common."""
        return self._root(place)

    def _learn(self, number: int, term: Term, state_sort: Sort) -> None:
        """Join what a term of an equation says to be of one role; variables belong to their equation."""
        variables = [(place, argument) for place, argument in enumerate(term.args) if argument.op.variable]
        if term.op.native in EQUALITIES and len(variables) == 2:
            self._join((number, term.args[0]), (number, term.args[1]))
        elif any(argument.sort is state_sort for argument in term.args):
            for place, argument in variables:
                self._join((term.op, place), (number, argument))

    def _join(self, one: object, other: object) -> None:
        self._parent[self._root(one)] = self._root(other)

    def _root(self, each: object) -> object:
        while (above := self._parent.get(each, each)) != each:
            each = above
        return each

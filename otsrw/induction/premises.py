"""Premises for a case: instances of known predicates at the state before the transition.

By simultaneous induction every predicate of a proof may be used in every case, at the same state and for all values of
its parameters. The instances that help are those that the case nearly refutes: all literals of one of its clauses hold
but for a few that are undecided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeGuard

from otsrw.induction.cases import InductionCase, Predicate
from otsrw.induction.clauses import InstanceFinder
from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.instances import SpokenTerms
from otsrw.reasoning.splitting import Premise
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Term, subterms, variables_of

if TYPE_CHECKING:
    from otsrw.ots.stepping import Bindings

MAX_UNDECIDED = 3
MAX_PREMISES = 14
"""Premises that are looked at on the way to one leaf."""


class KnownPredicates:
    """Instances of predicates in one induction case."""

    def __init__(self, case: InductionCase, predicates: Iterable[Predicate], state: Term) -> None:
        listed = tuple(predicates)
        self.case = case
        self.clauses = [(predicate, clause) for predicate in listed for clause in predicate.clauses]
        self.about_data = [each for each in listed if state not in variables_of(each.formula)]
        """The predicates that speak of no state."""
        self.state = state
        """The variable for the state in the predicates."""
        self._largest: int | None = None

    def premise(self, assumptions: Assumptions, used: tuple[Premise, ...]) -> Premise | None:
        """The instance that leaves least undecided; a false one first."""
        return None if len(used) >= MAX_PREMISES else self._found(assumptions, used, MAX_UNDECIDED)

    def refuted(self, assumptions: Assumptions) -> Premise | None:
        """An instance that is false under the assumptions."""
        return self._found(assumptions, (), 0)

    def _found(self, assumptions: Assumptions, used: tuple[Premise, ...], most: int) -> Premise | None:
        finder = InstanceFinder(assumptions, self.case.state, (*self.case.values, *self.case.arguments))
        if self._largest is None:
            # Values larger than any term of the case itself only lead to larger ones.
            self._largest = max(map(_size, _spoken_terms(finder)), default=1)
        taken = {(premise.name, premise.values) for premise in used}
        for predicate, bindings in self._candidates(finder, most):
            values = tuple(bindings.get(p) or finder.any_value(p) for p in predicate.parameters)
            if (predicate.name, values) not in taken and self._is_small(values):
                premise = self._instance(predicate, values)
                if assumptions.reduce(premise.formula) is not assumptions.bench.connectives.true:
                    return premise
        return None

    def _candidates(self, finder: InstanceFinder, most: int) -> Iterator[tuple[Predicate, Bindings]]:
        """Instances that leave at most so many literals undecided, those that leave least first.

        A law about data that says what it is about is left out where the case does not speak of that.
        """
        spoken = SpokenTerms(finder.assumptions)
        for undecided in range(most + 1):
            for predicate, clause in self.clauses:
                for bindings in finder.instances(clause, undecided):
                    if not predicate.about or spoken.has(predicate.about, bindings):
                        yield predicate, bindings

    def _instance(self, predicate: Predicate, values: tuple[Term, ...]) -> Premise:
        images = {self.state: self.case.state, **dict(zip(predicate.parameters, values, strict=True))}
        return Premise(predicate.name, values, substitute(predicate.formula, images))

    def _is_small(self, values: tuple[Term | None, ...]) -> TypeGuard[tuple[Term, ...]]:
        assert self._largest is not None
        return all(value is not None and _size(value) <= self._largest for value in values)


def _spoken_terms(finder: InstanceFinder) -> Iterator[Term]:
    """What the case says something about, and values of it: `nr(s)` counts even if it is known to be 0."""
    boolean = finder.connectives.true.sort
    for equation in finder.assumptions.equations:
        sides = (part for side in (equation.left, equation.right) for part in subterms(side))
        yield from (part for part in sides if part.ground and part.sort is not boolean)
    for terms in finder.candidates.values():
        yield from terms


def _size(term: Term) -> int:
    return sum(1 for _ in subterms(term))

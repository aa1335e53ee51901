"""How far a lemma is from being violated: which of its literals have to become true in the best kept state.

A literal counts as many steps as it takes at least to make it true (see relaxation.py). That a fresh value, such as the
next random number, is part of another observed value may never become true; it counts as far away.
"""

from __future__ import annotations

from itertools import combinations

from otsrw.induction.clauses import Clause
from otsrw.induction.conjunctions import CannotTell, Conjunctions
from otsrw.induction.relaxation import UNSEEN, RelaxedCosts, fresh_observers
from otsrw.reasoning.connectives import Literal
from otsrw.theory.terms import Term, subterms, variables_of

MAX_MISSING = 3
"""Literals that may be missing; if more are, all of them are counted."""


class Closeness:
    """Measures lemmas in the states of an instance."""

    def __init__(self, conjunctions: Conjunctions) -> None:
        self._conjunctions = conjunctions
        self._instance = conjunctions.instance
        self._costs = RelaxedCosts(self._instance, conjunctions.states)
        self._fresh = fresh_observers(self._instance, conjunctions.states)

    def distance(self, clause: Clause) -> int:
        """How many steps a violation is away, as far as that can be guessed; 0 if there is one in the states."""
        literals = [self._conjunctions.translated(literal) for literal in clause.literals]
        fresh = [literal for literal in literals if self._is_about_fresh(literal)]
        rest = [literal for literal in literals if literal not in fresh]
        return UNSEEN * len(fresh) + self._missing(rest)

    def _missing(self, literals: list[Literal]) -> int:
        """The least cost of literals without which the others hold together."""
        cost = {literal: self._costs.cost(literal) for literal in literals}
        choices = [
            (sum(cost[literal] for literal in missing), missing)
            for size in range(min(MAX_MISSING, len(literals)) + 1)
            for missing in combinations(literals, size)
        ]
        for total, missing in sorted(choices, key=lambda choice: choice[0]):
            if self._hold([literal for literal in literals if literal not in missing]):
                return total
        return sum(cost.values())

    def _is_about_fresh(self, literal: Literal) -> bool:
        """Does the literal say that a fresh value is part of something observed?"""
        if not literal.positive or len(literal.atom.args) != 2 or not self._fresh:
            return False
        observed = [arg for arg in literal.atom.args if self._instance.ots.observer(arg.op) is not None]
        others = [arg for arg in literal.atom.args if arg not in observed]
        return bool(observed) and any(part.op in self._fresh for other in others for part in subterms(other))

    def _hold(self, literals: list[Literal]) -> bool:
        """Do the literals hold together? Negative ones about values that no other literal gives are left out."""
        given = {v for literal in literals if literal.positive for v in variables_of(literal.atom)}
        kept = [literal for literal in literals if literal.positive or self._is_bound(literal.atom, given)]
        try:
            return self._conjunctions.together(kept) is not None
        except CannotTell:
            return False

    def _is_bound(self, atom: Term, given: set[Term]) -> bool:
        free = [v for v in variables_of(atom) if v is not self._instance.ots.state and v not in given]
        return all(self._instance.domain(v.sort) is not None for v in free)

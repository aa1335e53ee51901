"""What reachable states of small instances say about a clause: that it is false, or that nothing speaks against it.

The states are those of instances with three and with four entities of each loose sort: all of them if there are not too
many, else the first ones and some on random walks. Their number is the budget, so every machine has the same ones.

Where entities are interchangeable, one state stands for all that differ by a renaming, so as many states go deeper.
A clause says the same of all of them. It is written in the words of the specification, which has no name for an entity
that was added for the instance; renamings are those of added entities only. Such a renaming r takes equations of the
instance to equations of it (ots/symmetry.py), so what rewrites to true in a state with values v of the variables
rewrites to true in the renamed state with the values r(v), and the other way round. All entities are tried as values.
So if a state violates the clause for some values, every renamed one does for others.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from otsrw.induction.clauses import Clause
from otsrw.induction.columns import first_of
from otsrw.induction.conjunctions import CannotTell, Conjunctions
from otsrw.induction.effort import Effort
from otsrw.ots.instance import Instance, RestartedInstance, enlarged, is_open
from otsrw.ots.interpretation import interpreted
from otsrw.ots.lawful import LawBroken
from otsrw.ots.model import Ots
from otsrw.ots.stepping import Bindings, Values
from otsrw.ots.symmetry import Symmetry, symmetry_of
from otsrw.records import NamedTuple
from otsrw.rewriting.budget import Budget
from otsrw.search.space import Limits, OutOfLimits, StateSpace
from otsrw.soundness import has_one_meaning
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError
from otsrw.theory.terms import Term

SAMPLE = 4000
"""States of each instance."""

SIZES = (3, 4)
"""Entities of each loose sort, at least."""


INTERPRETATIONS = 3
"""Choices of values for functions that the specification leaves open; they share the states of an instance."""


class RefutingState(NamedTuple):
    """A state that violates a clause, and the values for which it does."""

    instance: Instance
    state: Values
    bindings: Bindings


class Evidence:
    """Reachable states of instances with several numbers of entities, and states that refuted guesses."""

    def __init__(
        self, ots: Ots, space: StateSpace, deadline: float | None = None, effort: Effort | None = None
    ) -> None:
        self.ots = ots
        self._space = space
        self._budget = Budget(deadline=deadline)
        self._effort = effort or Effort()
        self._refuting: list[Values] = []
        self._remembered: list[Conjunctions] = []
        self._supposed: Sequence[Conjunctions] = ()

    def remember(self, states: Sequence[Values]) -> None:
        """Reachable states, perhaps of an instance with the same entities, in which guesses were false."""
        if len(states) != len(self._refuting):
            self._refuting = list(states)
            instance = self._space.instance
            memo: dict[Term, Term] = {}
            own = [tuple(instance.module.signature.translate(value, memo) for value in values) for values in states]
            self._remembered = [Conjunctions(instance, own, self._budget, self._effort)]

    def suppose(self, states: Sequence[Conjunctions]) -> None:
        """Let states speak against clauses that need not be reachable: no lemma that is looked for excludes them."""
        self._supposed = states

    def from_states(self, instance: Instance, states: Sequence[Values], most: int) -> Conjunctions:
        """States of an instance, and what steps lead to from there: about as many as `most` in all."""
        other = RestartedInstance(instance, states)
        return Conjunctions(other, self._space.of(other).sample(most, self._limits).states, self._budget, self._effort)

    @cached_property
    def sampled(self) -> list[Conjunctions]:
        """Samples of growing instances; one that cannot be explored is left out."""
        choices = [enlarged(self.ots, self._space.instance.given, size) for size in SIZES]
        found = []
        for instance in self._small_instances([each for n, each in enumerate(choices) if each not in choices[:n]]):
            states = self._states(instance)
            if states:
                found.append(Conjunctions(instance, states, self._budget, self._effort))
        return found

    def _small_instances(self, choices: list[dict[str, tuple[str, ...]]]) -> Iterator[Instance]:
        """Instances with these entities; where functions are left open, several that give them values."""
        until = self._space.instance.deadline
        for entities in choices:
            chosen = [interpreted(self.ots, entities, seed, deadline=until) for seed in range(INTERPRETATIONS)]
            try:
                found = [each for each in chosen if each is not None]
                yield from found or [Instance(self.ots, entities, deadline=until)]
            except LawBroken:
                continue

    def _states(self, instance: Instance) -> list[Values]:
        try:
            share = SAMPLE // INTERPRETATIONS if instance.meanings else SAMPLE
            symmetry = added_symmetry(instance)
            return self._space.of(instance).sample(share, self._limits, symmetry=symmetry).states
        except OutOfLimits:
            self._budget.check_time()
        except BudgetExceeded:
            raise
        except OtsrwError:
            pass
        return []

    @property
    def _limits(self) -> Limits:
        deadline = self._budget.deadline
        return Limits() if deadline is None else Limits(max(0.1, deadline - time.monotonic()))

    def look(self) -> None:
        """Count a set of literals that is asked about."""
        self._effort.look()

    # --- literals that hold together

    @property
    def instances(self) -> list[Conjunctions]:
        """Where literals are looked for: what refuted guesses comes first, then smaller instances."""
        return [*self._remembered, *self.sampled, *self._supposed]

    @property
    def computed(self) -> int:
        """Values of terms that were computed so far."""
        return sum(each.computed for each in self.instances)

    def can_tell(self, variables: Iterable[Term]) -> bool:
        """Has some instance entities enough for all variables to be different? Otherwise the states say little."""
        listed = list(variables)
        return any(each.has_room(listed) for each in self.sampled)

    def is_entity(self, variable: Term) -> bool:
        """Does the variable stand for an element of a loose or a finite sort, not for one of infinitely many?"""
        instance = self._space.instance
        if instance.domain(variable.sort) is None:
            return False
        return variable.sort.name not in instance.given or is_open(self.ots.module, variable.sort)

    def holds(self, clause: Clause) -> bool:
        """Is there no state in which all literals hold together? False as well if that cannot be told."""
        try:
            return self.can_tell(clause.parameters) and self.violation(clause) is None
        except CannotTell:
            return False

    def violation(self, clause: Clause) -> RefutingState | None:
        """A state, with values, in which all literals hold; None if there is none. May raise `CannotTell`."""
        for conjunctions in self.instances:
            found = conjunctions.together(clause.literals)
            if found is not None:
                bindings, states = found
                return RefutingState(conjunctions.instance, conjunctions.states[first_of(states)], bindings)
        return None


def added_symmetry(instance: Instance) -> Symmetry | None:
    """The interchangeable entities that the specification does not name; None if there are not two of a sort.

    None as well if functions were given values by chance, of which a clause may speak, or if it is not proved that
    values do not depend on the order of equations.
    """
    if instance.meanings or not has_one_meaning(instance.base):
        return None
    found = symmetry_of(instance, instance.ots.invariants)
    named = {symbol.name for symbol in instance.base.module.signature.symbols() if not symbol.nargs}
    groups = [tuple(entity for entity in group if entity.op.name not in named) for group in found.groups]
    kept = tuple(group for group in groups if len(group) > 1)
    return Symmetry(instance, kept, found.apart) if kept else None

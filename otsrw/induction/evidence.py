"""What reachable states of small instances say about a clause: that it is false, or that nothing speaks against it.

The states are those of instances with three and with four entities of each loose sort: all of them if there are not too
many, else the first ones and some on random walks. Their number is the budget, so every machine has the same ones.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from otsrw.induction.bulk import BulkSolver, Row, TooManyGroups
from otsrw.induction.clauses import Clause
from otsrw.induction.columns import Columns, first_of
from otsrw.ots.binding import Plan, Test
from otsrw.ots.formulas import unfold
from otsrw.ots.instance import Instance, enlarged
from otsrw.ots.model import Ots
from otsrw.ots.stepping import Bindings, Values
from otsrw.reasoning.connectives import Literal
from otsrw.rewriting.budget import Budget
from otsrw.search.space import Limits, OutOfLimits, StateSpace
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError
from otsrw.theory.terms import Term, variables_of

SAMPLE = 4000
"""States of each instance."""

SIZES = (3, 4)
"""Entities of each loose sort, at least."""

MAX_TRIED = 5_000
"""Values of variables that are tried for one set of literals."""


class Situation(NamedTuple):
    """A state that violates a clause, and the values for which it does."""

    instance: Instance
    state: Values
    bindings: Bindings


class CannotTell(Exception):
    """A literal cannot be evaluated, or too many values would have to be tried."""


class Conjunctions:
    """Looks for a state of an instance, and for values, such that several literals hold together."""

    def __init__(self, instance: Instance, states: Sequence[Values], budget: Budget) -> None:
        self.instance = instance
        self.states = states
        self._solver = BulkSolver(Columns(instance, states), budget)
        self._moved: dict[Literal, Literal] = {}
        self._plans: dict[tuple[Literal, frozenset[Term]], Plan] = {}
        self._memo: dict[Term, Term] = {}
        self._tried = 0

    def has_room(self, variables: Iterable[Term]) -> bool:
        """Are there entities enough for all variables to be different? Otherwise the states say little."""
        counts = Counter(variable.sort for variable in variables)
        domains = {sort: self.instance.domain(sort) for sort in counts}
        return all(domain is None or counts[sort] <= len(domain) for sort, domain in domains.items())

    def together(self, literals: Iterable[Literal]) -> Row | None:
        """Values and states for which the literals hold; None if there are none. May raise `CannotTell`."""
        self._tried = 0
        self._solver.undefined = 0
        try:
            found = next(self._rows(tuple(map(self._translated, literals)), ({}, self._solver.columns.all)), None)
        except BudgetExceeded:
            raise
        except (OtsrwError, TooManyGroups):
            raise CannotTell from None
        if found is None and self._solver.undefined:
            raise CannotTell
        return found

    def holding(self, literals: Sequence[Literal], row: Row) -> int:
        """Which of the literals hold in the first state of a row, for its values or more of them; a bit for each.

        Some that hold may be missing.
        """
        bound, states = row[0], 1 << first_of(row[1])
        found = 0
        for place, literal in enumerate(map(self._translated, literals)):
            plan = self._plan(literal, frozenset(bound))
            if plan.unbound:
                continue
            try:
                more = next(self._solver.solutions(plan.steps, bound, states), None)
            except (OtsrwError, TooManyGroups):
                continue
            if more is not None:
                bound = more[0]
                found |= 1 << place
        return found

    def _rows(self, literals: tuple[Literal, ...], row: Row) -> Iterator[Row]:
        if not literals:
            yield row
            return
        known = frozenset(row[0])
        plans = [(literal, self._plan(literal, known)) for literal in literals]
        ready = [(literal, plan) for literal, plan in plans if not plan.unbound]
        if not ready:
            raise CannotTell
        chosen, plan = min(ready, key=lambda each: _steps_that_try(each[1]))
        rest = tuple(literal for literal in literals if literal is not chosen)
        for wider in self._solver.solutions(plan.steps, *row):
            self._tried += 1
            if self._tried > MAX_TRIED:
                raise CannotTell
            yield from self._rows(rest, wider)

    def _translated(self, literal: Literal) -> Literal:
        moved = self._moved.get(literal)
        if moved is None:
            translated = self.instance.module.signature.translate(literal.atom, self._memo)
            moved = self._moved[literal] = Literal(unfold(translated, self.instance.ots), literal.positive)
        return moved

    def _plan(self, literal: Literal, bound: frozenset[Term]) -> Plan:
        variables = [v for v in variables_of(literal.atom) if v is not self.instance.ots.state]
        known = bound.intersection(variables)
        plan = self._plans.get((literal, known))
        if plan is None:
            plan = self._plans[literal, known] = self._solver.columns.theory.plan(
                (literal,), variables, variables, known
            )
        return plan


def _steps_that_try(plan: Plan) -> int:
    """How many of its steps try several values."""
    return sum(not isinstance(step, Test) for step in plan.steps)


class Evidence:
    """Reachable states of instances with several numbers of entities, and states that refuted guesses."""

    def __init__(self, ots: Ots, space: StateSpace, deadline: float | None = None) -> None:
        self.ots = ots
        self._space = space
        self._budget = Budget(deadline=deadline)
        self._refuting: list[Values] = []
        self._remembered: list[Conjunctions] = []

    def remember(self, states: Sequence[Values]) -> None:
        """Reachable states, perhaps of an instance with the same entities, in which guesses were false."""
        if len(states) != len(self._refuting):
            self._refuting = list(states)
            instance = self._space.instance
            memo: dict[Term, Term] = {}
            own = [tuple(instance.module.signature.translate(value, memo) for value in values) for values in states]
            self._remembered = [Conjunctions(instance, own, self._budget)]

    @cached_property
    def _sampled(self) -> list[Conjunctions]:
        """Samples of growing instances; one that cannot be explored is left out."""
        choices = [enlarged(self.ots, self._space.instance.given, size) for size in SIZES]
        found = []
        for entities in [choice for n, choice in enumerate(choices) if choice not in choices[:n]]:
            instance = Instance(self.ots, entities)
            states = self._states(instance)
            if states:
                found.append(Conjunctions(instance, states, self._budget))
        return found

    def _states(self, instance: Instance) -> list[Values]:
        try:
            return self._space.of(instance).sample(SAMPLE, self._limits).states
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

    # --- literals that hold together

    @property
    def instances(self) -> list[Conjunctions]:
        """Where literals are looked for: what refuted guesses comes first, then smaller instances."""
        return [*self._remembered, *self._sampled]

    def can_tell(self, variables: Iterable[Term]) -> bool:
        """Has some instance entities enough for all variables to be different? Otherwise the states say little."""
        listed = list(variables)
        return any(each.has_room(listed) for each in self._sampled)

    def holds(self, clause: Clause) -> bool:
        """Is there no state in which all literals hold together? False as well if that cannot be told."""
        try:
            return self.can_tell(clause.parameters) and self.violation(clause) is None
        except CannotTell:
            return False

    def violation(self, clause: Clause) -> Situation | None:
        """A state, with values, in which all literals hold; None if there is none. May raise `CannotTell`."""
        for conjunctions in self.instances:
            found = conjunctions.together(clause.literals)
            if found is not None:
                bindings, states = found
                return Situation(conjunctions.instance, conjunctions.states[first_of(states)], bindings)
        return None

"""Reachable states of an instance, explored once and asked many questions.

Maude explores R<=n; the states are kept as observed values. A predicate is checked by a plan for its violations (see
ots/binding.py) that is solved in all states at once (bulk.py), or where that does not pay in one after the other, with
observations looked up instead of rewritten.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cached_property

from otsrw.induction.bulk import TooManyGroups
from otsrw.induction.cases import Predicate
from otsrw.induction.conjunctions import Conjunctions
from otsrw.ots.binding import Plan
from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant, StateOperator
from otsrw.ots.stepping import Bindings, Stepper, Values, violation_plans
from otsrw.records import dataclass
from otsrw.rewriting.budget import Budget
from otsrw.search.results import KeptState
from otsrw.search.space import Limits, SearchListener, StateSpace
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.terms import PLAIN, OpDecl, Symbol, Term


class Lookup(Stepper):
    """Solves plans in states given by their values alone."""

    def __init__(self, instance: Instance, deadline: float | None = None) -> None:
        super().__init__(instance)
        self._place = {key: index for index, key in enumerate(instance.slot_of)}
        self.current: Values = ()
        self.budget = Budget(deadline=deadline)
        self._memo: dict[Term, Term] = {}

    def solutions_in(self, plan: Plan, values: Values) -> Iterator[Bindings]:
        self.current = values
        return self._solve(plan.steps, {})

    def _doubt(self, stuck: Term) -> None:
        """A predicate is not violated where it has no truth value."""

    def _value(self, term: Term, bound: Bindings) -> Term:
        return self.instance.normal_form(self._observed(term, bound))

    def _observed(self, term: Term, bound: Bindings) -> Term:
        if term.ground:
            return term
        if term.op.variable:
            return bound.get(term, term)
        observer = self.ots.observer(term.op)
        if observer is not None and observer.state_of(term) is self.ots.state:
            indexes = tuple(self._value(index, bound) for index in observer.indexes_of(term))
            place = self._place.get((observer.symbol, *indexes))
            if place is not None:
                return self.current[place]
        return term.op.make(tuple([self._observed(arg, bound) for arg in term.args]))

    def value_of(self, term: Term) -> Term:
        """The value of a term without variables but the state, in the current state."""
        return self._value(term, {})

    def places_in(self, term: Term) -> Iterator[int]:
        """The places of the observations in a term, in the current state."""
        todo = [term]
        while todo:
            part = todo.pop()
            observer = self.ots.observer(part.op)
            if observer is not None and observer.state_of(part) is self.ots.state:
                place = self._place.get((observer.symbol, *map(self.value_of, observer.indexes_of(part))))
                if place is not None:
                    yield place
            todo += part.args

    def translated(self, term: Term) -> Term:
        return self.instance.module.signature.translate(term, self._memo)

    def as_invariant(self, predicate: Predicate) -> Invariant:
        """A predicate of the specification as one of the instance."""
        boolean = self.instance.connectives.true.sort
        arity = (self.instance.ots.sort, *(p.sort for p in predicate.parameters))
        decl = OpDecl((predicate.name,), arity, boolean, PLAIN, self.instance.module.name)
        symbol = Symbol([decl], self.instance.module.signature.order, -1)
        operator = StateOperator(symbol, 0, arity[1:], boolean)
        return Invariant(operator, predicate.parameters, self.translated(predicate.formula))

    def ways_to_violate(self, predicate: Predicate) -> list[Plan] | None:
        """How to look for violations; None if some variable cannot be bound."""
        try:
            return [plan for _, plan in violation_plans(self.theory, self.as_invariant(predicate))]
        except OtsrwError:
            return None

    def violated(self, plans: list[Plan], values: Values) -> Bindings | None:
        """Values for which a predicate is false in a state."""
        self.budget.check_time()
        for plan in plans:
            found = next(self.solutions_in(plan, values), None)
            if found is not None:
                return found
        return None


@dataclass(frozen=True, eq=False, slots=True)
class Witness:
    """A kept state in which a predicate is false."""

    state: int
    bindings: Bindings


class KeptStates:
    """R<=n of an instance."""

    def __init__(
        self,
        instance: Instance,
        states: list[KeptState],
        exhausted: bool,
        depth: int,
        deadline: float | None = None,
    ) -> None:
        self.instance = instance
        self.states = states
        self.exhausted = exhausted
        self.depth = depth
        self.lookup = Lookup(instance, deadline)
        self._number = {kept.number: position for position, kept in enumerate(states)}

    @classmethod
    def explore(
        cls, space: StateSpace, depth: int, deadline: float | None = None, listener: SearchListener | None = None
    ) -> KeptStates:
        left = None if deadline is None else max(0.1, deadline - time.monotonic())
        found = space.reachable(depth, Limits(left), listener)
        return cls(space.instance, found.states, found.exhausted, depth, deadline)

    def path(self, position: int) -> list[tuple[str | None, Values]]:
        """Transitions and values from an initial state to a kept state."""
        steps: list[tuple[str | None, Values]] = []
        while True:
            kept = self.states[position]
            steps.append((kept.transition, kept.values))
            if kept.transition is None:
                return steps[::-1]
            position = self._number[kept.parent]

    def part(self, begin: int, end: int) -> KeptStates:
        """Some of the states, to evaluate predicates in."""
        return KeptStates(self.instance, self.states[begin:end], False, self.depth, self.lookup.budget.deadline)

    def violation_at(self, place: int, predicate: Predicate) -> Witness | None:
        """Values for which a kept state violates the predicate."""
        return self._seen_in(place, self.lookup.ways_to_violate(predicate) or [])

    def violation(self, predicate: Predicate) -> Witness | None:
        """The first kept state that violates the predicate; where it has no truth value it is not violated."""
        plans = self.lookup.ways_to_violate(predicate) or []
        solver = self.conjunctions.solver
        try:
            place = solver.first(plans)
        except TooManyGroups:
            return self._one_by_one(plans)
        return None if place is None else self._seen_in(place, plans)

    def is_clear_of(self, predicate: Predicate) -> bool:
        """Does the predicate hold in all kept states? False as well if that cannot be told of one."""
        plans = self.lookup.ways_to_violate(predicate)
        if plans is None:
            return False
        solver = self.conjunctions.solver
        try:
            return solver.first(plans) is None and not solver.undefined
        except TooManyGroups:
            return False

    def _one_by_one(self, plans: list[Plan]) -> Witness | None:
        return next((found for n in range(len(self.states)) if (found := self._seen_in(n, plans)) is not None), None)

    def _seen_in(self, position: int, plans: list[Plan]) -> Witness | None:
        found = self.lookup.violated(plans, self.states[position].values)
        return None if found is None else Witness(position, found)

    @cached_property
    def conjunctions(self) -> Conjunctions:
        """Tells which literals hold together in the kept states."""
        return Conjunctions(self.instance, [kept.values for kept in self.states], self.lookup.budget)

"""Reachable states of an instance, explored once and asked many questions.

Maude explores R<=n; the states are kept as observed values. A predicate is checked by a plan for its violations (see
ots/binding.py) that is solved in all states at once (bulk.py), or where that does not pay in one after the other, with
observations looked up instead of rewritten.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from otsrw.induction.bulk import BulkSolver, TooManyGroups
from otsrw.induction.cases import Predicate
from otsrw.induction.columns import Columns
from otsrw.ots.binding import Plan
from otsrw.ots.formulas import unfold
from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant, StateOperator
from otsrw.ots.stepping import Bindings, State, Stepper, Values, violation_plans
from otsrw.reasoning.connectives import Literal
from otsrw.rewriting.budget import Budget
from otsrw.search.results import KeptState
from otsrw.search.space import Limits, SearchListener, StateSpace
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import PLAIN, OpDecl, Symbol, Term, variables_of

MAX_SEARCHED = 1200
"""States of a sample that are searched for a violation of a lemma with variables over infinite sorts."""

WALKS = 60
WALK_LENGTH = 60


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

    def value(self, term: Term) -> Term:
        """The value of a term without variables but the state, in the current state."""
        return self._value(term, {})

    def places(self, term: Term) -> list[int] | None:
        """The slots a term looks at; None if that depends on the state."""
        found: set[int] = set()
        todo = [term]
        while todo:
            current = todo.pop()
            if current.ground:
                continue
            if current is self.ots.state:
                return None
            observer = self.ots.observer(current.op)
            if observer is not None and observer.state_of(current) is self.ots.state:
                indexes = observer.indexes_of(current)
                if not all(index.ground for index in indexes):
                    return None
                normal = tuple(self.instance.normal_form(index) for index in indexes)
                if (observer.symbol, *normal) not in self._place:
                    return None
                found.add(self._place[(observer.symbol, *normal)])
            else:
                todo += current.args
        return sorted(found)

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

    def violation(self, predicate: Predicate) -> Witness | None:
        """The first kept state that violates the predicate.

        Raises `OtsrwError` if no state violates it, and in some state it has no truth value.
        """
        plans = self.lookup.ways_to_violate(predicate) or []
        try:
            place = self._solver.first(plans)
        except TooManyGroups:
            return self._one_by_one(plans)
        if place is None:
            place = self._solver.undefined
        return None if place is None else self._seen_in(place, plans)

    def _one_by_one(self, plans: list[Plan]) -> Witness | None:
        return next((found for n in range(len(self.states)) if (found := self._seen_in(n, plans)) is not None), None)

    def _seen_in(self, position: int, plans: list[Plan]) -> Witness | None:
        found = self.lookup.violated(plans, self.states[position].values)
        return None if found is None else Witness(position, found)

    @cached_property
    def _solver(self) -> BulkSolver:
        columns = Columns(self.instance, [kept.values for kept in self.states])
        return BulkSolver(columns, self.lookup.budget)


class TruthTable:
    """Which literals hold in which states of a sample, for all values of their variables, as bit sets."""

    def __init__(self, instance: Instance, states: list[Values], deadline: float | None = None) -> None:
        self.instance = instance
        self.lookup = Lookup(instance, deadline)
        self.states = states
        self._tables: dict[Term, dict[tuple[Term, ...], int]] = {}
        self.all = (1 << len(states)) - 1

    def can_tell(self, literal: Literal) -> bool:
        """Are all variables over finite domains?"""
        return all(self.domain(v) is not None for v in variables_of(literal.atom) if v is not self.instance.ots.state)

    def domain(self, variable: Term) -> tuple[Term, ...] | None:
        return self.instance.domain(variable.sort)

    def where(self, literal: Literal, bindings: Bindings) -> int:
        """The states in which the literal holds."""
        table = self._table(literal.atom)
        variables = [v for v in variables_of(literal.atom) if v is not self.instance.ots.state]
        bits = table[tuple(bindings[v] for v in variables)]
        return bits if literal.positive else self.all & ~bits

    def _table(self, atom: Term) -> dict[tuple[Term, ...], int]:
        table = self._tables.get(atom)
        if table is None:
            table = self._tables[atom] = self._computed(atom)
        return table

    def _computed(self, atom: Term) -> dict[tuple[Term, ...], int]:
        moved = unfold(self.lookup.translated(atom), self.instance.ots)
        variables = [v for v in variables_of(atom) if v is not self.instance.ots.state]
        table = {}
        for values in product(*[self.domain(v) or () for v in variables]):
            table[values] = self._bits(substitute(moved, dict(zip(variables, values, strict=True))))
        return table

    def _bits(self, atom: Term) -> int:
        """Where a closed atom holds; states that agree on what it observes are evaluated once."""
        self.lookup.budget.check_time()
        places = self.lookup.places(atom)
        known: dict[tuple[Term, ...], bool] = {}
        true = self.instance.connectives.true
        bits = 0
        for number, state in enumerate(self.states):
            key = state if places is None else tuple([state[place] for place in places])
            holds = known.get(key)
            if holds is None:
                self.lookup.current = state
                holds = known[key] = self.lookup.value(atom) is true
            if holds:
                bits |= 1 << number
        return bits

    def holds(self, predicate: Predicate) -> bool:
        """Is a predicate of one clause true in all states of the sample?"""
        literals = predicate.clauses[0].literals
        if not self._has_room(predicate):
            return False
        if all(self.can_tell(literal) for literal in literals):
            return self._never_together(literals)
        plans = self.lookup.ways_to_violate(predicate)
        if plans is None:
            return False
        try:
            every = 1 + len(self.states) // MAX_SEARCHED
            return all(self.lookup.violated(plans, values) is None for values in self.states[::every])
        except BudgetExceeded:
            raise
        except OtsrwError:
            return False

    def _has_room(self, predicate: Predicate) -> bool:
        """Are there entities enough for all variables to be different? Otherwise the sample says little."""
        counts = Counter(parameter.sort for parameter in predicate.parameters)
        domains = {sort: self.instance.domain(sort) for sort in counts}
        return all(domain is None or counts[sort] <= len(domain) for sort, domain in domains.items())

    def _never_together(self, literals: tuple[Literal, ...]) -> bool:
        """Is there no state and no choice of values in which all literals hold?"""
        variables = list(
            dict.fromkeys(
                v for literal in literals for v in variables_of(literal.atom) if v is not self.instance.ots.state
            )
        )
        for values in product(*[self.domain(v) or () for v in variables]):
            bindings = dict(zip(variables, values, strict=True))
            bits = self.all
            for literal in literals:
                bits &= self.where(literal, bindings)
                if not bits:
                    break
            if bits:
                return False
        return True


def sample(stepper: Stepper, states: int, steps: int, deadline: float | None = None) -> list[Values]:
    """Reachable states, the same on every machine: breadth first; if that is not all, some random walks go deeper.

    No state is expanded once there are so many states, or once so many steps were made. At the deadline, if there is
    one, the time is spent: then `BudgetExceeded` is raised.
    """
    return _Sampling(stepper, states, steps, deadline).run()


class _Sampling:
    """The states found, and the steps that are left."""

    def __init__(self, stepper: Stepper, states: int, steps: int, deadline: float | None) -> None:
        self._stepper = stepper
        self._states = states
        self._steps = steps
        self._budget = Budget(deadline=deadline)
        self._seen: dict[Values, None] = {}

    def run(self) -> list[Values]:
        level = self._stepper.initial_states()
        self._seen.update(dict.fromkeys(state.values for state in level))
        while level and self._goes_on():
            following: list[State] = []
            for state in level:
                for after in self._after(state):
                    if after.values not in self._seen:
                        self._seen[after.values] = None
                        following.append(after)
                if not self._goes_on():
                    break
            level = following
        if level:
            self._walk()
        return list(self._seen)

    def _goes_on(self) -> bool:
        return len(self._seen) < self._states and self._steps > 0

    def _after(self, state: State) -> list[State]:
        """The states that follow; each costs a step."""
        self._budget.check_time()
        found = [after for _, after in self._stepper.successors(state)]
        self._steps -= max(1, len(found))
        return found

    def _walk(self) -> None:
        """Random walks, the same in every run."""
        choose = random.Random(0)
        for _ in range(WALKS):
            state = choose.choice(self._stepper.initial_states())
            for _ in range(WALK_LENGTH):
                after = self._after(state) if self._steps > 0 else []
                if not after:
                    break
                state = choose.choice(after)
                self._seen[state.values] = None

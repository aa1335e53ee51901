"""Do several literals hold together in some state of an instance, for some values of their variables?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from otsrw.induction.bulk import BulkSolver, StateRow, TooManyGroups
from otsrw.induction.columns import Columns, TooManyValues, first_of
from otsrw.induction.effort import Effort
from otsrw.ots.binding import Plan, Test
from otsrw.ots.formulas import unfold
from otsrw.ots.instance import Instance, is_open
from otsrw.ots.stepping import Values
from otsrw.reasoning.connectives import Literal
from otsrw.rewriting.budget import Budget
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term, variables_of

MAX_COMPUTED = 5_000
"""Values that are computed for one conjunction."""
MAX_TRIED = 5_000
"""Values of variables that are tried for one set of literals."""


class CannotTell(Exception):
    """A literal cannot be evaluated, or too many values would have to be tried."""


class Conjunctions:
    """Looks for a state of an instance, and for values, such that several literals hold together."""

    def __init__(
        self, instance: Instance, states: Sequence[Values], budget: Budget, effort: Effort | None = None
    ) -> None:
        self.instance = instance
        self.states = states
        self.solver = BulkSolver(Columns(instance, states, effort), budget, effort)
        self._moved: dict[Literal, Literal] = {}
        self._plans: dict[tuple[Literal, frozenset[Term]], Plan] = {}
        self._memo: dict[Term, Term] = {}
        self._tried = 0

    @property
    def computed(self) -> int:
        """Values of terms that were computed so far."""
        return self.solver.columns.computed

    def among(self, states: Sequence[Values]) -> Conjunctions:
        """The same for other states of the instance."""
        return Conjunctions(self.instance, states, self.solver.budget, self.solver.effort)

    def has_room(self, variables: Iterable[Term]) -> bool:
        """Are there entities enough for all variables to be different? Otherwise the states say little.

        A sort that is there with all elements that it can have has no others to speak of.
        """
        counts = Counter(variable.sort for variable in variables if self._may_have_more(variable.sort))
        domains = {sort: self.instance.domain(sort) for sort in counts}
        return all(domain is None or counts[sort] <= len(domain) for sort, domain in domains.items())

    def _may_have_more(self, sort: Sort) -> bool:
        """May there be elements that are no entities of the instance?"""
        return sort.name in self.instance.given or is_open(self.instance.base.module, sort)

    def together(self, literals: Iterable[Literal]) -> StateRow | None:
        """Values and states for which the literals hold; None if there are none. May raise `CannotTell`."""
        self._tried = 0
        self.solver.columns.most_computed = self.computed + MAX_COMPUTED
        self.solver.undefined = 0
        try:
            found = next(self._rows(tuple(map(self.translated, literals)), ({}, self.solver.columns.all)), None)
        except BudgetExceeded:
            raise
        except (OtsrwError, TooManyGroups, TooManyValues):
            raise CannotTell from None
        finally:
            self.solver.columns.most_computed = None
        if found is None and self.solver.undefined:
            raise CannotTell
        return found

    def holding(self, literals: Sequence[Literal], row: StateRow) -> int:
        """Which of the literals hold in the first state of a row, for its values or more of them; a bit for each.

        Some that hold may be missing.
        """
        bound, states = row[0], 1 << first_of(row[1])
        found = 0
        for place, literal in enumerate(map(self.translated, literals)):
            plan = self.plan(literal, frozenset(bound))
            if plan.unbound:
                continue
            try:
                more = next(self.solver.solutions(plan.steps, bound, states), None)
            except (OtsrwError, TooManyGroups):
                continue
            if more is not None:
                bound = more[0]
                found |= 1 << place
        return found

    def _rows(self, literals: tuple[Literal, ...], row: StateRow) -> Iterator[StateRow]:
        if not literals:
            yield row
            return
        known = frozenset(row[0])
        plans = [(literal, self.plan(literal, known)) for literal in literals]
        ready = [(literal, plan) for literal, plan in plans if not plan.unbound]
        if not ready:
            raise CannotTell
        chosen, plan = min(ready, key=lambda each: _steps_that_try(each[1]))
        rest = tuple(literal for literal in literals if literal is not chosen)
        for wider in self.solver.solutions(plan.steps, *row):
            self._tried += 1
            if self._tried > MAX_TRIED:
                raise CannotTell
            yield from self._rows(rest, wider)

    def translated(self, literal: Literal) -> Literal:
        """The literal in terms of the instance; one that is so already stays as it is."""
        moved = self._moved.get(literal)
        if moved is None:
            translated = self.instance.module.signature.translate(literal.atom, self._memo)
            moved = self._moved[literal] = Literal(unfold(translated, self.instance.ots), literal.positive)
        return moved

    def plan(self, literal: Literal, bound: frozenset[Term]) -> Plan:
        variables = [v for v in variables_of(literal.atom) if v is not self.instance.ots.state]
        known = bound.intersection(variables)
        plan = self._plans.get((literal, known))
        if plan is None:
            plan = self._plans[literal, known] = self.solver.columns.theory.plan(
                (literal,), variables, variables, known
            )
        return plan


def _steps_that_try(plan: Plan) -> int:
    """How many of its steps try several values."""
    return sum(not isinstance(step, Test) for step in plan.steps)

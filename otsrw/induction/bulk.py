"""Solves plans in many states at once: values for variables, each with the set of states in which they fit."""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.induction.columns import Columns, first_of
from otsrw.induction.effort import Effort
from otsrw.ots.binding import BindingStep, Enumerate, Member, PatternMatch, Plan, Rest, Test
from otsrw.ots.stepping import Bindings
from otsrw.rewriting.budget import Budget
from otsrw.rewriting.matching import Matcher
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import variables_of

MAX_GROUPS = 512
"""A term with more values than that is not matched in all states at once."""

StateRow = tuple[Bindings, int]
"""Values, and the states in which they are a solution."""


class TooManyGroups(Exception):
    """A plan matches a term that has too many values; it has to be solved state by state."""


class BulkSolver:
    """Solves plans in all states of some columns.

    A condition may have no truth value in some states. These are passed over, and `undefined` tells which they were.
    """

    def __init__(self, columns: Columns, budget: Budget, effort: Effort | None = None) -> None:
        self.columns = columns
        self.undefined = 0
        self._matcher = Matcher(columns.instance.module.signature.order)
        self.budget = budget
        self.effort = effort or Effort()
        self._wanted = columns.all

    def first(self, plans: list[Plan]) -> int | None:
        """The first state in which one of the plans has a solution; None if there is none."""
        self._wanted = self.columns.all
        self.undefined = 0
        try:
            for plan in plans:
                for _, states in self.solutions(plan.steps, {}, self._wanted):
                    self._wanted = (1 << first_of(states)) - 1
            place = self._wanted.bit_length()
        finally:
            self._wanted = self.columns.all
        return place if place < self.columns.count else None

    def solutions(self, steps: tuple[BindingStep, ...], bound: Bindings, states: int) -> Iterator[StateRow]:
        """Follow the steps in these states. Raises `TooManyGroups` if that takes too much memory."""
        self.effort.look()
        states &= self._wanted
        if not states:
            return
        if not steps:
            yield bound, states
            return
        step, rest = steps[0], steps[1:]
        for found, where in self._step(step, bound, states):
            yield from self.solutions(rest, found, where)

    def _step(self, step: BindingStep, bound: Bindings, states: int) -> Iterator[StateRow]:
        match step:
            case Enumerate(variable):
                self.budget.check_time()
                for element in self.columns.instance.domain(variable.sort) or ():
                    yield {**bound, variable: element}, states
            case PatternMatch():
                yield from self._match(step, bound, states)
            case Member():
                yield from self._choose(step, bound, states)
            case Rest():
                yield bound, states
            case Test(literal):
                truth = self.columns.truth(substitute(literal.atom, bound))
                self.undefined |= truth.undefined & states
                yield bound, states & (truth.holds if literal.positive else ~(truth.holds | truth.undefined))

    def _match(self, step: PatternMatch, bound: Bindings, states: int) -> Iterator[StateRow]:
        subject = substitute(step.subject, bound)
        if len(self.columns.column(subject).values) > MAX_GROUPS:
            raise TooManyGroups
        for value, where in self.columns.groups(subject):
            self.effort.look()
            if where & states and self.columns.instance.is_value(value):
                for found in self._matcher.match(step.pattern, value, bound):
                    yield found, where & states

    def _choose(self, step: Member, bound: Bindings, states: int) -> Iterator[StateRow]:
        """Try the elements of a collection."""
        self.budget.check_time()
        elements = self.columns.members(substitute(step.collection, bound), step.constructor)
        if all(variable in bound for variable in variables_of(step.pattern)):
            yield bound, states & elements.where(substitute(step.pattern, bound))
            return
        for element, where in elements.like(step.pattern):
            self.effort.look()
            if where & states & self._wanted:
                for found in self._matcher.match(step.pattern, element, bound):
                    yield found, where & states

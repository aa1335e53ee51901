"""Solves plans in many states at once: values for variables, each with the set of states in which they fit."""

from __future__ import annotations

from otsrw.induction.columns import Columns, first_of
from otsrw.ots.binding import BindingStep, Enumerate, Member, PatternMatch, Plan, Rest, Test
from otsrw.ots.stepping import Bindings
from otsrw.rewriting.budget import Budget
from otsrw.rewriting.matching import Matcher
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import variables_of

MAX_GROUPS = 512
"""A term with more values than that is not matched in all states at once."""


class TooManyGroups(Exception):
    """A plan matches a term that has too many values; it has to be solved state by state."""


class BulkSolver:
    """Looks for the first state in which one of some plans has a solution."""

    def __init__(self, columns: Columns, budget: Budget) -> None:
        self._columns = columns
        self._matcher = Matcher(columns.instance.module.signature.order)
        self._budget = budget
        self._wanted = columns.all
        """The states before the first one that was found."""
        self._undefined = 0

    def first(self, plans: list[Plan]) -> int | None:
        """The first state with a solution; None if there is none. Raises `TooManyGroups` if that takes too long.

        States in which a condition has no truth value are passed over; `undefined` tells which.
        """
        self._wanted = self._columns.all
        self._undefined = 0
        for plan in plans:
            self._solve(plan.steps, {}, self._wanted)
        place = self._wanted.bit_length()
        return place if place < self._columns.count else None

    @property
    def undefined(self) -> int | None:
        """The first state in which the last question met a condition without a truth value."""
        return first_of(self._undefined) if self._undefined else None

    def _solve(self, steps: tuple[BindingStep, ...], bound: Bindings, states: int) -> None:
        """Follow the steps in those of the states that are wanted."""
        states &= self._wanted
        if not states:
            return
        if not steps:
            self._wanted = (1 << first_of(states)) - 1
            return
        step, rest = steps[0], steps[1:]
        match step:
            case Enumerate(variable):
                self._budget.check_time()
                for element in self._columns.instance.domain(variable.sort) or ():
                    self._solve(rest, {**bound, variable: element}, states)
            case PatternMatch():
                self._match(step, rest, bound, states)
            case Member():
                self._choose(step, rest, bound, states)
            case Rest():
                self._solve(rest, bound, states)
            case Test(literal):
                truth = self._columns.truth(substitute(literal.atom, bound))
                self._undefined |= truth.undefined & states
                holds = truth.holds if literal.positive else ~(truth.holds | truth.undefined)
                self._solve(rest, bound, states & holds)

    def _match(self, step: PatternMatch, rest: tuple[BindingStep, ...], bound: Bindings, states: int) -> None:
        subject = substitute(step.subject, bound)
        if len(self._columns.column(subject).values) > MAX_GROUPS:
            raise TooManyGroups
        for value, where in self._columns.groups(subject):
            if where & states:
                for found in self._matcher.match(step.pattern, value, bound):
                    self._solve(rest, found, where & states)

    def _choose(self, step: Member, rest: tuple[BindingStep, ...], bound: Bindings, states: int) -> None:
        """Try the elements of a collection."""
        self._budget.check_time()
        elements = self._columns.members(substitute(step.collection, bound), step.constructor)
        if all(variable in bound for variable in variables_of(step.pattern)):
            wanted = substitute(step.pattern, bound)
            self._solve(rest, bound, states & elements.where(wanted))
            return
        for element, where in elements.like(step.pattern):
            if where & states & self._wanted:
                for found in self._matcher.match(step.pattern, element, bound):
                    self._solve(rest, found, where & states)

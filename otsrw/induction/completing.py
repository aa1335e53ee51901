"""States in which some literals hold and no known predicate is violated, reachable or not.

A reachable state in which most of the literals hold is changed, value by value, until all of them do and nothing known
is violated. So such states are close to reachable ones.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from otsrw.induction.clauses import Clause
from otsrw.induction.columns import members_of
from otsrw.induction.conjunctions import Conjunctions
from otsrw.induction.kept import Lookup
from otsrw.ots.instance import Instance
from otsrw.ots.stepping import Bindings, Values
from otsrw.reasoning.connectives import Literal
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Term, variables_of

MAX_FALSE = 5
"""Literals that may be false in the reachable state that a completion begins with."""
MAX_CHANGES = 5
"""Changes beyond those that make the literals true."""
MAX_BINDINGS = 400
"""Choices of entities for variables that are looked at."""
NEAREST = 8
"""Groups of reachable states that are begun with, those with fewest false literals."""
STARTS = 10
"""Reachable states of each group that are tried."""
WORK = 60
"""States that are looked at for each of them."""


class _GroundLiteral:
    """A literal with values for its variables; its truth is remembered for the values of the slots it looks at."""

    def __init__(self, lookup: Lookup, literal: Literal) -> None:
        self._lookup = lookup
        self._atom, self._positive = literal.atom, literal.positive
        self._known: dict[Values, bool | None] = {}
        self._fixed = None if self._is_nested(literal.atom) else self._looked_at(literal.atom, ())

    def _is_nested(self, atom: Term) -> bool:
        state = self._lookup.ots.state
        observed = [part for part in _parts(atom) if state in part.args]
        return any(state in variables_of(arg) for part in observed for arg in part.args if arg is not state)

    def slots(self, values: Values) -> tuple[int, ...]:
        """The places of the values that its truth depends on."""
        return self._looked_at(self._atom, values) if self._fixed is None else self._fixed

    def _looked_at(self, atom: Term, values: Values) -> tuple[int, ...]:
        self._lookup.current = values
        return tuple(dict.fromkeys(self._lookup.places_in(atom)))

    def holds(self, values: Values) -> bool | None:
        """None if it has no truth value."""
        if self._fixed is None:
            return self._computed(values)
        key = tuple([values[place] for place in self._fixed])
        if key not in self._known:
            self._known[key] = self._computed(values)
        return self._known[key]

    def _computed(self, values: Values) -> bool | None:
        self._lookup.current = values
        value = self._lookup.value_of(self._atom)
        truth = self._lookup.instance.connectives
        if value is not truth.true and value is not truth.false:
            return None
        return (value is truth.true) is self._positive


def _parts(term: Term) -> Iterator[Term]:
    todo = [term]
    while todo:
        part = todo.pop()
        yield part
        todo += part.args


class Completions:
    """Looks for states of one instance that violate none of some clauses."""

    def __init__(self, conjunctions: Conjunctions, clauses: Iterable[Clause]) -> None:
        self._conjunctions = conjunctions
        self._instance: Instance = conjunctions.instance
        self._lookup = Lookup(self._instance)
        self._clauses = list(clauses)
        self._literals: dict[Literal, _GroundLiteral] = {}
        self._work = 0
        self._chance = random.Random(0)

    def of(self, literals: Sequence[Literal]) -> Iterator[Values]:
        """States in which the literals hold for some values of their variables."""
        moved = [self._conjunctions.translated(literal) for literal in literals]
        for bindings, starts in self._near(moved):
            wanted = [self._ground(literal, bindings) for literal in moved]
            for start in starts:
                self._work = WORK
                found = next(self._changed(wanted, start, MAX_FALSE + MAX_CHANGES), None)
                if found is not None:
                    yield found

    # --- where to begin

    def _near(self, literals: Sequence[Literal]) -> Iterator[tuple[Bindings, list[Values]]]:
        """Values, and reachable states in which few of the literals are false."""
        state = self._instance.ots.state
        variables = list(dict.fromkeys(v for each in literals for v in variables_of(each.atom) if v is not state))
        if any(self._instance.domain(variable.sort) is None for variable in variables):
            return
        found: list[tuple[int, int, Bindings, int]] = []
        for number, bindings in enumerate(self._bindings(variables, {}, frozenset())):
            if number > MAX_BINDINGS:
                break
            found += [(count, number, bindings, states) for count, states in self._by_false(literals, bindings)]
        for _, _, bindings, states in sorted(found, key=lambda each: each[:2])[:NEAREST]:
            places = list(members_of(states, len(self._conjunctions.states)))
            some = places if len(places) <= STARTS else self._chance.sample(places, STARTS)
            yield bindings, [self._conjunctions.states[place] for place in some]

    def _bindings(self, variables: Sequence[Term], bound: Bindings, used: frozenset[Term]) -> Iterator[Bindings]:
        """All ways to give entities to variables, but for their names: of unused ones only the first is taken."""
        if len(bound) == len(variables):
            yield bound
            return
        variable = variables[len(bound)]
        is_first = True
        for element in self._instance.domain(variable.sort) or ():
            if element in used or is_first:
                yield from self._bindings(variables, {**bound, variable: element}, used | {element})
            is_first = is_first and element in used

    def _by_false(self, literals: Sequence[Literal], bindings: Bindings) -> list[tuple[int, int]]:
        """For each number of literals that are false, the states; none if the values themselves do not fit."""
        columns = self._conjunctions.solver.columns
        groups = [columns.all, *([0] * MAX_FALSE)]
        for literal in literals:
            try:
                truth = columns.truth(substitute(literal.atom, bindings))
            except BudgetExceeded:
                raise
            except OtsrwError:
                return []
            holds = truth.holds if literal.positive else columns.all & ~(truth.holds | truth.undefined)
            if self._instance.ots.state not in variables_of(literal.atom):
                if not holds:
                    return []
                continue
            shifted = [0, *groups]
            groups = [(group & holds) | (shifted[place] & ~holds) for place, group in enumerate(groups)]
        return [(count, group) for count, group in enumerate(groups) if group]

    # --- changes

    def _ground(self, literal: Literal, bindings: Bindings) -> _GroundLiteral:
        said = Literal(substitute(literal.atom, bindings), literal.positive)
        found = self._literals.get(said)
        if found is None:
            found = self._literals[said] = _GroundLiteral(self._lookup, said)
        return found

    @cached_property
    def _constraints(self) -> list[list[_GroundLiteral]]:
        """Literals that must not hold together."""
        found = []
        for clause in self._clauses:
            literals = [self._conjunctions.translated(literal) for literal in clause.literals]
            state = self._instance.ots.state
            variables = list(dict.fromkeys(v for each in literals for v in variables_of(each.atom) if v is not state))
            for bindings in self._all_bindings(variables):
                found.append([self._ground(literal, bindings) for literal in literals])
        return found

    def _all_bindings(self, variables: Sequence[Term]) -> Iterator[Bindings]:
        found: list[Bindings] = [{}]
        for variable in variables:
            domain = self._instance.domain(variable.sort) or ()
            found = [{**bindings, variable: element} for bindings in found for element in domain]
        return iter(found[:MAX_BINDINGS])

    @cached_property
    def _domains(self) -> list[tuple[Term, ...]]:
        """What was seen in each slot."""
        return [tuple(dict.fromkeys(column)) for column in zip(*self._conjunctions.states, strict=True)]

    def _changed(self, wanted: list[_GroundLiteral], values: Values, most: int) -> Iterator[Values]:
        """States with a few values changed in which what is wanted holds and no constraint is violated."""
        self._work -= 1
        if self._work < 0:
            return
        false = [literal for literal in wanted if not literal.holds(values)]
        if len(false) > most:
            return
        if false:
            for changed in self._changes(false[0], values, True):
                yield from self._changed(wanted, changed, most - 1)
            return
        violated = next((each for each in self._constraints if all(literal.holds(values) for literal in each)), None)
        if violated is None:
            yield values
        elif most:
            ways = [new for literal in violated for new in self._changes(literal, values, False)]
            self._chance.shuffle(ways)
            for changed in ways:
                if all(literal.holds(changed) for literal in wanted):
                    yield from self._changed(wanted, changed, most - 1)

    def _changes(self, literal: _GroundLiteral, values: Values, truth: bool) -> Iterator[Values]:
        for place in literal.slots(values):
            for value in self._domains[place]:
                changed = (*values[:place], value, *values[place + 1 :])
                if value is not values[place] and literal.holds(changed) is truth:
                    yield changed

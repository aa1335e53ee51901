"""Does a trace satisfy a constraint? A deterministic automaton that reads moments, built as far as it is needed.

A configuration is the set of position variables that are placed, and the moments of those that some predicate of
several positions still asks for. A variable that is in no such predicate is placed as early as possible, which never
does harm; the others may be placed or left. A state of the automaton is a set of configurations.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from otsrw.traces.constraints import Before, Equals, Moment, Satisfies, TraceConstraint

Memory = tuple[tuple[int, int], ...]
Configuration = tuple[int, Memory]
ACCEPTED = 1


class Matcher:
    """States are numbers: 0 to begin with, 1 once the constraint is satisfied, which it then remains."""

    def __init__(self, constraint: TraceConstraint, moments: Sequence[Moment]) -> None:
        self._moments = moments
        variables = {position: number for number, position in enumerate(constraint.positions)}
        count = len(variables)
        self._full = (1 << count) - 1
        self._before = [0] * count
        self._tests: list[list[Equals | Satisfies]] = [[] for _ in range(count)]
        self._relations: list[tuple[Satisfies, tuple[int, ...], int]] = []
        for fact in constraint.facts:
            places = tuple(variables[position] for position in fact.positions)
            if isinstance(fact, Satisfies) and len(places) > 1:
                self._relations.append((fact, places, sum(1 << place for place in places)))
            elif not isinstance(fact, Before):
                self._tests[places[0]].append(fact)
            for earlier, later in pairwise(places):
                self._before[later] |= 1 << earlier
        self._related = 0
        for _, _, mask in self._relations:
            self._related |= mask
        self._fits: list[dict[int, bool]] = [{} for _ in range(count)]
        self._holds: dict[tuple[int, tuple[int, ...]], bool] = {}
        start: frozenset[Configuration] = frozenset([(0, ())])
        self._states: list[frozenset[Configuration]] = [start, frozenset()]
        self._numbers = {start: 0}
        self._steps: dict[tuple[int, int], int] = {}

    @property
    def start(self) -> int:
        return ACCEPTED if not self._full else 0

    def step(self, state: int, moment: int) -> int:
        """The state after a moment, given by its number."""
        if state == ACCEPTED:
            return ACCEPTED
        key = (state, moment)
        after = self._steps.get(key)
        if after is None:
            after = self._steps[key] = self._computed(state, moment)
        return after

    def _computed(self, state: int, moment: int) -> int:
        following: set[Configuration] = set()
        for configuration in self._states[state]:
            following |= self._successors(configuration, moment)
        if any(placed == self._full for placed, _ in following):
            return ACCEPTED
        configurations = frozenset(following)
        number = self._numbers.get(configurations)
        if number is None:
            number = self._numbers[configurations] = len(self._states)
            self._states.append(configurations)
        return number

    def _successors(self, configuration: Configuration, moment: int) -> set[Configuration]:
        earlier, memory = configuration
        placeable = [
            variable
            for variable in range(len(self._tests))
            if not earlier >> variable & 1
            and not self._before[variable] & ~earlier
            and self._variable_fits(variable, moment)
        ]
        free = sum(1 << variable for variable in placeable if not self._related >> variable & 1)
        found = {(earlier | free, memory)}
        for variable in placeable:
            if self._related >> variable & 1:
                found |= {
                    placed
                    for placed_before, remembered in found
                    if (placed := self._placed(placed_before, remembered, variable, moment)) is not None
                }
        return found

    def _variable_fits(self, variable: int, moment: int) -> bool:
        known = self._fits[variable]
        if moment not in known:
            known[moment] = all(
                test.holds(self._moments[moment])
                if isinstance(test, Equals)
                else test.predicate.holds(self._moments[moment])
                for test in self._tests[variable]
            )
        return known[moment]

    def _placed(self, placed: int, memory: Memory, variable: int, moment: int) -> Configuration | None:
        """The configuration with a variable at this moment, if all relations that are now complete hold."""
        placed |= 1 << variable
        where = {**dict(memory), variable: moment}
        needed = 0
        for number, (_, places, mask) in enumerate(self._relations):
            if mask & ~placed:
                needed |= mask
            elif mask >> variable & 1 and not self._relation_holds(number, tuple(where[place] for place in places)):
                return None
        return placed, tuple(sorted((v, m) for v, m in where.items() if needed >> v & 1))

    def _relation_holds(self, number: int, moments: tuple[int, ...]) -> bool:
        key = (number, moments)
        if key not in self._holds:
            predicate = self._relations[number][0].predicate
            self._holds[key] = predicate.holds(*(self._moments[moment] for moment in moments))
        return self._holds[key]

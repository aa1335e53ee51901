"""Does a trace satisfy a constraint? A deterministic automaton that reads moments, built as far as it is needed.

A configuration is the set of position variables that are placed, and the moments of those that some predicate of
several positions still asks for. A variable that is in no such predicate is placed as early as possible, which never
does harm; the others may be placed or left. A state of the automaton is a set of configurations.

Moments at which the same variables can be placed are alike, as long as none of these is in a predicate of several
positions: one step is computed for all of them.
"""

from __future__ import annotations

from itertools import pairwise

from otsrw.traces.constraints import Before, Equals, Satisfies, TraceConstraint
from otsrw.traces.moments import Moments

Memory = tuple[tuple[int, int], ...]
Configuration = tuple[int, Memory]
ACCEPTED = 1


class Matcher:
    """States are numbers: 0 to begin with, 1 once the constraint is satisfied, which it then remains."""

    def __init__(self, constraint: TraceConstraint, moments: Moments) -> None:
        self._moments = moments
        variables = {position: number for number, position in enumerate(constraint.positions)}
        count = len(variables)
        self._full = (1 << count) - 1
        self._before = [0] * count
        tests: list[list[Equals | Satisfies]] = [[] for _ in range(count)]
        self._relations: list[tuple[Satisfies, tuple[int, ...], int]] = []
        for fact in constraint.facts:
            places = tuple(variables[position] for position in fact.positions)
            if isinstance(fact, Satisfies) and len(places) > 1:
                self._relations.append((fact, places, sum(1 << place for place in places)))
            elif not isinstance(fact, Before):
                tests[places[0]].append(fact)
            for earlier, later in pairwise(places):
                self._before[later] |= 1 << earlier
        self._related = 0
        for _, _, mask in self._relations:
            self._related |= mask
        self._fits = [moments.at_which(facts) for facts in tests]
        self._kinds: dict[int, tuple[int, int]] = {}
        self._holds: dict[tuple[int, tuple[int, ...]], bool] = {}
        start: frozenset[Configuration] = frozenset([(0, ())])
        self._states: list[frozenset[Configuration]] = [start, frozenset()]
        self._numbers = {start: 0}
        self._steps: dict[tuple[int, tuple[int, int]], int] = {}

    @property
    def start(self) -> int:
        return ACCEPTED if not self._full else 0

    def step(self, state: int, moment: int) -> int:
        """The state after a moment, given by its number."""
        if state == ACCEPTED:
            return ACCEPTED
        kind = self._kinds.get(moment)
        if kind is None:
            kind = self._kinds[moment] = self._kind(moment)
        key = (state, kind)
        after = self._steps.get(key)
        if after is None:
            after = self._steps[key] = self._computed(state, *kind)
        return after

    def _kind(self, moment: int) -> tuple[int, int]:
        """The variables that can be placed at a moment, and the moment itself if a relation may ask for it."""
        fitting = sum(1 << variable for variable, moments in enumerate(self._fits) if moments >> moment & 1)
        return fitting, moment if fitting & self._related else -1

    def _computed(self, state: int, fitting: int, moment: int) -> int:
        following: set[Configuration] = set()
        for configuration in self._states[state]:
            following |= self._successors(configuration, fitting, moment)
        if any(placed == self._full for placed, _ in following):
            return ACCEPTED
        configurations = frozenset(following)
        number = self._numbers.get(configurations)
        if number is None:
            number = self._numbers[configurations] = len(self._states)
            self._states.append(configurations)
        return number

    def _successors(self, configuration: Configuration, fitting: int, moment: int) -> set[Configuration]:
        earlier, memory = configuration
        placeable = [
            variable
            for variable, before in enumerate(self._before)
            if fitting >> variable & 1 and not earlier >> variable & 1 and not before & ~earlier
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

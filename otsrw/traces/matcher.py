"""Does a trace satisfy a constraint? A deterministic automaton that reads moments, built as far as it is needed.

A configuration is the set of position variables that are placed, and how the moments of those look that some part of a
predicate still asks for. A variable that no part of several positions asks for is placed as early as possible, which
never does harm; the others may be placed or left. A state of the automaton is a set of configurations.

Moments at which the same variables can be placed, and that look alike to all parts that ask for these, are of one kind:
one step is computed for all of them.
"""

from __future__ import annotations

from itertools import pairwise

from otsrw.traces.constraints import Before, Contains, Equals, Part, Placed, TraceConstraint
from otsrw.traces.moments import Moments, Sight

Looks = tuple[int, ...]
Memory = tuple[tuple[int, Looks], ...]
Configuration = tuple[int, Memory]
MomentKind = tuple[int, Memory]
MatcherState = tuple[frozenset[Configuration], int]
"""Configurations, and how many moments were read, as far as that matters."""
ACCEPTED = 1
NOWHERE = -2
FORGOTTEN = -1


class _Relation:
    """A part of several positions: its variables, and which of a variable's looks is the one for this part."""

    def __init__(self, sight: Sight, variables: tuple[int, ...], asked: list[list[tuple[Sight, int]]]) -> None:
        self.sight = sight
        self.mask = sum(1 << variable for variable in variables)
        self.where = [(variable, len(asked[variable])) for variable in variables]
        for place, variable in enumerate(variables):
            asked[variable].append((sight, place))

    def holds(self, looks: dict[int, Looks]) -> bool:
        return self.sight.holds(tuple([looks[variable][number] for variable, number in self.where]))


class ConstraintMatcher:
    """States are numbers: 0 to begin with, 1 once the constraint is satisfied, which it then remains."""

    def __init__(self, constraint: TraceConstraint, moments: Moments) -> None:
        variables = {position: number for number, position in enumerate(constraint.positions)}
        count = len(variables)
        self._full = (1 << count) - 1
        self._before = [0] * count
        self._asked: list[list[tuple[Sight, int]]] = [[] for _ in range(count)]
        self._relations: list[_Relation] = []
        tests: list[list[Equals | Contains | Part]] = [[] for _ in range(count)]
        self._places: list[int | None] = [None] * count
        for fact in constraint.facts:
            places = tuple(variables[position] for position in fact.positions)
            for earlier, later in pairwise(places):
                self._before[later] |= 1 << earlier
            if isinstance(fact, Equals | Contains):
                tests[places[0]].append(fact)
            elif isinstance(fact, Placed):
                self._place(places[0], fact.index)
            elif not isinstance(fact, Before):
                for part in fact.predicate.parts:
                    if len(part.places) == 1:
                        tests[places[part.places[0]]].append(part)
                    else:
                        asking = tuple(places[place] for place in part.places)
                        self._relations.append(_Relation(moments.sight(part), asking, self._asked))
        self._related = sum(1 << variable for variable, asked in enumerate(self._asked) if asked)
        self._fits = [moments.at_which(facts) for facts in tests]
        self._last = max((place for place in self._places if place is not None), default=-1)
        """The last index that matters; -1 if none does."""
        self._kind_of: dict[int, int] = {}
        self._kinds: list[MomentKind] = []
        self._kind_numbers: dict[MomentKind, int] = {}
        start: frozenset[Configuration] = frozenset([(0, ())])
        self._states: list[MatcherState] = [(start, 0), (frozenset(), 0)]
        self._numbers = {(start, 0): 0}
        self._steps: list[dict[int, int]] = [{}, {}]

    @property
    def start(self) -> int:
        return ACCEPTED if not self._full else 0

    def step(self, state: int, moment: int) -> int:
        """The state after a moment, given by its number."""
        if state == ACCEPTED:
            return ACCEPTED
        kind = self._kind_of.get(moment)
        if kind is None:
            kind = self._kind_of[moment] = self._kind(moment)
        after = self._steps[state].get(kind)
        if after is None:
            after = self._steps[state][kind] = self._computed(state, *self._kinds[kind])
        return after

    def _kind(self, moment: int) -> int:
        """The variables that can be placed at a moment, and how it looks to the parts that ask for these."""
        fitting, bit = 0, 1
        for moments in self._fits:
            if moments >> moment & 1:
                fitting |= bit
            bit <<= 1
        looks: Memory = ()
        if self._related & fitting:
            looks = tuple(
                (variable, tuple(sight.look(place, moment) for sight, place in asked))
                for variable, asked in enumerate(self._asked)
                if asked and fitting >> variable & 1
            )
        kind = (fitting, looks)
        if kind not in self._kind_numbers:
            self._kind_numbers[kind] = len(self._kinds)
            self._kinds.append(kind)
        return self._kind_numbers[kind]

    def _place(self, variable: int, index: int) -> None:
        """A variable that has to be at one index; at two different ones it cannot be."""
        known = self._places[variable]
        self._places[variable] = index if known is None or known == index else NOWHERE

    def _computed(self, state: int, fitting: int, looks: Memory) -> int:
        following: set[Configuration] = set()
        configurations, index = self._states[state]
        if self._last >= 0:
            fitting &= ~sum(1 << v for v, place in enumerate(self._places) if place is not None and place != index)
        for configuration in configurations:
            following |= self._successors(configuration, fitting, looks)
        if any(placed == self._full for placed, _ in following):
            return ACCEPTED
        key = (frozenset(following), min(index + 1, self._last + 1) if self._last >= 0 else 0)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._states)
            self._states.append(key)
            self._steps.append({})
        return number

    def _successors(self, configuration: Configuration, fitting: int, looks: Memory) -> set[Configuration]:
        earlier, memory = configuration
        placeable = sum(
            1 << variable
            for variable, before in enumerate(self._before)
            if fitting >> variable & 1 and not earlier >> variable & 1 and not before & ~earlier
        )
        found = {(earlier | placeable & ~self._related, memory)}
        for variable, look in looks:
            if placeable >> variable & 1:
                found |= {
                    placed
                    for placed_before, remembered in found
                    if (placed := self._placed(placed_before, remembered, variable, look)) is not None
                }
        return found

    def _placed(self, placed: int, memory: Memory, variable: int, look: Looks) -> Configuration | None:
        """The configuration with a variable at a moment that looks so, if all parts that are now complete hold."""
        placed |= 1 << variable
        where = {**dict(memory), variable: look}
        needed: dict[int, list[int]] = {}
        for relation in self._relations:
            if relation.mask & ~placed:
                for other, number in relation.where:
                    if other in where:
                        needed.setdefault(other, [FORGOTTEN] * len(where[other]))[number] = where[other][number]
            elif relation.mask >> variable & 1 and not relation.holds(where):
                return None
        return placed, tuple(sorted((other, tuple(kept)) for other, kept in needed.items()))

"""A bounded search, breadth first.

States are asked for one by one, but only those that do *not* violate the invariant: they come numbered in breadth-first
order, so a gap in the numbers is a violation, and nothing has to be read from Maude for the others. A clock that ticks
once a level is searched along with the system, so that there is always a later state to reveal a gap, and so that the
end of a level is seen.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator
from typing import Any

import maude
from maude import _maude

from .loaded import ROOT, TICK, memory, with_root
from .messages import Explore, Finished, Load, Seen, SoupText, StatesPart, Stuck, Violation
from .terms import TermTable

_PART = 500
"""States told at once."""

MOST_REWRITES = 4_000_000
"""Of a search for a number of states: where states have very many neighbours, even a few hundred cost as much."""

SearchEnding = Violation | Stuck | Finished


class MaudeSearch:
    """A search from all initial states; once it is finished, its states can be told.

    It is finished as well when it has seen `most` states, or has spent `MOST_REWRITES` on a search that is so limited,
    or at the end of the first level with which it has seen at least `least` states.
    """

    def __init__(
        self,
        module: Load,
        request: Explore,
        tell: Callable[[Seen], None],
        most: int | None = None,
        least: int | None = None,
        fork: bool = False,
    ) -> None:
        self.depth = request.depth
        self._most = most
        self._least = least
        self.outcome: SearchEnding | None = None
        """None until `run` has returned."""
        self._tell = tell
        self._violates: Any = None
        """The predicate that tells whether a state violates the invariant; None if there is none."""
        self.module = extended = with_root(module, request.violation, clock=True, fork=fork)
        arguments = [maude.AT_LEAST_ONE_STEP, extended.parseTerm("X:OtsrwRun")]
        if request.violation:
            violates = extended.parseTerm(f"{request.violation}(X:OtsrwRun)")
            self._violates = violates.symbol()
            arguments.append([maude.EqualityCondition(violates, extended.parseTerm("false"))])
        self._search = extended.parseTerm(ROOT).search(*arguments, depth=self.depth + 2)
        self._initials = len(module.initials)
        self._sort = next(sort for sort in extended.getSorts() if str(sort) == module.states)
        self._depths = array("i", [0])
        self._clocks: list[int] = []
        self._levels: list[int] = []
        """States seen so far, for every level that is complete."""
        self._states = 0
        self._last = 0
        """The last state, or tick of the clock, within the depth."""

    def run(self) -> SearchEnding:
        self.outcome = self._run()
        return self.outcome

    def _run(self) -> SearchEnding:
        step = _maude.RewriteSequenceSearch___next
        number_of = _maude.RewriteSequenceSearch_getStateNr
        search = self._search
        last, told = 0, time.monotonic()
        while step(search) is not None:
            number = number_of(search)
            while last < number:
                last += 1
                outcome = self._enter(last, is_gap=last < number)
                if outcome is not None:
                    return outcome
            if self._most is not None and _maude.RewriteSequenceSearch_getRewriteCount(search) > MOST_REWRITES:
                return self._finished(exhausted=False)
            if not self._states % 256 and time.monotonic() - told > TICK:
                told = time.monotonic()
                self._tell(self._seen(self._levels))
        return self._finished(exhausted=True)

    def _enter(self, number: int, is_gap: bool) -> SearchEnding | None:
        """Count a state; the outcome if the search is over."""
        parent: int = _maude.RewriteSequenceSearch_getStateParent(self._search, number)
        depth = self._depths[parent] + 1
        self._depths.append(depth)
        ticks = parent == self._clocks[-1] if self._clocks else parent == 0 and number == self._initials + 1
        if ticks and not is_gap:
            self._clocks.append(number)
            self._levels.append(self._states)
            if len(self._levels) > 1 and self._levels[-1] == self._levels[-2]:
                return self._finished(exhausted=True)
            is_enough = self._least is not None and self._states >= self._least and len(self._levels) <= self.depth
            return self._finished(exhausted=False) if is_enough else None
        if depth > self.depth + 1:
            return self._finished(exhausted=False)
        self._states += 1
        self._last = number
        if is_gap:
            return self._violation(number, depth - 1)
        return self._finished(exhausted=False) if self._states == self._most else None

    def _seen(self, levels: list[int]) -> Seen:
        return Seen(len(self._levels), self._states, levels, memory())

    def _violation(self, number: int, depth: int) -> Violation | Stuck:
        """What is wrong with a state that is not free of violations: if it is no soup, a value is missing."""
        table = TermTable()
        state = self._search.getStateTerm(number)
        if not state.getSort() <= self._sort:
            path = self.path(self._search.getStateParent(number), table)
            return Stuck(table.news(), path)
        path = self.path(number, table)
        violates = self._violates.makeTerm([state])
        violates.reduce()
        if str(violates) != "true":
            return Stuck(table.news(), path)
        return Violation(depth, self._seen(self._levels), table.news(), path)

    def path(self, number: int, table: TermTable) -> list[tuple[str | None, SoupText]]:
        """Rules and soups from an initial state on; nothing for the root."""
        found: list[tuple[str | None, SoupText]] = []
        while number > 0:
            parent = self._search.getStateParent(number)
            found.append((self._rule(number, parent), table.soup(self._search.getStateTerm(number))))
            number = parent
        return found[::-1]

    def _rule(self, number: int, parent: int) -> str | None:
        return str(self._search.getRule(number).getLabel()) if parent > 0 else None

    def _finished(self, exhausted: bool) -> Finished:
        levels = self._levels[: self.depth + 1]
        if exhausted and len(levels) > 1 and levels[-1] == levels[-2]:
            levels.pop()
        return Finished(self._seen(levels), exhausted)

    def term(self, number: int) -> Any:
        return _maude.RewriteSequenceSearch_getStateTerm(self._search, number)

    def numbers(self, level: int | None = None) -> list[int]:
        """The numbers of the states, or of those of one level, of a search that is finished."""
        clocks = frozenset(self._clocks)
        depths = self._depths
        wanted = range(1, self._last + 1)
        return [n for n in wanted if n not in clocks and (level is None or depths[n] == level + 1)]

    def parts(self, table: TermTable) -> Iterator[StatesPart]:
        """The states of a search that is finished, in the order of their numbers."""
        part: list[tuple[int, int, str | None, SoupText]] = []
        for number in self.numbers():
            parent = self._search.getStateParent(number)
            part.append((number, parent, self._rule(number, parent), table.soup(self._search.getStateTerm(number))))
            if len(part) == _PART:
                yield StatesPart(table.news(), part)
                part = []
        yield StatesPart(table.news(), part)

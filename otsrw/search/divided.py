"""A search that several processes share: each does Maude's own search below a part of one level.

First one process searches to the end of a level with many states. The states of that level are cut into parts, in the
order in which a search in one process meets them, and what follows a part is searched as if there were no others. A
state below several parts is met several times, but neighbours have most of what follows in common with each other.

The result is that of a search in one process, to the number of states and the run. In such a search a state belongs to
the first state of the level above that it follows. Below the part of that one it is met by the same step, and no part
before has it on this level: it would follow a state above it that comes earlier. So the first part with a violation at
the least depth meets the same violation first, by the same run. How many states come before it is counted by
fingerprints: each state counts on its least level, for the first part that meets it there.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise

from otsrw.records import NamedTuple
from otsrw.search.maude_worker.messages import (
    ExpansionEnd,
    Finished,
    Load,
    PartSearched,
    SearchPart,
    Seen,
    Stuck,
    Survey,
    Surveyed,
    Violation,
)
from otsrw.search.maude_worker.packing import FINGERPRINT as SIZE
from otsrw.search.results import Division, Progress
from otsrw.search.space import Limits, SearchListener
from otsrw.search.teamwork import TeamWork
from otsrw.workers.team import Team

LEAST = 2000
"""States of the levels that are searched before the rest is divided."""
_PARTS = 12
_PARTS_EACH = 3
"""Parts for each worker, if that is more."""
_STATES_OF_PART = 100_000
"""States below a part, if levels go on to grow as they do: there are more parts then, so that each is done soon."""
_AHEAD = 1.5
"""Parts that are asked for at a time, for each worker: what comes after a violation is done in vain."""
_GROWTH = 3.0
"""How many times the states of the level before the divided one must have: otherwise parts have much in common."""
_DEEPEST = 6
"""Levels below the divided one: further down parts have much in common."""
_MOST_REPEATED = 1.6
"""How many times each state may be met, on the average."""
_SOME = 20_000
"""States after which that is looked at."""
_BEYOND = 16
_PART_BITS = 32


class _EarliestEnd(NamedTuple):
    """The first part that ends at the least depth, and how."""

    depth: int
    part: int
    answer: PartSearched


class DividedSearch:
    """One search by a team. It may turn out that the work is better not divided: then `undivided` says why."""

    def __init__(
        self,
        module: Load,
        violation: str | None,
        team: Team,
        limits: Limits,
        listener: SearchListener | None,
        counts: bool = True,
    ) -> None:
        self._module = module
        self._counts = counts
        self._violation = violation
        self._listener = listener
        self._parts = max(_PARTS, _PARTS_EACH * team.workers)
        """How many parts there are at least, and then how many there are."""
        self.work = TeamWork(module, team, limits, self._tell)
        self._seen = Seen(0, 0, [], 0)
        self._first: dict[bytes, int] = {}
        """Of each state the level on which it was met and the first part that did, as one number."""
        self._met = 0
        self._done = 0
        self._end: _EarliestEnd | None = None
        self._beyond: list[PartSearched] = []
        self.undivided: str | None = None

    # --- what is known

    @property
    def progress(self) -> Progress:
        states = max(self._seen.states, len(self._first))
        levels = tuple(self._seen.levels)
        doing = self.work.doing
        if self._first and self.undivided is None:
            doing = f"{self._done} of {self._parts} parts done{f'; {doing}' if doing else ''}"
        return Progress(len(levels), states, self.work.seconds, self.work.peak, levels, doing)

    def _tell(self) -> None:
        if self._listener is not None:
            self._listener(self.progress)

    @property
    def division(self) -> Division | None:
        """How the work was divided; None if the search ended before that."""
        if not self._first or self.undivided is not None:
            return None
        return Division(self._level, self._parts, self._counts)

    @property
    def _level(self) -> int:
        return len(self._seen.levels) - 1

    @property
    def _sizes(self) -> list[int]:
        """States of each level up to the one that is divided."""
        return [after - before for before, after in pairwise([0, *self._seen.levels])]

    # --- the search

    def run(self, depth: int) -> Violation | Stuck | Finished | None:
        """The end of the search; None if the work should not be divided."""
        answer = self.work.ask(Survey(depth, self._violation, LEAST))
        if not isinstance(answer, Surveyed):
            assert isinstance(answer, Violation | Stuck | Finished)
            return answer
        self._seen = answer.seen
        self._parts = self._number_of_parts(depth)
        self._enter(base64.b64decode(answer.fingerprints), 0)
        self.undivided = self._obstacle(depth)
        if self.undivided is None:
            self._search_parts(depth)
        return None if self.undivided is not None else self._ending(depth)

    @property
    def _growth(self) -> float:
        """How many times the states of the level before the divided one has."""
        sizes = [1, *self._sizes]
        return sizes[-1] / sizes[-2]

    def _number_of_parts(self, depth: int) -> int:
        size = self._sizes[-1]
        expected = size * self._growth ** min(depth - self._level, _DEEPEST)
        return min(max(self._parts, int(expected / _STATES_OF_PART)), size)

    def _obstacle(self, depth: int) -> str | None:
        """Why the parts would have too much in common, or could not be compared."""
        if self._growth < _GROWTH:
            return f"level {self._level} has only {self._growth:.1f} times the states of the one before"
        if depth - self._level > _DEEPEST:
            return f"{depth - self._level} levels are left after the first {self._seen.states} states"
        if re.search(r"\bQID\b", self._module.text):  # their order depends on what a process has seen before
            return "quoted identifiers are printed in no fixed order"
        return None

    def _search_parts(self, depth: int) -> None:
        with closing(self.work.in_order(self._requests(depth), _AHEAD)) as answers:
            for part, answer in enumerate(answers):
                assert isinstance(answer, PartSearched)
                self._take(part, answer)
                if self._end is not None and self._end.depth == self._level + 1:
                    return
                new = len(self._first) - self._seen.states
                if self._counts and self._met > _SOME and self._met > _MOST_REPEATED * new:
                    self.undivided = f"parts have too much in common: {self._met} states were met, {new} different ones"
                    return

    def _requests(self, depth: int) -> Iterator[SearchPart]:
        """After a violation only the levels above it matter."""
        for part in range(self._parts):
            bound = depth if self._end is None else self._end.depth - 1
            yield self._request(bound, part, _BEYOND)

    def _request(self, depth: int, part: int, beyond: int) -> SearchPart:
        return SearchPart(depth, self._violation, self._level, self._parts, part, beyond, self._counts)

    def _take(self, part: int, answer: PartSearched) -> None:
        prints = base64.b64decode(answer.fingerprints)
        begin = 0
        for level, count in enumerate(answer.levels, self._level + 1):
            self._enter(prints[begin * SIZE : (begin + count) * SIZE], level << _PART_BITS | part)
            begin += count
        self._met += sum(answer.levels)
        self._done += 1
        depth = self._level + len(answer.levels)
        if answer.end != ExpansionEnd.COMPLETE.value and (self._end is None or depth < self._end.depth):
            self._end = _EarliestEnd(depth, part, answer)
        if answer.beyond:
            self._beyond.append(answer)

    def _enter(self, prints: bytes, place: int) -> None:
        first = self._first
        for at in range(0, len(prints), SIZE):
            known = first.setdefault(prints[at : at + SIZE], place)
            if known > place:
                first[prints[at : at + SIZE]] = place

    # --- its end

    def _ending(self, depth: int) -> Violation | Stuck | Finished:
        counts = Counter(place >> _PART_BITS for place in self._first.values())
        levels = list(self._seen.levels)
        end = self._end
        deepest = depth if end is None else end.depth - 1
        for level in range(self._level + 1, deepest + 1) if self._counts else ():
            if not counts[level]:
                return Finished(self._counted(levels, levels[-1]), True)
            levels.append(levels[-1] + counts[level])
        if end is None:
            return Finished(self._counted(levels, levels[-1]), self._counts and not self._goes_on(depth))
        if end.answer.end != ExpansionEnd.VIOLATION.value:
            return Stuck(end.answer.terms, end.answer.path)
        last = end.depth << _PART_BITS | end.part
        states = sum(place <= last for place in self._first.values())
        return Violation(end.depth, self._counted(levels, states), end.answer.terms, end.answer.path)

    def _counted(self, levels: list[int], states: int) -> Seen:
        return Seen(len(levels), states, levels, self.work.peak)

    def _goes_on(self, depth: int) -> bool:
        """Is there a step from the last level to a state that no part has met?"""
        if any(self._is_beyond(answer) for answer in self._beyond):
            return True
        if not any(answer.more for answer in self._beyond):
            return False
        for part in range(self._parts):
            answer = self.work.ask(self._request(depth, part, len(self._first) ** 2))
            assert isinstance(answer, PartSearched)
            if self._is_beyond(answer):
                return True
        return False

    def _is_beyond(self, answer: PartSearched) -> bool:
        prints = base64.b64decode(answer.beyond)
        return any(prints[at : at + SIZE] not in self._first for at in range(0, len(prints), SIZE))

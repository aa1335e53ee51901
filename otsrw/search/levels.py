"""A breadth-first search that is kept here and done elsewhere, level by level.

Workers are given packed states and tell what follows them; here only fingerprints are kept, and the packed states of
the last level. Answers are taken in the order of the questions, whoever gives them first: the states, their numbers and
the verdict are the same for any number of workers. A run is found again by its fingerprints.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from contextlib import closing

from otsrw.records import NamedTuple
from otsrw.search.fingerprints import FingerprintStore
from otsrw.search.maude_worker.messages import Expand, Expanded, ExpansionEnd, Follow, Followed, Load, SymmetryGroups
from otsrw.search.maude_worker.packing import FINGERPRINT as SIZE
from otsrw.search.maude_worker.packing import packed, unpacked
from otsrw.search.results import Progress
from otsrw.search.space import Limits, SearchListener
from otsrw.search.teamwork import MANY_AHEAD, TeamWork
from otsrw.workers.team import Team

_CHUNK = 200
"""States of one task; a fixed number, so that the tasks do not depend on the number of workers."""


class StateChunk(NamedTuple):
    """Packed states with consecutive numbers; None stands for what is before the initial ones."""

    first: int
    states: str | None


class LevelEnding(NamedTuple):
    """How a search ended: with all levels, or where an expansion ended; then `state` is the last one on the way."""

    end: ExpansionEnd
    level: int
    state: int
    exhausted: bool


class LevelQuestion(NamedTuple):
    """What is searched: a module, the predicate that violates it, and the entities that are interchangeable."""

    module: Load
    violation: str | None
    symmetry: SymmetryGroups | None


class LevelSearch:
    """One search by a team."""

    def __init__(self, question: LevelQuestion, team: Team, limits: Limits, listener: SearchListener | None) -> None:
        self._question = question
        self._listener = listener
        self.work = TeamWork(question.module, team, limits, self._tell)
        self._store = FingerprintStore()
        self._frontier: list[StateChunk] = []
        self._pending: list[str] = []
        self.levels: list[int] = []

    @property
    def progress(self) -> Progress:
        work = self.work
        return Progress(len(self.levels), len(self._store), work.seconds, work.peak, tuple(self.levels), work.doing)

    def _tell(self) -> None:
        if self._listener is not None:
            self._listener(self.progress)

    # --- the search

    def run(self, depth: int) -> LevelEnding:
        ending = self._enter(self._expanded([StateChunk(0, None)]), 0)
        while ending is None:
            self.levels.append(len(self._store))
            level = len(self.levels)
            frontier = self._next_frontier()
            if not frontier:
                self.levels.pop()
                return LevelEnding(ExpansionEnd.COMPLETE, level - 1, 0, True)
            if level > depth:
                return LevelEnding(ExpansionEnd.COMPLETE, depth, 0, not self._goes_on(frontier))
            ending = self._enter(self._expanded(frontier), level)
        return ending

    def _next_frontier(self) -> list[StateChunk]:
        self._keep_pending()
        frontier, self._frontier = self._frontier, []
        return frontier

    def _enter(self, expansions: Iterable[tuple[int, Expanded]], level: int) -> LevelEnding | None:
        """Take the states of a level; what ended it if it is not complete."""
        for first, found in expansions:
            self._take(first, found)
            end = ExpansionEnd(found.end)
            if end is ExpansionEnd.NO_NEXT_VALUE:
                return LevelEnding(end, level - 1, first + found.at, False)
            if end is not ExpansionEnd.COMPLETE:
                return LevelEnding(end, level, len(self._store) - 1, False)
        return None

    def _take(self, first: int, found: Expanded) -> None:
        prints = base64.b64decode(found.fingerprints)
        if not prints:
            return
        add = self._store.add
        texts = unpacked(found.states)
        for place, parent in enumerate(found.parents):
            if add(prints[place * SIZE : (place + 1) * SIZE], first + parent):
                self._pending.append(texts[place])
                if len(self._pending) == _CHUNK:
                    self._keep_pending()

    def _keep_pending(self) -> None:
        if self._pending:
            self._frontier.append(StateChunk(len(self._store) - len(self._pending), packed(self._pending)))
            self._pending = []

    def _goes_on(self, frontier: list[StateChunk]) -> bool:
        """Is there a step from the last level to a new state? One without a value is no state, but not the end."""
        for _, found in self._expanded(frontier, look_only=True):
            prints = base64.b64decode(found.fingerprints)
            known = (self._store.knows(prints[at : at + SIZE]) for at in range(0, len(prints), SIZE))
            if found.end != ExpansionEnd.COMPLETE.value or not all(known):
                return True
        return False

    def _expanded(self, chunks: list[StateChunk], look_only: bool = False) -> Iterator[tuple[int, Expanded]]:
        """What follows each chunk, in the order of the chunks."""
        _, violation, symmetry = self._question
        asked = None if look_only else violation
        requests = (Expand(chunk.states, asked, symmetry, not look_only) for chunk in chunks)
        with closing(self.work.in_order(requests, MANY_AHEAD)) as answers:
            for chunk, answer in zip(chunks, answers, strict=True):
                assert isinstance(answer, Expanded)
                yield chunk.first, answer

    # --- a run

    def follow(self, ending: LevelEnding) -> Followed:
        """A run to the state in which the search ended."""
        prints = self._store.path(ending.state, ending.level)
        answer = self.work.ask(Follow([each.hex() for each in prints], self._question.symmetry))
        assert isinstance(answer, Followed)
        return answer

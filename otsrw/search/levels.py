"""A breadth-first search that is kept here and done elsewhere, level by level.

Workers are given packed states and tell what follows them; here only fingerprints are kept, and the packed states of
the last level. Answers are taken in the order of the questions, whoever gives them first: the states, their numbers and
the verdict are the same for any number of workers. A run is found again by its fingerprints.
"""

from __future__ import annotations

import base64
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from itertools import islice
from typing import NamedTuple

from otsrw.search.fingerprints import FingerprintStore
from otsrw.search.maude_worker.messages import Expand, Expanded, ExpansionEnd, Follow, Followed, Load, SymmetryGroups
from otsrw.search.maude_worker.packing import FINGERPRINT as SIZE
from otsrw.search.maude_worker.packing import packed, unpacked
from otsrw.search.results import Progress, WorkerShare
from otsrw.search.space import Limits, OutOfLimits, SearchListener, resident_memory
from otsrw.search.workforce import TaskResult, WorkTask, perform

_CHUNK = 200
"""States of one task; a fixed number, so that the tasks do not depend on the number of workers."""
_AHEAD = 3
"""Tasks that wait for each worker."""
_POLL = 0.1
_TICK = 0.15


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


class Team(NamedTuple):
    """Who does the tasks, how many at a time, and what raises `OutOfLimits` if they are gone.

    `memory` is what each may take, in bytes; None means: its part of what the search may take. `lost` are the
    exceptions of a task that no worker is left for.
    """

    executor: Executor
    workers: int
    watch: Callable[[], None] | None = None
    memory: int | None = None
    lost: tuple[type[BaseException], ...] = (CancelledError,)


class LevelSearch:
    """One search by a team."""

    def __init__(self, question: LevelQuestion, team: Team, limits: Limits, listener: SearchListener | None) -> None:
        self._question = question
        self._team = team
        self._limits = limits
        self._listener = listener
        self._start = self._told = time.monotonic()
        self._store = FingerprintStore()
        self._frontier: list[StateChunk] = []
        self._pending: list[str] = []
        self._memory: dict[str, int] = {}
        self._peak = 0
        self._tasks: Counter[str] = Counter()
        self._states: Counter[str] = Counter()
        self._seconds: dict[str, float] = {}
        self._failures = 0
        self.levels: list[int] = []

    # --- what is known

    @property
    def progress(self) -> Progress:
        seconds = time.monotonic() - self._start
        return Progress(len(self.levels), len(self._store), seconds, self._peak, tuple(self.levels))

    @property
    def shares(self) -> tuple[WorkerShare, ...]:
        """What each worker has done."""
        names = sorted(self._tasks)
        return tuple(WorkerShare(n, self._tasks[n], self._states[n], self._seconds[n]) for n in names)

    @property
    def repeated(self) -> int:
        """Tasks that were done again because a process had died."""
        return self._failures

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

    # --- tasks

    def _expanded(self, chunks: Iterable[StateChunk], look_only: bool = False) -> Iterator[tuple[int, Expanded]]:
        """What follows each chunk, in the order of the chunks."""
        _, violation, symmetry = self._question
        waiting: deque[tuple[int, Future[TaskResult]]] = deque()
        todo = iter(chunks)
        try:
            while True:
                for chunk in islice(todo, self._team.workers * _AHEAD - len(waiting)):
                    request = Expand(chunk.states, None if look_only else violation, symmetry, not look_only)
                    waiting.append((chunk.first, self._submit(request)))
                if not waiting:
                    return
                first, future = waiting.popleft()
                answer = self._answer(future)
                assert isinstance(answer, Expanded)
                yield first, answer
        finally:
            for _, future in waiting:
                future.cancel()

    def _submit(self, request: Expand | Follow) -> Future[TaskResult]:
        memory = self._team.memory
        if memory is None and self._limits.memory is not None:
            memory = self._limits.memory // self._team.workers
        return self._team.executor.submit(perform, WorkTask(self._question.module, request, memory))

    def _answer(self, future: Future[TaskResult]) -> object:
        while True:
            try:
                result = future.result(timeout=_POLL)
                break
            except TimeoutError:
                if future.done():
                    raise
                self._check()
            except self._team.lost:
                raise OutOfLimits("the workers are gone, and a task was not done") from None
        answer = result.answer
        self._tasks[result.worker] += 1
        self._seconds[result.worker] = self._seconds.get(result.worker, 0.0) + result.seconds
        self._failures += result.failures
        if isinstance(answer, Expanded):
            self._states[result.worker] += len(answer.parents)
            self._memory[result.worker] = answer.memory
        self._check()
        return answer

    def _check(self) -> None:
        """Tell how far the search is, and stop it if it takes too much."""
        if self._team.watch is not None:
            self._team.watch()
        memory = resident_memory() + sum(self._memory.values())
        self._peak = max(self._peak, memory)
        now = time.monotonic()
        if self._listener is not None and now - self._told > _TICK:
            self._told = now
            self._listener(self.progress)
        self._limits.check(now - self._start, memory)

    # --- a run

    def follow(self, ending: LevelEnding) -> Followed:
        """A run to the state in which the search ended."""
        prints = self._store.path(ending.state, ending.level)
        answer = self._answer(self._submit(Follow([each.hex() for each in prints], self._question.symmetry)))
        assert isinstance(answer, Followed)
        return answer

"""Tasks of one search that a team does: who did what, for how long, and whether it may go on."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import CancelledError, Executor, Future
from itertools import islice
from typing import NamedTuple

from otsrw.search.maude_worker.messages import (
    Expanded,
    Finished,
    Load,
    PartSearched,
    Request,
    Surveyed,
    Violation,
    WorkerAnswer,
)
from otsrw.search.results import WorkerShare
from otsrw.search.space import Limits, OutOfLimits, resident_memory
from otsrw.search.workforce import TaskResult, WorkTask, perform

MANY_AHEAD = 3
"""Tasks that are asked for at a time, for each worker, if they are small."""
_POLL = 0.1
_TICK = 0.15


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


class TeamWork:
    """The tasks about one module, and what is known of those who do them."""

    def __init__(self, module: Load, team: Team, limits: Limits, tell: Callable[[], None]) -> None:
        self._module = module
        self._team = team
        self._limits = limits
        self._tell = tell
        """Is called now and then while somebody works."""
        self._start = self._told = time.monotonic()
        self._memory: dict[str, int] = {}
        self._shares: dict[str, WorkerShare] = {}
        self.peak = 0
        """Bytes that the command and its workers have taken together."""
        self.repeated = 0
        """Tasks that were done again because a process had died."""

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    @property
    def shares(self) -> tuple[WorkerShare, ...]:
        """What each worker has done."""
        return tuple(self._shares[name] for name in sorted(self._shares))

    def submit(self, request: Request) -> Future[TaskResult]:
        return self._team.executor.submit(perform, WorkTask(self._module, request, self._memory_of_each))

    @property
    def _memory_of_each(self) -> int | None:
        """Bytes that a worker may take."""
        if self._team.memory is None and self._limits.memory is not None:
            return self._limits.memory // self._team.workers
        return self._team.memory

    def ask(self, request: Request) -> WorkerAnswer:
        return self.answer(self.submit(request))

    def in_order(self, requests: Iterable[Request], each: float) -> Generator[WorkerAnswer, None, None]:
        """The answers in the order of the requests, whoever gives them first; so many for each worker at a time."""
        waiting: deque[Future[TaskResult]] = deque()
        todo = iter(requests)
        try:
            while True:
                free = math.ceil(self._team.workers * each) - len(waiting)
                waiting.extend(self.submit(request) for request in islice(todo, free))
                if not waiting:
                    return
                yield self.answer(waiting.popleft())
        finally:
            for future in waiting:
                future.cancel()

    def answer(self, future: Future[TaskResult]) -> WorkerAnswer:
        self.check()
        while True:
            try:
                result = future.result(timeout=_POLL)
                break
            except TimeoutError:
                if future.done():
                    raise
                self.check()
            except OutOfLimits:  # of a task: its time is not limited
                raise OutOfLimits(self._shortage()) from None
            except self._team.lost:
                raise OutOfLimits("the workers are gone, and a task was not done") from None
        self._enter(result)
        return result.answer

    def _shortage(self) -> str:
        each, team = (self._memory_of_each or 0) // 1_000_000, self._team
        if team.memory is not None:
            return f"the memory of a worker is spent ({each} MB)"
        whole = (self._limits.memory or 0) // 1_000_000
        shared = "" if team.workers == 1 else f", {each} MB for each of {team.workers} processes"
        return f"the memory is spent ({whole} MB{shared})"

    def _enter(self, result: TaskResult) -> None:
        worker = result.worker
        states, memory, cpu = _told_by(result.answer)
        before = self._shares.get(worker, WorkerShare(worker, 0, 0, 0.0, 0.0))
        self._shares[worker] = WorkerShare(
            worker, before.tasks + 1, before.states + states, before.seconds + result.seconds, before.cpu + cpu
        )
        self._memory[worker] = max(self._memory.get(worker, 0), memory)
        self.repeated += result.failures

    def check(self) -> None:
        """Tell how far the search is, and stop it if it takes too much."""
        if self._team.watch is not None:
            self._team.watch()
        memory = resident_memory() + sum(self._memory.values())
        self.peak = max(self.peak, memory)
        now = time.monotonic()
        if now - self._told > _TICK:
            self._told = now
            self._tell()
        self._limits.check(now - self._start, memory)


def _told_by(answer: WorkerAnswer) -> tuple[int, int, float]:
    """How many states an answer tells of, the bytes that its process has taken, and the processor time in seconds."""
    match answer:
        case Expanded():
            return len(answer.parents), answer.memory, answer.seconds
        case PartSearched():
            return sum(answer.levels), answer.memory, answer.seconds
        case Surveyed():
            return answer.seen.states, answer.seen.memory, answer.seconds
        case Finished() | Violation():
            return answer.seen.states, answer.seen.memory, 0.0
        case _:
            return 0, 0, 0.0

"""Tasks of one search that a team does: who did what, for how long, and whether it may go on."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from itertools import islice

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
from otsrw.search.space import Limits, OutOfLimits, resident_memory
from otsrw.search.workforce import TaskResult, WorkTask, perform
from otsrw.workers.shares import Ledger
from otsrw.workers.team import Team, WorkersGone, awaited

MANY_AHEAD = 3
"""Tasks that are asked for at a time, for each worker, if they are small."""
_TICK = 0.15


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
        self.ledger = Ledger()
        self.peak = 0
        """Bytes that the command and its workers have taken together."""

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def submit(self, request: Request) -> Future[TaskResult]:
        return self._team.executor.submit(
            perform, WorkTask(self._module, request, self._memory_of_each, self._team.topic)
        )

    @property
    def doing(self) -> str:
        """What workers tell of the tasks that they have begun; empty if they tell nothing."""
        pulses = [] if self._team.pulses is None else self._team.pulses.now()
        if not pulses:
            return ""
        states, memory = sum(pulse.found for pulse in pulses), sum(pulse.memory for pulse in pulses)
        told = f", {states:,} states" if states else ""
        return f"{len(pulses)} at work{told}, {memory / 1e6:.0f} MB, for {max(p.seconds for p in pulses):.0f} s"

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
        try:
            result = awaited(future, self._team, self.check)
        except WorkersGone as gone:
            raise OutOfLimits(str(gone)) from None
        except OutOfLimits:
            if future.done() and isinstance(future.exception(), OutOfLimits):  # of a task: its time is not limited
                raise OutOfLimits(self._shortage()) from None
            raise
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
        self.ledger.enter(worker, states, result.seconds, cpu)
        self._memory[worker] = max(self._memory.get(worker, 0), memory)
        self.ledger.repeated += result.failures

    def check(self) -> None:
        """Tell how far the search is, and stop it if it takes too much."""
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

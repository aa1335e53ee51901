"""Who does the tasks of a search: Maude processes of this machine, or workers of a cluster.

Either way it is an executor of the standard library, and a task is a call of `perform`. A task keeps nothing: if its
process dies, another one does it again.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from typing import ParamSpec, TypeVar

from otsrw.records import NamedTuple, dataclass
from otsrw.search.maude_worker.messages import Load, Request, WorkerAnswer
from otsrw.search.process import Conversation, MaudeProcess, WorkerDied
from otsrw.search.results import Progress
from otsrw.search.space import Limits
from otsrw.workers.team import Pulse, Pulses

_BEAT = 0.5
"""Seconds between two reports of a worker of a cluster."""
ATTEMPTS = 3
"""How often a task is tried if the process that does it dies."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


class WorkTask(NamedTuple):
    """A request about a module, and the bytes that the process may take; None means: as many as it likes."""

    module: Load
    request: Request
    memory: int | None
    topic: str | None = None
    """Where a worker of a cluster tells how far it is; None: nowhere."""


class TaskResult(NamedTuple):
    """The answer, who gave it, how long it took, and how many attempts failed."""

    answer: WorkerAnswer
    worker: str
    seconds: float
    failures: int


class WorkStopped(Exception):
    """The workers are told to stop."""


@dataclass(frozen=True, slots=True)
class _TaskLimits(Limits):
    """Limits of a task, which ends as well when its workers are told to stop."""

    stop: threading.Event | None = None
    beat: Callable[[float, int], None] | None = None
    """Is told now and then how many seconds the task has taken, and how many bytes."""

    def check(self, seconds: float, memory: int) -> None:
        if self.stop is not None and self.stop.is_set():
            raise WorkStopped
        if self.beat is not None:
            self.beat(seconds, memory)
        Limits.check(self, seconds, memory)


class _Station(threading.local):
    """Where a thread works: its process, its name, and what tells it to stop."""

    conversation: Conversation | None = None
    name: str = ""
    stop: threading.Event | None = None
    pulses: Pulses | None = None


_station = _Station()


def perform(task: WorkTask) -> TaskResult:
    """Do a task in the Maude process of this thread, and again in another one if the process dies."""
    if _station.conversation is None:
        _station.conversation = Conversation(MaudeProcess)
        _station.conversation.hold()
        _station.name = f"{socket.gethostname()}:{os.getpid()}"
    start = time.monotonic()
    failures = 0
    while True:
        heart = _Heart(task.topic)
        limits = _TaskLimits(None, task.memory, stop=_station.stop, beat=heart.beat)
        try:
            with closing(_station.conversation.ask(task.module, task.request, limits, heart.listen)) as answers:
                *_, answer = answers
            return TaskResult(answer, _station.name, time.monotonic() - start, failures)
        except WorkerDied:
            failures += 1
            if failures == ATTEMPTS:
                raise
        finally:
            if _station.pulses is not None:
                _station.pulses.end(_station.name)


class _Heart:
    """Tells how far the task of this thread is, to this process or to the one that has asked a cluster."""

    def __init__(self, topic: str | None) -> None:
        self._topic = topic
        self._states = 0
        self._told = time.monotonic()

    def listen(self, progress: Progress) -> None:
        self._states = progress.states

    def beat(self, seconds: float, memory: int) -> None:
        pulse = Pulse(_station.name, self._states, memory, seconds)
        if _station.pulses is not None:
            _station.pulses.tell(pulse)
        elif self._topic is not None and time.monotonic() - self._told > _BEAT:
            from otsrw.workers.cluster import tell_cluster

            self._told = time.monotonic()
            tell_cluster(self._topic, pulse)


class LocalWorkers(Executor):
    """Threads of this process, each with a Maude process of its own; all of these are started at once."""

    def __init__(self, jobs: int) -> None:
        self._stop = threading.Event()
        self.pulses = Pulses()
        self._conversations: list[Conversation] = []
        self._idle = [MaudeProcess() for _ in range(jobs)]
        self._pool = ThreadPoolExecutor(jobs, initializer=self._enlist)

    def _process(self) -> MaudeProcess:
        """A process that nobody has used so far."""
        try:
            return self._idle.pop()
        except IndexError:
            return MaudeProcess()

    def _enlist(self) -> None:
        conversation = Conversation(self._process)
        conversation.hold()
        self._conversations.append(conversation)
        _station.conversation = conversation
        _station.name = f"process {len(self._conversations)}"
        _station.stop = self._stop
        _station.pulses = self.pulses

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002 (we always wait)
        """End the processes, in the middle of their tasks if nobody waits for these."""
        if cancel_futures:
            self._stop.set()
        self._pool.shutdown(wait=True, cancel_futures=cancel_futures)
        for conversation in self._conversations:
            conversation.release()
        for process in self._idle:
            process.close()
        self._idle.clear()

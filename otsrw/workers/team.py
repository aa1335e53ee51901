"""A team of workers: who does tasks, how an answer is waited for, and who has done how much."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from typing import TypeVar

from otsrw.records import NamedTuple

_POLL = 0.1
_FRESH = 3.0
"""Seconds for which it counts what a worker has told of its task."""
_T = TypeVar("_T")


class WorkersGone(Exception):
    """There is nobody left to do a task; the message says what is known of the reason."""


class Pulse(NamedTuple):
    """How far a worker is with its task: what it has found, the bytes that it takes, the seconds since it began."""

    worker: str
    found: int
    memory: int
    seconds: float


class Pulses:
    """What workers have told lately of the tasks that they are doing."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[float, Pulse]] = {}

    def tell(self, pulse: Pulse) -> None:
        self._told[pulse.worker] = time.monotonic(), pulse

    def end(self, worker: str) -> None:
        """A worker has done its task."""
        self._told.pop(worker, None)

    def now(self) -> list[Pulse]:
        """What is not too old; who has said nothing for a while is not busy any more."""
        since = time.monotonic() - _FRESH
        return [pulse for told, pulse in list(self._told.values()) if told > since]


class Team(NamedTuple):
    """Who does the tasks, how many at a time, and what raises `WorkersGone` if they are gone.

    `memory` is what each may take, in bytes; None means: its part of what the command may take. `lost` are the
    exceptions of a task that no worker is left for.
    """

    executor: Executor
    workers: int
    watch: Callable[[], None] | None = None
    memory: int | None = None
    lost: tuple[type[BaseException], ...] = (CancelledError,)
    pulses: Pulses | None = None
    """What workers tell while they do a task; None if they do not."""
    topic: str | None = None
    """Where workers of a cluster tell it."""


def awaited(future: Future[_T], team: Team, check: Callable[[], None]) -> _T:
    """The answer to a task; raises `WorkersGone` if nobody will give it. `check` is called now and then meanwhile."""
    _watch(team, check)
    while True:
        try:
            return future.result(timeout=_POLL)
        except TimeoutError:
            if future.done():
                raise
            _watch(team, check)
        except team.lost as error:
            raise WorkersGone(_loss(error)) from None


def _watch(team: Team, check: Callable[[], None]) -> None:
    if team.watch is not None:
        team.watch()
    check()


def _loss(error: BaseException) -> str:
    """Why a task was not done; dask says so of one that has cost several workers their life."""
    attempts = getattr(error, "allowed_failures", None)
    if attempts is None:
        return "the workers are gone, and a task was not done"
    return f"a task was given up after {attempts + 1} workers had died of it; their memory may be too small"

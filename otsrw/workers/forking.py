"""An executor whose workers are children of this process: they know all that it knows when they are started."""

from __future__ import annotations

import ctypes
import os
import pickle
import select
import signal
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Generic, ParamSpec, TypeVar

_LOOK = 0.1
"""Seconds after which somebody who waits looks whether it is interrupted."""

_DEATH_SIGNAL = 1
"""The number of the request of `prctl` that names the signal."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


class ChildDied(Exception):
    """A child ended without an answer."""


class ForkedCalls(Executor):
    """Each call has a child of its own, which begins at once; what it returns is pickled. Needs `os.fork`."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        reading, writing = os.pipe()
        child = os.fork()
        if child:
            os.close(writing)
            return ForkedCall(child, reading)
        status = 1
        try:
            _end_with_parent()
            os.close(reading)
            content = pickle.dumps(fn(*args, **kwargs))
            with os.fdopen(writing, "wb") as stream:
                stream.write(content)
            status = 0
        finally:
            os._exit(status)


def _end_with_parent() -> None:
    """Have this process killed when its parent dies, where the system can do that (Linux)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)


class ForkedCall(Future[_T], Generic[_T]):
    """What a child will answer. It is read by whoever asks for it."""

    def __init__(self, child: int, pipe: int) -> None:
        super().__init__()
        self._child = child
        self._pipe = pipe
        self._content = b""

    def result(self, timeout: float | None = None) -> _T:
        """The answer. Raises `TimeoutError` if there is none in time, `ChildDied` if the child failed or was killed."""
        end = None if timeout is None else time.monotonic() + timeout
        while not self.done():
            left = _LOOK if end is None else min(_LOOK, end - time.monotonic())
            if left < 0:
                raise TimeoutError
            if select.select([self._pipe], [], [], left)[0]:
                self._receive()
        return super().result()

    def _receive(self) -> None:
        part = os.read(self._pipe, 1 << 20)
        self._content += part
        if part:
            return
        status = self._ended()
        if status == 0:
            self.set_result(pickle.loads(self._content))  # what our own child wrote
        else:
            self.set_exception(ChildDied(f"status {status}"))

    def _ended(self) -> int:
        os.close(self._pipe)
        _, status = os.waitpid(self._child, 0)
        return status

    def cancel(self) -> bool:
        """Kill the child, if it has not answered yet."""
        if self.done():
            return self.cancelled()
        with suppress(ProcessLookupError):
            os.kill(self._child, signal.SIGKILL)
        self._ended()
        return super().cancel()

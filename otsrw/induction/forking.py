"""An executor whose workers are children of this process: they know all that it knows when they are started."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Generic, ParamSpec, TypeVar

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
            os.close(reading)
            content = pickle.dumps(fn(*args, **kwargs))
            with os.fdopen(writing, "wb") as stream:
                stream.write(content)
            status = 0
        finally:
            os._exit(status)


class ForkedCall(Future[_T], Generic[_T]):
    """What a child will answer. It is read when somebody asks for it, for as long as that takes."""

    def __init__(self, child: int, pipe: int) -> None:
        super().__init__()
        self._child = child
        self._pipe = pipe

    def result(self, timeout: float | None = None) -> _T:
        """The answer. Raises `ChildDied` if the child failed or was killed."""
        if not self.done():
            with os.fdopen(self._pipe, "rb") as stream:
                content = stream.read()
            _, status = os.waitpid(self._child, 0)
            if status == 0:
                self.set_result(pickle.loads(content))  # what our own child wrote
            else:
                self.set_exception(ChildDied(f"status {status}"))
        return super().result(timeout)

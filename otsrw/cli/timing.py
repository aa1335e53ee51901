"""`--timeout` for commands whose work is one long computation."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from otsrw.syntax.diagnostics import BudgetExceeded

_AGAIN = 1.0
"""Seconds after which the thread is interrupted again: Python drops an exception that meets a callback."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Stop the block after some time; then `BudgetExceeded` is raised, also if the block came to its end meanwhile."""
    if seconds is None:
        yield
        return

    class TimeIsUp(BudgetExceeded):
        """Raised in the thread that works, wherever it is, also while the block is entered or left."""

        def __init__(self) -> None:
            super().__init__("E402", f"the time is spent: {seconds} s")

    ended, is_late = threading.Event(), threading.Event()
    block = sys._getframe(2)  # noqa: SLF001
    given = (threading.get_ident(), block, TimeIsUp, seconds, ended, is_late)
    watcher = threading.Thread(target=_watch, args=given, daemon=True)
    watcher.start()
    try:
        try:
            yield
        finally:
            ended.set()
            watcher.join()  # an exception that it raised comes here at the latest, not in what follows
    except TimeIsUp:
        ended.set()
    if is_late.is_set():
        raise TimeIsUp


def _watch(
    worker: int,
    block: FrameType,
    interruption: type[BaseException],
    seconds: float,
    ended: threading.Event,
    is_late: threading.Event,
) -> None:
    """Interrupt a thread until its block has ended, or the function that has the block."""
    import ctypes

    if ended.wait(seconds):
        return
    is_late.set()
    while not ended.is_set() and _is_running(worker, block):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker), ctypes.py_object(interruption))
        ended.wait(_AGAIN)


def _is_running(worker: int, block: FrameType) -> bool:
    """Is the function that has the block still running? It is left at once if entering or leaving the block fails."""
    frame = sys._current_frames().get(worker)  # noqa: SLF001
    while frame is not None and frame is not block:
        frame = frame.f_back
    return frame is not None

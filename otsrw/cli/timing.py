"""`--timeout` for commands whose work is one long computation."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from otsrw.syntax.diagnostics import BudgetExceeded


class _TimeIsUp(Exception):
    """Raised in the thread that works, wherever it is."""


_AGAIN = 1.0
"""Seconds after which the thread is interrupted again: Python drops an exception that meets a callback."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Stop the block after some time; then `BudgetExceeded` is raised, also if the block came to its end meanwhile."""
    if seconds is None:
        yield
        return
    ended, is_late = threading.Event(), threading.Event()
    watcher = threading.Thread(target=_watch, args=(threading.get_ident(), seconds, ended, is_late), daemon=True)
    watcher.start()
    try:
        try:
            yield
        finally:
            ended.set()
            watcher.join()  # an exception that it raised comes here at the latest, not in what follows
    except _TimeIsUp:
        ended.set()
    if is_late.is_set():
        raise BudgetExceeded("E402", f"the time is spent: {seconds} s")


def _watch(worker: int, seconds: float, ended: threading.Event, is_late: threading.Event) -> None:
    import ctypes

    if ended.wait(seconds):
        return
    is_late.set()
    while not ended.is_set():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker), ctypes.py_object(_TimeIsUp))
        ended.wait(_AGAIN)

"""`--timeout` for commands whose work is one long computation."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from otsrw.syntax.diagnostics import BudgetExceeded


class _TimeIsUp(Exception):
    """Raised in the thread that works, wherever it is."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Stop the block after some time; then `BudgetExceeded` is raised."""
    if seconds is None:
        yield
        return
    worker = threading.get_ident()
    timer = threading.Timer(seconds, _interrupt, [worker])
    timer.daemon = True
    timer.start()
    try:
        yield
    except _TimeIsUp:
        raise BudgetExceeded("E402", f"the time is spent: {seconds} s") from None
    finally:
        timer.cancel()


def _interrupt(worker: int) -> None:
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(worker), ctypes.py_object(_TimeIsUp))

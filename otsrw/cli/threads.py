"""Work for the main thread: commands run in a thread with a deep stack, but terminal applications need the main one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeVar

Result = TypeVar("Result")

requests: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
"""What the main thread does while it waits for a command; nothing ends the waiting."""


def on_main_thread(work: Callable[[], Result]) -> Result:
    """Do something in the main thread and wait for what it returns."""
    if threading.current_thread() is threading.main_thread():
        return work()
    finished = threading.Event()
    results: list[Result] = []
    failures: list[BaseException] = []

    def task() -> None:
        try:
            results.append(work())
        except BaseException as error:
            failures.append(error)
        finally:
            finished.set()

    requests.put(task)
    finished.wait()
    if failures:
        raise failures[0]
    return results[0]

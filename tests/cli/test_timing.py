"""A limit of time holds even where Python drops the exception that interrupts a thread."""

from __future__ import annotations

import contextlib
import threading
import time

import pytest

from otsrw.cli.timing import time_limit
from otsrw.syntax.diagnostics import BudgetExceeded


def test_a_block_that_takes_too_long_is_stopped() -> None:
    with pytest.raises(BudgetExceeded, match="the time is spent"), time_limit(0.01):
        while True:
            pass


def test_a_lost_exception_does_not_make_the_work_timely() -> None:
    with pytest.raises(BudgetExceeded), time_limit(0.01):
        try:
            while True:
                pass
        except Exception:
            """Lost, as in a callback."""


def test_work_in_time_is_left_alone() -> None:
    with time_limit(1000.0):
        done = sum(range(1000))
    with time_limit(None):
        done += 1
    assert done == 499_501
    assert threading.active_count() < 50


def test_nobody_is_interrupted_after_the_block_even_if_it_was_never_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time may be up before the block begins: then nothing tells the watching thread that it has ended."""
    monkeypatch.setattr("otsrw.cli.timing._AGAIN", 0.001)

    def limited() -> None:
        time_limit(0.0).__enter__()  # and `__exit__` never comes, as when `__enter__` is interrupted

    threads = threading.active_count()
    with contextlib.suppress(BudgetExceeded):
        limited()
    for _ in range(200):
        with contextlib.suppress(BudgetExceeded):
            time.sleep(0.001)
    assert threading.active_count() == threads

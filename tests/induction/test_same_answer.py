"""Same input, same document: twice at once on a machine that is busy, and with two processes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from commands import spec
from support import ROOT

EVERYDAY = ROOT / "bench" / "everyday"
FILES = [
    (spec("qlock.cafe"), "mutex", "verified"),
    pytest.param(spec("nslpk.cafe"), "secrecy", None, marks=pytest.mark.slow),
    (str(EVERYDAY / "ticket_nat.cafe"), "inv1", "verified"),
    (str(EVERYDAY / "sessions_bug.cafe"), "inv1", "falsified"),
    pytest.param(str(EVERYDAY / "consensus.cafe"), "inv1", "verified", marks=pytest.mark.slow),
    (str(EVERYDAY / "hotel_keys.cafe"), "inv1", "falsified"),
]
_TIMES = frozenset({"seconds", "memory", "command", "work"})
"""What depends on the machine; `work` says which process did what, and how long it took."""


@contextmanager
def busy_machine(processes: int) -> Iterator[None]:
    """Processes that do nothing but take time."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def begin(file: str, invariant: str, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "otsrw", "igf", file, "--inv", invariant, "--max-cases", "400", "--json", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def answer(process: subprocess.Popen[str]) -> Any:
    """The document without what is measured."""
    out, _ = process.communicate(timeout=300)
    return _without_times(json.loads(out))


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_times(each) for name, each in value.items() if name not in _TIMES}
    return [_without_times(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("file", "invariant", "verdict"), FILES, ids=lambda value: str(value).rsplit("/", 1)[-1])
def test_two_runs_at_once_on_a_busy_machine_give_the_same_document(
    file: str, invariant: str, verdict: str | None
) -> None:
    alone = answer(begin(file, invariant))
    with busy_machine(1):
        pair = [begin(file, invariant), begin(file, invariant, "--jobs", "2")]
        together = [answer(process) for process in pair]
    assert together == [alone, alone]
    assert verdict is None or alone["verdict"] == verdict


def test_work_is_spent_at_the_same_place_with_two_processes() -> None:
    asked = (str(EVERYDAY / "ticket_nat.cafe"), "inv1", "--max-work", "300")
    alone, together = [answer(begin(*asked, *words)) for words in ((), ("--jobs", "2"))]
    assert together == alone
    assert (alone["verdict"], alone["reason"]) == ("unknown", "the budget of work is spent")
    assert alone["open"], "it says what is open"

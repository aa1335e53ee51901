"""`search` with --symmetry, --jobs and --compact: what it prints, and how it ends."""

from __future__ import annotations

import signal

import pytest
from commands import checked, interruptible, run
from support import ROOT

MCS = str(ROOT / "specs" / "mcs.cafe")
QLOCK = str(ROOT / "specs" / "qlock.cafe")


def test_orbits_are_called_orbits() -> None:
    code, out, _ = run("search", QLOCK, "--with", "Pid=4", "--symmetry")
    assert code == 0
    assert "orbits of states" in out
    assert "interchangeable: p1 p2 p3 p4 (24 renamings); what is counted are orbits, not states" in out
    assert "9 orbits" in out.splitlines()[-1]
    code, out, _ = run("search", QLOCK, "--with", "Pid=4", "--symmetry", "--json")
    found = checked("search", out)
    assert (found["unit"], found["states"], found["work"]["renamings"]) == ("orbits", 9, 24)


def test_without_interchangeable_entities_that_is_said() -> None:
    code, out, _ = run("search", str(ROOT / "specs" / "peterson.cafe"), "--symmetry")
    assert code == 0
    assert "no two entities are interchangeable" in out


def test_a_compact_search_says_its_risk() -> None:
    code, out, _ = run("search", QLOCK, "--compact", "--json")
    found = checked("search", out)
    assert code == 0
    assert (found["unit"], found["states"], found["exhausted"]) == ("states", 31, True)
    assert 0 < found["work"]["collision_risk"] < 1e-30


@pytest.mark.parametrize(
    ("limit", "reason"), [(("--timeout", "1"), "the time is spent"), (("--memory", "30"), "the memory is spent")]
)
def test_a_limit_ends_with_what_is_known(limit: tuple[str, ...], reason: str) -> None:
    code, out, _ = run("search", MCS, "--with", "Pid=4", "--depth", "90", "--jobs", "2", "--count", "0", *limit)
    assert code == 3
    assert out.splitlines()[-1].startswith(f"unknown: {reason}")


_INTERRUPTED = """
import sys
from otsrw.application import Instantiated
from otsrw.cli import main
begin = Instantiated.search
def told(self, invariant, depth, limits, listener, count, means):
    def listen(progress):
        listener(progress)
        if progress.states:
            print("begun", file=sys.stderr, flush=True)
    return begin(self, invariant, depth, limits, listen, count, means)
Instantiated.search = told
sys.argv = ["otsrw", "search", *sys.argv[1:]]
main.run()
"""


def test_ctrl_c_ends_several_processes_with_what_is_known() -> None:
    words = (MCS, "--with", "Pid=4", "--depth", "90", "--jobs", "2", "--json")
    with interruptible("-c", _INTERRUPTED, *words) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    found = checked("search", out)
    assert (found["verdict"], found["reason"]) == ("unknown", "interrupted")
    assert found["states"] > 0

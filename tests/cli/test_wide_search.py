"""`search` with --symmetry, --jobs and --compact: what it prints, and how it ends."""

from __future__ import annotations

import pytest
from commands import checked, run
from support import ROOT

MCS = str(ROOT / "specs" / "mcs.cafe")
NSPK = str(ROOT / "specs" / "nspk.cafe")
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


@pytest.mark.parametrize("means", [("--jobs", "2"), ("--jobs", "2", "--compact")], ids=["parts", "levels"])
@pytest.mark.parametrize(
    ("limit", "reason"), [(("--timeout", "1"), "the time is spent"), (("--memory", "30"), "the memory is spent")]
)
def test_a_limit_ends_with_what_is_known(limit: tuple[str, ...], reason: str, means: tuple[str, ...]) -> None:
    code, out, _ = run("search", NSPK, "--inv", "send2-lemma", "--depth", "6", "--count", "0", *means, *limit)
    assert code == 3
    assert out.splitlines()[-1].startswith(f"unknown: {reason}")


def test_a_search_that_was_not_divided_says_why() -> None:
    code, out, _ = run("search", MCS, "--with", "Pid=3", "--depth", "60", "--jobs", "2", "--count", "0")
    assert code == 0
    assert "the work was not divided: level 19 has only 1.1 times the states of the one before" in out
    assert "risk" not in out, "one process compares whole states"


def test_states_may_be_left_uncounted() -> None:
    words = ("search", NSPK, "--inv", "send2-lemma", "--depth", "5", "--count", "0", "--jobs", "2", "--uncounted")
    code, out, _ = run(*words)
    assert code == 0
    assert "the states after level 4 were not counted" in out
    assert "(the bound was reached); more than 11 323 states, " in out.splitlines()[-1]
    _, out, _ = run(*words, "--json")
    found = checked("search", out)
    assert (found["states"], found["work"]["divided"]) == (11323, {"level": 4, "parts": 12, "counted": False})


@pytest.mark.parametrize("means", [(), ("--symmetry", "--jobs", "2")], ids=["one process", "orbits"])
def test_only_a_divided_search_leaves_states_uncounted(means: tuple[str, ...]) -> None:
    code, _, err = run("search", NSPK, "--uncounted", *means)
    assert code == 2
    assert "E545" in err and "--jobs" in err


def test_a_verdict_by_fingerprints_says_the_risk() -> None:
    code, out, _ = run(
        "search", str(ROOT / "specs" / "ticket.cafe"), "--with", "Pid=enough", "--depth", "3", "--symmetry"
    )
    assert code == 0
    said = "no violation of mutex within 3 steps, for any number of Pid (the bound was reached; risk of a missed state "
    assert out.splitlines()[-1].startswith(f"holds: {said}")


@pytest.mark.parametrize("command", ["search", "igf"])
def test_several_invariants_by_several_processes_make_one_document(command: str) -> None:
    code, out, _ = run(command, QLOCK, "--inv", "all", "--jobs", "2", "--count", "0", "--json")
    found = checked(command, out)
    assert code == 0
    assert all(each["work"]["workers"] == 2 for each in found["results"])

"""A search that is divided into parts of a level answers what a search in one process answers, to the last state."""

from __future__ import annotations

import tomllib

import pytest
from specifications import SPECS, instance_of, invariant_named, ots_of, ots_of_file

from otsrw.ots import Instance, Invariant
from otsrw.search import Limits, MaudeSpace, OutOfLimits, RewritingSpace, SearchResult, divided
from otsrw.search.space import resident_memory
from otsrw.search.wide import Means, wide_search
from otsrw.syntax.diagnostics import OtsrwError

from .answers import divide_eagerly, told

VERDICTS = tomllib.loads((SPECS / "otsrw.toml").read_text(encoding="utf-8"))["test"]
FILES = list(dict.fromkeys(entry["file"] for entry in VERDICTS if not entry.get("slow")))
FEW = 150


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    divide_eagerly(monkeypatch)


def agree(instance: Instance, invariant: Invariant | None, depth: int, jobs: int = 2) -> SearchResult:
    found = wide_search(instance, invariant, depth, Means(jobs=jobs))
    assert told(found) == told(MaudeSpace(instance).search(invariant, depth))
    return found


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("file", FILES)
def test_every_specification_is_searched_as_by_one_process(file: str) -> None:
    instance = instance_of(ots_of_file(file))
    depth = RewritingSpace(instance).graph(max_states=FEW).depth
    agree(instance, instance.ots.invariants[0], depth)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("least", [1, 20, 200, 1000])
@pytest.mark.parametrize(("invariant", "depth"), [("secrecy", 5), ("send3-lemma", 4), ("send2-lemma", 3)])
def test_the_level_that_is_divided_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, invariant: str, depth: int, least: int
) -> None:
    monkeypatch.setattr(divided, "LEAST", least)
    instance = instance_of(ots_of_file("nspk.cafe"))
    agree(instance, invariant_named(instance, invariant), depth)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("parts", [1, 2, 7, 50])
def test_the_number_of_parts_changes_nothing(monkeypatch: pytest.MonkeyPatch, parts: int) -> None:
    monkeypatch.setattr(divided, "_PARTS", parts)
    monkeypatch.setattr(divided, "_PARTS_EACH", 1)
    instance = instance_of(ots_of_file("nspk.cafe"))
    found = agree(instance, invariant_named(instance, "secrecy"), 4, jobs=1)
    assert found.work is not None and found.work.division is not None
    assert found.work.division.parts == min(parts, 6)


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("depth", [4, 9, 10, 11, 12, 40])
def test_states_that_come_back_are_counted_once(depth: int) -> None:
    """All states of Qlock are within ten steps or so: every part meets nearly all of them."""
    instance = instance_of(ots_of_file("qlock.cafe"), {"Pid": ("p1", "p2", "p3")})
    found = agree(instance, invariant_named(instance, "mutex"), depth)
    assert found.work is not None and found.work.division is not None


COUNTER = """
mod! COUNT {
  pr(NAT)
  *[Sys]*
  op start : -> Sys
  bop value : Sys -> Nat
  bops add double : Sys -> Sys
  op small : Sys -> Bool
  op half : Nat -> Nat
  var S : Sys   var N : Nat
  eq value(start) = 1 .
  eq value(add(S)) = value(S) + 1 .
  eq value(double(S)) = half(value(S) + value(S)) .
  ceq half(N) = N if N < 40 .
  eq small(S) = value(S) < LIMIT .
}
"""


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("depth", [4, 5, 6, 7, 8])
def test_what_has_no_value_is_said_as_by_one_process(depth: int) -> None:
    instance = instance_of(ots_of(COUNTER.replace("LIMIT", "1000")))
    small = invariant_named(instance, "small")
    try:
        MaudeSpace(instance).search(small, depth)
    except OtsrwError as plain:
        with pytest.raises(OtsrwError) as caught:
            wide_search(instance, small, depth, Means(jobs=2))
        assert str(caught.value) == str(plain)
    else:
        agree(instance, small, depth)


@pytest.mark.usefixtures("eager")
def test_without_an_invariant_the_states_are_counted() -> None:
    assert agree(instance_of(ots_of_file("nspk.cafe")), None, 3).states == 807


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize(("invariant", "depth"), [("secrecy", 5), ("send3-lemma", 4), ("send2-lemma", 3)])
def test_without_counts_verdict_depth_and_run_are_the_same(invariant: str, depth: int) -> None:
    instance = instance_of(ots_of_file("nspk.cafe"))
    asked = invariant_named(instance, invariant)
    counted, uncounted = (wide_search(instance, asked, depth, Means(jobs=2, counts=counts)) for counts in (True, False))
    verdict, _, _, *rest = told(counted)
    assert (verdict, *rest) == (told(uncounted)[0], *told(uncounted)[3:])
    assert (uncounted.states, uncounted.levels) == (7, (1, 7))
    assert uncounted.work is not None and uncounted.work.division is not None
    assert not uncounted.work.division.counted


def test_what_grows_slowly_is_not_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(divided, "LEAST", 200)
    instance = instance_of(ots_of_file("mcs.cafe"), {"Pid": ("p1", "p2", "p3")})
    found = agree(instance, invariant_named(instance, "mutex"), 60)
    assert found.work is not None and found.work.division is None
    assert "times the states of the one before" in (found.work.undivided or "")


def test_parts_that_have_too_much_in_common_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"LEAST": 5, "_GROWTH": 0.0, "_DEEPEST": 1000, "_SOME": 10}.items():
        monkeypatch.setattr(divided, name, value)
    instance = instance_of(ots_of_file("qlock.cafe"), {"Pid": ("p1", "p2", "p3")})
    found = agree(instance, invariant_named(instance, "mutex"), 40)
    assert found.work is not None and "too much in common" in (found.work.undivided or "")


def test_time_that_was_spent_before_counts_and_the_limit_is_told_as_it_was_given() -> None:
    limits = Limits(3.0, None, spent=2.0)
    limits.check(0.9, 0)
    with pytest.raises(OutOfLimits, match=r"\(3 s\)"):
        limits.check(1.1, 0)


def test_what_is_known_is_kept_when_the_memory_is_spent() -> None:
    instance = instance_of(ots_of_file("nspk.cafe"))
    limit = resident_memory() + 300_000_000
    found = wide_search(instance, None, 6, Means(jobs=2), Limits(None, limit))
    assert (found.verdict, found.levels[:4]) == ("unknown", (1, 7, 67, 807))
    assert found.reason.startswith("the memory is spent")

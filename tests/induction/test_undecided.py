"""A run in which some case stays undecided is never verified, whatever the reason."""

from __future__ import annotations

import pytest
from specifications import instance_of, ots_of_file

from otsrw.induction import choosing
from otsrw.induction.procedure import igf
from otsrw.induction.results import IgfResult, Options
from otsrw.reasoning import splitting
from otsrw.search import MaudeSpace


def decided(file: str, name: str, options: Options) -> IgfResult:
    ots = ots_of_file(file)
    instance = instance_of(ots)
    invariant = next(each for each in ots.invariants if each.name == name)
    return igf(ots, MaudeSpace(instance), invariant, options)


def test_lemmas_beyond_the_greatest_level_are_not_assumed() -> None:
    assert decided("tas.cafe", "mutex", Options(depth=2)).verdict == "verified"
    result = decided("tas.cafe", "mutex", Options(depth=2, max_level=0))
    assert result.verdict == "unknown"
    assert result.reason.startswith("the limit of 0 lemmas below each other is reached")


def test_too_many_lemmas_are_not_assumed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "MAX_LEMMAS", 0)
    result = decided("qlock.cafe", "mutex", Options(depth=2))
    assert result.verdict == "unknown"
    assert result.reason.startswith("the limit of 0 lemmas is reached")
    assert all(node.status != "proved" for node in result.nodes.values())


def test_a_case_that_is_not_split_to_its_end_is_not_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "MAX_CASES", 1)
    assert decided("tas.cafe", "mutex", Options(depth=2)).verdict == "unknown"
    monkeypatch.undo()
    monkeypatch.setattr(splitting, "MAX_SPLITS", 0)
    assert decided("tas.cafe", "mutex", Options(depth=2)).verdict == "unknown"

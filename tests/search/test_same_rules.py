"""Two rules may lead from a state to the same state; which of them Maude names depends on where they are in memory.

A process that has answered other questions before has other places free. What is told must not depend on that.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from specifications import instance_of, invariant_named, ots_of_file

from otsrw.search import MaudeSpace
from search.answers import told

QUESTIONS = 12
"""In one process; the rules named differ from the second one on."""


@pytest.fixture(scope="module")
def space() -> Iterator[MaudeSpace]:
    """The packet is sent twice, or sent and duplicated: `send1` and `dup1` lead to the same state."""
    with MaudeSpace(instance_of(ots_of_file("abp-flawed.cafe"))) as found:
        yield found


def test_the_run_is_told_by_the_first_transition(space: MaudeSpace) -> None:
    reliable = invariant_named(space.instance, "reliable")
    found = []
    for number in range(QUESTIONS):
        found.append(told(space.search(reliable, 12)))
        space.reachable(2 + number % 3)
    assert all(each == found[0] for each in found)


def test_a_sample_is_the_same_whatever_was_asked_before(space: MaudeSpace) -> None:
    found = []
    for number in range(QUESTIONS):
        found.append(space.sample(300).states)
        space.reachable(2 + number % 3)
    assert all(each == found[0] for each in found)

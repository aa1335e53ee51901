"""Which of several ways to split a case is taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import cast

import pytest

from otsrw.induction import Options, igf
from otsrw.induction.attempts import PATIENCE, RefinedLeaf, SplitAttempt, shortest
from otsrw.ots import find_ots
from otsrw.proofs import load
from otsrw.reasoning.splitting import Policy, conditions_first, goal_first, whichever_is_shorter
from otsrw.reasoning.workbench import Workbench

DEAR = PATIENCE // 2


class Way:
    """A way to split: for each leaf whether it is closed, and what it costs."""

    def __init__(self, name: str, *leaves: tuple[bool, int]) -> None:
        self.name = name
        self.bench = cast(Workbench, SimpleNamespace(reductions=0))
        self.looked_at = 0
        self.attempt = SplitAttempt(self.bench, self._found(leaves))

    def _found(self, leaves: Sequence[tuple[bool, int]]) -> Iterator[RefinedLeaf]:
        for is_closed, cost in leaves:
            self.looked_at += 1
            self.bench.reductions += cost
            yield cast(RefinedLeaf, SimpleNamespace(parts=(SimpleNamespace(is_closed=is_closed),), way=self.name))


def taken(*ways: Way) -> str:
    (name,) = {cast(SimpleNamespace, leaf).way for leaf in shortest([way.attempt for way in ways])}
    return cast(str, name)


CLOSED, OPEN = (True, DEAR), (False, DEAR)


@pytest.mark.parametrize(
    ("first", "second", "expected", "looked_at"),
    [
        pytest.param([CLOSED] * 9, [CLOSED], "first", (9, 0), id="a way that closes all is gone to its end"),
        pytest.param([OPEN] * 2, [CLOSED], "first", (2, 0), id="a short way is gone to its end"),
        pytest.param([OPEN] * 90, [CLOSED] * 2, "second", (3, 2), id="a long way ends when another one is short"),
        pytest.param([OPEN] * 90, [OPEN] * 4, "second", (5, 4), id="the first at its end is taken if it is no worse"),
        pytest.param([OPEN] * 4, [CLOSED] * 9, "second", (4, 9), id="a longer way that leaves less open is better"),
        pytest.param([OPEN] * 4, [CLOSED] * 9 + [OPEN] * 4, "first", (4, 13), id="a longer way must leave less open"),
        pytest.param(
            [OPEN] + [CLOSED] * 9, [OPEN] * 4, "first", (10, 4), id="the first is gone on with if it leaves less open"
        ),
    ],
)
def test_the_shortest_way_that_leaves_least_open(
    first: list[tuple[bool, int]], second: list[tuple[bool, int]], expected: str, looked_at: tuple[int, int]
) -> None:
    ways = Way("first", *first), Way("second", *second)
    assert taken(*ways) == expected
    assert tuple(way.looked_at for way in ways) == looked_at


def test_alone_a_way_is_gone_to_its_end() -> None:
    way = Way("only", *[OPEN] * 50)
    assert taken(way) == "only" and way.looked_at == 50


@pytest.mark.parametrize("lemmas", [(), ("lock-lemma",)], ids=["open", "closed"])
def test_a_case_with_two_ways_leaves_no_more_open(monkeypatch: pytest.MonkeyPatch, lemmas: tuple[str, ...]) -> None:
    monkeypatch.setattr("otsrw.induction.attempts.PATIENCE", 0)
    ots = find_ots(load("specs/tas.cafe"))
    mutex = next(each for each in ots.invariants if each.name == "mutex")

    def undecided(policy: Policy) -> int:
        found = igf(ots, None, mutex, Options(policy=policy, lemmas=lemmas, discover=False))
        return sum(len(node.undecided) for node in found.nodes.values())

    counts = [undecided(policy) for policy in (conditions_first, goal_first, whichever_is_shorter)]
    assert counts[2] <= min(counts[:2]) and (counts[2] == 0) is bool(lemmas)

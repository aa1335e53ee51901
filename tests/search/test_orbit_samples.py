"""A sample of orbits ends where its budget does: states, steps, or the rewrites that these take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest

from otsrw.search.maude_worker.expanding import Expander
from otsrw.search.maude_worker.messages import SymmetryGroups
from otsrw.search.maude_worker.sampling import OrbitSample
from otsrw.search.maude_worker.searching import MOST_REWRITES


class Numbers:
    """States are numbers; each has the next ten as successors, and every step takes so many rewrites."""

    def __init__(self, cost: int, last: int) -> None:
        self.rewrites = 0
        self._cost, self._last = cost, last

    def starts(self) -> Iterator[int]:
        yield 0

    def successors(self, state: int) -> Iterator[int]:
        for after in range(state + 1, min(state + 11, self._last + 1)):
            self.rewrites += self._cost
            yield after

    def text(self, state: int) -> str:
        return str(state)

    def has_value(self, state: int) -> bool:
        return state >= 0


class Names:
    """Stands in for the table of terms."""

    def soup(self, state: int) -> str:
        return str(state)

    def news(self) -> list[str]:
        return []


@pytest.mark.parametrize(
    ("cost", "last", "told", "exhausted"),
    [(1, 20, 21, True), (1, 10_000, 70, False), (MOST_REWRITES // 20, 10_000, 12, False)],
)
def test_a_sample_ends_with_its_budget(cost: int, last: int, told: int, exhausted: bool) -> None:
    sample = OrbitSample(cast(Expander, Numbers(cost, last)), 300, SymmetryGroups([["a", "b", "c"]], []))
    found = [soup for part in sample.parts(cast(Any, Names())) for soup in part.states]
    assert (len(found), sample.exhausted) == (told, exhausted)

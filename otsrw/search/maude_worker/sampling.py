"""States of a system with interchangeable entities, one an orbit.

They are found breadth first, by the steps from states that were found before. What is told is the state that was
reached, not the one that stands for its orbit: every state that is told is reachable.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial, prod
from typing import Any

from .expanding import Expander
from .messages import SoupText, StatesPart, SymmetryGroups
from .searching import MOST_REWRITES
from .terms import TermTable

_PART = 500
_MOST_FOR_ONE = 3
"""States that one told state is counted as at most; an orbit may have many more, but to find it takes time."""
_LOOKED_AT = 2
"""States that are looked at for one that is asked for."""


class NoValue(Exception):
    """There is a step to a state without a value."""


class OrbitSample:
    """The first states: so many, counting those that are not told because they are in the orbit of one that is.

    They may be fewer where steps take very many rewrites.
    """

    def __init__(self, expander: Expander, states: int, symmetry: SymmetryGroups) -> None:
        renamings = prod(factorial(len(group)) for group in symmetry.groups)
        self._expander = expander
        self._looks = _LOOKED_AT * states
        self._most = states // min(renamings, _MOST_FOR_ONE)
        self._seen: set[str] = set()
        self.exhausted = False
        """Is there a state of every orbit? Known when all parts were told."""

    def parts(self, table: TermTable) -> Iterator[StatesPart]:
        found = list(self._first())
        for start in range(0, len(found), _PART):
            part = enumerate(found[start : start + _PART], start)
            soups: list[tuple[int, int, str | None, SoupText]] = [(n, 0, None, table.soup(term)) for n, term in part]
            yield StatesPart(table.news(), soups)

    def _is_new(self, term: Any) -> bool:
        """Is it the first state of its orbit?"""
        text = self._expander.text(term)
        if text in self._seen:
            return False
        self._seen.add(text)
        return True

    def _first(self) -> Iterator[Any]:
        level = [term for term in self._expander.starts() if self._is_new(term)]
        yield from level
        left = self._looks
        while level:
            following: list[Any] = []
            for before in level:
                for after in self._expander.successors(before):
                    left -= 1
                    if not self._expander.has_value(after):
                        raise NoValue
                    if self._is_new(after):
                        following.append(after)
                        yield after
                    is_spent = not left or self._expander.rewrites > MOST_REWRITES
                    if is_spent or len(self._seen) >= self._most:
                        return
            level = following
        self.exhausted = True

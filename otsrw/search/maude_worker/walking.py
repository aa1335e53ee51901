"""Random walks, the same in every run: they see deep states of systems that are too large to be searched."""

from __future__ import annotations

import random
from collections.abc import Iterator

import maude

from .loaded import ROOT, with_root
from .messages import Load, SoupText, StatesPart
from .terms import TermTable

_WALKS = 40
_LENGTH = 60
_PART = 500
_MOST_AFTER = 300
"""States after one state that a walk looks at: a long walk may be in a state with very many."""
_MOST_REWRITES = 3_000_000
"""In all walks together; they end where this is spent."""


class MaudeWalks:
    """Walks from the initial states. All states that follow one on the way are told, not only the one chosen."""

    def __init__(self, module: Load, table: TermTable) -> None:
        extended = with_root(module, None, clock=False)
        self._sort = next(sort for sort in extended.getSorts() if str(sort) == module.states)
        self._graph = maude.RewriteGraph(extended.parseTerm(ROOT))
        self._table = table
        self._chance = random.Random(0)
        self._seen: set[int] = set()

    def parts(self, most: int) -> Iterator[StatesPart]:
        """At most about so many states, without their origins."""
        soups: list[tuple[int, int, str | None, SoupText]] = []
        for node in self._nodes(most):
            soups.append((node, 0, None, self._table.soup(self._graph.getStateTerm(node))))
            if len(soups) == _PART:
                yield StatesPart(self._table.news(), soups)
                soups = []
        yield StatesPart(self._table.news(), soups)

    def _nodes(self, most: int) -> Iterator[int]:
        for _ in range(_WALKS):
            following = self._following(0)
            for _ in range(_LENGTH):
                if not following or len(self._seen) >= most or self._graph.getNrRewrites() > _MOST_REWRITES:
                    break
                yield from self._new(following)
                following = self._following(self._chance.choice(following))

    def _new(self, nodes: list[int]) -> list[int]:
        found = [node for node in nodes if node not in self._seen]
        self._seen.update(found)
        return found

    def _following(self, node: int) -> list[int]:
        """The states after a state; those without a value are left out."""
        found = []
        index = 0
        while index < _MOST_AFTER and (after := self._graph.getNextState(node, index)) >= 0:
            if self._graph.getStateTerm(after).getSort() <= self._sort:
                found.append(after)
            index += 1
        return found

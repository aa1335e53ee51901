"""Random walks, the same in every run: they see deep states of systems that are too large to be searched."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

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
"""In all walks of a kind together; they end where this is spent."""

_CURIOUS_WALKS = 50
_CURIOUS_LENGTH = 20
_MOST_AFTER_CURIOUS = 2000


class MaudeWalks:
    """Walks from the initial states.

    On random walks all states that follow one on the way are told, not only the one chosen. On curious walks the rule
    comes first that was taken least often so far; only the states on the way are told. They get to the end of
    protocols with many choices, where random walks hardly ever do.
    """

    def __init__(self, module: Load, table: TermTable) -> None:
        extended = with_root(module, None, clock=False)
        self._sort = next(sort for sort in extended.getSorts() if str(sort) == module.states)
        self._graph = maude.RewriteGraph(extended.parseTerm(ROOT))
        self._known_rules: dict[int, list[str]] = {}
        self._table = table
        self._chance = random.Random(0)
        self._seen: set[int] = set()

    def parts(self, most: int) -> Iterator[StatesPart]:
        """At most about so many states, without their origins."""
        soups: list[tuple[int, int, str | None, SoupText]] = []
        for node in chain(self._random(most), self._curious()):
            soups.append((node, 0, None, self._table.soup(self._graph.getStateTerm(node))))
            if len(soups) == _PART:
                yield StatesPart(self._table.news(), soups)
                soups = []
        yield StatesPart(self._table.news(), soups)

    def _random(self, most: int) -> Iterator[int]:
        for _ in range(_WALKS):
            following = self._following(0)
            for _ in range(_LENGTH):
                if not following or len(self._seen) >= most or self._graph.getNrRewrites() > _MOST_REWRITES:
                    break
                yield from self._new(following)
                following = self._following(self._chance.choice(following))

    def _curious(self) -> Iterator[int]:
        spent = self._graph.getNrRewrites()
        taken: Counter[str] = Counter()
        for _ in range(_CURIOUS_WALKS):
            node = 0
            for _ in range(_CURIOUS_LENGTH):
                following = self._following(node, _MOST_AFTER_CURIOUS)
                if not following or self._graph.getNrRewrites() - spent > _MOST_REWRITES:
                    break
                node = self._rarest(node, following, taken)
                yield from self._new([node])

    def _rarest(self, node: int, following: list[int], taken: Counter[str]) -> int:
        """A state after the rule that was taken least often."""
        rules = self._rules(node, following)
        least = min(taken[rule] for rule in rules)
        pairs = [pair for pair in zip(following, rules, strict=True) if taken[pair[1]] == least]
        after, rule = self._chance.choice(pairs)
        taken[rule] += 1
        return after

    def _rules(self, node: int, following: list[int]) -> list[str]:
        """For each state the first rule that leads to it: the graph tells the one that comes first in memory."""
        known = self._known_rules.get(node)
        if known is None:
            known = self._known_rules[node] = self._first_rules(node, following)
        return known

    def _first_rules(self, node: int, following: list[int]) -> list[str]:
        by_hash: dict[int, list[tuple[int, Any]]] = {}
        for after in following:
            term = self._graph.getStateTerm(after)
            by_hash.setdefault(term.hash(), []).append((after, term))
        first: dict[int, str] = {}
        for term, _, _, rule in self._graph.getStateTerm(node).apply(None):
            term.reduce()
            for after, wanted in by_hash.get(term.hash(), ()):
                if after not in first and term.equal(wanted):
                    first[after] = rule.getLabel() or ""
            if len(first) == len(following):
                break
        return [first.get(after, "") for after in following]

    def _new(self, nodes: list[int]) -> list[int]:
        found = [node for node in nodes if node not in self._seen]
        self._seen.update(found)
        return found

    def _following(self, node: int, most: int = _MOST_AFTER) -> list[int]:
        """The states after a state; those without a value are left out."""
        found = []
        index = 0
        while index < most and (after := self._graph.getNextState(node, index)) >= 0:
            if self._graph.getStateTerm(after).getSort() <= self._sort:
                found.append(after)
            index += 1
        return found

"""Several ways to split one induction case: which of them is worth its work?

The first way is gone to its end if it closes the case, or if that does not take long. Otherwise the next way is tried
as well, step by step, so that both have had as much work: whichever is at its end first is taken, unless the other one
leaves fewer cases open. Work is counted in reductions.
"""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.reasoning.splitting import Leaf
from otsrw.reasoning.workbench import Workbench
from otsrw.records import dataclass

PATIENCE = 1_500
"""Reductions after which a way that leaves a case open is not the only one any more."""


@dataclass(frozen=True, eq=False, slots=True)
class RefinedLeaf:
    """A leaf, and the leaves that premises split it into; the leaf alone if there was nothing to split."""

    leaf: Leaf
    parts: tuple[Leaf, ...]


class SplitAttempt:
    """The leaves of a case as one way to split it finds them, one after the other."""

    def __init__(self, bench: Workbench, leaves: Iterator[RefinedLeaf]) -> None:
        self.found: list[RefinedLeaf] = []
        self.work = 0
        """Reductions so far."""
        self.open = 0
        """Parts that are not closed."""
        self.is_done = False
        self._bench = bench
        self._leaves = leaves

    def advance(self) -> None:
        """Find the next leaf."""
        before = self._bench.reductions
        leaf = next(self._leaves, None)
        self.work += self._bench.reductions - before
        if leaf is None:
            self.is_done = True
        else:
            self.found.append(leaf)
            self.open += sum(not part.is_closed for part in leaf.parts)


def shortest(attempts: list[SplitAttempt]) -> list[RefinedLeaf]:
    """The leaves that the first attempt at its end has found, or those of another one that leaves fewer open."""
    first, *others = attempts
    while not first.is_done and not (others and first.open and first.work > PATIENCE):
        first.advance()
    if first.is_done:
        return first.found
    while not any(attempt.is_done for attempt in attempts):
        min(attempts, key=lambda attempt: attempt.work).advance()
    best = next(attempt for attempt in attempts if attempt.is_done)
    for attempt in attempts:
        while attempt.open < best.open and not attempt.is_done:
            attempt.advance()
        if attempt.is_done and attempt.open < best.open:
            best = attempt
    return best.found

"""The shortest lasso that violates Inev(l1..ln).

A run u v v v ... misses the sequence iff, for some j, u shows at most j of its labels and the loop v never takes label
j + 1. So for each j the entries of loops are looked at, nearest first, and for each the shortest way back that avoids
that label. Exact as long as `WORK` edges allow; after that the best one found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otsrw.traces.components import strong_components
from otsrw.traces.lts import Lts
from otsrw.traces.matching import ActionSequence

WORK = 3_000_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A place where a loop may begin: a state, how many labels were seen and how many steps made before it."""

    node: int
    state: int
    seen: int
    depth: int


def shortest_lasso(
    lts: Lts, sequence: ActionSequence, entries: Sequence[Entry], limit: int | None
) -> tuple[Entry, list[int]] | None:
    """An entry and the transitions of a loop, together fewer than `limit`; `entries` are in order of depth."""
    best: tuple[Entry, list[int]] | None = None
    work = WORK
    for number in range(len(sequence)):
        graph = _WithoutActions(lts, sequence.actions(number))
        tried: set[int] = set()
        for entry in entries:
            if limit is not None and (entry.depth >= limit - 1 or work < 0):
                break
            if entry.seen > number or entry.state in tried:
                continue
            tried.add(entry.state)
            loop, spent = graph.way_back(entry.state, None if limit is None else limit - 1 - entry.depth)
            work -= spent
            if loop is not None:
                best = entry, loop
                limit = entry.depth + len(loop)
    return best


class _WithoutActions:
    """A system without the transitions of some actions."""

    def __init__(self, lts: Lts, without: bytearray) -> None:
        self.offsets = [0]
        self.heads: list[int] = []
        self.transitions: list[int] = []
        for state in range(lts.states):
            for transition in lts.outgoing.of(state):
                if not without[lts.actions[transition]]:
                    self.heads.append(lts.targets[transition])
                    self.transitions.append(transition)
            self.offsets.append(len(self.heads))
        self.component, _ = strong_components(self.offsets, self.heads)

    def way_back(self, state: int, room: int | None) -> tuple[list[int] | None, int]:
        """A shortest loop through a state of at most `room` transitions, and how many edges were looked at."""
        found_by: dict[int, tuple[int, int]] = {}
        layer = [state]
        length = spent = 0
        while layer and (room is None or length < room):
            length += 1
            following = []
            for at in layer:
                for edge in range(self.offsets[at], self.offsets[at + 1]):
                    spent += 1
                    head = self.heads[edge]
                    if head == state:
                        return self._unwound(at, edge, state, found_by), spent
                    if self.component[head] == self.component[state] and head not in found_by:
                        found_by[head] = (at, edge)
                        following.append(head)
            layer = following
        return None, spent

    def _unwound(self, at: int, edge: int, state: int, found_by: dict[int, tuple[int, int]]) -> list[int]:
        loop = [self.transitions[edge]]
        while at != state:
            at, edge = found_by[at]
            loop.append(self.transitions[edge])
        return loop[::-1]

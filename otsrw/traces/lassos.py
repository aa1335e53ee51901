"""The shortest lasso that violates Inev(l1..ln).

A run u v v v ... misses the sequence iff, for some j, u shows at most j of its labels and the loop v never takes label
j + 1. So for each j the entries of loops are looked at, nearest first, and for each the shortest way back that avoids
that label. Exact as long as `WORK` edges allow; after that the best one found, and the finder has given up.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from otsrw.records import dataclass
from otsrw.traces.components import strong_components
from otsrw.traces.lts import Lts
from otsrw.traces.matching import ActionSequence

WORK = 1_000_000
WORK_NEAR = 100_000
NEAR = 20


@dataclass(frozen=True, slots=True)
class Entry:
    """A place where a loop may begin: a state, how many labels were seen and how many steps made before it."""

    node: int
    state: int
    seen: int
    depth: int


class LassoFinder:
    """Finds lassos of one system that miss one sequence; what it computes about the system is kept."""

    def __init__(self, lts: Lts, sequence: ActionSequence) -> None:
        self._whole = _WithoutActions(lts, bytearray(len(lts.labels)))
        self.gave_up = False
        """Whether a shorter lasso may have been missed."""
        self._graphs = [_WithoutActions(lts, sequence.actions(number), self._whole) for number in range(len(sequence))]

    @cached_property
    def has_loops(self) -> bool:
        return max(self._whole.component) >= 0

    def shortest(self, entries: Sequence[Entry], limit: int | None) -> tuple[Entry, list[int]] | None:
        """An entry and the transitions of a loop, together fewer than `limit`; `entries` are in order of depth."""
        near = self._shortest(entries, NEAR, WORK_NEAR) if limit is None else None
        self.gave_up = False
        if near is not None:
            limit = near[0].depth + len(near[1])
        return self._shortest(entries, limit, WORK) or near

    def _shortest(self, entries: Sequence[Entry], limit: int | None, work: int) -> tuple[Entry, list[int]] | None:
        best: tuple[Entry, list[int]] | None = None
        for number, graph in enumerate(self._graphs):
            tried: set[int] = set()
            for entry in entries:
                if limit is not None and entry.depth >= limit - 1:
                    break
                if limit is not None and work < 0:
                    self.gave_up = True
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

    def __init__(self, lts: Lts, without: bytearray, whole: _WithoutActions | None = None) -> None:
        self.lts = lts
        self.without = without
        self.whole = whole
        self._component_known = False

    @cached_property
    def component(self) -> list[int]:
        """The strong component of each state, or -1 if the state is on no loop."""
        self._component_known = True
        lts, without = self.lts, self.without
        if self.whole is not None and (not any(without) or max(self.whole.component) < 0):
            return self.whole.component
        component, count = lts.components if self.whole is None else self._components()
        looping = bytearray(count)
        for source, action, target in zip(lts.sources, lts.actions, lts.targets, strict=True):
            if component[source] == component[target] and not without[action]:
                looping[component[source]] = 1
        return [number if looping[number] else -1 for number in component]

    def _components(self) -> tuple[Sequence[int], int]:
        lts, without = self.lts, self.without
        rows, actions, targets = lts.outgoing, lts.actions, lts.targets
        offsets, heads = [0], []
        for state in range(lts.states):
            for position in range(rows.offsets[state], rows.offsets[state + 1]):
                transition = rows.transitions[position]
                if not without[actions[transition]]:
                    heads.append(targets[transition])
            offsets.append(len(heads))
        return strong_components(offsets, heads)

    def way_back(self, state: int, room: int | None) -> tuple[list[int] | None, int]:
        """A shortest loop through a state of at most `room` transitions, and how many edges were looked at.

        Unless it is short, the search stays in the strong component, so that it fails at once where there is no loop.
        """
        far = room is None or room > NEAR or self._component_known
        component = self.component if far else None
        if component is not None and component[state] < 0:
            return None, 0
        found_by: dict[int, tuple[int, int]] = {}
        layer = [state]
        length = spent = 0
        while layer and (room is None or length < room):
            length += 1
            following = []
            for at in layer:
                for transition in self.lts.outgoing.of(at):
                    if self.without[self.lts.actions[transition]]:
                        continue
                    spent += 1
                    target = self.lts.targets[transition]
                    if target == state:
                        return _unwound(at, transition, state, found_by), spent
                    if target not in found_by and (component is None or component[target] == component[state]):
                        found_by[target] = (at, transition)
                        following.append(target)
            layer = following
        return None, spent


def _unwound(at: int, transition: int, state: int, found_by: dict[int, tuple[int, int]]) -> list[int]:
    loop = [transition]
    while at != state:
        at, transition = found_by[at]
        loop.append(transition)
    return loop[::-1]

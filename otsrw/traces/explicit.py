"""The explicit engine: breadth first over states, the property and the matchers of constraints.

A node is a state, whether the property is violated, and the states of the matchers; each is expanded once. Traces are
counted, not listed: for each of at most `bound` layers, how many paths lead to each node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from otsrw.records import dataclass, field
from otsrw.traces.bounded import BoundedTraces
from otsrw.traces.constraints import TraceConstraint
from otsrw.traces.lts import Path
from otsrw.traces.matcher import ACCEPTED, ConstraintMatcher

TraceNode = tuple[int, bool, tuple[int, ...]]


class OutOfNodes(Exception):
    """A search has met as many nodes as it may."""


@dataclass(frozen=True, slots=True)
class ExplicitEngine:
    traces: BoundedTraces
    most_nodes: int | None = None
    """How many nodes `find` may meet before it raises `OutOfNodes`; None if that does not matter."""
    _matchers: dict[TraceConstraint, ConstraintMatcher] = field(default_factory=dict)

    def find(
        self, violating: bool, inside: Sequence[TraceConstraint] = (), outside: Sequence[TraceConstraint] = ()
    ) -> Path | None:
        search = self._search(violating, inside, outside)
        parents: dict[TraceNode, tuple[TraceNode, int] | None] = {}
        layer: list[TraceNode] = []
        for node in search.starts():
            if node not in parents:
                parents[node] = None
                layer.append(node)
        for depth in range(self.traces.bound + 1):
            for node in layer:
                if search.is_wanted(node):
                    return _path(node, parents)
            following: list[TraceNode] = []
            for node in layer if depth < self.traces.bound else ():
                for after, transition in search.successors(node):
                    if after not in parents:
                        parents[after] = (node, transition)
                        following.append(after)
            layer = following
            if not layer:
                break
            if self.most_nodes is not None and len(parents) > self.most_nodes:
                raise OutOfNodes
        return None

    def count(
        self, violating: bool, inside: Sequence[TraceConstraint] = (), outside: Sequence[TraceConstraint] = ()
    ) -> int:
        nodes = _Numbered(self._search(violating, inside, outside))
        ways: dict[int, int] = {}
        for node in nodes.starts:
            ways[node] = ways.get(node, 0) + 1
        total = 0
        for depth in range(self.traces.bound + 1):
            total += sum([number for node, number in ways.items() if nodes.wanted[node]])
            if depth == self.traces.bound or not ways:
                break
            following: dict[int, int] = {}
            for node, number in ways.items():
                for after in nodes.successors(node):
                    following[after] = following.get(after, 0) + number
            ways = following
        return total

    def _search(
        self, violating: bool, inside: Sequence[TraceConstraint], outside: Sequence[TraceConstraint]
    ) -> _TraceSearch:
        matchers = [self._matcher(constraint) for constraint in (*inside, *outside)]
        return _TraceSearch(self.traces, violating, matchers, len(inside))

    def _matcher(self, constraint: TraceConstraint) -> ConstraintMatcher:
        """Kept if it may be asked for again: constraints with many facts are steps of a minimisation."""
        if constraint in self._matchers:
            return self._matchers[constraint]
        matcher = ConstraintMatcher(constraint, self.traces.moments)
        if len(constraint.facts) <= 12:
            self._matchers[constraint] = matcher
        return matcher


@dataclass(frozen=True, slots=True)
class _TraceSearch:
    """Nodes (state, violated, matcher states) of the traces that may still be wanted."""

    traces: BoundedTraces
    violating: bool
    matchers: list[ConstraintMatcher]
    inside: int

    def starts(self) -> Iterator[TraceNode]:
        safety = self.traces.safety
        begin = tuple(matcher.start for matcher in self.matchers)
        for state, moment in zip(self.traces.lts.initial, self.traces.initially, strict=True):
            yield from self._allowed((state, state in safety.bad_states, self._read(begin, moment)))

    def successors(self, node: TraceNode) -> Iterator[tuple[TraceNode, int]]:
        state, violated, matched = node
        for transition, target, bad, moment in self.traces.steps[state]:
            if self.violating or not bad:
                read = self._read(matched, moment)
                if ACCEPTED not in read[self.inside :]:
                    yield (target, violated or bad, read), transition

    def is_wanted(self, node: TraceNode) -> bool:
        _, violated, matched = node
        return violated == self.violating and all(state == ACCEPTED for state in matched[: self.inside])

    def _read(self, matched: tuple[int, ...], moment: int) -> tuple[int, ...]:
        return tuple([matcher.step(state, moment) for matcher, state in zip(self.matchers, matched, strict=True)])

    def _allowed(self, node: TraceNode) -> Iterator[TraceNode]:
        """Nothing that is violated, or satisfies a constraint, ever ceases to."""
        if (self.violating or not node[1]) and ACCEPTED not in node[2][self.inside :]:
            yield node


class _Numbered:
    """The nodes of a search by number, each expanded when it is first met."""

    def __init__(self, search: _TraceSearch) -> None:
        self._search = search
        self._numbers: dict[TraceNode, int] = {}
        self._nodes: list[TraceNode] = []
        self._following: list[list[int] | None] = []
        self.wanted: list[bool] = []
        self.starts = [self._number(node) for node in search.starts()]

    def successors(self, number: int) -> list[int]:
        """The nodes that the steps of a node lead to, as often as there are such steps."""
        found = self._following[number]
        if found is None:
            found = [self._number(after) for after, _ in self._search.successors(self._nodes[number])]
            self._following[number] = found
        return found

    def _number(self, node: TraceNode) -> int:
        number = self._numbers.get(node)
        if number is None:
            number = self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
            self._following.append(None)
            self.wanted.append(self._search.is_wanted(node))
        return number


def _path(node: TraceNode, parents: dict[TraceNode, tuple[TraceNode, int] | None]) -> Path:
    states, transitions = [node[0]], []
    while (before := parents[node]) is not None:
        node, transition = before
        states.append(node[0])
        transitions.append(transition)
    return Path(tuple(reversed(states)), tuple(reversed(transitions)))

"""Directed graphs with numbered nodes and edges, and what leads where."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cached_property

from otsrw.traces.lts import Index

FAR = 1 << 60


class Digraph:
    """The edges of node v are `range(offsets[v], offsets[v + 1])`; edge e leads to `heads[e]`."""

    def __init__(self) -> None:
        self.offsets: array[int] = array("i", [0])
        self.heads: array[int] = array("i")

    def __len__(self) -> int:
        """The number of nodes."""
        return len(self.offsets) - 1

    def edges(self, node: int) -> range:
        return range(self.offsets[node], self.offsets[node + 1])

    @cached_property
    def tails(self) -> array[int]:
        """Where each edge comes from."""
        found, offsets = array("i"), self.offsets
        for node in range(len(self)):
            found.extend([node] * (offsets[node + 1] - offsets[node]))
        return found

    @cached_property
    def entering(self) -> Index:
        return Index.by(self.heads, len(self))

    def backwards(self, seeds: Iterable[int], through: bytearray | None = None) -> bytearray:
        """Nodes from which a seed can be reached through nodes of one set."""
        found = bytearray(len(self))
        stack = []
        for node in seeds:
            found[node] = 1
            stack.append(node)
        tails, entering = self.tails, self.entering
        while stack:
            for edge in entering.of(stack.pop()):
                tail = tails[edge]
                if not found[tail] and (through is None or through[tail]):
                    found[tail] = 1
                    stack.append(tail)
        return found

    def distances(self, ends: Iterable[int], inside: bytearray) -> list[int]:
        """For each node the number of steps to the nearest end through nodes of one set."""
        distance = [FAR] * len(self)
        layer = list(ends)
        for node in layer:
            distance[node] = 0
        tails, entering = self.tails, self.entering
        while layer:
            following = []
            for node in layer:
                for edge in entering.of(node):
                    tail = tails[edge]
                    if distance[tail] == FAR and inside[tail]:
                        distance[tail] = distance[node] + 1
                        following.append(tail)
            layer = following
        return distance

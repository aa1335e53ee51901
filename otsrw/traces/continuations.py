"""How the beginning of a run is completed to a run that violates the property, with tables computed once.

For safety the way to the nearest violation; for inevitability the way to the nearest deadlock or loop that avoids what
is inevitable, and once around that loop. A decided run needs no completion.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property

from otsrw.records import dataclass
from otsrw.traces.arena import Arena
from otsrw.traces.components import strong_components
from otsrw.traces.product import Product


@dataclass(frozen=True, slots=True)
class ArenaRun:
    """Nodes of a product and the edges between them; with `loop` the last node is `nodes[loop]` again."""

    nodes: tuple[int, ...]
    edges: tuple[int, ...]
    loop: int | None = None


class Continuations(ABC):
    """How runs are completed, for one kind of property."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena

    @abstractmethod
    def is_end(self, node: int) -> bool:
        """Whether a violating run that comes to this node needs no more steps than those of a loop."""

    @abstractmethod
    def ended(self, visited: list[int], taken: list[int]) -> ArenaRun:
        """The run through these nodes, whose last one is an end; a loop is added if the run needs one."""

    @cached_property
    def distance(self) -> list[int]:
        """For each node the number of steps to the nearest end of a violating run."""
        inside = self.arena.violating
        ends = [node for node in range(len(self.arena)) if inside[node] and self.is_end(node)]
        return self.arena.distances(ends, inside)

    def nearest(self, nodes: Sequence[int]) -> int | None:
        """Of the nodes that can violate, the first of those with the least distance; None if no node can violate."""
        violating = [node for node in nodes if self.arena.violating[node]]
        return min(violating, key=self.distance.__getitem__, default=None)

    def weighed(self, start: int, weight: Callable[[int], int]) -> list[int]:
        """The edges of a run from a node to its nearest end, of all such runs one with the least sum of weights."""
        arena, distance = self.arena, self.distance
        layers = [[start]]
        for left in range(distance[start] - 1, -1, -1):
            heads = (arena.heads[edge] for node in layers[-1] for edge in arena.edges(node))
            layers.append(list(dict.fromkeys(head for head in heads if distance[head] == left)))
        sums = {node: weight(node) for node in layers[-1]}
        chosen: dict[int, int] = {}
        for layer in reversed(layers[:-1]):
            for node in layer:
                nearer = [edge for edge in arena.edges(node) if distance[arena.heads[edge]] == distance[node] - 1]
                chosen[node] = min(nearer, key=lambda edge: sums[arena.heads[edge]])
                sums[node] = weight(node) + sums[arena.heads[chosen[node]]]
        edges: list[int] = []
        node = start
        while distance[node]:
            edges.append(chosen[node])
            node = arena.heads[chosen[node]]
        return edges

    def completed(self, nodes: tuple[int, ...], edges: tuple[int, ...]) -> ArenaRun:
        """The whole run that begins with these nodes and edges; the last node has to have a violating continuation."""
        arena, distance = self.arena, self.distance
        taken, visited = list(edges), list(nodes)
        node = visited[-1]
        while distance[node]:
            edge = min(arena.edges(node), key=lambda e: distance[arena.heads[e]])
            node = arena.heads[edge]
            taken.append(edge)
            visited.append(node)
        return self.ended(visited, taken)


class MonitoredContinuations(Continuations):
    """Completes runs to the nearest violation (safety), or to a deadlock or loop without the labels (inevitability)."""

    def __init__(self, product: Product) -> None:
        super().__init__(product)
        self.product = product

    def is_end(self, node: int) -> bool:
        if self.product.monitor.decision_violates:
            return not self.product.undecided[node]
        return bool(self._looping[node]) or not self.product.edges(node)

    def ended(self, visited: list[int], taken: list[int]) -> ArenaRun:
        product, node = self.product, visited[-1]
        if product.monitor.decision_violates or not product.edges(node):
            return ArenaRun(tuple(visited), tuple(taken))
        loop = self._loop(node)
        visited += [product.heads[edge] for edge in loop]
        return ArenaRun(tuple(visited), (*taken, *loop), len(taken))

    @cached_property
    def _component(self) -> Sequence[int]:
        """Strong components of the part where the decision is avoided; nodes outside stand alone."""
        product, inside = self.product, self.product.avoid
        offsets, heads = [0], []
        for node in range(len(product.states)):
            if inside[node]:
                heads += [product.heads[edge] for edge in product.edges(node) if inside[product.heads[edge]]]
            offsets.append(len(heads))
        return strong_components(offsets, heads)[0]

    @cached_property
    def _looping(self) -> bytearray:
        product, component = self.product, self._component
        looping = bytearray(len(product.states))
        for node in range(len(product.states)):
            if product.avoid[node]:
                looping[node] = any(self._stays(node, edge) for edge in product.edges(node))
        members = {component[node] for node, loops in enumerate(looping) if loops}
        return bytearray(component[node] in members for node in range(len(looping)))

    def _stays(self, node: int, edge: int) -> bool:
        head = self.product.heads[edge]
        return bool(self.product.avoid[head]) and self._component[head] == self._component[node]

    def _loop(self, start: int) -> list[int]:
        """The edges of a shortest loop through a node that has one."""
        product = self.product
        found_by: dict[int, tuple[int, int]] = {}
        layer = [start]
        while layer:
            following = []
            for node in layer:
                for edge in product.edges(node):
                    head = product.heads[edge]
                    if head == start:
                        loop, back = [edge], node
                        while back != start:
                            back, taken = found_by[back]
                            loop.append(taken)
                        return loop[::-1]
                    if head not in found_by and self._stays(node, edge):
                        found_by[head] = (node, edge)
                        following.append(head)
            layer = following
        raise AssertionError("a node on no loop")

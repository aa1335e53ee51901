"""How a run that can still violate a property is completed to one that does, from tables computed once.

For safety the way to the nearest violation; for inevitability the way to the nearest deadlock or loop that avoids what
is inevitable, and once around that loop. A decided run needs no completion.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from otsrw.traces.components import strong_components
from otsrw.traces.product import Product

FAR = 1 << 60


@dataclass(frozen=True, slots=True)
class Run:
    """Nodes of a product and the edges between them; with `loop` the last node is `nodes[loop]` again."""

    nodes: tuple[int, ...]
    edges: tuple[int, ...]
    loop: int | None = None


@dataclass(frozen=True, eq=False)
class Continuations:
    product: Product

    @cached_property
    def distance(self) -> list[int]:
        """For each node the number of steps to the nearest end of a violating run."""
        product = self.product
        inside = product.violating
        if product.monitor.decision_violates:
            ends = [node for node, undecided in enumerate(product.undecided) if not undecided]
        else:
            looping = self._looping
            ends = [
                node
                for node in range(len(product.states))
                if inside[node] and (looping[node] or not product.edges(node))
            ]
        distance = [FAR] * len(product.states)
        for node in ends:
            distance[node] = 0
        layer = ends
        while layer:
            following = []
            for node in layer:
                for edge in product.entering.of(node):
                    tail = product.tails[edge]
                    if distance[tail] == FAR and inside[tail]:
                        distance[tail] = distance[node] + 1
                        following.append(tail)
            layer = following
        return distance

    @cached_property
    def _component(self) -> list[int]:
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

    def completed(self, nodes: tuple[int, ...], edges: tuple[int, ...]) -> Run:
        """A run from its beginning, whose last node can violate, to its end."""
        product, distance = self.product, self.distance
        taken, visited = list(edges), list(nodes)
        node = visited[-1]
        while distance[node]:
            edge = min(product.edges(node), key=lambda e: distance[product.heads[e]])
            node = product.heads[edge]
            taken.append(edge)
            visited.append(node)
        if product.monitor.decision_violates or not product.edges(node):
            return Run(tuple(visited), tuple(taken))
        loop = self._loop(node)
        visited += [product.heads[edge] for edge in loop]
        return Run(tuple(visited), (*taken, *loop), len(taken))

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
                        loop = [edge]
                        while node != start:
                            node, edge = found_by[node]
                            loop.append(edge)
                        return loop[::-1]
                    if head not in found_by and self._stays(node, edge):
                        found_by[head] = (node, edge)
                        following.append(head)
            layer = following
        raise AssertionError("a node on no loop")

"""All states within some steps and the events between them, breadth first."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import maude

from .loaded import ROOT, TICK, memory, with_root
from .messages import GraphDone, GraphPart, GraphStuck, Load, MakeGraph, Seen, SoupText
from .terms import TermTable, arguments


class MaudeGraph:
    """Makes a graph and tells it part by part.

    A step takes two rewrites: the first one leaves an element in the soup that says what happened, the second one puts
    an element in its place that says that the soup is ready for another step.
    """

    def __init__(self, module: Load, request: MakeGraph, tell: Callable[[GraphPart | Seen], None]) -> None:
        self._depth = request.depth
        self._most = request.max_states
        self._tell = tell
        extended = with_root(module, request.violation, clock=False)
        self._graph = maude.RewriteGraph(extended.parseTerm(ROOT))
        self._sort = next(sort for sort in extended.getSorts() if str(sort) == module.states)
        self._table = TermTable()
        self._events: dict[int, int] = {}
        self._numbers: dict[int, int] = {}
        self._nodes: list[int] = []
        self._states: list[tuple[SoupText, str]] = []
        self._steps: list[tuple[int, int, int]] = []
        violation = request.violation
        self._violates = (
            next(symbol for symbol in extended.getSymbols() if str(symbol) == violation) if violation else None
        )

    def run(self) -> GraphDone | GraphStuck:
        for node in self._following(0):
            self._number(node)
        reached, expanded, layer_end, cut = 0, 0, len(self._nodes), False
        told = time.monotonic()
        while expanded < len(self._nodes) and not cut and reached != self._depth:
            if not self._expand(expanded):
                self._tell_news(reached)
                return GraphStuck(expanded)
            expanded += 1
            if expanded == layer_end:
                reached, layer_end = reached + (len(self._nodes) > layer_end), len(self._nodes)
            cut = self._most is not None and self._most <= len(self._nodes) and expanded < len(self._nodes)
            if time.monotonic() - told > TICK:
                told = time.monotonic()
                self._tell_news(reached)
        self._tell_news(reached)
        return GraphDone(reached, expanded, cut)

    def _expand(self, number: int) -> bool:
        """Add the steps of a state; False if one of them has no value."""
        for after in self._following(self._nodes[number]):
            ready = self._graph.getNextState(after, 0)
            if ready < 0 or not self._graph.getStateTerm(ready).getSort() <= self._sort:
                return False
            self._steps.append((number, self._event(after), self._number(ready)))
        return True

    def _following(self, node: int) -> Iterator[int]:
        index = 0
        while (following := self._graph.getNextState(node, index)) >= 0:
            yield following
            index += 1

    def _number(self, node: int) -> int:
        number = self._numbers.get(node)
        if number is None:
            number = self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
            soup = self._graph.getStateTerm(node)
            self._states.append((self._table.soup(soup), self._truth(soup)))
        return number

    def _truth(self, soup: Any) -> str:
        """Whether a soup violates the invariant, as Maude says it."""
        if self._violates is None:
            return "false"
        term = self._violates.makeTerm([soup])
        term.reduce()
        return str(term)

    def _event(self, node: int) -> int:
        """What happened last; Maude sorts it to the front."""
        known = self._events.get(node)
        if known is None:
            told = next(arguments(self._graph.getStateTerm(node)))
            known = self._events[node] = self._table.number(next(arguments(told)))
        return known

    def _tell_news(self, depth: int) -> None:
        self._tell(GraphPart(self._table.news(), self._states, self._steps))
        self._tell(Seen(depth, len(self._nodes), [], memory()))
        self._states, self._steps = [], []

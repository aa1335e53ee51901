"""Why a cycle of calls ends: one argument descends, or some argument does on every way round.

The subterm criterion looks at one argument of each function: no call of the cycle may make it larger, and the calls
that make it properly smaller are then done with; what is left must end by itself. Size-change looks at all arguments:
every way round a cycle that could be repeated for ever must make some argument smaller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.soundness.calls import Call, Function, arguments, cycles
from otsrw.soundness.descent import Parts
from otsrw.theory.terms import Term

MAX_CHOICES = 20_000
"""Assignments of an argument to a function that are tried for one cycle."""
MAX_GRAPHS = 1500
"""Compositions of calls that size-change keeps."""

Arcs = dict[tuple[int, int], bool]
"""From an argument of the caller to one of the callee that is not larger; true if it is properly smaller."""


class Comparison:
    """The arcs of calls, each computed once."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self._arcs: dict[Call, Arcs] = {}

    def arcs(self, call: Call) -> Arcs:
        found = self._arcs.get(call)
        if found is None:
            found = self._arcs[call] = {}
            for i, large in enumerate(arguments(call.left)):
                for j, small in enumerate(arguments(call.right)):
                    if self.parts.is_smaller(small, large):
                        found[i, j] = True
                    elif self.parts.is_not_larger(small, large):
                        found[i, j] = False
        return found


def descends(calls: Iterable[Call], comparison: Comparison) -> bool:
    """Does the subterm criterion, used again on what it leaves over, show that these calls end?"""
    todo = [list(calls)]
    while todo:
        inside = todo.pop()
        for cycle in cycles(inside):
            own = [c for c in inside if c.caller in cycle and c.callee in cycle]
            left = _left_over(cycle, own, comparison)
            if left is None:
                return False
            todo.append(left)
    return True


def _left_over(cycle: list[Function], calls: list[Call], comparison: Comparison) -> list[Call] | None:
    """The calls that keep the chosen arguments as they are; None if no choice makes any call descend."""
    best: list[Call] | None = None
    for choice in _choices(cycle, calls, comparison):
        left = [c for c in calls if not comparison.arcs(c)[choice[c.caller], choice[c.callee]]]
        if len(left) < len(calls) and (best is None or len(left) < len(best)):
            best = left
            if not cycles(left):
                return left
    return best


def _choices(cycle: list[Function], calls: list[Call], comparison: Comparison) -> Iterator[dict[Function, int]]:
    """Choices of one argument for each function such that no call makes it larger, by backtracking."""
    domains = {f: set(range(len(arguments(_example(f, calls))))) for f in cycle}
    if not _propagate(domains, calls, comparison):
        return
    tries = 0
    todo = [domains]
    while todo:
        current = todo.pop()
        tries += 1
        if tries > MAX_CHOICES:
            return
        undecided = [f for f in cycle if len(current[f]) > 1]
        if not undecided:
            yield {f: next(iter(current[f])) for f in cycle}
            continue
        first = min(undecided, key=lambda f: len(current[f]))
        for value in sorted(current[first], reverse=True):
            trial = {f: set(values) for f, values in current.items()}
            trial[first] = {value}
            if _propagate(trial, calls, comparison):
                todo.append(trial)


def _example(function: Function, calls: list[Call]) -> Term:
    return next(c.left for c in calls if c.caller == function)


def _propagate(domains: dict[Function, set[int]], calls: list[Call], comparison: Comparison) -> bool:
    """Drop arguments that no choice of the others goes with; false if a function has none left."""
    changed = True
    while changed:
        changed = False
        for call in calls:
            pairs = {
                (i, j) for i, j in comparison.arcs(call) if i in domains[call.caller] and j in domains[call.callee]
            }
            if call.caller == call.callee:
                pairs = {(i, j) for i, j in pairs if i == j}
            for function, values in ((call.caller, {i for i, _ in pairs}), (call.callee, {j for _, j in pairs})):
                if domains[function] - values:
                    domains[function] &= values
                    changed = True
                if not domains[function]:
                    return False
    return True


# --- size-change

Graph = tuple[Function, Function, frozenset[tuple[tuple[int, int], bool]]]


def changes_size(calls: Iterable[Call], comparison: Comparison) -> bool:
    """Does every way round that could be repeated for ever make an argument smaller?"""
    closure: set[Graph] = {(c.caller, c.callee, frozenset(comparison.arcs(c).items())) for c in calls}
    todo = list(closure)
    while todo:
        graph = todo.pop()
        for other in list(closure):
            for first, second in ((graph, other), (other, graph)):
                if first[1] == second[0]:
                    both = _composed(first, second)
                    if both not in closure:
                        closure.add(both)
                        todo.append(both)
            if len(closure) > MAX_GRAPHS:
                return False
    return all(_has_thread(graph) for graph in closure if graph[0] == graph[1] and _composed(graph, graph) == graph)


def _composed(first: Graph, second: Graph) -> Graph:
    arcs: Arcs = {}
    for (i, j), strict in first[2]:
        for (start, k), also in second[2]:
            if j == start:
                arcs[i, k] = arcs.get((i, k), False) or strict or also
    return first[0], second[1], frozenset(arcs.items())


def _has_thread(graph: Graph) -> bool:
    return any(i == j and strict for (i, j), strict in graph[2])

"""Sorts and their order.

A `Sort` is an object of the module that declares it; its place in the order depends on who looks (an importing module
may add subsorts), so the order is a separate value, built once for each signature. Connected components are `Kind`s;
each has an error sort above all others, the sort of terms that are connected but not (yet) well-sorted.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

_numbers = count()


class Sort:
    __slots__ = ("hidden", "is_error", "module", "name", "number")

    def __init__(self, name: str, module: str, hidden: bool = False, is_error: bool = False) -> None:
        self.name = name
        self.module = module
        self.hidden = hidden
        self.is_error = is_error
        self.number = next(_numbers)

    def __repr__(self) -> str:
        return f"{self.name}.{self.module}"


COSMOS = Sort("*Cosmos*", "CHAOS")
"""The sort of every term, only for the built-in polymorphic operators."""


class Kind:
    """A connected component of sorts with its error sort."""

    __slots__ = ("error", "sorts", "top")

    def __init__(self, sorts: tuple[Sort, ...], tops: tuple[Sort, ...]) -> None:
        self.sorts = sorts
        self.top = tops[0] if len(tops) == 1 else None
        self.error = Sort("?" + "+".join(sort.name for sort in tops), tops[0].module, is_error=True)

    def __repr__(self) -> str:
        return f"[{','.join(sort.name for sort in self.sorts)}]"


class SortOrder:
    """The subsort relation of one signature: reflexive and transitive, with kinds."""

    __slots__ = ("above", "below", "kind", "sorts")

    def __init__(self, sorts: Iterable[Sort], pairs: Iterable[tuple[Sort, Sort]]) -> None:
        self.sorts = tuple(dict.fromkeys(sorts))
        direct: dict[Sort, list[Sort]] = {sort: [] for sort in self.sorts}
        for lower, upper in dict.fromkeys(pairs):
            direct[lower].append(upper)
        self.above: dict[Sort, frozenset[Sort]] = {sort: _reachable(sort, direct) for sort in self.sorts}
        below: dict[Sort, set[Sort]] = {sort: set() for sort in self.sorts}
        for sort in self.sorts:
            for upper in self.above[sort]:
                below[upper].add(sort)
        self.below: dict[Sort, frozenset[Sort]] = {sort: frozenset(lower) for sort, lower in below.items()}
        self.kind: dict[Sort, Kind] = {}
        self._find_kinds()

    def _find_kinds(self) -> None:
        for sort in self.sorts:
            if sort in self.kind:
                continue
            members: dict[Sort, None] = {sort: None}
            todo = [sort]
            while todo:
                current = todo.pop()
                for other in self.above[current] | self.below[current]:
                    if other not in members:
                        members[other] = None
                        todo.append(other)
            ordered = tuple(s for s in self.sorts if s in members)
            tops = tuple(s for s in ordered if len(self.above[s]) == 1) or ordered[:1]
            kind = Kind(ordered, tops)
            for member in ordered:
                self.kind[member] = kind
            self.kind[kind.error] = kind
            self.below[kind.error] = frozenset(ordered) | {kind.error}
            self.above[kind.error] = frozenset((kind.error,))

    def leq(self, lower: Sort, upper: Sort) -> bool:
        """Is `lower` below `upper`? Everything is below the universal sort and another signature's error sorts."""
        below = self.below.get(upper)
        return below is None or lower in below

    def is_hidden(self, sort: Sort) -> bool:
        """Does the sort lie in a component of hidden sorts?"""
        kind = self.kind.get(sort)
        return kind is not None and kind.sorts[0].hidden

    def join(self, first: Sort, second: Sort) -> Sort:
        """The least common supersort; the error sort of the kind if there is none."""
        if self.leq(first, second):
            return second
        if self.leq(second, first):
            return first
        common = [s for s in self.above[first] & self.above[second] if not s.is_error]
        least = [s for s in common if all(self.leq(s, other) for other in common)]
        return least[0] if least else self.kind[first].error


def _reachable(start: Sort, direct: dict[Sort, list[Sort]]) -> frozenset[Sort]:
    seen = {start}
    todo = [start]
    while todo:
        for upper in direct[todo.pop()]:
            if upper not in seen:
                seen.add(upper)
                todo.append(upper)
    return frozenset(seen)

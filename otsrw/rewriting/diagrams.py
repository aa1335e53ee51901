"""Polynomials over GF(2) as zero-suppressed decision diagrams.

A polynomial is an integer: 0 and 1 are constants, others index a table of (variable, without, with): the polynomial
`without + variable * with`, in which neither part has a variable up to this one. Equal polynomials are equal integers.
Operations are memoised; their cost is the product of the sizes of the diagrams.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_LAST = 1 << 60


class Diagrams:
    """A table of polynomials over variables that are numbers."""

    def __init__(self) -> None:
        self._variable: list[int] = [_LAST, _LAST]
        self._without: list[int] = [0, 1]
        self._with: list[int] = [0, 1]
        self._unique: dict[tuple[int, int, int], int] = {}
        self._sums: dict[tuple[int, int], int] = {}
        self._products: dict[tuple[int, int], int] = {}
        self._counts: dict[int, int] = {0: 0, 1: 1}
        self.on_growth: Callable[[], None] = lambda: None
        """Called now and then while polynomials grow: the place to look at budgets."""

    def size(self) -> int:
        return len(self._variable)

    def _node(self, variable: int, without: int, with_: int) -> int:
        if with_ == 0:
            return without
        key = (variable, without, with_)
        found = self._unique.get(key)
        if found is None:
            found = self._unique[key] = len(self._variable)
            self._variable.append(variable)
            self._without.append(without)
            self._with.append(with_)
        return found

    def count(self, polynomial: int) -> int:
        """The number of monomials."""
        found = self._counts.get(polynomial)
        if found is None:
            found = self._counts[polynomial] = self.count(self._without[polynomial]) + self.count(
                self._with[polynomial]
            )
        return found

    def add(self, first: int, second: int) -> int:
        if first == second:
            return 0
        if first == 0:
            return second
        if second == 0:
            return first
        key = (first, second) if first < second else (second, first)
        found = self._sums.get(key)
        if found is None:
            top, other_top = self._variable[first], self._variable[second]
            if top == other_top:
                found = self._node(
                    top,
                    self.add(self._without[first], self._without[second]),
                    self.add(self._with[first], self._with[second]),
                )
            elif top < other_top:
                found = self._node(top, self.add(self._without[first], second), self._with[first])
            else:
                found = self._node(other_top, self.add(first, self._without[second]), self._with[second])
            self._sums[key] = found
        return found

    def multiply(self, first: int, second: int) -> int:
        if second in (first, 1):
            return first
        if first == 1:
            return second
        if first == 0 or second == 0:
            return 0
        key = (first, second) if first < second else (second, first)
        found = self._products.get(key)
        if found is None:
            if len(self._products) % 1024 == 0:
                self.on_growth()
            top, other_top = self._variable[first], self._variable[second]
            if top == other_top:
                low = self.multiply(self._without[first], self._without[second])
                both = self.multiply(
                    self.add(self._without[first], self._with[first]),
                    self.add(self._without[second], self._with[second]),
                )
                found = self._node(top, low, self.add(both, low))
            elif top < other_top:
                found = self._node(
                    top, self.multiply(self._without[first], second), self.multiply(self._with[first], second)
                )
            else:
                found = self._node(
                    other_top, self.multiply(first, self._without[second]), self.multiply(first, self._with[second])
                )
            self._products[key] = found
        return found

    def _quotient(self, node: int, indexes: tuple[int, ...], memo: dict[Any, int]) -> int:
        """The sum of the monomials that contain all of `indexes`, divided by their product."""
        if not indexes:
            return node
        if node <= 1:
            return 0
        key = (node, indexes)
        found = memo.get(key)
        if found is None:
            variable = self._variable[node]
            if variable > indexes[0]:
                found = 0
            elif variable == indexes[0]:
                found = self._quotient(self._with[node], indexes[1:], memo)
            else:
                low = self._quotient(self._without[node], indexes, memo)
                high = self._quotient(self._with[node], indexes, memo)
                found = self._node(variable, low, high)
            memo[key] = found
        return found

    def _bottom_up(self, polynomial: int) -> list[int]:
        """The nodes of a diagram, each after those it refers to."""
        seen: dict[int, None] = {}
        todo: list[tuple[int, bool]] = [(polynomial, False)]
        while todo:
            node, done = todo.pop()
            if node <= 1 or node in seen:
                continue
            if done:
                seen[node] = None
            else:
                todo += ((node, True), (self._without[node], False), (self._with[node], False))
        return list(seen)

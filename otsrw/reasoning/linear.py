"""Refutes linear constraints over the integers: equality elimination, then Fourier-Motzkin with integer tightening.

A constraint says that a sum of integer multiples of unknowns and a number is zero, is not zero, or is not negative.
`is_refuted` says True only if no integers satisfy all constraints. False means nothing: the method is incomplete over
the integers, and it gives up when it has made too many rows. Its cost is bounded by `MAX_ROWS` and `MAX_BRANCHES`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from math import gcd

from otsrw.records import dataclass

MAX_ROWS = 300
"""Inequalities that are kept at once."""
MAX_BRANCHES = 24
"""Systems without `!=` that are looked at for one question."""


class Relation(Enum):
    """How the value of a sum compares with zero."""

    ZERO = "= 0"
    NONZERO = "!= 0"
    NOT_NEGATIVE = ">= 0"


class LinearSum:
    """A linear sum: a number, and coefficients of unknowns, none of them 0. Unknowns are numbered."""

    __slots__ = ("constant", "parts")

    def __init__(self, parts: Mapping[int, int], constant: int = 0) -> None:
        self.parts = {unknown: factor for unknown, factor in parts.items() if factor}
        self.constant = constant

    def __add__(self, other: LinearSum) -> LinearSum:
        parts = dict(self.parts)
        for unknown, factor in other.parts.items():
            parts[unknown] = parts.get(unknown, 0) + factor
        return LinearSum(parts, self.constant + other.constant)

    def __sub__(self, other: LinearSum) -> LinearSum:
        return self + other.times(-1)

    def times(self, factor: int) -> LinearSum:
        return LinearSum({unknown: factor * each for unknown, each in self.parts.items()}, factor * self.constant)

    def plus(self, number: int) -> LinearSum:
        return LinearSum(self.parts, self.constant + number)

    @property
    def key(self) -> tuple[frozenset[tuple[int, int]], int]:
        """The same for equal sums."""
        return frozenset(self.parts.items()), self.constant


@dataclass(frozen=True, eq=False, slots=True)
class Constraint:
    """A sum that is zero, is not zero, or is not negative."""

    sum: LinearSum
    relation: Relation

    def negated(self) -> Constraint:
        """Holds of exactly the integers of which this one does not."""
        if self.relation is Relation.NOT_NEGATIVE:
            return Constraint(self.sum.times(-1).plus(-1), Relation.NOT_NEGATIVE)
        other = Relation.NONZERO if self.relation is Relation.ZERO else Relation.ZERO
        return Constraint(self.sum, other)


def is_refuted(constraints: Iterable[Constraint]) -> bool:
    """Is it certain that no integers satisfy all constraints?"""
    known = list(constraints)
    zeros = [c.sum for c in known if c.relation is Relation.ZERO]
    bounds = [c.sum for c in known if c.relation is Relation.NOT_NEGATIVE]
    others = [c.sum for c in known if c.relation is Relation.NONZERO]
    return _refuted(zeros, bounds, others, [MAX_BRANCHES])


def related(
    constraints: Iterable[Constraint], subject: Iterable[int], links: Iterable[frozenset[int]] = ()
) -> list[Constraint]:
    """The constraints that are connected with the unknowns of a subject, by others or by links between unknowns."""
    left: list[tuple[Constraint | None, frozenset[int]]] = [(c, frozenset(c.sum.parts)) for c in constraints]
    left += [(None, link) for link in links]
    reached = set(subject)
    found: list[Constraint] = []
    while True:
        near = [(c, parts) for c, parts in left if not parts or not reached.isdisjoint(parts)]
        if not near:
            return found
        found += [c for c, _ in near if c is not None]
        left = [(c, parts) for c, parts in left if parts and reached.isdisjoint(parts)]
        reached.update(unknown for _, parts in near for unknown in parts)


def _refuted(zeros: list[LinearSum], bounds: list[LinearSum], others: list[LinearSum], branches: list[int]) -> bool:
    """Both signs of what is not zero are tried, one such sum after the other."""
    branches[0] -= 1
    if branches[0] < 0:
        return False
    solved = _without_equations(zeros, bounds, others)
    if solved is None:
        return True
    bounds, others = solved
    if any(not each.parts and each.constant == 0 for each in others) or _bounds_clash(bounds):
        return True
    for place, each in enumerate(others):
        if not each.parts:
            continue
        rest = others[place + 1 :]
        positive, negative = each.plus(-1), each.times(-1).plus(-1)
        if _bounds_clash([*bounds, positive]):
            return _refuted([], [*bounds, negative], rest, branches)
        if _bounds_clash([*bounds, negative]):
            return _refuted([], [*bounds, positive], rest, branches)
    open_ones = [each for each in others if each.parts]
    if not open_ones:
        return False
    first, rest = open_ones[0], open_ones[1:]
    return _refuted([], [*bounds, first.plus(-1)], rest, branches) and _refuted(
        [], [*bounds, first.times(-1).plus(-1)], rest, branches
    )


def _without_equations(
    zeros: list[LinearSum], bounds: list[LinearSum], others: list[LinearSum]
) -> tuple[list[LinearSum], list[LinearSum]] | None:
    """The bounds and inequations after unknowns that equations determine are replaced; None if equations clash."""
    todo = list(zeros)
    bounds, others = list(bounds), list(others)
    while todo:
        zero = todo.pop()
        factor = gcd(*zero.parts.values()) if zero.parts else 0
        if not factor:
            if zero.constant:
                return None
            continue
        if zero.constant % factor:
            return None
        zero = LinearSum({unknown: each // factor for unknown, each in zero.parts.items()}, zero.constant // factor)
        unit = next((unknown for unknown, each in zero.parts.items() if abs(each) == 1), None)
        if unit is None:
            bounds += [zero, zero.times(-1)]
            continue
        image = zero.times(-zero.parts[unit]) + LinearSum({unit: 1})
        todo, bounds, others = [[_put(each, unit, image) for each in group] for group in (todo, bounds, others)]
    return bounds, others


def _put(sum_: LinearSum, unknown: int, image: LinearSum) -> LinearSum:
    factor = sum_.parts.get(unknown, 0)
    return sum_ + image.times(factor) + LinearSum({unknown: -factor}) if factor else sum_


def _bounds_clash(bounds: Iterable[LinearSum]) -> bool:
    """Fourier-Motzkin: unknowns are eliminated, those with the fewest new rows first."""
    rows = _tight(bounds)
    while rows:
        if any(not parts and constant < 0 for parts, constant in rows.items()):
            return True
        sums = [LinearSum(dict(parts), constant) for parts, constant in rows.items() if parts]
        unknowns = dict.fromkeys(unknown for each in sums for unknown in each.parts)
        if not unknowns:
            return False
        chosen = min(unknowns, key=lambda unknown: _cost(unknown, sums))
        lower = [s for s in sums if s.parts.get(chosen, 0) > 0]
        upper = [s for s in sums if s.parts.get(chosen, 0) < 0]
        if len(lower) * len(upper) + len(sums) > MAX_ROWS:
            return False
        combined = [low.times(-up.parts[chosen]) + up.times(low.parts[chosen]) for low in lower for up in upper]
        rows = _tight([*(s for s in sums if chosen not in s.parts), *combined])
    return False


def _cost(unknown: int, sums: list[LinearSum]) -> int:
    """How many rows its elimination makes."""
    factors = [each.parts.get(unknown, 0) for each in sums]
    return sum(factor > 0 for factor in factors) * sum(factor < 0 for factor in factors)


def _tight(bounds: Iterable[LinearSum]) -> dict[frozenset[tuple[int, int]], int]:
    """The strongest bound for each combination of unknowns, divided by the common factor and rounded down."""
    rows: dict[frozenset[tuple[int, int]], int] = {}
    for each in bounds:
        factor = gcd(*each.parts.values()) if each.parts else 1
        parts = frozenset((unknown, value // factor) for unknown, value in each.parts.items())
        constant = each.constant // factor
        rows[parts] = min(constant, rows.get(parts, constant))
    return rows

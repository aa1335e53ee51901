"""Clauses that differ in the names of their variables only."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import islice, permutations, product

from otsrw.reasoning.connectives import Literal
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term, variables_of

MAX_NAMINGS = 120
"""Ways to name the variables that are tried; beyond them variants may be taken for different clauses."""


def variant_key(literals: Iterable[Literal]) -> Hashable:
    """The same for all clauses that differ in the names of variables and in the order of literals only."""
    listed = list(literals)
    by_sort: dict[Sort, list[Term]] = {}
    for variable in dict.fromkeys(v for literal in listed for v in variables_of(literal.atom)):
        by_sort.setdefault(variable.sort, []).append(variable)
    orders = product(*[permutations(group) for group in by_sort.values()])
    return min(_written(listed, order) for order in islice(orders, MAX_NAMINGS))


def _written(literals: list[Literal], order: tuple[tuple[Term, ...], ...]) -> tuple[tuple[bool, str], ...]:
    names = {variable: f"{variable.sort.name}#{place}" for group in order for place, variable in enumerate(group)}
    return tuple(sorted((literal.positive, _text(literal.atom, names)) for literal in literals))


def _text(term: Term, names: dict[Term, str]) -> str:
    if not term.args:
        return names.get(term, term.op.name)
    parts = [_text(arg, names) for arg in term.args]
    return f"{term.op.name}({','.join(sorted(parts) if term.op.comm else parts)})"


class GivenUpClauses:
    """Clauses that are not to be guessed again, whatever their variables are called."""

    def __init__(self) -> None:
        self._clauses: dict[Hashable, frozenset[Literal]] = {}
        self._keys: dict[frozenset[Literal], Hashable] = {}

    def add(self, literals: frozenset[Literal]) -> None:
        self._clauses.setdefault(self._key(literals), literals)

    def __contains__(self, literals: object) -> bool:
        return isinstance(literals, frozenset) and self._key(literals) in self._clauses

    def __iter__(self) -> Iterator[frozenset[Literal]]:
        return iter(self._clauses.values())

    def _key(self, literals: frozenset[Literal]) -> Hashable:
        key = self._keys.get(literals)
        if key is None:
            key = self._keys[literals] = variant_key(literals)
        return key

"""Small values of every sort, to try equations about data on before anybody proves them.

Elements of opaque sorts are fresh constants, different from each other and from the constants that the module names.
"""

from __future__ import annotations

from itertools import combinations, islice, product

from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.building import Builders
from otsrw.reasoning.workbench import Equation, Why, Workbench
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import LITERAL_SORTS, literal_sort_name
from otsrw.theory.morphisms import Substitution, substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, Term, literal_of, subterms

ENTITIES = 2
"""Fresh elements of an opaque sort."""
PER_SORT = 7
"""Values of one sort."""
DEPTH = 4
"""How often constructors are nested."""
MAX_POINTS = 120
"""Assignments of values to the variables of an equation."""
MAX_REWRITES = 3000
"""Rewrites of one evaluation."""


class Samples:
    """Values of the sorts of a module, on a workbench of its own."""

    def __init__(self, bench: Workbench, builders: Builders) -> None:
        self.bench = bench.anew()
        self.bench.max_rewrites = MAX_REWRITES
        self.bench.deadline = None
        self.builders = builders
        self._opaque: dict[Sort, tuple[Term, ...]] = {}
        self._values: dict[tuple[Sort, int], tuple[Term, ...]] = {}
        self._assumptions: Assumptions | None = None
        self._known = 0
        """How many opaque sorts the assumptions know."""

    def of(self, sort: Sort) -> tuple[Term, ...]:
        """Some values of a sort, small ones first; none if there are none."""
        return self._of(sort, DEPTH)

    def points(self, variables: tuple[Term, ...]) -> list[Substitution]:
        """Assignments of values to variables, the smallest first."""
        choices = [self.of(v.sort) for v in variables]
        places = sorted(product(*[range(len(each)) for each in choices]), key=lambda place: (sum(place), place))
        return [
            {v: choice[index] for v, choice, index in zip(variables, choices, place, strict=True)}
            for place in islice(places, MAX_POINTS)
        ]

    def value(self, term: Term, point: Substitution) -> Term | None:
        """The value of a term at a point; None if evaluating it does not end in a value."""
        try:
            value = self._differing().reduce(substitute(term, point))
        except BudgetExceeded:
            return None
        return value if self._is_value(value) else None

    def _differing(self) -> Assumptions:
        """That elements of opaque sorts differ."""
        if self._assumptions is not None and len(self._opaque) == self._known:
            return self._assumptions
        self._known = len(self._opaque)
        equal, false = self.bench.connectives.equal, self.bench.connectives.false
        plain = self.bench.rewriter(())
        groups: dict[object, list[Term]] = {}
        for sort, terms in self._opaque.items():
            known = groups.setdefault(self.builders.order.kind.get(sort), [])
            known += [term for term in terms if term not in known]
        pairs = [equal(*pair) for group in groups.values() for pair in combinations(group, 2)]
        facts = [Equation(pair, false, Why.FACT) for pair in pairs if self.bench.reduce(plain, pair) is pair]
        self.bench.facts = tuple(facts)
        self._assumptions = Assumptions(self.bench)
        return self._assumptions

    def _is_value(self, term: Term) -> bool:
        return all(self._is_built(part) for part in subterms(term))

    def _is_built(self, part: Term) -> bool:
        if isinstance(part, LiteralTerm) or self.bench.is_constant(part):
            return True
        return part in (self.bench.connectives.true, self.bench.connectives.false) or self.builders.is_builder(part.op)

    def _of(self, sort: Sort, depth: int) -> tuple[Term, ...]:
        found = self._values.get((sort, depth))
        if found is None:
            self._values[sort, depth] = ()
            found = self._values[sort, depth] = tuple(self._made(sort, depth))[:PER_SORT]
        return found

    def _made(self, sort: Sort, depth: int) -> list[Term]:
        if self.builders.is_opaque(sort):
            return list(self._elements(sort))
        found: dict[Term, None] = {}
        if depth == 0:
            return []
        plain = self.bench.rewriter(())
        for lower in self.builders.lower_sorts(sort):
            found.update(dict.fromkeys(self._of(lower, depth - 1)[:3]))
        makers = sorted(self.builders.makers(sort), key=lambda maker: len(maker[1].arity))
        for symbol, decl in makers:
            choices = [self._of(part, depth - 1)[:4] for part in decl.arity]
            places = sorted(product(*[range(len(c)) for c in choices]), key=lambda place: (sum(place), place))
            for place in islice(places, 8):
                args = tuple(choice[index] for choice, index in zip(choices, place, strict=True))
                try:
                    found[self.bench.reduce(plain, symbol.make(args))] = None
                except BudgetExceeded:
                    continue
        return list(found)

    def _elements(self, sort: Sort) -> tuple[Term, ...]:
        found = self._opaque.get(sort)
        if found is None:
            found = self._opaque[sort] = tuple(self._find_elements(sort))
        return found

    def _find_elements(self, sort: Sort) -> list[Term]:
        connectives, integers = self.bench.connectives, self.bench.integers
        if sort is connectives.true.sort:
            return [connectives.true, connectives.false]
        if integers.is_integer(sort):
            numbers = [literal_of(n) for n in (0, 1, 2, -1) if literal_sort_name(n) in LITERAL_SORTS]
            return [number for number in numbers if integers.order.leq(number.sort, sort)]
        if sort.is_error or sort.hidden:
            return []
        named = [symbol.make(()) for symbol, decl in self.builders.makers(sort) if not decl.arity]
        lower = [term for below in self.builders.lower_sorts(sort) for term in self._of(below, 1)]
        fresh = [self._fresh(sort) for _ in range(ENTITIES)]
        return [*fresh, *named[:2], *lower[:2]]

    def _fresh(self, sort: Sort) -> Term:
        stem, number = f"{sort.name[0].lower()}-", 1
        while not self.bench.is_free_name(f"{stem}{number}"):
            number += 1
        return self.bench.constant(f"{stem}{number}", sort)

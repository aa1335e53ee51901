"""Laws of relations on data: reflexive, transitive, antisymmetric and so on; testing on small values filters them.

A relation may also say when one function undoes another: `X <= Y implies ((Y - X) + X) = Y`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations

from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.samples import Samples
from otsrw.theory.builtins import Builtin
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, distinct_subterms, variable, variables_of

MIN_POINTS = 4
"""Values that must be there to test a law."""


class Relations:
    """The laws that relations of one module satisfy on small values."""

    def __init__(self, samples: Samples, connectives: Connectives) -> None:
        self._samples = samples
        self._connectives = connectives

    def in_terms(self, terms: Iterable[Term], functions: Iterable[Symbol]) -> list[Symbol]:
        """The predicates among the functions that compare two values of one sort, and occur in some terms."""
        known = set(functions)
        found = dict.fromkeys(part.op for term in terms for part in distinct_subterms(term) if part.op in known)
        return [symbol for symbol in found if self.sort_of(symbol) is not None]

    def memberships(self, terms: Iterable[Term], functions: Iterable[Symbol]) -> list[Term]:
        """That predicates of two elements and a collection in some terms tell its elements, as others say it.

        `before(x, y, l)` implies `x in l`: such laws are those that no small value refutes.
        """
        known = list(functions)
        found = dict.fromkeys(part.op for term in terms for part in distinct_subterms(term) if len(part.args) == 3)
        pairs = [(symbol, other) for symbol in found if symbol in known for other in known if other.nargs == 2]
        implies = self._connectives.symbol(Builtin.IMPLIES)
        laws = []
        for symbol, other in pairs:
            for element, collection in self._told_by_both(symbol, other):
                x, y, rest = (variable(n, s) for n, s in (("X", element), ("Y", element), ("L", collection)))
                said = symbol.make((x, y, rest))
                laws += [implies.make((said, other.make((each, rest)))) for each in (x, y)]
        return [law for law in laws if law_holds(law, self._samples)]

    def _told_by_both(self, symbol: Symbol, other: Symbol) -> list[tuple[Sort, Sort]]:
        """The sorts of elements and collections that both predicates are declared for."""
        boolean = self._connectives.true.sort
        pairs = [decl.arity for decl in other.decls if decl.coarity is boolean and other.native is None]
        triples = [decl.arity for decl in symbol.decls if decl.coarity is boolean and symbol.native is None]
        return [(e, c) for e, c in pairs if e is not c and (e, e, c) in triples]

    def comparisons(self, pattern: Term, functions: Iterable[Symbol]) -> list[Term]:
        """What relations among the functions say about the variable of a pattern and the pattern: `X < s(X)`."""
        (x,) = variables_of(pattern)
        leq = self._samples.builders.order.leq
        laws: list[Term] = []
        for symbol in functions:
            sort = self.sort_of(symbol)
            if sort is not None and leq(x.sort, sort) and leq(pattern.sort, sort):
                for atom in (symbol.make((x, pattern)), symbol.make((pattern, x))):
                    laws += [atom, self._connectives.negate(atom)]
        return [law for law in laws if law_holds(law, self._samples)]

    def sort_of(self, symbol: Symbol) -> Sort | None:
        """The sort that a relation compares values of; None if this is no relation."""
        if symbol.nargs != 2 or len(symbol.decls) != 1 or symbol.decls[0].coarity is not self._connectives.true.sort:
            return None
        first, second = symbol.decls[0].arity
        return first if first is second else None

    def operations(self, terms: Iterable[Term], functions: Iterable[Symbol], sort: Sort) -> list[Symbol]:
        """The functions of two values of a sort to the same sort that occur in some terms."""
        known = set(functions)
        found = dict.fromkeys(part.op for term in terms for part in distinct_subterms(term) if part.op in known)
        return [
            symbol
            for symbol in found
            if symbol.nargs == 2
            and len(symbol.decls) == 1
            and all(each is sort for each in (*symbol.decls[0].arity, symbol.decls[0].coarity))
        ]

    def laws(self, symbol: Symbol, others: Iterable[Symbol], operations: Iterable[Symbol] = ()) -> list[Term]:
        """The laws of a relation that no small value refutes.

        They are about the relation alone, together with others on the same sort, and with two operations on it.
        """
        sort = self.sort_of(symbol)
        assert sort is not None
        stem = sort.name[0].upper()
        x, y, z = (variable(name, sort) for name in (stem, f"{stem}1", f"{stem}2"))
        candidates = [*self._own(symbol, x, y, z)]
        for first, second in combinations([symbol, *others], 2):
            if self.sort_of(second) is sort:
                candidates += [*self._joint(first, second, x, y), *self._joint(second, first, x, y)]
        for undone, undoing in permutations(operations, 2):
            candidates.append(self._undoing(symbol, (undone, undoing), x, y))
        return [law for law in candidates if law_holds(law, self._samples)]

    def _own(self, symbol: Symbol, x: Term, y: Term, z: Term) -> Iterator[Term]:
        both, implies = self._connectives.symbol(Builtin.AND), self._connectives.symbol(Builtin.IMPLIES)
        negate, equal = self._connectives.negate, self._connectives.equal
        there, back = symbol.make((x, y)), symbol.make((y, x))
        yield symbol.make((x, x))
        yield negate(symbol.make((x, x)))
        yield implies.make((both.make((there, symbol.make((y, z)))), symbol.make((x, z))))
        yield negate(both.make((there, back)))
        yield implies.make((both.make((there, back)), equal(x, y)))
        yield implies.make((negate(there), back))

    def _joint(self, first: Symbol, second: Symbol, x: Term, y: Term) -> Iterator[Term]:
        implies, negate = self._connectives.symbol(Builtin.IMPLIES), self._connectives.negate
        yield implies.make((first.make((x, y)), second.make((x, y))))
        yield implies.make((negate(first.make((x, y))), second.make((y, x))))
        yield negate(self._connectives.symbol(Builtin.AND).make((first.make((x, y)), second.make((y, x)))))

    def _undoing(self, symbol: Symbol, operations: tuple[Symbol, Symbol], x: Term, y: Term) -> Term:
        """Where the relation holds, the second operation undoes the first."""
        undone, undoing = operations
        again = undoing.make((undone.make((y, x)), x))
        equation = self._connectives.equal(again, y)
        return self._connectives.symbol(Builtin.IMPLIES).make((symbol.make((x, y)), equation))


def law_holds(law: Term, samples: Samples) -> bool:
    """Does no small value refute a law, and are there enough that speak for it?"""
    points = samples.points(tuple(variables_of(law)))
    known = [value for point in points if (value := samples.value(law, point)) is not None]
    return len(known) >= MIN_POINTS and all(value is samples.bench.connectives.true for value in known)

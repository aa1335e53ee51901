"""Small values of every sort, to try equations on: constants, numbers, entities of loose sorts, constructor terms."""

from __future__ import annotations

from functools import cached_property
from itertools import islice, product

from otsrw.reasoning.workbench import Workbench
from otsrw.soundness.cone import Cone
from otsrw.theory.builtins import LITERAL_SORTS, Character, QuotedId, literal_sort_name
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, OpDecl, Symbol, Term, literal_of, subterms, symbols_of

ENTITIES = 3
"""Fresh elements of a loose sort."""
MAX_CONSTANTS = 40
MAX_VALUES = 12
"""Values of one sort that are no constants."""
PER_MAKER = 6
"""Values of one sort with the same constructor on top."""
DEPTH = 2
"""How often constructors are nested."""


class SmallValues:
    """Values of the sorts of one cone, on one workbench, which gets the fresh entities."""

    def __init__(self, cone: Cone, bench: Workbench) -> None:
        self.cone = cone
        self.bench = bench
        self.order = cone.module.signature.order
        self.entities: dict[Sort, tuple[Term, ...]] = {}
        self._constructed = frozenset(
            decl.coarity
            for symbol in cone.module.signature.symbols()
            for decl in symbol.decls
            if decl.attributes.constructor or symbol.native is not None
        )
        self._values: dict[tuple[Sort, int], tuple[Term, ...]] = {}

    def of(self, sort: Sort) -> tuple[Term, ...]:
        """Some values of a sort, small ones first; none if the sort is empty, or nothing is known about it."""
        return self._of(sort, DEPTH)

    def is_value(self, term: Term) -> bool:
        """Is the term built by constructors from numbers and entities?"""
        return all(self._builds(part) for part in subterms(term))

    def _builds(self, part: Term) -> bool:
        if isinstance(part, LiteralTerm) or part in (self.cone.connectives.true, self.cone.connectives.false):
            return True
        if part.op in self.bench.constants:
            return any(part in entities for entities in self.entities.values())
        return any(self._makes(part.op, decl) for decl in part.op.decls)

    def _makes(self, symbol: Symbol, decl: OpDecl) -> bool:
        """Does the operator build values: a constructor, or an operator without equations into a sort without any?

        An operator that a loose module leaves open builds different values at least in the free model; but if its
        sort has constructors, it has one of their values, and nobody knows which.
        """
        if symbol.native is not None or self.cone.is_state_operator(symbol) or decl not in self.cone.owners:
            return False
        if decl.attributes.constructor:
            return True
        if self.cone.rules.get(symbol):
            return False
        return not any(self.order.leq(sort, decl.coarity) for sort in self._constructed)

    def is_loose_call(self, term: Term) -> bool:
        """Is this a function without equations, applied to values, whose value is one of those of its sort?

        Any of them, that is: not so if a left side speaks of the function, as (1 < N) = true does of N.
        """
        op = term.op
        if op in self._constrained:
            return False
        if op.native is not None or not op.decls or self.cone.rules.get(op) or op in self.bench.constants:
            return False
        return not self._builds(term) and all(map(self.is_value, term.args))

    @cached_property
    def _constrained(self) -> frozenset[Symbol]:
        """Operators inside of left sides."""
        sides = (axiom.lhs for axiom in self.cone.equations)
        return frozenset(symbol for side in sides for arg in side.args for symbol in symbols_of(arg))

    def _of(self, sort: Sort, depth: int) -> tuple[Term, ...]:
        found = self._values.get((sort, depth))
        if found is None:
            self._values[sort, depth] = ()
            found = self._values[sort, depth] = tuple(self._made(sort, depth))
        return found

    def _made(self, sort: Sort, depth: int) -> list[Term]:
        constants: dict[Term, None] = dict.fromkeys(self._literals(sort))
        built: dict[Term, None] = {}
        plain = self.bench.rewriter(())
        for symbol, decl in self._makers(sort):
            if not decl.arity:
                constants[symbol.make(())] = None
        for lower in sorted(self.order.below.get(sort, ()), key=lambda s: s.number):
            constants.update(dict.fromkeys(self._loose(lower)))
        for symbol, decl in self._makers(sort) if depth else ():
            choices = [self._of(part, depth - 1)[:4] for part in decl.arity]
            places = sorted(product(*[range(len(c)) for c in choices]), key=lambda p: (sum(p), p)) if decl.arity else []
            for place in islice(places, PER_MAKER):
                args = tuple(c[i] for c, i in zip(choices, place, strict=True))
                built[self.bench.reduce(plain, symbol.make(args))] = None
        known = list(constants)[:MAX_CONSTANTS]
        return known + [term for term in built if term not in constants][:MAX_VALUES]

    def _makers(self, sort: Sort) -> list[tuple[Symbol, OpDecl]]:
        found = [
            (symbol, decl)
            for symbol in self.cone.module.signature.symbols()
            for decl in symbol.decls
            if self.order.leq(decl.coarity, sort) and self._makes(symbol, decl)
        ]
        return sorted(found, key=lambda made: len(made[1].arity))

    def _loose(self, sort: Sort) -> tuple[Term, ...]:
        """Fresh elements of a sort that no operator builds, if its module lets it have any."""
        found = self.entities.get(sort)
        if found is None:
            home = self.cone.homes.get(sort)
            is_loose = home is not None and not home.is_tight and not home.is_system and not sort.hidden
            built = any(self._makes(s, d) and d.arity for s, d in self._makers(sort) if d.coarity is sort)
            makes = is_loose and not built and (self.cone.ots is None or sort is not self.cone.ots.sort)
            found = self.entities[sort] = tuple(self._fresh(sort) for _ in range(ENTITIES)) if makes else ()
        return found

    def _fresh(self, sort: Sort) -> Term:
        stem, number = sort.name[0].lower(), 1
        names = {symbol.name for symbol in self.cone.module.signature.symbols()}
        while f"{stem}{number}" in names or not self.bench.is_free_name(f"{stem}{number}"):
            number += 1
        return self.bench.constant(f"{stem}{number}", sort)

    def _literals(self, sort: Sort) -> list[Term]:
        if sort is self.cone.connectives.true.sort:
            return [self.cone.connectives.true, self.cone.connectives.false]
        samples: list[object] = [*self._numbers(), "a", "b", QuotedId("'a"), QuotedId("'b"), Character("a"), 0.5, 1.5]
        known = [value for value in samples if literal_sort_name(value) in LITERAL_SORTS]
        terms = [literal_of(value) for value in known]
        return [term for term in terms if term.sort in self.order.below.get(sort, ())]

    def _numbers(self) -> list[int]:
        """Small numbers, and those next to numbers that the equations mention."""
        mentioned = {
            part.value
            for axiom in self.cone.equations
            for side in (axiom.lhs, axiom.rhs, axiom.condition)
            if side is not None
            for part in subterms(side)
            if isinstance(part, LiteralTerm) and isinstance(part.value, int)
        }
        near = {number + step for number in mentioned for step in (-1, 0, 1) if abs(number) < 10**6}
        return sorted({0, 1, 2, 3, *near, -1}, key=lambda n: (abs(n), -n))[:MAX_CONSTANTS]

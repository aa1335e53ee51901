"""The values of a sort: what a constant of the sort may be, and small examples.

A value of a sort that a tight module declares is built by its constructors. An operator of a tight module that has no
equations builds values, too, whether it is declared `constr` or not. A sort of a loose module may have any elements;
so has a sort that a loose one lies below, among others. States are built by initial states and transitions.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import product

from otsrw.soundness.cone import Cone
from otsrw.theory.builtins import LITERAL_SORTS, literal_sort_name
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import OpDecl, Symbol, Term, literal_of, subterms, variable

MAX_GROUND = 6
"""Examples of one sort that are kept."""
DEPTH = 3
"""How deep examples nest."""

Maker = tuple[Symbol, OpDecl]

_NONZERO = {"Nat": "NzNat", "Int": "NzInt", "Rat": "NzRat"}


class SortValues:
    """What is known of the values of the sorts of one cone."""

    def __init__(self, cone: Cone) -> None:
        self.cone = cone
        self.order = cone.module.signature.order
        self.state_sort = cone.ots.sort if cone.ots is not None else None
        self._shapes: dict[tuple[Sort, bool], tuple[Term, ...] | None] = {}
        self._ground: dict[tuple[Sort, int], tuple[Term, ...]] = {}

    # --- builders

    @cached_property
    def builders(self) -> frozenset[Symbol]:
        """Operators that build values and are not evaluated, or only by equations between values."""
        generators = self._generators()
        true = self.cone.connectives.true.op, self.cone.connectives.false.op
        return frozenset(
            symbol
            for symbol in self.cone.module.signature.symbols()
            if symbol in generators or symbol in true or any(self._builds(symbol, decl) for decl in symbol.decls)
        )

    def _generators(self) -> set[Symbol]:
        ots = self.cone.ots
        return set() if ots is None else {*ots.initials, *(t.operator.symbol for t in ots.transitions)}

    def _builds(self, symbol: Symbol, decl: OpDecl) -> bool:
        owner = self.cone.owners.get(decl)
        if owner is None or symbol.native is not None or decl.partial or decl.coarity is self.state_sort:
            return False
        if decl.attributes.constructor:
            return True
        if not owner.is_tight or owner.is_system:
            return False
        return symbol not in self.cone.rules or self._collects(symbol, decl)

    def _collects(self, symbol: Symbol, decl: OpDecl) -> bool:
        """Does the operator put collections together, and do its equations only drop parts, as `(empty S) = S` does?

        That is so in the module of a sort without declared constructors: nobody else says what the collections are.
        """
        if not symbol.assoc or self.cone.owners.get(decl) is not self.cone.homes.get(decl.coarity):
            return False
        if any(other.attributes.constructor for other in self.cone.owners if other.coarity is decl.coarity):
            return False
        return all(
            axiom.condition is None
            and all(part.op.variable or part.op is symbol for part in subterms(axiom.rhs))
            and all(not part.args or part.op is symbol for part in subterms(axiom.lhs))
            for axiom in self.cone.rules.get(symbol, ())
        )

    def is_loose(self, sort: Sort) -> bool:
        home = self.cone.homes.get(sort)
        return home is None or not home.is_tight

    def makers(self, sort: Sort) -> list[Maker]:
        """The builders of values of the sort and of its subsorts, with the ranks they have there."""
        return [
            (symbol, decl)
            for symbol in self.cone.module.signature.symbols()
            if symbol in self.builders
            for decl in symbol.decls
            if self.order.leq(decl.coarity, sort)
        ]

    # --- shapes

    def shapes(self, sort: Sort, from_the_right: bool = False) -> tuple[Term, ...] | None:
        """Patterns with fresh variables such that every value of the sort is an instance of one; None if not known.

        A list is taken apart at its left end, or at its right end if that is asked for.
        """
        key = (sort, from_the_right)
        if key not in self._shapes:
            self._shapes[key] = self._find_shapes(sort, from_the_right)
        return self._shapes[key]

    def _find_shapes(self, sort: Sort, from_the_right: bool) -> tuple[Term, ...] | None:
        if sort.is_error or sort not in self.order.below:
            return None
        if sort is self.state_sort:
            makers = [(s, d) for s in self._generators() for d in s.decls]
            return tuple(_applied(symbol, decl) for symbol, decl in sorted(makers, key=lambda m: m[0].number))
        home = self.cone.homes.get(sort)
        if home is None or not home.is_tight or sort.hidden:
            return None
        if home.is_system:
            return self._built_in_shapes(sort)
        return self._tight_shapes(sort, from_the_right)

    def _built_in_shapes(self, sort: Sort) -> tuple[Term, ...] | None:
        connectives = self.cone.connectives
        if sort is connectives.true.sort:
            return connectives.true, connectives.false
        zero = _literal(0)
        if zero is None:
            return None
        if sort is zero.sort:
            return (zero,)
        rest = self.cone.module.visible_sorts().get(_NONZERO.get(sort.name, ""), ())
        if rest and self.order.leq(rest[-1], sort) and self.order.leq(zero.sort, sort):
            return zero, _fresh(rest[-1], 0)
        return None

    def _tight_shapes(self, sort: Sort, from_the_right: bool) -> tuple[Term, ...] | None:
        makers = self.makers(sort)
        joining = [(s, d) for s, d in makers if s.assoc]
        if any(s.lower is not None or s.upper is not None for s, _ in makers) or len({s for s, _ in joining}) > 1:
            return None
        opaque = self._opaque_below(sort)
        hidden = {below for upper in opaque for below in self.order.below[upper]}
        single = [_applied(s, d) for s, d in makers if not s.assoc and d.coarity not in hidden]
        single += [_fresh(lower, 0) for lower in opaque]
        if not joining:
            return tuple(dict.fromkeys(single))
        return self._collections(sort, joining, single, from_the_right)

    def _opaque_below(self, sort: Sort) -> list[Sort]:
        """The greatest proper subsorts whose values are not all built by operators: those of loose modules, numbers."""
        below = [s for s in self.order.below[sort] if s is not sort and self._is_opaque(s)]
        greatest = [s for s in below if not any(self.order.leq(s, t) for t in below if t is not s)]
        return sorted(greatest, key=lambda s: s.number)

    def _is_opaque(self, sort: Sort) -> bool:
        home = self.cone.homes.get(sort)
        return home is None or not home.is_tight or home.is_system or sort.hidden

    def _collections(
        self, sort: Sort, joining: list[Maker], single: list[Term], from_the_right: bool
    ) -> tuple[Term, ...] | None:
        """Nothing, one element, an element and the rest."""
        op = joining[0][0]
        whole = self._greatest([decl.coarity for decl in op.decls])
        if whole is None or (op.idem and not op.comm):
            return None
        rest = _fresh(whole, 9)
        found: dict[Term, None] = {}
        for element in self._elements_of(op, whole, single, sort):
            found[op.make((rest, element) if from_the_right else (element, rest))] = None
        if op.identity is None or whole is not sort:
            found.update(dict.fromkeys(single))
        if op.identity is not None:
            found[op.identity] = None
        fitting = [shape for shape in found if self.order.leq(shape.sort, sort)]
        doubtful = [shape for shape in found if shape not in fitting and not self._excludes(shape, sort)]
        return None if doubtful else tuple(fitting)

    def _elements_of(self, op: Symbol, whole: Sort, single: list[Term], sort: Sort) -> list[Term]:
        """What may stand alone in a collection: all values of its sort that are no collections and not nothing."""
        if whole is sort:
            return [term for term in single if term is not op.identity]
        makers = [(s, d) for s, d in self.makers(whole) if not s.assoc]
        opaque = self._opaque_below(whole)
        hidden = {below for upper in opaque for below in self.order.below[upper]}
        terms = [_applied(s, d) for s, d in makers if d.coarity not in hidden]
        return [t for t in (*terms, *(_fresh(lower, 0) for lower in opaque)) if t is not op.identity]

    def _excludes(self, shape: Term, sort: Sort) -> bool:
        """Is no instance of the shape of this sort? Seen for constants, which have one sort only."""
        return shape.ground and not shape.args and not self.order.leq(shape.sort, sort)

    def _greatest(self, sorts: Iterable[Sort]) -> Sort | None:
        known = list(dict.fromkeys(sorts))
        return next((s for s in known if all(self.order.leq(t, s) for t in known)), None)

    # --- examples

    def ground(self, sort: Sort, depth: int = DEPTH) -> tuple[Term, ...]:
        """A few values of a sort; variables stand for elements of loose sorts. Empty if none was found."""
        key = (sort, depth)
        if key not in self._ground:
            self._ground[key] = ()
            self._ground[key] = self._find_ground(sort, depth)
        return self._ground[key]

    def _find_ground(self, sort: Sort, depth: int) -> tuple[Term, ...]:
        if sort in self.order.below and self._is_opaque(sort):
            return self._opaque_values(sort)
        found: dict[Term, None] = {}
        if depth == 0 or sort not in self.order.below or sort is self.state_sort:
            return ()
        makers = sorted(self.makers(sort), key=lambda maker: (maker[0].assoc, len(maker[1].arity)))
        for lower in self._opaque_below(sort):
            found.update(dict.fromkeys(self._opaque_values(lower)[:2]))
        many = sum(not decl.arity for _, decl in makers)
        for symbol, decl in makers:
            choices = [self.ground(argument, depth - 1)[:3] for argument in decl.arity]
            for args in product(*choices):
                found[symbol.make(args)] = None
                if len(found) >= max(MAX_GROUND, min(many, 40)):
                    return tuple(found)
        return tuple(found)

    def _opaque_values(self, sort: Sort) -> tuple[Term, ...]:
        if sort is self.cone.connectives.true.sort:
            return self.cone.connectives.true, self.cone.connectives.false
        home = self.cone.homes.get(sort)
        if home is not None and home.is_system:
            literals = (_literal(value) for value in (0, 1, 2, 3, "", "a"))
            return tuple(term for term in literals if term is not None and self.order.leq(term.sort, sort))
        return _fresh(sort, 1), _fresh(sort, 2)


def _literal(value: object) -> Term | None:
    """The built-in constant; None if no module in use has such constants."""
    return literal_of(value) if literal_sort_name(value) in LITERAL_SORTS else None


def _applied(symbol: Symbol, decl: OpDecl) -> Term:
    return symbol.make(tuple(_fresh(sort, place) for place, sort in enumerate(decl.arity)))


def _fresh(sort: Sort, place: int) -> Term:
    return variable(f"{sort.name}%{place}", sort)

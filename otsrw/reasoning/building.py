"""How the values of a sort are built: the shapes for structural induction.

A constructor builds values. So does an operator of a tight module (`mod!`) that has no equations, declared `constr` or
not: in the initial model its terms are values. Sorts of loose and of built-in modules are opaque: nothing is said about
what their values look like.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from otsrw.theory.modules import Axiom, Module
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import OpDecl, Symbol, Term

FreshConstant = Callable[[Sort], Term]


class Builders:
    """The operators of a module that build values."""

    def __init__(self, module: Module, rules: dict[Symbol, list[Axiom]]) -> None:
        self.order = module.signature.order
        self._rules = rules
        self._owners = {decl: inner for inner in module.closure() for decl in inner.decls}
        self._homes = {sort: inner for inner in module.closure() for sort in inner.sorts}
        self._makers: dict[Sort, list[tuple[Symbol, OpDecl]]] = {}
        for symbol in module.signature.symbols():
            for decl in symbol.decls:
                if self._builds(symbol, decl):
                    self._makers.setdefault(decl.coarity, []).append((symbol, decl))

    def _builds(self, symbol: Symbol, decl: OpDecl) -> bool:
        owner = self._owners.get(decl)
        if owner is None or owner.is_system or symbol.native is not None or decl.partial or decl.coarity.hidden:
            return False
        return decl.attributes.constructor or (owner.is_tight and symbol not in self._rules)

    def is_builder(self, symbol: Symbol) -> bool:
        return any(symbol is maker for decl in symbol.decls for maker, _ in self._makers.get(decl.coarity, ()))

    def makers(self, sort: Sort) -> list[tuple[Symbol, OpDecl]]:
        """The builders into exactly this sort."""
        return self._makers.get(sort, [])

    def lower_sorts(self, sort: Sort) -> list[Sort]:
        """The greatest sorts properly below."""
        below = self.order.below.get(sort, frozenset()) - {sort}
        greatest = [s for s in below if not any(self.order.leq(s, other) for other in below if other is not s)]
        return sorted(greatest, key=lambda s: s.number)

    def is_opaque(self, sort: Sort) -> bool:
        """Is nothing known about what the values of the sort look like?"""
        home = self._homes.get(sort)
        if home is None or not home.is_tight or home.is_system or sort.hidden or sort.is_error:
            return True
        return not self.makers(sort) and not self.lower_sorts(sort)

    def shapes(self, sort: Sort, fresh: FreshConstant) -> list[Term]:
        """Constructor terms over fresh constants, one of which every value is; none if that is not known.

        A value of a smaller sort is one of the shapes of that sort. A value of a collection is nothing, or one element,
        whatever that looks like, and the rest.
        """
        if self.is_opaque(sort):
            return []
        makers = self.makers(sort)
        joining = list(dict.fromkeys(symbol for symbol, _ in makers if symbol.assoc))
        if len(joining) > 1 or any(s.lower is not None or s.upper is not None for s, _ in makers):
            return []
        lower = self.lower_sorts(sort)
        if any(symbol.assoc for below in lower for symbol, _ in self._below(below)):
            return []
        single = [shape for each in lower for shape in ((not joining and self.shapes(each, fresh)) or [fresh(each)])]
        single += [symbol.make(tuple(map(fresh, decl.arity))) for symbol, decl in makers if not symbol.assoc]
        if not joining:
            return single
        return list(self._collections(joining[0], single, fresh(sort)))

    def _below(self, sort: Sort) -> list[tuple[Symbol, OpDecl]]:
        return [maker for below in self.order.below.get(sort, ()) for maker in self.makers(below)]

    @staticmethod
    def _collections(op: Symbol, single: list[Term], rest: Term) -> Iterable[Term]:
        elements = [term for term in single if term is not op.identity]
        if op.identity is None:
            yield from elements
        else:
            yield op.identity
        for element in elements:
            yield op.make((element, rest))

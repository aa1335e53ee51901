"""The constructor terms that a value may be: a case is split into them when a function waits for a shape."""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.reasoning.assumptions import Assumed
from otsrw.reasoning.workbench import Workbench
from otsrw.theory.sorts import Sort, SortOrder
from otsrw.theory.terms import Term


def shapes_of(term: Term, bench: Workbench) -> list[Term]:
    """The constructor terms, with fresh constants, that a value of this sort may be; none if not known."""
    order = bench.module.signature.order
    loose = {sort for module in bench.module.closure() if not module.is_tight for sort in module.sorts}
    if term.sort in loose or term.sort not in order.below or not bench.constructors.are_all(term.sort):
        return []
    makers = [
        (symbol, decl)
        for symbol in bench.module.signature.symbols()
        for decl in symbol.decls
        if decl.attributes.constructor and order.leq(decl.coarity, term.sort) and decl.coarity not in loose
    ]
    found: list[Term] = []
    elements: set[Sort] = set()
    for symbol, decl in makers:
        if symbol.assoc and symbol.comm:
            parts = greatest(order, order.below[decl.coarity] - {decl.coarity})
            alone = {s for s, d in makers if d.coarity is decl.coarity} - {symbol}
            if not parts or {s.make(()) for s in alone if s.nargs == 0} != {symbol.identity} or len(alone) > 1:
                return []
            found += [symbol.make((bench.part(s), bench.part(decl.coarity))) for s in parts]
            elements.update(below for part in parts for below in order.below[part])
        elif symbol.has_theory:
            return []
    for symbol, decl in makers:
        if not symbol.has_theory and decl.coarity not in elements:
            found.append(symbol.make(tuple(bench.part(sort) for sort in decl.arity)))
    built = {decl.coarity for _, decl in makers}
    others = order.below[term.sort] - {term.sort} - built - elements
    return [*found, *(bench.part(lower) for lower in greatest(order, others))]


def alternatives(term: Term, shapes: Iterable[Term], bench: Workbench) -> tuple[tuple[Assumed, ...], ...]:
    """The cases in which a term is one of the shapes."""
    return tuple((Assumed(bench.connectives.equal(term, shape), True),) for shape in shapes)


def cell_shapes_of(term: Term, bench: Workbench) -> list[Term]:
    """The constants of its sort, and an element of each smaller sort, if a value is nothing else; else none.

    `e` and a fresh bit, for a cell that is empty or keeps a bit.
    """
    order = bench.module.signature.order
    lower = greatest(order, order.below.get(term.sort, frozenset()) - {term.sort})
    home = next((module for module in bench.module.closure() if term.sort in module.sorts), None) if lower else None
    if home is None or not home.is_tight or home.is_system or not bench.constructors.are_all(term.sort):
        return []
    makers = [
        (symbol, decl)
        for symbol in bench.module.signature.symbols()
        for decl in symbol.decls
        if decl.attributes.constructor and decl.coarity is term.sort
    ]
    if not makers or any(decl.arity for _, decl in makers):
        return []
    return [*(symbol.make(()) for symbol, _ in makers), *map(bench.part, lower)]


def greatest(order: SortOrder, sorts: Iterable[Sort]) -> list[Sort]:
    """Those of the sorts that are below no other one of them."""
    kept = list(sorts)
    found = [s for s in kept if not any(order.leq(s, other) for other in kept if other is not s)]
    return sorted(found, key=lambda s: s.number)

"""Predicates that are true exactly of the elements of a collection. From `e in c` follows that c is `(e , rest)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.data import DataTheory
from otsrw.reasoning.shapes import shapes_of
from otsrw.reasoning.workbench import Workbench
from otsrw.records import NamedTuple
from otsrw.rewriting.rewriter import Rewriter
from otsrw.theory.modules import Module, equations_by_symbol
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term


class MembershipOperator(NamedTuple):
    """A predicate that is true exactly of the elements of a collection, and the places of its two arguments."""

    symbol: Symbol
    element: int
    collection: int
    constructor: Symbol
    """Builds the collections: associative, commutative, with an empty collection."""
    sort: Sort
    """Of the elements."""

    def applied(self, element: Term, collection: Term) -> Term:
        return self.symbol.make((element, collection) if self.element < self.collection else (collection, element))


def membership_operators(module: Module) -> list[MembershipOperator]:
    """The membership predicates of a module; one for each sort of collections, if a predicate is overloaded."""
    connectives = Connectives(module.signature)
    rewriter = Rewriter(module)
    rules = equations_by_symbol(module)
    theory = DataTheory(module.signature, rules, connectives, lambda term: rewriter.reduce(term).term)
    found = []
    for symbol in rules:
        if symbol.nargs == 2 and symbol.native is None and symbol.kind is not None:
            if symbol.decls[0].coarity is not connectives.true.sort:
                continue
            for place, other in ((0, 1), (1, 0)):
                if not theory.is_membership(symbol, place, other):
                    continue
                for decl in symbol.decls:
                    constructor = theory.exactly_elements(symbol, place, other, decl.arity[other])
                    if constructor is not None:
                        found.append(MembershipOperator(symbol, place, other, constructor, decl.arity[place]))
    return found


class KnownElement(NamedTuple):
    """An element that is known to be in a collection, and by which predicate."""

    operator: MembershipOperator
    element: Term


def known_elements(
    members: Iterable[MembershipOperator], value: Term, assumptions: Assumptions
) -> Iterator[KnownElement]:
    """What the assumptions say is in a collection."""
    true = assumptions.bench.connectives.true
    for equation in assumptions.equations:
        for member in members:
            left = equation.left
            if left.op is member.symbol and equation.right is true and left.args[member.collection] is value:
                yield KnownElement(member, left.args[member.element])


def taken_out(known: KnownElement, value: Term, bench: Workbench) -> Term | None:
    """`(element , rest)` with a fresh constant for the rest: what a collection with the element is.

    None if the values of its sort are not all built by the constructor of the collection. A collection that is finite
    and has the element by the equations of the membership has it among its parts, so there is such a rest.
    """
    for shape in shapes_of(value, bench):
        if len(shape.args) == 2 and shape.op is known.operator.constructor:
            rest = max(shape.args, key=lambda part: part.sort is shape.sort)
            return shape.op.make((known.element, rest))
    return None

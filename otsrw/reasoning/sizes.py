"""Laws about the sizes of collections; testing on small values filters them, and whoever uses one proves it first.

A collection with an element has not the size of an empty one, and after an element is taken out its size is one less:
`A in L implies s(size(del(A, L))) = size(L)`. A function may count certain elements only; then there are some if the
first element is such.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product

from otsrw.reasoning.collection_laws import CollectionLaw, CollectionLaws, Descent, operators_of
from otsrw.reasoning.connectives import Connectives
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Symbol, Term, variables_of


class SizeLaws:
    """Guesses laws about functions of one module that measure collections."""

    def __init__(self, collections: CollectionLaws, connectives: Connectives, rules: dict[Symbol, list[Axiom]]) -> None:
        self._collections = collections
        self._connectives = connectives
        self._rules = rules

    def of_collections(self, terms: Iterable[Term]) -> list[CollectionLaw]:
        """That a collection with an element has not the size of an empty one, for functions in some terms."""
        symbols = operators_of(terms)
        laws = []
        for size in self._sizes:
            nothing = self._collections.nothing(size) if size.call.op in symbols else None
            if nothing is None:
                continue
            for member in self._collections.memberships(size):
                is_in = self._collections.is_in(size, member)
                laws.append(CollectionLaw(self._implies(is_in, self._differ(size.call, nothing)), (is_in,)))
        return self._collections.unrefuted([*laws, *self._counted_first(symbols)])

    def _counted_first(self, symbols: list[Symbol]) -> Iterator[CollectionLaw]:
        """That the number of certain elements is not that of an empty collection if the first one is such."""
        known = self._collections.descents
        for number in (known[symbol] for symbol in symbols if symbol in known):
            condition = self._counting_condition(number)
            nothing = None if condition is None else self._collections.nothing(number)
            if condition is None or nothing is None:
                continue
            never = self._differ(number.call, nothing)
            for first, empty in product(self._firsts(number), self._collections.empty(number.rest.sort)):
                given = self._differ(number.rest, empty), substitute(condition, {number.element: first})
                law = self._implies(self._connectives.symbol(Builtin.AND).make(given), never)
                yield CollectionLaw(law, (first, number.call))

    @staticmethod
    def _counting_condition(descent: Descent) -> Term | None:
        """Which elements a function counts; None if it counts none."""
        if descent.others or descent.result.op.native is not Builtin.IF or not descent.element.op.variable:
            return None
        condition, then, other = descent.result.args
        is_counting = other is descent.call and variables_of(then) == [descent.rest]
        return condition if is_counting and variables_of(condition) == [descent.element] else None

    def _firsts(self, descent: Descent) -> Iterator[Term]:
        """Functions that give the first element of such a collection, of the collection."""
        for symbol, axioms in self._rules.items():
            is_of_one = symbol.nargs == 1 and symbol.native is None and bool(symbol.decls)
            if is_of_one and symbol.decls[0].arity == (descent.rest.sort,):
                if any(_gives_first(axiom, descent) for axiom in axioms):
                    yield symbol.make((descent.rest,))

    def after_update(self, left: Term) -> list[CollectionLaw]:
        """What the size of an updated collection is, by whether a value that the update is about was in it."""
        size = next((each for each in self._sizes if each.call.op is left.op), None)
        inner = left.args[0] if size is not None else left
        if size is None or not inner.args:
            return []
        laws = []
        rests = [each for each in variables_of(inner) if each.sort is size.rest.sort]
        values = [each for each in variables_of(inner) if each.sort is size.element.sort]
        for rest, value, member in product(rests, values, self._collections.memberships(size)):
            is_in = substitute(member.call, {member.others[0]: value, member.rest: rest})
            before = substitute(size.call, {size.rest: rest})
            less = self._connectives.equal(_with(size.result, size.call, left), before)
            same = self._connectives.equal(left, before)
            laws.append(CollectionLaw(self._implies(is_in, less), (left,)))
            laws.append(CollectionLaw(self._implies(self._connectives.negate(is_in), same), (left,)))
        return self._collections.unrefuted(laws)

    def _implies(self, given: Term, claim: Term) -> Term:
        return self._connectives.symbol(Builtin.IMPLIES).make((given, claim))

    def _differ(self, one: Term, other: Term) -> Term:
        return self._connectives.negate(self._connectives.equal(one, other))

    @cached_property
    def _sizes(self) -> list[Descent]:
        """The functions of a collection alone that do not look at its elements."""
        boolean = self._connectives.true.sort
        return [
            each
            for each in self._collections.descents.values()
            if each.call.sort is not boolean and variables_of(each.result) == [each.rest] == list(each.call.args)
        ]


def _with(term: Term, old: Term, new: Term) -> Term:
    """The term with another one in place of a part of it."""
    if term is old:
        return new
    return term.op.make(tuple([_with(arg, old, new) for arg in term.args])) if term.args else term


def _gives_first(axiom: Axiom, descent: Descent) -> bool:
    """Does the equation take an element out of such a collection, and give it?"""
    parts = axiom.lhs.args[0].args
    return axiom.condition is None and len(parts) == 2 and axiom.rhs in parts and axiom.rhs.sort is descent.element.sort

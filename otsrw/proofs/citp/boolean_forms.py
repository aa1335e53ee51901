"""Boolean normal forms with a name for each predicate, and what makes them true.

A normal form is a sum (`xor`) of products (`and`) of predicates. An assignment of truth values to some predicates makes
it true if the sum is 1 whatever the others are: that is decided by calculating with products, not by trying the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import combinations

from otsrw.records import NamedTuple
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Term

MAX_PRODUCTS = 20_000
"""Products of a normal form that is inspected."""
MAX_TRIALS = 200_000
"""Assignments that are tried in one command."""

AtomProduct = frozenset[int]
"""Numbers of predicates; the empty product is true."""
TruthAssignment = tuple[tuple[int, bool], ...]


class PredicateRelation(Enum):
    """What `bguess` supposes of two predicates."""

    IMPLY = "imply"
    AND = "and"
    OR = "or"


class BooleanForm(NamedTuple):
    """A reduced Boolean term; `predicates` is empty if it is a truth value, or one predicate."""

    term: Term
    predicates: tuple[Term, ...]
    products: tuple[tuple[int, ...], ...]
    """The numbers of the predicates of each product; an empty one is `true`."""


class BooleanSolution(NamedTuple):
    """Assignments to the same predicates."""

    predicates: tuple[int, ...]
    assignments: tuple[TruthAssignment, ...]


def boolean_form(term: Term, true: Term) -> BooleanForm:
    """Name the predicates of a normal form, in the order in which they occur."""
    products = [tuple(_parts(part, Builtin.AND)) for part in _parts(term, Builtin.XOR)]
    if len(products) > MAX_PRODUCTS:
        raise BudgetExceeded("E401", f"the normal form has more than {MAX_PRODUCTS} products")
    if len(products) == 1 and len(products[0]) == 1:
        return BooleanForm(term, (), ())
    numbers: dict[Term, int] = {}
    found = [
        tuple(numbers.setdefault(atom, len(numbers)) for atom in product if atom is not true) for product in products
    ]
    return BooleanForm(term, tuple(numbers), tuple(found))


def _parts(term: Term, native: Builtin) -> Iterator[Term]:
    """The arguments of nested sums, or of nested products, from left to right."""
    todo = [term]
    while todo:
        current = todo.pop()
        if current.op.native is native:
            todo += reversed(current.args)
        else:
            yield current


def solutions(form: BooleanForm, limit: int | None, find_all: bool) -> Iterator[tuple[int, list[BooleanSolution]]]:
    """Assignments to one predicate, to two, and so on, that make the form true; the smallest, unless all are wanted."""
    terms = [frozenset(product) for product in form.products]
    trials = 0
    for count in range(1, min(limit or len(form.predicates), len(form.predicates)) + 1):
        found = []
        for chosen in combinations(range(len(form.predicates)), count):
            trials += 2**count
            if trials > MAX_TRIALS:
                raise BudgetExceeded("E401", f"more than {MAX_TRIALS} assignments would be tried")
            good = tuple(each for each in _assignments(chosen) if _is_true(terms, dict(each)))
            if good:
                found.append(BooleanSolution(chosen, good))
        if found:
            yield count, found
            if not find_all:
                return


def _assignments(chosen: tuple[int, ...]) -> Iterator[TruthAssignment]:
    """All assignments; the first predicate changes fastest, and begins with true."""
    for row in range(2 ** len(chosen)):
        yield tuple((number, not row >> place & 1) for place, number in enumerate(chosen))


def _is_true(products: list[AtomProduct], values: dict[int, bool]) -> bool:
    """Is the sum 1 for all values of the other predicates?"""
    rest: set[AtomProduct] = set()
    for product in products:
        if all(values.get(number, True) for number in product):
            rest ^= {frozenset(number for number in product if number not in values)}
    return rest == {frozenset()}


def guesses(form: BooleanForm, relation: PredicateRelation) -> list[tuple[int, int]]:
    """Pairs of predicates of which the relation makes the form true."""
    terms = [frozenset(product) for product in form.products]
    numbers = range(len(form.predicates))
    pairs = [(one, other) for one in numbers for other in numbers if one != other]
    if relation is not PredicateRelation.IMPLY:
        pairs = [(one, other) for one, other in pairs if one < other]
    return [pair for pair in pairs if all(_is_true(terms, values) for values in _allowed(pair, relation))]


def _allowed(pair: tuple[int, int], relation: PredicateRelation) -> Iterator[dict[int, bool]]:
    """The values of two predicates that the relation admits."""
    for one in (True, False):
        for other in (True, False):
            holds = {
                PredicateRelation.IMPLY: other or not one,
                PredicateRelation.AND: not (one and other),
                PredicateRelation.OR: one or other,
            }[relation]
            if holds:
                yield {pair[0]: one, pair[1]: other}

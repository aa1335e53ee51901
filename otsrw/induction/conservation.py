"""Laws of conservation: sums of observed numbers that seem to be the same in every state.

`free(S) + size(inside(S)) = 3` is such a law. A number is observed without indexes or for each element of a small sort,
as `balance(S,ann) + balance(S,bob) = 100`, or it measures a collection that is. A number that counts what is in a
collection is the same in another way: `count(S,O) = size(users(S,O))`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, islice, product

from otsrw.induction.clauses import Clause, renamed
from otsrw.induction.evidence import Evidence
from otsrw.ots.model import Ots
from otsrw.reasoning.connectives import Connectives, Literal
from otsrw.reasoning.integers import Integers
from otsrw.reasoning.workbench import Workbench
from otsrw.rewriting.rewriter import Rewriter
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import equations_by_symbol
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, Symbol, Term, variable

MAX_NUMBERS = 6
MAX_SUMMED = 4
MAX_COUNTED = 24
"""Pairs of a number and a collection that it may count."""


def conserved_sums(ots: Ots, connectives: Connectives, evidence: Evidence) -> list[Clause]:
    """The sums of observed numbers that are constant in all states of the evidence, as clauses; short ones first."""
    integers = Integers(ots.module)
    plus = integers.symbols.get(Builtin.ADD)
    numbers = list(_numbers(ots, integers))[:MAX_NUMBERS]
    if plus is None or len(ots.initials) != 1 or ots.initials[0].nargs > 0 or len(numbers) < 2:
        return []
    rewriter = Rewriter(ots.module)
    found: list[Clause] = []
    taken: list[frozenset[Term]] = []
    sizes = range(2, MAX_SUMMED + 1)
    for chosen in chain.from_iterable(combinations(numbers, size) for size in sizes):
        if any(smaller.issubset(chosen) for smaller in taken):
            continue
        total = plus.make(chosen)
        first = rewriter.reduce(substitute(total, {ots.state: ots.initials[0].make(())})).term
        if isinstance(first, LiteralTerm) or not first.args:  # a number, or one that the specification names
            law = Clause(ots.state, (Literal(connectives.equal(total, first), False),), ())
            if evidence.holds(law):
                found.append(law)
                taken.append(frozenset(chosen))
    return found


def counted_sizes(ots: Ots, connectives: Connectives, evidence: Evidence) -> list[Clause]:
    """That an observed value is the size of an observed collection at the same indexes, where the evidence says so."""
    order = ots.module.signature.order
    boolean = connectives.true.sort
    observed = [(o, o.apply(ots.state, _indexes(ots, o.indexes))) for o in ots.observers]
    sizes = [
        (collection, symbol.make((term,)))
        for symbol in _measures(ots)
        for collection, term in observed
        if order.leq(term.sort, symbol.decls[0].arity[0]) and symbol.decls[0].coarity is not boolean
    ]
    pairs = (
        (number, (size, collection.indexes))
        for (collection, size), (other, number) in product(sizes, observed)
        if other.indexes == collection.indexes and number.sort is size.sort
    )
    laws = (
        Clause(ots.state, (Literal(connectives.equal(number, size), False),), _indexes(ots, indexes))
        for number, (size, indexes) in islice(pairs, MAX_COUNTED)
    )
    return [law for law in laws if evidence.can_tell(law.parameters) and evidence.holds(law)]


def _indexes(ots: Ots, sorts: tuple[Sort, ...]) -> tuple[Term, ...]:
    """A variable for each index of an observer, the same for all observers with such indexes."""
    taken = {ots.state.op.name}
    return tuple(renamed(variable(sort.name[0].upper(), sort), taken) for sort in sorts)


def _measures(ots: Ots) -> Iterator[Symbol]:
    """The functions of one value of data that equations define."""
    for symbol in equations_by_symbol(ots.module):
        if symbol.nargs == 1 and symbol.native is None and symbol.decls and symbol.decls[0].arity[0] is not ots.sort:
            yield symbol


def _numbers(ots: Ots, integers: Integers) -> Iterator[Term]:
    """What is observed without open indexes and is an integer, or whose integer measure some function gives."""
    elements = Workbench(ots.module).constants_of
    observed = [o.apply(ots.state, at) for o in ots.observers for at in product(*map(elements, o.indexes))]
    yield from (term for term in observed if integers.is_integer(term.sort))
    order = ots.module.signature.order
    for symbol in _measures(ots):
        if integers.is_integer(symbol.decls[0].coarity):
            for term in observed:
                if order.leq(term.sort, symbol.decls[0].arity[0]):
                    yield symbol.make((term,))

"""Laws of conservation: sums of observed numbers that seem to be the same in every state.

`free(S) + size(inside(S)) = 3` is such a law. A number is observed without indexes or for each element of a small sort,
as `balance(S,ann) + balance(S,bob) = 100`, or it measures a collection that is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, product

from otsrw.induction.clauses import Clause
from otsrw.induction.evidence import Evidence
from otsrw.ots.model import Ots
from otsrw.reasoning.connectives import Connectives, Literal
from otsrw.reasoning.integers import Integers
from otsrw.reasoning.workbench import Workbench
from otsrw.rewriting.rewriter import Rewriter
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import equations_by_symbol
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import LiteralTerm, Term

MAX_NUMBERS = 6
MAX_SUMMED = 4


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
        if isinstance(first, LiteralTerm):
            law = Clause(ots.state, (Literal(connectives.equal(total, first), False),), ())
            if evidence.holds(law):
                found.append(law)
                taken.append(frozenset(chosen))
    return found


def _numbers(ots: Ots, integers: Integers) -> Iterator[Term]:
    """What is observed without open indexes and is an integer, or whose integer measure some function gives."""
    elements = Workbench(ots.module).constants_of
    observed = [o.apply(ots.state, at) for o in ots.observers for at in product(*map(elements, o.indexes))]
    yield from (term for term in observed if integers.is_integer(term.sort))
    order = ots.module.signature.order
    for symbol in equations_by_symbol(ots.module):
        if symbol.nargs == 1 and symbol.native is None and integers.is_integer(symbol.decls[0].coarity):
            for term in observed:
                if order.leq(term.sort, symbol.decls[0].arity[0]):
                    yield symbol.make((term,))

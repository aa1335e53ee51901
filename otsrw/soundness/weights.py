"""Do equations of an associative operator make a term lighter? Numbers as weights, as in `X + s(Y) = s(X + Y)`.

Every value weighs at least 1. A constructor weighs 1 more than its arguments, and f(x,y), where f is the operator, as
much as x*y + x + y: that does not change when arguments are grouped or swapped. If every equation of f makes its left
side lighter, and its right side calls no function but f, then rewriting with these equations ends. A part that another
function computes counts as heavy as the heaviest term that it can be rewritten to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from otsrw.theory.modules import Axiom
from otsrw.theory.terms import Symbol, Term

Weight = Counter[tuple[str, ...]]
"""A polynomial: how often each product of variables is in it."""


def makes_lighter(operator: Symbol, axioms: Iterable[Axiom], defined: Iterable[Symbol]) -> bool:
    """Do all equations of the operator make terms lighter? False as well if one calls a function that is defined."""
    if not operator.assoc or operator.identity is not None or operator.idem:
        return False
    functions = frozenset(defined)
    return all(_is_lighter(axiom, operator, functions) for axiom in axioms)


def _is_lighter(axiom: Axiom, operator: Symbol, defined: frozenset[Symbol]) -> bool:
    if axiom.condition is not None or axiom.otherwise:
        return False
    left, right = (_weight(side, operator, defined) for side in (axiom.lhs, axiom.rhs))
    if left is None or right is None:
        return False
    left.subtract(right)
    return all(times >= 0 for times in left.values()) and left[()] > 0


def _weight(term: Term, operator: Symbol, defined: frozenset[Symbol]) -> Weight | None:
    """The weight of a term in variables that stand for what a variable weighs beyond 1; None if it calls a function."""
    op = term.op
    if op.variable:
        return Counter({(f"{op.name}:{term.sort.name}",): 1, (): 1})
    if op is not operator and (op in defined or op.native is not None or op.assoc or op.identity is not None):
        return None
    parts = [_weight(arg, operator, defined) for arg in term.args]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    if op is not operator:
        own: Weight = Counter({(): 1})
        return sum(known, own)
    found = known[0]
    for part in known[1:]:
        found = _product(found, part) + found + part
    return found


def _product(one: Weight, other: Weight) -> Weight:
    found: Weight = Counter()
    for left, times in one.items():
        for right, more in other.items():
            found[tuple(sorted((*left, *right)))] += times * more
    return found

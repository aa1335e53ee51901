"""Order-sorted unification of terms without associativity and identities, in Python.

Most left sides are made of free and commutative operators, so most specifications never start Maude. A unifier is
found as usual, sorts aside; then the variables that are left are lowered to subsorts until every variable stands for
a term of its sort. There may be several ways to do that, and all maximal ones are given.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort, SortOrder
from otsrw.theory.terms import Symbol, Term, subterms, variable, variables_of

Unifier = dict[Term, Term]
Problem = tuple[tuple[Term, Term], ...]
"""Pairs of terms that must become equal at once."""

MAX_SORTINGS = 512


class TooManyUnifiers(Exception):
    """There are more unifiers than anybody wants to look at."""


def is_syntactic(problem: Problem) -> bool:
    """Are all operators of the problem free or commutative?"""
    return all(is_plain_operator(part.op) for pair in problem for side in pair for part in subterms(side))


def is_plain_operator(symbol: Symbol) -> bool:
    return not (symbol.assoc or symbol.idem or symbol.identity is not None)


def unify(problem: Problem, order: SortOrder, limit: int) -> list[Unifier]:
    """A complete set of order-sorted unifiers; raises `TooManyUnifiers` beyond the limit."""
    variables = list(dict.fromkeys(v for pair in problem for side in pair for v in variables_of(side)))
    found: dict[tuple[Term, ...], Unifier] = {}
    for solved in _solutions(list(problem), {}):
        resolved = {v: _resolved(v, solved) for v in variables}
        for unifier in _well_sorted(resolved, order):
            found.setdefault(tuple(unifier.values()), unifier)
            if len(found) > limit:
                raise TooManyUnifiers
    return list(found.values())


def _solutions(todo: list[tuple[Term, Term]], solved: Unifier) -> Iterator[Unifier]:
    """Triangular unifiers, sorts aside; every order of commutative arguments is tried."""
    while todo:
        left, right = todo.pop()
        left, right = _walk(left, solved), _walk(right, solved)
        if left is right:
            continue
        if right.op.variable:
            left, right = right, left
        if left.op.variable:
            if _occurs(left, right, solved):
                return
            solved = {**solved, left: right}
            continue
        if left.op is not right.op or not left.args:
            return
        if left.op.comm:
            swapped = list(zip(left.args, right.args[::-1], strict=True))
            yield from _solutions([*todo, *swapped], solved)
        todo = [*todo, *zip(left.args, right.args, strict=True)]
    yield solved


def _walk(term: Term, solved: Unifier) -> Term:
    while term in solved:
        term = solved[term]
    return term


def _occurs(wanted: Term, term: Term, solved: Unifier) -> bool:
    todo = [term]
    while todo:
        current = todo.pop()
        if current.ground:
            continue
        current = _walk(current, solved)
        if current is wanted:
            return True
        todo += current.args
    return False


def _resolved(term: Term, solved: Unifier) -> Term:
    if term.ground:
        return term
    term = _walk(term, solved)
    if not term.args:
        return term
    return term.op.make(tuple([_resolved(arg, solved) for arg in term.args]))


# --- sorts


def _well_sorted(resolved: Unifier, order: SortOrder) -> Iterator[Unifier]:
    """The unifier with its variables lowered as little as possible, so that all sorts fit."""
    wrong = [(value, v.sort) for v, value in resolved.items() if not order.leq(value.sort, v.sort)]
    if not wrong:
        yield resolved
        return
    free = list(dict.fromkeys(v for value, _ in wrong for v in variables_of(value)))
    kept: list[tuple[Sort, ...]] = []
    for sorts in _sortings(free, order):
        lowered = {v: variable(v.op.name, sort) for v, sort in zip(free, sorts, strict=True)}
        if all(order.leq(substitute(value, lowered).sort, sort) for value, sort in wrong):
            if not any(all(map(order.leq, sorts, other)) for other in kept):
                kept = [k for k in kept if not all(map(order.leq, k, sorts))]
                kept.append(sorts)
    for sorts in kept:
        lowered = {v: variable(v.op.name, sort) for v, sort in zip(free, sorts, strict=True)}
        yield {v: substitute(value, lowered) for v, value in resolved.items()}


def _sortings(free: list[Term], order: SortOrder) -> Iterator[tuple[Sort, ...]]:
    choices = [sorted(order.below[v.sort], key=lambda s: (-len(order.below[s]), s.number)) for v in free]
    total = 1
    for choice in choices:
        total *= len(choice)
    if total > MAX_SORTINGS:
        raise TooManyUnifiers
    return product(*choices)

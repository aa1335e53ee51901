"""Whether a case leaves any choice to constants whose sort has few elements.

Four constants of a sort with three elements cannot all differ, and no `q` has `next(q) = n1` if the equations give
`next` another value for each element; nor `balance(init,q) < 0` if they give every `q` of the initial state more.
None of that shows as long as the constants are opaque.
"""

from __future__ import annotations

from itertools import combinations
from math import prod

from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.roles import Roles
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Term, subterms

MAX_CHOICES = 81
"""Assignments of elements to constants; a case with more of them is not looked at."""


def impossible_constant(assumptions: Assumptions) -> Term | None:
    """A constant to split on, if no elements fit all constants of small sorts; None if some do, or nobody knows."""
    for constants in _together(assumptions, _constrained(assumptions)):
        choices = prod(len(assumptions.bench.constants_of(each.sort)) for each in constants)
        if choices <= MAX_CHOICES and not _fits(assumptions, constants):
            return constants[0]
    return None


def elements(assumptions: Assumptions, constant: Term) -> tuple[tuple[Assumed, ...], ...]:
    """The alternatives for a constant of a small sort."""
    equal = assumptions.bench.connectives.equal
    return tuple((Assumed(equal(constant, each), True),) for each in assumptions.bench.constants_of(constant.sort))


def crowded_pair(assumptions: Assumptions, roles: Roles) -> Term | None:
    """An undecided equation of two constants in the same role; None if there is none.

    It is looked for where there are more such constants than elements of their sort, so that two of them are equal.
    """
    bench = assumptions.bench
    asked: dict[object, dict[Term, None]] = {}
    sides = (side for equation in assumptions.equations for side in (equation.left, equation.right))
    for term in dict.fromkeys(part for side in sides for part in subterms(side)):
        if term.op.native is not Builtin.EQUALS:
            for place, argument in enumerate(term.args):
                if bench.is_constant(argument) and bench.constants_of(argument.sort):
                    asked.setdefault(roles.of((term.op, place)), {})[argument] = None
    for constants in asked.values():
        if len(constants) > len(bench.constants_of(next(iter(constants)).sort)):
            for pair in combinations(sorted(constants, key=lambda each: bench.constants[each.op]), 2):
                atom = bench.connectives.equal(*pair)
                if assumptions.reduce(atom) not in (bench.connectives.true, bench.connectives.false):
                    return atom
    return None


def _constrained(assumptions: Assumptions) -> list[Term]:
    """Fresh constants of small sorts that the assumptions say something about; those that most speak of come first."""
    bench = assumptions.bench
    count: dict[Term, int] = {}
    for equation in assumptions.equations:
        if bench.is_constant(equation.left):
            continue
        for part in subterms(equation.left):
            if part.op.native is not Builtin.EQUALS and not _is_function(assumptions, part):
                continue
            for each in part.args:
                if bench.is_constant(each) and bench.constants_of(each.sort):
                    count[each] = count.get(each, 0) + 1
    return sorted(count, key=lambda each: (-count[each], bench.constants[each.op]))


def _together(assumptions: Assumptions, constants: list[Term]) -> list[list[Term]]:
    """The constants in groups, such that no assumption is about constants of two groups."""
    groups = [[each] for each in constants]
    for equation in assumptions.equations:
        parts = set(subterms(equation.left))
        met = [group for group in groups if not parts.isdisjoint(group)]
        if len(met) > 1 and _is_constraint(assumptions, equation.left):
            merged = [each for each in constants if any(each in group for group in met)]
            groups = [group for group in groups if group not in met] + [merged]
    return groups


def _is_constraint(assumptions: Assumptions, term: Term) -> bool:
    return any(part.op.native is Builtin.EQUALS or _is_function(assumptions, part) for part in subterms(term))


def _is_function(assumptions: Assumptions, term: Term) -> bool:
    """Is this a function that equations define? An observer of a fresh state may have any value."""
    bench = assumptions.bench
    return bool(term.args) and all(bench.constants_of(arg.sort) or not _is_open(assumptions, arg) for arg in term.args)


def _is_open(assumptions: Assumptions, term: Term) -> bool:
    """Does a term speak of something fresh? The initial state does not."""
    return any(assumptions.bench.is_constant(part) for part in subterms(term))


def _fits(assumptions: Assumptions, constants: list[Term]) -> bool:
    """Is there an element for each constant such that nothing contradicts?"""
    if assumptions.contradiction is not None:
        return False
    if not constants:
        return True
    alternatives = elements(assumptions, constants[0])
    return any(_fits(assumptions.assuming(each), constants[1:]) for each in alternatives)

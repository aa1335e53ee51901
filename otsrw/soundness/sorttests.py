"""Conditions that ask for the sort of a value, as equations for that sort.

`ceq f(D) = a if D :is Key` applies to the same terms as `eq f(K:Key) = a`. On an unknown value the condition is false
and the equation does not apply, which claims nothing about the value. So equations that ask by `:is` whether a variable
is of a sort, and nowhere whether it is not, are judged as equations for the sort. A test in a right side stays: its
value `false` may change when more is known.
"""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.reasoning.connectives import Connectives, Literal
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort, SortOrder
from otsrw.theory.terms import LiteralTerm, Term, subterms, variable


def by_sorts(axiom: Axiom, connectives: Connectives) -> tuple[Axiom, ...]:
    """The equation for each of the sorts that its condition asks for; itself if it asks for none, or in other ways."""
    condition = axiom.condition
    if condition is None or axiom.otherwise or not _tests(condition):
        return (axiom,)
    try:
        ways = connectives.clauses(condition)
    except OtsrwError:
        return (axiom,)
    found: list[Axiom] = []
    for way in ways:
        tests = [literal for literal in way if _tests(literal.atom)]
        if not all(_is_plain(literal) for literal in tests):
            return (axiom,)
        rest = [literal for literal in way if literal not in tests]
        found += _specialised(axiom, tests, rest, connectives)
    return tuple(found)


def _tests(term: Term) -> bool:
    return any(part.op.native is Builtin.IS for part in subterms(term))


def _is_plain(literal: Literal) -> bool:
    """Does the literal ask whether a variable is of a sort?"""
    atom = literal.atom
    return literal.positive and atom.op.native is Builtin.IS and atom.args[0].op.variable and _sort(atom) is not None


def _sort(test: Term) -> Sort | None:
    wanted = test.args[1]
    return wanted.value if isinstance(wanted, LiteralTerm) and isinstance(wanted.value, Sort) else None


def _specialised(axiom: Axiom, tests: list[Literal], rest: list[Literal], connectives: Connectives) -> Iterator[Axiom]:
    order = connectives.signature.order
    choices: list[dict[Term, Term]] = [{}]
    for test in tests:
        place, sort = test.atom.args[0], _sort(test.atom)
        assert sort is not None
        choices = [
            {**known, place: variable(place.op.name, below)}
            for known in choices
            for below in _common(known.get(place, place).sort, sort, order)
        ]
    condition: Term | None = None
    for literal in rest:
        formula = literal.atom if literal.positive else connectives.negate(literal.atom)
        both = connectives.symbol(Builtin.AND)
        condition = formula if condition is None else both.make((condition, formula))
    for bindings in choices:
        lhs, rhs = substitute(axiom.lhs, bindings), substitute(axiom.rhs, bindings)
        kept = None if condition is None else substitute(condition, bindings)
        yield axiom._replace(lhs=lhs, rhs=rhs, condition=kept)


def _common(one: Sort, other: Sort, order: SortOrder) -> list[Sort]:
    """The greatest sorts below both."""
    below = order.below.get(one, frozenset()) & order.below.get(other, frozenset())
    greatest = [s for s in below if not any(order.leq(s, higher) for higher in below if higher is not s)]
    return sorted(greatest, key=lambda sort: sort.number)

"""Memberships in collections that states hold, such as `m \\in nw(S)`."""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.induction.cases import InductionCase
from otsrw.ots.model import Ots
from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.data import DataTheory
from otsrw.reasoning.workbench import Equation
from otsrw.records import NamedTuple
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Symbol, Term, subterms


class MembershipOperator(NamedTuple):
    """A predicate that is true exactly of the elements of a collection, and the places of its two arguments."""

    symbol: Symbol
    element: int
    collection: int


class Memberships:
    """The membership predicates of an OTS."""

    def __init__(self, ots: Ots, theory: DataTheory, connectives: Connectives) -> None:
        self.ots = ots
        self.connectives = connectives
        self.operators = _operators(theory, connectives)

    def member(self, element: Term, collection: Term) -> Term | None:
        """The formula that says the element is in the collection; None if no operator says that."""
        kind = self.ots.module.signature.order.kind
        for symbol, place, other in self.operators:
            kinds = symbol.arg_kinds
            if kinds[place] is kind[element.sort] and kinds[other] is kind[collection.sort]:
                return symbol.make((element, collection) if place < other else (collection, element))
        return None

    def said_by(self, conjunct: Term, case: InductionCase, used: dict[Term, int]) -> list[Term] | None:
        """The memberships that a conjunct of the effective condition amounts to; None if it says more than such.

        `o(s) = (e1 , e2 , rest)` with an otherwise unused rest says no more than e1 in o(s) and e2 in o(s).
        `used` tells how often each argument of the transition matters.
        """
        if conjunct.op.native is not Builtin.EQUALS:
            return None
        for collection, pattern in (conjunct.args, conjunct.args[::-1]):
            observed = self.ots.observer(collection.op) is not None and case.state in collection.args
            if not (observed and pattern.op.assoc and pattern.op.comm and pattern.op.identity is not None):
                continue
            rests = [e for e in pattern.args if case.bench.is_constant(e) and used.get(e) == 1]
            rests = [e for e in rests if e.sort is pattern.op.decls[0].coarity]
            if len(rests) != 1:
                continue
            members = [self.member(element, collection) for element in pattern.args if element is not rests[0]]
            found = [member for member in members if member is not None]
            return found if len(found) == len(members) else None
        return None

    def stands_for_condition(self, equation: Equation, conditions: Iterable[Equation]) -> bool:
        """Does the equation assume a membership that stands for one of the effective conditions?"""
        if equation.right is not self.connectives.true or not equation.left.args:
            return False
        return any(
            equation.left.args[place] in subterms(condition.left) and equation.left.args[other] in condition.left.args
            for symbol, place, other in self.operators
            if symbol is equation.left.op
            for condition in conditions
        )


def _operators(theory: DataTheory, connectives: Connectives) -> list[MembershipOperator]:
    found = []
    for symbol in theory.rules:
        if symbol.nargs == 2 and symbol.native is None and symbol.kind is not None:
            if symbol.decls[0].coarity is not connectives.true.sort:
                continue
            for place, other in ((0, 1), (1, 0)):
                exact = theory.exactly_elements(symbol, place, other) is not None
                if exact and theory.is_membership(symbol, place, other):
                    found.append(MembershipOperator(symbol, place, other))
                    break
    return found

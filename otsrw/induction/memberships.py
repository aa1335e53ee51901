"""Memberships in collections that states hold, such as `m \\in nw(S)`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from otsrw.induction.cases import InductionCase
from otsrw.induction.clauses import Clause
from otsrw.ots.model import Ots
from otsrw.reasoning.connectives import Connectives, Literal
from otsrw.reasoning.membership import membership_operators
from otsrw.reasoning.workbench import Equation
from otsrw.records import NamedTuple
from otsrw.rewriting.rewriter import Rewriter
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Symbol, Term, subterms, variables_of


class TakenElement(NamedTuple):
    """What is left of a collection without an element, and the formula that says the element is in it."""

    collection: Term
    element: Term
    rest: Term
    member: Term


class Memberships:
    """The membership predicates of an OTS."""

    def __init__(self, ots: Ots, connectives: Connectives) -> None:
        self.ots = ots
        self.connectives = connectives
        self.operators = membership_operators(ots.module)
        self._rewriter = Rewriter(ots.module)

    def member(self, element: Term, constructor: Symbol, collection: Term) -> Term | None:
        """The formula that says the element is in a collection of that constructor; None if no operator says that."""
        leq = self.ots.module.signature.order.leq
        for operator in self.operators:
            if operator.constructor is constructor and leq(element.sort, operator.sort):
                return operator.applied(element, collection)
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
            elements = [element for element in pattern.args if element is not rests[0]]
            members = [self.member(element, pattern.op, collection) for element in elements]
            found = [member for member in members if member is not None]
            return found if len(found) == len(members) else None
        return None

    def without_rests(self, clause: Clause) -> Clause:
        """The clause with `e \\in c` for `c = (e , rest)`, where nothing else speaks of the rest.

        As a lemma about a bag it says the same: there is a rest if and only if the element is in the bag. Once the bag
        grows by a step, the membership can be evaluated, and the equation cannot. What else is in the rest is in the
        bag, and the other way round, if it differs from the element.
        """
        taken = [each for literal in clause.literals if (each := self._taken(literal)) is not None]
        whole = [self._about_whole(literal, taken) for literal in clause.literals]
        used = Counter(v for literal in whole for v in variables_of(literal.atom))
        literals = tuple(dict.fromkeys(self._without_rest(literal, used) for literal in whole))
        mentioned = {v for literal in literals for v in variables_of(literal.atom)}
        return Clause(clause.state, literals, tuple(v for v in clause.parameters if v in mentioned))

    def _taken(self, literal: Literal) -> TakenElement | None:
        """The literal as one that takes an element out of a collection: `c = (e , rest)`."""
        atom = literal.atom
        if not literal.positive or atom.op.native is not Builtin.EQUALS:
            return None
        for collection, pattern in (atom.args, atom.args[::-1]):
            if not pattern.op.assoc or len(pattern.args) != 2:
                continue
            for rest, element in (pattern.args, pattern.args[::-1]):
                others = (*variables_of(collection), *variables_of(element))
                is_any = rest.op.variable and rest.sort is pattern.op.decls[0].coarity
                member = self.member(element, pattern.op, collection)
                if is_any and rest not in others and member is not None:
                    return TakenElement(collection, element, rest, member)
        return None

    def _about_whole(self, literal: Literal, taken: list[TakenElement]) -> Literal:
        """A membership in a rest as one in the collection that it is the rest of."""
        atom = literal.atom
        for operator in self.operators:
            if atom.op is operator.symbol:
                element, collection = atom.args[operator.element], atom.args[operator.collection]
                for each in taken:
                    same = self.connectives.equal(element, each.element)
                    if each.rest is collection and self._rewriter.reduce(same).term is self.connectives.false:
                        return Literal(operator.applied(element, each.collection), literal.positive)
        return literal

    def _without_rest(self, literal: Literal, used: Mapping[Term, int]) -> Literal:
        taken = self._taken(literal)
        return literal if taken is None or used[taken.rest] > 1 else Literal(taken.member, True)

    def stands_for_condition(self, equation: Equation, conditions: Iterable[Equation]) -> bool:
        """Does the equation assume a membership that stands for one of the effective conditions?"""
        if equation.right is not self.connectives.true or not equation.left.args:
            return False
        return any(
            equation.left.args[operator.element] in subterms(condition.left)
            and equation.left.args[operator.collection] in condition.left.args
            for operator in self.operators
            if operator.symbol is equation.left.op
            for condition in conditions
        )

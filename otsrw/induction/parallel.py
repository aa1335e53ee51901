"""Induction cases split by several processes.

Terms are objects of one process, so a child sends its leaves as numbers: symbols that existed before the fork have the
same number on both sides, constants made by the child are declared again by name. What the parent gets is what it
would have computed itself: choices depend on what terms look like, never on when they were made.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from otsrw.induction.cases import InductionCase, Predicate
from otsrw.induction.scheme import Induction, RefinedLeaf
from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.splitting import Leaf, LeafOutcome, Premise
from otsrw.reasoning.workbench import Equation, Why
from otsrw.records import NamedTuple
from otsrw.theory.terms import LiteralTerm, Symbol, Term, literal_of

if TYPE_CHECKING:
    from concurrent.futures import Executor


def leaves_of_all(
    induction: Induction,
    cases: list[InductionCase],
    known: list[Predicate],
    jobs: int,
    executor: Executor | None = None,
) -> Iterator[tuple[InductionCase, list[RefinedLeaf]]]:
    """The leaves of every case, in the order of the cases; each process takes every `jobs`-th of them.

    The executor must have workers that know the terms of this process. If one dies, its share is done here.
    """
    if jobs < 2 or len(cases) < 2 or not hasattr(os, "fork"):
        for case in cases:
            yield case, induction.refined(case, known)
        return
    from otsrw.induction.forking import ChildDied, ForkedCalls

    shares = [cases[first::jobs] for first in range(min(jobs, len(cases)))]
    workers = executor or ForkedCalls()
    calls = [workers.submit(_sent_leaves, induction, share, known) for share in shares]
    results: dict[InductionCase, list[RefinedLeaf]] = {}
    for share, call in zip(shares, calls, strict=True):
        try:
            parts = call.result()
        except ChildDied:
            results.update((case, induction.refined(case, known)) for case in share)
        else:
            results.update((case, _LeafReader(case, part).leaves()) for case, part in zip(share, parts, strict=True))
    for case in cases:
        yield case, results[case]


def _sent_leaves(induction: Induction, cases: list[InductionCase], known: list[Predicate]) -> list[SentCase]:
    return [_LeafWriter(case).written(induction.refined(case, known)) for case in cases]


# --- what is sent


class SentTerm(NamedTuple):
    """A term: a symbol's number with its arguments, or a constant of the case, or a literal value.

    Arguments are places in the list of terms of the case.
    """

    symbol: int | None
    args: tuple[int, ...] = ()
    constant: int | None = None
    value: object = None


class SentEquation(NamedTuple):
    left: int
    right: int
    why: Why


class SentLiteral(NamedTuple):
    atom: int
    positive: bool


class SentAssumed(NamedTuple):
    formula: int
    holds: bool
    is_condition: bool


class SentPremise(NamedTuple):
    name: str
    values: list[int]
    formula: int


class SentLeaf(NamedTuple):
    equations: list[SentEquation]
    contradiction: SentLiteral | None
    open: list[SentAssumed]
    value: int
    outcome: LeafOutcome
    note: str
    premise: SentPremise | None


class SentRefined(NamedTuple):
    """A leaf, and the leaves it was split into; no parts if it was not split."""

    leaf: SentLeaf
    parts: list[SentLeaf]


class SentConstant(NamedTuple):
    name: str
    sort: int


class SentCase(NamedTuple):
    """The leaves of a case; terms are numbers, the places of `terms`, where arguments stand before what has them."""

    constants: list[SentConstant]
    terms: list[SentTerm]
    leaves: list[SentRefined]


class _LeafWriter:
    def __init__(self, case: InductionCase) -> None:
        self.bench = case.bench
        self.terms: list[SentTerm] = []
        self._places: dict[Term, int] = {}

    def written(self, leaves: list[RefinedLeaf]) -> SentCase:
        sorts = {sort: number for number, sort in enumerate(self.bench.module.signature.order.sorts)}
        constants = [SentConstant(symbol.name, sorts[symbol.decls[0].coarity]) for symbol in self.bench.constants]
        return SentCase(constants, self.terms, [self._refined(leaf) for leaf in leaves])

    def _refined(self, refined: RefinedLeaf) -> SentRefined:
        was_split = refined.parts != (refined.leaf,)
        return SentRefined(self._leaf(refined.leaf), [self._leaf(part) for part in refined.parts if was_split])

    def _leaf(self, leaf: Leaf) -> SentLeaf:
        assumptions = leaf.assumptions
        literal = assumptions.contradiction
        return SentLeaf(
            [SentEquation(self._place(e.left), self._place(e.right), e.why) for e in assumptions.equations],
            None if literal is None else SentLiteral(self._place(literal.atom), literal.positive),
            [SentAssumed(self._place(a.formula), a.holds, a.is_condition) for a in assumptions.open],
            self._place(leaf.value),
            leaf.outcome,
            leaf.note,
            None if leaf.premise is None else self._premise(leaf.premise),
        )

    def _premise(self, premise: Premise) -> SentPremise:
        return SentPremise(premise.name, [self._place(v) for v in premise.values], self._place(premise.formula))

    def _place(self, term: Term) -> int:
        place = self._places.get(term)
        if place is None:
            sent = self._term(term)
            place = self._places[term] = len(self.terms)
            self.terms.append(sent)
        return place

    def _term(self, term: Term) -> SentTerm:
        if isinstance(term, LiteralTerm):
            return SentTerm(None, value=term.value)
        if term.op in self.bench.constants:
            return SentTerm(None, constant=self.bench.constants[term.op])
        return SentTerm(term.op.number, tuple([self._place(arg) for arg in term.args]))


class _LeafReader:
    def __init__(self, case: InductionCase, sent: SentCase) -> None:
        self.bench = case.bench
        self.sent = sent
        self.terms: list[Term] = []

    def leaves(self) -> list[RefinedLeaf]:
        signature = self.bench.module.signature
        sorts = signature.order.sorts
        symbols = {symbol.number: symbol for symbol in signature.symbols()}
        constants = [self.bench.constant(name, sorts[number]) for name, number in self.sent.constants]
        for term in self.sent.terms:
            self.terms.append(self._term(term, symbols, constants))
        return [self._refined(refined) for refined in self.sent.leaves]

    def _refined(self, sent: SentRefined) -> RefinedLeaf:
        leaf = self._leaf(sent.leaf)
        return RefinedLeaf(leaf, tuple(self._leaf(part) for part in sent.parts) or (leaf,))

    def _term(self, sent: SentTerm, symbols: dict[int, Symbol], constants: list[Term]) -> Term:
        if sent.symbol is not None:
            return symbols[sent.symbol].make(tuple([self.terms[place] for place in sent.args]))
        return literal_of(sent.value) if sent.constant is None else constants[sent.constant]

    def _leaf(self, sent: SentLeaf) -> Leaf:
        terms = self.terms
        equations = tuple(Equation(terms[left], terms[right], why) for left, right, why in sent.equations)
        assumptions = Assumptions(self.bench, equations)
        if sent.contradiction is not None:
            assumptions.contradiction = Literal(terms[sent.contradiction.atom], sent.contradiction.positive)
        assumptions.open = tuple(Assumed(terms[a.formula], a.holds, a.is_condition) for a in sent.open)
        premise = None
        if sent.premise is not None:
            values = tuple(terms[place] for place in sent.premise.values)
            premise = Premise(sent.premise.name, values, terms[sent.premise.formula])
        return Leaf(assumptions, terms[sent.value], sent.outcome, sent.note, premise)

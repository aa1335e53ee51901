"""The leaves of an induction case as data that another process can read.

Constants that were made while the case was split are declared again by name.
"""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.induction.attempts import RefinedLeaf
from otsrw.induction.cases import InductionCase
from otsrw.induction.sent_predicates import SentLiteral
from otsrw.induction.sent_terms import SentTerm, TermWriter, numbers_of, read_terms
from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.splitting import Leaf, LeafOutcome, Premise
from otsrw.reasoning.workbench import Equation, Why
from otsrw.records import NamedTuple
from otsrw.theory.terms import Term


class SentEquation(NamedTuple):
    left: int
    right: int
    why: Why


class SentAssumed(NamedTuple):
    formula: int
    holds: bool
    is_condition: bool
    is_told: bool


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
    """A fresh constant; `is_part` says that it stands for a part of a value."""

    name: str
    sort: int
    is_part: bool


class SentCase(NamedTuple):
    """The leaves of a case, and the reductions that it took to find them.

    Terms are numbers, the places of `terms`, where arguments stand before what has them.
    """

    constants: list[SentConstant]
    terms: list[SentTerm]
    leaves: list[SentRefined]
    reductions: int


def written_case(case: InductionCase, leaves: list[RefinedLeaf]) -> SentCase:
    return _LeafWriter(case).written(leaves)


def read_case(case: InductionCase, sent: SentCase) -> list[RefinedLeaf]:
    """The leaves that were sent, in the constants of the same case in this process."""
    leaves = _LeafReader(case, sent).leaves(sent)
    case.bench.reductions = sent.reductions
    return leaves


class _LeafWriter:
    def __init__(self, case: InductionCase) -> None:
        self.bench = case.bench
        self._writer = TermWriter(case.bench.module, case.bench.constants)

    def written(self, leaves: list[RefinedLeaf]) -> SentCase:
        self._writer.write_in_turn(
            term for refined in leaves for leaf in (refined.leaf, *refined.parts) for term in _terms_of(leaf)
        )
        sent = [self._refined(leaf) for leaf in leaves]
        numbers = numbers_of(self.bench.module)
        constants = [
            SentConstant(symbol.name, numbers.sort_number(symbol.decls[0].coarity), symbol in self.bench.parts)
            for symbol in self.bench.constants
        ]
        return SentCase(constants, self._writer.terms, sent, self.bench.reductions)

    def _refined(self, refined: RefinedLeaf) -> SentRefined:
        was_split = refined.parts != (refined.leaf,)
        return SentRefined(self._leaf(refined.leaf), [self._leaf(part) for part in refined.parts if was_split])

    def _leaf(self, leaf: Leaf) -> SentLeaf:
        place = self._writer.place
        assumptions = leaf.assumptions
        literal = assumptions.contradiction
        return SentLeaf(
            [SentEquation(place(e.left), place(e.right), e.why) for e in assumptions.equations],
            None if literal is None else SentLiteral(place(literal.atom), literal.positive),
            [SentAssumed(place(a.formula), a.holds, a.is_condition, a.is_told) for a in assumptions.open],
            place(leaf.value),
            leaf.outcome,
            leaf.note,
            None if leaf.premise is None else self._premise(leaf.premise),
        )

    def _premise(self, premise: Premise) -> SentPremise:
        return SentPremise(premise.name, list(self._writer.places(premise.values)), self._writer.place(premise.formula))


def _terms_of(leaf: Leaf) -> Iterator[Term]:
    """The terms of a leaf."""
    assumptions, premise = leaf.assumptions, leaf.premise
    yield leaf.value
    for equation in assumptions.equations:
        yield from (equation.left, equation.right)
    yield from (assumed.formula for assumed in assumptions.open)
    if assumptions.contradiction is not None:
        yield assumptions.contradiction.atom
    if premise is not None:
        yield from (*premise.values, premise.formula)


class _LeafReader:
    def __init__(self, case: InductionCase, sent: SentCase) -> None:
        self.bench = bench = case.bench
        numbers = numbers_of(bench.module)
        constants = [bench.constant(each.name, numbers.sort(each.sort, bench.module)) for each in sent.constants]
        bench.parts.update(made.op for made, each in zip(constants, sent.constants, strict=True) if each.is_part)
        self.terms = read_terms(sent.terms, bench.module, constants)

    def leaves(self, sent: SentCase) -> list[RefinedLeaf]:
        return [self._refined(refined) for refined in sent.leaves]

    def _refined(self, sent: SentRefined) -> RefinedLeaf:
        leaf = self._leaf(sent.leaf)
        return RefinedLeaf(leaf, tuple(self._leaf(part) for part in sent.parts) or (leaf,))

    def _leaf(self, sent: SentLeaf) -> Leaf:
        terms = self.terms
        equations = tuple(Equation(terms[left], terms[right], why) for left, right, why in sent.equations)
        assumptions = Assumptions(self.bench, equations)
        if sent.contradiction is not None:
            assumptions.contradiction = Literal(terms[sent.contradiction.atom], sent.contradiction.positive)
        assumptions.open = tuple(Assumed(terms[a.formula], a.holds, a.is_condition, a.is_told) for a in sent.open)
        premise = None
        if sent.premise is not None:
            values = tuple(terms[place] for place in sent.premise.values)
            premise = Premise(sent.premise.name, values, terms[sent.premise.formula])
        return Leaf(assumptions, terms[sent.value], sent.outcome, sent.note, premise)

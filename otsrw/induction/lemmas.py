"""All necessary lemmas of one predicate, without any search: what `otsrw lemmas` shows."""

from __future__ import annotations

from enum import StrEnum

from otsrw.display import Displayed
from otsrw.induction.cases import InductionCase, Predicate
from otsrw.induction.clauses import Clause, literal_of
from otsrw.induction.closing import finder_for
from otsrw.induction.grounds import grounds_of
from otsrw.induction.scheme import Induction
from otsrw.reasoning.splitting import Leaf, LeafOutcome
from otsrw.reasoning.workbench import Why
from otsrw.records import dataclass
from otsrw.theory.printing import show, show_plainly


class LemmaOutcome(StrEnum):
    """What is known of a predicate after its cases were split."""

    VIOLATED = "violated"
    """It is false in an initial state."""
    UNKNOWN = "unknown"
    DECIDED = "decided"
    """Every case is closed or has a lemma; that does not say that the invariant holds."""


@dataclass(frozen=True, eq=False, slots=True)
class NecessaryLemma:
    """A lemma, the transition whose case asks for it, and the assumptions of that case."""

    name: str
    clause: Clause
    formula: str
    transition: str
    assumptions: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class LemmaReport(Displayed):
    """What the induction cases of one predicate ask for."""

    predicate: Predicate
    base: LeafOutcome
    """`TRUE` if the predicate holds in all initial states."""
    cases: dict[str, int]
    """How many cases each transition was split into."""
    undecided: tuple[tuple[InductionCase, Leaf], ...]
    lemmas: tuple[NecessaryLemma, ...]
    doubt: str | None
    """Why a case that reduces to true is not proved by that."""

    @property
    def outcome(self) -> LemmaOutcome:
        if self.base is LeafOutcome.FALSE:
            return LemmaOutcome.VIOLATED
        return LemmaOutcome.UNKNOWN if self.doubt is not None or self.undecided else LemmaOutcome.DECIDED


def necessary_lemmas(induction: Induction, predicate: Predicate) -> LemmaReport:
    """CaseSplit of every induction case; a lemma that an earlier one implies is left out."""
    base = LeafOutcome.TRUE
    undecided: list[tuple[InductionCase, Leaf]] = []
    for initial in induction.ots.initials:
        case = induction.base_case(predicate, initial)
        for leaf in induction.leaves(case):
            if leaf.outcome is LeafOutcome.FALSE and _is_possible(case, leaf):
                base = LeafOutcome.FALSE
            elif leaf.outcome in (LeafOutcome.FALSE, LeafOutcome.UNDECIDED):
                base = LeafOutcome.UNDECIDED if base is LeafOutcome.TRUE else base
                undecided.append((case, leaf))
    cases: dict[str, int] = {}
    lemmas: list[NecessaryLemma] = []
    for transition in induction.ots.transitions:
        case = induction.induction_case(predicate, transition)
        for leaf in induction.leaves(case):
            cases[transition.name] = cases.get(transition.name, 0) + 1
            if leaf.outcome is LeafOutcome.UNDECIDED:
                undecided.append((case, leaf))
            elif leaf.outcome is LeafOutcome.FALSE and not _implied(leaf, case, lemmas):
                clause = induction.necessary_lemma(case, leaf)
                text = clause.text(induction.connectives)
                name = f"lemma{len(lemmas) + 1}"
                lemmas.append(NecessaryLemma(name, clause, text, transition.name, assumption_texts(case, leaf)))
    doubt = grounds_of(induction.ots, [predicate]).doubt(predicate.name)
    return LemmaReport(predicate, base, cases, tuple(undecided), tuple(lemmas), doubt)


def _is_possible(case: InductionCase, leaf: Leaf) -> bool:
    """Do values for the constants make the assumptions true? Certainly if each says what a constant is."""
    return all(case.bench.is_constant(equation.left) for equation in leaf.assumptions.equations)


def _implied(leaf: Leaf, case: InductionCase, lemmas: list[NecessaryLemma]) -> bool:
    finder = finder_for(case, leaf)
    return any(finder.find(lemma.clause) is not None for lemma in lemmas)


def assumption_texts(case: InductionCase, leaf: Leaf) -> tuple[str, ...]:
    """The assumptions of a case as people read them."""
    texts = []
    for equation in leaf.assumptions.equations:
        literal = literal_of(case.bench, equation)
        if literal is not None:
            texts.append(show_plainly(literal.atom) if literal.positive else f"not {show_plainly(literal.atom)}")
        elif equation.why is Why.ASSUMPTION:
            texts.append(f"({show(equation.left)} = {show(equation.right)})")
    return tuple(texts)

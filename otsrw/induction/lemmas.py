"""All necessary lemmas of one predicate, without any search: what `otsrw lemmas` shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as Literal_

from otsrw.display import Displayed
from otsrw.induction.clauses import Clause, InstanceFinder, literal_of
from otsrw.induction.consistency import why_no_proof
from otsrw.induction.steps import Induction, Predicate, Step
from otsrw.ots.instance import Instance
from otsrw.reasoning.splitting import Leaf
from otsrw.theory.printing import show, show_plainly


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
    predicate: Predicate
    base: Literal_["true", "false", "undecided"]
    cases: dict[str, int]
    """How many cases each transition was split into."""
    undecided: tuple[tuple[Step, Leaf], ...]
    lemmas: tuple[NecessaryLemma, ...]
    doubt: str | None
    """Why a case that reduces to true is not proved by that."""

    @property
    def outcome(self) -> Literal_["violated", "unknown", "decided"]:
        """`decided` says that every case is closed or has a lemma, not that the invariant holds."""
        if self.base == "false":
            return "violated"
        return "unknown" if self.doubt is not None or self.undecided else "decided"


def necessary_lemmas(induction: Induction, predicate: Predicate, instance: Instance | None = None) -> LemmaReport:
    """CaseSplit of every induction case; a lemma that an earlier one implies is left out."""
    base: Literal_["true", "false", "undecided"] = "true"
    undecided: list[tuple[Step, Leaf]] = []
    for step in induction.base_cases(predicate):
        for leaf in induction.leaves(step):
            if leaf.outcome == "false":
                base = "false"
            elif leaf.outcome == "undecided":
                base = "undecided" if base == "true" else base
                undecided.append((step, leaf))
    cases: dict[str, int] = {}
    lemmas: list[NecessaryLemma] = []
    for transition in induction.ots.transitions:
        step = induction.induction_case(predicate, transition)
        for leaf in induction.leaves(step):
            cases[transition.name] = cases.get(transition.name, 0) + 1
            if leaf.outcome == "undecided":
                undecided.append((step, leaf))
            elif leaf.outcome == "false" and not _implied(leaf, step, lemmas):
                clause, _ = induction.necessary_lemma(step, leaf)
                text = clause.text(induction.connectives)
                name = f"lemma{len(lemmas) + 1}"
                lemmas.append(NecessaryLemma(name, clause, text, transition.name, assumption_texts(step, leaf)))
    doubt = why_no_proof(induction.ots.module, instance)
    return LemmaReport(predicate, base, cases, tuple(undecided), tuple(lemmas), doubt)


def _implied(leaf: Leaf, step: Step, lemmas: list[NecessaryLemma]) -> bool:
    finder = InstanceFinder(leaf.assumptions, step.state, (*step.values, *step.arguments))
    return any(finder.find(lemma.clause) is not None for lemma in lemmas)


def assumption_texts(step: Step, leaf: Leaf) -> tuple[str, ...]:
    """The assumptions of a case as people read them."""
    texts = []
    for equation in leaf.assumptions.equations:
        literal = literal_of(step.bench, equation)
        if literal is not None:
            texts.append(show_plainly(literal.atom) if literal.positive else f"not {show_plainly(literal.atom)}")
        elif equation.why == "assumption":
            texts.append(f"({show(equation.left)} = {show(equation.right)})")
    return tuple(texts)

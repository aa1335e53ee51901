"""Guesses that simple lemmas cannot prove.

A guess may be true and yet need lemmas about three processes, and these lemmas about four. An induction case that no
simple lemma excludes shows a state that none of them can tell from a reachable one. All steps from there lead to more
such states, and what is false in one of them has no simple proof. So these states count as evidence, too: they speak
against the guess, against all others that are false in them, and against what would be guessed next.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from otsrw.induction.cases import Predicate
from otsrw.induction.completing import Completions
from otsrw.induction.conjunctions import CannotTell, Conjunctions
from otsrw.induction.evidence import Evidence
from otsrw.induction.proof import Proof
from otsrw.induction.results import Node, NodeKind, used_by
from otsrw.induction.steps import GivenUp, OpenCase
from otsrw.induction.vocabulary import CaseVocabulary
from otsrw.ots.stepping import Values
from otsrw.search.space import OutOfLimits
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError

MAX_COMPLETED = 24
"""States of a case that are tried."""
MAX_TAKEN = 12
"""States of a case from which steps are taken."""
MAX_BEYOND = 600
"""States that these lead to, for each of them."""


class HopelessGuesses:
    """Finds guesses that are false in states which no simple lemma excludes."""

    def __init__(self, evidence: Evidence, vocabulary: CaseVocabulary) -> None:
        self._evidence = evidence
        self._vocabulary = vocabulary

    def given_up(self, proof: Proof, open_case: OpenCase, guess: Node) -> GivenUp:
        """The guess whose case is open, and all that are false in states to which the states of that case lead."""
        beyond = self._beyond(proof, open_case)
        if beyond is None:
            return GivenUp(open_case, guess)
        others = [node for node in proof.nodes.values() if node is not guess and node.kind is NodeKind.STRENGTHENED]
        return GivenUp(open_case, guess, tuple(n for n in others if _is_violated(beyond, n.predicate)), beyond)

    def _beyond(self, proof: Proof, open_case: OpenCase) -> Conjunctions | None:
        """States of the case, and what their steps lead to; None if none are found that may be taken for reachable."""
        described = self._vocabulary.described(open_case.case, open_case.leaf.assumptions).clause
        needed = used_by(proof.nodes, proof.root.name)
        nodes = list(proof.nodes.values())
        known = [clause for node in nodes if node.name in needed for clause in node.predicate.clauses]
        exact = [node.predicate for node in nodes if node.is_exact]
        for sample in self._evidence.sampled:
            if sample.has_room(described.parameters) and not sample.instance.arbitrary:
                completed = dict.fromkeys(islice(Completions(sample, known).of(described.literals), MAX_COMPLETED))
                taken = islice((s for s in completed if self._is_plausible(sample, s, exact)), MAX_TAKEN)
                found = self._led_to(sample, list(taken))
                if found is not None:
                    return found
        return None

    def _is_plausible(self, sample: Conjunctions, state: Values, exact: Sequence[Predicate]) -> bool:
        """Is nothing that must be true false in what the state leads to?"""
        beyond = self._led_to(sample, [state])
        return beyond is not None and not any(_is_violated(beyond, predicate) for predicate in exact)

    def _led_to(self, sample: Conjunctions, states: list[Values]) -> Conjunctions | None:
        if not states:
            return None
        try:
            return self._evidence.from_states(sample.instance, states, MAX_BEYOND * len(states))
        except BudgetExceeded:
            raise
        except (OtsrwError, OutOfLimits):
            return None


def _is_violated(states: Conjunctions, predicate: Predicate) -> bool:
    """Is it false in one of the states? Not if that cannot be told."""
    for clause in predicate.clauses:
        try:
            if states.together(clause.literals) is not None:
                return True
        except CannotTell:
            continue
    return False

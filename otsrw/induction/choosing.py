"""Which lemma an open case gets, or which guess is given up because of it."""

from __future__ import annotations

from functools import cached_property

from otsrw.induction.cases import InductionCase
from otsrw.induction.clauses import Clause
from otsrw.induction.closing import closed_by, known_predicates
from otsrw.induction.falsification import Falsifier
from otsrw.induction.growing import growing_family
from otsrw.induction.hopeless import HopelessGuesses
from otsrw.induction.promising import Strengthener, clauses_above
from otsrw.induction.proof import Proof
from otsrw.induction.results import Node, NodeKind, Options
from otsrw.induction.scheme import Induction
from otsrw.induction.steps import GivenUp, LemmaChosen, OpenCase
from otsrw.induction.superseding import superseded_by

MAX_LEMMAS = 600
MOST_SHOWN = 100
"""Characters of a lemma that the reason of a verdict shows."""

FRUGAL_AFTER = 1500
"""Cases after which lemmas must be simple, and guesses that simple lemmas do not prove are given up."""


class LemmaChooser:
    """Chooses lemmas for open cases; without a strengthener the necessary ones."""

    def __init__(
        self, induction: Induction, options: Options, falsifier: Falsifier | None, strengthener: Strengthener | None
    ) -> None:
        self._induction = induction
        self._options = options
        self._falsifier = falsifier
        self._strengthener = strengthener if options.strengthen else None
        self._known_names = frozenset(symbol.name for symbol in induction.ots.module.signature.symbols())

    def lemma_for(self, proof: Proof, open_case: OpenCase) -> LemmaChosen | GivenUp:
        """A lemma that closes the case: the necessary one, or a stronger one that the sample does not refute.

        After many cases nothing but a simple lemma will do, unless the necessary one is necessary for the property.
        """
        known = known_predicates(self._induction, proof.nodes)
        closed = closed_by(self._induction, open_case, known)
        if closed:
            return LemmaChosen(open_case, None, closed)
        is_frugal = proof.cases > FRUGAL_AFTER and self._strengthener is not None
        chosen = self._chosen(proof, open_case, is_frugal)
        limit = self._limit(proof, chosen)
        if is_frugal and not chosen.is_exact and (limit is not None or not chosen.is_guess):
            guess = proof.guess_above(proof.nodes[open_case.obligation.predicate])
            if guess.kind is NodeKind.STRENGTHENED:
                return self._hopeless.given_up(proof, open_case, guess)
        if limit is not None:
            return LemmaChosen(open_case, None, (), limit)
        known = known_predicates(self._induction, proof.nodes)  # a choice may come with lemmas about data
        superseded = superseded_by(proof, chosen, self._induction.ots.module.signature.order)
        gone = [each.name for each in superseded]
        left = [predicate for predicate in known if predicate.name not in gone]
        closed = closed_by(self._induction, open_case, [*left, chosen.predicate])
        if gone and not closed:
            return LemmaChosen(open_case, chosen, closed_by(self._induction, open_case, [*known, chosen.predicate]))
        return LemmaChosen(open_case, chosen, closed, superseded=superseded)

    @cached_property
    def _hopeless(self) -> HopelessGuesses:
        assert self._strengthener is not None
        return HopelessGuesses(self._strengthener.evidence, self._strengthener.vocabulary)

    def _chosen(self, proof: Proof, open_case: OpenCase, is_frugal: bool) -> Node:
        """A stronger lemma if there is a promising one, else the necessary one.

        What premises have added to the case is used only if nothing stronger is made of the rest: such lemmas are about
        values that the property does not speak of.
        """
        case, necessary = open_case.case, open_case.necessary
        parent = proof.nodes[open_case.obligation.predicate]
        if self._strengthener is not None:
            leaves = dict.fromkeys((open_case.plain, open_case.leaf))
            most = len(self._induction.necessary_lemma(case, open_case.plain).literals)
            clause = self._strengthener.most_promising(proof, case, leaves, most, is_frugal)
            if clause is not None:
                return self.lemma(proof, parent, case, clause, NodeKind.STRENGTHENED)
        return self.lemma(proof, parent, case, necessary, NodeKind.NECESSARY)

    def _limit(self, proof: Proof, chosen: Node) -> str | None:
        """The limit because of which there is no lemma; None if none is reached."""
        if chosen.depth > self._options.max_level:
            return f"{self._options.max_level} lemmas below each other"
        assert chosen.parent is not None
        family = growing_family([*clauses_above(proof, chosen.parent), *chosen.predicate.clauses])
        if family and (self._falsifier is None or not chosen.is_exact):
            first, second = [_beginning(clause.text(self._induction.connectives)) for clause in family[-2:]]
            return f"{len(family)} lemmas that become larger and larger, as {first} and {second},"
        return f"{MAX_LEMMAS} lemmas" if len(proof.nodes) > MAX_LEMMAS else None

    def lemma(self, proof: Proof, parent: Node, case: InductionCase, clause: Clause, kind: NodeKind) -> Node:
        """A new lemma below the predicate whose case it is for."""
        assert case.transition is not None
        is_exact = parent.is_exact and kind is NodeKind.NECESSARY
        return Node(
            self._induction.lemma(self._fresh_name(proof), clause),
            kind,
            parent.name,
            case.transition.name,
            depth=parent.depth + 1,
            is_exact=is_exact,
            distance=self._falsifier.distance(clause) if is_exact and self._falsifier is not None else 0,
        )

    def _fresh_name(self, proof: Proof) -> str:
        number = len(proof.nodes)
        while f"lemma{number}" in self._known_names or f"lemma{number}" in proof.nodes:
            number += 1
        return f"lemma{number}"


def _beginning(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]} ..."

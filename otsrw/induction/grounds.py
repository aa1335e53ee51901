"""What a proof by induction rests on: claims about the equations that its reductions and case splits use.

A reduction is true of all instances of a case only if the equations terminate and do not depend on their order; a split
over constructors leaves nothing out only if functions are complete and sorts protected. `soundness/` proves these
claims for the operators that the predicates of a proof depend on, refutes them or leaves them open.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from otsrw.induction.cases import Predicate
from otsrw.ots.model import Ots
from otsrw.records import dataclass, replace
from otsrw.soundness import Obligation, ObligationKind, Status, check
from otsrw.soundness.claims import claim_text, disagreement_text
from otsrw.soundness.domains import settled
from otsrw.soundness.obligations import DomainClaim
from otsrw.theory.terms import subterms

if TYPE_CHECKING:
    from otsrw.reasoning.data_induction import DataProof

ASSUMABLE = (
    ObligationKind.ORDER,
    ObligationKind.TERMINATING,
    ObligationKind.COMPLETE,
    ObligationKind.PROTECTED,
    ObligationKind.EQUALITY,
)
"""Kinds of claims that a user may take on trust."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """The claims a proof rests on, and the kinds of them that the user assumes."""

    obligations: tuple[Obligation, ...] = ()
    assume: frozenset[ObligationKind] = frozenset()

    @property
    def assumed(self) -> tuple[Obligation, ...]:
        """Claims that are not proved and taken on trust; what is refuted cannot be."""
        return tuple(each for each in self._unproved if self._may_assume(each))

    @property
    def missing(self) -> tuple[Obligation, ...]:
        """Claims that are neither proved nor assumed: with one of them there is no proof.

        Those come first that a term refutes which has two values.
        """
        missing = [each for each in self._unproved if not self._may_assume(each)]
        return tuple(sorted(missing, key=lambda each: not each.is_disagreement))

    @property
    def wanted(self) -> tuple[DomainClaim, ...]:
        """State predicates with which nothing would be missing; none if nobody knows such."""
        missing = self.missing
        if not all(each.claims for each in missing):
            return ()
        return tuple(dict.fromkeys(claim for each in missing for claim in each.claims))

    def with_invariants(self, proved: Iterable[Predicate]) -> Grounds:
        """The same, if these predicates hold in all reachable states.

        They may be proved together with what rests on this (`soundness/domains.py` has the reason).
        """
        known = {predicate.name: DomainClaim(predicate.parameters, predicate.formula) for predicate in proved}
        return replace(self, obligations=tuple(settled(each, known) for each in self.obligations))

    def doubt(self, name: str) -> str | None:
        """Why a predicate whose cases are all closed is not proved; None if nothing is missing."""
        missing = self.missing
        if not missing:
            return None
        first = missing[0]
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        if first.is_disagreement:
            return f"{name} is closed, but equations disagree: {disagreement_text(first)}{more}"
        return f"{name} is closed, but rests on: {claim_text(first)}{more}"

    @property
    def _unproved(self) -> list[Obligation]:
        return [each for each in self.obligations if each.status is not Status.PROVED]

    def _may_assume(self, obligation: Obligation) -> bool:
        return obligation.kind in self.assume and obligation.status is Status.OPEN


NO_GROUNDS = Grounds()


def grounds_of(
    ots: Ots, predicates: Iterable[Predicate], assume: Iterable[ObligationKind] = (), data: Iterable[DataProof] = ()
) -> Grounds:
    """What a proof of these predicates rests on, if it uses these lemmas about data."""
    stated = {invariant.name for invariant in ots.invariants}
    known = list(predicates)
    symbols = {part.op for predicate in known if predicate.name not in stated for part in subterms(predicate.formula)}
    symbols.update(part.op for proof in data for part in subterms(proof.lemma.formula) if not part.op.variable)
    report = check(ots, [p.name for p in known if p.name in stated], symbols)
    return Grounds(tuple(each for each in report.obligations if each.decisive), frozenset(assume))

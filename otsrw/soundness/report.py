"""All obligations of a specification, and what they amount to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from enum import StrEnum
from weakref import WeakKeyDictionary

from otsrw.ots.model import Ots
from otsrw.records import dataclass
from otsrw.soundness.cone import Cone, cone_of
from otsrw.soundness.coverage import coverage_of
from otsrw.soundness.equality import equality_obligations
from otsrw.soundness.obligations import Obligation, ObligationKind, Status
from otsrw.soundness.order import order_obligations
from otsrw.soundness.protection import protection_obligations
from otsrw.soundness.signature import signature_obligations
from otsrw.soundness.termination import termination_obligations
from otsrw.soundness.totality import totality_obligations
from otsrw.theory.modules import Module
from otsrw.theory.terms import Symbol

OrderCheck = Callable[[Cone], list[Obligation]]
"""Finds out whether the order of equations matters, and where."""

_KINDS = (
    ObligationKind.SORTS,
    ObligationKind.IGNORED,
    ObligationKind.CONSTANTS,
    ObligationKind.TERMINATING,
    ObligationKind.EQUALITY,
    ObligationKind.ORDER,
    ObligationKind.COMPLETE,
    ObligationKind.PROTECTED,
    ObligationKind.GENERATED,
    ObligationKind.SPELLING,
)


class SoundnessVerdict(StrEnum):
    """What all obligations of a cone amount to."""

    SOUND = "sound"
    DOUBTFUL = "doubtful"
    """Something is open, and nothing is refuted."""
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class SoundnessReport:
    """The obligations of one cone, by kind, and within a kind in the order of the specification."""

    module: str
    equations: int
    """How many equations the cone has."""
    obligations: tuple[Obligation, ...]

    @property
    def verdict(self) -> SoundnessVerdict:
        states = {each.status for each in self.obligations if each.decisive}
        if Status.REFUTED in states:
            return SoundnessVerdict.BROKEN
        return SoundnessVerdict.DOUBTFUL if Status.OPEN in states else SoundnessVerdict.SOUND

    def of_kind(self, kind: ObligationKind) -> tuple[Obligation, ...]:
        return tuple(each for each in self.obligations if each.kind is kind)

    def counts(self, kind: ObligationKind) -> Counter[Status]:
        """How many claims of a kind about the cone are proved, refuted and open."""
        return Counter(each.status for each in self.of_kind(kind) if each.decisive)


_Key = tuple[object, ...]
_reports: WeakKeyDictionary[Module, dict[_Key, SoundnessReport]] = WeakKeyDictionary()
"""Reports of modules that are alive."""


def check(
    subject: Ots | Module,
    predicates: Iterable[str] | None = None,
    others: Iterable[Symbol] = (),
    order: OrderCheck = order_obligations,
) -> SoundnessReport:
    """Check an OTS with the predicates named (None: all its invariants) and other operators, or a module of data.

    A module is checked once; what was found is kept as long as the module.

    >>> from otsrw.ots import find_ots
    >>> from otsrw.proofs import load
    >>> report = check(find_ots(load("specs/tas.cafe")))
    >>> report.counts(ObligationKind.TERMINATING)[Status.PROVED], report.counts(ObligationKind.COMPLETE)[Status.OPEN]
    (9, 0)
    """
    module = subject.module if isinstance(subject, Ots) else subject
    names = None if predicates is None else frozenset(predicates)
    seeds = frozenset(others)
    key = (isinstance(subject, Ots), names, seeds, order, _extent(module))
    known = _reports.setdefault(module, {})
    if key not in known:
        cone = cone_of(subject, names, seeds)
        same = (cone.extent, order, _extent(module))  # other names may lead to the same cone
        if same not in known:
            known[same] = _check(cone, order)
        known[key] = known[same]
    return known[key]


def has_one_meaning(ots: Ots) -> bool:
    """Is it proved that no value depends on the order of equations?"""
    claims = check(ots).of_kind(ObligationKind.ORDER)
    return all(claim.status is Status.PROVED for claim in claims if claim.decisive)


def _told_once(obligations: Iterable[Obligation]) -> list[Obligation]:
    """Without repeated problems, which an equation that is read as several would have."""
    seen: set[Obligation] = set()
    found: list[Obligation] = []
    for each in obligations:
        if each.status is Status.PROVED or each not in seen:
            found.append(each)
            seen.add(each)
    return found


def _extent(module: Module) -> tuple[int, ...]:
    """How much the module sees: an open module grows."""
    modules = module.closure()
    return len(modules), sum(len(m.axioms) for m in modules), sum(len(m.decls) for m in modules)


def _check(cone: Cone, order: OrderCheck) -> SoundnessReport:
    coverage = coverage_of(cone)
    found = [
        *signature_obligations(cone, coverage),
        *termination_obligations(cone),
        *equality_obligations(cone, coverage),
        *order(cone),
        *totality_obligations(cone, coverage),
        *protection_obligations(cone, coverage),
    ]
    place = {kind: number for number, kind in enumerate(_KINDS)}
    ordered = sorted(_told_once(found), key=lambda each: place[each.kind])
    return SoundnessReport(cone.module.name, len(cone.equations), tuple(ordered))

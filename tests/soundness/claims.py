"""Asking the checker about small texts."""

from __future__ import annotations

from specifications import ots_of
from support import session_of

from otsrw.soundness import Obligation, ObligationKind, SoundnessReport, check
from otsrw.soundness.cone import Cone


def no_order_check(_: Cone) -> list[Obligation]:
    return []


def report_on(text: str) -> SoundnessReport:
    """The report on the last module of a text, as data."""
    session = session_of(text)
    assert [problem.render() for problem in session.outcome.errors] == []
    return check(list(session.library.modules.values())[-1], order=no_order_check)


def report_on_ots(text: str) -> SoundnessReport:
    return check(ots_of(text), order=no_order_check)


def claim(report: SoundnessReport, kind: ObligationKind, subject: str) -> Obligation:
    """The only claim of a kind about a subject."""
    found = [each for each in report.of_kind(kind) if each.subject == subject]
    assert len(found) == 1, [each.subject for each in report.of_kind(kind)]
    return found[0]


def status_of(text: str, kind: ObligationKind, subject: str) -> str:
    return claim(report_on(text), kind, subject).status.value

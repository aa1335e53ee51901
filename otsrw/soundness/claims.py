"""Claims in words: the code of a message, and the phrase a verdict names a claim by."""

from __future__ import annotations

from otsrw.soundness.obligations import Obligation, ObligationKind, Status
from otsrw.syntax.source import NOWHERE

_CODES = {
    ObligationKind.ORDER: ("E601", "W601"),
    ObligationKind.TERMINATING: ("E602", "W602"),
    ObligationKind.COMPLETE: ("E603", "W603"),
    ObligationKind.PROTECTED: ("E604", "W604"),
    ObligationKind.EQUALITY: ("E605", "W605"),
    ObligationKind.SORTS: ("E606", "W606"),
    ObligationKind.IGNORED: ("E607", "W607"),
    ObligationKind.CONSTANTS: ("E608", "W608"),
    ObligationKind.GENERATED: ("E609", "W609"),
    ObligationKind.SPELLING: ("W610", "W610"),
    ObligationKind.CASES: ("E611", "W611"),
}
"""The code of what is refuted, and of what is open or decides nothing."""

_PHRASES = {
    ObligationKind.ORDER: "{} does not depend on the order of equations",
    ObligationKind.TERMINATING: "{} terminates",
    ObligationKind.COMPLETE: "{} is complete",
    ObligationKind.PROTECTED: "{} is protected",
    ObligationKind.EQUALITY: "{} compares values",
    ObligationKind.SORTS: "{} keeps its sort",
    ObligationKind.IGNORED: "{} changes no value",
    ObligationKind.CONSTANTS: "{} is not rewritten",
    ObligationKind.GENERATED: "all states of {} are generated",
    ObligationKind.SPELLING: "{} does not look at how terms are written",
    ObligationKind.CASES: "the cases of {} leave nothing out",
}


def code_of(obligation: Obligation) -> str:
    """The code of the message about a claim that is not proved."""
    is_error = obligation.status is Status.REFUTED and obligation.decisive
    return _CODES[obligation.kind][0 if is_error else 1]


def code_when_open(obligation: Obligation) -> str:
    """The code of a warning about a claim, even if it is refuted."""
    return _CODES[obligation.kind][1]


def claim_text(obligation: Obligation) -> str:
    """The claim as a phrase, with its code and its place: what a verdict rests on."""
    return f"{_PHRASES[obligation.kind].format(obligation.subject)} {_where(obligation)}"


def disagreement_text(obligation: Obligation) -> str:
    """What shows that a claim is false, with the code of the claim and its place."""
    return f"{obligation.witness} {_where(obligation)}"


def _where(obligation: Obligation) -> str:
    where = "" if obligation.span is NOWHERE else f", {obligation.span.source.name}:{obligation.span.line}"
    return f"({code_of(obligation)}{where})"

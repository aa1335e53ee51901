"""What `otsrw check` says: a diagnostic for each claim that is refuted or open, a summary, a JSON document."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from otsrw.report.documents import header
from otsrw.report.words import counted
from otsrw.soundness import Obligation, ObligationKind, SoundnessReport, Status
from otsrw.soundness.claims import claim_text, code_of, disagreement_text
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.syntax.source import NOWHERE, Span

if TYPE_CHECKING:
    from otsrw.search.results import Activity

_REFUTED = {
    ObligationKind.ORDER: "the value of {subject} depends on the order of equations: {witness}",
    ObligationKind.TERMINATING: "evaluating {subject} need not end: {witness}",
    ObligationKind.PROTECTED: "{subject} has values that its module does not build: {witness}",
    ObligationKind.EQUALITY: "'=' is not sameness of values: {witness}",
    ObligationKind.SORTS: "the value is not of the sort that the operator promises: {witness}",
    ObligationKind.IGNORED: "this equation is not rewritten with, and changes values: {witness}",
    ObligationKind.CONSTANTS: "a truth value or a numeral is rewritten: {witness}",
    ObligationKind.GENERATED: "a state that no proof looks at: {witness}",
    ObligationKind.CASES: "the score does not prove {subject}: {witness}",
}
_WANTED = {
    ObligationKind.ORDER: "not shown that {} has one value",
    ObligationKind.TERMINATING: "not shown that evaluating {} ends",
    ObligationKind.COMPLETE: "not shown that {} always has a value",
    ObligationKind.PROTECTED: "not shown that {} is protected",
    ObligationKind.EQUALITY: "not shown that {} compares values",
    ObligationKind.SORTS: "not shown that the value of {} has its sort",
    ObligationKind.IGNORED: "not shown that {} changes no value",
    ObligationKind.CONSTANTS: "not shown that {} is not rewritten",
    ObligationKind.GENERATED: "not shown that all states of {} are generated",
    ObligationKind.SPELLING: "no proof can rely on {}",
    ObligationKind.CASES: "not shown that the score proves {}",
}
_CLAIMS = {
    ObligationKind.TERMINATING: "terminating",
    ObligationKind.COMPLETE: "complete",
    ObligationKind.EQUALITY: "equality",
    ObligationKind.PROTECTED: "protected",
    ObligationKind.ORDER: "order",
    ObligationKind.CASES: "cases",
}
_END_OF_STATEMENT = re.compile(r"\s\.(?=\s|\}|$)")


def diagnostic_of(obligation: Obligation) -> Diagnostic | None:
    """The message about a claim; None if it is proved."""
    if obligation.status is Status.PROVED:
        return None
    code = code_of(obligation)
    notes = obligation.notes
    if not obligation.decisive:
        notes = (*notes, "this decides nothing: the system does not depend on it, or it holds in all models anyway")
    return Diagnostic(code, _message(obligation), _whole(obligation), obligation.hint or None, notes)


def _message(obligation: Obligation) -> str:
    if obligation.status is Status.OPEN:
        if obligation.missing.startswith("that "):
            return f"not shown {obligation.missing}"
        return f"{_WANTED[obligation.kind].format(obligation.subject)}: {obligation.missing}"
    if obligation.kind is ObligationKind.COMPLETE:
        said = "" if "no value" in obligation.witness else " has no value"
        return obligation.witness + said
    return _REFUTED[obligation.kind].format(subject=obligation.subject, witness=obligation.witness)


def _whole(obligation: Obligation) -> Span:
    """The whole statement on its line: an equation's place is its keyword."""
    span = obligation.span
    if span is NOWHERE or span.text not in ("eq", "ceq", "beq", "bceq", "cq", "bcq", "bq"):
        return span
    line_end = span.source.text.find("\n", span.start)
    line_end = len(span.source.text) if line_end < 0 else line_end
    found = _END_OF_STATEMENT.search(span.source.text, span.end, line_end)
    return Span(span.source, span.start, found.end() if found else line_end)


def diagnostics(report: SoundnessReport) -> list[Diagnostic]:
    """Errors and warnings, in the order of the obligations."""
    return [found for each in report.obligations if (found := diagnostic_of(each)) is not None]


def check_lines(report: SoundnessReport, with_proved: bool = False) -> list[str]:
    """All messages, with the claims that are proved if that is asked for, and the summary."""
    lines = []
    for each in report.obligations:
        found = diagnostic_of(each)
        if found is not None:
            lines.append(found.render())
        elif with_proved:
            lines.append(f"{each.kind}: {each.subject}: {each.evidence or 'proved'}")
    return [*lines, summary(report)]


def summary(report: SoundnessReport) -> str:
    """One line: how many claims of each kind are proved, refuted and open, and what that amounts to."""
    parts = [counted(report.equations, "equation")]
    for kind, name in _CLAIMS.items():
        counts = report.counts(kind)
        total = sum(counts.values())
        if not total:
            continue
        text = f"{name} {counts[Status.PROVED]} of {total}"
        details = [f"{counts[status]} {status}" for status in (Status.REFUTED, Status.OPEN) if counts[status]]
        parts.append(f"{text} ({', '.join(details)})" if details else text)
    others = [kind for kind in ObligationKind if kind not in _CLAIMS]
    doubtful = [k.value for k in others if report.counts(k)[Status.REFUTED] or report.counts(k)[Status.OPEN]]
    parts.append(f"trouble with {', '.join(doubtful)}" if doubtful else "signature in order")
    return f"check: {report.module} is {report.verdict}: {'; '.join(parts)}"


def check_document(report: SoundnessReport, states: Activity | None = None) -> dict[str, Any]:
    """The JSON document (docs/schemas/check.schema.json); `states` is what was found in an instance, if any."""
    from otsrw.report.activity import activity_document

    return header("check") | {
        "module": report.module,
        "equations": report.equations,
        "verdict": report.verdict.value,
        "obligations": [_obligation_document(each) for each in report.obligations],
        **activity_document(states),
    }


def _obligation_document(obligation: Obligation) -> dict[str, Any]:
    span = obligation.span
    is_somewhere = span is not NOWHERE
    return {
        "kind": obligation.kind.value,
        "subject": obligation.subject,
        "status": "unknown" if obligation.status is Status.OPEN else obligation.status.value,
        "witness": obligation.witness or None,
        "file": span.source.name if is_somewhere else None,
        "line": span.line if is_somewhere else None,
        "column": span.column if is_somewhere else None,
        "missing": obligation.missing or None,
        "evidence": obligation.evidence or None,
        "hint": obligation.hint or None,
        "decisive": obligation.decisive,
    }


def claim_lines(obligations: Iterable[Obligation], word: str) -> list[str]:
    """One line a claim, for the verdict that rests on it; where equations disagree, a term that shows it."""
    return [
        f"equations disagree: {disagreement_text(each)}" if each.is_disagreement else f"{word}: {claim_text(each)}"
        for each in obligations
    ]


def grounds_document(obligations: Iterable[Obligation]) -> list[dict[str, Any]]:
    """What a verdict rests on, in the document of the verdict."""
    return [_obligation_document(each) for each in obligations]

"""What a project expects and what came out, for eyes, for programs and for JUnit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from otsrw.application.testing import CaseOutcome, CaseResult
from otsrw.report.activity import certain_doubts
from otsrw.report.documents import header
from otsrw.report.tables import titled
from otsrw.report.words import counted

MAX_STATES_SHOWN = 40


def results_of(outcomes: Sequence[CaseOutcome]) -> list[CaseResult]:
    return [result for outcome in outcomes for result in outcome.results]


def test_document(outcomes: Sequence[CaseOutcome], seconds: float) -> dict[str, Any]:
    results = results_of(outcomes)
    return header("test") | {
        "results": [_result_document(result) for result in results],
        "passed": sum(result.passed for result in results),
        "failed": sum(not result.passed for result in results),
        "unchanged": sum(result.unchanged for result in results),
        "seconds": round(seconds, 6),
    }


def _result_document(result: CaseResult) -> dict[str, Any]:
    return {
        "file": result.file,
        "invariant": result.invariant,
        "entities": list(result.entities),
        "expected": result.expected,
        "verdict": result.verdict,
        "passed": result.passed,
        "unchanged": result.unchanged,
        "reason": result.reason or None,
        "doubts": certain_doubts(result.doubts),
        "seconds": round(result.seconds, 6),
    }


def test_table(outcomes: Sequence[CaseOutcome]) -> Table:
    table = titled(None)
    for column in ("file", "entities", "invariant", "expected", "verdict"):
        table.add_column(column, overflow="fold")
    table.add_column("s", justify="right")
    for result in results_of(outcomes):
        as_expected = result.passed and result.verdict == result.expected
        verdict = "as expected" if as_expected else _shortened(result.verdict)
        table.add_row(
            Text(result.file),
            Text(" ".join(result.entities)),
            Text(result.invariant or ""),
            Text(_shortened(result.expected)),
            Text(verdict, "green" if result.passed else "bold red"),
            "unchanged" if result.unchanged else f"{result.seconds:.1f}",
        )
    return table


def difference_line(result: CaseResult) -> str:
    """One line for a verdict that is not the expected one."""
    about = result.file if result.invariant is None else f"{result.file}: {result.invariant}"
    given = f" with {' '.join(result.entities)}" if result.entities else ""
    reason = f" ({result.reason})" if result.reason else ""
    return f"{about}{given}: expected {result.expected}, but {result.verdict}{reason}"


def doubt_line(result: CaseResult) -> str:
    """One line for a system that says less than it seems to say."""
    about = result.file if result.invariant is None else f"{result.file}: {result.invariant}"
    return f"{about}: {'; '.join(certain_doubts(result.doubts))}"


def test_verdict(outcomes: Sequence[CaseOutcome], seconds: float) -> tuple[str, str]:
    """What was found out, in one line, and its colour."""
    results = results_of(outcomes)
    files = len({result.file for result in results})
    failed = sum(not result.passed for result in results)
    unchanged = sum(result.unchanged for result in results)
    cost = f"{counted(files, 'file')}, {seconds:.2f} s"
    if unchanged:
        cost = f"{unchanged} unchanged, {cost}"
    if failed:
        return f"{failed} of {counted(len(results), 'expectation')} failed; {cost}", "red"
    return f"all as expected: {counted(len(results), 'expectation')}; {cost}", "green"


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_STATES_SHOWN else text[: MAX_STATES_SHOWN - 4] + " ..."

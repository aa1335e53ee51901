"""Results of a project as JUnit XML, which continuous integration reads."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from otsrw.application.testing import CaseOutcome, CaseResult
from otsrw.report.testing import difference_line, doubt_line, results_of


def junit_xml(outcomes: Sequence[CaseOutcome]) -> str:
    """A suite a file, a case an expectation."""
    from xml.etree import ElementTree

    results = results_of(outcomes)
    root = ElementTree.Element("testsuites", _counts("otsrw", results))
    for file, group in groupby(results, key=lambda result: result.file):
        suite_results = list(group)
        suite = ElementTree.SubElement(root, "testsuite", _counts(_clean(file), suite_results))
        for result in suite_results:
            case = ElementTree.SubElement(
                suite,
                "testcase",
                {"classname": _clean(file), "name": _clean(_name(result)), "time": f"{result.seconds:.3f}"},
            )
            if not result.passed:
                message = _clean(difference_line(result))
                ElementTree.SubElement(case, "failure", {"message": message}).text = message
            if result.doubts:
                ElementTree.SubElement(case, "system-out").text = _clean(doubt_line(result))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _counts(name: str, results: Sequence[CaseResult]) -> dict[str, str]:
    return {
        "name": name,
        "tests": str(len(results)),
        "failures": str(sum(not result.passed for result in results)),
        "time": f"{sum(result.seconds for result in results):.3f}",
    }


def _name(result: CaseResult) -> str:
    given = f" with {' '.join(result.entities)}" if result.entities else ""
    return f"{result.invariant or 'all'} {result.expected}{given}"


def _clean(text: str) -> str:
    """The text without characters that XML does not have."""
    return "".join(c if c.isprintable() else " " for c in text)

"""otsrw and the real CafeOBJ give the same results: on case studies, examples and random modules."""

from __future__ import annotations

from pathlib import Path

import pytest
from cafeobj_output import Reduction, read_signature, scan_signature
from rewriting.test_engine import CACHED, CACHES, EXAMPLES
from support import ROOT, agree, expected_results, run
from theory import test_modules
from tools import read_cafeobj, read_otsrw, run_cafeobj, run_otsrw
from versus_cafeobj import compare_runs

from conformance.generated import FAMILIES, Case, collect
from proofs import test_byhand, test_coinduction

pytestmark = pytest.mark.oracle

SECONDS = 60.0
SCORES = [file for file in ROOT.glob("proofs/*.cafe") if not file.stem.endswith(("-citp", "-cimpa"))]
"""Scripts of CITP and CiMPA have tests of their own."""
FILES = sorted([*ROOT.glob("specs/*.cafe"), *SCORES])


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_case_study_has_the_same_results_in_both(file: Path, cafeobj: str) -> None:
    theirs, ours = read_cafeobj(run_cafeobj(file, SECONDS)), read_otsrw(run_otsrw(file, SECONDS))
    report = compare_runs(str(file), theirs, ours, read_signature(file))
    assert (theirs.error, theirs.timed_out, ours.error) == (None, False, None)
    assert report.disagreements == ()
    assert report.comparisons or "proofs" not in file.parts


def shown(reduction: Reduction) -> str:
    alone = reduction.result.endswith(f":{reduction.sort}") and " " not in reduction.result
    return reduction.result if alone else f"({reduction.result}):{reduction.sort}"


def cafeobj_results(text: str, folder: Path) -> list[str]:
    """What CafeOBJ prints for a text that it runs to its end."""
    file = folder / "generated.cafe"
    file.write_text(text)
    found = read_cafeobj(run_cafeobj(file, SECONDS))
    assert (found.error, found.timed_out) == (None, False)
    return [shown(reduction) for reduction in found.reductions]


def test_the_examples_of_the_tests_are_true_of_cafeobj(cafeobj: str, tmp_path: Path) -> None:
    texts = [*EXAMPLES.values(), *(CACHED + text for text in CACHES.values()), *test_modules.EXAMPLES.values()]
    texts += test_coinduction.EXAMPLES.values()
    given = iter(cafeobj_results("\n".join(texts).replace("-->", "\n-->") + "\n", tmp_path))
    wrong = []
    for text in texts:
        signature = scan_signature([text])
        for wanted in expected_results(text):
            printed = next(given)
            if not agree(printed, wanted, signature):
                wrong.append(f"{wanted} expected, {printed} given")
    assert wrong == []
    assert list(given) == []


def test_rewriting_by_hand_tells_the_same_as_cafeobj(cafeobj: str, tmp_path: Path) -> None:
    file = tmp_path / "steps.cafe"
    steps = [text for text, _ in test_byhand.STEPS.values()]
    file.write_text("\n".join([test_byhand.GROUP, *steps, "close\n"]).replace(" . ", " .\n"))
    told = run_cafeobj(file, SECONDS).stdout.replace("[Warning]: result", "result").replace("[Leaving", "\n[")
    ours = [line for _, lines in test_byhand.STEPS.values() for line in lines]
    kinds = ("result", "-- condition", " substitution", "-- match", "-- no match")
    theirs = [line for line in told.split("\n") if line.startswith(kinds)]
    assert theirs == [line for line in ours if line.startswith(kinds)]


@pytest.mark.parametrize("family", FAMILIES)
def test_random_modules_have_the_same_results_in_both(family: str, cafeobj: str, tmp_path: Path) -> None:
    cases = collect(*FAMILIES[family])
    text = "\n".join(case.text(f"M{number}") for number, case in enumerate(cases))
    theirs = cafeobj_results(text, tmp_path)
    outcome = run(text)
    assert [problem.render() for problem in outcome.errors] == []
    ours = [command.shown_result for command in outcome.commands]
    asked = [(case, term) for case in cases for term in case.terms]
    assert len(asked) == len(theirs) == len(ours)
    wrong = [
        _difference(case, term, one, other)
        for (case, term), one, other in zip(asked, theirs, ours, strict=True)
        if not agree(one, other, scan_signature([case.body]))
    ]
    assert wrong == [], "\n\n".join(wrong[:5])


def _difference(case: Case, term: str, theirs: str, ours: str) -> str:
    return f"{case.body}\n{case.assumptions}\nred {term} .\n  CafeOBJ {theirs}\n  otsrw   {ours}"

"""Folders of systems whose truth is known: every file has one, and a wrong verdict is called wrong."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from commands import run

BENCH = Path(__file__).parents[2] / "bench"
sys.path.insert(0, str(BENCH))

from literature import published  # noqa: E402
from mutants import MutantBudget, fate, mutants_of  # noqa: E402
from verdicts import Claim, DecidedClaim, claims_in, decide, row, summary  # noqa: E402

FOLDERS = [BENCH / "everyday", BENCH.parent / "specs" / "literature", BENCH / "fresh"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_truth_about_every_file_is_known(folder: Path) -> None:
    claims = list(claims_in(folder))
    assert {claim.file for claim in claims} == set(folder.glob("*.cafe"))
    for claim in claims:
        assert re.search(rf"ops?\b[^:]* {claim.invariant} [^:]*:", claim.file.read_text("utf-8"))


def test_what_others_published_is_about_systems_that_there_are() -> None:
    assert set(published()) == {claim.file.stem for claim in claims_in(FOLDERS[1])}


def test_the_literature_is_searched_without_a_violation() -> None:
    code, out, err = run("test", str(FOLDERS[1]))
    assert code == 0, out + err


@pytest.mark.parametrize(
    ("verdict", "is_true", "right"),
    [
        ("verified", True, "right"),
        ("verified", False, "WRONG"),
        ("falsified", False, "right"),
        ("falsified", True, "WRONG"),
        ("unknown", True, "open"),
        ("verified-assuming", True, "open"),
    ],
)
def test_verdicts_are_compared_with_what_is_true(verdict: str, is_true: bool, right: str) -> None:
    found = DecidedClaim(Claim(Path("x.cafe"), "inv1", is_true), verdict, "", 0, 0, 0, 0.0)
    assert row(found)[4] == right
    assert summary([found]).endswith("1 wrongly") == (right == "WRONG")


def test_a_claim_is_decided_by_igf() -> None:
    found = decide(Claim(BENCH / "everyday" / "traffic.cafe", "inv1", is_true=True), 60)
    assert (found.verdict, found.is_right) == ("verified", True)
    assert found.cpu_seconds > 0


def test_a_file_that_cannot_be_read_is_no_verdict(tmp_path: Path) -> None:
    found = decide(Claim(tmp_path / "missing.cafe", "inv1", is_true=True), 60)
    assert (found.verdict, found.is_right) == ("none", None)
    assert "missing.cafe" in found.reason


def test_mutants_lack_an_equation_or_have_other_values() -> None:
    claim = Claim(BENCH / "everyday" / "traffic.cafe", "inv1", is_true=True)
    changes = [mutant.change for mutant in mutants_of(claim)]
    assert "eq c-go(S,R) = turn(S) = R and light(S,ns) = red ." in changes
    assert "eq c-stop(S,R) = true ." in changes
    assert sum(change.startswith("without") for change in changes) == 15
    assert "eq light(init,X) = yellow ." in changes
    assert any("(if X = R then light(S,X) else green fi)" in change for change in changes)
    assert all(mutant.text != claim.file.read_text("utf-8") for mutant in mutants_of(claim))


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("lockserver.cafe", "eq c-grant(S,C) = lockmsg(S,C) ."),
        ("traffic.cafe", "without eq light(init,X) = red ."),
    ],
)
def test_a_mutant_with_a_violation_is_falsified(file: str, change: str) -> None:
    claim = Claim(BENCH / "everyday" / file, "inv1", is_true=True)
    mutant = next(each for each in mutants_of(claim) if each.change == change)
    assert fate(mutant, MutantBudget(20, 600, 6)) == "falsified"

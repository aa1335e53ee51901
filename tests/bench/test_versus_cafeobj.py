"""A file agrees only if otsrw answered, and answered what CafeOBJ did as far as CafeOBJ went."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from cafeobj_output import Reduction, Signature
from one_equality import with_one_equality
from tools import Output, Run, read_otsrw
from versus_cafeobj import compare_runs


def run(*results: str, error: str | None = None, timed_out: bool = False, crashed: bool = False) -> Run:
    """A run that reduced t0, t1, ...; `tN=r` names the target of a result."""
    pairs = [text.split("=") if "=" in text else (f"t{index}", text) for index, text in enumerate(results)]
    reductions = tuple(Reduction("red", "M", target, result, "S") for target, result in pairs)
    return Run(reductions, error, timed_out, 1.0, crashed)


CASES = {
    "same": (run("a", "b"), run("a", "b"), "same", True),
    "other result": (run("a", "b"), run("a", "c"), "differs", False),
    "missing at the end": (run("a", "b"), run("a"), "differs", False),
    "missing in the middle": (run("a", "b", "c"), run("t0=a", "t2=c"), "differs", False),
    "too many": (run("a"), run("a", "b"), "differs", False),
    "cafeobj stopped, prefix equal": (run("a", error="e"), run("a", "b"), "only cafeobj errors", True),
    "cafeobj stopped, prefix differs": (run("a", error="e"), run("b", "b"), "differs", False),
    "only otsrw errors": (run("a"), run("a", error="e"), "only otsrw errors", False),
    "both error, same until then": (run("a", error="e"), run("a", error="e"), "both error", True),
    "both error, otsrw did less": (run("a", error="e"), run(error="e"), "both error", False),
    "otsrw crashed where cafeobj errs": (run(error="e"), run(error="no JSON", crashed=True), "both error", False),
    "otsrw timeout": (run("a"), run(timed_out=True), "timeout", False),
    "cafeobj timeout, prefix equal": (run("a", timed_out=True), run("a", "b"), "timeout", True),
}


@pytest.mark.parametrize(("cafeobj", "otsrw", "outcome", "agrees"), CASES.values(), ids=CASES.keys())
def test_outcome_of_a_file(cafeobj: Run, otsrw: Run, outcome: str, agrees: bool) -> None:
    report = compare_runs("f.cafe", cafeobj, otsrw, Signature())
    assert (report.outcome, report.agrees) == (outcome, agrees)


@pytest.mark.parametrize("stdout", ["", "{}", "[]", '{"commands": [{}], "errors": []}'])
def test_unreadable_json_is_a_crash(stdout: str) -> None:
    assert read_otsrw(Output(stdout, "Traceback\nboom\n", 1, 0.1)).crashed


def test_declarations_of_an_equality_are_left_out_of_the_copies(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "pid.cafe").write_text(
        "mod* PID { [Pid] op _=_ : Pid Pid -> Bool {comm} .\n  pred _=_ : Pid Pid\n"
        "  op _=b_ : Pid Pid -> Bool eq (P:Pid = P) = true . }\n"
    )
    (tmp_path / "main.cafe").write_text("in data/pid.cafe\nred in PID : true .\n")
    (tmp_path / "plain.cafe").write_text("red in BOOL : true .\n")
    copies = tmp_path / "copies"
    copy = with_one_equality(tmp_path / "main.cafe", copies)
    assert copy.read_text() == (tmp_path / "main.cafe").read_text()
    text = (copy.parent / "data" / "pid.cafe").read_text()
    assert " ".join(text.split()) == "mod* PID { [Pid] op _=b_ : Pid Pid -> Bool eq (P:Pid = P) = true . }"
    assert with_one_equality(tmp_path / "plain.cafe", copies) == tmp_path / "plain.cafe"

"""The generator of goals for CITP: what it calls false is false, and nothing false is discharged."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from proofs.citp_output import comparable
from support import events_of
from support import run as outcome_of

from otsrw.report.events import lines_of

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from versus_citp import DATA, LAWS, Claim, GoalMaker, holds


def test_laws_hold_and_their_opposites_do_not() -> None:
    assert all(holds([Claim(left, right, None) for left, right in LAWS]))
    assert holds([Claim("(x:N + y:N)", "x:N", None), Claim("even(x:N)", "true", "even(y:N)")]) == [False, False]


def test_nothing_false_is_discharged() -> None:
    maker = GoalMaker(5)
    claims = [maker.claim() for _ in range(40)]
    closed = [not outcome_of(DATA + maker.script(claim)).open_proofs for claim in claims]
    true = holds(claims)
    assert any(closed)
    assert [claim.text() for claim, done, good in zip(claims, closed, true, strict=True) if done and not good] == []


def _settled(lines: list[str]) -> list[str]:
    """Lines with the constants of a list in order: which side of `=` comes first means nothing."""
    found: list[str] = []
    block: list[str] = []
    for line in (*lines, ""):
        if line.startswith("    op "):
            block.append(line)
            continue
        found += [*sorted(block), re.sub(r"\[nf\] +", "[nf] ", line)]
        block = []
    return [line for line in found if line and not line.startswith("** Beginning")]


@pytest.mark.oracle
def test_cafeobj_prints_the_same_for_generated_proofs(tmp_path: Path) -> None:
    maker = GoalMaker(4)
    claims = [claim for claim in (maker.claim() for _ in range(60)) if claim.condition is None]
    scripts = [":verbose on\n" + maker.script(claim) + "\n:show proof\n:describe proof\n" for claim in claims]
    path = tmp_path / "goals.cafe"
    path.write_text(DATA + "".join(f"red in BOOL : true .\n{script}" for script in scripts), "utf-8")
    with path.open() as typed:
        done = subprocess.run(
            ["cafeobj", "-q"], stdin=typed, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    answers = done.stdout.split("-- reduce in BOOL : (true):Bool")[1:]
    assert len(answers) == len(scripts)
    for script, answer in zip(scripts, answers, strict=True):
        theirs = [line for line in comparable("CafeOBJ> " + answer) if line != "(true):Bool"]
        ours = "\n".join(line.text for event in events_of(DATA + script) for line in lines_of(event))
        assert _settled(comparable(ours)) == _settled(theirs), script

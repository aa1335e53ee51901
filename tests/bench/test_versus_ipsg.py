"""The comparison with IPSG says what it needs, and reads our document and CafeOBJ's answers."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from commands import spec
from versus_ipsg import Study, cafeobj_accepts, run_otsrw

SCRIPT = Path(__file__).parents[2] / "bench" / "versus_ipsg.py"


def test_without_checkouts_it_says_what_it_needs() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), "--tool", ""], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "IPSG_TOOL" in done.stderr


def test_our_verdict_counts_goals(tmp_path: Path) -> None:
    wanted = "ipsgopen TAS .\n generate mutex(S:Sys, I:Pid, J:Pid) induction on S:Sys .\n{}close\n"
    lemma = " generate lock-lemma(S:Sys, I:Pid) induction on S:Sys .\n"
    for name, text in (("with", wanted.format(lemma)), ("without", wanted.format(""))):
        (tmp_path / f"{name}.cafe").write_text(text, encoding="utf-8")
    found = {
        name: run_otsrw(Study(name, (spec("tas.cafe"), f"{name}.cafe")), tmp_path, 60) for name in ("with", "without")
    }
    assert found["with"].verdict == "verified, 2 of 2 goals"
    assert found["without"].verdict == "unknown, 0 of 1 goals"


@pytest.mark.oracle
@pytest.mark.skipif(
    shutil.which("cafeobj") is None, reason="cafeobj is not installed (Debian: apt-get install cafeobj)"
)
@pytest.mark.parametrize(("result", "answer"), [("true", "yes, 1 passages"), ("false", "no: 0 of 1 true")])
def test_a_score_is_accepted_only_if_every_passage_is_true(result: str, answer: str, tmp_path: Path) -> None:
    score = tmp_path / "score.cafe"
    score.write_text(f"open BOOL .\n  red {result} .\nclose\n", encoding="utf-8")
    assert cafeobj_accepts(score, 60) == answer

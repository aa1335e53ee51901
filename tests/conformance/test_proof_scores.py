"""The real CafeOBJ reduces every passage of the proof scores that igf writes to true."""

from __future__ import annotations

from pathlib import Path

import pytest
from induction.test_goldens import Proof, proof_rows, proved

from otsrw.induction.score import ScoreWriter, check_with_cafeobj

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("proof", proof_rows())
def test_cafeobj_accepts_a_proof_score(proof: Proof, cafeobj: str, tmp_path: Path) -> None:
    ots, result, declarations = proved(proof)
    assert result.verdict == "verified"
    score = ScoreWriter(ots, result, declarations).write()
    file = tmp_path / "score.cafe"
    file.write_text(score.text, encoding="utf-8")
    assert check_with_cafeobj(file, score.passages, 120) == []


def test_cafeobj_refuses_a_wrong_score(cafeobj: str, tmp_path: Path) -> None:
    text = "mod* M { [A] ops a b : -> A }\nopen M .\nred a = b .\nclose\n"
    (tmp_path / "wrong.cafe").write_text(text, encoding="utf-8")
    assert check_with_cafeobj(tmp_path / "wrong.cafe", 1, 60) != []

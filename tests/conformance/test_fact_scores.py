"""The real CafeOBJ accepts scores with facts of arithmetic."""

from __future__ import annotations

from pathlib import Path

import pytest
from induction.test_numbers import PROVED, proved

from otsrw.induction.score import check_with_cafeobj

pytestmark = pytest.mark.oracle


@pytest.mark.parametrize(("text", "name"), PROVED)
def test_cafeobj_accepts_facts_about_numbers(text: str, name: str, cafeobj: str, tmp_path: Path) -> None:
    _, score = proved(text, name)
    file = tmp_path / "score.cafe"
    file.write_text(score.text, encoding="utf-8")
    assert check_with_cafeobj(file, score.passages, 60) == []

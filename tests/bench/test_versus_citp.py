"""The generator of goals for CITP: what it calls false is false, and nothing false is discharged."""

from __future__ import annotations

import sys
from pathlib import Path

from support import run as outcome_of

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

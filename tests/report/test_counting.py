"""Numbers with their nouns."""

from __future__ import annotations

import pytest
from commands import run

from otsrw.report.words import counted

ONE = """mod* LAMP {
  [ Sys Light ]
  ops on off : -> Light {constr}
  eq (on = off) = false .
  op init : -> Sys {constr}
  op light : Sys -> Light
  op push : Sys -> Sys {constr}
  var S : Sys
  eq light(init) = off .
  eq light(push(S)) = on .
  op dark : Sys -> Bool
  eq dark(S) = (light(S) = off) .
}
"""


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 states"), (1, "1 state"), (2, "2 states"), (1234567, "1 234 567 states")]
)
def test_a_number_and_its_noun(number: int, text: str) -> None:
    assert counted(number, "state") == text


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("ots", "LAMP: 1 observer, 1 transition, 1 invariant candidate"),
        ("igf", "falsified: dark is false after 1 step;"),
        ("search", "after 1 step"),
    ],
)
def test_one_is_singular(command: str, expected: str) -> None:
    _, out, _ = run(command, "-", stdin=ONE)
    assert expected in out

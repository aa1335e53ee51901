"""A value that is nothing or one element is split into these two, where a function is defined for elements only."""

from __future__ import annotations

import pytest

from induction.test_data import proved
from otsrw.induction import IgfVerdict
from otsrw.induction.score import check_score

CELL = """
mod* VALUE { [Value] }
mod! CELL { pr(VALUE) [Value < Cell]
  op none : -> Cell {constr}
  op full : Cell -> Bool
  op get : Cell -> Value
  op rest : Cell -> Cell
  var V : Value
  eq (none = V) = false .
  eq full(none) = false .
  eq full(V) = true .
  eq get(V) = V .
  eq rest(V) = none .
}
mod! OTHER { [Other] op none : -> Other {constr} }
mod* WIRE { pr(CELL + OTHER)
  *[Sys]*
  op init : -> Sys
  op first : -> Value
  bop cell : Sys -> Cell
  bops sent got : Sys -> Value
  bops send take : Sys -> Sys
  op same : Sys -> Bool
  var S : Sys
  eq cell(init) = none .
  eq sent(init) = first .
  eq got(init) = first .
  eq cell(send(S)) = sent(S) .
  eq sent(send(S)) = sent(S) .
  eq got(send(S)) = got(S) .
  ceq cell(take(S)) = rest(cell(S)) if full(cell(S)) .
  eq sent(take(S)) = sent(S) .
  ceq got(take(S)) = get(cell(S)) if full(cell(S)) .
  ceq take(S) = S if not full(cell(S)) .
  eq same(S) = (got(S) = sent(S)) and (full(cell(S)) implies get(cell(S)) = sent(S)) .
}
"""


def test_a_cell_is_empty_or_has_an_element() -> None:
    result, score = proved(CELL, "same")
    assert result.verdict is IgfVerdict.VERIFIED
    assert check_score(score) == []
    assert "every value of Cell is one of none, v1" in score.text
    assert "((none):Cell = v1)" in score.text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("eq cell(send(S)) = sent(S) .", "eq cell(send(S)) = first .  op other : -> Value  eq sent(init) = other ."),
        ("eq rest(V) = none .", "op any : -> Value  eq rest(V) = any ."),
    ],
    ids=["another value is sent", "the cell is never empty again"],
)
def test_what_is_false_of_cells_is_not_proved(old: str, new: str) -> None:
    text = CELL.replace(old, new)
    if "other" in new:
        text = text.replace("  eq sent(init) = first .\n", "")
    assert proved(text, "same")[0].verdict is not IgfVerdict.VERIFIED

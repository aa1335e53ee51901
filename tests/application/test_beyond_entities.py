"""What a system does may depend on elements that are no entities: search says so, or says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from otsrw.application.specification import Specification
from otsrw.syntax.diagnostics import OtsrwError

CELLS = """
mod* CELLS {{ pr(NAT) *[Sys]*
  op init : -> Sys
  bop cell : Sys Nat -> Bool   bop next : Sys -> Nat   bop bad : Sys -> Bool
  bop inc : Sys -> Sys   bop set : Sys -> Sys   bop look : Sys -> Sys
  op c-look : Sys -> Bool   op fine : Sys -> Bool
  var S : Sys   var N : Nat
  eq cell(init,N) = false .   eq next(init) = 0 .   eq bad(init) = false .
  eq next(inc(S)) = next(S) + 1 .   eq cell(inc(S),N) = cell(S,N) .   eq bad(inc(S)) = bad(S) .
  eq cell(set(S),N) = (N = next(S)) or cell(S,N) .   eq next(set(S)) = next(S) .   eq bad(set(S)) = bad(S) .
  eq c-look(S) = (next(S) = 3) and {cell} .
  ceq bad(look(S)) = true if c-look(S) .
  eq next(look(S)) = next(S) .   eq cell(look(S),N) = cell(S,N) .
  ceq look(S) = S if not c-look(S) .
  eq fine(S) = not bad(S) .
}}
"""


def _cells(folder: Path, cell: str) -> str:
    file = folder / "cells.cafe"
    file.write_text(CELLS.format(cell=cell))
    return str(file)


def test_a_violation_that_depends_on_a_cell_beyond_the_entities_is_found(tmp_path: Path) -> None:
    file = _cells(tmp_path, "not cell(S,next(S))")
    found = Specification(file, "Nat=0,1,2").search("fine", depth=6)
    assert (found.verdict, found.depth) == ("violated", 4)


def test_nothing_is_said_to_hold_if_states_may_differ_beyond_the_entities(tmp_path: Path) -> None:
    # inc; inc; inc; set; look violates it, but the cells 0 to 2 do not show what set does to cell 3
    file = _cells(tmp_path, "cell(S,next(S))")
    found = Specification(file, "Nat=0,1,2").search("fine", depth=6)
    assert found.verdict == "unknown"
    assert "Nat" in found.reason
    more = Specification(file, "Nat=0,1,2,3,4,5,6,7").search("fine", depth=6)
    assert (more.verdict, more.depth) == ("violated", 5)


def test_a_graph_is_not_made_if_states_may_differ_beyond_the_entities(tmp_path: Path) -> None:
    file = _cells(tmp_path, "cell(S,next(S))")
    with pytest.raises(OtsrwError, match="cannot be told apart"):
        Specification(file, "Nat=0,1,2").simplify("fine", depth=6)

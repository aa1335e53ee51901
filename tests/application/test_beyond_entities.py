"""What a system does may depend on elements that are no entities: search says so, or says nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from otsrw.application import load_specification
from otsrw.application.deciding import DecisionQuestion, decide
from otsrw.application.specification import Specification
from otsrw.induction import Options
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


def test_no_steps_are_called_clear_if_states_may_differ_beyond_the_entities(tmp_path: Path) -> None:
    recognised = load_specification(_cells(tmp_path, "cell(S,next(S))")).recognised(invariant="fine")
    few, enough = (
        decide(recognised, DecisionQuestion("fine", Options(max_cases=5), (f"Nat={numbers}",), 3)).result
        for numbers in ("0,1,2", "0,1,2,3,4")
    )
    assert (few.verdict, few.clear) == ("unknown", None)
    assert enough.clear is None, "there are always more numbers"


def test_what_only_elements_that_are_no_entities_do_is_not_doubted(tmp_path: Path) -> None:
    file = tmp_path / "token.cafe"
    file.write_text(
        "mod* NODE { [Node] op n0 : -> Node }"
        " mod* TOKEN { pr(NODE) *[Sys]* op init : -> Sys bop has : Sys Node -> Bool bop pass : Sys Node Node -> Sys"
        " op held : Sys -> Bool var S : Sys vars I J N : Node eq has(init,N) = (N = n0) . eq held(S) = true ."
        " ceq has(pass(S,I,J),N) = (N = J) if has(S,I) . ceq pass(S,I,J) = S if not has(S,I) . }"
    )
    for nodes, doubted in (("a,b", 0), ("n0", 1)):
        found = load_specification(str(file)).recognised(invariant="held").instantiated((f"Node={nodes}",))
        activity = found.search(found.invariant("held"), 3, count=100).activity
        assert activity is not None
        assert bool(activity.doubts) == bool(doubted)


SHARDS = """
mod* SORTS {{ [Node Key] op home : Key -> Node {meaning} }}
mod* SHARDS {{ pr(SORTS) *[Sys]*
  op init : -> Sys   bop owns : Sys Node Key -> Bool   bop move : Sys Node Node Key -> Sys
  op at-home : Sys Node Key -> Bool
  var S : Sys   vars M N P : Node   vars K L : Key
  eq owns(init,N,K) = (N = home(K)) .
  ceq owns(move(S,N,P,K),M,L) = (if L = K then M = P else owns(S,M,L) fi) if owns(S,N,K) .
  ceq move(S,N,P,K) = S if not owns(S,N,K) .
  eq at-home(S,N,K) = owns(S,N,K) implies N = home(K) .
}}
"""


@pytest.mark.parametrize("meaning", ["", "vars K L : Key eq (home(K) = home(L)) = (K = L) ."])
def test_nothing_is_said_to_hold_if_a_function_gives_no_entity(meaning: str, tmp_path: Path) -> None:
    file = tmp_path / "shards.cafe"
    file.write_text(SHARDS.format(meaning=meaning))
    found = Specification(str(file), "Node=2", "Key=1").search("at-home", depth=3)
    assert (found.verdict, found.exhausted) == ("unknown", False)
    assert "nothing says which Node home gives" in found.reason
    file.write_text(SHARDS.format(meaning="op n1 : -> Node var K : Key eq home(K) = n1 ."))
    defined = Specification(str(file), "Node=n1,n2", "Key=1").search("at-home", depth=3)
    assert (defined.verdict, defined.depth) == ("violated", 1)

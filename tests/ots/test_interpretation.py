"""Functions that nothing defines get values in an instance, unless an equation about data speaks of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run
from specifications import ots_of

from otsrw.ots.interpretation import interpreted, loose_functions
from otsrw.theory.printing import show

TABLE = """mod* TABLE {{ [Phil Fork] ops left right : Phil -> Fork {data} }}
mod* DINNER {{
  pr(TABLE)
  *[Sys]*
  op init : -> Sys
  bop used : Sys Fork -> Bool
  bop eats : Sys Phil -> Bool
  bop take : Sys Phil -> Sys
  op apart : Sys Phil Phil -> Bool
  var S : Sys  vars P Q : Phil  var F : Fork
  eq used(init,F) = false .  eq eats(init,P) = false .
  ceq used(take(S,P),F) = (F = left(P) or F = right(P) or used(S,F)) if {guard} .
  ceq eats(take(S,P),Q) = (Q = P or eats(S,Q)) if {guard} .
  ceq take(S,P) = S if not ({guard}) .
  eq apart(S,P,Q) = (eats(S,P) and eats(S,Q) and right(P) = left(Q)) implies P = Q .
}}"""
CAREFUL = "not used(S,left(P)) and not used(S,right(P))"
CARELESS = "not used(S,left(P))"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ("", {"left", "right"}),
        ("var P : Phil eq (left(P) = right(P)) = false .", set()),
        ("var P : Phil eq left(P) = right(P) .", set()),
        ("op of : Fork -> Phil var P : Phil eq [circle :nonexec] : of(left(P)) = P .", {"right"}),
        ("op nearest : Phil -> Fork {constr}", {"left", "right"}),
    ],
    ids=[
        "nothing is said",
        "an equation on both",
        "a definition by the other",
        "an axiom that is not rewritten with",
        "a constructor",
    ],
)
def test_functions_are_loose_if_no_equation_about_data_speaks_of_them(data: str, found: set[str]) -> None:
    ots = ots_of(TABLE.format(data=data, guard=CAREFUL))
    assert {symbol.name for symbol in loose_functions(ots)} == found


def test_the_first_choice_of_values_is_a_ring() -> None:
    instance = interpreted(ots_of(TABLE.format(data="", guard=CAREFUL)), {"Phil": ("a", "b", "c")}, 0)
    assert instance is not None
    forks = {f"{show(each.lhs)} = {show(each.rhs)}" for each in instance.meanings}
    ring = {"left(a) = f1", "left(b) = f2", "left(c) = f3", "right(a) = f2", "right(b) = f3", "right(c) = f1"}
    assert forks == ring
    assert all(show(instance.normal_form(each.lhs)) == show(each.rhs) for each in instance.meanings)


def test_without_loose_functions_there_is_no_choice() -> None:
    text = TABLE.format(data="var P : Phil eq left(P) = right(P) .", guard=CAREFUL)
    assert interpreted(ots_of(text), {"Phil": ("a", "b")}, 0) is None


@pytest.mark.parametrize(("guard", "verdict"), [(CAREFUL, "verified"), (CARELESS, "falsified")])
def test_igf_decides_what_depends_on_the_values_and_names_them(guard: str, verdict: str, tmp_path: Path) -> None:
    file = tmp_path / "dinner.cafe"
    file.write_text(TABLE.format(data="", guard=guard), encoding="utf-8")
    _, out, _ = run("igf", str(file), "--inv", "apart", "--json")
    found = json.loads(out)
    assert found["verdict"] == verdict
    assert "right(p1) = f2" in found["left_out"]

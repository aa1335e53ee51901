"""Entities that do not obey an axiom of a loose module are no model: nothing is falsified with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run
from specifications import ots_of

from otsrw.ots import Instance
from otsrw.ots.lawful import LawBroken

ALONE = """mod* ONE {{ [Pid] vars P Q R : Pid eq {mark}{law} = true . }}
mod! STEP {{ [Step] ops idle busy : -> Step {{constr}} eq (idle = busy) = false . }}
mod* SYS {{
  pr(ONE + STEP)
  *[Sys]*
  op init : -> Sys
  bop at : Sys Pid -> Step
  bop go : Sys Pid -> Sys
  ops alike quiet : Sys Pid Pid -> Bool
  var S : Sys  vars P Q : Pid
  eq at(init,P) = idle .
  eq at(go(S,P),Q) = (if P = Q then busy else at(S,Q) fi) .
  eq alike(S,P,Q) = (at(S,P) = at(S,Q)) .
  eq quiet(S,P,Q) = (at(S,P) = idle) .
}}"""
ONE = "(P = Q)"
UNUSED = "[law :nonexec]: "
"""Marks an axiom that rewriting does not use."""
TWO = "((P = Q) or ((Q = R) or (P = R)))"


@pytest.mark.parametrize(("law", "most"), [(ONE, 1), (TWO, 2)])
def test_there_are_as_many_entities_as_the_law_allows(law: str, most: int) -> None:
    ots = ots_of(ALONE.format(law=law, mark=UNUSED))
    names = ("p1", "p2", "p3")
    assert Instance(ots, {"Pid": names[:most]}).given == {"Pid": names[:most]}
    with pytest.raises(LawBroken, match="these entities do not obey 'law' of ONE"):
        Instance(ots, {"Pid": names[: most + 1]})


@pytest.mark.parametrize(
    ("law", "invariant", "verdict", "entities"),
    [
        (ONE, "alike", "verified", "Pid = p1"),
        (ONE, "quiet", "falsified", "Pid = p1"),
        (TWO, "alike", "falsified", "Pid = p1 p2"),
    ],
)
def test_igf_takes_fewer_entities(law: str, invariant: str, verdict: str, entities: str, tmp_path: Path) -> None:
    file = tmp_path / "alone.cafe"
    file.write_text(ALONE.format(law=law, mark=UNUSED), encoding="utf-8")
    _, out, _ = run("igf", str(file), "--inv", invariant, "--json")
    found = json.loads(out)
    assert (found["verdict"], found["left_out"]) == (verdict, f"searched with {entities}")


def test_search_with_too_many_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "alone.cafe"
    file.write_text(ALONE.format(law=ONE, mark=UNUSED), encoding="utf-8")
    code, _, err = run("search", str(file), "--inv", "alike", "--with", "Pid=2")
    assert code == 150
    assert "alone.cafe:1:35: error E546: these entities do not obey 'law' of ONE: (p1 = p2) is false" in err


@pytest.mark.parametrize(("law", "entities"), [(ONE, "Pid = p1"), (TWO, "Pid = p1 p2")])
def test_an_axiom_that_is_a_rewrite_rule_restricts_entities_as_well(law: str, entities: str, tmp_path: Path) -> None:
    file = tmp_path / "alone.cafe"
    file.write_text(ALONE.format(law=law, mark=""), encoding="utf-8")
    _, out, _ = run("igf", str(file), "--inv", "quiet", "--json")
    found = json.loads(out)
    assert (found["verdict"], found["left_out"]) == ("falsified", f"searched with {entities}")
    assert run("search", str(file), "--inv", "quiet", "--with", "Pid=3")[0] == 150


WINDOW = """mod! STEP {{ [Step] ops idle busy : -> Step {{constr}} }}
mod* SYS {{
  pr(NAT + STEP)
  *[Sys]*
  ops window most : -> Nat
  op init : -> Sys
  bop at : Sys -> Step
  bop go : Sys -> Sys
  op quiet : Sys -> Bool
  var S : Sys
  eq most = window + 1 .
  eq {mark}(most < {bound}) = true .
  eq at(init) = idle .
  eq at(go(S)) = (if window > 0 then busy else idle fi) .
  eq quiet(S) = (at(S) = idle) .
}}"""


@pytest.mark.parametrize("mark", ["", UNUSED], ids=["a rewrite rule", "no rewrite rule"])
@pytest.mark.parametrize(("bound", "verdict"), [(2, "unknown"), (4, "falsified")])
def test_a_constant_obeys_what_is_said_of_a_value_computed_from_it(
    mark: str, bound: int, verdict: str, tmp_path: Path
) -> None:
    file = tmp_path / "window.cafe"
    file.write_text(WINDOW.format(mark=mark, bound=bound), encoding="utf-8")
    _, out, _ = run("igf", str(file), "--inv", "quiet", "--json")
    assert json.loads(out)["verdict"] == verdict

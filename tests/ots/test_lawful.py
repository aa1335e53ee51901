"""Entities that do not obey an axiom of a loose module are no model: nothing is falsified with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run
from specifications import ots_of

from otsrw.ots import Instance
from otsrw.ots.lawful import LawBroken

ALONE = """mod* ONE {{ [Pid] vars P Q R : Pid eq [law :nonexec]: {law} = true . }}
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
TWO = "((P = Q) or ((Q = R) or (P = R)))"


@pytest.mark.parametrize(("law", "most"), [(ONE, 1), (TWO, 2)])
def test_there_are_as_many_entities_as_the_law_allows(law: str, most: int) -> None:
    ots = ots_of(ALONE.format(law=law))
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
    file.write_text(ALONE.format(law=law), encoding="utf-8")
    _, out, _ = run("igf", str(file), "--inv", invariant, "--json")
    found = json.loads(out)
    assert (found["verdict"], found["left_out"]) == (verdict, f"searched with {entities}")


def test_search_with_too_many_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "alone.cafe"
    file.write_text(ALONE.format(law=ONE), encoding="utf-8")
    code, _, err = run("search", str(file), "--inv", "alike", "--with", "Pid=2")
    assert code == 150
    assert "alone.cafe:1:35: error E546: these entities do not obey 'law' of ONE: (p1 = p2) is false" in err

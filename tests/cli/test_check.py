"""`otsrw check` with entities: what never happens, what says nothing, and where nothing goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import document, run

ROOM = """
mod! LAMP { [Lamp] ops on off : -> Lamp {constr} }
mod* PERSON { [Person] }
mod* ROOM { pr(LAMP + PERSON) *[Sys]* op init : -> Sys bop lamp : Sys -> Lamp bops enter leave : Sys Person -> Sys
  ops c-enter c-leave : Sys Person -> Bool op quiet : Sys -> Bool var S : Sys var P : Person
  eq lamp(init) = off . eq c-enter(S, P) = (lamp(S) = FIRST) .
  ceq lamp(enter(S, P)) = on if c-enter(S, P) . ceq enter(S, P) = S if not c-enter(S, P) .
  eq c-leave(S, P) = (lamp(S) = on) .
  ceq lamp(leave(S, P)) = off if c-leave(S, P) . ceq leave(S, P) = S if not c-leave(S, P) .
  eq quiet(S) = (lamp(S) = on) implies not (lamp(S) = off) . }
"""


@pytest.fixture
def dark(tmp_path: Path) -> str:
    return _written(tmp_path, "on")


@pytest.fixture
def light(tmp_path: Path) -> str:
    return _written(tmp_path, "off")


def _written(folder: Path, first: str) -> str:
    file = folder / "room.cafe"
    file.write_text(ROOM.replace("FIRST", first), encoding="utf-8")
    return str(file)


def test_what_never_happens_is_told_with_entities(dark: str) -> None:
    code, out, err = run("check", dark, "--with", "Person=2")
    last = out.splitlines()[-1]
    assert code == 0, "the equations mean one thing"
    assert "ROOM is sound" in last
    for told in (
        "a deadlock can be reached",
        "enter and leave can never happen",
        "the left side of quiet is never true",
    ):
        assert told in last
    assert {code for code in ("W541", "W543", "W544", "W545") if code in err} == {"W541", "W543", "W544", "W545"}


def test_without_entities_nothing_is_said_about_states(dark: str) -> None:
    code, out, err = run("check", dark)
    assert (code, "never" in out + err, "looked at" in out) == (0, False, False)
    found = document("check", dark)
    assert (found["transitions"], found["counted"], found["doubts"]) == (None, None, [])


def test_a_system_in_which_all_happens_has_no_doubts(light: str) -> None:
    _, out, err = run("check", light, "--with", "Person=p1,p2")
    assert "looked at 2 states: all that can be reached with these entities" in out
    assert "W54" not in err
    found = document("check", light, "--with", "Person=p1,p2")
    assert found["transitions"] == {"enter": {"enabled": 1, "taken": 1}, "leave": {"enabled": 1, "taken": 1}}
    assert (found["counted"]["whole"], found["doubts"]) == (True, [])


def test_a_bound_is_named(light: str) -> None:
    code, out, _ = run("check", light, "--with", "Person=1", "--depth", "1")
    last = out.splitlines()[-1]
    assert (code, "can never" in last) == (0, False)
    assert "leave did not happen within 1 step" in last


def test_a_score_has_no_entities(light: str) -> None:
    code, _, err = run("check", "--score", light, "--with", "Person=1")
    assert (code, "E519" in err) == (2, True)

"""`==` in equations is read as `=` where something is proved, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run

from otsrw import Specification
from otsrw.application import load_specification
from otsrw.application.comparisons import with_values_compared
from otsrw.syntax.source import Source

_DATA = """mod* PID { [Pid] }
mod! QUEUE { pr(PID)
  [Queue]
  op nil : -> Queue {constr}
  op put : Pid Queue -> Queue {constr}
  op has : Pid Queue -> Bool
  op pick : Pid Pid Queue -> Queue
  vars I J : Pid
  var Q : Queue
  eq has(I, nil) = false .
  %s
}
"""


def _read(equation: str) -> tuple[str, int]:
    """The line of an equation as it is read, and how many warnings there are."""
    expanded = with_values_compared(Source("queue.cafe", _DATA % equation))
    return expanded.source.text.splitlines()[10].strip(), len(expanded.problems)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("eq has(I, put(J,Q)) = I == J or has(I,Q) .", "eq has(I, put(J,Q)) = I =  J or has(I,Q) ."),
        (
            "eq has(I, put(J,Q)) = not(I =/= J and not has(I,Q)) .",
            "eq has(I, put(J,Q)) = not(not(I =  J) and not has(I,Q)) .",
        ),
        (
            "ceq pick(I, J, Q) = (if put(I,Q) =/= nil then Q else nil fi) if (I == J) and J =/= I .",
            "ceq pick(I, J, Q) = (if not(put(I,Q) =  nil) then Q else nil fi) if (I =  J) and not(J =  I) .",
        ),
    ],
)
def test_right_sides_and_conditions_compare_values(written: str, read: str) -> None:
    assert _read(written) == (read, 1)


@pytest.mark.parametrize(
    "equation",
    [
        "eq has(I, put(J,Q)) = (I = J) or has(I,Q) .  -- I == J",
        "eq (I == J) = has(I, nil) .",
        "eq has(I, put(J,Q)) = I == unknown .",
        "op _~>_ : Bool Bool -> Bool {prec: 60} eq has(I, put(J,Q)) = I =/= J ~> has(I,Q) .",
    ],
)
def test_other_text_is_left_alone(equation: str) -> None:
    """A comment, a left side, an equation without a meaning, and one that would mean something else."""
    assert _read(equation) == (equation, 0)


def test_states_are_not_compared_by_value() -> None:
    text = "mod* S { *[Sys]* bop go : Sys -> Sys op same : Sys -> Bool eq same(S:Sys) = go(S) == S . }"
    assert with_values_compared(Source("s.cafe", text)).source.text == text


_LOCK = """mod* PID { [Pid] op nobody : -> Pid }
mod* LOCK { pr(PID)
  *[Sys]*
  op init : -> Sys
  bop owner : Sys -> Pid
  bop in : Sys Pid -> Bool
  bops take give : Sys Pid -> Sys
  var S : Sys  vars I J : Pid
  eq owner(init) = nobody .
  eq in(init,I) = false .
  ceq owner(take(S,I)) = I if owner(S) == nobody and I =/= nobody .
  ceq in(take(S,I),J) = (J == I) or in(S,J) if owner(S) == nobody and I =/= nobody .
  ceq take(S,I) = S if not (owner(S) == nobody and I =/= nobody) .
  ceq owner(give(S,I)) = nobody if owner(S) == I .
  ceq in(give(S,I),J) = (if %s then false else in(S,J) fi) if owner(S) == I .
  ceq give(S,I) = S if not (owner(S) == I) .
  op mutex : Sys Pid Pid -> Bool
  eq mutex(S,I,J) = (in(S,I) and in(S,J)) implies I == J .
}
"""


@pytest.mark.parametrize(("leaving", "verdict"), [("I == J", "verified"), ("I == nobody", "falsified")])
def test_a_lock_that_compares_by_form_is_decided(leaving: str, verdict: str, tmp_path: Path) -> None:
    file = tmp_path / "lock.cafe"
    file.write_text(_LOCK % leaving, encoding="utf-8")
    specification = Specification(file)
    result = specification.igf("mutex")
    assert result.verdict == verdict
    if verdict == "verified":
        assert "==" not in specification.proof(result).text


def test_reductions_of_a_loaded_file_keep_what_cafeobj_does(tmp_path: Path) -> None:
    file = tmp_path / "queue.cafe"
    file.write_text(_DATA % "eq has(I, put(J,Q)) = I == J or has(I,Q) .", encoding="utf-8")
    (plain,) = (text for text in load_specification(str(file)).declarations if "QUEUE" in text)
    assert "I == J" in plain


def test_an_equation_that_defines_equality_by_form_is_left_out() -> None:
    assert _read("eq (I = J) = (I == J) .") == ("", 1)


def test_a_file_in_which_equality_is_defined_by_form_is_proved(tmp_path: Path) -> None:
    file = tmp_path / "light.cafe"
    text = """mod! COLOUR { [Colour]  ops red green : -> Colour {constr}  vars C D : Colour  eq (C = D) = (C == D) . }
mod* LIGHT { pr(COLOUR) *[Sys]*  op init : -> Sys  bop colour : Sys -> Colour  bop turn : Sys -> Sys
  op known : Sys -> Bool  var S : Sys
  eq colour(init) = red .  eq colour(turn(S)) = (if colour(S) = red then green else red fi) .
  eq known(S) = (colour(S) = red) or (colour(S) = green) . }
"""
    file.write_text(text, encoding="utf-8")
    assert run("prove", str(file), "--inv", "known")[0] == 0

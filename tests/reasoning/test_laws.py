"""Axioms of loose modules that are no rewrite rules: premises of proofs, unless the equations refute them."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import document, run
from specifications import ots_of

from otsrw.reasoning.laws import laws_of

LAW = "eq [transitive :nonexec]: (((X <= Y) and (Y <= Z)) implies (X <= Z)) = true ."
CONDITIONAL = "ceq [transitive :nonexec]: (X <= Z) = true if (X <= Y) and (Y <= Z) ."
UNMARKED = "ceq (X <= Z) = true if (X <= Y) and (Y <= Z) ."

CLIMB = """
{kind} HEIGHT {{ [Height]
  pred _<=_ : Height Height
  ops floor low high : -> Height
  vars X Y Z : Height
  eq (X <= X) = true .   eq (floor <= X) = true .   eq (low <= high) = true .
  {equation}
  {law}
}}
mod* CLIMB {{ pr(HEIGHT) *[Sys]*
  op init : -> Sys   bop at : Sys -> Height   bop climb : Sys Height -> Sys
  op above : Sys -> Bool
  var S : Sys  var H : Height
  eq at(init) = low .
  ceq at(climb(S, H)) = H if at(S) <= H .
  ceq climb(S, H) = S if not (at(S) <= H) .
  eq above(S) = low <= at(S) .
}}
"""


def prove(folder: Path, law: str, kind: str = "mod*", equation: str = "", *words: str) -> tuple[int, str, str]:
    file = folder / "climb.cafe"
    file.write_text(CLIMB.format(law=law, kind=kind, equation=equation), encoding="utf-8")
    return run("prove", str(file), "--inv", "above", *words)


@pytest.mark.parametrize("law", [LAW, CONDITIONAL, UNMARKED], ids=["formula", "conditional", "extra variable"])
def test_an_axiom_of_a_loose_module_closes_a_case(law: str, tmp_path: Path) -> None:
    code, out, _ = prove(tmp_path, law)
    assert code == 0
    assert "an axiom of HEIGHT (" in out and "climb.cafe:8)" in out


def test_without_the_axiom_the_case_is_open(tmp_path: Path) -> None:
    code, out, _ = prove(tmp_path, "")
    assert code == 3 and "1 open case" in out


def test_a_tight_module_states_no_axioms(tmp_path: Path) -> None:
    code, out, _ = prove(tmp_path, LAW, kind="mod!")
    assert code == 3 and "axiom of" not in out


def test_an_axiom_that_the_equations_refute_proves_nothing(tmp_path: Path) -> None:
    code, out, err = prove(tmp_path, LAW, equation="eq (high <= floor) = true .  eq (low <= floor) = false .")
    assert code == 3
    assert "is false by the other equations" in err
    assert "((low <= high) and (high <= floor)) implies (low <= floor)" in out + err


def test_the_score_uses_the_axiom_as_a_premise_and_names_it(tmp_path: Path) -> None:
    score = tmp_path / "score.cafe"
    assert prove(tmp_path, LAW, "mod*", "", "--proof", str(score))[0] == 0
    text = score.read_text(encoding="utf-8")
    assert "-- transitive: " in text and "an axiom of HEIGHT" in text
    assert "red (transitive(low,at(s),h)) implies" in text
    assert run("check", "--score", str(score))[0] == 0


def test_two_processes_use_it_as_one_does(tmp_path: Path) -> None:
    assert prove(tmp_path, LAW, "mod*", "", "--jobs", "2")[0] == 0


def test_the_document_says_that_nothing_was_proved_of_it(tmp_path: Path) -> None:
    prove(tmp_path, LAW)
    found = document("prove", str(tmp_path / "climb.cafe"), "--inv", "above")
    (lemma,) = found["data_lemmas"]
    assert (lemma["name"], lemma["axiom_of"], lemma["cases"]) == ("transitive", "HEIGHT", 0)


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        ("vars X Y : Nat eq [law :nonexec]: (X = Y) = true .", []),
        ("vars X Y : Nat eq [law :nonexec]: (X < Y) = true .", []),
        ("op f : Nat -> Nat vars X Y : Nat eq [law :nonexec]: f(X) = Y .", ["law"]),
        ("[Pid] vars P Q : Pid eq [law :nonexec]: (P = Q) = true .", ["law"]),
        ("pr(HALF) var X : Nat eq [law :nonexec]: half(X) = X .", []),
        ("pr(HALF) op f : Nat -> Nat var X : Nat eq [law :nonexec]: f(half(X)) = X .", []),
    ],
    ids=["numbers", "their order", "a function of them", "elements", "a tight function", "a function of its values"],
)
def test_a_law_is_about_what_its_loose_module_declares(declared: str, found: list[str]) -> None:
    """Of numbers nothing is stated: whether all are equal follows from what they are."""
    half = "mod! HALF { pr(NAT) op half : Nat -> Nat eq half(0) = 0 . eq half(1) = 0 . }"
    ots = ots_of(f"{half}\nmod* LAW {{ pr(NAT) {declared} }}\n{COUNT}")
    assert [law.name for law in laws_of(ots.module, ots.sort)] == found


COUNT = """mod* COUNT {
  pr(LAW)
  *[Sys]*
  op init : -> Sys
  bop n : Sys -> Nat
  bop up : Sys -> Sys
  var S : Sys
  eq n(init) = 0 .
  eq n(up(S)) = n(S) + 1 .
}"""

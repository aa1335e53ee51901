"""Verdicts on random systems agree with an oracle that knows nothing of otsrw; `make soundness N=...` looks at more."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from random_ots.comparing import Settings, compared, truth_of
from random_ots.drawing import LATER_SEEDS, draw
from random_ots.model import TRUE, Equation, Function, Invariant, Node, Parameter
from random_ots.oracle import Oracle
from random_ots.printing import printed

from otsrw.induction.grounds import Grounds

BENCH = Path(__file__).parents[2] / "bench"
SEED_OF_A_TRAP = 20065
"""Two equations of a function disagree: every case is closed, and the invariant is false for one of the values."""
SEEDS = range(1000, 1030)
SETTINGS = Settings(seconds=2.0, maude_every=15)


def test_all_verdicts_agree_with_the_oracle() -> None:
    told: Counter[str] = Counter()
    for seed in SEEDS:
        outcome = compared(seed, SETTINGS)
        assert outcome.disagreements == [], f"seed {seed}, {outcome.plant}"
        told += outcome.told
    assert told["check: clean, sound"] > 0
    assert told["check: harmful, broken"] > 0
    assert told["igf: verified"] > 0
    assert told["igf: falsified"] > 0
    assert told["searched by Maude"] > 0


def test_later_systems_have_arithmetic_and_equations_for_all_other_cases() -> None:
    seeds = range(LATER_SEEDS, LATER_SEEDS + 30)
    systems = [draw(seed) for seed in seeds]
    marked = [system for system in systems if system.plant == "owise"]
    counting = [system for system in systems if system.has_arithmetic]
    assert marked and counting
    for system in (*marked[:4], *counting[:5]):
        outcome = compared(system.seed, SETTINGS)
        assert outcome.disagreements == [], f"seed {system.seed}, {outcome.plant}"
    assert not any(draw(seed).has_arithmetic or draw(seed).plant == "owise" for seed in range(40))


@pytest.mark.parametrize("seed", [465, 101250, 200199, 302600, 302835])
def test_a_system_that_showed_a_defect_shows_none_any_more(seed: int) -> None:
    assert compared(seed, Settings(seconds=4.0, maude_every=10)).disagreements == []


@pytest.mark.oracle
def test_cafeobj_accepts_a_score_whose_lemma_had_a_conditional() -> None:
    outcome = compared(511260, Settings(seconds=4.0, maude_every=0, cafeobj_every=1))
    assert outcome.disagreements == []
    assert outcome.told["score: accepted by CafeOBJ"] > 0


@pytest.mark.parametrize("file", ["model.py", "oracle.py", "drawing.py", "printing.py"])
def test_the_oracle_knows_nothing_of_otsrw(file: str) -> None:
    tree = ast.parse(BENCH.joinpath("random_ots", file).read_text(encoding="utf-8"))
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert not any(name.split(".")[0] == "otsrw" for name in imported)


def test_a_seed_gives_the_same_text_every_time() -> None:
    assert [printed(draw(seed)) for seed in range(5)] == [printed(draw(seed)) for seed in range(5)]


def test_a_clean_system_has_one_meaning() -> None:
    clean = [system for system in map(draw, range(40)) if system.plant == "clean"]
    assert clean
    assert all(not truth_of(system).defects for system in clean)


def test_a_function_with_two_values_or_none_is_seen() -> None:
    system = next(system for system in map(draw, range(100)) if system.plant == "clean" and not system.functions)
    a, label = Node("const", "a"), Node("var", "L")
    equations = (Equation((a,), TRUE), Equation((label,), Node("const", "false"), Node("=", "", (label, a))))
    function = Function("f", ("Label",), "Bool", equations)
    invariant = Invariant("inv", (Parameter("L", "Label"),), Node("fn", "f", (label,)))
    oracle = Oracle(replace(system, functions=(function,), invariants=(invariant,)), {"Pid": ("p1",)})
    assert oracle.all_values("f", ("a",)) == (False, True)
    assert oracle.all_values("f", ("b",)) == ()
    oracle.probe()
    assert (oracle.ambiguous, oracle.gaps) == ({"f"}, {"f"})


def test_a_wrong_proof_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Grounds, "doubt", lambda self, name: None)
    outcome = compared(SEED_OF_A_TRAP, Settings(seconds=60.0))
    assert any("is verified, but violated" in told for told in outcome.disagreements)

"""`--state F`: a run goes on with the lemmas of a former one, and nothing in the file can make anything proved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import document, run, spec

from otsrw.application import load_specification
from otsrw.application.deciding import DecisionQuestion, decide
from otsrw.application.keeping import StateFile
from otsrw.induction import IgfResult, Induction, Options
from otsrw.induction.prover import Prover
from otsrw.induction.saved import proof_data, restored

QLOCK, FLAWED = spec("qlock.cafe"), spec("tas-flawed.cafe")


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def decided(path: str, state: str, options: Options) -> tuple[IgfResult, StateFile]:
    keeper = StateFile(state)
    recognised = load_specification(path).recognised(invariant="mutex")
    return decide(recognised, DecisionQuestion("mutex", options, depth=1, keeper=keeper)).result, keeper


def test_a_run_that_was_stopped_goes_on_with_its_lemmas() -> None:
    stopped, _ = decided(QLOCK, "state.json", Options(max_cases=30))
    assert stopped.verdict == "unknown" and len(stopped.nodes) > 1
    resumed, keeper = decided(QLOCK, "state.json", Options())
    assert keeper.resumed == len(stopped.nodes) - 1
    assert resumed.verdict == "verified"
    assert set(stopped.nodes) <= set(resumed.nodes)


def test_what_was_kept_is_read_as_it_was() -> None:
    recognised = load_specification(QLOCK).recognised(invariant="mutex")
    result = decide(recognised, DecisionQuestion("mutex", Options(), depth=1, may_exhaust=False)).result
    proof = Prover(recognised.ots, None, recognised.invariant("mutex"), Options()).new_proof()
    proof.nodes = dict(result.nodes)
    data = json.loads(json.dumps(proof_data(proof, recognised.ots)))
    found = restored(data, Induction(recognised.ots))
    lemmas = [node for node in result.nodes.values() if node.kind != "property"]
    assert found.unread == () and len(found.lemmas) == len(lemmas) > 0
    for old, new in zip(lemmas, found.lemmas, strict=True):
        assert old.predicate.formula is new.predicate.formula
        assert (old.name, old.kind, old.parent, old.depth) == (new.name, new.kind, new.parent, new.depth)


def lemma(formula: str, **others: Any) -> dict[str, Any]:
    kept = {"name": "lemma1", "kind": "necessary", "parent": "mutex", "transition": "enter", "status": "proved"}
    return kept | {"formula": formula, "variables": {"I": "Pid", "J": "Pid"}} | others


def saved(*lemmas: object, **others: object) -> dict[str, Any]:
    kept = {"schema": "otsrw/state/1", "module": "TAS-FLAWED", "invariant": "mutex", "cases": 9, "refuted": []}
    return kept | {"lemmas": list(lemmas)} | others


TAMPERED = {
    "a lemma that is false": saved(lemma("false")),
    "a lemma that says what is to be proved": saved(lemma("(pc(S,I) = cs and pc(S,J) = cs) implies I = J")),
    "a lemma with the name of the invariant": saved(lemma("true", name="mutex")),
    "a lemma with the name of an operator": saved(lemma("true", name="init")),
    "a lemma with a variable that is not declared": saved(lemma("pc(S,K:Pid) = rs")),
    "a lemma that is no formula": saved(lemma("rs")),
    "a lemma about what does not exist": saved(lemma("nothing(S,I)")),
    "a lemma for no transition": saved(lemma("pc(S,I) = rs", transition="fly")),
    "a lemma below one that is missing": saved(lemma("pc(S,I) = rs", parent="lemma9")),
    "a refuted clause": saved(refuted=[[{"atom": "pc(S,I) = rs", "positive": True, "variables": {"I": "Pid"}}]]),
}


@pytest.mark.parametrize("data", TAMPERED.values(), ids=TAMPERED.keys())
def test_a_file_that_was_changed_proves_nothing(data: dict[str, Any]) -> None:
    recognised = load_specification(FLAWED).recognised(invariant="mutex")
    Path("state.json").write_text(json.dumps(data | {"module": recognised.ots.name}), encoding="utf-8")
    keeper = StateFile("state.json")
    question = DecisionQuestion("mutex", Options(max_cases=400, strengthen=False), depth=0, keeper=keeper)
    result = decide(recognised, question).result
    assert result.verdict in ("unknown", "falsified")


@pytest.mark.parametrize(
    "text",
    ["{", "[]", "{}", json.dumps(saved(invariant="other")), json.dumps(saved(lemmas=3)), json.dumps(saved(7))],
)
def test_a_file_that_is_something_else_is_refused_and_left_alone(text: str) -> None:
    Path("state.json").write_text(text, encoding="utf-8")
    code, _, err = run("igf", FLAWED, "--state", "state.json")
    assert code == 150 and "E310" in err
    assert Path("state.json").read_text(encoding="utf-8") == text


def test_the_command_keeps_and_resumes() -> None:
    first = document("igf", QLOCK, "--max-cases", "30", "--state", "state.json")
    code, out, _ = run("igf", QLOCK, "--state", "state.json")
    assert (first["verdict"], code) == ("unknown", 0)
    assert f"resumed with {len(first['lemmas'])} lemmas of state.json" in out

"""`otsrw simulate`: random runs are the same every time, what they find is real, and what they count is exact."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest
from commands import document, run, spec
from support import ROOT

sys.path.insert(0, str(ROOT / "bench"))

from random_ots.drawing import draw
from random_ots.oracle import Oracle
from random_ots.printing import printed

import otsrw
from otsrw.application import Instantiated, Loaded
from otsrw.proofs import Session
from otsrw.search.simulation import RandomRuns, simulate
from otsrw.syntax.source import Source

CHAIN = """
mod! NUMBER { [N] op z : -> N {constr} op s : N -> N {constr} vars X Y : N
  eq (z = s(X)) = false . eq (s(X) = s(Y)) = (X = Y) . }
mod* CHAIN { pr(NUMBER) *[Sys]* op init : -> Sys bop at : Sys -> N bop done : Sys -> Bool
  bop go : Sys -> Sys bop end : Sys -> Sys op short : Sys -> Bool var S : Sys
  eq at(init) = z . eq done(init) = false .
  ceq at(go(S)) = s(at(S)) if not done(S) . eq done(go(S)) = done(S) . ceq go(S) = S if done(S) .
  eq at(end(S)) = at(S) . ceq done(end(S)) = true if at(S) = s(s(s(z))) and not done(S) .
  ceq end(S) = S if not (at(S) = s(s(s(z))) and not done(S)) .
  eq short(S) = not (at(S) = s(s(s(s(s(z)))))) . }
"""


def instantiated(text: str, *entities: str) -> Instantiated:
    session = Session()
    session.run_source(Source("<text>", text, ROOT / "specs"))
    return Loaded("<text>", session).recognised().instantiated(entities)


def test_the_same_seed_gives_the_same_runs_and_another_one_others() -> None:
    words = (spec("ticket.cafe"), "--runs", "20", "--steps", "30")
    first, again = document("simulate", *words, "--seed", "5"), document("simulate", *words, "--seed", "5")
    other = document("simulate", *words, "--seed", "6")
    assert first | {"seconds": 0} == again | {"seconds": 0}
    assert first["transitions"] != other["transitions"]


def test_a_violation_is_replayed_and_made_shorter() -> None:
    found = document("simulate", spec("nspk.cafe"), "--runs", "12", "--steps", "40", "--inv", "secrecy")
    assert found["violated"] == "secrecy"
    assert len(found["trace"]["states"]) == 5, "the attack has four steps"
    assert found["found_after"] > 4
    code, out, _ = run(*found["replay"].split()[1:], "-q")
    assert code == 12
    assert out.startswith("violated: secrecy is false after 4 steps for N = ")


def test_what_a_run_without_choice_counts() -> None:
    chain = instantiated(CHAIN)
    found = simulate(chain.instance, [], RandomRuns(runs=40, steps=20, seed=1))
    go, end = (found.activity.transitions[name] for name in ("go", "end"))
    assert end.enabled == found.runs, "every run passes 3 once, and there `end` is enabled"
    assert 0 < end.taken < found.runs
    stayed = found.runs - end.taken
    assert go.taken == 3 * end.taken + 20 * stayed
    assert go.enabled == 4 * end.taken + 20 * stayed
    assert found.steps == go.taken + end.taken
    assert found.activity.doubts[0].reason == "go; go; go; end"


def test_runs_of_random_systems_are_runs_of_the_oracle() -> None:
    """Every state of a violating run is one of the oracle's, and so is what enables a transition."""
    told: Counter[str] = Counter()
    for seed in range(30):
        system = draw(seed)
        if system.plant != "clean":
            continue
        entities = system.sizes()[0]
        chosen = instantiated(printed(system), *(f"{sort}={','.join(names)}" for sort, names in entities.items()))
        found = simulate(chosen.instance, chosen.instance.ots.invariants, RandomRuns(10, 8, seed))
        seen = Oracle(system, entities).explore(8, 100_000)
        for name, count in found.violations.items():
            assert not count or name in seen.violated, (seed, name)
        assert found.states <= seen.levels[-1]
        assert sum(count.taken for count in found.activity.transitions.values()) == found.steps
        if found.run is not None and found.violated is not None:
            assert seen.violated[found.violated.name] <= len(found.run.actions) <= found.found_after
            told["violated"] += 1
        told["systems"] += 1
    assert told["violated"] > 3 and told["systems"] > 5


def test_all_states_of_a_small_system_are_met() -> None:
    found = document("simulate", spec("qlock.cafe"), "--runs", "50", "--steps", "100")
    assert found["states"] == 31
    assert found["violated"] is None and found["violations"] == {"mutex": 0}


def test_every_candidate_is_checked_unless_the_file_names_one() -> None:
    assert list(document("simulate", spec("ticket.cafe"), "--inv", "all", "--runs", "1")["violations"]) == [
        "mutex",
        "enter-lemma",
        "inc-lemma",
        "wait-lemma",
    ]


def test_a_transition_that_did_not_happen_is_in_the_verdict() -> None:
    code, out, _ = run("simulate", spec("mcs.cafe"), "--runs", "3", "--steps", "4", "-q")
    assert code == 0
    assert out.splitlines()[-1].endswith(" did not happen in 3 runs")


def test_no_steps_and_an_initial_violation(tmp_path: Path) -> None:
    path = tmp_path / "chain.cafe"
    path.write_text(CHAIN.replace("s(s(s(s(s(z)))))", "z"))
    found = document("simulate", str(path), "--steps", "0", "--runs", "3")
    assert (found["steps"], found["violated"], len(found["trace"]["states"])) == (0, "short", 1)


def test_pages_and_traces_are_written(tmp_path: Path) -> None:
    page, trace = tmp_path / "page.html", tmp_path / "trace.itf.json"
    code, _, _ = run("simulate", spec("ticket.cafe"), "--html", str(page), "--itf", str(trace))
    assert code == 12
    assert "mutex is false after" in page.read_text("utf-8")
    assert "made shorter" in page.read_text("utf-8").lower()
    assert trace.exists()


def test_the_time_ends_it() -> None:
    code, out, _ = run("simulate", spec("tas.cafe"), "--runs", "1000000000", "--steps", "100", "--timeout", "0.3")
    assert code == 3
    assert out.splitlines()[-1].startswith("unknown: the time is spent (0.3 s), no violation of mutex so far")


@pytest.mark.parametrize("words", [("--runs", "0"), ("--steps", "-1"), ("--inv", "mutx")])
def test_bad_options(words: tuple[str, ...]) -> None:
    assert run("simulate", spec("tas.cafe"), *words)[0] == 2


def test_from_python() -> None:
    found = otsrw.Specification(spec("tas-flawed.cafe"), "Pid=2").simulate("mutex", runs=20, steps=50, seed=2)
    assert found.violated is not None and found.run is not None
    assert len(found.run.actions) == 4
    assert "violated: mutex is false after 4 steps" in found._repr_html_()

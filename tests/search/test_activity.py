"""What transitions did is counted exactly, and what never happens is named with the condition that prevents it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from commands import document, run
from support import ROOT

sys.path.insert(0, str(ROOT / "bench"))

from random_ots.drawing import draw
from random_ots.model import Node
from random_ots.model import System as RandomSystem
from random_ots.oracle import Oracle, State
from random_ots.printing import printed

from otsrw.application import Loaded
from otsrw.proofs import Session
from otsrw.search import MaudeSpace, RewritingSpace
from otsrw.search.activity import activity_of
from otsrw.search.results import Activity, DoubtKind
from otsrw.syntax.source import Source

DEPTH = 4
ENUMERATED = {"Pid", "Admin", "Label", "Bool", "Phase"}


class Counting(Oracle):
    """The oracle in plain Python, which knows nothing of otsrw, and counts."""

    def visited(self) -> tuple[list[State], list[State]]:
        """The states within the depth, and those of them that are less deep."""
        level = list(dict.fromkeys(self.initial_states()))
        known = dict.fromkeys(level)
        inner: list[State] = []
        for _ in range(DEPTH):
            inner += level
            following = dict.fromkeys(after for state in level for after in self.successors(state))
            level = [state for state in following if state not in known]
            known.update(dict.fromkeys(level))
        return list(known), inner

    def counts(self, states: list[State]) -> dict[str, tuple[int, int]]:
        found = {}
        for transition in self.system.transitions:
            steps = {
                (state, self._after(transition, env, state))
                for state in states
                for env in self._bindings(transition.parameters)
                if self.value(transition.guard, env, state)
            }
            enabled = len({before for before, _ in steps})
            found[transition.name] = enabled, len({(before, after) for before, after in steps if before != after})
        return found

    def constant(self, states: list[State]) -> set[str]:
        return {
            observer.name
            for observer in self.system.observers
            if all(len({state[n] for state in states}) == 1 for n, (o, _) in enumerate(self._slots) if o is observer)
        }

    def never_true(self, states: list[State]) -> set[str]:
        """Invariants that are an implication whose left side is false in all states."""
        return {
            invariant.name
            for invariant in self.system.invariants
            if invariant.formula.kind == "implies"
            and not any(
                self.value(left_side(invariant.formula), env, state)
                for state in states
                for env in self._bindings(invariant.parameters)
            )
        }


def left_side(formula: Node) -> Node:
    left, right = formula.args
    return Node("and", "", (left, left_side(right))) if right.kind == "implies" else left


def usable(seed: int) -> RandomSystem | None:
    """The system of a seed, if it has one meaning and its arguments are few."""
    system = draw(seed)
    parameters = [*(t.parameters for t in system.transitions), *(i.parameters for i in system.invariants)]
    sorts = {parameter.sort for some in parameters for parameter in some}
    return system if system.plant == "clean" and sorts <= ENUMERATED else None


def compare(system: RandomSystem, make: type[MaudeSpace] | type[RewritingSpace]) -> set[DoubtKind]:
    session = Session()
    session.run_source(Source("<random>", printed(system), ROOT / "specs"))
    entities = system.sizes()[0]
    recognised = Loaded("<random>", session).recognised()
    instance = recognised.instantiated([f"{sort}={','.join(names)}" for sort, names in entities.items()]).instance
    oracle = Counting(system, entities)
    known, inner = oracle.visited()
    told: set[DoubtKind] = set()
    for invariant in instance.ots.invariants:
        found = activity_of(make(instance), [invariant], DEPTH, 5_000)
        assert found is not None and not found.cut
        states = known if found.whole else inner
        assert found.states == len(states)
        counts = oracle.counts(states)
        assert {name: tuple(count) for name, count in found.transitions.items()} == counts
        assert subjects(found, DoubtKind.NEVER_ENABLED) == {name for name, (n, _) in counts.items() if not n}
        assert subjects(found, DoubtKind.NO_EFFECT) == {name for name, (n, t) in counts.items() if n and not t}
        assert subjects(found, DoubtKind.CONSTANT) == oracle.constant(known)
        assert subjects(found, DoubtKind.NEVER_TRUE) == oracle.never_true(known) & {invariant.name}
        stuck = [state for state in states if not any(True for _ in oracle.successors(state))]
        assert bool(subjects(found, DoubtKind.DEADLOCK)) == bool(stuck)
        told |= {doubt.kind for doubt in found.doubts}
    return told


def subjects(activity: Activity, kind: DoubtKind) -> set[str]:
    return {doubt.subject for doubt in activity.doubts if doubt.kind is kind}


def test_counts_are_those_of_the_oracle() -> None:
    told: set[DoubtKind] = set()
    for seed in range(40):
        system = usable(seed)
        if system is not None:
            told |= compare(system, RewritingSpace)
    assert told == set(DoubtKind)


def test_counts_of_maude_are_those_of_the_oracle() -> None:
    systems = [system for seed in range(40, 60) if (system := usable(seed)) is not None]
    assert len(systems) > 2
    for system in systems:
        compare(system, MaudeSpace)


DOOR = """
mod! MODE { [Mode] ops free busy shut : -> Mode {constr}
  eq (free = busy) = false . eq (free = shut) = false . eq (busy = shut) = false . }
-- @ invariant safe
mod* DOOR { pr(MODE) *[Sys]* op init : -> Sys
  bop mode : Sys -> Mode bop sign : Sys -> Bool
  bop enter : Sys -> Sys bop lock : Sys -> Sys bop wait : Sys -> Sys
  op safe : Sys -> Bool
  var S : Sys
  eq mode(init) = free . eq sign(init) = false .
  ceq mode(enter(S)) = busy if mode(S) = free . eq sign(enter(S)) = sign(S) .
  ceq enter(S) = S if not mode(S) = free .
  ceq mode(lock(S)) = shut if sign(S) and mode(S) = busy . eq sign(lock(S)) = sign(S) .
  ceq lock(S) = S if not (sign(S) and mode(S) = busy) .
  ceq mode(wait(S)) = free if mode(S) = free . eq sign(wait(S)) = sign(S) .
  ceq wait(S) = S if not mode(S) = free .
  eq safe(S) = (mode(S) = shut) implies sign(S) . }
"""


@pytest.fixture
def door(tmp_path: Path) -> str:
    path = tmp_path / "door.cafe"
    path.write_text(DOOR)
    return str(path)


SUFFIX = (
    "; a deadlock can be reached; lock can never happen; wait can never change anything;"
    " the left side of safe is never true; sign can never change"
)


@pytest.mark.parametrize("command", ["search", "igf"])
def test_what_never_happens_is_in_the_verdict_and_in_the_warnings(door: str, command: str) -> None:
    code, out, err = run(command, door)
    assert code == 0
    assert out.splitlines()[-1].endswith(SUFFIX)
    assert "door.cafe:14:3: warning W541: lock can never happen: sign(S) is never true" in err
    assert "warning W543: the left side of safe is never true: (mode(S) = shut) is never true" in err
    assert "warning W545: a deadlock can be reached after enter" in err
    assert "warning W544: sign can never change" in err
    assert "warning W542: wait can never change anything" in err


@pytest.mark.parametrize("command", ["search", "igf"])
def test_the_document_has_the_counts_and_the_doubts(door: str, command: str) -> None:
    found = document(command, door)
    assert found["transitions"] == {
        "enter": {"enabled": 1, "taken": 1},
        "lock": {"enabled": 0, "taken": 0},
        "wait": {"enabled": 1, "taken": 0},
    }
    assert found["counted"]["states"] == 2 and found["counted"]["whole"]
    assert [(doubt["kind"], doubt["subject"], doubt["reason"]) for doubt in found["doubts"]] == [
        ("deadlock", "deadlock", "enter"),
        ("never-enabled", "lock", "sign(S)"),
        ("no-effect", "wait", None),
        ("never-true", "safe", "(mode(S) = shut)"),
        ("constant", "sign", None),
    ]


@pytest.mark.parametrize("command", ["search", "igf"])
def test_the_page_has_them_too(door: str, command: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run(command, door, "--html", str(page))
    text = page.read_text("utf-8")
    assert "lock can never happen: sign(S) is never true" in text
    assert SUFFIX in text


def test_beyond_a_bound_nothing_is_claimed() -> None:
    file = str(ROOT / "specs" / "mcs.cafe")
    code, out, err = run("search", file, "--depth", "5")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].endswith("; shut, link and 3 others did not happen within 5 steps")
    assert (
        "warning W541: shut did not happen within 5 steps: (pc(S,J) = l3) was not true"
        in run("search", file, "--depth", "5", "-v")[2]
    )


def test_counting_can_be_limited_and_left_out(door: str) -> None:
    file = str(ROOT / "specs" / "nspk.cafe")
    limited = document("search", file, "--depth", "3", "--count", "50")
    assert limited["counted"] == {"states": 1, "depth": 1, "whole": False}
    assert limited["doubts"] == []
    left_out = document("search", door, "--count", "0")
    assert (left_out["transitions"], left_out["counted"], left_out["doubts"]) == (None, None, [])


def test_a_violated_invariant_is_not_doubted() -> None:
    found = document("search", str(ROOT / "specs" / "ticket.cafe"), "--depth", "6")
    assert found["verdict"] == "violated"
    assert found["doubts"] == []
    assert found["transitions"]["get"]["enabled"] > 0

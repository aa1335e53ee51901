"""Decisions demand nothing that is not used: entities, a depth, values of initial states, bindings of parameters."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from specifications import SPECS, instance_of, ots_of, ots_of_file
from support import ROOT

from otsrw.application import Decided, deciding, load_specification
from otsrw.application import attempts as attempts_module
from otsrw.application.deciding import DecisionQuestion, decide, deepened
from otsrw.application.stages import Loaded, Recognised
from otsrw.induction import Options
from otsrw.induction.procedure import SecondLook
from otsrw.induction.results import NodeStatus
from otsrw.ots import Invariant
from otsrw.ots.instance import entities_of
from otsrw.ots.population import is_closed, trial_values, usual_entities
from otsrw.records import replace
from otsrw.report.igf import advice
from otsrw.search import RewritingSpace
from otsrw.search.results import SearchResult
from otsrw.search.space import StateSpace
from otsrw.theory.printing import show

LOCK = """
mod* PID {{ [Pid] {named} }}
mod! LAB {{ [Lab] ops out in : -> Lab {{constr}} eq (out = in) = false . }}
mod* LOCK {{ pr(PID + LAB) {more}
  *[Sys]*  op init : -> Sys
  bop pc : Sys Pid -> Lab   bop free : Sys -> Bool   {observer}
  bop enter : Sys Pid {parameter} -> Sys
  op c-enter : Sys Pid {parameter} -> Bool
  op mutex : Sys Pid Pid -> Bool   op held : Sys Pid -> Bool
  var S : Sys  vars I J : Pid  {variable}
  eq pc(init, I) = out .   eq free(init) = true .
  eq c-enter(S, J{argument}) = free(S) .
  ceq pc(enter(S, J{argument}), I) = (if I = J then in else pc(S, I) fi) if c-enter(S, J{argument}) .
  ceq free(enter(S, J{argument})) = false if c-enter(S, J{argument}) .
  ceq enter(S, J{argument}) = S if not c-enter(S, J{argument}) .
  {equations}
  eq mutex(S, I, J) = ((pc(S, I) = in) and (pc(S, J) = in)) implies (I = J) .
  eq held(S, I) = (pc(S, I) = in) implies not free(S) .
}}
"""
PARTS = dict.fromkeys(("named", "more", "observer", "parameter", "variable", "argument", "equations"), "")

LIGHT = """
mod! COLOUR {{ [Colour] ops red green off : -> Colour {{constr}}
  eq (red = green) = false .  eq (red = off) = false .  eq (green = off) = false .
  op next : Colour -> Colour  eq next(red) = green .  eq next(green) = red .  {gap} }}
mod* LIGHT {{ pr(COLOUR) {more} *[Sys]*  op init : -> Sys  bop lamp : Sys -> Colour  bop tick : Sys -> Sys
  op never-off : Sys -> Bool  op red-only : Sys -> Bool  var S : Sys
  eq lamp(init) = red .   eq lamp(tick(S)) = next(lamp(S)) .
  eq never-off(S) = not (lamp(S) = off) .   eq red-only(S) = (lamp(S) = red) .
}}
"""
WHOLE, GAP = "eq next(off) = off .", ""


def lock(**parts: str) -> str:
    return LOCK.format(**{**PARTS, **parts})


def written(text: str, folder: Path) -> Loaded:
    file = folder / "spec.cafe"
    file.write_text(text, encoding="utf-8")
    return load_specification(str(file))


def decided(text: str, invariant: str, folder: Path, question: DecisionQuestion | None = None) -> Decided:
    recognised = written(text, folder).recognised(invariant=invariant)
    return decide(recognised, question or DecisionQuestion(invariant, Options()))


# --- entities


def test_entities_nobody_names_are_chosen_and_said(tmp_path: Path) -> None:
    found = decided(lock(), "mutex", tmp_path)
    assert found.result.verdict == "verified" and found.score is not None
    assert found.left_out == "searched with Pid = p1 p2 p3"


def test_constants_that_the_specification_names_are_among_the_entities() -> None:
    assert usual_entities(ots_of(lock(named="op boss : -> Pid"))) == {"Pid": ("boss", "p1", "p2")}


@pytest.mark.parametrize(
    ("given", "expected"),
    [("Prin=2", ("p1", "intr")), ("Prin=1", ("intr",)), ("Prin=3", ("p1", "p2", "intr"))],
)
def test_a_number_of_entities_does_not_leave_out_those_that_are_named(given: str, expected: tuple[str, ...]) -> None:
    assert entities_of(ots_of_file("nspk.cafe"), [given])["Prin"] == expected


def test_fresh_entities_have_names_that_nothing_has() -> None:
    ots = ots_of(lock(more="op p1 : Lab -> Lab"))
    assert usual_entities(ots) == {"Pid": ("pid1", "pid2", "pid3")}


def test_entities_of_a_tight_sort_without_elements_are_values(tmp_path: Path) -> None:
    found = decided(lock().replace("mod* PID", "mod! PID"), "mutex", tmp_path)
    assert found.result.states > 0 and found.left_out == "searched with Pid = p1 p2 p3"


# --- what stops search does not stop induction


def test_an_unspecified_initial_value_is_arbitrary(tmp_path: Path) -> None:
    keeps = "eq turn(enter(S, J)) = J ."
    found = decided(lock(observer="bop turn : Sys -> Pid", equations=keeps), "held", tmp_path)
    assert "turn" in found.left_out
    assert found.result.nodes["held"].undecided == ()


def test_some_of_too_many_initial_values_are_tried(tmp_path: Path) -> None:
    keeps = "eq turn(enter(S, J), I) = (if I = J then J else turn(S, I) fi) ."
    text = lock(observer="bop turn : Sys Pid -> Pid", equations=keeps)
    given = DecisionQuestion("held", Options(), entities=("Pid=6",))
    found = decided(text, "held", tmp_path, given)
    assert "searched from some initial values of turn(p1)" in found.left_out
    assert found.result.states > 0
    wrong = decided(text.replace("(pc(S, I) = in) implies not free(S)", "free(S)"), "held", tmp_path, given)
    assert wrong.result.verdict == "falsified"


def unbound() -> str:
    text = lock(more="pr(NAT)", parameter="Nat", variable="var N : Nat", argument=", N")
    return text.replace("= free(S) .", "= free(S) and (3 < N) .")


def test_some_numbers_are_tried_for_a_parameter_that_nothing_binds(tmp_path: Path) -> None:
    found = decided(unbound(), "held", tmp_path)
    assert found.left_out == "searched with Pid = p1 p2 p3, Nat = 0 1 2 3 4"
    assert found.result.verdict == "verified" and found.score is not None
    wrong = decided(unbound().replace("(pc(S, I) = in) implies not free(S)", "free(S)"), "held", tmp_path).result
    assert wrong.run is not None and wrong.verdict == "falsified"
    assert "4" in {show(argument) for action in wrong.run.actions for argument in action.arguments if argument}


def unbound_pair() -> str:
    pair = "mod! PAIR { pr(NAT) pr(PID) [Pair] op pair : Pid Nat -> Pair {constr} op 2nd : Pair -> Nat "
    pair += "var I : Pid var N : Nat eq 2nd(pair(I, N)) = N . }"
    text = lock(more="pr(PAIR)", parameter="Pair", variable="var N : Pair", argument=", N")
    pid, rest = text.strip().split("\n", 1)
    return f"{pid}\n{pair}\n{rest}".replace("= free(S) .", "= free(S) and (3 < 2nd(N)) .")


def test_a_parameter_without_simple_values_stops_search_alone(tmp_path: Path) -> None:
    found = decided(unbound_pair(), "held", tmp_path)
    assert found.left_out.startswith("no search, induction alone: transition enter")
    assert found.result.verdict == "verified" and found.score is not None


def test_an_invariant_that_is_false_is_not_verified_without_search(tmp_path: Path) -> None:
    text = unbound_pair().replace("(pc(S, I) = in) implies not free(S)", "free(S)")
    assert decided(text, "held", tmp_path, DecisionQuestion("held", Options(max_cases=500))).result.verdict == "unknown"


def test_values_to_try_are_built_by_constructors_alone() -> None:
    peano = "mod! PNAT { [P] op 0 : -> P {constr} op s : P -> P {constr} }"
    ots = ots_of(peano + lock(more="pr(PNAT)"))
    sorts = {sort.name: sort for sort in ots.module.signature.order.sorts}
    assert trial_values(ots, sorts["P"]) == ("0", "s(0)", "s(s(0))")
    assert trial_values(ots, sorts["Pid"]) == ()


COIN = """mod! COIN {{ pr(PID) [Coin] op base : Pid -> Coin {{constr}} op {name} : Coin Pid -> Coin {{constr}} }}"""


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("from", ("base(a)", "base(b)", "from(base(a),a)", "from(base(a),b)", "from(base(b),a)", "from(base(b),b)")),
        ("_after_", ("base(a)", "base(b)")),
    ],
)
def test_values_to_try_are_built_of_entities(name: str, found: tuple[str, ...]) -> None:
    text = lock(more="pr(COIN)")
    module = text.index("mod* LOCK")
    ots = ots_of(text[:module] + COIN.format(name=name) + text[module:])
    sort = next(each for each in ots.module.signature.order.sorts if each.name == "Coin")
    assert trial_values(ots, sort, {"Pid": ("a", "b")})[: len(found)] == found
    assert len(trial_values(ots, sort, {"Pid": ("a", "b")})) == (9 if name == "from" else 2)
    assert trial_values(ots, sort) == ()


def test_values_are_built_by_what_builds_those_of_subsorts() -> None:
    ots = ots_of(
        """mod* NUM { [Zero Pos < Num] op z : -> Zero {constr} op s : Num -> Pos {constr} }
        mod* CELLS { pr(NUM) [Sys] op init : -> Sys {constr} op cell : Sys Num -> Bool
          op put : Sys Num -> Sys {constr} var S : Sys vars I J : Num
          eq cell(init,I) = false . eq cell(put(S,J),I) = (I = J) or cell(S,I) . }"""
    )
    number = next(sort for sort in ots.module.signature.order.sorts if sort.name == "Num")
    assert trial_values(ots, number) == ("z", "s(z)", "s(s(z))")


# --- depth


def test_the_search_ends_where_too_many_states_follow() -> None:
    ots = ots_of_file("nspk.cafe")
    space = RewritingSpace(instance_of(ots))
    secrecy = next(each for each in space.instance.ots.invariants if each.name == "secrecy")
    assert deepened(space, secrecy, 3, most=100).depth == 2
    assert deepened(space, secrecy, 1, most=100).depth == 1


def test_the_states_of_all_levels_count() -> None:
    text = """mod! COUNT { pr(NAT) [Sys] op init : -> Sys {constr} op tick : Sys -> Sys {constr} op n : Sys -> Nat
      op fine : Sys -> Bool var S : Sys
      eq n(init) = 0 . eq n(tick(S)) = n(S) + 1 . eq fine(S) = (n(S) >= 0) . }"""
    ots = ots_of(text)
    space = RewritingSpace(instance_of(ots))
    found = deepened(space, space.instance.ots.invariants[0], 1000, most=20)
    assert not found.exhausted and found.states <= 21


def test_a_violation_beyond_the_usual_depth_is_found() -> None:
    """Induction does not get there soon; a search of some thousand states does."""
    file = SPECS.parent / "bench" / "everyday" / "raft_bug.cafe"
    recognised = load_specification(str(file)).recognised(invariant="inv1")
    result = decide(recognised, DecisionQuestion("inv1", Options())).result
    assert result.run is not None and len(result.run.actions) == result.depth == 6
    assert (result.verdict, result.chain) == ("falsified", ("inv1",))


def test_no_attempt_begins_when_the_time_is_spent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first attempt has found out something; one without time would show nothing."""
    attempts: list[Options] = []
    recognised = written(lock(), tmp_path).recognised(invariant="mutex")
    monkeypatch.setattr(attempts_module, "with_lists", lambda recognised: SimpleNamespace(recognised=recognised))

    def induced(words: Recognised, question: DecisionQuestion, looks: Sequence[SecondLook]) -> Decided:
        attempts.append(question.options)
        few = replace(question, options=replace(question.options, max_cases=1, timeout=None))
        return deciding._induced(words, "mutex", few, None, looks)  # undecided however fast it is

    found = attempts_module.attempted(recognised, DecisionQuestion("mutex", Options(timeout=0.0)), induced)
    assert found.result.verdict == "unknown"
    assert len(attempts) == 1


# --- exhaustion


def test_a_specification_that_leaves_nothing_open_is_decided_by_its_states(tmp_path: Path) -> None:
    result = decided(LIGHT.format(gap=WHOLE, more=""), "never-off", tmp_path).result
    assert (result.verdict, result.is_exhausted, result.states) == ("verified", True, 2)


def test_a_false_invariant_of_it_is_falsified(tmp_path: Path) -> None:
    result = decided(LIGHT.format(gap=WHOLE, more=""), "red-only", tmp_path).result
    assert result.verdict == "falsified" and result.run is not None and len(result.run.actions) == 1


def test_claims_about_its_equations_are_needed_as_well(tmp_path: Path) -> None:
    result = decided(LIGHT.format(gap=GAP, more=""), "never-off", tmp_path).result
    assert result.verdict == "unknown" and "next is complete" in result.reason


COUNTED = """mod* ROOM {{
  pr(NAT)
  *[Sys]*
  op init : -> Sys
  bop there : Sys -> Bool
  bop guests : Sys -> Nat
  bops come go : Sys -> Sys
  op few : Sys -> Bool
  var S : Sys
  eq there(init) = {first} .  eq guests(init) = 0 .
  ceq there(come(S)) = true if not there(S) .
  ceq guests(come(S)) = guests(S) + 1 if not there(S) .
  ceq come(S) = S if there(S) .
  ceq there(go(S)) = false if there(S) .
  ceq guests(go(S)) = p guests(S) if there(S) .
  ceq go(S) = S if not there(S) .
  eq few(S) = guests(S) < 2 .
}}"""


@pytest.mark.parametrize(("first", "verdict"), [("false", "verified"), ("true", "unknown")])
def test_states_show_that_a_term_is_never_outside_of_its_domain(first: str, verdict: str, tmp_path: Path) -> None:
    question = DecisionQuestion("few", Options(max_cases=20))
    result = decided(COUNTED.format(first=first), "few", tmp_path, question).result
    assert (result.verdict, result.is_exhausted) == (verdict, verdict == "verified")


@pytest.mark.parametrize(
    "question",
    [
        DecisionQuestion("never-off", Options(), depth=1),
        DecisionQuestion("never-off", Options(), may_exhaust=False),
    ],
    ids=["a depth is given", "induction is wanted"],
)
def test_whoever_wants_induction_gets_it(question: DecisionQuestion, tmp_path: Path) -> None:
    found = decided(LIGHT.format(gap=WHOLE, more=""), "never-off", tmp_path, question)
    assert found.result.verdict == "verified" and not found.result.is_exhausted and found.score is not None


def test_search_is_suggested_where_states_decide(tmp_path: Path) -> None:
    question = DecisionQuestion("never-off", Options(max_cases=0), may_exhaust=False)
    result = decided(LIGHT.format(gap=WHOLE, more=""), "never-off", tmp_path, question).result
    assert result.verdict == "unknown"
    assert any("otsrw search" in line for line in advice(result))


@pytest.mark.parametrize(
    "more",
    ["op spare : -> Colour", "op other : Colour -> Colour", "[Extra]"],
    ids=["a constant", "a function", "a loose sort"],
)
def test_what_leaves_something_open_is_not_exhausted(more: str) -> None:
    assert is_closed(ots_of(LIGHT.format(gap=WHOLE, more="")))
    assert not is_closed(ots_of(LIGHT.format(gap=WHOLE, more=more)))


def test_an_initial_state_with_an_argument_leaves_something_open() -> None:
    text = LIGHT.format(gap=WHOLE, more="").replace("init : -> Sys", "init : Colour -> Sys")
    assert not is_closed(ots_of(text.replace("lamp(init)", "lamp(init(C:Colour))")))


def _recorded() -> list[tuple[str, str, str]]:
    """Invariants of small specifications with what otsrw.toml says about them."""
    rows = tomllib.loads(SPECS.joinpath("otsrw.toml").read_text(encoding="utf-8"))["test"]
    names = ("peterson.cafe", "peterson-flawed.cafe", "two-phase-commit.cafe", "two-phase-commit-flawed.cafe")
    found = []
    for row in rows:
        if row["file"] in names and not row.get("slow"):
            found += [(row["file"], name, "falsified") for name in row.get("falsified", {})]
            found += [(row["file"], name, "verified") for name in row.get("holds", []) if row.get("exhausted")]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize(("spec", "invariant", "verdict"), _recorded())
def test_verdicts_by_exhaustion_are_those_on_record(spec: str, invariant: str, verdict: str) -> None:
    recognised = load_specification(str(SPECS / spec)).recognised(invariant=invariant)
    assert decide(recognised, DecisionQuestion(invariant, Options())).result.verdict == verdict


def test_a_property_that_is_inductive_by_itself_needs_no_search_of_all_states(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    search = deepened

    def noted(space: StateSpace, invariant: Invariant, wanted: int, most: int, timeout: float | None) -> SearchResult:
        asked.append(most)
        return search(space, invariant, wanted, most, timeout)

    monkeypatch.setattr(deciding, "deepened", noted)
    recognised = load_specification(str(ROOT / "bench" / "fresh2" / "raftcrash.cafe")).recognised(invariant="quorum")
    found = decide(recognised, DecisionQuestion("quorum", Options()))
    assert (found.result.verdict, found.result.is_exhausted) == ("verified", False) and found.score is not None
    assert deciding.FEW_EXHAUSTED in asked and deciding.MOST_EXHAUSTED not in asked


def test_a_property_that_needs_lemmas_is_decided_by_all_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "FEW_EXHAUSTED", 0)
    recognised = load_specification(str(SPECS / "peterson.cafe")).recognised(invariant="mutex")
    found = decide(recognised, DecisionQuestion("mutex", Options())).result
    assert (found.verdict, found.is_exhausted) == ("verified", True)


def test_an_interrupted_check_of_the_score_keeps_the_lemmas(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> list[str]:
        raise KeyboardInterrupt

    monkeypatch.setattr("otsrw.induction.checked_score", interrupted)
    found = decide(load_specification(str(SPECS / "qlock.cafe")).recognised(), DecisionQuestion("mutex", Options()))
    assert (found.result.verdict, found.result.was_interrupted, found.score) == ("unknown", True, None)
    assert found.result.reason == "interrupted while the proof score was checked"
    assert {node.status for node in found.result.nodes.values()} == {NodeStatus.CLOSED}, "nothing is proved"
    assert len(found.result.nodes) > 1


def test_a_violation_may_need_more_entities_than_the_file_names() -> None:
    recognised = load_specification(str(SPECS / "anderson.cafe")).recognised(invariant="mutex")
    found = decide(recognised, DecisionQuestion("mutex", Options()))
    assert (found.result.verdict, found.result.entities) == ("falsified", {"Pid": ("p1", "p2", "p3", "p4")})
    assert found.result.run is not None and len(found.result.run.actions) == 6
    assert found.left_out == "found with more entities: Pid = p1 p2 p3 p4"


def test_entities_that_are_given_are_all_there_are() -> None:
    recognised = load_specification(str(SPECS / "anderson.cafe")).recognised(invariant="mutex")
    question = DecisionQuestion("mutex", Options(max_cases=210), entities=("Pid=p1,p2,p3",))
    found = decide(recognised, question)
    assert (found.result.verdict, found.result.entities) == ("unknown", {"Pid": ("p1", "p2", "p3")})

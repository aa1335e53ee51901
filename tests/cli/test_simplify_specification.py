"""`otsrw simplify` on specifications: invariants, inevitable labels, bounds, problems of files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import document, run, spec


def test_an_invariant_of_the_hotel() -> None:
    found = document("simplify", spec("hotel.cafe"), "--inv", "safe")
    assert found["property"] == {"kind": "safety", "invariant": "safe"}
    assert (found["verdict"], found["states"], found["frontier"]) == ("violated", 59, 0)
    labels = [s["label"]["transition"] for s in found["counterexample"]["states"][1:]]
    assert labels == ["check-in", "check-out", "check-in", "entry"]
    assert found["abstracted"][0] == "[...]"
    assert found["counterexample"]["states"][0]["observers"]["occupant(r0)"] == "nobody"


def test_inevitable_labels_of_the_sanitary_agency() -> None:
    found = document("simplify", spec("sanitary-agency.cafe"), "--inev", "req-em,provt-rec")
    assert found["colours"] == {"correct": 16, "incorrect": 18, "neutral": 40, "unknown": 0}
    assert [n["type"] for n in found["neighbourhoods"]] == ["R", "GRB", "GRB", "GRB", "GRB", "GRB", "GR"]


def test_entities_and_depth() -> None:
    found = document("simplify", spec("tas-flawed.cafe"), "--with", "Pid=2", "--inv", "mutex", "--depth", "4")
    assert (found["verdict"], found["states"]) == ("violated", 9)


def test_nothing_before_the_bound_is_called_correct() -> None:
    arguments = (spec("ticket.cafe"), "--inv", "mutex", "--depth")
    short, long = document("simplify", *arguments, "3"), document("simplify", *arguments, "6")
    assert short["colours"]["correct"] == 0 and short["colours"]["unknown"] > 0
    assert long["verdict"] == "violated", "some of these transitions start a violation"


EXITS = {
    "safety-violated": (("hotel.cafe",), 12),
    "liveness-violated": (("sanitary-agency.cafe", "--inev", "provt-rec"), 13),
    "holds": (("sanitary-agency.cafe", "--inv", "one-service"), 0),
    "no-such-invariant": (("hotel.cafe", "--inv", "save"), 2),
    "no-such-file": (("nowhere.cafe",), 150),
    "both-properties": (("hotel.cafe", "--inv", "safe", "--inev", "entry"), 2),
    "no-such-sort": (("hotel.cafe", "--with", "Gast=2"), 150),
}


@pytest.mark.parametrize(("arguments", "code"), EXITS.values(), ids=list(EXITS))
def test_exit_code(arguments: tuple[str, ...], code: int) -> None:
    assert run("simplify", spec(arguments[0]), *arguments[1:])[0] == code


def test_the_document_has_the_errors_of_the_file(tmp_path: Path) -> None:
    broken = tmp_path / "broken.cafe"
    broken.write_text("mod! N { [N] op z : -> M }\n")
    code, out, err = run("simplify", "--json", str(broken), "--inv", "i")
    assert code == 150
    assert json.loads(out)["errors"][0]["line"] == 1
    assert "E201" in err


def test_a_graph_that_was_cut_proves_nothing() -> None:
    cut = ("simplify", spec("abp.cafe"), "--inv", "reliable", "--max-states", "50")
    code, out, err = run(*cut)
    assert "W531" in err
    assert "hint: give --depth, or more" in err
    assert "hint: allow more with --max-states, or give a smaller --depth" in run(*cut, "--depth", "9")[2]
    assert "not expanded" in out.splitlines()[-1]
    assert code == 3


@pytest.mark.parametrize(
    ("arguments", "verdict", "heading"),
    [
        (("--inv", "secrecy", "--depth", "2"), "holds: no violation of secrecy before the bound; ", "No violation of"),
        (("--inv", "secrecy", "--max-states", "50"), "unknown: secrecy; ", "Whether secrecy holds is not known"),
        (("--inev", "send1", "--depth", "2"), "unknown: Inev(send1); ", "Whether Inev(send1) holds is not known"),
    ],
)
def test_a_bound_is_told_in_the_verdict_and_on_the_page(
    arguments: tuple[str, ...], verdict: str, heading: str, tmp_path: Path
) -> None:
    file = tmp_path / "t.html"
    out = run("simplify", "-q", spec("nspk.cafe"), *arguments, "--html", str(file))[1]
    assert out.startswith(verdict)
    assert f"<h1>{heading}" in file.read_text("utf-8")


def test_steps_on_the_page_tell_what_came_into_the_network(tmp_path: Path) -> None:
    file = tmp_path / "t.html"
    run("simplify", spec("nspk.cafe"), "--depth", "4", "--html", str(file))
    text = file.read_text("utf-8")
    assert "nw + enc3(intr,n(p2,p1,next(seed))), nonces + n(p2,p1,next(seed))</text>" in text
    assert "18 others, none of them decides" in text


def test_the_page_shows_what_changes(tmp_path: Path) -> None:
    run("simplify", spec("hotel.cafe"), "--html", str(tmp_path / "t.html"))
    text = (tmp_path / "t.html").read_text("utf-8")
    assert "safe does not hold" in text
    assert "occupant(r0) = g0" in text


FAIR_TO_P2 = ("--fair", "want(p2),yield(p2),enter(p2),leave(p2)")


@pytest.mark.parametrize(
    ("arguments", "code", "verdict"),
    [
        (("tas.cafe", "--ltl", "[] (pc(p1) = rs -> <> pc(p1) = cs)"), 13, "violated"),
        (("qlock.cafe", "--ltl", "[] (want(p1) -> <> pc(p1) = cs)"), 0, "holds"),
        (("peterson.cafe", "--ltl", "[]<> leave(p2)"), 13, "violated"),
        (("peterson.cafe", "--ltl", "[]<> leave(p2)", *FAIR_TO_P2), 0, "holds"),
        (("ticket.cafe", "--ltl", "[] not (pc(p1) = cs and pc(p2) = cs)", "--depth", "4"), 3, "unknown"),
        (("ticket.cafe", "--ltl", "[] not (pc(p1) = cs and pc(p2) = cs)", "--depth", "6"), 13, "violated"),
    ],
)
def test_a_formula(arguments: tuple[str, ...], code: int, verdict: str) -> None:
    found = document("simplify", spec(arguments[0]), *arguments[1:])
    assert run("simplify", spec(arguments[0]), *arguments[1:])[0] == code
    assert found["verdict"] == verdict
    assert found["property"]["formula"] == arguments[2]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--ltl", "[] p", "--inv", "mutex"), 2),
        (("--fair", "enter"), 2),
        (("--ltl", "[] (", "--json"), 150),
        (("--ltl", "[] nobody", "--json"), 150),
        (("--ltl", "[] not deadlock", "--depth", "1", "--json"), 2),
    ],
)
def test_a_formula_that_makes_no_sense(arguments: tuple[str, ...], code: int) -> None:
    assert run("simplify", spec("tas.cafe"), *arguments)[0] == code


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("[] not back", 0),
        ("<> back", 13),
        ("[] not enabled(back)", 0),
        ("[] not back(_)", 0),
        ("[] not back(_,_)", 150),
    ],
)
def test_a_formula_about_an_event_that_never_happens_has_an_answer(tmp_path: Path, formula: str, code: int) -> None:
    file = tmp_path / "once.cafe"
    file.write_text(ONCE)
    found, _, err = run("simplify", str(file), "--ltl", formula)
    assert found == code
    if code != 150:
        assert "never happens" in err or "enabled" in formula


ONCE = """mod* ONCE { pr(NAT) *[Sys]*
  op init : -> Sys  bop a : Sys -> Nat  bop go : Sys -> Sys  bop back : Sys Bool -> Sys
  var S : Sys  var B : Bool
  eq a(init) = 0 .  eq a(go(S)) = 1 .
  ceq a(back(S,B)) = 0 if a(S) == 2 .  ceq back(S,B) = S if not (a(S) == 2) .
}
"""


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("[] (pc(p1) = css -> <> pc(p1) = rs)", "W129: pc(p1) never has the value css"),
        ("[] pc(p1) != css", "W129: pc(p1) never has the value css"),
        ("[] not enter(p9)", "W129: enter(p9) never happens"),
        ('[] not "entre(p1)"', "W129: entre(p1) never happens"),
        ("[] (pc(p1) = cs -> <> pc(p1) = rs)", ""),
        ("[] not deadlock", ""),
    ],
)
def test_a_slip_in_a_formula_is_pointed_out(formula: str, message: str) -> None:
    _, _, err = run("simplify", spec("tas.cafe"), "--ltl", formula)
    assert message in err
    assert bool(message) == ("W129" in err)


def test_why_names_what_each_event_needs() -> None:
    found = document("simplify", spec("hotel.cafe"), "--inv", "safe", "--why")
    assert [step["needs"] for step in found["why"]["steps"]] == [[], [1], [2], [1]]
    assert found["why"]["violation_needs"] == [3, 4]
    assert {"before_step": 4, "label": "check-out(g1,r0)"} in found["why"]["prevented"]
    shown = run("simplify", spec("hotel.cafe"), "--inv", "safe", "--why")[1]
    assert "  3. check-in(g1,r0,k2); needs 2 (occupant(r0))" in shown
    assert "  check-out(g1,r0) instead of step 4" in shown


def test_neighbourhoods_are_grouped_by_what_they_decide() -> None:
    found = document("simplify", spec("two-phase-commit-flawed.cafe"), "--runs")
    shown = [(g["type"], g["correct"], g["incorrect"], g["size"], len(g["orbits"])) for g in found["groups"]]
    assert shown == [
        ("GRB", ["abort"], ["commit"], 4, 2),
        ("GRB", ["learn-commit"], ["give-up"], 3, 1),
        ("R", [], ["give-up", "learn-commit"], 3, 1),
        ("R", [], ["give-up"], 3, 1),
        ("G", ["abort"], [], 60, 18),
        ("G", ["abort", "refuse"], [], 61, 15),
    ]
    assert sum(g["size"] for g in found["groups"]) == len(found["neighbourhoods"])
    turning = [(t["step"], t["label"], t["last_chances"], t["decides"]) for t in found["turning_points"]]
    assert turning == [
        (3, "prepare(p3)", ["refuse"], False),
        (8, "commit", ["abort"], False),
        (9, "learn-commit(p2)", [], True),
    ]
    assert found["runs"]["count"] == 3600
    assert [(g["runs"], g["renamings"]) for g in found["runs"]["groups"]] == [(3600, 6)]


def test_what_follows_a_violation_decides_nothing() -> None:
    """The bakery goes on after a violation and comes back to where it was; there `enter` decided."""
    found = document("simplify", spec("qlock-flawed.cafe"), "--depth", "8")
    assert found["abstracted"][-1] == "try(p2)"
    assert [t["label"] for t in found["turning_points"]][-1] == "try(p2)"


def test_what_lasts_is_tried_and_told() -> None:
    arguments = (spec("bakery-flawed.cafe"), "--depth", "6")
    found = document("simplify", *arguments, "--lasts", "8")["lasts"]
    assert (found["complete"], found["depth"], found["verdict"]) == (False, 8, "violated")
    assert found["colours"]["kept"] == 48 and found["colours"]["changed"] == []
    assert found["neighbourhoods"]["kept"] == 6
    out = run("simplify", *arguments, "--lasts", "8")[1]
    assert "does it last? tried with all states within 8 steps, 234:" in out
    assert "48 of 48 known colours stay" in out
    assert document("simplify", spec("tas-flawed.cafe"), "--lasts")["lasts"] == {"complete": True}
    assert "it lasts: all states are known" in run("simplify", spec("tas-flawed.cafe"), "--lasts")[1]
    cut = document("simplify", spec("bakery-flawed.cafe"), "--max-states", "100", "--lasts")["lasts"]
    assert cut["states"] >= 200, "twice as many states as were not enough"


def test_no_smaller_bound_is_tried() -> None:
    code, _, err = run("simplify", spec("bakery-flawed.cafe"), "--depth", "6", "--lasts", "4")
    assert code == 2 and "--lasts 4 is no larger bound than --depth 6" in err


def test_entities_that_a_formula_names_are_not_interchangeable() -> None:
    formula = "[] (pc(p1) = rs -> <> pc(p1) = cs)"
    found = document("simplify", spec("tas.cafe"), "--ltl", formula, "--runs")["runs"]
    assert (found["count"], found["up_to_renaming"]) == (2, 1), "p2 or p3 goes round"
    pattern = document("simplify", spec("tas.cafe"), "--ltl", formula, "--runs", "--match", "regex")["runs"]
    assert (pattern["count"], pattern["up_to_renaming"]) == (2, 2), "a pattern may mean any entity"

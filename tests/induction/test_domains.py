"""That `p count(S)` has a value in all reachable states is a goal of its own, and is proved with the invariant."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run
from specifications import instance_of, ots_of

from otsrw.induction import IgfResult, Options, igf
from otsrw.search import MaudeSpace
from otsrw.soundness import Status, check
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.printing import show_plainly

COUNTED = """
-- @ with User = main u1
mod* USER { [User] op main : -> User }
mod! USERS { pr(USER + NAT) [Users]
  op nil : -> Users {constr}  op __ : User Users -> Users {constr}
  op mem : User Users -> Bool  op cut : User Users -> Users  op size : Users -> Nat
  vars U V : User  var L : Users
  eq mem(U, nil) = false .  eq mem(U, V L) = (U = V) or mem(U, L) .
  eq cut(U, nil) = nil .  eq cut(U, V L) = if U = V then L else V cut(U, L) fi .
  eq size(nil) = 0 .  eq size(V L) = s size(L) . }
mod! CELL { [Cell] ops live freed : -> Cell {constr}  eq (live = freed) = false . }
mod* HEAP { pr(USERS + CELL) *[Heap]*
  op init : -> Heap  bop users : Heap -> Users  bop count : Heap -> Nat  bop cell : Heap -> Cell
  bops take drop : Heap User -> Heap  bop collect : Heap -> Heap
  ops c-take c-drop : Heap User -> Bool
  var S : Heap  vars U V : User
  eq users(init) = main nil .  eq count(init) = 1 .  eq cell(init) = live .
  eq c-take(S, U) = (cell(S) = live) .
  ceq users(take(S, U)) = U users(S) if c-take(S, U) .
  ceq count(take(S, U)) = count(S) + 1 if c-take(S, U) .
  eq cell(take(S, U)) = cell(S) .
  ceq take(S, U) = S if not c-take(S, U) .
  eq c-drop(S, U) = mem(U, users(S)) .
  ceq users(drop(S, U)) = cut(U, users(S)) if c-drop(S, U) .
  ceq count(drop(S, U)) = p count(S) if c-drop(S, U) .
  eq cell(drop(S, U)) = cell(S) .
  ceq drop(S, U) = S if not c-drop(S, U) .
  eq users(collect(S)) = users(S) .  eq count(collect(S)) = count(S) .
  ceq cell(collect(S)) = freed if count(S) = 0 .
  ceq collect(S) = S if not (count(S) = 0) .
  op exact : Heap -> Bool  op safe : Heap User -> Bool  op dull : Heap -> Bool
  eq exact(S) = (count(S) = size(users(S))) .
  eq safe(S, U) = mem(U, users(S)) implies (cell(S) = live) .
  eq dull(S) = (cell(S) = live) or (cell(S) = freed) .
}
"""

QUEUE = """
-- @ with Elt = e1 e2
mod* ELT { [Elt] }
mod! QUEUE { pr(ELT) [Queue] op nil : -> Queue {constr}  op __ : Elt Queue -> Queue {constr}
  op hd : Queue -> Elt  op tl : Queue -> Queue  vars E F : Elt  var Q : Queue
  eq hd(E Q) = E .  eq tl(nil) = nil .  eq tl(E Q) = Q .  eq (nil = (E Q)) = false . }
mod* DESK { pr(QUEUE) *[Sys]*
  op init : -> Sys  bop q : Sys -> Queue  bop busy : Sys -> Bool  bop last : Sys Elt -> Bool
  bop call : Sys Elt -> Sys  bop serve : Sys -> Sys
  op c-call : Sys Elt -> Bool  op c-serve : Sys -> Bool  op fine : Sys Elt -> Bool
  var S : Sys  vars E F : Elt
  eq q(init) = nil .  eq busy(init) = false .  eq last(init, E) = false .
  eq c-call(S, E) = not busy(S) .
  ceq q(call(S, E)) = E q(S) if c-call(S, E) .
  ceq busy(call(S, E)) = true if c-call(S, E) .
  eq last(call(S, E), F) = last(S, F) .
  ceq call(S, E) = S if not c-call(S, E) .
  eq c-serve(S) = busy(S) .
  ceq q(serve(S)) = nil if c-serve(S) .
  ceq busy(serve(S)) = false if c-serve(S) .
  ceq last(serve(S), F) = (F = hd(q(S))) if c-serve(S) .
  ceq serve(S) = S if not c-serve(S) .
  eq fine(S, E) = last(S, E) or not last(S, E) .
}
"""


def decided(text: str, name: str, most: int = 300) -> IgfResult:
    ots = ots_of(text)
    invariant = next(each for each in ots.invariants if each.name == name)
    with MaudeSpace(instance_of(ots)) as space:
        return igf(ots, space, invariant, Options(depth=2, max_cases=most))


def is_verified(text: str, name: str) -> bool:
    """By induction alone, or with a search, which stops with an error at a state without a value."""
    ots = ots_of(text)
    invariant = next(each for each in ots.invariants if each.name == name)
    alone = igf(ots, None, invariant, Options(max_cases=60))
    if alone.verdict == "verified":
        return True
    try:
        return decided(text, name, 60).verdict == "verified"
    except OtsrwError as error:
        assert error.problem.code in ("E512", "E513"), error.problem.message
        return False


def domains(result: IgfResult) -> list[str]:
    return [show_plainly(node.predicate.formula) for node in result.nodes.values() if node.kind == "domain"]


@pytest.mark.parametrize("name", ["exact", "safe"])
def test_a_count_stays_positive_where_it_is_counted_down(name: str) -> None:
    result = decided(COUNTED, name)
    assert result.verdict == "verified", result.reason
    assert domains(result) == ["(c-drop(S,U) implies (not (count(S) = 0)))"]
    shown = [each for each in result.grounds.obligations if each.subject == "(p count(S))"]
    assert [(each.status, each.evidence) for each in shown] == [
        (Status.PROVED, "no reachable state asks for a missing value, by domain1")
    ]


def test_a_queue_is_not_empty_where_its_first_element_is_asked_for() -> None:
    result = decided(QUEUE, "fine")
    assert result.verdict == "verified", result.reason
    assert domains(result) == ["(c-serve(S) implies (not (q(S) = nil)))"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("eq c-drop(S, U) = mem(U, users(S)) .", "eq c-drop(S, U) = true ."),
        ("eq c-drop(S, U) = mem(U, users(S)) .", "eq c-drop(S, U) = (cell(S) = live) ."),
        ("= count(S) + 1 if", "= count(S) if"),
        ("= cut(U, users(S)) if", "= users(S) if"),
        ("eq count(init) = 1 .", "eq count(init) = 0 ."),
    ],
)
@pytest.mark.parametrize("name", ["exact", "safe", "dull"])
def test_where_the_gap_can_be_reached_nothing_is_verified(old: str, new: str, name: str) -> None:
    assert old in COUNTED
    assert not is_verified(COUNTED.replace(old, new), name)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("eq c-serve(S) = busy(S) .", "eq c-serve(S) = true ."),
        ("eq c-serve(S) = busy(S) .", "eq c-serve(S) = not busy(S) ."),
        ("ceq q(call(S, E)) = E q(S) if", "ceq q(call(S, E)) = q(S) if"),
        ("eq busy(init) = false .", "eq busy(init) = true ."),
        ("ceq busy(serve(S)) = false if", "ceq busy(serve(S)) = true if"),
    ],
)
def test_where_an_empty_queue_is_asked_for_its_first_element_nothing_is_verified(old: str, new: str) -> None:
    assert old in QUEUE
    assert not is_verified(QUEUE.replace(old, new), "fine")


def claims_of(text: str) -> list[str]:
    return [show_plainly(claim.formula) for each in check(ots_of(text)).obligations for claim in each.claims]


def test_a_guard_that_asks_for_a_missing_value_itself_is_not_relied_on() -> None:
    mixed = "(F = hd(q(S))) and busy(S) and not (hd(tl(q(S))) = F)"
    text = QUEUE.replace("= (F = hd(q(S))) if", f"= {mixed} if")
    expected = "((busy(S) and c-serve(S)) implies (not (q(S) = nil)))"
    found = claims_of(text)
    assert len(found) == 2 and all("hd" not in each for each in found), found
    assert expected in found or "((c-serve(S) and busy(S)) implies (not (q(S) = nil)))" in found


def test_a_guard_that_needs_the_equation_itself_is_not_relied_on() -> None:
    text = QUEUE.replace("eq c-serve(S) = busy(S) .", "eq c-serve(S) = (hd(q(S)) = hd(q(S))) and busy(S) .")
    assert "c-serve" not in next(each for each in claims_of(text) if "busy" in each)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("eq last(init, E) = false .", "eq last(init, E) = (E = hd(nil)) ."),
        ("eq tl(nil) = nil .", "op is : Elt -> Bool  eq is(hd(Q)) = true .  eq tl(nil) = nil ."),
        ("eq hd(E Q) = E .", "op two : Queue -> Elt  eq hd(E Q) = E .  eq two(E (F Q)) = F ."),
        ("eq tl(nil) = nil .", "op up : Queue -> Elt  eq up(Q) = hd(tl(Q)) .  eq tl(nil) = nil ."),
    ],
)
def test_a_gap_that_no_state_is_to_blame_for_is_claimed_of_no_state(old: str, new: str) -> None:
    asked = next((name for name in ("up", "two") if f"op {name}" in new), "hd")
    text = QUEUE.replace(old, new).replace("= (F = hd(q(S))) if", f"= (F = {asked}(q(S))) if")
    assert claims_of(text) == []
    assert not is_verified(text, "fine")


@pytest.mark.parametrize(("text", "name"), [(COUNTED, "safe"), (QUEUE, "fine")])
def test_a_score_proves_what_keeps_terms_in_their_domain(text: str, name: str, tmp_path: Path) -> None:
    file, score = tmp_path / "spec.cafe", tmp_path / "score.cafe"
    file.write_text(text)
    assert run("igf", str(file), "--inv", name, "--proof", str(score))[0] == 0
    code, out, _ = run("check", "--score", str(score))
    assert code == 0, out
    kept = []
    for passage in score.read_text().split("\nopen "):
        if "domain1(" not in passage or "op domain1" in passage:
            kept.append(passage)
    score.write_text("\nopen ".join(kept).replace("-- reductions:", "-- there were:"))
    assert run("check", "--score", str(score))[0] != 0

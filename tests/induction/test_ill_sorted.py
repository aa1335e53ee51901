"""Passages are split on Booleans that CafeOBJ takes for ill-sorted: without that it leaves them."""

from __future__ import annotations

import re

import pytest

from induction.test_data import proved
from otsrw.induction.score import ProofScore, check_score

LIFT = """
mod* LIFT {
  pr(NAT)
  *[ Lift ]*
  op top : -> Nat
  op init : -> Lift
  bop floor : Lift -> Nat
  bop open : Lift -> Bool
  bop sink : Lift -> Lift
  bop leave : Lift -> Lift
  op c-sink : Lift -> Bool
  op c-leave : Lift -> Bool
  ops inside shut : Lift -> Bool
  var L : Lift
  eq floor(init) = 0 .
  eq open(init) = false .
  eq c-sink(L) = 0 < floor(L) .
  ceq floor(sink(L)) = p floor(L) if c-sink(L) .
  eq open(sink(L)) = open(L) .
  ceq sink(L) = L if not c-sink(L) .
  eq c-leave(L) = open(L) and 0 < floor(L) and 0 < p floor(L) .
  eq floor(leave(L)) = floor(L) .
  ceq open(leave(L)) = false if c-leave(L) .
  ceq leave(L) = L if not c-leave(L) .
  eq inside(L) = floor(L) <= top .
  eq shut(L) = not open(L) .
}
"""
QUEUE = """
mod* PID { [ Pid ] }
mod! QUEUE {
  pr(PID)
  [ Cons < Queue ]
  op nil : -> Queue {constr}
  op __ : Pid Queue -> Cons {constr}
  op tail : Cons -> Queue
  op _in_ : Pid Queue -> Bool
  vars X Y : Pid  var Q : Queue
  eq tail(X Q) = Q .
  eq X in nil = false .
  eq X in (Y Q) = (X = Y) or (X in Q) .
}
mod* SYSTEM {
  pr(QUEUE)
  *[ Sys ]*
  op init : -> Sys
  bop queue : Sys -> Queue
  bop served : Sys -> Bool
  bop serve : Sys -> Sys
  op c-serve : Sys -> Bool
  op none : Sys Pid -> Bool
  var S : Sys  var I : Pid
  eq queue(init) = nil .
  eq served(init) = false .
  eq c-serve(S) = not (queue(S) = nil) .
  ceq queue(serve(S)) = tail(queue(S)) if c-serve(S) .
  ceq served(serve(S)) = true if c-serve(S) .
  ceq serve(S) = S if not c-serve(S) .
  eq none(S, I) = not (I in queue(S)) and not (served(S) and I in queue(S)) .
}
"""
SPLIT = [(LIFT, "inside", "(p floor(s)) <= top"), (LIFT, "shut", "0 < (p floor(s))"), (QUEUE, "none", "tail(queue(s))")]


def without_splits(score: ProofScore, said: str) -> str:
    """The score without what its passages say of an ill-sorted Boolean."""
    changed = "".join(line for line in score.text.splitlines(True) if not (line.startswith("  eq ") and said in line))
    return re.sub(r"^-- reductions: .*\n", "", changed, flags=re.MULTILINE)


@pytest.mark.parametrize(("text", "name", "said"), SPLIT)
def test_a_passage_says_what_an_ill_sorted_boolean_is(text: str, name: str, said: str) -> None:
    result, score = proved(text, name)
    assert result.is_proved
    assert check_score(score) == []
    for value in ("true", "false"):
        assert re.search(rf"^  eq .*{re.escape(said)}.* = {value} \.$", score.text, re.MULTILINE)


@pytest.mark.parametrize(("text", "name", "said"), SPLIT)
def test_the_checker_refuses_what_cafeobj_leaves(text: str, name: str, said: str) -> None:
    score = proved(text, name)[1]
    changed = without_splits(score, said)
    problems = check_score(ProofScore(changed, changed.count("\n  red ")))
    assert any("not true" in each for each in problems), problems

"""Lemmas about data in proofs of invariants: found when a case is stuck, proved, shown in the score."""

from __future__ import annotations

import pytest
from specifications import loaded

from otsrw.induction import IgfResult, Options, igf
from otsrw.induction.score import ProofScore, ScoreWriter, check_score
from otsrw.report.data_lemmas import data_lines

POOL = """
mod* PID { [Pid] }
mod! SET { pr(PID) [Pid < Set]
  op empty : -> Set {constr}
  op _,_ : Set Set -> Set {constr assoc comm id: empty}
  op _in_ : Pid Set -> Bool
  op del : Pid Set -> Set
  vars P Q : Pid  var A : Set
  eq P in empty = false .
  eq P in (Q , A) = (P = Q) or P in A .
  eq del(P, empty) = empty .
  eq del(P, (Q , A)) = if P = Q then del(P,A) else (Q , del(P,A)) fi .
}
mod* POOL { pr(SET)
  *[Sys]*
  op init : -> Sys
  bops waiting active : Sys -> Set
  bops ask start stop : Sys Pid -> Sys
  ops c-ask c-start c-stop safe : Sys Pid -> Bool
  var S : Sys  vars I J : Pid
  eq waiting(init) = empty .
  eq active(init) = empty .
  eq c-ask(S,I) = not (I in waiting(S)) and not (I in active(S)) .
  ceq waiting(ask(S,I)) = (I , waiting(S)) if c-ask(S,I) .
  eq active(ask(S,I)) = active(S) .
  ceq ask(S,I) = S if not c-ask(S,I) .
  eq c-start(S,I) = I in waiting(S) .
  ceq waiting(start(S,I)) = del(I,waiting(S)) if c-start(S,I) .
  ceq active(start(S,I)) = (I , active(S)) if c-start(S,I) .
  ceq start(S,I) = S if not c-start(S,I) .
  eq c-stop(S,I) = I in active(S) .
  eq waiting(stop(S,I)) = waiting(S) .
  ceq active(stop(S,I)) = del(I,active(S)) if c-stop(S,I) .
  ceq stop(S,I) = S if not c-stop(S,I) .
  eq safe(S,I) = not (I in waiting(S) and I in active(S)) .
}
"""


def proved(text: str, name: str, options: Options | None = None) -> tuple[IgfResult, ProofScore]:
    ots, declarations = loaded(text)
    invariant = next(each for each in ots.invariants if each.name == name)
    result = igf(ots, None, invariant, options or Options(discover=False))
    return result, ScoreWriter(ots, result, declarations).write()


def test_a_lemma_that_a_case_is_stuck_for_is_found_and_proved() -> None:
    result, score = proved(POOL, "safe")
    assert result.verdict == "verified"
    (line,) = data_lines(result)
    assert line.startswith("data lemma: data1: ((P in del(P1,S)) iff ((P in S) and (not (")
    assert line.endswith(", by induction on S")
    assert "-- data1: " in score.text.split("mod PROOF")[0]
    assert check_score(score) == []


def test_the_lemmas_are_the_same_with_several_processes() -> None:
    one, two = proved(POOL, "safe"), proved(POOL, "safe", Options(discover=False, jobs=2))
    assert one[1].text == two[1].text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("= del(I,waiting(S)) if", "= waiting(S) if"),
        ("and not (I in active(S)) .", "."),
        ("then del(P,A) else", "then A else"),
        ("eq del(P, empty) = empty .", "eq del(P, empty) = P ."),
    ],
)
def test_a_pool_that_is_not_safe_is_not_verified(old: str, new: str) -> None:
    assert old in POOL
    assert proved(POOL.replace(old, new), "safe")[0].verdict == "unknown"

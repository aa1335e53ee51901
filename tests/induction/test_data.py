"""Lemmas about data in proofs of invariants: found when a case is stuck, proved, shown in the score."""

from __future__ import annotations

import pytest
from specifications import loaded

from otsrw.induction import IgfResult, Options, igf
from otsrw.induction.score import ProofScore, ScoreWriter, check_score
from otsrw.report.data_lemmas import data_lines
from otsrw.theory.printing import show_plainly

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
    assert line.startswith("data lemma: data1: (P in del(P1,S)) = ((P in S) and (not (")
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


RANGE = """
mod! N { [N]
  op z : -> N {constr}   op s : N -> N {constr}
  op _<=_ : N N -> Bool
  vars K M N : N
  eq (z = s(N)) = false .
  eq (s(M) = s(N)) = (M = N) .
  eq z <= N = true .
  eq s(M) <= z = false .
  eq s(M) <= s(N) = M <= N .
  op trans : N N N -> Bool
  eq trans(K, M, N) = (K <= M and M <= N) implies K <= N .
  op total : N N -> Bool
  eq total(M, N) = M <= N .
}
mod* RANGE { pr(N)
  *[Sys]*
  op init : -> Sys
  bops low high : Sys -> N
  bops raise lower : Sys N -> Sys
  ops c-raise c-lower : Sys N -> Bool
  op ordered : Sys -> Bool
  var S : Sys  var N : N
  eq low(init) = z .
  eq high(init) = z .
  eq c-raise(S,N) = high(S) <= N .
  ceq high(raise(S,N)) = N if c-raise(S,N) .
  eq low(raise(S,N)) = low(S) .
  ceq raise(S,N) = S if not c-raise(S,N) .
  eq c-lower(S,N) = N <= low(S) .
  ceq low(lower(S,N)) = N if c-lower(S,N) .
  eq high(lower(S,N)) = high(S) .
  ceq lower(S,N) = S if not c-lower(S,N) .
  eq ordered(S) = low(S) <= high(S) .
}
"""


def test_a_stated_lemma_is_proved_and_used_as_a_premise() -> None:
    result, score = proved(RANGE, "ordered", Options(discover=False, lemmas=("trans",)))
    assert result.verdict == "verified"
    assert [proof.lemma.name for proof in result.data] == ["trans"]
    assert any(lemma.is_data for closed in result.nodes["ordered"].cases for lemma in closed.lemmas)
    assert "red (trans(" in score.text
    assert check_score(score) == []


def test_a_stated_lemma_that_is_false_is_not_used() -> None:
    result, _ = proved(RANGE, "ordered", Options(discover=False, lemmas=("total",)))
    assert [proof.lemma.name for proof in result.data if proof.lemma.stated] == []


def test_a_score_may_not_assume_a_lemma_about_data_that_is_not_proved() -> None:
    _, score = proved(RANGE, "ordered", Options(discover=False, lemmas=("trans",)))
    broken = score.text.replace("implies K <= N", "implies K <= N and (K <= M or true)").replace(
        "eq trans(K, M, N) = (K <= M and M <= N) implies", "eq trans(K, M, N) = (K <= M) implies"
    )
    assert check_score(ProofScore(broken, score.passages)) != []


def test_laws_of_a_relation_are_found_and_proved() -> None:
    result, score = proved(RANGE, "ordered")
    assert result.verdict == "verified"
    premises = [show_plainly(proof.lemma.formula) for proof in result.data if proof.lemma.rule is None]
    assert premises == ["(((N <= N1) and (N1 <= N2)) implies (N <= N2))"]
    assert check_score(score) == []


PURSE = """
mod! NUM {
  [Num]
  op 0 : -> Num {constr}
  op s : Num -> Num {constr}
  op _+_ : Num Num -> Num {assoc comm}
  op _-_ : Num Num -> Num
  op _<=_ : Num Num -> Bool
  vars X Y : Num
  eq (0 = s(X)) = false .
  eq (s(X) = s(Y)) = (X = Y) .
  eq X + 0 = X .
  eq X + s(Y) = s(X + Y) .
  eq X - 0 = X .
  eq 0 - X = 0 .
  eq s(X) - s(Y) = X - Y .
  eq 0 <= X = true .
  eq s(X) <= 0 = false .
  eq s(X) <= s(Y) = X <= Y .
}
mod* PURSE {
  pr(NUM)
  *[Sys]*
  op init : -> Sys
  op capital : -> Num
  bops mine yours : Sys -> Num
  bop pay : Sys Num -> Sys
  op c-pay : Sys Num -> Bool
  op kept : Sys -> Bool
  var S : Sys  var X : Num
  eq mine(init) = capital .
  eq yours(init) = 0 .
  eq c-pay(S,X) = X <= mine(S) .
  ceq mine(pay(S,X)) = mine(S) - X if c-pay(S,X) .
  ceq yours(pay(S,X)) = yours(S) + X if c-pay(S,X) .
  ceq pay(S,X) = S if not c-pay(S,X) .
  eq kept(S) = (mine(S) + yours(S) = capital) .
}
"""


def test_where_one_operation_undoes_another_is_found_and_proved() -> None:
    result, score = proved(PURSE, "kept")
    assert result.verdict == "verified"
    laws = [show_plainly(proof.lemma.formula) for proof in result.data]
    assert "((N <= N1) implies (((N1 - N) + N) = N1))" in laws
    assert check_score(score) == []


def test_money_that_is_not_there_cannot_be_paid_and_kept() -> None:
    result, _ = proved(PURSE.replace("= X <= mine(S)", "= X <= s(mine(S))"), "kept")
    assert result.verdict != "verified"


CHANNEL = """
mod! CELL {
  [Cell]
  ops tok mark : -> Cell {constr}
  eq (tok = mark) = false .
}
mod! CHAN {
  pr(CELL + NAT)
  [Chan]
  op nil : -> Chan {constr}
  op _^_ : Cell Chan -> Chan {constr}
  op put : Chan Cell -> Chan
  op toks : Chan -> Nat
  vars X Y : Cell  var C : Chan
  eq put(nil,X) = X ^ nil .
  eq put(Y ^ C,X) = Y ^ put(C,X) .
  eq toks(nil) = 0 .
  eq toks(X ^ C) = (if X = tok then s toks(C) else toks(C) fi) .
}
mod* SENDER {
  pr(CHAN)
  *[Sys]*
  op init : -> Sys
  op all : -> Nat
  bop left : Sys -> Nat
  bop chan : Sys -> Chan
  bop send : Sys -> Sys
  op conserve : Sys -> Bool
  var S : Sys
  eq left(init) = all .
  eq chan(init) = nil .
  ceq left(send(S)) = p left(S) if left(S) > 0 .
  ceq chan(send(S)) = put(chan(S),SENT) if left(S) > 0 .
  ceq send(S) = S if not (left(S) > 0) .
  eq conserve(S) = (left(S) + toks(chan(S)) = all) .
}
"""


def test_a_size_after_an_element_is_put_in_is_one_more() -> None:
    result, score = proved(CHANNEL.replace("SENT", "tok"), "conserve")
    assert result.verdict == "verified"
    lemmas = [show_plainly(proof.lemma.formula) for proof in result.data]
    assert lemmas == ["((if (tok = C1) then (s toks(C)) else toks(C) fi) = toks(put(C,C1)))"]
    assert check_score(score) == []


def test_what_is_put_in_and_not_counted_is_not_conserved() -> None:
    result, _ = proved(CHANNEL.replace("SENT", "mark"), "conserve")
    assert result.verdict != "verified"


LINE = """
mod* CL { [Cl] }
mod! QUEUE {
  pr(CL)
  [NeQ EQ < Q]
  op eps : -> EQ {constr}
  op _::_ : Cl Q -> NeQ {constr}
  op add : Q Cl -> NeQ
  op _mem_ : Cl Q -> Bool
  vars A B : Cl  var R : Q
  eq add(eps,A) = A :: eps .
  eq add(B :: R,A) = B :: add(R,A) .
  eq A mem eps = false .
  eq A mem (B :: R) = (A = B) or (A mem R) .
}
mod* LINE {
  pr(QUEUE)
  *[Sys]*
  op init : -> Sys
  bop line : Sys -> Q
  bop waits : Sys Cl -> Bool
  bop come : Sys Cl -> Sys
  op queued : Sys Cl -> Bool
  var S : Sys  vars A B : Cl
  eq line(init) = eps .
  eq waits(init,A) = false .
  eq line(come(S,A)) = add(line(S),A) .
  eq waits(come(S,A),B) = (A = B) or waits(S,B) .
  eq queued(S,A) = waits(S,A) implies (A mem line(S)) .
}
"""


def test_lists_that_are_empty_or_not_by_their_sorts_are_taken_apart() -> None:
    result, score = proved(LINE, "queued")
    assert result.verdict == "verified"
    assert len(result.data) == 1 and not result.nodes.keys() - {"queued"}
    assert check_score(score) == []

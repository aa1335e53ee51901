"""Known predicates as premises: a case may need several of them, one after the other."""

from __future__ import annotations

import pytest
from specifications import loaded, ots_of

from otsrw.induction import IgfResult, Options, igf, scheme
from otsrw.induction.results import LemmaInstance
from otsrw.induction.score import ScoreWriter, check_score
from otsrw.ots import Ots

CHAIN = """
mod! LABEL { [Label] ops a b c d : -> Label {constr} }
mod* PID { [Pid] op none : -> Pid }
mod* CHAIN {
  pr(LABEL) pr(PID)
  *[Sys]*
  op init : -> Sys
  bop pc : Sys Pid -> Label
  bop left : Sys Pid -> Label
  bop mark : Sys -> Bool
  bop go : Sys Pid -> Sys
  var S : Sys  vars P Q : Pid
  eq pc(init,P) = a .
  eq left(init,P) = a .
  eq mark(init) = false .
  op c-go : Sys Pid -> Bool
  eq c-go(S,P) = (left(S,P) = d) .
  eq pc(go(S,P),Q) = pc(S,Q) .
  ceq left(go(S,P),Q) = left(S,Q) if c-go(S,P) .
  ceq mark(go(S,P)) = true if c-go(S,P) .
  ceq go(S,P) = S if not c-go(S,P) .
}
mod INV {
  pr(CHAIN)
  ops unmarked : Sys -> Bool
  ops first second : Sys Pid -> Bool
  var S : Sys  var P : Pid
  eq unmarked(S) = not mark(S) .
  eq first(S,P) = (left(S,P) = d implies pc(S,P) = b) .
  eq second(S,P) = (not (pc(S,P) = b)) .
}
"""


def proved(*lemmas: str, ots: Ots | None = None) -> IgfResult:
    ots = ots or ots_of(CHAIN)
    invariant = next(each for each in ots.invariants if each.name == "unmarked")
    return igf(ots, None, invariant, Options(lemmas=lemmas, discover=False))


def test_two_lemmas_that_close_a_case_together_are_used_one_after_the_other() -> None:
    result = proved("first", "second")
    assert result.verdict == "verified"
    used = {lemma for closed in result.nodes["unmarked"].cases for lemma in closed.lemmas}
    assert {lemma.name for lemma in used} == {"first", "second"}
    assert all(isinstance(lemma, LemmaInstance) and len(lemma.values) == 1 for lemma in used)


@pytest.mark.parametrize("lemma", ["first", "second"])
def test_one_of_the_two_does_not_close_it(lemma: str) -> None:
    assert proved(lemma).verdict == "unknown"


def test_the_score_reduces_an_implication_in_a_case_that_a_premise_excludes() -> None:
    ots, declarations = loaded(CHAIN)
    result = proved("first", "second", ots=ots)
    score = ScoreWriter(ots, result, declarations).write()
    assert check_score(score) == []
    assert "red (first(s,p)) implies (unmarked(s) implies unmarked(go(s,p)))" in score.text


def test_a_limit_on_parts_leaves_none_out_where_all_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def cases(result: IgfResult) -> int:
        return sum(len(node.cases) for node in result.nodes.values())

    unlimited = proved("first", "second")
    monkeypatch.setattr(scheme, "MAX_PARTS", 0)
    ots, declarations = loaded(CHAIN)
    result = proved("first", "second", ots=ots)
    assert (result.verdict, cases(result)) == ("verified", cases(unlimited))
    assert check_score(ScoreWriter(ots, result, declarations).write()) == []


def test_a_case_that_would_have_many_parts_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheme, "MAX_PARTS", 0)
    node = proved("first").nodes["unmarked"]
    assert len(node.undecided) == 1

"""Invariants about built-in numbers: cases are closed by linear arithmetic, and the score says by which facts."""

from __future__ import annotations

import pytest
from specifications import loaded

from otsrw.induction import IgfResult, Options, igf
from otsrw.induction.score import ProofScore, ScoreWriter, check_score

BANK = """
mod* BANK {
  pr(INT)
  *[ Sys ]*
  op init : -> Sys
  bops balance lent : Sys -> Int
  bops deposit withdraw : Sys Nat -> Sys
  ops solvent total : Sys -> Bool
  var S : Sys    var N : Nat
  eq balance(init) = 20 .
  eq lent(init) = 0 .
  eq balance(deposit(S,N)) = balance(S) + N .
  eq lent(deposit(S,N)) = lent(S) - N .
  op c-withdraw : Sys Nat -> Bool
  eq c-withdraw(S,N) = balance(S) >= N .
  ceq balance(withdraw(S,N)) = balance(S) - N if c-withdraw(S,N) .
  ceq lent(withdraw(S,N)) = lent(S) + N if c-withdraw(S,N) .
  ceq withdraw(S,N) = S if not c-withdraw(S,N) .
  eq solvent(S) = balance(S) >= 0 .
  eq total(S) = (balance(S) + lent(S) = 20) .
}
"""

COUNTS = """
mod* COUNTS {
  pr(NAT)
  *[ Sys ]*
  op init : -> Sys
  bops readers writers : Sys -> Nat
  bops startr endr startw endw : Sys -> Sys
  op exclusive : Sys -> Bool
  var S : Sys
  eq readers(init) = 0 .
  eq writers(init) = 0 .
  ops c-startr c-endr c-startw c-endw : Sys -> Bool
  eq c-startr(S) = (writers(S) = 0) .
  ceq readers(startr(S)) = s readers(S) if c-startr(S) .
  eq writers(startr(S)) = writers(S) .
  ceq startr(S) = S if not c-startr(S) .
  eq c-endr(S) = readers(S) > 0 .
  ceq readers(endr(S)) = sd(readers(S), 1) if c-endr(S) .
  eq writers(endr(S)) = writers(S) .
  ceq endr(S) = S if not c-endr(S) .
  eq c-startw(S) = (readers(S) = 0 and writers(S) = 0) .
  ceq writers(startw(S)) = s writers(S) if c-startw(S) .
  eq readers(startw(S)) = readers(S) .
  ceq startw(S) = S if not c-startw(S) .
  eq c-endw(S) = writers(S) > 0 .
  ceq writers(endw(S)) = sd(writers(S), 1) if c-endw(S) .
  eq readers(endw(S)) = readers(S) .
  ceq endw(S) = S if not c-endw(S) .
  eq exclusive(S) = writers(S) <= 1 and (readers(S) = 0 or writers(S) = 0) .
}
"""


FREE = """
mod* FREE {
  pr(NAT)
  *[ Sys ]*
  op init : -> Sys
  bop free : Sys -> Nat
  bops take give : Sys -> Sys
  ops c-take c-give bounded : Sys -> Bool
  var S : Sys
  eq free(init) = 3 .
  eq c-take(S) = free(S) > 0 .
  ceq free(take(S)) = p free(S) if c-take(S) .
  ceq take(S) = S if not c-take(S) .
  eq c-give(S) = free(S) < 3 .
  ceq free(give(S)) = s free(S) if c-give(S) .
  ceq give(S) = S if not c-give(S) .
  eq bounded(S) = free(S) <= 3 .
}
"""


def proved(text: str, name: str) -> tuple[IgfResult, ProofScore]:
    ots, declarations = loaded(text)
    invariant = next(each for each in ots.invariants if each.name == name)
    result = igf(ots, None, invariant, Options(discover=False))
    return result, ScoreWriter(ots, result, declarations).write()


PROVED = [
    (BANK, "solvent"),
    (BANK, "total"),
    (COUNTS, "exclusive"),
    (FREE.replace("p free(S)", "sd(free(S), 1)"), "bounded"),
]


@pytest.mark.parametrize(("text", "name"), PROVED)
def test_arithmetic_closes_the_cases(text: str, name: str) -> None:
    result, score = proved(text, name)
    assert result.verdict == "verified"
    assert check_score(score) == []


def test_a_predecessor_has_a_value_where_the_effective_condition_says_so() -> None:
    result, score = proved(FREE, "bounded")
    assert result.verdict == "verified"
    assert check_score(score) == []
    assert proved(FREE.replace("free(S) > 0", "free(S) < 3"), "bounded")[0].verdict == "unknown"


def test_the_score_says_which_facts_it_uses() -> None:
    _, score = proved(BANK, "solvent")
    fact = "(balance(s) >= n) implies ((balance(s) + (- n)) >= 0)"
    header, passages = score.text.split("mod* BANK")
    assert f": {fact}" in header and f"-- arithmetic: {fact}" in passages


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("balance(S) >= N .", "balance(S) + 1 >= N ."),
        ("balance(S) + N .", "balance(S) - N ."),
    ],
)
def test_a_bank_that_may_be_overdrawn_is_not_verified(old: str, new: str) -> None:
    assert old in BANK
    assert proved(BANK.replace(old, new), "solvent")[0].verdict == "unknown"

"""A condition that constructors or arithmetic make true is told to the equation that waits for it."""

from __future__ import annotations

import pytest
from specifications import ots_of

from otsrw.induction import Options, igf

BUFFER = """
mod* ITEM { [Item] }
mod! BUF { pr(ITEM + NAT) [Buf]
  op nil : -> Buf {constr}  op _|_ : Item Buf -> Buf {constr}
  op len : Buf -> Nat  op tail : Buf -> Buf  var B : Buf var X : Item
  eq len(nil) = 0 .  eq len(X | B) = s(len(B)) .  eq tail(nil) = nil .  eq tail(X | B) = B . }
mod* BUFFER { pr(BUF) *[Sys]*
  op init : -> Sys  bop buf : Sys -> Buf  bop count : Sys -> Nat
  bop put : Sys Item -> Sys  bop get : Sys -> Sys  op inv : Sys -> Bool  var S : Sys var X : Item
  eq buf(init) = nil .  eq count(init) = 0 .
  eq buf(put(S,X)) = X | buf(S) .  eq count(put(S,X)) = s(count(S)) .
  ceq buf(get(S)) = tail(buf(S)) if not (buf(S) = nil) .
  ceq count(get(S)) = sd(count(S),1) if not (buf(S) = nil) .
  bceq get(S) = S if buf(S) = nil .
  eq inv(S) = (count(S) = len(buf(S))) . }
"""

COUNTER = """
mod* COUNTER { pr(NAT) [Sys]
  op init : -> Sys {constr}  ops up down : Sys -> Sys {constr}
  op n : Sys -> Nat  ops open on : Sys -> Bool  op inv : Sys -> Bool  var S : Sys
  eq n(init) = 0 .  eq open(init) = true .  eq on(init) = true .
  eq n(up(S)) = s(n(S)) .  eq open(up(S)) = true .  eq on(up(S)) = on(S) .
  ceq n(down(S)) = p(n(S)) if on(S) and n(S) > 0 .  ceq n(down(S)) = 0 if on(S) and n(S) = 0 .
  eq open(down(S)) = open(S) .  eq on(down(S)) = on(S) .
  ceq down(S) = S if not on(S) .
  eq inv(S) = not (not open(S) and n(S) > 0) . }
"""


@pytest.mark.parametrize("text", [BUFFER, COUNTER], ids=["constructors", "arithmetic"])
def test_a_condition_that_facts_decide_lets_its_equation_apply(text: str) -> None:
    ots = ots_of(text)
    result = igf(ots, None, next(i for i in ots.invariants if i.name == "inv"), Options(discover=False))
    assert result.verdict == "verified", result.reason


def test_a_false_invariant_of_the_same_counter_stays_open() -> None:
    ots = ots_of(COUNTER.replace("eq open(down(S)) = open(S)", "eq open(down(S)) = not (n(S) > 0)"))
    result = igf(ots, None, next(i for i in ots.invariants if i.name == "inv"), Options(discover=False))
    assert result.verdict == "unknown"

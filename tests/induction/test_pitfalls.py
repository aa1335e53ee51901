"""Ways to write a specification in which reductions with fresh constants prove too much: none is ever verified.

Every text has a reachable violation that a search of depth 1 does not see.
"""

from __future__ import annotations

import pytest
from specifications import instance_of, ots_of

from otsrw.induction.procedure import igf
from otsrw.induction.results import IgfResult, Options
from otsrw.search.space import MaudeSpace

_LABELS = "mod! LAB { [Lab] ops a b : -> Lab {constr} eq (a = b) = false . }"
_TWO_STEPS = """
mod* M {{
  pr({imports})
  *[Sys]*
  op init : -> Sys
  bop pc : Sys Pid -> Lab
  bop n : Sys -> Lab
  bop go : Sys Pid -> Sys
  bop end : Sys Pid Pid -> Sys
  op c-end : Sys Pid Pid -> Bool
  op never : Sys -> Bool
  {declarations}
  var S : Sys
  vars I J K : Pid
  eq pc(init, I) = a .
  eq n(init) = a .
  eq pc(go(S, J), I) = (if I = J then b else pc(S, I) fi) .
  eq n(go(S, J)) = n(S) .
  eq c-end(S, J, K) = {condition} .
  eq pc(end(S, J, K), I) = pc(S, I) .
  ceq n(end(S, J, K)) = b if c-end(S, J, K) .
  ceq end(S, J, K) = S if not c-end(S, J, K) .
  eq never(S) = (n(S) = a) .
}}
"""


def two_steps(
    condition: str, declarations: str = "", pid: str = "mod* PID { [Pid] }", imports: str = "PID + LAB"
) -> str:
    text = _TWO_STEPS.format(condition=condition, declarations=declarations, imports=imports)
    return f"{_LABELS}\n{pid}\n{text}"


_LATE = "(pc(S, J) = b) and "


PITFALLS = {
    "== in an effective condition": two_steps(_LATE + "(J == K)"),
    "=/= in an effective condition": two_steps(_LATE + "not (J =/= K)"),
    "== in a function on data": two_steps(
        _LATE + "same(J, K)", "op same : Pid Pid -> Bool  eq same(X:Pid, Y:Pid) = (X == Y) ."
    ),
    "== in a condition of an equation": two_steps(
        _LATE + "same(J, K)",
        "op same : Pid Pid -> Bool  ceq same(X:Pid, Y:Pid) = true if X == Y ."
        "  ceq same(X:Pid, Y:Pid) = false if X =/= Y .",
    ),
    "an equation for all other cases": two_steps(
        _LATE + "same(J, K)",
        "op same : Pid Pid -> Bool  eq same(X:Pid, X) = true .  eq same(X:Pid, Y:Pid) = false {owise} .",
    ),
    "a test of the sort of a term": two_steps(
        _LATE + "special(J)",
        "op special : Pid -> Bool  eq special(X:Pid) = X :is Chief .",
        "mod* PID { [Chief < Pid] op p1 : -> Chief }",
    ),
    "a constant that is no constructor": """
mod! LAB { [Lab] ops a b : -> Lab {constr}  op z : -> Lab
  eq (a = b) = false . eq (a = z) = false . eq (b = z) = false . }
mod* PID { [Pid] }
mod* M {
  pr(PID + LAB)
  *[Sys]*
  op init : -> Sys
  bops n m : Sys -> Lab
  bops go end : Sys -> Sys
  op c-end : Sys -> Bool
  op never : Sys Pid -> Bool
  var S : Sys
  var I : Pid
  eq n(init) = a .
  eq m(init) = a .
  eq n(go(S)) = z .
  eq m(go(S)) = m(S) .
  eq c-end(S) = not (n(S) = a) and not (n(S) = b) .
  eq n(end(S)) = n(S) .
  ceq m(end(S)) = b if c-end(S) .
  ceq end(S) = S if not c-end(S) .
  eq never(S, I) = (m(S) = a) .
}
""",
    "entities below a sort of the specification": """
mod! LAB { [Lab] ops a b : -> Lab {constr} eq (a = b) = false . }
mod* PID { [Pid] op boss : -> Pid {constr} }
mod! MAYBE { pr(PID) [Pid < Pid?] op none : -> Pid? {constr}  var P : Pid  eq (none = P) = false .
  pr(LAB) op known : Pid? -> Lab  eq known(none) = a . eq known(P) = b . }
mod* M {
  pr(MAYBE)
  *[Sys]*
  op init : -> Sys
  bop n : Sys -> Pid?
  bop m : Sys -> Lab
  bop go : Sys Pid -> Sys
  bop end : Sys -> Sys
  op c-end : Sys -> Bool
  op never : Sys -> Bool
  var S : Sys
  var I : Pid
  eq n(init) = none .
  eq m(init) = a .
  eq n(go(S, I)) = I .
  eq m(go(S, I)) = m(S) .
  eq c-end(S) = not (n(S) = boss) .
  eq n(end(S)) = n(S) .
  ceq m(end(S)) = known(n(S)) if c-end(S) .
  ceq end(S) = S if not c-end(S) .
  eq never(S) = (m(S) = a) .
}
""",
    "two sorts of elements in one bag": """
mod! LAB { [Lab] ops a b : -> Lab {constr} eq (a = b) = false . }
mod* PID { [Pid] }
mod! CARD { pr(PID + LAB) [Joker < Card] op joker : -> Joker {constr} op card : Pid -> Card {constr}
  eq (joker = card(P:Pid)) = false . }
mod! HAND { pr(CARD) [Card < Hand] op empty : -> Hand {constr}
  op _,_ : Hand Hand -> Hand {constr assoc comm id: empty}
  op drop : Hand -> Hand  op plain : Hand -> Bool
  vars C : Card  var J : Joker  vars H : Hand  var P : Pid
  eq plain(empty) = true .
  eq plain(joker , H) = plain(H) .
  eq plain(card(P) , H) = false . }
mod* M {
  pr(HAND)
  *[Sys]*
  op init : -> Sys
  bop hand : Sys -> Hand
  bop m : Sys -> Lab
  bop go : Sys Pid -> Sys
  bop end : Sys -> Sys
  op c-end : Sys -> Bool
  op never : Sys -> Bool
  op state : Bool -> Lab
  var S : Sys
  var I : Pid
  eq state(true) = a .
  eq state(false) = b .
  eq hand(init) = empty .
  eq m(init) = a .
  eq hand(go(S, I)) = (card(I) , hand(S)) .
  eq m(go(S, I)) = m(S) .
  eq hand(end(S)) = hand(S) .
  eq m(end(S)) = state(plain(hand(S))) .
  eq never(S) = (m(S) = a) .
}
""",
}


def verdict(text: str, depth: int, strengthen: bool = True) -> IgfResult:
    ots = ots_of(text)
    instance = instance_of(ots, {"Pid": ("p1", "p2")})
    never = next(invariant for invariant in ots.invariants if invariant.name == "never")
    return igf(ots, MaudeSpace(instance), never, Options(depth=depth, timeout=30, strengthen=strengthen))


@pytest.mark.parametrize("strengthen", (True, False), ids=("strengthened", "plain"))
@pytest.mark.parametrize("name", PITFALLS)
def test_a_pitfall_is_not_verified(name: str, strengthen: bool) -> None:
    assert verdict(PITFALLS[name], 1, strengthen=strengthen).verdict != "verified"


@pytest.mark.parametrize("name", PITFALLS)
def test_the_violation_is_there(name: str) -> None:
    assert verdict(PITFALLS[name], 3).verdict == "falsified"


def test_the_same_system_without_a_pitfall_is_decided() -> None:
    assert verdict(two_steps(_LATE + "(J = K)"), 1).verdict == "falsified"
    assert verdict(two_steps("not (J = J)"), 1).verdict == "verified"

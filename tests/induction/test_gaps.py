"""What a proof rests on: values that a module adds to a sort, and functions with gaps."""

from __future__ import annotations

import pytest
from specifications import instance_of, loaded

from otsrw.induction import Options, igf
from otsrw.search import MaudeSpace
from otsrw.syntax.diagnostics import OtsrwError

LABELS = """
mod! PH { [Ph] ops f0 f1 f2 f3 f4 : -> Ph {constr} op nx : Ph -> Ph
  eq nx(f0) = f1 . eq nx(f1) = f2 . eq nx(f2) = f3 . eq nx(f3) = f4 . eq nx(f4) = f4 . }
mod! LAB { [Lab] ops a b : -> Lab {constr} eq (a = b) = false . }
%s
mod* M { pr(MORE + PH) *[Sys]* op init : -> Sys bop n : Sys -> Lab bop ph : Sys -> Ph bop tick : Sys -> Sys
  bop fire : Sys -> Sys op never : Sys -> Bool var S : Sys
  eq n(init) = a . eq ph(init) = f0 . eq ph(tick(S)) = nx(ph(S)) . eq n(tick(S)) = n(S) .
  ceq n(fire(S)) = %s if ph(S) = f4 . ceq fire(S) = S if not (ph(S) = f4) . eq ph(fire(S)) = ph(S) .
  eq never(S) = (n(S) = a) or (n(S) = b) . }
"""


def verdict_of(text: str, depth: int = 2) -> str:
    """The verdict, or the code of the error if a state of the search has an observer without a value."""
    ots, _ = loaded(text)
    try:
        with MaudeSpace(instance_of(ots)) as space:
            return igf(ots, space, ots.invariants[0], Options(depth=depth)).verdict
    except OtsrwError as error:
        return error.problem.code


@pytest.mark.parametrize(
    "added",
    [
        "mod! MORE { pr(LAB) op z : -> Lab {constr} eq (z = a) = false . eq (z = b) = false . }",
        "mod! MORE { ex(LAB) op z : -> Lab {constr} eq (z = a) = false . eq (z = b) = false . }",
        "mod* MORE { ex(LAB) op z : -> Lab {constr} eq (z = a) = false . eq (z = b) = false . }",
        "mod! MORE { pr(LAB) op z : -> Lab eq (z = a) = false . eq (z = b) = false . }",
        "mod* MORE { ex(LAB) op z : -> Lab eq (z = a) = false . eq (z = b) = false . }",
        "mod* MORE { ex(LAB) op z : -> Lab }",
    ],
)
def test_a_value_that_a_module_adds_is_not_forgotten(added: str) -> None:
    assert verdict_of(LABELS % (added, "z")) != "verified"


def test_without_the_new_value_it_is_proved() -> None:
    assert verdict_of(LABELS % ("mod! MORE { pr(LAB) op z : -> Lab eq z = b . }", "z")) == "verified"


QUEUE = """
mod* ELT { [Elt] }
mod! QUEUE { pr(ELT) [Elt < Elt?] [Queue] op nil : -> Queue {constr} op _;_ : Elt Queue -> Queue {constr}
  op top : Queue -> Elt? op none : -> Elt? {constr} op some? : Queue -> Bool op put : Queue Elt -> Queue
  vars E F : Elt var Q : Queue
  eq top(E ; Q) = E . eq some?(nil) = false . eq some?(E ; Q) = true .
  eq put(nil, E) = E ; nil . eq put(F ; Q, E) = F ; put(Q, E) . }
mod* SYS { pr(QUEUE) *[Sys]* op init : -> Sys bop queue : Sys -> Queue bop last : Sys -> Elt? bop take : Sys -> Sys
  bop add : Sys Elt -> Sys op inv : Sys -> Bool var S : Sys var E : Elt
  eq queue(init) = nil . eq last(init) = none .
  eq queue(add(S, E)) = put(queue(S), E) . eq last(add(S, E)) = last(S) .
  eq queue(take(S)) = queue(S) . %s
  eq inv(S) = true . }
"""


@pytest.mark.parametrize(
    ("equations", "verdict"),
    [
        ("eq last(take(S)) = (if some?(queue(S)) then top(queue(S)) else last(S) fi) .", "verified"),
        ("eq last(take(S)) = top(queue(S)) .", "E512"),
    ],
)
def test_a_gap_matters_where_it_may_be_met(equations: str, verdict: str) -> None:
    assert verdict_of("-- @ with Elt = e1 e2\n" + QUEUE % equations, depth=0) == verdict

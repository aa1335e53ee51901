"""Equations that make reductions worthless as proofs are noticed."""

from __future__ import annotations

import pytest
from specifications import instance_of, ots_of

from otsrw.induction import Induction, Predicate
from otsrw.induction.grounds import grounds_of
from otsrw.induction.procedure import igf
from otsrw.induction.results import Options
from otsrw.ots import Ots
from otsrw.search import MaudeSpace

_SET = """
mod* PID {{ [Pid] }}
mod! SETP {{ pr(PID) [Pid < Set] op empty : -> Set {{constr}} op __ : Set Set -> Set {{constr assoc comm id: empty}}
  op _in_ : Pid Set -> Bool vars X Y : Pid var S : Set eq X in empty = false . {membership} }}
-- @ with Pid = p1 p2
mod* T {{ pr(SETP) *[Sys]* op init : -> Sys bop s : Sys -> Set bop add : Sys Pid -> Sys var S : Sys vars I J : Pid
  eq s(init) = empty . eq s(add(S,I)) = (I s(S)) . op inv : Sys Pid -> Bool eq inv(S,I) = not (I in s(S)) . }}
"""
_PC = """
mod* PID {{ [Pid] }}
mod! LAB {{ [Lab] ops a b : -> Lab {{constr}} eq (a = b) = false . }}
-- @ with Pid = p1 p2
mod* T {{ pr(PID + LAB) *[Sys]* op init : -> Sys bop pc : Sys Pid -> Lab bop go : Sys Pid -> Sys
  var S : Sys vars I J : Pid eq pc(init,I) = a . {effect}
  op inv : Sys Pid -> Bool eq inv(S,I) = (pc(S,I) = a) . }}
"""
WORTHLESS = {
    "a membership by order": _SET.format(membership="eq X in (X S) = true . eq X in (Y S) = X in S ."),
    "an update by order": _PC.format(effect="eq pc(go(S,I),I) = b . eq pc(go(S,I),J) = pc(S,J) ."),
    "an update by ==": _PC.format(effect="eq pc(go(S,I),J) = (if I == J then b else pc(S,J) fi) ."),
}
SOUND = {
    "a membership by equality": _SET.format(membership="eq X in (Y S) = (X = Y) or (X in S) ."),
    "a membership by conditions": _SET.format(
        membership="ceq X in (Y S) = true if X = Y . ceq X in (Y S) = X in S if not (X = Y) ."
    ),
    "an update by equality": _PC.format(effect="eq pc(go(S,I),J) = (if I = J then b else pc(S,J) fi) ."),
}


def stated(ots: Ots) -> Predicate:
    found = next(i for i in ots.invariants if i.name == "inv")
    return Induction(ots).predicate(found.name, found.parameters, found.formula)


@pytest.mark.parametrize("text", WORTHLESS.values(), ids=WORTHLESS.keys())
def test_a_false_invariant_is_not_verified_by_such_equations(text: str) -> None:
    ots = ots_of(text)
    invariant = next(i for i in ots.invariants if i.name == "inv")
    assert grounds_of(ots, [stated(ots)]).missing
    assert igf(ots, MaudeSpace(instance_of(ots)), invariant, Options(depth=0)).verdict != "verified"


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND.keys())
def test_equations_that_say_the_same_in_every_order_are_fine(text: str) -> None:
    ots = ots_of(text)
    assert not grounds_of(ots, [stated(ots)]).missing

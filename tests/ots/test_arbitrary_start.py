"""What no equation says of the initial state is arbitrary: a search begins with every value."""

from __future__ import annotations

import pytest
from specifications import instance_of, ots_of

from otsrw.ots import Instance
from otsrw.ots.stepping import Stepper
from otsrw.search import MaudeSpace, RewritingSpace
from otsrw.syntax.diagnostics import OtsrwError

LAMP = """
mod! COLOUR { [Colour] ops red green : -> Colour {constr} eq (red = green) = false . }
mod* PID { [Pid] }
mod* LAMP {
  pr(COLOUR) pr(PID) *[Sys]*
  op init : -> Sys
  bop lamp : Sys Pid -> Colour
  bop used : Sys -> Bool
  bop press : Sys Pid -> Sys
  var S : Sys  vars P Q : Pid
  eq used(init) = false .
  eq lamp(press(S,P),Q) = (if P = Q then red else lamp(S,Q) fi) .
  eq used(press(S,P)) = true .
  op stays : Sys Pid -> Bool
  eq stays(S,P) = (lamp(S,P) = red implies used(S)) .
  op fine : Sys Pid -> Bool
  eq fine(S,P) = (lamp(S,P) = red or lamp(S,P) = green) .
}
"""


def test_there_is_an_initial_state_for_every_choice_of_values() -> None:
    instance = instance_of(ots_of(LAMP), {"Pid": ["p1", "p2"]})
    assert [slot.name for slot in instance.arbitrary] == ["lamp(p1)", "lamp(p2)"]
    starts = {tuple(map(str, state.values)) for state in Stepper(instance).initial_states()}
    assert starts == {(a, b, "false") for a in ("red", "green") for b in ("red", "green")}


@pytest.mark.parametrize("space", [MaudeSpace, RewritingSpace])
def test_a_violation_may_need_one_of_them(space: type[MaudeSpace] | type[RewritingSpace]) -> None:
    instance = instance_of(ots_of(LAMP), {"Pid": ["p1"]})
    stays, good = (next(i for i in instance.ots.invariants if i.name == name) for name in ("stays", "fine"))
    found = space(instance).search(stays, 2)
    assert found.verdict == "violated" and found.run is not None and len(found.run.states) == 1
    assert space(instance).search(good, 4).exhausted


def test_a_value_that_is_specified_is_not_arbitrary() -> None:
    text = LAMP.replace("eq used(init) = false .", "eq used(init) = false . eq lamp(init,P) = green .")
    instance = instance_of(ots_of(text), {"Pid": ["p1"]})
    assert instance.arbitrary == ()
    assert len(Stepper(instance).initial_states()) == 1


def test_too_many_choices_are_an_error_as_before() -> None:
    instance = Instance(ots_of(LAMP), {"Pid": tuple(f"p{n}" for n in range(12))})
    with pytest.raises(OtsrwError, match="has no value in an initial state"):
        Stepper(instance).initial_states()

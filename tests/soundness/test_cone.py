"""The cone holds what the system depends on, and nothing else."""

from __future__ import annotations

from specifications import ots_of
from support import module_of

from otsrw.soundness.cone import Cone, cone_of
from otsrw.theory.builtins import Builtin
from otsrw.theory.printing import show

TEXT = """
mod! LAB { [Lab] ops a b : -> Lab {constr} eq (a = b) = false . }
mod! FUN { pr(LAB) ops f g h u : Lab -> Lab var X : Lab
  ceq f(X) = b if g(X) = a . eq g(X) = X . eq g(h(X)) = a . eq h(X) = X . eq u(X) = f(X) . }
mod! OTHER { [Other] ops c d : -> Other {constr} eq (c = d) = false . }
mod* M { pr(FUN + OTHER) *[Sys]* op init : -> Sys bop n : Sys -> Lab bop t : Sys -> Sys
  ops never ever : Sys -> Bool op out : Sys -> Other var S : Sys
  eq n(init) = a . eq n(t(S)) = f(n(S)) . eq never(S) = (n(S) = a) . eq ever(S) = (out(S) = c) . eq out(S) = c . }
"""


def _names(cone: Cone) -> set[str]:
    return {symbol.name for symbol in cone.functions}


def test_right_sides_conditions_and_left_sides_reach() -> None:
    cone = cone_of(ots_of(TEXT), ["never"])
    assert _names(cone) == {"init", "n", "t", "never", "f", "g", "h", "a", "b", "_=_"}
    assert {symbol.name for symbol in cone.outside} == {"u", "ever", "out", "_=_"}


def test_equations_on_equality_belong_to_their_sorts() -> None:
    one, other = cone_of(ots_of(TEXT), ["never"]), cone_of(ots_of(TEXT), ["ever"])
    equals = one.module.signature.native(Builtin.EQUALS)
    assert [show(axiom.lhs) for axiom in one.functions[equals]] == ["(a = b)"]
    assert len(other.functions[other.module.signature.native(Builtin.EQUALS)]) == 2


def test_all_invariants_are_meant_unless_some_are_named() -> None:
    assert {"never", "ever"} <= _names(cone_of(ots_of(TEXT)))


def test_the_cone_of_data_is_all_but_the_prelude() -> None:
    cone = cone_of(module_of("mod! F { pr(NAT) op f : Nat -> Nat var N : Nat eq f(N) = N + 1 . }", "F"))
    assert _names(cone) == {"f"}
    assert cone.ots is None
    assert "_<=_" in {symbol.name for symbol in cone.builtin}


def test_equations_that_are_not_rewritten_with_are_kept_apart() -> None:
    cone = cone_of(module_of("mod! L { [L] ops a b : -> L {constr} op f : L -> L vars X Y : L eq f(X) = Y . }", "L"))
    assert [axiom.lhs.op.name for axiom in cone.ignored] == ["f"]
    assert cone.equations == []

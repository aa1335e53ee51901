"""Which equations on `=` mean more than comparing normal forms."""

from __future__ import annotations

import pytest
from specifications import instance_of, ots_of

from otsrw.ots.binding import Theory

_TEXT = """
mod! LAB {{ [Lab < Lab?] ops a b : -> Lab {{constr}} op none : -> Lab? {{constr}} op pair : Lab Lab -> Lab {{constr}}
  vars X Y V W : Lab var Z : Lab?
  {equation} }}
mod* M {{ pr(LAB) *[Sys]* op init : -> Sys bop n : Sys -> Lab? bop go : Sys -> Sys var S : Sys
  eq n(init) = a . eq n(go(S)) = b . }}
"""


@pytest.mark.parametrize(
    ("equation", "own"),
    [
        ("eq (a = b) = false .", False),
        ("eq (Z = Z) = true .", False),
        ("eq (none = X) = false .", False),
        ("eq (pair(X, Y) = pair(V, W)) = (X = V) and (Y = W) .", False),
        ("eq (a = Z) = false .", True),
        ("eq (pair(X, a) = pair(Y, V)) = false .", True),
        ("eq (a = b) = true .", True),
        ("eq (pair(X, Y) = pair(V, W)) = (X = V) .", True),
        ("eq (pair(X, Y) = pair(V, W)) = (X = W) and (Y = V) .", True),
        ("ceq (pair(X, Y) = pair(V, W)) = (X = V) and (Y = W) if X = Y .", True),
    ],
)
def test_an_equation_on_equality(equation: str, own: bool) -> None:
    instance = instance_of(ots_of(_TEXT.format(equation=equation)), {})
    assert Theory(instance).has_own_equality(instance.module.visible_sorts()["Lab"][-1]) is own

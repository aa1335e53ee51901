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


_BITS = """
mod! BIT {{ [Bit] ops b0 b1 : -> Bit {{constr}} op turn : Bit -> Bit  var B : Bit
  eq (b0 = b1) = false .  eq turn(b0) = b1 .  eq turn(b1) = {image} .  eq (B = turn(B)) = false . }}
mod* M {{ pr(BIT) *[Sys]* op init : -> Sys bop n : Sys -> Bit bop go : Sys -> Sys var S : Sys
  eq n(init) = b0 . eq n(go(S)) = turn(n(S)) . }}
"""


@pytest.mark.parametrize(("image", "own"), [("b0", False), ("b1", True)])
def test_what_differs_for_every_element_differs_by_normal_forms(image: str, own: bool) -> None:
    """An element that `turn` leaves as it is would be different from itself."""
    instance = instance_of(ots_of(_BITS.format(image=image)), {})
    assert Theory(instance).has_own_equality(instance.module.visible_sorts()["Bit"][0]) is own


_COLLECTIONS = """
mod* ELT {{ [Elt] }}
mod! LIST {{ [List] op nil : -> List {{constr}} op _|_ : Bool List -> List {{constr}} }}
mod! BAG {{ pr(ELT) pr(LIST) [Elt < Bag] op empty : -> Bag {{constr}}
  op __ : Bag Bag -> Bag {{constr assoc comm id: empty}}
  vars E F : Elt vars B C : Bag vars X Y : Bool vars K L : List
  {equation} }}
mod* M {{ pr(BAG) *[Sys]* op init : -> Sys bop n : Sys -> Bag bop go : Sys -> Sys var S : Sys
  eq n(init) = empty . eq n(go(S)) = n(S) . }}
"""


@pytest.mark.parametrize(
    ("equation", "sort", "own"),
    [
        ("eq (empty = (E B)) = false .", "Bag", False),
        ("eq ((B E C) = empty) = false .", "Bag", False),
        ("eq (empty = (B C)) = false .", "Bag", True),
        ("eq (E = (E F)) = false .", "Bag", True),
        ("eq ((X | K) = (Y | L)) = (X = Y) and (K = L) .", "List", False),
        ("eq ((X | K) = (Y | L)) = (K = L) .", "List", True),
        ("eq ((X | K) = (Y | L)) = (X = Y) or (K = L) .", "List", True),
    ],
)
def test_an_equation_on_the_equality_of_collections(equation: str, sort: str, own: bool) -> None:
    instance = instance_of(ots_of(_COLLECTIONS.format(equation=equation)), {"Elt": ["e1"]})
    assert Theory(instance).has_own_equality(instance.module.visible_sorts()[sort][-1]) is own


_MEMBERSHIP = """
mod* ELT {{ [Elt] }}
mod! BAG {{ pr(ELT) [Elt < Bag] op empty : -> Bag {{constr}}  op __ : Bag Bag -> Bag {{constr assoc comm{identity}}}
  op _in_ : Elt Bag -> Bool  vars E F : Elt vars B C : Bag
  {equations}
  eq E in empty = false . }}
mod* M {{ pr(BAG) *[Sys]* op init : -> Sys bop n : Sys -> Bag bop go : Sys -> Sys var S : Sys
  eq n(init) = empty . eq n(go(S)) = n(S) . }}
"""
_ALONE, _MORE = "eq E in F = (E = F) .", "eq E in (F B) = (E = F) or (E in B) ."


@pytest.mark.parametrize(
    ("identity", "equations", "exact"),
    [
        (" id: empty", _MORE, True),
        ("", f"eq empty B = B . {_ALONE} {_MORE}", True),
        ("", f"eq empty E = E . {_ALONE} {_MORE}", False),
        ("", f"eq B B = empty . {_ALONE} {_MORE}", False),
        ("", f"eq empty B = B . eq E in F = false . {_MORE}", False),
    ],
)
def test_a_membership_is_true_of_the_elements_and_of_nothing_else(identity: str, equations: str, exact: bool) -> None:
    instance = instance_of(ots_of(_MEMBERSHIP.format(identity=identity, equations=equations)), {"Elt": ["e1"]})
    symbol = next(symbol for symbol in instance.module.signature.symbols() if symbol.name == "_in_")
    assert (Theory(instance).exactly_elements(symbol, 0, 1) is not None) is exact

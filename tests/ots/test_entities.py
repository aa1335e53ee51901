"""Entities: of subsorts, named twice, equal by an equation, with names that Maude cuts otherwise."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from specifications import instance_of, ots_of

from otsrw.ots import Instance, entities_of
from otsrw.syntax.diagnostics import OtsrwError

LAMPS = """
mod! LIGHT { [Light] ops off on : -> Light {constr}  eq (off = on) = false . }
mod* LAMP { [Big < Lamp] }
mod* HOUSE { pr(LIGHT + LAMP)
  *[House]*
  op night : -> House
  bop light : House Lamp -> Light
  bop warm : House Big -> Light
  bop flick : House Lamp -> House
  bop heat : House Big -> House
  op cold : House Big -> Bool
  var H : House   vars L M : Lamp   vars B C : Big
  eq light(night, L) = off .
  eq warm(night, B) = off .
  eq light(flick(H, M), L) = (if L = M then on else light(H, L) fi) .
  eq warm(flick(H, M), B) = warm(H, B) .
  eq light(heat(H, C), L) = light(H, L) .
  ceq warm(heat(H, C), B) = (if B = C then on else warm(H, B) fi) if light(H, C) = on .
  ceq heat(H, C) = H if not (light(H, C) = on) .
  eq cold(H, B) = (warm(H, B) = off) .
}
"""

NAMED = """
mod* LAMP {{ [Lamp]  ops left right : -> Lamp  {equation} }}
mod* HOUSE {{ pr(LAMP)
  *[House]*
  op night : -> House
  bop lit : House Lamp -> Bool
  bop flick : House Lamp -> House
  op dark : House Lamp -> Bool
  var H : House   vars L M : Lamp
  eq lit(night, L) = false .
  eq lit(flick(H, M), L) = (if L = M then true else lit(H, L) fi) .
  eq dark(H, L) = not lit(H, L) .
}}
"""


def house(entities: Mapping[str, tuple[str, ...]]) -> Instance:
    return instance_of(ots_of(LAMPS), entities)


def slots(instance: Instance) -> list[str]:
    return [slot.name for slot in instance.slots]


def test_entities_of_a_subsort_are_entities_of_its_sort() -> None:
    instance = house({"Lamp": ("x",), "Big": ("b",)})
    assert slots(instance) == ["light(x)", "light(b)", "warm(b)"]


def test_the_order_of_the_options_does_not_matter() -> None:
    assert sorted(slots(house({"Big": ("b",), "Lamp": ("x",)}))) == ["light(b)", "light(x)", "warm(b)"]


def test_a_subsort_without_entities_asks_for_them() -> None:
    with pytest.raises(OtsrwError) as caught:
        house({"Lamp": ("x",)})
    assert caught.value.problem.code == "E509"
    assert "--with Big=" in (caught.value.problem.hint or "")


def test_names_for_one_element_count_once() -> None:
    ots = ots_of(NAMED.format(equation="eq left = right ."))
    assert slots(instance_of(ots, {"Lamp": ("left", "right")})) == ["lit(right)"]


def test_elements_that_only_the_equality_identifies_are_refused() -> None:
    ots = ots_of(NAMED.format(equation="eq (left = right) = true ."))
    with pytest.raises(OtsrwError, match="left and right cannot be two entities"):
        instance_of(ots, {"Lamp": ("left", "right")})


def test_elements_that_nothing_identifies_are_two() -> None:
    ots = ots_of(NAMED.format(equation=""))
    assert slots(instance_of(ots, {"Lamp": ("left", "right")})) == ["lit(left)", "lit(right)"]


def test_a_number_of_entities_includes_those_that_the_specification_names() -> None:
    ots = ots_of(NAMED.format(equation="") + "-- @ with Lamp = l1 l2\n")
    assert [entities_of(ots, [f"Lamp={count}"])["Lamp"] for count in (1, 2, 3)] == [
        ("left", "right"),
        ("left", "right"),
        ("left", "right", "l1"),
    ]


def test_numbers_of_entities_of_two_sorts_give_no_name_twice() -> None:
    ots = ots_of(
        "mod* SORTS { [Topic Text] } mod* SYS { pr(SORTS) *[Sys]* op init : -> Sys bop o : Sys -> Bool "
        "bop go : Sys Topic Text -> Sys eq o(init) = true . }"
    )
    assert entities_of(ots, ["Topic=1", "Text=2"]) == {"Topic": ("t1",), "Text": ("text1", "text2")}

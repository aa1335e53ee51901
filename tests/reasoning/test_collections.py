"""Equations between bags and lists are taken apart into ways of which one holds, whatever the values are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from specifications import ots_of

from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.collections import ways_to_be_equal
from otsrw.reasoning.membership import known_elements, membership_operators, taken_out
from otsrw.reasoning.workbench import Workbench
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Term

SPEC = """
mod* ITEM {{ [Item] }}
mod! BAG {{ pr(ITEM) [Item < Bag]
  op empty : -> Bag {{constr}}  op _;_ : Bag Bag -> Bag {{constr assoc {theory} id: empty}}
  op _in_ : Item Bag -> Bool  vars I J : Item var B : Bag
  eq I in empty = false .  eq I in (J ; B) = (I = J) or (I in B) . }}
mod* M {{ pr(BAG) *[Sys]* op init : -> Sys bop q : Sys -> Bag bop add : Sys Item -> Sys var S : Sys var I : Item
  eq q(init) = empty . eq q(add(S,I)) = I ; q(S) . }}
"""

VALUES = ["", "a", "b", "aa", "ab", "ba", "bb", "aab", "aba", "baa"]
"""Collections, a letter for each element."""


def bench_for(theory: str) -> tuple[Workbench, dict[str, Term]]:
    ots = ots_of(SPEC.format(theory=theory))
    bench = Workbench(ots.module)
    sorts = {sort.name: sort for sort in ots.module.signature.order.sorts}
    names = {name: bench.constant(name, sorts["Item"]) for name in ("a1", "a2", "a3")}
    names |= {name: bench.constant(name, sorts["Bag"]) for name in ("x1", "x2")}
    return bench, names


def meaning(term: Term, values: dict[Term, str], is_bag: bool) -> str:
    text = values[term] if term in values else "".join(meaning(arg, values, is_bag) for arg in term.args)
    return "".join(sorted(text)) if is_bag else text


def holds(assumed: Assumed, values: dict[Term, str], is_bag: bool) -> bool:
    assert assumed.formula.op.native is Builtin.EQUALS and assumed.holds
    left, right = (meaning(side, values, is_bag) for side in assumed.formula.args)
    return left == right


def valuations(constants: list[Term], bench: Workbench) -> Iterator[dict[Term, str]]:
    choices = [VALUES if constant.sort.name == "Bag" else ["a", "b"] for constant in constants]
    return (dict(zip(constants, chosen, strict=True)) for chosen in product(*choices))


EQUATIONS = [
    (("a1", "x1"), ("a2", "x2")),
    (("a1", "x1"), ("a2", "a3", "x2")),
    (("x1", "a1"), ("a2", "x2")),
    (("a1", "a1", "x1"), ("a2", "x2")),
    (("a1", "x1"), ("x2", "x2")),
    (("a1",), ("a2", "x1")),
    (("a1", "x1"), ("x2", "a1")),
]


@pytest.mark.parametrize("theory", ["comm", ""], ids=["bags", "lists"])
@pytest.mark.parametrize("sides", EQUATIONS, ids=lambda sides: "=".join(".".join(side) for side in sides))
def test_one_way_holds_wherever_the_equation_does(theory: str, sides: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    bench, names = bench_for(theory)
    joins = next(s for s in bench.module.signature.symbols() if s.assoc and s.native is None)
    left, right = (joins.make(tuple(names[n] for n in side)) if len(side) > 1 else names[side[0]] for side in sides)
    assumptions = Assumptions(bench).assuming([Assumed(bench.connectives.equal(left, right), True)])
    ways = ways_to_be_equal(assumptions)
    assert ways
    general = [names[name] for name in dict.fromkeys((*sides[0], *sides[1]))]
    fresh = [symbol.make(()) for symbol in bench.constants if symbol in bench.parts]
    for values in valuations(general, bench):
        if not meaning_is_equal(left, right, values, bool(theory)):
            continue
        more = list(valuations(fresh, bench))
        assert any(all(holds(a, values | extra, bool(theory)) for a in way) for way in ways for extra in more), values


def meaning_is_equal(left: Term, right: Term, values: dict[Term, str], is_bag: bool) -> bool:
    return meaning(left, values, is_bag) == meaning(right, values, is_bag)


def test_a_set_is_not_taken_apart() -> None:
    bench, names = bench_for("comm idem")
    joins = next(s for s in bench.module.signature.symbols() if s.assoc and s.native is None)
    left, right = joins.make((names["a1"], names["x1"])), joins.make((names["a2"], names["x2"]))
    assumptions = Assumptions(bench).assuming([Assumed(bench.connectives.equal(left, right), True)])
    assert ways_to_be_equal(assumptions) == ()


def test_a_known_element_is_taken_out_of_a_bag_and_not_of_a_list() -> None:
    bench, names = bench_for("comm")
    members = membership_operators(bench.module)
    assert [member.symbol.name for member in members] == ["_in_"]
    assumptions = Assumptions(bench).assuming([Assumed(members[0].applied(names["a1"], names["x1"]), True)])
    (known,) = known_elements(members, names["x1"], assumptions)
    assert known.element is names["a1"]
    shape = taken_out(known, names["x1"], bench)
    assert shape is not None and names["a1"] in shape.args and len(shape.args) == 2
    assert membership_operators(bench_for("")[0].module) == []

"""Interchangeable entities: which they are, what tells others apart, and that renaming them takes steps to steps."""

from __future__ import annotations

from itertools import combinations

import pytest
from specifications import instance_of, invariant_named, ots_of, ots_of_file

from otsrw.ots import Instance
from otsrw.ots.stepping import State, Stepper, Values
from otsrw.ots.symmetry import Renamer, Swap, Symmetry, symmetry_of
from otsrw.records import replace
from otsrw.theory.printing import show

ROOMS = """
mod* WHO {{ [Who] ops {constants} : -> Who  {facts} }}
mod* ROOM {{ pr(WHO)
  *[Room]*
  op empty : -> Room
  bop inside : Room Who -> Bool
  bop enter : Room Who -> Room
  op quiet : Room Who -> Bool
  op ann-is-out : Room -> Bool
  var R : Room   vars W V : Who
  eq inside(empty, W) = {start} .
  eq inside(enter(R, V), W) = (if W = V then true else inside(R, W) fi) .
  eq quiet(R, W) = not inside(R, W) .
  eq ann-is-out(R) = not inside(R, ann) .
}}
"""


def room(constants: str = "ann bob", facts: str = "", start: str = "false") -> Instance:
    return instance_of(
        ots_of(ROOMS.format(constants=constants, facts=facts, start=start)), {"Who": ("ann", "bob", "c")}
    )


def groups(symmetry: Symmetry) -> list[list[str]]:
    return [[show(entity) for entity in group] for group in symmetry.groups]


def test_entities_that_no_equation_names_are_interchangeable() -> None:
    found = symmetry_of(room())
    assert groups(found) == [["ann", "bob", "c"]]
    assert found.size == 6


def test_an_invariant_that_names_one_tells_it_apart() -> None:
    instance = room()
    assert groups(symmetry_of(instance, [invariant_named(instance, "quiet")])) == [["ann", "bob", "c"]]
    found = symmetry_of(instance, [invariant_named(instance, "ann-is-out")])
    assert groups(found) == [["bob", "c"]]
    assert [show(each.entity) for each in found.apart] == ["ann"]


def test_a_formula_that_names_one_tells_it_apart_whatever_the_equations_say() -> None:
    instance = room()
    said = invariant_named(instance, "ann-is-out").formula
    found = symmetry_of(instance, [replace(invariant_named(instance, "quiet"), formula=said)])
    assert groups(found) == [["bob", "c"]]


def test_an_equation_that_names_one_tells_it_apart_and_is_shown() -> None:
    found = symmetry_of(room(start="(W = bob)"))
    assert groups(found) == [["ann", "c"]]
    (apart,) = found.apart
    assert show(apart.entity) == "bob"
    assert "inside(empty,W:Who)" in apart.reason
    assert "eq inside(empty, W)" in apart.span.source.line_text(apart.span.line)


def test_equations_that_name_all_in_the_same_way_tell_none_apart() -> None:
    found = symmetry_of(room(start="((W = ann) or (W = bob))"))
    assert groups(found) == [["ann", "bob"]]


def test_an_equation_that_nothing_depends_on_tells_none_apart() -> None:
    facts = "op age : Who -> Bool  eq age(ann) = true ."
    assert groups(symmetry_of(room(facts=facts))) == [["ann", "bob", "c"]]


def test_a_function_that_is_used_tells_entities_apart() -> None:
    facts = "op old : Who -> Bool  eq old(ann) = true .  eq old(bob) = false .  eq old(c) = false ."
    found = symmetry_of(room("ann bob c", facts, "old(W)"))
    assert groups(found) == [["bob", "c"]]


def test_the_identity_of_an_operator_is_told_apart() -> None:
    facts = "op _&_ : Who Who -> Who {assoc comm id: ann}"
    assert groups(symmetry_of(room(facts=facts, start="((W & W) = bob)"))) == []
    assert groups(symmetry_of(room(facts=facts, start="((W & W) = W)"))) == [["bob", "c"]]


def test_numerals_are_not_interchangeable() -> None:
    text = """mod* COUNT { pr(NAT)
      *[S]*  op start : -> S   bop on : S Nat -> Bool   bop switch : S Nat -> S   op dark : S Nat -> Bool
      var X : S  vars N M : Nat
      eq on(start, N) = false .   eq on(switch(X, M), N) = (if N = M then true else on(X, N) fi) .
      eq dark(X, N) = not on(X, N) . }"""
    assert symmetry_of(instance_of(ots_of(text), {"Nat": ("0", "1")})).groups == ()


@pytest.mark.parametrize(
    ("file", "entities", "expected"),
    [
        ("nspk.cafe", {"Prin": ("p1", "p2", "p3", "intr")}, [["p1", "p2", "p3"]]),
        ("qlock.cafe", {"Pid": ("p1", "p2", "p3")}, [["p1", "p2", "p3"]]),
        ("two-phase-commit.cafe", None, [["p1", "p2", "p3"]]),
        ("suzuki-kasami.cafe", None, [["p1", "p2"]]),
        ("peterson.cafe", None, []),
        ("bakery.cafe", None, []),
    ],
)
def test_renaming_takes_steps_to_steps(
    file: str, entities: dict[str, tuple[str, ...]] | None, expected: list[list[str]]
) -> None:
    instance = instance_of(ots_of_file(file), entities)
    symmetry = symmetry_of(instance, instance.ots.invariants)
    assert groups(symmetry) == expected
    stepper = Stepper(instance)
    states = stepper.initial_states()
    for _ in range(2):
        states = [*states, *(after for state in states[:12] for _, after in stepper.successors(state))]
    for group in symmetry.groups:
        for first, second in combinations(group, 2):
            for state in states[:40]:
                _check_swap(stepper, symmetry, state, {first: second, second: first})


def _check_swap(stepper: Stepper, symmetry: Symmetry, state: State, swap: Swap) -> None:
    history = Renamer(swap)(state.history)
    renamed = stepper.observe(history)
    assert renamed.values == symmetry.renamed(state.values, swap)
    after = {symmetry.renamed(values, swap) for values in _successors(stepper, state)}
    assert after == _successors(stepper, renamed)


def _successors(stepper: Stepper, state: State) -> set[Values]:
    return {after.values for _, after in stepper.successors(state)}

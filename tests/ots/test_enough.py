"""How many entities are enough: what is counted, what spoils it, and that larger instances violate nothing earlier."""

from __future__ import annotations

from collections import Counter

import pytest
from random_entities import random_system
from specifications import instance_of, invariant_named, ots_of, ots_of_file

from otsrw.ots.enough import EntityDemands, entity_demands
from otsrw.ots.instance import Instance
from otsrw.search import RewritingSpace


def demands_of(file: str, invariant: str, entities: dict[str, tuple[str, ...]] | None = None) -> EntityDemands:
    instance = instance_of(ots_of_file(file), entities)
    return entity_demands(instance, [invariant_named(instance, invariant)])


@pytest.mark.parametrize(
    ("file", "invariant", "expected"),
    [
        ("ticket.cafe", "mutex", {"Pid": 7}),
        ("qlock.cafe", "mutex", {"Pid": 7}),
        ("nspk.cafe", "secrecy", {"Prin": 11}),
        ("ikp.cafe", "agreement", {"Buyer": 6, "Seller": 6}),
        ("two-phase-commit.cafe", "agreement", {}),
    ],
)
def test_enough_for_five_steps(file: str, invariant: str, expected: dict[str, int]) -> None:
    found = demands_of(file, invariant)
    assert found.obstacles == ()
    assert found.enough(5) == expected


def test_the_depth_that_entities_are_enough_for() -> None:
    found = demands_of("ticket.cafe", "mutex")
    depths = [found.depth({"Pid": ("p",) * count}) for count in (1, 2, 3, 7)]
    assert depths == [-1, 0, 1, 5]


LIGHTS = """
mod* WHO {{ [Who] {names} }}
mod! PAIR {{ pr(WHO) [Pair] op two : Who Who -> Pair {{constr}} }}
mod* LIGHTS {{ pr(PAIR)
  *[Room]*
  op dark : {start} -> Room
  bop on : Room Who -> Bool
  bop owner : Room -> Who
  bop push : Room {pushed} -> Room
  op quiet : Room Who -> Bool
  var R : Room   vars W V U : Who   var P : Pair
  {equations}
  eq quiet(R, W) = not on(R, W) .
}}
"""
_PLAIN = """eq on(dark, W) = false .  eq owner(dark) = ann .
  eq on(push(R, V), W) = (if W = V then true else on(R, W) fi) .  eq owner(push(R, V)) = V ."""


def lights(names: str = "op ann : -> Who", start: str = "", pushed: str = "Who", equations: str = _PLAIN) -> Instance:
    text = LIGHTS.format(names=names, start=start, pushed=pushed, equations=equations)
    return instance_of(ots_of(text), {"Who": ("ann", "b")})


def enough(instance: Instance, depth: int = 10) -> dict[str, int]:
    return entity_demands(instance, [invariant_named(instance, "quiet")]).enough(depth)


def obstacles(instance: Instance) -> list[str]:
    return [obstacle.reason for obstacle in entity_demands(instance, instance.ots.invariants).obstacles]


def test_constants_steps_and_the_violation_are_counted() -> None:
    assert enough(lights(), 0) == {"Who": 2}
    assert enough(lights()) == {"Who": 12}


def test_entities_inside_enumerated_data_are_counted() -> None:
    pair = """eq on(dark, W) = false .  eq owner(dark) = ann .
      ceq on(push(R, P), W) = true if P = two(W, W) .  ceq on(push(R, P), W) = on(R, W) if not (P = two(W, W)) .
      eq owner(push(R, P)) = ann ."""
    assert enough(lights(pushed="Pair", equations=pair)) == {"Who": 22}


def test_arguments_of_the_initial_state_are_counted() -> None:
    started = _PLAIN.replace("dark", "dark(U, U)").replace("= ann", "= U")
    assert enough(lights(start="Who Who", equations=started.replace("dark(U, U)", "dark(U, V)")), 0) == {"Who": 4}


def test_an_equation_that_speaks_of_other_values_is_an_obstacle() -> None:
    spoiled = _PLAIN.replace("eq owner(push(R, V)) = V", "ceq owner(push(R, V)) = V if on(R, U)")
    (reason,) = obstacles(lights(equations=spoiled))
    assert reason == "the equation for owner(push(R,V)) also speaks of U"
    assert enough(lights(equations=spoiled)) == {}


def test_a_function_that_makes_entities_is_an_obstacle() -> None:
    assert obstacles(lights("op ann : -> Who  op next : Who -> Who")) == ["next makes other elements of Who"]


def test_an_open_initial_value_is_an_obstacle() -> None:
    assert obstacles(lights(equations=_PLAIN.replace("eq owner(dark) = ann .", ""))) == [
        "nothing says what owner is initially"
    ]


def test_an_instance_without_a_constant_of_the_specification_is_an_obstacle() -> None:
    assert obstacles(lights("ops ann zoe : -> Who")) == ["zoe is no entity of Who here"]


# --- larger instances

DEEPEST = 3
SIZES = (1, 2, 3, 4, 5)


def least_violating_depth(instance: Instance) -> int:
    """Beyond the deepest depth if there is none."""
    found = RewritingSpace(instance).search(invariant_named(instance, "claim"), DEEPEST)
    return found.depth if found.verdict == "violated" else DEEPEST + 1


def test_enough_entities_see_every_violation_of_larger_instances() -> None:
    told: Counter[str] = Counter()
    for seed in range(150):
        ots = ots_of(random_system(seed))
        instances = [instance_of(ots, {"Pid": ("boss", "p1", "p2", "p3", "p4")[:size]}) for size in SIZES]
        depths = [least_violating_depth(each) for each in instances]
        told["it depends on the number"] += len(set(depths)) > 1
        for small, instance in enumerate(instances):
            covered = entity_demands(instance, [invariant_named(instance, "claim")]).depth(instance.given)
            limit = DEEPEST + 1 if covered is None else covered + 1
            for larger in depths[small + 1 :]:
                told["violated" if larger < limit else "clear"] += limit > 1
                assert min(larger, limit) == min(depths[small], limit), seed
    assert all(told[what] > 5 for what in ("it depends on the number", "violated", "clear")), told

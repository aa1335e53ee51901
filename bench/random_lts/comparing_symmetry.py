"""Interchangeable entities and classes up to renaming beside those of the model: traces are enumerated and renamed."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path

from otsrw.application.classifying import Facts, classified
from otsrw.application.loading import load_specification
from otsrw.application.stages import Explored
from otsrw.traces.classification import CounterexampleClass
from otsrw.traces.constraints import Before, Contains, Equals, Fact, Placed, TraceConstraint
from random_lts.comparing import Comparison
from random_lts.symmetric import (
    NOBODY,
    PROCESSES,
    Step,
    SymmetricSystem,
    cafeobj_text,
    drawn_symmetric,
    interchangeable,
    is_bad,
    renamed,
)

DEPTH = 3

ModelTrace = tuple[Step, ...]


def compared_symmetry(seed: int) -> Comparison:
    """One random system of three processes, read from its text."""
    system = drawn_symmetric(random.Random(seed))
    outcome = Comparison(seed)
    explored = _explored(system)
    groups = {frozenset(group) for group in explored.graph.interchangeable()}
    outcome.check("interchangeable entities", groups, interchangeable(system, DEPTH))
    bad = [trace for trace in traces(system) if any(is_bad(step[-1]) for step in trace)]
    if bad:
        _compare_classes(outcome, classified(explored, Facts(), DEPTH).classes, bad, groups)
    return outcome


def _explored(system: SymmetricSystem) -> Explored:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "system.cafe"
        file.write_text(cafeobj_text(system))
        instantiated = load_specification(str(file)).recognised().instantiated()
    return instantiated.explored(instantiated.invariant("mutex"), DEPTH)


def traces(system: SymmetricSystem) -> Iterator[ModelTrace]:
    layer: list[ModelTrace] = [()]
    for _ in range(DEPTH):
        layer = [(*trace, step) for trace in layer for step in system.steps(trace[-1][-1] if trace else system.start)]
        yield from layer


def _compare_classes(
    outcome: Comparison, classes: tuple[CounterexampleClass, ...], bad: list[ModelTrace], groups: set[frozenset[str]]
) -> None:
    members = [{trace for trace in bad if satisfies(trace, found.constraint)} for found in classes]
    outcome.check("classes cover everything", set().union(*members) == set(bad), True)
    for number, (found, own) in enumerate(zip(classes, members, strict=True)):
        outcome.check("size of a class", found.covers, len(own))
        if found.image_of is None:
            earlier = [members[n] for n in range(number) if classes[n].image_of is None]
            repeated = any(_renamed_all(other, r) == own for other in earlier for r in _renamings(groups))
            outcome.check("a class of its own", not repeated, True, False)
        else:
            image = _renamed_all(members[found.image_of], dict(found.renaming))
            outcome.check("image of a class", image == own, True)
            outcome.check("renaming is inside the groups", dict(found.renaming) in list(_renamings(groups)), True)


def _renamings(groups: set[frozenset[str]]) -> Iterator[dict[str, str]]:
    for images in permutations(PROCESSES):
        changed = {name: image for name, image in zip(PROCESSES, images, strict=True) if name != image}
        if all(any({name, image} <= group for group in groups) for name, image in changed.items()):
            yield changed


def _renamed_all(found: set[ModelTrace], renaming: dict[str, str]) -> set[ModelTrace]:
    return {
        tuple((renamed(s, renaming), rule, renaming.get(p, p), renamed(t, renaming)) for s, rule, p, t in trace)
        for trace in found
    }


def satisfies(trace: ModelTrace, constraint: TraceConstraint) -> bool:
    """By trying every way to place the positions."""
    moments = [_variables(trace[0][0], None), *(_variables(step[-1], step) for step in trace)]
    variables = constraint.positions
    return any(
        all(_holds(fact, dict(zip(variables, places, strict=True)), moments) for fact in constraint.facts)
        for places in product(range(len(moments)), repeat=len(variables))
    )


def _variables(state: tuple[str, ...], step: Step | None) -> dict[str, str]:
    found = {f"at({process})": place for process, place in zip(PROCESSES, state, strict=False)}
    found["holder"] = state[-1] if state[-1] == NOBODY else f"by({state[-1]})"
    return found if step is None else found | {"event": step[1], f"{step[1]}.1": step[2]}


def _holds(fact: Fact, where: dict[int, int], moments: list[dict[str, str]]) -> bool:
    places = [where[position] for position in fact.positions]
    match fact:
        case Before():
            return places[0] < places[1]
        case Equals(_, variable, value):
            return moments[places[0]].get(variable) == value
        case Placed(_, index):
            return places[0] == index
        case Contains():
            raise AssertionError("there are no collections in these systems")
    raise AssertionError("nobody asked for predicates")

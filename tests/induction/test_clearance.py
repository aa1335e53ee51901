"""How far a proof that did not end tells of violations: compared with searches of the same and of larger instances."""

from __future__ import annotations

from collections import Counter

import pytest
from random_entities import random_system
from specifications import instance_of, invariant_named, ots_of, ots_of_file

from induction.generated import GAP
from otsrw.induction import Induction, Options, igf
from otsrw.induction.clearance import clear_steps
from otsrw.induction.kept import KeptStates
from otsrw.induction.results import ClearSteps, Node, NodeKind, UnclearSteps
from otsrw.ots import Instance
from otsrw.ots.model import Ots
from otsrw.report.igf import clear_lines
from otsrw.search import RewritingSpace

BUILDER = """
mod* PID { [Pid] op p : -> Pid op mate : Pid -> Pid }
mod* LAMP {
  pr(PID)
  *[Sys]*
  op init : -> Sys
  bop owner : Sys -> Pid
  bop take : Sys Pid -> Sys
  op fine : Sys -> Bool
  var S : Sys
  var P : Pid
  eq owner(init) = p .
  eq owner(take(S,P)) = P .
  eq fine(S) = not (owner(S) = mate(p)) .
}
"""

PIDS = ("boss", "p1", "p2", "p3", "p4")


def clear_of(ots: Ots, size: int, options: Options) -> ClearSteps | None:
    return igf(ots, RewritingSpace(instance_of(ots, {"Pid": PIDS[:size]})), ots.invariants[0], options).clear


def is_violated(ots: Ots, size: int, depth: int) -> bool:
    instance = instance_of(ots, {"Pid": PIDS[:size]})
    return RewritingSpace(instance).search(invariant_named(instance, "claim"), depth).verdict == "violated"


def test_nothing_is_violated_that_is_said_to_be_clear() -> None:
    """Random systems, proofs that were stopped after few cases, instances of two sizes; the larger one has 5."""
    told: Counter[str] = Counter()
    for seed in range(60):
        ots = ots_of(random_system(seed))
        for size, depth, cases in ((1, 0, 4), (2, 1, 8), (2, 0, 12), (3, 0, 20)):
            options = Options(depth=depth, strengthen=bool(seed % 2), max_cases=cases)
            clear = clear_of(ots, size, options)
            if clear is None:
                continue
            told["beyond the search"] += clear.links > 0
            told["for any number"] += clear.is_for_any_number
            assert not is_violated(ots, size, clear.depth), (seed, size)
            if clear.is_for_any_number:
                assert not any(is_violated(ots, other, clear.depth) for other in range(1, 6)), (seed, size)
            told["violated one step later"] += is_violated(ots, size, clear.depth + 1)
    assert all(told[what] > 3 for what in ("beyond the search", "for any number", "violated one step later")), told


def test_what_is_said() -> None:
    ots = ots_of_file("ticket.cafe")
    instance = instance_of(ots, {"Pid": ("p1", "p2")})
    result = igf(ots, RewritingSpace(instance), ots.invariants[0], Options(1, strengthen=False, max_cases=30))
    assert clear_lines(result) == [
        "no violation of mutex within 2 steps, for Pid = p1 p2: depth 1, and lemmas 1 deep with all cases closed; "
        "for any number: with Pid 3"
    ]


PARTIAL = (
    GAP
    + """  op small : Sys -> Bool
  var S : Sys
  eq at(init) = zero .
  eq at(go(S)) = at(S) .
  eq small(S) = not big(at(S)) .
}
"""
)


@pytest.mark.parametrize(
    ("text", "options", "why"),
    [
        (
            PARTIAL,
            Options(1, max_cases=1),
            "it is not proved that big is complete (E603, <spec>:2)",
        ),
        ("ticket", Options(1, max_cases=30, timeout=0.0), "the time is spent"),
    ],
    ids=["equations", "time"],
)
def test_the_condition_that_fails_is_named(text: str, options: Options, why: str) -> None:
    ots = ots_of_file("ticket.cafe") if text == "ticket" else ots_of(text)
    instance = instance_of(ots, {"Pid": ("p1", "p2")} if text == "ticket" else {})
    result = igf(ots, RewritingSpace(instance), ots.invariants[0], options)
    assert (result.verdict, result.clear) == ("unknown", None)
    assert clear_lines(result) == [
        f"not known within how many steps there is no violation of {result.invariant.name}: {why}"
    ]


def test_without_a_search_nothing_is_known() -> None:
    ots = ots_of_file("ticket.cafe")
    result = igf(ots, None, ots.invariants[0], Options(1, strengthen=False, max_cases=30))
    assert result.steps == UnclearSteps("nothing was searched")


def test_a_number_that_is_not_known_to_be_enough_is_not_told() -> None:
    ots = ots_of(BUILDER)
    result = igf(ots, RewritingSpace(instance_of(ots, {"Pid": ("p",)})), ots.invariants[0], Options(1, max_cases=1))
    assert result.clear is not None
    assert not result.clear.enough
    assert clear_lines(result)[0].endswith("; not known for any number: mate makes other elements of Pid")


def lock_nodes(ots: Ots) -> dict[str, Node]:
    """The tree of a proof that has not begun: nothing is closed."""
    stated = ots.invariants[0]
    predicate = Induction(ots).predicate(stated.name, stated.parameters, stated.formula)
    return {stated.name: Node(predicate, NodeKind.PROPERTY)}


def told_of(ots: Ots, instance: Instance, depth: int) -> ClearSteps | UnclearSteps:
    kept = KeptStates.explore(RewritingSpace(instance), depth)
    return clear_steps(ots, kept, lock_nodes(ots), ots.invariants[0].name, [])


def test_a_predicate_that_is_violated_within_the_depth_is_not_clear() -> None:
    ots = ots_of_file("tas-flawed.cafe")
    instance = instance_of(ots, {"Pid": ("p1", "p2")})
    depth = RewritingSpace(instance).search(invariant_named(instance, "mutex"), 9).depth
    assert isinstance(told_of(ots, instance, depth - 1), ClearSteps)
    found = told_of(ots, instance, depth)
    assert isinstance(found, UnclearSteps)
    assert "is false or has no truth value" in found.obstacle


COUNTING = """
mod* COUNTING { pr(NAT)
  *[Sys]*
  op init : -> Sys
  bop cell : Sys Nat -> Bool
  bop set : Sys Nat -> Sys
  op fine : Sys Nat -> Bool
  var S : Sys vars M N : Nat
  eq cell(init,N) = false .
  eq cell(set(S,M),N) = (if M = N then true else cell(S,N) fi) .
  eq fine(S,N) = not (cell(S,N) and cell(S,s N)) .
}
"""


def test_steps_of_elements_that_were_not_searched_are_not_clear() -> None:
    ots = ots_of(COUNTING)
    found = told_of(ots, instance_of(ots, {"Nat": ("0", "2")}), 1)
    assert isinstance(found, UnclearSteps)
    assert found.obstacle == "there are more elements of Nat than were searched with"


def test_initial_states_that_were_not_searched_are_not_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    ots = ots_of_file("tas.cafe")
    instance = instance_of(ots, {"Pid": ("p1", "p2")})
    assert isinstance(told_of(ots, instance, 1), ClearSteps)
    monkeypatch.setattr(instance, "starts_left_out", 3)
    found = told_of(ots, instance, 1)
    assert isinstance(found, UnclearSteps)
    assert found.obstacle == "the search left out 3 initial states"

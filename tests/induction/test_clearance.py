"""How far a proof that did not end tells of violations: compared with searches of the same and of larger instances."""

from __future__ import annotations

from collections import Counter

import pytest
from random_entities import random_system
from specifications import instance_of, invariant_named, ots_of, ots_of_file

from induction.generated import GAP
from otsrw.induction import Options, igf
from otsrw.induction.results import ClearSteps, UnclearSteps
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

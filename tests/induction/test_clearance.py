"""How far a proof that did not end tells of violations: compared with searches of the same and of larger instances."""

from __future__ import annotations

from collections import Counter

from random_entities import random_system
from specifications import instance_of, invariant_named, ots_of, ots_of_file

from otsrw.induction import Options, igf
from otsrw.induction.results import ClearSteps
from otsrw.ots.model import Ots
from otsrw.report.igf import clear_lines
from otsrw.search import RewritingSpace

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

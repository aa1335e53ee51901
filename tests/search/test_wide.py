"""Searches level by level, by several processes, one state an orbit: they answer what a plain search answers."""

from __future__ import annotations

import os
import signal
import threading
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path

import pytest
from specifications import SPECS, instance_of, invariant_named, ots_of, ots_of_file

from otsrw.ots import Instance, Invariant, entities_of
from otsrw.ots.stepping import Values
from otsrw.ots.symmetry import symmetry_of
from otsrw.search import Limits, MaudeSpace, Progress, RewritingSpace
from otsrw.search.fingerprints import FingerprintStore, collision_risk
from otsrw.search.maude_worker.packing import fingerprint, packed, unpacked
from otsrw.search.wide import Means, wide_search
from otsrw.soundness import has_one_meaning
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.terms import Term

from .answers import told

VERDICTS = tomllib.loads((SPECS / "otsrw.toml").read_text(encoding="utf-8"))["test"]
FILES = list(dict.fromkeys(entry["file"] for entry in VERDICTS if not entry.get("slow")))
BEYOND = {"append-log.cafe"}
"""Their steps look at numbers that are no entities: they are searched by rewriting, and have no graph."""
FEW = 150
MANY = 30_000


def shallow(instance: Instance, most: int = FEW) -> int:
    """A depth with not too many states."""
    return RewritingSpace(instance).graph(max_states=most).depth


def orbits(instance: Instance, invariant: Invariant, depth: int) -> list[int]:
    """Orbits of R<=k, counted by renaming every state in every way."""
    symmetry = symmetry_of(instance, [invariant])
    renamings: list[dict[Term, Term]] = [{}]
    for group in symmetry.groups:
        images = [dict(zip(group, image, strict=True)) for image in permutations(group)]
        renamings = [{**one, **other} for one in renamings for other in images]
    seen: set[Values] = set()
    found = []
    for level in range(depth + 1):
        for state in RewritingSpace(instance).reachable(level).states:
            if state.values not in seen:
                seen.update(symmetry.renamed(state.values, renaming) for renaming in renamings)
                found.append(level)
    return [sum(level <= bound for level in found) for bound in range(depth + 1)]


# --- the same answers as a search in one process


@pytest.mark.parametrize("file", FILES)
def test_a_search_by_levels_is_a_plain_search(file: str) -> None:
    instance = instance_of(ots_of_file(file))
    invariant = instance.ots.invariants[0]
    depth = shallow(instance)
    plain = MaudeSpace(instance).search(invariant, depth)
    assert told(wide_search(instance, invariant, depth, Means(compact=True))) == told(plain)


@pytest.mark.parametrize("file", [file for file in FILES if file not in BEYOND])
def test_a_symmetric_search_has_the_verdict_and_the_depth_of_a_plain_one(file: str) -> None:
    instance = instance_of(ots_of_file(file))
    invariant = instance.ots.invariants[0]
    if not has_one_meaning(instance.base):
        pytest.skip("its values may depend on the order of equations")
    depth = shallow(instance)
    plain = MaudeSpace(instance).search(invariant, depth)
    wide = wide_search(instance, invariant, depth, Means(symmetry=True))
    assert (wide.verdict, wide.depth, wide.exhausted) == (plain.verdict, plain.depth, plain.exhausted)
    assert len(wide.levels) == len(plain.levels)
    assert wide.states <= plain.states
    if plain.run is not None and wide.run is not None:
        assert len(wide.run.actions) == len(plain.run.actions)


def expectations() -> Iterator[tuple[str, dict[str, tuple[str, ...]], str, int, int | None, bool]]:
    """Of all files of specs/: a file, entities, an invariant, a depth, the depth of a violation, is that all?"""
    for entry in VERDICTS:
        given = {sort: tuple(names) for sort, names in entry.get("with", {}).items()}
        depth = sum(states <= MANY for states in entry["states"]) - 1
        ended = entry["exhausted"] and depth == len(entry["states"]) - 1
        for name in entry.get("holds", ()):
            yield entry["file"], given, name, depth, None, ended
        for name, least in entry.get("falsified", {}).items():
            yield entry["file"], given, name, depth, least if least <= depth else None, False


@pytest.mark.slow
@pytest.mark.parametrize(("file", "given", "name", "depth", "least", "ended"), list(expectations()))
def test_a_symmetric_search_finds_what_is_expected_of_every_specification(
    file: str, given: dict[str, tuple[str, ...]], name: str, depth: int, least: int | None, ended: bool
) -> None:
    """The expectations are those of papers and of models in plain Python, not those of another search."""
    ots = ots_of_file(file)
    instance = instance_of(ots, {**entities_of(ots, []), **given})
    if not has_one_meaning(instance.base):
        pytest.skip("its values may depend on the order of equations")
    found = wide_search(instance, invariant_named(instance, name), depth, Means(symmetry=True))
    if least is not None:
        assert (found.verdict, found.depth) == ("violated", least)
    else:
        assert (found.verdict, found.depth) == ("holds", depth)
        assert (
            not ended
            or wide_search(instance, invariant_named(instance, name), depth + 1, Means(symmetry=True)).exhausted
        )


@pytest.mark.parametrize(
    ("file", "given", "depth"),
    [
        ("qlock.cafe", "Pid=4", 4),
        ("mcs.cafe", "Pid=3", 5),
        ("ticket.cafe", "Pid=4", 4),
        ("nspk.cafe", "Prin=p1,p2,p3,intr", 2),
        ("suzuki-kasami.cafe", "", 4),
        ("two-phase-commit.cafe", "", 4),
    ],
)
def test_there_is_one_state_an_orbit(file: str, given: str, depth: int) -> None:
    ots = ots_of_file(file)
    instance = instance_of(ots, entities_of(ots, [given] if given else []))
    invariant = next(i for i in instance.ots.invariants if i.name != "mutex" or file != "ticket.cafe")
    found = wide_search(instance, invariant, depth, Means(symmetry=True))
    assert found.verdict == "holds"
    assert list(found.levels) == orbits(instance, invariant, depth)[: len(found.levels)]


STAMPS = """
mod* WHO { [Who] }
mod! STAMPS { pr(WHO)
  [Who < Stamps]
  op none : -> Stamps {constr}
  op _,_ : Stamps Stamps -> Stamps {constr assoc comm id: none}
}
mod* DESK { pr(STAMPS)
  *[Desk]*
  op init : -> Desk
  bop stamps : Desk -> Stamps
  bop stamp : Desk Who -> Desk
  op fine : Desk Who -> Bool
  var S : Desk  var W : Who
  eq stamps(init) = none .
  eq stamps(stamp(S, W)) = W , stamps(S) .
  eq fine(S, W) = true .
}
"""


def test_a_bag_keeps_how_often_it_holds_an_element() -> None:
    """After k steps there is an orbit for each way to write k as a sum of at most three numbers."""
    ots = ots_of(STAMPS)
    instance = instance_of(ots, entities_of(ots, ["Who=3"]))
    found = wide_search(instance, instance.ots.invariants[0], 6, Means(symmetry=True))
    assert list(found.levels) == [1, 2, 4, 7, 11, 16, 23]


ROOM = """
mod* WHO { [Who] op ann : -> Who }
mod* ROOM { pr(WHO)
  *[Room]*
  op empty : -> Room
  bop inside : Room Who -> Bool
  bop enter : Room Who -> Room
  op one-is-out : Room Who Who -> Bool
  op ann-is-out : Room -> Bool
  var R : Room   vars W V : Who
  eq inside(empty, W) = false .
  eq inside(enter(R, V), W) = (if W = V then true else inside(R, W) fi) .
  eq one-is-out(R, V, W) = (V = W or not inside(R, V) or not inside(R, W)) .
  eq ann-is-out(R) = not inside(R, ann) .
}
"""


def test_an_invariant_that_names_an_entity_is_not_searched_by_orbits_of_it() -> None:
    instance = instance_of(ots_of(ROOM), {"Who": ("b1", "b2", "b3", "ann")})
    found = wide_search(instance, invariant_named(instance, "one-is-out"), 3, Means(symmetry=True))
    assert (found.verdict, found.depth, found.levels) == ("violated", 2, (1, 2))
    named = wide_search(instance, invariant_named(instance, "ann-is-out"), 3, Means(symmetry=True))
    assert (named.verdict, named.depth, named.levels) == ("violated", 1, (1,))
    assert named.run is not None and [str(action) for action in named.run.actions] == ["enter(ann)"]
    counted = wide_search(instance, None, 5, Means(symmetry=True))
    assert (counted.levels, counted.exhausted) == ((1, 2, 3, 4, 5), True)


def test_a_violation_found_by_orbits_is_a_real_run() -> None:
    instance = instance_of(ots_of_file("nspk.cafe"), {"Prin": ("p1", "p2", "intr")})
    found = wide_search(instance, invariant_named(instance, "secrecy"), 4, Means(symmetry=True))
    assert found.verdict == "violated" and found.run is not None
    assert MaudeSpace(instance).confirm(found.run, invariant_named(instance, "secrecy"))
    assert found.work is not None and found.work.orbits == 2


# --- any number of processes


@pytest.mark.parametrize("symmetry", [False, True], ids=["states", "orbits"])
def test_the_number_of_processes_changes_nothing(symmetry: bool) -> None:
    instance = instance_of(ots_of_file("nspk.cafe"))
    secrecy = invariant_named(instance, "secrecy")
    for depth in (3, 4):
        one, three = (wide_search(instance, secrecy, depth, Means(symmetry, n, None, not symmetry)) for n in (1, 3))
        assert told(one) == told(three)


def test_a_process_that_is_killed_costs_its_part_and_not_the_answer() -> None:
    instance = instance_of(ots_of_file("nspk.cafe"))
    killed: list[int] = []

    def kill_one(progress: Progress) -> None:
        if progress.levels and not killed:
            killed.extend(_maude_workers())
            for worker in killed:
                os.kill(worker, signal.SIGKILL)

    found = wide_search(instance, None, 5, Means(jobs=2), listener=kill_one)
    assert killed, "the search was over before anything was killed"
    assert (found.verdict, found.states) == ("holds", 180475)
    assert found.work is not None and found.work.repeated >= 1 and found.work.division is not None


def test_a_process_that_is_killed_costs_its_task_and_not_the_answer() -> None:
    instance = instance_of(ots_of_file("mcs.cafe"), {"Pid": ("p1", "p2", "p3")})
    mutex = invariant_named(instance, "mutex")
    killed: list[int] = []

    def kill_one(_: object) -> None:
        for child in _children() if not killed else ():
            killed.append(child)
            os.kill(child, signal.SIGKILL)

    found = wide_search(instance, mutex, 60, Means(jobs=2, compact=True), listener=kill_one)
    assert killed, "the search was over before anything was killed"
    assert (found.verdict, found.states, found.exhausted) == ("holds", 7597, True)
    assert found.work is not None and found.work.repeated >= 1


def _children() -> list[int]:
    with open(f"/proc/self/task/{threading.main_thread().native_id}/children", encoding="ascii") as stream:
        own = [int(word) for word in stream.read().split()]
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/children", encoding="ascii") as stream:
            own += [int(word) for word in stream.read().split()]
    return list(dict.fromkeys(own))


def _maude_workers() -> list[int]:
    return [child for child in _children() if b"maude_worker" in Path(f"/proc/{child}/cmdline").read_bytes()]


def test_a_process_that_always_dies_ends_the_search_with_an_error() -> None:
    instance = instance_of(ots_of_file("mcs.cafe"), {"Pid": ("p1", "p2", "p3", "p4")})
    stop = threading.Event()

    def killing() -> None:
        while not stop.is_set():
            for child in _children():
                os.kill(child, signal.SIGKILL)
            time.sleep(0.005)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(killing)
        try:
            with pytest.raises(OtsrwError) as caught:
                wide_search(instance, instance.ots.invariants[0], 60, Means(compact=True))
        finally:
            stop.set()
    assert caught.value.problem.code == "E518"


# --- limits


def test_what_is_known_is_kept_when_the_time_is_spent() -> None:
    instance = instance_of(ots_of_file("mcs.cafe"), {"Pid": ("p1", "p2", "p3", "p4")})
    found = wide_search(instance, instance.ots.invariants[0], 90, Means(jobs=2, compact=True), Limits(1.5))
    assert found.verdict == "unknown"
    assert "time is spent" in found.reason
    known = MaudeSpace(instance).search(None, 3).levels
    assert found.levels[:4] == known[: len(found.levels)], "as many levels as there was time for"


def test_what_is_known_is_kept_when_the_memory_is_spent() -> None:
    instance = instance_of(ots_of_file("mcs.cafe"), {"Pid": ("p1", "p2", "p3")})
    found = wide_search(instance, instance.ots.invariants[0], 60, Means(compact=True), Limits(None, 20_000_000))
    assert found.verdict == "unknown"
    assert "memory is spent" in found.reason


def test_no_process_is_left_behind() -> None:
    instance = instance_of(ots_of_file("mcs.cafe"), {"Pid": ("p1", "p2", "p3", "p4")})
    before = set(_children())
    wide_search(instance, instance.ots.invariants[0], 90, Means(jobs=2, compact=True), Limits(1.0))
    assert set(_children()) <= before


# --- values that depend on an order


PICKY = """
mod* PID { [Pid] }
mod! BAG { pr(PID) [Pid < Bag] op none : -> Bag {constr} op _;_ : Bag Bag -> Bag {constr assoc comm id: none}
  op first : Bag -> Pid  op put : Pid Bag -> Bag
  var P : Pid var B : Bag
  eq first(P ; B) = P .
  eq put(P, B) = P ; B . }
mod* S { pr(BAG) *[Sys]*
  op init : -> Sys   bop bag : Sys -> Bag   bop one : Sys -> Bag  bop add : Sys Pid -> Sys  op fine : Sys -> Bool
  var S : Sys  var P : Pid
  eq bag(init) = none .   eq one(init) = none .
  eq bag(add(S, P)) = put(P, bag(S)) .
  eq one(add(S, P)) = first(put(P, bag(S))) .
  eq fine(S) = true . }
"""


def test_values_that_depend_on_an_order_are_not_taken_as_symmetric() -> None:
    instance = instance_of(ots_of(PICKY), {"Pid": ("a", "b")})
    with pytest.raises(OtsrwError) as caught:
        wide_search(instance, instance.ots.invariants[0], 2, Means(symmetry=True))
    assert caught.value.problem.code == "E542"


# --- fingerprints


def test_a_store_of_fingerprints_is_a_set_with_parents() -> None:
    store = FingerprintStore()
    prints = [fingerprint(str(number)) for number in range(5000)]
    for number, each in enumerate(prints):
        assert store.add(each, max(number - 1, 0))
        assert not store.add(each, 0)
    assert len(store) == 5000
    assert all(store.knows(each) for each in prints)
    assert not store.knows(fingerprint("another"))
    assert store.path(7, 7) == prints[:8]
    assert store.memory < 40 * 5000


def test_the_risk_of_a_collision_is_that_of_the_birthday_problem() -> None:
    assert collision_risk(0) == collision_risk(1) == 0
    assert collision_risk(10**9) == pytest.approx(1.5e-21, rel=0.05)


def test_states_are_packed_without_a_loss() -> None:
    states = ["a\nb", "", "é (x) : y"]
    assert unpacked(packed(states)) == states

"""What tests of the explorer look at: a hotel, a protocol, and a system without terms behind it."""

from __future__ import annotations

from functools import cache

from specifications import instance_of, invariant_named, ots_of_file
from traces.systems import BAD, CHOICES

from otsrw.report.exhibit import Exhibit
from otsrw.search import maude_or_rewriting
from otsrw.search.rewriting_space import RewritingSpace
from otsrw.traces import ExplorationTables
from otsrw.traces.claims import Claim
from otsrw.traces.levels import GrowingSystem
from otsrw.traces.observed import observed_graph


@cache
def _specified(file: str, invariant: str, depth: int | None) -> Exhibit:
    instance = instance_of(ots_of_file(file))
    graph = observed_graph(maude_or_rewriting(instance), depth, invariant_named(instance, invariant))
    return Exhibit(ExplorationTables.of(graph.lts, graph.safety), Claim(invariant=invariant), f"specs/{file}", graph)


def hotel() -> Exhibit:
    return _specified("hotel.cafe", "safe", None)


def protocol() -> Exhibit:
    """The first three steps of the attack on NSPK."""
    return _specified("nspk.cafe", "send3-lemma", 3)


def choices() -> Exhibit:
    return Exhibit(ExplorationTables.of(CHOICES, BAD), Claim(invariant="safe"), "<spec>.cafe")


def growing(first: int) -> Exhibit:
    """The hotel, of which so many states are known at first."""
    instance = instance_of(ots_of_file("hotel.cafe"))
    system = GrowingSystem(
        RewritingSpace(instance), lambda graph: graph.safety, invariant_named(instance, "safe"), first=first
    )
    return Exhibit(system.opened(), Claim(invariant="safe"), "specs/hotel.cafe")

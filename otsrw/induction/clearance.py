"""How many steps are free of violations although nothing is proved: the search and the lemmas together tell.

docs/entities.md has the theorem: if no predicate within m links of the property is violated in R<=n, and all predicates
within fewer links have closed cases only, then the property is not violated in R<=n+m.
"""

from __future__ import annotations

from collections.abc import Mapping

from otsrw.induction.grounds import grounds_of
from otsrw.induction.kept import KeptStates
from otsrw.induction.results import ClearSteps, Node, NodeStatus
from otsrw.ots.enough import entity_demands
from otsrw.ots.instance import Instance
from otsrw.ots.model import Ots
from otsrw.reasoning.data_induction import DataProof
from otsrw.syntax.diagnostics import OtsrwError


def clear_steps(
    ots: Ots, kept: KeptStates, nodes: Mapping[str, Node], root: str, data: list[DataProof]
) -> ClearSteps | None:
    """What a proof that did not end says; None if it says nothing beyond the search."""
    levels = links_of(nodes, root)
    if levels is None or not _stands_for_all(kept.instance):
        return None
    near = [nodes[name] for level in levels for name in level]
    predicates = [node.predicate for node in near]
    try:
        if grounds_of(ots, predicates, data=data).missing or not all(map(kept.is_clear_of, predicates)):
            return None
        stated = [kept.lookup.as_invariant(predicate) for predicate in predicates]
        demands = entity_demands(kept.instance, stated)
    except OtsrwError:
        return None
    covered = demands.depth(kept.instance.given)
    is_enough = bool(demands.demands) and (covered is None or covered >= kept.depth)
    return ClearSteps(kept.depth, len(levels) - 1, is_enough, demands.enough(kept.depth))


def _stands_for_all(instance: Instance) -> bool:
    """Are its states all that there are with these entities: no values chosen, no element of a sort left out?"""
    return not (instance.meanings or instance.starts_left_out or instance.incomplete)


def links_of(nodes: Mapping[str, Node], root: str) -> list[list[str]] | None:
    """The predicates by their distance from the property, up to the first that has cases which are not closed.

    A link leads from a predicate to one that closes some of its cases. None if all that can be reached are closed.
    """
    levels = [[root]]
    seen = {root}
    while levels[-1]:
        if any(nodes[name].status not in (NodeStatus.CLOSED, NodeStatus.PROVED) for name in levels[-1]):
            return levels
        found = dict.fromkeys(other for name in levels[-1] for other in nodes if other in nodes[name].uses)
        levels.append([name for name in found if name not in seen])
        seen.update(found)
    return None

"""How many steps are free of violations although nothing is proved: the search and the lemmas together tell.

docs/entities.md has the theorem: if no predicate within m links of the property is violated in R<=n, and all predicates
within fewer links have closed cases only, then the property is not violated in R<=n+m.
"""

from __future__ import annotations

from collections.abc import Mapping

from otsrw.induction.cases import Predicate
from otsrw.induction.grounds import grounds_of
from otsrw.induction.kept import KeptStates
from otsrw.induction.results import ClearSteps, Node, NodeStatus, UnclearSteps, used_by
from otsrw.ots.enough import EntityDemands, entity_demands
from otsrw.ots.instance import Instance
from otsrw.ots.model import Ots
from otsrw.reasoning.data_induction import DataProof
from otsrw.soundness.claims import claim_text
from otsrw.syntax.diagnostics import OtsrwError


def clear_steps(
    ots: Ots, kept: KeptStates, nodes: Mapping[str, Node], root: str, data: list[DataProof]
) -> ClearSteps | UnclearSteps:
    """What a proof that did not end says, or which condition of the theorem fails."""
    levels = links_of(nodes, root)
    if levels is None:
        used = [node.predicate for name, node in nodes.items() if name in used_by(nodes, root)]
        return UnclearSteps(_doubted(ots, used, data) or "no case is open, but there is no proof")
    predicates = [nodes[name].predicate for level in levels for name in level]
    obstacle = _partial(kept.instance) or _doubted(ots, predicates, data) or _violable(kept, predicates)
    if obstacle is not None:
        return UnclearSteps(obstacle)
    try:
        demands = entity_demands(kept.instance, [kept.lookup.as_invariant(predicate) for predicate in predicates])
    except OtsrwError as error:
        return ClearSteps(kept.depth, len(levels) - 1, False, {}, error.problem.message)
    covered = demands.depth(kept.instance.given)
    is_enough = bool(demands.demands) and (covered is None or covered >= kept.depth)
    return ClearSteps(kept.depth, len(levels) - 1, is_enough, demands.enough(kept.depth), _unbounded(demands))


def _partial(instance: Instance) -> str | None:
    """Why its states are not all that there are with these entities; None if they are."""
    if instance.meanings:
        names = dict.fromkeys(axiom.lhs.op.name for axiom in instance.meanings)
        return f"values were chosen for {', '.join(names)}, which nothing defines"
    if instance.starts_left_out:
        return f"the search left out {instance.starts_left_out} initial states"
    if instance.incomplete:
        names = dict.fromkeys(sort.name for sort in instance.incomplete)
        return f"there are more elements of {', '.join(names)} than were searched with"
    return None


def _doubted(ots: Ots, predicates: list[Predicate], data: list[DataProof]) -> str | None:
    """What is not proved of the equations; None if all is."""
    try:
        missing = grounds_of(ots, predicates, data=data).missing
    except OtsrwError as error:
        return error.problem.message
    return f"it is not proved that {claim_text(missing[0])}" if missing else None


def _violable(kept: KeptStates, predicates: list[Predicate]) -> str | None:
    """The predicate that may be violated within the depth of the search; None if none is."""
    for predicate in predicates:
        try:
            is_clear = kept.is_clear_of(predicate)
        except OtsrwError:
            is_clear = False
        if not is_clear:
            what = "is false or has no truth value in a state within"
            return f"{predicate.name} {what} {kept.depth} steps, or cannot be evaluated there"
    return None


def _unbounded(demands: EntityDemands) -> str:
    """Why no number of entities is known to be enough; empty if one is."""
    if demands.obstacles:
        return demands.obstacles[0].reason
    return "" if demands.demands else "no sort is left open"


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

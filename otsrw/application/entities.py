"""What a search with some entities says about any number of them, and how many to take for that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from otsrw.application.stages import Instantiated, Recognised
from otsrw.ots import Instance
from otsrw.ots.enough import DemandObstacle, EntityDemands, entity_demands
from otsrw.ots.instance import ENOUGH, is_open, named_entities
from otsrw.ots.population import usual_entities
from otsrw.records import dataclass
from otsrw.syntax.diagnostics import OtsrwError

if TYPE_CHECKING:
    from otsrw.search import SearchResult


@dataclass(frozen=True, slots=True)
class EntityCoverage:
    """Whether a search that found nothing speaks for any number of entities."""

    demands: EntityDemands
    depth: int
    """As deep as was searched, or further, if all states were and these entities are enough for more."""
    is_complete: bool
    """Are its entities enough for that depth, and does no equation stand in the way?"""
    is_unbounded: bool
    """Are they enough for runs of any length, and were all states searched?"""
    asked: int
    """The depth that was asked for; if there are no more states, it may be greater than what was searched."""
    doubt: str | None = None
    """What is not proved of the equations, if that is all that is missing."""

    @property
    def is_for_any_number(self) -> bool:
        return self.is_complete and self.doubt is None

    @property
    def is_as_deep_as_asked(self) -> bool:
        return self.is_unbounded or (self.is_complete and self.depth >= self.asked)

    @property
    def needed(self) -> dict[str, int]:
        """So many entities of each sort are enough for the depth; nothing if that is not known."""
        return self.demands.enough(self.depth)


def coverage_of(instantiated: Instantiated, result: SearchResult) -> EntityCoverage:
    """What a search that ended says about other numbers of entities."""
    invariant = result.invariant
    demands = entity_demands(instantiated.instance, () if invariant is None else (invariant,))
    reached = len(result.levels) - 1 if result.exhausted else result.depth
    covered = demands.depth(result.entities)
    if (covered is not None and covered < reached) or not demands.demands or result.verdict != "holds":
        return EntityCoverage(demands, reached, False, False, result.depth)
    doubt = None if invariant is None else _doubt(instantiated.recognised, invariant.name)
    depth = covered if covered is not None and result.exhausted else reached
    return EntityCoverage(demands, depth, True, covered is None and result.exhausted, result.depth, doubt)


def _doubt(recognised: Recognised, name: str) -> str | None:
    """A claim about the equations that the theorem needs and `otsrw check` does not prove."""
    from otsrw.induction import Induction
    from otsrw.induction.grounds import grounds_of
    from otsrw.soundness.claims import claim_text

    stated = recognised.invariant(name)
    predicate = Induction(recognised.ots).predicate(name, stated.parameters, stated.formula)
    missing = grounds_of(recognised.ots, [predicate]).missing
    return claim_text(missing[0]) if missing else None


def trial_instance(recognised: Recognised, given: Sequence[str]) -> Instance:
    """An instance with a few entities where none are given, also of a sort whose elements are made of each other."""
    ots = recognised.ots
    entities = usual_entities(ots, given)
    used = [parameter.sort for transition in ots.transitions for parameter in transition.parameters]
    used += [sort for observer in ots.observers for sort in observer.indexes]
    missing = {sort.name: sort for sort in used if is_open(ots.module, sort) and sort.name not in entities}
    few = [f"{name}={1 + len(named_entities(ots, sort))}" for name, sort in missing.items()]
    return Instance(ots, usual_entities(ots, [*given, *few]))


def with_enough(recognised: Recognised, given: Sequence[str], depth: int, name: str) -> list[str]:
    """The entities given, where `Sort=enough` becomes the number that is enough for a depth."""
    wanted = [text.partition("=")[0].strip() for text in given if text.partition("=")[2].strip() == ENOUGH]
    if not wanted:
        return list(given)
    known = [text for text in given if text.partition("=")[0].strip() not in wanted]
    sorts = recognised.ots.module.visible_sorts()
    few = [f"{sort}={1 + len(named_entities(recognised.ots, sorts[sort][-1]))}" for sort in wanted if sort in sorts]
    trial = Instance(recognised.ots, usual_entities(recognised.ots, [*known, *few]))
    demands = entity_demands(trial, [each for each in trial.ots.invariants if each.name == name])
    enough = demands.enough(depth)
    for sort in wanted:
        if sort not in enough:
            obstacle = next(iter(demands.obstacles), DemandObstacle(f"{sort} has the elements of the specification"))
            message = f"no number of entities of {sort} is known to be enough: {obstacle.reason}"
            raise OtsrwError("E511", message, obstacle.span, "give entities, or a number of them")
    return [*known, *(f"{sort}={enough[sort]}" for sort in wanted)]

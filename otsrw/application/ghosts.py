"""A specification with ghost observers for what its numbers count, in modules of ours."""

from __future__ import annotations

from otsrw.application.stages import Recognised
from otsrw.application.widened import widened
from otsrw.induction.evidence import SIZES
from otsrw.ots.counting import Sample, counting_laws, number_sort
from otsrw.ots.ghosts import GhostModule, ghost_module
from otsrw.ots.instance import Instance, enlarged
from otsrw.ots.model import Ots
from otsrw.ots.population import usual_entities
from otsrw.records import NamedTuple
from otsrw.search import Limits, MaudeSpace
from otsrw.search.space import OutOfLimits
from otsrw.syntax.diagnostics import OtsrwError

COUNTED_STATES = 600
"""States of each instance that show what a number counts."""


class WithGhosts(NamedTuple):
    """A specification that imports another one, and the modules that make it."""

    recognised: Recognised
    ghosts: GhostModule

    @property
    def note(self) -> str:
        """What the lemmas speak of."""
        module = self.ghosts.module
        names = ", ".join(module.predicates)
        return f"lemmas may speak of who is counted: {names} of module {module.name}, which the proof score shows"


def with_ghosts(
    recognised: Recognised, invariant: str | None, given: tuple[str, ...] = (), timeout: float | None = None
) -> WithGhosts | None:
    """The OTS with ghost observers; None if no number counts entities in the states of small instances."""
    ots = recognised.ots
    if not _may_count(ots):
        return None
    samples = _samples(recognised, given, Limits(timeout))
    laws = counting_laws(ots, samples) if samples else []
    modules = recognised.loaded.session.library.modules
    found = ghost_module(ots, laws, modules, recognised.invariant(invariant)) if laws else None
    wider = None if found is None else widened(recognised, found.module)
    return None if found is None or wider is None else WithGhosts(wider, found)


def _may_count(ots: Ots) -> bool:
    """Is a number observed, and something of every entity?"""
    numbers = (not each.indexes and number_sort(ots.module, each.value) is not None for each in ots.observers)
    return any(numbers) and any(len(each.indexes) == 1 for each in ots.observers)


def _samples(recognised: Recognised, given: tuple[str, ...], limits: Limits) -> list[Sample]:
    """States of instances with three and with four entities; none if they cannot be searched."""
    ots = recognised.ots
    found = []
    try:
        entities = usual_entities(ots, given)
        for size in SIZES:
            instance = Instance(ots, enlarged(ots, entities, size), recognised.loaded.session.max_rewrites)
            with MaudeSpace(instance) as space:
                found.append(Sample(instance, space.sample(COUNTED_STATES, limits).states))
    except (OtsrwError, OutOfLimits):
        return []
    return found

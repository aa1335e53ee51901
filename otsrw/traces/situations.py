"""Where an exploration is: the tables that never change, and the situation that each verb makes anew.

The tables know which nodes of the arena have a violating continuation, and how to complete a run to a violating one.
They are computed once, for a whole graph or for a part of it (levels.py). A situation is a value: whoever holds one can
go on from it, as often as wanted, with the tables it belongs to.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from otsrw.records import dataclass, field, replace
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.arena import Arena
from otsrw.traces.continuations import ArenaRun, Continuations, MonitoredContinuations
from otsrw.traces.lts import Lts, Path
from otsrw.traces.neighbourhoods import Incoming, neighbourhoods_of
from otsrw.traces.product import Anything, Monitor, Product
from otsrw.traces.temporal import TemporalArena, TemporalContinuations, TemporalProperty
from otsrw.traces.trace import Label
from otsrw.traces.unfolding import unfolded

if TYPE_CHECKING:
    from otsrw.traces.levels import Level


@dataclass(frozen=True, slots=True)
class Shown:
    """What was already shown at one index: states there, and events that left it from a state."""

    states: frozenset[int] = frozenset()
    events: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Scene:
    """The run on display, the index in focus, and what was already shown at each index."""

    run: ArenaRun
    focus: int = 0
    shown: Mapping[int, Shown] = field(default_factory=dict)

    @property
    def node(self) -> int:
        """The node in focus."""
        return self.run.nodes[self.focus]

    @property
    def at_end(self) -> bool:
        """Whether no event follows the focus."""
        return self.focus == len(self.run.edges)

    def shown_at(self, index: int) -> Shown:
        return self.shown.get(index, Shown())

    def shown_with(self, index: int, what: Shown) -> dict[int, Shown]:
        """What was shown if something new is shown at an index: after it, nothing was shown yet."""
        return {i: s for i, s in self.shown.items() if i < index} | {index: what}


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything that verbs change: the scene on display, those that undo goes back to, and the bookmarks."""

    scene: Scene
    past: tuple[Scene, ...] = ()
    bookmarks: Mapping[str, Scene] = field(default_factory=dict)


class NothingToExplore(OtsrwError):
    """No run violates the property, as far as the graph goes; `which` says which runs are meant."""

    def __init__(self, within_the_bound: bool, which: str = "no run violates") -> None:
        where = "within the bound" if within_the_bound else "at all"
        super().__init__("E405", f"{which} the property {where}")
        self.within_the_bound = within_the_bound


@dataclass(frozen=True, eq=False, slots=True)
class ExplorationTables:
    """A system with what was computed about its violating runs; no verb changes it."""

    lts: Lts
    arena: Arena
    continuations: Continuations
    types: tuple[str, ...]
    """The event types of the system, in the order in which its labels come."""
    neighbourhoods: frozenset[int] | None
    """The nodes that are neighbourhoods; none without a property. None if that is not known yet."""
    start: Situation
    """Where every exploration begins."""
    claimed: bool
    """Whether there is a property; without one every run is shown."""
    complete: bool = True
    """Whether the system is all there is within the bounds; otherwise what is unknown is unknown yet."""
    level: Level | None = None
    """Where more is known from; None if the system was given as a whole."""

    @classmethod
    def of(cls, lts: Lts, claim: Monitor | TemporalProperty | None = None, complete: bool = True) -> ExplorationTables:
        """For the violations of a property, or, without one, for all runs; raises `NothingToExplore`."""
        arena, continuations = _ground(lts, claim)
        start = continuations.nearest(arena.initial)
        if start is None:
            raise NothingToExplore(any(arena.unknown[node] for node in arena.initial))
        types = [event.transition for event in lts.events]
        return cls(
            lts,
            arena,
            continuations,
            tuple(dict.fromkeys(types if complete else [*types, *lts.declared])),
            _neighbourhoods(arena, claim is not None, complete),
            Situation(Scene(continuations.completed((start,), ()))),
            claim is not None,
            complete,
        )

    def starting(self, start: Situation) -> ExplorationTables:
        """The same tables for explorations that begin elsewhere."""
        return replace(self, start=start)

    def state(self, node: int) -> int:
        """The state of the system at a node."""
        return self.arena.states[node]

    def action(self, edge: int) -> int:
        """The number of the label at an edge."""
        return self.lts.actions[self.arena.transitions[edge]]

    def event(self, edge: int) -> Label:
        """The label at an edge."""
        return self.lts.event(self.arena.transitions[edge])

    def path(self, scene: Scene) -> Path:
        """The run on display as a path of the system."""
        run = scene.run
        transitions = tuple(self.arena.transitions[edge] for edge in run.edges)
        return Path(tuple(map(self.state, run.nodes)), transitions, run.loop)

    def goes_on_violating(self, run: ArenaRun) -> bool:
        """Whether going round the loop of a run for ever violates the property."""
        if isinstance(self.arena, TemporalArena):
            return self.arena.refutes(self.path(Scene(run)))
        assert isinstance(self.arena, Product), "an arena is that of a formula or of a monitor"
        return not self.arena.monitor.decision_violates and all(self.arena.undecided[node] for node in run.nodes)

    def is_neighbourhood(self, node: int) -> bool | None:
        """Whether a node is a neighbourhood; None if that is not known yet."""
        return None if self.neighbourhoods is None else node in self.neighbourhoods

    def remembered(self, node: int) -> str | None:
        """What the rest of a run still has to do after a node; None if the property is no formula."""
        return self.arena.remembered(self.arena.modes[node]) if isinstance(self.arena, TemporalArena) else None

    def violated_at(self, scene: Scene, index: int) -> bool:
        """Whether the run on display up to this index violates the property, whatever follows."""
        return self.arena.is_violated(scene.run.nodes[index])


def _ground(lts: Lts, claim: Monitor | TemporalProperty | None) -> tuple[Arena, Continuations]:
    if isinstance(claim, TemporalProperty):
        arena = TemporalArena(lts, claim)
        return arena, TemporalContinuations(arena)
    product = Product(lts, claim or Anything())
    return product, MonitoredContinuations(product)


def _neighbourhoods(arena: Arena, claimed: bool, complete: bool) -> frozenset[int] | None:
    """Nodes at which a choice decides. A part of a graph does not tell: the rest may lead to them otherwise.

    They are those of `simplify`: of a formula the states of its product, of other properties the states of the system.
    """
    if not claimed:
        return frozenset()
    if not complete:
        return None
    if isinstance(arena, TemporalArena):
        unfolding, colours = unfolded(arena)
        found, number_of = neighbourhoods_of(unfolding.lts, colours, Incoming.ALL), unfolding.numbers
    else:
        late = arena.after_violation if isinstance(arena, Product) else b""
        found, number_of = neighbourhoods_of(arena.lts, arena.colours(), Incoming.ALL, late), arena.states
    states = {neighbourhood.state for neighbourhood in found}
    return frozenset(node for node, number in enumerate(number_of) if number in states)

"""Tables that grow: what an exploration knows of a system whose graph is not made at once.

A level is a part of the graph, breadth first, with its tables; the next one has `GROWTH` times as many states, and the
last one is the whole graph within the bounds. All levels together cost a third more than the last one. A state beyond
the part that is known is expanded when the focus comes to it. So what is known depends on the verbs alone, never on
the clock: `grow` goes to the next level, and a program that makes levels in the background says `grow` when one is
ready.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from threading import RLock

from otsrw.ots.model import Invariant
from otsrw.ots.stepping import State
from otsrw.records import dataclass, field, replace
from otsrw.search.space import OutOfLimits, SearchListener, StateSpace, telling
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.traces.continuations import ArenaRun
from otsrw.traces.given import GivenRun, beginning_with, states_on
from otsrw.traces.lts import Path
from otsrw.traces.observed import ObservedGraph, beginning_of, observed_graph
from otsrw.traces.product import Monitor
from otsrw.traces.situations import ExplorationTables, NothingToExplore, Scene, Shown, Situation
from otsrw.traces.temporal import TemporalProperty, WholeGraphNeeded

FIRST_LEVEL = 2_000
"""States of the first level."""
GROWTH = 4
"""How many times as many states the next level has."""

_BREATH = 0.002
"""Seconds in which others may use terms while a level is made."""

Property = Monitor | TemporalProperty | None


@dataclass(frozen=True, eq=False)
class GrowingSystem:
    """The graph of a specification, level by level; each level is made once."""

    space: StateSpace
    property_of: Callable[[ObservedGraph], Property]
    """What is claimed, in the numbers of a graph."""
    invariant: Invariant | None = None
    depth: int | None = None
    max_states: int = 50_000
    first: int = FIRST_LEVEL
    lock: RLock = field(default_factory=RLock)
    """Terms are made by one thread at a time: whoever makes some in another thread than a level holds this."""
    _made: dict[int, Level] = field(default_factory=dict)

    def level(self, number: int, listener: SearchListener | None = None) -> Level:
        """A level with its tables; if nothing violates the property in it, the tables are missing."""
        if number not in self._made:
            most = min(self.first * GROWTH**number, self.max_states)
            with self.lock:
                graph = self._graph(most, listener)
            self._made[number] = Level(self, number, graph, not graph.cut or most == self.max_states)
        return self._made[number]

    def _graph(self, most: int, listener: SearchListener | None) -> ObservedGraph:
        tell = telling(listener, self._breathe)
        try:
            return observed_graph(self.space, self.depth, self.invariant, most, tell)
        except OutOfLimits as stop:
            raise BudgetExceeded("E402", str(stop), hint="give a smaller --depth or --max-states") from None

    @property
    def last(self) -> Level:
        """The greatest level so far."""
        return self._made[max(self._made)]

    def _breathe(self) -> None:
        """Let others have the lock for a moment; nothing is being rewritten now."""
        self.lock.release()
        time.sleep(_BREATH)
        self.lock.acquire()

    def opened(self, listener: SearchListener | None = None, given: GivenRun | None = None) -> ExplorationTables:
        """The tables of the first level in which there is something to explore; raises `NothingToExplore`.

        Fairness needs the whole graph: then this is the last level. A run that is given is the beginning of the first
        run on display; raises `NotFollowed` if it is none of the system.
        """
        along = None if given is None else self._along(given)
        number = 0
        while True:
            level = self.level(number, listener)
            try:
                return level.tables() if given is None else level.widened(along or ()).tables_for(given)
            except (NothingToExplore, WholeGraphNeeded):
                if level.complete:
                    raise
            number += 1

    def _along(self, given: GivenRun) -> list[State]:
        """The states at which a run may be, found without the rest of the graph."""
        graph = beginning_of(self.space.instance, self.invariant)
        states: list[State] = []
        for length in range(len(given.steps) + 1):
            layer = states_on(graph.lts, replace(given, steps=given.steps[:length]))[-1]
            found = [graph.state(number) for number in sorted(layer)]
            graph = graph.widened(found)
            states += found
        return states


@dataclass(frozen=True, eq=False)
class Level:
    """A part of a graph; `complete` says that no other level follows."""

    system: GrowingSystem
    number: int
    graph: ObservedGraph
    complete: bool
    _tables: list[ExplorationTables] = field(default_factory=list)

    def tables(self) -> ExplorationTables:
        """The tables of this part, made once; raises `NothingToExplore`."""
        if not self._tables:
            claim = self.system.property_of(self.graph)
            self._tables.append(replace(ExplorationTables.of(self.graph.lts, claim, self.complete), level=self))
        return self._tables[0]

    def tables_for(self, given: GivenRun) -> ExplorationTables:
        """Tables that begin with a run; raises `NothingToExplore` if no violation that follows it is known."""
        return beginning_with(self.tables(), given)

    def widened(self, states: Iterable[State]) -> Level:
        """This level with some states more expanded."""
        with self.system.lock:
            return replace(self, graph=self.graph.widened(states), _tables=[])

    def next(self) -> Level:
        """The next level, in which the states are expanded that were expanded by themselves in this one."""
        following = self.system.level(self.number + 1)
        wanted = [
            number
            for number in sorted(self.graph.beyond)
            if (known := following.graph.number(self.graph.values(number))) is None
            or known in following.graph.lts.frontier
        ]
        if not wanted or (following.complete and not following.graph.cut):
            return following
        return following.widened([self.graph.state(number) for number in wanted])

    def may_expand(self, steps: int) -> bool:
        """Whether a state may be expanded that was reached in so many steps."""
        whole = self.complete and not self.graph.cut
        return not whole and (self.system.depth is None or steps < self.system.depth)


def grown(tables: ExplorationTables, situation: Situation) -> tuple[ExplorationTables, Situation]:
    """The tables of the next level and the same situation there; the same ones if there is none."""
    level = tables.level
    if level is None or level.complete:
        return tables, situation
    return _moved(tables, level.next().tables(), situation)


def focus_expanded(tables: ExplorationTables, situation: Situation) -> tuple[ExplorationTables, Situation]:
    """Tables in which the state in focus is expanded, if it may be, and the same situation there."""
    scene, level = situation.scene, tables.level
    if level is None or tables.state(scene.node) not in tables.lts.frontier or not level.may_expand(scene.focus):
        return tables, situation
    path = tables.path(scene)
    beginning = Path(path.states[: scene.focus + 1], path.transitions[: scene.focus])
    with level.system.lock:
        wider = level.widened(level.graph.run(beginning).states[-1:])
    return _moved(tables, wider.tables(), situation)


def _moved(old: ExplorationTables, new: ExplorationTables, situation: Situation) -> tuple[ExplorationTables, Situation]:
    """The same situation in the numbers of other tables."""
    move = _Moving(old, new).scene
    bookmarks = {name: move(scene) for name, scene in situation.bookmarks.items()}
    return new, Situation(move(situation.scene), tuple(map(move, situation.past)), bookmarks)


class _Moving:
    """Finds the nodes and edges of a run again: by the values of the states and the labels between them."""

    def __init__(self, old: ExplorationTables, new: ExplorationTables) -> None:
        assert old.level is not None and new.level is not None
        self._old, self._new = old, new
        self._before, self._after = old.level.graph, new.level.graph
        self._actions = {event: number for number, event in enumerate(new.lts.events)}

    def scene(self, scene: Scene) -> Scene:
        shown = {index: self._shown(what) for index, what in scene.shown.items()}
        return Scene(self._run(scene.run), scene.focus, shown)

    def _state(self, state: int) -> int | None:
        return self._after.number(self._before.values(state))

    def _shown(self, shown: Shown) -> Shown:
        """What is not in the other tables is forgotten: it may be shown again."""
        states = (self._state(state) for state in shown.states)
        events = (
            (self._state(state), self._actions.get(self._old.lts.events[action])) for state, action in shown.events
        )
        return Shown(
            frozenset(state for state in states if state is not None),
            frozenset((state, action) for state, action in events if state is not None and action is not None),
        )

    def _run(self, run: ArenaRun) -> ArenaRun:
        new, arena = self._new, self._new.arena
        start = self._state(self._old.state(run.nodes[0]))
        nodes, edges = [next(node for node in arena.initial if arena.states[node] == start)], []
        for edge, node in zip(run.edges, run.nodes[1:], strict=True):
            event, target = self._old.event(edge), self._state(self._old.state(node))
            taken = next(
                e for e in arena.edges(nodes[-1]) if new.event(e) == event and arena.states[arena.heads[e]] == target
            )
            edges.append(taken)
            nodes.append(arena.heads[taken])
        return ArenaRun(tuple(nodes), tuple(edges), run.loop)

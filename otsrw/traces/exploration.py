"""One interaction for simulation and for counterexamples.

*Unifying interactive simulation and counter-example exploration*, section 2: a state of the exploration is a property,
a run, a focus and, for each index, what is still allowed there. Every verb answers with a whole run that violates the
property and agrees with the last one up to the focus; without a property every run will do. Viol is computed once, so
each verb is a look-up among the successors of one node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces.arena import Arena
from otsrw.traces.continuations import Continuations, MonitoredContinuations, Run
from otsrw.traces.lts import Lts, Path
from otsrw.traces.neighbourhoods import Incoming, neighbourhoods_of
from otsrw.traces.product import Anything, Monitor, Product
from otsrw.traces.temporal import TemporalArena, TemporalContinuations, TemporalProperty
from otsrw.traces.trace import Label, Trace, Value


class Possibility(StrEnum):
    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Shown:
    """What was already shown at one index: states there, and events that left it from a state."""

    states: frozenset[int] = frozenset()
    events: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Situation:
    """The run on display, the index in focus, and what was shown at each index."""

    run: Run
    focus: int = 0
    shown: Mapping[int, Shown] = field(default_factory=dict)

    def shown_at(self, index: int) -> Shown:
        return self.shown.get(index, Shown())


@dataclass(frozen=True, slots=True)
class View:
    """What a user sees: the state in focus, the next event and its outcome, what differs, which events could be."""

    focus: int
    length: int
    loop: int | None
    state: int
    observers: Mapping[str, Value]
    event: Label | None
    outcome: Mapping[str, Value] | None
    changed: tuple[str, ...]
    types: Mapping[str, Possibility]
    violated: bool
    neighbourhood: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a verb could be done; if not, nothing has changed and `reason` says why."""

    possibility: Possibility
    reason: str
    view: View

    def __bool__(self) -> bool:
        return self.possibility is Possibility.POSSIBLE


class NothingToExplore(OtsrwError):
    """No run violates the property, as far as the graph goes."""

    def __init__(self, within_the_bound: bool) -> None:
        where = "within the bound" if within_the_bound else "at all"
        super().__init__("E405", f"no run violates the property {where}")
        self.within_the_bound = within_the_bound


class Explorer:
    """The state of one exploration, with undo and bookmarks.

    >>> from otsrw.traces import Lts
    >>> explorer = Explorer(Lts.of(3, [0], [(0, "COIN", 1), (1, "TEA", 2), (1, "COFFEE", 2)]))
    >>> explorer.forward().possibility.name, explorer.pick("COFFEE").possibility.name
    ('POSSIBLE', 'POSSIBLE')
    """

    def __init__(self, lts: Lts, claim: Monitor | TemporalProperty | None = None) -> None:
        self.lts = lts
        self.simulates = claim is None
        """There is no property: every run is worth a look."""
        self.product: Arena
        self.continuations: Continuations
        if isinstance(claim, TemporalProperty):
            arena = TemporalArena(lts, claim)
            self.product, self.continuations = arena, TemporalContinuations(arena)
        else:
            product = Product(lts, claim or Anything())
            self.product, self.continuations = product, MonitoredContinuations(product)
        self.types = tuple(dict.fromkeys(event.transition for event in lts.events))
        start = self._nearest(self.product.initial)
        if start is None:
            raise NothingToExplore(any(self.product.unknown[node] for node in self.product.initial))
        self._start = Situation(self.continuations.completed((start,), ()))
        self.restart()

    def restart(self) -> None:
        """Forget everything but the tables."""
        self._situation = self._start
        self._past: list[Situation] = []
        self.bookmarks: dict[str, Situation] = {}

    # What is on display

    @cached_property
    def neighbourhoods(self) -> frozenset[int]:
        """States that are neighbourhoods; none without a property."""
        if self.simulates:
            return frozenset()
        found = neighbourhoods_of(self.lts, self.product.colours(), Incoming.ALL)
        return frozenset(neighbourhood.state for neighbourhood in found)

    @property
    def path(self) -> Path:
        run = self._situation.run
        states = tuple(self.product.states[node] for node in run.nodes)
        return Path(states, tuple(self.product.transitions[edge] for edge in run.edges), run.loop)

    def export(self) -> Trace:
        return self.path.trace(self.lts)

    def view(self) -> View:
        run, focus = self._situation.run, self._situation.focus
        state = self._state(run.nodes[focus])
        before = self.lts.observation(state)
        event = outcome = None
        changed: tuple[str, ...] = ()
        if focus < len(run.edges):
            event = self.lts.event(self.product.transitions[run.edges[focus]])
            outcome = self.lts.observation(self._state(run.nodes[focus + 1]))
            changed = Trace.of([(None, before), (event, outcome)]).states[1].changed
        return View(
            focus,
            len(run.edges),
            run.loop,
            state,
            before,
            event,
            outcome,
            changed,
            self.possible_types(),
            self.violated_at(focus),
            state in self.neighbourhoods,
        )

    def violated_at(self, index: int) -> bool:
        """Whether the run up to a state of it violates the property, however it goes on."""
        return self.product.is_violated(self._situation.run.nodes[index])

    def possible_types(self) -> dict[str, Possibility]:
        """For each event type, whether it can follow the focus on a violating run."""
        node = self._situation.run.nodes[self._situation.focus]
        if self._state(node) in self.lts.frontier:
            return dict.fromkeys(self.types, Possibility.UNKNOWN)
        found = dict.fromkeys(self.types, Possibility.IMPOSSIBLE)
        for edge in self.product.edges(node):
            kind, head = self._event(edge).transition, self.product.heads[edge]
            if self.product.violating[head]:
                found[kind] = Possibility.POSSIBLE
            elif self.product.unknown[head] and found[kind] is Possibility.IMPOSSIBLE:
                found[kind] = Possibility.UNKNOWN
        return found

    # The verbs

    def look(self) -> Answer:
        """What is on display, unchanged."""
        return self._answer()

    def forward(self) -> Answer:
        """Focus on the next state; at the end of a run, make it longer."""
        now = self._situation
        if now.focus < len(now.run.edges):
            return self._moved(replace(now, focus=now.focus + 1))
        run = now.run
        if run.loop is not None:
            again = Run((*run.nodes, run.nodes[run.loop + 1]), (*run.edges, run.edges[run.loop]), run.loop + 1)
            return self._moved(replace(now, run=again, focus=now.focus + 1))
        return self._extended(lambda edge: True, "nothing can follow this state", step=1)

    def back(self) -> Answer:
        """Focus on the previous state."""
        if not self._situation.focus:
            return self._refused(Possibility.IMPOSSIBLE, "this is the initial state")
        return self._moved(replace(self._situation, focus=self._situation.focus - 1))

    def other_outcome(self) -> Answer:
        """Another state after the previous event, or another initial state."""
        now, product = self._situation, self.product
        focus, run = now.focus, now.run
        shown = now.shown_at(focus)
        states = shown.states | {self._state(run.nodes[focus])}
        if focus:
            taken = run.edges[focus - 1]
            action = self._action(taken)
            edges = {product.heads[e]: e for e in product.edges(run.nodes[focus - 1]) if self._action(e) == action}
        else:
            edges = dict.fromkeys(product.initial, -1)
        others = [node for node in edges if self._state(node) not in states]
        node = self._nearest(others)
        if node is None:
            return self._exhausted(focus, Shown(events=shown.events), others, bool(shown.states), "outcome")
        entered = (*run.edges[: focus - 1], edges[node]) if focus else ()
        completed = self.continuations.completed((*run.nodes[:focus], node), entered)
        return self._moved(Situation(completed, focus, self._remember(focus, Shown(states, shown.events))))

    def other_parameters(self) -> Answer:
        """Another event of the same type from the state in focus."""
        now = self._situation
        if now.focus == len(now.run.edges):
            return self._refused(Possibility.IMPOSSIBLE, "no event follows this state")
        node, edge = now.run.nodes[now.focus], now.run.edges[now.focus]
        shown = now.shown_at(now.focus)
        events = shown.events | {(self._state(node), self._action(edge))}
        kind = self._event(edge).transition
        others = [
            e
            for e in self.product.edges(node)
            if self._event(e).transition == kind and (self._state(node), self._action(e)) not in events
        ]
        heads = [self.product.heads[e] for e in others]
        head = self._nearest(heads)
        if head is None:
            return self._exhausted(now.focus, Shown(states=shown.states), heads, bool(shown.events), f"{kind} event")
        return self._followed(others[heads.index(head)], self._remember(now.focus, Shown(shown.states, events)))

    def pick(self, kind: str) -> Answer:
        """An event of some type as the next one."""
        if kind not in self.types:
            return self._refused(Possibility.IMPOSSIBLE, f"there is no event type {kind!r}")
        return self._extended(
            lambda edge: self._event(edge).transition == kind, f"no {kind} leads to a violation from here"
        )

    def go(self, index: int) -> Answer:
        """Focus on a state of the run by its number."""
        if not 0 <= index < len(self._situation.run.nodes):
            return self._refused(Possibility.IMPOSSIBLE, f"the run has no state {index}")
        return self._moved(replace(self._situation, focus=index))

    def jump(self, forwards: bool = True) -> Answer:
        """Focus on the next, or the previous, neighbourhood of the run."""
        now = self._situation
        last = len(now.run.nodes)
        order = range(now.focus + 1, last) if forwards else range(now.focus - 1, -1, -1)
        for index in order:
            if self._state(now.run.nodes[index]) in self.neighbourhoods:
                return self._moved(replace(now, focus=index))
        return self._refused(Possibility.IMPOSSIBLE, "no neighbourhood in this direction")

    def undo(self) -> Answer:
        if not self._past:
            return self._refused(Possibility.IMPOSSIBLE, "nothing to undo")
        self._situation = self._past.pop()
        return self._answer()

    def bookmark(self, name: str) -> None:
        self.bookmarks[name] = self._situation

    def return_to(self, name: str) -> Answer:
        if name not in self.bookmarks:
            return self._refused(Possibility.IMPOSSIBLE, f"no bookmark {name!r}")
        return self._moved(self.bookmarks[name])

    # How they do it

    def _state(self, node: int) -> int:
        return self.product.states[node]

    def _action(self, edge: int) -> int:
        return self.lts.actions[self.product.transitions[edge]]

    def _event(self, edge: int) -> Label:
        return self.lts.event(self.product.transitions[edge])

    def _nearest(self, nodes: list[int]) -> int | None:
        """Of the nodes that can violate, one that is nearest to it, the first of several."""
        violating = [node for node in nodes if self.product.violating[node]]
        return min(violating, key=lambda node: self.continuations.distance[node], default=None)

    def _remember(self, index: int, shown: Shown) -> dict[int, Shown]:
        """Everything is allowed again after an index at which something changes."""
        return {i: s for i, s in self._situation.shown.items() if i < index} | {index: shown}

    def _extended(self, wanted: Callable[[int], bool], reason: str, step: int = 0) -> Answer:
        now = self._situation
        node = now.run.nodes[now.focus]
        edges = [edge for edge in self.product.edges(node) if wanted(edge)]
        heads = [self.product.heads[edge] for edge in edges]
        head = self._nearest(heads)
        if head is None:
            if self._state(node) in self.lts.frontier or any(self.product.unknown[head] for head in heads):
                return self._refused(Possibility.UNKNOWN, "not known within the bound")
            return self._refused(Possibility.IMPOSSIBLE, reason)
        shown = {index: what for index, what in now.shown.items() if index <= now.focus}
        return self._followed(edges[heads.index(head)], shown, step)

    def _followed(self, edge: int, shown: Mapping[int, Shown], step: int = 0) -> Answer:
        """The run takes an edge after the focus and is completed."""
        now = self._situation
        nodes = (*now.run.nodes[: now.focus + 1], self.product.heads[edge])
        completed = self.continuations.completed(nodes, (*now.run.edges[: now.focus], edge))
        return self._moved(Situation(completed, now.focus + step, shown))

    def _exhausted(self, index: int, kept: Shown, others: list[int], some_shown: bool, what: str) -> Answer:
        """No other choice is left; the next question starts over."""
        self._situation = replace(self._situation, shown=self._remember(index, kept))
        if any(self.product.unknown[node] for node in others):
            return self._refused(Possibility.UNKNOWN, f"no other {what} is known within the bound")
        reason = f"every {what} has been shown" if some_shown else f"there is no other {what}"
        return self._refused(Possibility.IMPOSSIBLE, reason)

    def _moved(self, situation: Situation) -> Answer:
        self._past.append(self._situation)
        self._situation = situation
        return self._answer()

    def _answer(self) -> Answer:
        return Answer(Possibility.POSSIBLE, "", self.view())

    def _refused(self, possibility: Possibility, reason: str) -> Answer:
        return Answer(possibility, reason, self.view())

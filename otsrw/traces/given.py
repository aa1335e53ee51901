"""Runs that users bring, and how a system follows them.

A step names an event, or what is observed after it, or both. A name without arguments stands for every event of that
type, so several runs may fit: all are followed at once. A step that none of them can take is a problem at its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from otsrw.records import dataclass, field
from otsrw.syntax.diagnostics import SyntaxProblem, did_you_mean
from otsrw.syntax.source import Span
from otsrw.traces.continuations import ArenaRun
from otsrw.traces.lts import Lts
from otsrw.traces.situations import ExplorationTables, NothingToExplore, Scene, Situation
from otsrw.traces.trace import Label, Value

_MOST_NAMED = 8
"""How many events a hint names."""

Edge = tuple[int, int, int]
"""A number, and the places before and after it."""

Likeness = Callable[[Value, Value], bool]
"""Whether two values are taken as the same."""

_WORDS = re.compile(r"[^\s,;()]+|[,;()]")


def same(one: Value, other: Value) -> bool:
    """Whether two values are written in the same way; `true` is not 1."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def same_words(one: Value, other: Value) -> bool:
    """Whether two values have the same words, in any order: a run of another day shows sets in another order."""
    return same(one, other) or (
        isinstance(one, str) and isinstance(other, str) and sorted(_WORDS.findall(one)) == sorted(_WORDS.findall(other))
    )


@dataclass(frozen=True, slots=True)
class GivenStep:
    """What is given of one step: its event, values of observers after it, and where that is written."""

    span: Span
    label: Label | None = None
    values: Mapping[str, Value] = field(default_factory=dict)

    def fits(self, event: Label, observed: Mapping[str, Value], likeness: Likeness) -> bool:
        return self.names(event, likeness) and not self.differing(observed, likeness)

    def names(self, event: Label, likeness: Likeness) -> bool:
        """Whether an event is the one that is named; a name without arguments is that of its type."""
        label = self.label
        if label is None or (not label.arguments and label.transition == event.transition):
            return True
        return label.transition == event.transition and likeness(str(label), str(event))

    def differing(self, observed: Mapping[str, Value], likeness: Likeness) -> str | None:
        """An observer with another value than the one given; None if there is none.

        Names that are no observers are those of another tool.
        """
        for name, value in self.values.items():
            if name in observed and not likeness(observed[name], value):
                return name
        return None


@dataclass(frozen=True, slots=True)
class GivenRun:
    """Steps from an initial state on; `start` is None if nothing is said of it."""

    steps: tuple[GivenStep, ...]
    start: GivenStep | None = None
    loop: int | None = None
    """The number of steps after which the loop begins that the rest goes round for ever; None if there is none."""


class NotFollowed(SyntaxProblem):
    """A run that somebody brought is none of the system's."""

    def __init__(self, message: str, span: Span, hint: str | None = None) -> None:
        super().__init__("E130", message, span, hint)


class RunUndecided(NothingToExplore):
    """A run can be followed, but it is not known whether it leads to a violation."""

    def __init__(self) -> None:
        super().__init__(True, "no run that begins as given violates")


class _Following:
    """Follows a run through places, which are states of a system or nodes of an arena."""

    def __init__(
        self,
        observed: Callable[[int], Mapping[str, Value]],
        edges: Callable[[int], Iterable[Edge]],
        event: Callable[[int], Label],
        is_expanded: Callable[[int], bool],
    ) -> None:
        self._observed, self._edges, self._event, self._is_expanded = observed, edges, event, is_expanded

    def layers(self, initial: Iterable[int], given: GivenRun) -> list[dict[int, tuple[int, int]]]:
        """For each moment the places where a run may be, with the edge and the place it may have come from."""
        start = given.start
        layer = {
            place: (-1, -1)
            for place in initial
            if start is None or not start.differing(self._observed(place), same_words)
        }
        if not layer:
            assert start is not None
            raise NotFollowed("no initial state has these values", start.span, self._initially(initial, start))
        layers = [layer]
        for number, step in enumerate(given.steps, 1):
            layers.append(self._next(number, step, layers[-1]))
        return layers

    def _next(self, number: int, step: GivenStep, layer: Iterable[int]) -> dict[int, tuple[int, int]]:
        found: dict[int, tuple[int, int]] = {}
        possible = [edge for place in layer for edge in self._edges(place)]
        for likeness in (same, same_words):
            for edge, source, target in possible:
                if step.fits(self._event(edge), self._observed(target), likeness):
                    found.setdefault(target, (edge, source))
            if found:
                return found
        if all(map(self._is_expanded, layer)):
            raise self._refusal(number, step, possible)
        hint = "give a greater --depth, or more with --max-states"
        raise NotFollowed(f"step {number} lies beyond the bound", step.span, hint)

    def _refusal(self, number: int, step: GivenStep, possible: Sequence[Edge]) -> NotFollowed:
        named = [target for edge, _, target in possible if step.names(self._event(edge), same_words)]
        events = list(dict.fromkeys(str(self._event(edge)) for edge, _, _ in possible))
        what = "the step" if step.label is None else str(step.label)
        if named:
            wrong = self._differing(step, named[0])
            return NotFollowed(f"step {number}: after {what} {wrong}", step.span)
        if not events:
            return NotFollowed(f"step {number}, {what}, cannot happen: nothing can", step.span)
        more = f" and {len(events) - _MOST_NAMED} others" if len(events) > _MOST_NAMED else ""
        hint = f"possible here: {', '.join(events[:_MOST_NAMED])}{more}"
        meant = None if step.label is None else did_you_mean(what, events)
        return NotFollowed(
            f"step {number}, {what}, cannot happen here", step.span, f"{meant} {hint}" if meant else hint
        )

    def _differing(self, step: GivenStep, place: int) -> str:
        observed = self._observed(place)
        name = step.differing(observed, same_words)
        assert name is not None
        return f"{name} is {observed[name]}, not {step.values[name]}"

    def _initially(self, initial: Iterable[int], start: GivenStep) -> str:
        return f"initially {self._differing(start, next(iter(initial)))}"


def states_on(lts: Lts, given: GivenRun) -> list[frozenset[int]]:
    """The states of a system where a run may be at each moment; raises `NotFollowed` if the run is none of it."""
    _check_names(lts, given)
    following = _Following(
        lts.observation,
        lambda state: [(t, state, lts.targets[t]) for t in lts.outgoing.of(state)],
        lts.event,
        lambda state: state not in lts.frontier,
    )
    return [frozenset(layer) for layer in following.layers(dict.fromkeys(lts.initial), given)]


def _check_names(lts: Lts, given: GivenRun) -> None:
    """An ITF trace without labels says something only if it names observers."""
    for step in given.steps:
        if step.label is None and not set(step.values) & set(lts.observers):
            hint = f"observers are {', '.join(lts.observers[:_MOST_NAMED])}" if lts.observers else None
            raise NotFollowed("a step without an event, and without a value of an observer", step.span, hint)


def beginning_with(tables: ExplorationTables, given: GivenRun) -> ExplorationTables:
    """Tables whose first run begins with the given one, and goes on to a violation if it is none yet.

    Raises `NotFollowed` if there is no such run, and `RunUndecided` if that is not known.
    """
    arena = tables.arena
    following = _Following(
        lambda node: tables.lts.observation(tables.state(node)),
        lambda node: [(edge, node, arena.heads[edge]) for edge in arena.edges(node)],
        tables.event,
        lambda node: tables.state(node) not in tables.lts.frontier,
    )
    _check_names(tables.lts, given)
    layers = following.layers(arena.initial, given)
    if given.loop is not None and not any(arena.is_violated(node) for node in layers[-1]):
        looping = _looping(tables, given, layers)
        if looping is not None:
            return tables.starting(Situation(Scene(looping)))
    last = tables.continuations.nearest(list(layers[-1]))
    if last is None:
        if any(arena.unknown[node] for node in layers[-1]):
            raise RunUndecided
        span = given.steps[-1].span if given.steps else None
        message = "the run is possible, but it violates nothing, and nothing that follows it does"
        raise NotFollowed(message, span) if span is not None else SyntaxProblem("E130", message)
    nodes, edges = _traced(layers, last)
    run: ArenaRun = tables.continuations.completed(tuple(nodes), tuple(edges))
    return tables.starting(Situation(Scene(run)))


def _traced(layers: list[dict[int, tuple[int, int]]], last: int) -> tuple[list[int], list[int]]:
    """The nodes and edges of the run that comes to a node of the last layer."""
    nodes, edges = [last], list[int]()
    for layer in reversed(layers[1:]):
        edge, node = layer[nodes[-1]]
        edges.append(edge)
        nodes.append(node)
    return nodes[::-1], edges[::-1]


def _looping(tables: ExplorationTables, given: GivenRun, layers: list[dict[int, tuple[int, int]]]) -> ArenaRun | None:
    """The run that goes round the given loop for ever, if that violates the property; None if it does not.

    Going round once may change what the property remembers, so the run goes round until that comes again, too.
    """
    loop = given.loop
    assert loop is not None, "only a lasso has a loop"
    for last in layers[-1]:
        nodes, edges = _traced(layers, last)
        if tables.state(nodes[loop]) != tables.state(last):
            continue
        run = _rounds(tables, nodes, edges, loop)
        if tables.goes_on_violating(run):
            return run
    return None


def _rounds(tables: ExplorationTables, nodes: list[int], edges: list[int], loop: int) -> ArenaRun:
    arena = tables.arena
    around = [arena.transitions[edge] for edge in edges[loop:]]
    begun = {nodes[loop]: loop}
    while nodes[-1] not in begun:
        begun[nodes[-1]] = len(edges)
        for transition in around:
            edges.append(next(edge for edge in arena.edges(nodes[-1]) if arena.transitions[edge] == transition))
            nodes.append(arena.heads[edges[-1]])
    return ArenaRun(tuple(nodes), tuple(edges), begun[nodes[-1]])

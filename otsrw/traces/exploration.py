"""One interaction for simulation and for counterexamples: what each verb makes of a situation.

*Unifying interactive simulation and counter-example exploration*, section 2: a state of the exploration is a property,
a run, a focus and, for each index, what is still allowed there. Every verb answers with a whole run that violates the
property and agrees with the last one up to the focus; without a property every run will do. The violating nodes are
computed once (`ExplorationTables`), so each verb is a look-up among the successors of one node. A verb changes nothing:
`apply` returns the new situation, and new tables if more of the system is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from otsrw.records import dataclass, replace
from otsrw.traces.continuations import ArenaRun
from otsrw.traces.levels import focus_expanded, grown
from otsrw.traces.situations import ExplorationTables, Scene, Shown, Situation
from otsrw.traces.trace import Label, Trace, Value
from otsrw.traces.verbs import Verb, VerbName


class Possibility(StrEnum):
    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"
    UNKNOWN_YET = "unknown yet"
    """The tables are not full: `grow` and `fill` tell more."""


@dataclass(frozen=True, slots=True)
class FocusView:
    """What a user sees: the state in focus, the next event and its outcome, what differs, which events could be.

    `event` and `outcome` are None at the end of the run, `loop` is None if the run does not come back to a state, and
    `neighbourhood` is None if it is not known yet. `still_to_do` says what a formula remembers of the run up to the
    focus, and up to the outcome if there is one; it is empty for other properties.
    """

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
    neighbourhood: bool | None
    still_to_do: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a verb could be done, and the situation after it.

    A verb that could not be done changes nothing: `situation` is the one before it, and `reason` says why. The tables
    are those of the situation: they differ from those before the verb if more of the system is known after it.
    """

    possibility: Possibility
    reason: str
    view: FocusView
    situation: Situation
    tables: ExplorationTables

    def __bool__(self) -> bool:
        return self.possibility is Possibility.POSSIBLE


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a verb cannot be done: it is impossible, or not known within the bound."""

    possibility: Possibility
    reason: str


def apply(tables: ExplorationTables, situation: Situation, verb: Verb) -> Answer:
    """Do what a verb says; neither the tables nor the situation change.

    >>> from otsrw.traces import Lts
    >>> tables = ExplorationTables.of(Lts.of(2, [0], [(0, "COIN", 1)]))
    >>> answer = apply(tables, tables.start, Verb(VerbName.FORWARD))
    >>> answer.view.focus, tables.start.scene.focus
    (1, 0)
    """
    if verb.name in (VerbName.GROW, VerbName.FILL):
        return _knowing_more(tables, situation, verb.name is VerbName.FILL)
    done = _done(tables, situation, verb)
    if isinstance(done, Refusal):
        return Answer(done.possibility, done.reason, view_of(tables, situation.scene), situation, tables)
    tables, done = focus_expanded(tables, done)
    return Answer(Possibility.POSSIBLE, "", view_of(tables, done.scene), done, tables)


def _knowing_more(tables: ExplorationTables, situation: Situation, everything: bool) -> Answer:
    """The same run with tables that know more, or all there is to know."""
    possibility, reason = Possibility.POSSIBLE, ""
    if tables.complete:
        possibility, reason = Possibility.IMPOSSIBLE, "the tables are full"
    while not tables.complete:
        tables, situation = grown(tables, situation)
        if not everything:
            break
    return Answer(possibility, reason, view_of(tables, situation.scene), situation, tables)


def view_of(tables: ExplorationTables, scene: Scene) -> FocusView:
    """What a user sees of a scene."""
    run, focus = scene.run, scene.focus
    state = tables.state(scene.node)
    before = tables.lts.observation(state)
    event = outcome = None
    changed: tuple[str, ...] = ()
    if not scene.at_end:
        event = tables.event(run.edges[focus])
        outcome = tables.lts.observation(tables.state(run.nodes[focus + 1]))
        changed = Trace.of([(None, before), (event, outcome)]).states[1].changed
    return FocusView(
        focus,
        len(run.edges),
        run.loop,
        state,
        before,
        event,
        outcome,
        changed,
        possible_types(tables, scene),
        tables.violated_at(scene, focus),
        tables.is_neighbourhood(scene.node),
        tuple(text for node in run.nodes[focus : focus + 2] if (text := tables.remembered(node)) is not None),
    )


def possible_types(tables: ExplorationTables, scene: Scene) -> dict[str, Possibility]:
    """For each event type, whether it can follow the focus on a violating run."""
    arena, node = tables.arena, scene.node
    unknown = _unknown(tables)
    if tables.state(node) in tables.lts.frontier:
        return dict.fromkeys(tables.types, unknown)
    found = dict.fromkeys(tables.types, Possibility.IMPOSSIBLE)
    for edge in arena.edges(node):
        kind, head = tables.event(edge).transition, arena.heads[edge]
        if arena.violating[head]:
            found[kind] = Possibility.POSSIBLE
        elif arena.unknown[head] and found[kind] is Possibility.IMPOSSIBLE:
            found[kind] = unknown
    return found


def _unknown(tables: ExplorationTables) -> Possibility:
    return Possibility.UNKNOWN if tables.complete else Possibility.UNKNOWN_YET


def _undecided(tables: ExplorationTables, reason: str) -> Refusal:
    """A refusal because the graph ends somewhere; `reason` lacks the word that says why."""
    return Refusal(_unknown(tables), f"{reason} {'within the bound' if tables.complete else 'yet'}")


def _done(tables: ExplorationTables, situation: Situation, verb: Verb) -> Situation | Refusal:
    """The situation after a verb; whatever leads to another scene can be undone."""
    match verb.name:
        case VerbName.LOOK:
            return situation
        case VerbName.MARK:
            return replace(situation, bookmarks={**situation.bookmarks, verb.argument: situation.scene})
        case VerbName.UNDO:
            return _undone(situation)
        case VerbName.RETURN:
            scene = situation.bookmarks.get(verb.argument) or _impossible(f"no bookmark {verb.argument!r}")
        case VerbName.GO:
            scene = _gone(situation.scene, int(verb.argument))
        case VerbName.PICK:
            scene = _picked(tables, situation.scene, verb.argument)
        case _:
            scene = _MOVES[verb.name](tables, situation.scene)
    if isinstance(scene, Refusal):
        return scene
    return replace(situation, scene=scene, past=(*situation.past, situation.scene))


def _impossible(reason: str) -> Refusal:
    return Refusal(Possibility.IMPOSSIBLE, reason)


def _undone(situation: Situation) -> Situation | Refusal:
    """The scene before; bookmarks stay."""
    if not situation.past:
        return _impossible("nothing to undo")
    return replace(situation, scene=situation.past[-1], past=situation.past[:-1])


# Verbs that move the focus


def _forward(tables: ExplorationTables, scene: Scene) -> Scene | Refusal:
    """Focus on the next state; at the end of a run, make it longer."""
    run = scene.run
    if not scene.at_end:
        return replace(scene, focus=scene.focus + 1)
    if run.loop is not None:
        again = ArenaRun((*run.nodes, run.nodes[run.loop + 1]), (*run.edges, run.edges[run.loop]), run.loop + 1)
        return replace(scene, run=again, focus=scene.focus + 1)
    longer = _continued(tables, scene, tables.arena.edges(scene.node), "nothing can follow this state")
    return longer if isinstance(longer, Refusal) else replace(longer, focus=scene.focus + 1)


def _back(_: ExplorationTables, scene: Scene) -> Scene | Refusal:
    if not scene.focus:
        return _impossible("this is the initial state")
    return replace(scene, focus=scene.focus - 1)


def _gone(scene: Scene, index: int) -> Scene | Refusal:
    if not 0 <= index < len(scene.run.nodes):
        return _impossible(f"the run has no state {index}")
    return replace(scene, focus=index)


def _next_neighbourhood(tables: ExplorationTables, scene: Scene) -> Scene | Refusal:
    return _jumped(tables, scene, range(scene.focus + 1, len(scene.run.nodes)))


def _previous_neighbourhood(tables: ExplorationTables, scene: Scene) -> Scene | Refusal:
    return _jumped(tables, scene, range(scene.focus - 1, -1, -1))


def _jumped(tables: ExplorationTables, scene: Scene, order: Sequence[int]) -> Scene | Refusal:
    """Focus on the first of these indices at which there is a neighbourhood."""
    if tables.neighbourhoods is None:
        return _undecided(tables, "neighbourhoods are not known")
    for index in order:
        if scene.run.nodes[index] in tables.neighbourhoods:
            return replace(scene, focus=index)
    return _impossible("no neighbourhood in this direction")


# Verbs that choose another run


def _other_outcome(tables: ExplorationTables, scene: Scene) -> Scene | Refusal:
    """Another state after the previous event, or another initial state."""
    arena, focus, run = tables.arena, scene.focus, scene.run
    shown = scene.shown_at(focus)
    states = shown.states | {tables.state(scene.node)}
    if focus:
        action = tables.action(run.edges[focus - 1])
        edges = {arena.heads[e]: e for e in arena.edges(run.nodes[focus - 1]) if tables.action(e) == action}
    else:
        edges = dict.fromkeys(arena.initial, -1)
    others = [node for node in edges if tables.state(node) not in states]
    node = tables.continuations.nearest(others)
    if node is None:
        return _exhausted(tables, others, bool(shown.states), "outcome")
    entered = (*run.edges[: focus - 1], edges[node]) if focus else ()
    completed = tables.continuations.completed((*run.nodes[:focus], node), entered)
    return Scene(completed, focus, scene.shown_with(focus, Shown(states, shown.events)))


def _other_parameters(tables: ExplorationTables, scene: Scene) -> Scene | Refusal:
    """Another event of the same type from the state in focus."""
    if scene.at_end:
        return _impossible("no event follows this state")
    edge, state = scene.run.edges[scene.focus], tables.state(scene.node)
    shown = scene.shown_at(scene.focus)
    events = shown.events | {(state, tables.action(edge))}
    kind = tables.event(edge).transition
    others = [
        e
        for e in tables.arena.edges(scene.node)
        if tables.event(e).transition == kind and (state, tables.action(e)) not in events
    ]
    other = _nearest_edge(tables, others)
    if other is None:
        heads = [tables.arena.heads[e] for e in others]
        return _exhausted(tables, heads, bool(shown.events), f"{kind} event")
    return _followed(tables, scene, other, scene.shown_with(scene.focus, Shown(shown.states, events)))


def _picked(tables: ExplorationTables, scene: Scene, kind: str) -> Scene | Refusal:
    """An event of some type, or one with its arguments, as the next one."""
    wanted = Label.read(kind)
    if kind not in tables.types and wanted.transition not in tables.types:
        return _impossible(f"there is no event type {kind!r}")
    edges = [
        edge
        for edge in tables.arena.edges(scene.node)
        if tables.event(edge).transition == kind or tables.event(edge) == wanted
    ]
    reason = f"no {kind} leads to a violation from here" if tables.claimed else f"no {kind} is possible here"
    return _continued(tables, scene, edges, reason)


def _most_decided(tables: ExplorationTables, scene: Scene) -> Scene | Refusal:
    return _weighed(tables, scene, -1)


def _least_decided(tables: ExplorationTables, scene: Scene) -> Scene | Refusal:
    return _weighed(tables, scene, 1)


def _weighed(tables: ExplorationTables, scene: Scene, weight: int) -> Scene | Refusal:
    """Of the shortest runs from the focus to a violation, one with the least sum of weights of neighbourhoods."""
    decisive = tables.neighbourhoods
    if not tables.claimed:
        return _impossible("there is no property, so nothing is decided")
    if decisive is None:
        return _undecided(tables, "neighbourhoods are not known")
    edges = tables.continuations.weighed(scene.node, lambda node: weight * (node in decisive))
    nodes = (*scene.run.nodes[: scene.focus + 1], *(tables.arena.heads[edge] for edge in edges))
    completed = tables.continuations.completed(nodes, (*scene.run.edges[: scene.focus], *edges))
    shown = {index: what for index, what in scene.shown.items() if index <= scene.focus}
    return Scene(completed, scene.focus, shown)


def _continued(tables: ExplorationTables, scene: Scene, edges: Sequence[int], reason: str) -> Scene | Refusal:
    """The run goes on with one of some edges at the focus, one that is nearest to a violation."""
    edge = _nearest_edge(tables, edges)
    if edge is None:
        unknown = (tables.arena.unknown[tables.arena.heads[edge]] for edge in edges)
        if tables.state(scene.node) in tables.lts.frontier or any(unknown):
            return _undecided(tables, "not known")
        return _impossible(reason)
    shown = {index: what for index, what in scene.shown.items() if index <= scene.focus}
    return _followed(tables, scene, edge, shown)


def _nearest_edge(tables: ExplorationTables, edges: Sequence[int]) -> int | None:
    """Of some edges, the first that leads as near to a violation as any; None if none leads to one."""
    heads = [tables.arena.heads[edge] for edge in edges]
    head = tables.continuations.nearest(heads)
    return None if head is None else edges[heads.index(head)]


def _followed(tables: ExplorationTables, scene: Scene, edge: int, shown: Mapping[int, Shown]) -> Scene:
    """The run takes an edge at the focus and is completed."""
    nodes = (*scene.run.nodes[: scene.focus + 1], tables.arena.heads[edge])
    completed = tables.continuations.completed(nodes, (*scene.run.edges[: scene.focus], edge))
    return Scene(completed, scene.focus, shown)


def _exhausted(tables: ExplorationTables, others: Sequence[int], some_shown: bool, what: str) -> Refusal:
    """No other choice is left: of the others, none is known to violate."""
    if any(tables.arena.unknown[node] for node in others):
        return _undecided(tables, f"no other {what} is known")
    return _impossible(f"every {what} has been shown" if some_shown else f"there is no other {what}")


_MOVES: dict[VerbName, Callable[[ExplorationTables, Scene], Scene | Refusal]] = {
    VerbName.FORWARD: _forward,
    VerbName.BACK: _back,
    VerbName.OUTCOME: _other_outcome,
    VerbName.PARAMETERS: _other_parameters,
    VerbName.NEXT: _next_neighbourhood,
    VerbName.PREVIOUS: _previous_neighbourhood,
    VerbName.MOST: _most_decided,
    VerbName.LEAST: _least_decided,
}
"""The verbs without an argument that lead to another scene."""

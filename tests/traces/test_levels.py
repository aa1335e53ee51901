"""Exploration level by level: never a wrong answer, and in the end those of the whole graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from specifications import instance_of, invariant_named, ots_of, ots_of_file

from otsrw.ots import Instance, Invariant
from otsrw.search.rewriting_space import RewritingSpace
from otsrw.traces import ExplorationTables, Explorer
from otsrw.traces.exploration import Possibility, possible_types
from otsrw.traces.levels import GrowingSystem
from otsrw.traces.matching import ActionSequence
from otsrw.traces.observed import ObservedGraph, observed_graph
from otsrw.traces.product import Inevitability, Monitor
from otsrw.traces.situations import NothingToExplore, Scene
from otsrw.traces.temporal import TemporalProperty

KNOWN = (Possibility.POSSIBLE, Possibility.IMPOSSIBLE)
PropertyOf = Callable[[ObservedGraph], Monitor | TemporalProperty | None]


@dataclass(frozen=True)
class Jumps:
    """A random system: for each node, transition and argument where it leads, or nothing; the nodes that are bad."""

    targets: tuple[tuple[tuple[int | None, ...], ...], ...]
    bad: frozenset[int]

    def text(self) -> str:
        nodes = " ".join(f"n{number}" for number in range(len(self.targets)))
        lines = [
            f"mod! DATA {{ [Node] ops {nodes} : -> Node {{constr}} [Arg] ops u v : -> Arg {{constr}}",
            "  ops can-a can-b : Node Arg -> Bool ops to-a to-b : Node Arg -> Node pred bad : Node",
        ]
        for source, choices in enumerate(self.targets):
            lines.append(f"  eq bad(n{source}) = {str(source in self.bad).lower()} .")
            for (name, argument), target in zip(_EVENTS, (t for pair in choices for t in pair), strict=True):
                lines.append(f"  eq can-{name}(n{source}, {argument}) = {str(target is not None).lower()} .")
                lines.append(f"  eq to-{name}(n{source}, {argument}) = n{target or 0} .")
        lines += [
            "}",
            "mod* M { pr(DATA) *[Sys]* op init : -> Sys bop at : Sys -> Node var S : Sys var A : Arg",
            "  eq at(init) = n0 . pred good : Sys . eq good(S) = not bad(at(S)) .",
        ]
        for name in "ab":
            lines += [
                f"  bop {name} : Sys Arg -> Sys op c-{name} : Sys Arg -> Bool",
                f"  eq c-{name}(S, A) = can-{name}(at(S), A) .",
                f"  ceq at({name}(S, A)) = to-{name}(at(S), A) if c-{name}(S, A) .",
                f"  ceq {name}(S, A) = S if not c-{name}(S, A) .",
            ]
        return "\n".join([*lines, "}"])


_EVENTS = [("a", "u"), ("a", "v"), ("b", "u"), ("b", "v")]


@st.composite
def jumps(draw: st.DrawFn) -> Jumps:
    size = draw(st.integers(3, 9))
    target = st.none() | st.integers(0, size - 1)
    pair = st.tuples(target, target)
    targets = draw(st.lists(st.tuples(pair, pair), min_size=size, max_size=size))
    return Jumps(tuple(targets), frozenset(draw(st.sets(st.integers(1, size - 1), max_size=2))))


PROPERTIES: dict[str, PropertyOf] = {
    "safety": lambda graph: graph.safety,
    "anything": lambda graph: None,
    "inevitability": lambda graph: Inevitability(ActionSequence.of(graph.lts, ["a(u)", "b(v)"])),
    "formula": lambda graph: TemporalProperty.of("[] (a(u) -> <> at = n1)"),
    "fair formula": lambda graph: TemporalProperty.of("<> at = n2", ("b",)),
}
VERBS = [
    "forward",
    "forward",
    "back",
    "outcome",
    "parameters",
    "pick a",
    "pick b",
    "undo",
    "mark x",
    "return x",
    "grow",
]


def system_of(instance: Instance, invariant: Invariant | None, claim: PropertyOf, first: int) -> GrowingSystem:
    return GrowingSystem(RewritingSpace(instance), claim, invariant, first=first)


def whole(instance: Instance, invariant: Invariant | None, claim: PropertyOf) -> ExplorationTables | None:
    """The tables of the whole graph; None if nothing is to be explored."""
    graph = observed_graph(RewritingSpace(instance), None, invariant)
    try:
        return ExplorationTables.of(graph.lts, claim(graph))
    except NothingToExplore:
        return None


def scene_in(tables: ExplorationTables, explorer: Explorer) -> Scene:
    """The run of an explorer among the nodes of the whole graph, found by what can be seen of it."""
    trace, arena = explorer.export(), tables.arena
    node = arena.initial[0]
    nodes, edges = [node], []
    for state in trace.states[1:]:
        edge = next(
            edge
            for edge in arena.edges(node)
            if tables.event(edge) == state.label
            and tables.lts.observation(tables.state(arena.heads[edge])) == state.observers
        )
        node = arena.heads[edge]
        edges.append(edge)
        nodes.append(node)
    run = replace(tables.start.scene.run, nodes=tuple(nodes), edges=tuple(edges), loop=trace.loop)
    return Scene(run, explorer.view().focus)


def assert_true(explorer: Explorer, tables: ExplorationTables) -> None:
    """What the explorer calls possible or impossible is so in the whole graph, and its run violates the property."""
    scene = scene_in(tables, explorer)
    truth, view = possible_types(tables, scene), explorer.view()
    for kind, how in view.types.items():
        if how in KNOWN:
            assert truth.get(kind, Possibility.IMPOSSIBLE) is how
        else:
            assert how is Possibility.UNKNOWN_YET
    assert all(tables.arena.violating[node] for node in scene.run.nodes)
    assert view.violated is tables.violated_at(scene, scene.focus)
    assert view.neighbourhood in (None, tables.is_neighbourhood(tables.state(scene.node)))


@pytest.mark.parametrize("name", PROPERTIES)
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(jumps(), st.integers(1, 3), st.lists(st.sampled_from(VERBS), max_size=10))
def test_a_part_of_the_graph_never_misleads(name: str, system: Jumps, first: int, verbs: list[str]) -> None:
    claim = PROPERTIES[name]
    instance = instance_of(ots_of(system.text()))
    invariant = invariant_named(instance, "good") if name == "safety" else None
    eager = whole(instance, invariant, claim)
    try:
        explorer = Explorer(system_of(instance, invariant, claim, first).opened())
    except NothingToExplore:
        assert eager is None
        return
    assert eager is not None
    for verb in verbs:
        assert_true(explorer, eager)
        explorer.perform(verb)
    explorer.fill()
    assert explorer.tables.complete
    assert_true(explorer, eager)
    compared = Explorer(eager)
    compared.situation = replace(compared.situation, scene=scene_in(eager, explorer))
    explorer.situation = replace(explorer.tables.start, scene=replace(explorer.situation.scene, shown={}))
    for verb in verbs:
        one, other = explorer.perform(verb), compared.perform(verb)
        assert (one.possibility, one.reason, one.view) == (other.possibility, other.reason, other.view)


def ticket(first: int, depth: int | None = None) -> GrowingSystem:
    """A system without an end: customers take tickets for ever."""
    instance = instance_of(ots_of_file("ticket.cafe"))
    space = RewritingSpace(instance)
    return GrowingSystem(space, lambda graph: None, depth=depth, max_states=40, first=first)


def test_a_state_is_expanded_when_the_focus_comes_to_it() -> None:
    explorer = Explorer(ticket(1).opened())
    for _ in range(30):
        assert explorer.forward()
        assert set(explorer.possible_types().values()) <= set(KNOWN)
    assert explorer.tables.lts.states < 200


def test_no_state_is_expanded_beyond_the_depth() -> None:
    explorer = Explorer(ticket(1, depth=3).opened())
    answers = [explorer.forward() for _ in range(4)]
    assert [bool(answer) for answer in answers] == [True, True, True, False]
    assert set(explorer.possible_types().values()) == {Possibility.UNKNOWN_YET}
    explorer.fill()
    assert set(explorer.possible_types().values()) == {Possibility.UNKNOWN}


def test_what_was_expanded_by_itself_is_kept_by_the_next_level() -> None:
    explorer = Explorer(ticket(1).opened())
    for _ in range(8):
        explorer.forward()
    before = explorer.export()
    assert explorer.grow()
    assert explorer.export() == before
    assert set(explorer.possible_types().values()) <= set(KNOWN)
    assert explorer.undo() and explorer.view().focus == 7


def test_full_tables_do_not_grow() -> None:
    explorer = Explorer(ticket(40).opened())
    assert explorer.tables.complete
    assert explorer.grow().reason == explorer.fill().reason == "the tables are full"

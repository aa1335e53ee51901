"""What lasts: random systems whose parts are compared with the whole, state by state and trace by trace."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from otsrw.traces import ActionSequence, Lts, Safety, Simplification, simplify_inevitability, simplify_safety
from otsrw.traces import simplify_temporal as simplify_formula
from otsrw.traces.bounded import BoundedTraces
from otsrw.traces.classification import classify
from otsrw.traces.colours import Colour
from otsrw.traces.constraints import Vocabulary
from otsrw.traces.explicit import ExplicitEngine
from otsrw.traces.lasting import lasting_colours
from otsrw.traces.lasting_classes import ANY_LENGTH, lasting_classes
from otsrw.traces.lts import Path
from otsrw.traces.temporal import TemporalProperty

from .test_classification import all_traces, satisfies, small_systems, violates


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Lts, Lts, list[int]]:
    """A system, the part of it within some steps, and the state of the system that each state of the part is."""
    states = draw(st.integers(2, 8))
    number = st.integers(0, states - 1)
    label = st.sampled_from(["a", "b(1)", "b(2)", "c"])
    edges = draw(st.lists(st.tuples(number, label, number), min_size=1, max_size=16, unique=True))
    values = [(draw(st.integers(0, 1)), state) for state in range(states)]
    declared = {"a": 0, "b": 1, "c": 0}
    whole = Lts.of(states, [0], [*edges], ["n", "state"], values, declared=declared)
    depth = draw(st.integers(0, 4))
    distance = {0: 0}
    for state in (order := [0]):
        for source, _, target in edges:
            if source == state and target not in distance and distance[state] < depth:
                distance[target] = distance[state] + 1
                order.append(target)
    inside = [edge for edge in edges if distance.get(edge[0], depth) < depth]
    new = {state: place for place, state in enumerate(order)}
    frontier = [new[state] for state in order if distance[state] == depth]
    part = Lts.of(
        len(order),
        [0],
        [(new[source], label, new[target]) for source, label, target in inside],
        ["n", "state"],
        [values[state] for state in order],
        frontier,
        declared,
    )
    return whole, part, order


def by_name(result: Simplification) -> dict[tuple[object, ...], Colour]:
    """Colours by what a transition is called: the values before, the label, the values after."""
    lts = result.lts
    return {
        (lts.valuations[lts.sources[t]], lts.label(t), lts.valuations[lts.targets[t]]): Colour(result.colours[t])
        for t in range(len(lts.sources))
    }


@given(graphs(), st.booleans(), st.frozensets(st.integers(0, 7), min_size=1, max_size=2))
@settings(max_examples=300, deadline=None)
def test_colours_and_neighbourhoods_are_compared_one_by_one(
    system: tuple[Lts, Lts, list[int]], safe: bool, bad: frozenset[int]
) -> None:
    whole, part, order = system
    results = []
    for lts in (part, whole):
        wrong = frozenset(state for state in range(lts.states) if lts.valuations[state][1] in bad)
        results.append(
            simplify_safety(lts, Safety(wrong))
            if safe
            else simplify_inevitability(lts, ActionSequence.of(lts, ["a", "c"]))
        )
    small, large = results
    found = lasting_colours(small, large, order.__getitem__, None)
    after = by_name(large)
    known = {name: colour for name, colour in by_name(small).items() if colour != Colour.UNKNOWN}
    assert found.kept == sum(after[name] == colour for name, colour in known.items())
    assert len(found.changed) == len(known) - found.kept
    unknown = [name for name, colour in by_name(small).items() if colour == Colour.UNKNOWN]
    assert found.unknown == sum(after[name] == Colour.UNKNOWN for name in unknown) == 0
    assert sum(found.settled.values()) == len(unknown)
    for colour, number in found.settled.items():
        assert number == sum(after[name] == colour for name in unknown)
    if safe:
        assert not found.changed, "what is known of an invariant stays"
    types = {n.state: n.type for n in large.neighbourhoods}
    assert found.neighbourhoods_kept == sum(types.get(order[n.state]) == n.type for n in small.neighbourhoods)
    for changed in found.neighbourhoods_changed:
        assert types.get(order[changed.before.state]) == changed.after != changed.before.type
    assert found.neighbourhoods_kept + len(found.neighbourhoods_changed) == len(small.neighbourhoods)
    were = {order[n.state] for n in small.neighbourhoods}
    assert found.neighbourhoods_added == sum(state in types and state not in were for state in order)


@given(graphs(), st.sampled_from(["[] (a -> X ! c)", "[]<> n = 1", "(! c) U a", "[] n = 0"]))
@settings(max_examples=200, deadline=None)
def test_places_of_a_formula_are_those_of_the_same_runs(system: tuple[Lts, Lts, list[int]], formula: str) -> None:
    """Every step of a run of the part is found again in the whole, with what the formula remembers."""
    whole, part, order = system
    claim = TemporalProperty.of(formula)
    small, large = simplify_formula(part, claim), simplify_formula(whole, claim)
    found = lasting_colours(small, large, order.__getitem__, None)
    assert found.kept + len(found.changed) + found.unknown + sum(found.settled.values()) == len(small.coloured.sources)
    assert found.unknown == 0
    assert not found.changed, "on the product known colours stay"


@given(small_systems(), st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_class_lasts_iff_no_longer_trace_has_its_facts_and_satisfies_the_property(
    traces: BoundedTraces, relations: bool
) -> None:
    classes = classify(ExplicitEngine(traces), Vocabulary(relations=relations)).classes
    constraints = [found.constraint for found in classes]
    longer = replace(traces, bound=5 if len(traces.lts.sources) < 5 else 4)
    everything = list(all_traces(longer))
    bounded = lasting_classes(longer, constraints, lambda path: path, traces.lts)
    unbounded = lasting_classes(replace(traces, bound=ANY_LENGTH), constraints, lambda path: path, traces.lts)
    assert (bounded.bound, unbounded.bound) == (longer.bound, None)
    for constraint, within, ever in zip(constraints, bounded.answers, unbounded.answers, strict=True):
        good = [p for p in everything if not violates(traces, p) and satisfies(traces, p, constraint)]
        assert within.lasts == (not good)
        if good:
            assert ever.lasts is False
            assert within.satisfying is not None and within.satisfying.length == min(p.length for p in good)
        if ever.satisfying is not None:
            assert not violates(traces, ever.satisfying) and satisfies(traces, ever.satisfying, constraint)
            assert ever.satisfying.length > traces.bound
    outside = [p for p in everything if violates(traces, p) and not any(satisfies(traces, p, c) for c in constraints)]
    assert bounded.covers.lasts == (not outside)
    path = unbounded.covers.satisfying
    assert unbounded.covers.lasts is (path is None)
    assert path is None or (violates(traces, path) and not any(satisfies(traces, path, c) for c in constraints))


def test_too_much_work_is_told() -> None:
    lts = Lts.of(3, [0], [(0, "a", 1), (1, "b", 0), (1, "c", 2)])
    traces = BoundedTraces(lts, Safety(frozenset([2])), ANY_LENGTH)
    constraint = classify(ExplicitEngine(replace(traces, bound=2)), Vocabulary()).classes[0].constraint
    assert lasting_classes(traces, [constraint], lambda path: path, lts).answers[0].lasts is True
    given_up = lasting_classes(traces, [constraint], lambda path: path, lts, most_nodes=1)
    assert (given_up.answers[0].lasts, given_up.covers.lasts) == (None, None)


def test_a_class_that_does_not_last_has_a_longer_trace_that_shows_it() -> None:
    """Two `set` are a violation within two steps; with more steps a `leave` may come between them."""
    lts = Lts.of(3, [0], [(0, "set", 1), (1, "set", 2), (1, "leave", 0)])
    traces = BoundedTraces(lts, Safety(frozenset([2])), 2)
    found = classify(ExplicitEngine(traces), Vocabulary(hidden=frozenset(["state"]))).classes[0].constraint
    assert str(found) == "exists i, j: i < j and event@i = set and event@j = set"
    tried = lasting_classes(replace(traces, bound=3), [found], lambda path: path, lts)
    assert tried.answers[0].satisfying == Path((0, 1, 0, 1), (0, 2, 0))
    assert tried.covers.lasts is True

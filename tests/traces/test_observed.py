"""The graph of an OTS: states as the case studies count them, labels with all arguments, what was not expanded."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from specifications import instance_of, invariant_named, ots_of, ots_of_file

from otsrw.ots import Stepper
from otsrw.ots.run import ReplayMismatch
from otsrw.search import maude_or_rewriting
from otsrw.traces.lts import Path
from otsrw.traces.matching import ActionSequence
from otsrw.traces.observed import ObservedGraph, observed_graph
from otsrw.traces.product import Safety
from otsrw.traces.simplification import simplify_inevitability, simplify_safety


def graph_of(
    file: str, depth: int | None = None, invariant: str | None = None, max_states: int = 20_000
) -> ObservedGraph:
    instance = instance_of(ots_of_file(file))
    wanted = None if invariant is None else invariant_named(instance, invariant)
    return observed_graph(maude_or_rewriting(instance), depth, wanted, max_states)


@pytest.mark.parametrize(
    ("file", "states"),
    [
        ("hotel.cafe", [3, 7, 15, 27, 39, 51, 59, 59]),
        ("counter.cafe", [1, 3, 5, 7, 9]),
        ("alice-bob-eve.cafe", [1, 3, 4, 4]),
        ("nspk.cafe", [1, 7, 67]),
        ("sanitary-agency.cafe", [1, 2, 3, 5, 8, 11, 17]),
    ],
)
def test_states_within_some_steps(file: str, states: list[int]) -> None:
    graphs = [graph_of(file, depth) for depth in range(len(states))]
    assert [graph.lts.states for graph in graphs] == states
    for before, graph in pairwise(graphs):
        assert set(graph.lts.frontier) == set(range(before.lts.states, graph.lts.states))


@pytest.mark.parametrize(
    ("file", "depth", "states"), [("hotel.cafe", 6, 59), ("sanitary-agency.cafe", 14, 42), ("alice-bob-eve.cafe", 2, 4)]
)
def test_without_a_depth_the_graph_is_complete(file: str, depth: int, states: int) -> None:
    graph = graph_of(file)
    assert (graph.depth, graph.lts.states, graph.exhausted, graph.cut) == (depth, states, True, False)


def test_events_differ_in_arguments_nothing_depends_on() -> None:
    lts = graph_of("alice-bob-eve.cafe").lts
    assert len(lts.labels) == 8
    assert len(lts.sources) == 32
    assert "send(plaintext,bob,true)" in lts.labels


def test_a_step_that_changes_nothing_is_a_transition() -> None:
    lts = graph_of("counter.cafe", 2).lts
    stay = [t for t in range(len(lts.sources)) if lts.label(t) == "stay"]
    assert len(stay) == 3
    assert all(lts.sources[t] == lts.targets[t] for t in stay)


def test_values_are_numbers_truth_values_or_text() -> None:
    assert graph_of("counter.cafe", 1).lts.observation(0) == {"a": 1}
    assert graph_of("alice-bob-eve.cafe", 0).lts.observation(0) == {"eve-key": "no-key", "eve-seen": False}


def test_steps_are_those_of_the_equations() -> None:
    """Against `Stepper.successors`, which leaves out what changes nothing."""
    instance = instance_of(ots_of_file("hotel.cafe"))
    lts = observed_graph(maude_or_rewriting(instance)).lts
    stepper = Stepper(instance)
    todo, seen = list(stepper.initial_states()), set()
    expected = set()
    names = [slot.name for slot in instance.slots]
    for state in todo:
        if state.values in seen:
            continue
        seen.add(state.values)
        for action, after in stepper.successors(state):
            todo.append(after)
            expected.add((tuple(map(str, state.values)), action.transition.name, tuple(map(str, after.values))))
    assert names == list(lts.observers)
    found = {
        (lts.sources[t], lts.event(t).transition, lts.targets[t])
        for t in range(len(lts.sources))
        if lts.sources[t] != lts.targets[t]
    }
    assert len(seen) == lts.states
    assert len(found) == len(expected)


def test_bad_states_violate_the_invariant() -> None:
    graph = graph_of("counter.cafe", 3, "small")
    assert {graph.lts.observation(state)["a"] for state in graph.safety.bad_states} == {4}
    assert graph_of("counter.cafe", 3).safety == Safety()


def test_a_number_of_states_ends_the_search() -> None:
    graph = graph_of("abp.cafe", None, None, 50)
    assert graph.cut
    assert not graph.exhausted
    assert 50 <= graph.lts.states < 60


def test_progress_is_told() -> None:
    told: list[int] = []
    instance = instance_of(ots_of_file("abp.cafe"))
    observed_graph(maude_or_rewriting(instance), None, None, 700, lambda progress: told.append(progress.states))
    assert told


def test_moments_have_terms() -> None:
    graph = graph_of("counter.cafe", 1)
    lts = graph.lts
    terms = {str(graph.term(lts.event(t), lts.valuations[lts.targets[t]])) for t in range(len(lts.sources))}
    assert terms == {"inc(init)", "dec(init)", "stay(init)"}
    assert str(graph.term(None, lts.valuations[0])) == "init"


def test_the_sanitary_agency_is_decided_where_the_cooperative_chooses() -> None:
    lts = graph_of("sanitary-agency.cafe").lts
    result = simplify_inevitability(lts, ActionSequence.of(lts, ["req-em", "provt-rec"]))
    assert [str(found.type) for found in result.neighbourhoods] == ["R", "GRB", "GRB", "GRB", "GRB", "GRB", "GR"]
    assert result.verdict == "violated"


def test_the_alternating_bit_protocol_has_neighbourhoods_of_type_g_only() -> None:
    lts = graph_of("abp.cafe", 6).lts
    result = simplify_inevitability(lts, ActionSequence.of(lts, ["rec2"]))
    assert {str(found.type) for found in result.neighbourhoods} == {"G"}
    assert result.counterexample is not None
    assert result.counterexample.loop == 0


def test_what_lies_behind_the_frontier_is_unknown() -> None:
    lts = graph_of("counter.cafe", 3).lts
    assert simplify_inevitability(lts, ActionSequence.of(lts, ["dec"])).verdict == "violated"
    growing = ots_of(
        "mod* GROWING { pr(NAT) *[Sys]* op init : -> Sys bop n : Sys -> Nat bop more : Sys -> Sys var S : Sys"
        " op small : Sys -> Bool eq small(S) = n(S) < 9 . eq n(init) = 0 . eq n(more(S)) = n(S) + 1 . }"
    )
    instance = instance_of(growing)
    bounded = observed_graph(maude_or_rewriting(instance), 3, invariant_named(instance, "small"))
    sequence = ActionSequence.of(bounded.lts, ["less"])
    assert simplify_inevitability(bounded.lts, sequence).verdict == "unknown"
    assert simplify_safety(bounded.lts, bounded.safety).verdict == "holds"


def test_a_path_is_replayed_with_the_equations() -> None:
    graph = graph_of("hotel.cafe", None, "safe")
    path = simplify_safety(graph.lts, graph.safety).counterexample
    assert path is not None
    graph.confirm(path)
    other = next(s for s in range(graph.lts.states) if s not in path.states)
    with pytest.raises(ReplayMismatch, match="leads to the next state"):
        graph.confirm(Path((*path.states[:-1], other), path.transitions))
    lying = replace(graph, safety=Safety())
    with pytest.raises(ReplayMismatch, match="violated elsewhere"):
        lying.confirm(path)

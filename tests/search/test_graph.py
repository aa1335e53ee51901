"""The graph that Maude makes is the one the equations make, event by event."""

from __future__ import annotations

import tomllib

import pytest
from specifications import SPECS, instance_of, invariant_named, ots_of, ots_of_file

from otsrw.ots.graph import StateGraph, graph_by_rewriting
from otsrw.search.graph import state_graph
from otsrw.syntax.diagnostics import OtsrwError

VERDICTS = tomllib.loads((SPECS / "verdicts.toml").read_text())["instance"]
FILES = list(dict.fromkeys(entry["spec"] for entry in VERDICTS))
STATES = 60


def told(graph: StateGraph) -> tuple[object, ...]:
    """What does not depend on the order of discovery within a level."""
    states = graph.states
    steps = {(states[a], str(action), states[b]) for a, action, b in graph.steps}
    return {states[n] for n in graph.initial}, set(states), steps, {states[n] for n in graph.bad}, graph.expanded


@pytest.mark.parametrize("file", FILES)
def test_both_engines_make_the_same_graph(file: str) -> None:
    instance = instance_of(ots_of_file(file))
    invariant = instance.ots.invariants[-1]
    depth = graph_by_rewriting(instance, None, None, STATES).depth
    by_rewriting = graph_by_rewriting(instance, depth, invariant)
    by_maude = state_graph(instance, depth, invariant)
    assert told(by_maude) == told(by_rewriting)
    assert len(by_maude.steps) == len(by_rewriting.steps)
    assert (by_maude.depth, by_maude.cut) == (by_rewriting.depth, by_rewriting.cut)
    assert len(set(by_maude.states)) == len(by_maude.states)


def test_histories_lead_to_the_states() -> None:
    graph = state_graph(instance_of(ots_of_file("hotel.cafe")))
    slot = graph.instance.slots[0]
    for history, values in zip(graph.histories, graph.states, strict=True):
        assert graph.instance.normal_form(slot.observer.apply(history, slot.indexes)) is values[0]


HOLE = """
mod* HOLE { pr(NAT) *[Sys]* op init : -> Sys bop n : Sys -> Nat bop more : Sys -> Sys var S : Sys
  op odd : Nat -> Bool op fine : Sys -> Bool
  eq odd(0) = false . eq odd(1) = true .
  eq n(init) = 0 . %s }
"""


def test_an_invariant_without_a_value_is_an_error() -> None:
    text = "eq n(more(S)) = n(S) + 1 . eq fine(S) = odd(n(S)) or n(S) < 2 ."
    instance = instance_of(ots_of(HOLE % text))
    with pytest.raises(OtsrwError, match="odd"):
        state_graph(instance, 4, invariant_named(instance, "fine"))


def test_a_step_without_a_value_is_an_error() -> None:
    text = "eq c-more(S) = odd(n(S)) or n(S) < 2 . ceq n(more(S)) = n(S) + 1 if c-more(S) ."
    text += " ceq more(S) = S if not c-more(S) . op c-more : Sys -> Bool eq fine(S) = n(S) < 9 ."
    instance = instance_of(ots_of(HOLE % text))
    with pytest.raises(OtsrwError, match="odd"):
        state_graph(instance, 4, invariant_named(instance, "fine"))

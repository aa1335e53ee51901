"""What every `StateSpace` answers: the tests run on Maude and on the rewriting engine.

A new implementation is added to `SPACES`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace

import pytest
from specifications import SPECS, instance_of, invariant_named, ots_of, ots_of_file

from otsrw.ots import Instance
from otsrw.ots.graph import StateGraph
from otsrw.ots.run import Run
from otsrw.ots.stepping import Stepper
from otsrw.search import (
    FallbackSpace,
    Limits,
    MaudeSpace,
    OutOfLimits,
    Progress,
    Reachable,
    RewritingSpace,
    StateSpace,
)
from otsrw.syntax.diagnostics import OtsrwError
from search.spaces import CountedProcesses, UnableSpace

Maker = Callable[[Instance], StateSpace]
SPACES: dict[str, Maker] = {"Maude": MaudeSpace, "rewriting": RewritingSpace}
VERDICTS = tomllib.loads((SPECS / "otsrw.toml").read_text(encoding="utf-8"))["test"]
FILES = list(dict.fromkeys(entry["file"] for entry in VERDICTS))
BEYOND = {"append-log.cafe"}
"""Their steps look at numbers that are no entities: they are searched by rewriting, and have no graph."""
FEW = 60


@pytest.fixture(params=SPACES)
def space_of(request: pytest.FixtureRequest) -> Maker:
    return SPACES[request.param]


def told(graph: StateGraph) -> tuple[object, ...]:
    """What does not depend on the order of discovery within a level."""
    states = graph.states
    steps = sorted((str(states[a]), str(action), str(states[b])) for a, action, b in graph.steps)
    bad = {states[n] for n in graph.bad}
    return {states[n] for n in graph.initial}, set(states), steps, bad, graph.expanded, graph.depth, graph.cut


# --- all implementations agree on the case studies


@pytest.mark.parametrize("file", [file for file in FILES if file not in BEYOND])
def test_the_graphs_are_equal(file: str) -> None:
    instance = instance_of(ots_of_file(file))
    invariant = instance.ots.invariants[-1]
    depth = RewritingSpace(instance).graph(max_states=FEW).depth
    graphs = [space_of(instance).graph(depth, invariant) for space_of in SPACES.values()]
    assert all(len(set(graph.states)) == len(graph.states) for graph in graphs)
    assert all(told(graph) == told(graphs[0]) for graph in graphs)


@pytest.mark.parametrize("file", sorted(BEYOND))
def test_there_is_no_graph_of_states_that_entities_do_not_tell_apart(file: str) -> None:
    instance = instance_of(ots_of_file(file))
    with pytest.raises(OtsrwError, match="cannot be told apart"):
        MaudeSpace(instance).graph(4, instance.ots.invariants[-1])


@pytest.mark.parametrize("file", FILES)
def test_the_states_and_verdicts_are_equal(file: str) -> None:
    instance = instance_of(ots_of_file(file))
    depth = RewritingSpace(instance).graph(max_states=FEW).depth
    found = []
    for space_of in SPACES.values():
        space = space_of(instance)
        counted, reached = space.search(None, depth), space.reachable(depth)
        verdicts = [space.search(invariant, depth) for invariant in instance.ots.invariants[:3]]
        found.append(
            (
                (counted.verdict, counted.states, counted.depth, counted.levels, counted.exhausted),
                ({state.values for state in reached.states}, reached.exhausted, _depths(reached)),
                [(verdict.verdict, verdict.depth, verdict.levels, verdict.exhausted) for verdict in verdicts],
            )
        )
        assert len(reached.states) == counted.states
    assert all(answers == found[0] for answers in found)


def _depths(reached: Reachable) -> list[int]:
    """Along the parents, in the order of the states."""
    depths: dict[int, int] = {}
    for state in reached.states:
        depths[state.number] = 0 if state.transition is None else depths[state.parent] + 1
    return list(depths.values())


# --- search


TICKET = instance_of(ots_of_file("ticket.cafe"), {"Pid": ["p1", "p2"]})
MUTEX = invariant_named(TICKET, "mutex")


def test_a_violation_has_a_shortest_run(space_of: Maker) -> None:
    found = space_of(TICKET).search(MUTEX, 9)
    assert (found.verdict, found.depth, found.levels, found.exhausted) == ("violated", 6, (1, 3, 6, 12, 20, 28), False)
    assert found.run is not None
    assert (len(found.run.actions), len(found.run.states)) == (6, 7)
    assert 28 < found.states <= 38
    assert found.run.violation


def test_without_a_violation_the_levels_are_counted(space_of: Maker) -> None:
    found = space_of(TICKET).search(MUTEX, 4)
    assert (found.verdict, found.states, found.depth, found.levels) == ("holds", 20, 4, (1, 3, 6, 12, 20))
    assert (found.exhausted, found.run) == (False, None)


def test_the_last_of_three_thousand_levels_costs_as_much_as_the_first() -> None:
    """Its time does not grow with the depth: otherwise this test would take an hour."""
    found = MaudeSpace(instance_of(ots_of_file("counter.cafe"))).search(None, 3000)
    assert (found.verdict, found.states, found.depth) == ("holds", 6001, 3000)


def test_at_depth_0_there_are_the_initial_states(space_of: Maker) -> None:
    found = space_of(TICKET).search(None, 0)
    assert (found.verdict, found.levels, found.exhausted) == ("holds", (1,), False)
    assert [state.transition for state in space_of(TICKET).reachable(0).states] == [None]


@pytest.mark.parametrize(("depth", "exhausted"), [(1, False), (2, True), (3, True), (9, True)])
def test_exhausted_means_that_no_state_is_one_step_deeper(space_of: Maker, depth: int, exhausted: bool) -> None:
    text = "mod* M { pr(NAT) *[Sys]* op init : -> Sys bop n : Sys -> Nat bop up : Sys -> Sys var S : Sys"
    text += " eq n(init) = 0 . ceq n(up(S)) = n(S) + 1 if n(S) < 2 . ceq up(S) = S if not (n(S) < 2) . }"
    space = space_of(instance_of(ots_of(text)))
    found = space.search(None, depth)
    assert (found.exhausted, found.levels) == (exhausted, (1, 2, 3)[: depth + 1])
    assert space.reachable(depth).exhausted is exhausted


# --- sample


@pytest.mark.parametrize("file", ["ticket.cafe", "nspk.cafe", "mcs.cafe", "abp.cafe"])
def test_all_states_of_a_sample_can_be_reached_in_its_runs(space_of: Maker, file: str) -> None:
    """Breadth first, then on walks: each state is an initial one or follows one of the sample."""
    instance = instance_of(ots_of_file(file))
    sample = space_of(instance).sample(60)
    stepper = Stepper(instance)
    todo = stepper.initial_states()
    wanted, seen = set(sample.states), {state.values for state in todo}
    while todo:
        state = todo.pop()
        for _, after in stepper.successors(state):
            if after.values in wanted and after.values not in seen:
                seen.add(after.values)
                todo.append(after)
    assert seen >= wanted
    assert len(wanted) == len(sample.states)
    assert not sample.exhausted


def test_a_small_space_is_sampled_as_a_whole(space_of: Maker) -> None:
    instance = instance_of(ots_of_file("tas.cafe"))
    space = space_of(instance)
    sample = space.sample(1000)
    assert sample.exhausted
    assert set(sample.states) == {state.values for state in space.reachable(20).states}


def test_a_sample_is_the_same_every_time(space_of: Maker) -> None:
    first, second = (space_of(TICKET).sample(40).states for _ in range(2))
    assert first == second
    assert 40 <= len(first) <= 400


def test_the_space_of_another_instance_is_explored_by_the_same_means(space_of: Maker) -> None:
    space = space_of(TICKET)
    larger = space.of(instance_of(ots_of_file("ticket.cafe"), {"Pid": ["p1", "p2", "p3"]}))
    assert type(larger) is type(space)
    assert [larger.search(None, 2).states, space.search(None, 2).states] == [10, 6]


# --- graph


def test_a_graph_may_be_cut(space_of: Maker) -> None:
    graph = space_of(TICKET).graph(max_states=10)
    assert graph.cut
    assert graph.expanded < len(graph.states)
    assert 10 <= len(graph.states) < 20


def test_histories_lead_to_the_states(space_of: Maker) -> None:
    graph = space_of(instance_of(ots_of_file("hotel.cafe"))).graph()
    slot = graph.instance.slots[0]
    for history, values in zip(graph.histories, graph.states, strict=True):
        assert graph.instance.normal_form(slot.observer.apply(history, slot.indexes)) is values[0]


# --- confirm


@pytest.fixture(scope="module")
def attack() -> Run:
    run = RewritingSpace(TICKET).search(MUTEX, 9).run
    assert run is not None
    return run


def test_a_true_run_is_confirmed(space_of: Maker, attack: Run) -> None:
    assert space_of(TICKET).confirm(attack, MUTEX)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(lambda run: replace(run, states=run.states[:-1], actions=run.actions[:-1]), id="no violation"),
        pytest.param(lambda run: replace(run, states=run.states[1:], actions=run.actions[1:]), id="no initial state"),
        pytest.param(
            lambda run: replace(run, actions=(run.actions[-1], *run.actions[1:])), id="another transition at the start"
        ),
        pytest.param(
            lambda run: replace(run, states=(*run.states[:2], *run.states[3:]), actions=run.actions[1:]),
            id="a state left out",
        ),
    ],
)
def test_a_wrong_run_is_refused(space_of: Maker, attack: Run, wrong: Callable[[Run], Run]) -> None:
    assert not space_of(TICKET).confirm(wrong(attack), MUTEX)


TWO_WAYS = """
mod* M { pr(NAT) *[Sys]* op init : -> Sys bop n : Sys -> Nat bop one : Sys -> Sys bop two : Sys -> Sys var S : Sys
  op small : Sys -> Bool eq small(S) = n(S) < 1 .
  eq n(init) = 0 . eq n(one(S)) = 1 . eq n(two(S)) = 1 . }
"""


@pytest.mark.parametrize("name", ["one", "two"])
def test_of_two_transitions_to_a_state_either_is_confirmed(space_of: Maker, name: str) -> None:
    """Maude's search tells one rule for a state, so a search is no way to confirm a step."""
    instance = instance_of(ots_of(TWO_WAYS))
    invariant = invariant_named(instance, "small")
    graph = space_of(instance).graph(1, invariant)
    run = RewritingSpace(instance).search(invariant, 1).run
    assert run is not None
    action = next(action for _, action, target in graph.steps if action.transition.name == name and target in graph.bad)
    assert space_of(instance).confirm(replace(run, actions=(action,)), invariant)


# --- functions without a value


HOLE = """
mod* HOLE { pr(NAT) *[Sys]* op init : -> Sys bop n : Sys -> Nat bop more : Sys -> Sys var S : Sys
  op odd : Nat -> Bool op fine : Sys -> Bool op c-more : Sys -> Bool
  eq odd(0) = false . eq odd(1) = true .
  eq n(init) = 0 . %s }
"""
NO_TRUTH = "eq n(more(S)) = n(S) + 1 . eq fine(S) = odd(n(S)) or n(S) < 2 ."
NO_STEP = (
    "eq c-more(S) = odd(n(S)) or n(S) < 2 . ceq n(more(S)) = n(S) + 1 if c-more(S) ."
    " ceq more(S) = S if not c-more(S) . eq fine(S) = n(S) < 9 ."
)


@pytest.mark.parametrize("equations", [NO_TRUTH, NO_STEP], ids=["in the invariant", "in a condition"])
def test_what_has_no_value_is_an_error(space_of: Maker, equations: str) -> None:
    instance = instance_of(ots_of(HOLE % equations))
    invariant, space = invariant_named(instance, "fine"), space_of(instance)
    for question in (space.search, lambda invariant, depth: space.graph(depth, invariant)):
        with pytest.raises(OtsrwError, match="odd"):
            question(invariant, 4)
    assert space.search(invariant, 1).verdict == "holds", "it is not met before"


def test_what_is_beyond_the_depth_needs_no_value(space_of: Maker) -> None:
    space = space_of(instance_of(ots_of(HOLE % NO_STEP)))
    assert (space.search(None, 2).levels, space.search(None, 2).exhausted) == ((1, 2, 3), False)
    assert len(space.reachable(2).states) == 3
    with pytest.raises(OtsrwError, match="odd"):
        space.reachable(4)


# --- limits and listeners


NSPK = instance_of(ots_of_file("nspk.cafe"))
LEMMA = invariant_named(NSPK, "send2-lemma")


@pytest.mark.parametrize(
    ("limits", "reason"), [(Limits(timeout=1), "the time is spent (1 s)"), (Limits(memory=1), "the memory is spent")]
)
def test_limits_end_a_question_and_not_the_space(space_of: Maker, limits: Limits, reason: str) -> None:
    space = space_of(NSPK)
    found = space.search(LEMMA, 9, limits)
    assert (found.verdict, found.run, found.exhausted) == ("unknown", None, False)
    assert found.reason.startswith(reason)
    for question in (lambda: space.reachable(9, limits), lambda: space.graph(9, limits=limits)):
        with pytest.raises(OutOfLimits, match=reason[:15]):
            question()
    assert space.search(LEMMA, 2).levels == (1, 7, 67)


def test_the_listener_is_told_how_far_it_is(space_of: Maker) -> None:
    seen: list[Progress] = []

    def stop_at_level_2(progress: Progress) -> None:
        seen.append(progress)
        if len(progress.levels) > 2:
            raise KeyboardInterrupt

    space = space_of(NSPK)
    with pytest.raises(KeyboardInterrupt):
        space.search(LEMMA, 9, listener=stop_at_level_2)
    assert seen[-1].levels[:3] == (1, 7, 67)
    assert [p.states for p in seen] == sorted(p.states for p in seen)
    seen.clear()
    with pytest.raises(KeyboardInterrupt):
        space.graph(listener=lambda progress: stop_at_level_2(replace(progress, levels=(1, 7, 67))))
    assert seen[0].states > 0


# --- one process for several questions


def test_in_a_with_block_maude_is_started_once() -> None:
    start = CountedProcesses()
    with MaudeSpace(TICKET, start) as space:
        first = space.search(MUTEX, 5)
        kept = space.reachable(5)
        attack = space.search(MUTEX, 6).run
        assert attack is not None
        assert space.confirm(attack, MUTEX)
        graph = space.graph(3)
        again = space.search(MUTEX, 5)
    assert start.requests == [
        ["Load", "Explore", "TellStates", "Explore", "Walk", "Load", "MakeGraph", "Load", "Explore"]
    ]
    assert (first.levels, len(kept.states), len(graph.states)) == ((1, 3, 6, 12, 20, 28), 28, 12)
    assert again.levels == first.levels


def test_the_answers_do_not_depend_on_what_was_asked_before() -> None:
    invariants = [*NSPK.ots.invariants, None, *NSPK.ots.invariants[::-1]]
    with MaudeSpace(NSPK) as space:
        together = [space.search(invariant, 4) for invariant in invariants]
        states = [len(space.reachable(depth).states) for depth in (3, 4, 3)]
    apart = [MaudeSpace(NSPK).search(invariant, 4) for invariant in invariants]
    answers = [[(r.verdict, r.states, r.depth, r.levels, r.exhausted) for r in found] for found in (together, apart)]
    assert answers[0] == answers[1]
    assert states == [807, 11_323, 807]


def test_a_question_that_was_stopped_costs_the_process() -> None:
    start = CountedProcesses()
    with MaudeSpace(NSPK, start) as space:
        assert space.search(LEMMA, 9, Limits(timeout=1)).verdict == "unknown"
        assert space.search(LEMMA, 3).states == 807

        def interrupt(progress: Progress) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            space.search(LEMMA, 9, listener=interrupt)
        assert space.search(LEMMA, 3).states == 807
    assert len(start.started) == 3


def test_outside_of_a_with_block_each_question_has_its_process() -> None:
    start = CountedProcesses()
    space = MaudeSpace(TICKET, start)
    assert space.search(MUTEX, 1).states == len(space.reachable(1).states) == 3
    assert len(start.started) == 2


# --- one space where the other cannot answer


@pytest.mark.parametrize("code", ["E516", "E530"])
def test_what_the_first_space_cannot_answer_is_asked_of_the_second(code: str, attack: Run) -> None:
    space = FallbackSpace(UnableSpace(TICKET, code), RewritingSpace(TICKET))
    assert space.search(MUTEX, 3).states == len(space.reachable(3).states) == len(space.graph(3).states) == 12
    assert space.confirm(attack, MUTEX)


def test_other_errors_are_errors() -> None:
    space = FallbackSpace(UnableSpace(TICKET, "E512"), RewritingSpace(TICKET))
    with pytest.raises(OtsrwError, match="no answer"):
        space.graph()

"""The explorer: every answer is a whole counterexample with the same prefix; the hotel of the paper."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otsrw.report.explore import answer_document
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces import ExplorationTables, Explorer, Lts, NothingToExplore, Possibility, Verb, VerbName, apply
from otsrw.traces.matching import ActionSequence
from otsrw.traces.product import Inevitability, Monitor, Product, Safety
from otsrw.traces.verbs import VERBS, read_verb, script_commands
from traces.hotel import hotel
from traces.systems import BAD, CHOICES, offered, walk

HOTELS = {
    "2[3]": (2, [3], 43, "In1; Out1 +Entry; In0 +Entry; Entry1; Reentry1 +Out,Entry"),
    "2[1,3]": (2, [1, 3], 43, "In1; Entry1 +Out; Out1 +Reentry; In0 +Reentry; Reentry1; Reentry1 +Out,Entry"),
    "3[2,3]": (3, [2, 3], 1134, "In2; Out2 +In,Entry; In1 +Entry; Entry2 +In; Reentry2 +In,Out,Entry"),
    "3[1,1,4]": (3, [1, 1, 4], 364, "In2; Out2 +Entry; In1 +Entry; Entry2 +Out; Reentry2 +Out,Entry"),
    "4[1,1,6]": (4, [1, 1, 6], 19414, "In3; Out3 +Entry; In2 +Entry; Entry3 +Out; Reentry3 +Out,Entry"),
}


@pytest.mark.parametrize("name", HOTELS)
def test_the_table_of_the_paper(name: str) -> None:
    guests, rooms, states, table = HOTELS[name]
    lts, safety = hotel(guests, rooms)
    assert lts.states == states
    walk(Explorer(lts, safety), table)


def test_types_are_possible_impossible_or_unknown() -> None:
    explorer = Explorer(CHOICES, BAD)
    assert explorer.possible_types() == {
        "send": Possibility.POSSIBLE,
        "tick": Possibility.UNKNOWN,
        "lose": Possibility.IMPOSSIBLE,
        "stop": Possibility.IMPOSSIBLE,
    }
    assert [explorer.pick(kind).possibility for kind in ("tick", "stop", "nonsense")] == [
        Possibility.UNKNOWN,
        Possibility.IMPOSSIBLE,
        Possibility.IMPOSSIBLE,
    ]
    assert explorer.path.states == (0, 1, 5)


def test_other_parameters_then_all_have_been_shown() -> None:
    explorer = Explorer(CHOICES, BAD)
    assert explorer.other_parameters()
    assert explorer.path.states == (0, 2, 5)
    answer = explorer.other_parameters()
    assert (answer.possibility, answer.reason) == (Possibility.IMPOSSIBLE, "every send event has been shown")
    assert explorer.path.states == (0, 2, 5)


def test_a_verb_that_is_refused_is_refused_again() -> None:
    explorer = Explorer(CHOICES, BAD)
    explorer.other_parameters()
    refused = [explorer.perform("parameters") for _ in range(3)]
    assert [answer.reason for answer in refused] == ["every send event has been shown"] * 3
    outcomes = [explorer.perform("outcome") for _ in range(3)]
    assert [answer.reason for answer in outcomes] == ["there is no other outcome"] * 3


REFUSED = ["back", "outcome", "parameters", "pick tick", "pick stop", "pick nonsense", "go 9", "previous", "return x"]


@pytest.mark.parametrize("command", REFUSED)
def test_a_refused_verb_changes_nothing(command: str) -> None:
    tables = ExplorationTables.of(CHOICES, BAD)
    situation = apply(tables, tables.start, Verb(VerbName.PARAMETERS)).situation
    answer = apply(tables, situation, read_verb(command))
    assert not answer
    assert answer.situation is situation


def test_a_situation_is_a_value() -> None:
    """Whoever keeps a situation can go on from it, whatever others did in the meantime."""
    tables = ExplorationTables.of(CHOICES, BAD)
    script = [read_verb(command) for command in ("parameters", "mark here", "forward", "undo", "return here")]
    situations = [tables.start]
    for verb in script:
        situations.append(apply(tables, situations[-1], verb).situation)
    again = [apply(tables, situation, verb).situation for situation, verb in zip(situations, script, strict=False)]
    assert again == situations[1:]
    assert [situation.scene.focus for situation in situations] == [0, 0, 0, 1, 0, 0]
    assert tables.start == situations[0] == ExplorationTables.of(CHOICES, BAD).start


def test_other_outcome_keeps_the_event() -> None:
    lts = Lts.of(4, [0, 3], [(0, "a", 1), (0, "a", 2), (0, "b", 3), (1, "c", 1), (2, "c", 2), (3, "c", 3)])
    explorer = Explorer(lts, Safety(frozenset([1, 2, 3])))
    assert explorer.view().state == 3
    assert explorer.other_outcome()
    assert explorer.path.states == (0, 1)
    explorer.pick("a")
    explorer.forward()
    seen = [explorer.view().state]
    assert explorer.other_outcome()
    seen.append(explorer.view().state)
    assert sorted(seen) == [1, 2]
    assert not explorer.other_outcome()


def test_two_states_are_compared() -> None:
    view = Explorer(CHOICES, BAD).view()
    assert (view.observers, view.outcome, view.changed) == (
        {"x": 0, "[bold]": "same"},
        {"x": 1, "[bold]": "same"},
        ("x",),
    )
    assert str(view.event) == "send(a)"


def test_undo_bookmarks_and_export() -> None:
    explorer = Explorer(CHOICES, BAD)
    explorer.bookmark("start")
    explorer.other_parameters()
    explorer.forward()
    assert explorer.undo().view.focus == 0
    assert explorer.path.states == (0, 2, 5)
    explorer.undo()
    assert explorer.path.states == (0, 1, 5)
    assert explorer.undo().reason == "nothing to undo"
    explorer.forward()
    assert explorer.return_to("start").view.focus == 0
    assert not explorer.return_to("nowhere")
    assert [str(s.label) for s in explorer.export().states[1:]] == ["send(a)", "lose"]


def test_jumping_to_neighbourhoods() -> None:
    explorer = Explorer(CHOICES, BAD)
    assert explorer.tables.neighbourhoods == frozenset({0, 1})
    assert explorer.jump().view.focus == 1
    assert explorer.view().neighbourhood
    assert not explorer.jump()
    assert explorer.jump(forwards=False).view.focus == 0


def test_going_to_a_state_by_its_number() -> None:
    explorer = Explorer(CHOICES, BAD)
    assert explorer.go(2).view.focus == 2
    tables, scene = explorer.tables, explorer.situation.scene
    assert [tables.violated_at(scene, index) for index in range(3)] == [False, False, True]
    answer = explorer.go(3)
    assert (answer.possibility, answer.reason) == (Possibility.IMPOSSIBLE, "the run has no state 3")
    assert explorer.undo().view.focus == 0


def test_after_the_violation_everything_is_possible() -> None:
    lts = Lts.of(3, [0], [(0, "a", 1), (1, "b", 2), (1, "c", 0)])
    explorer = Explorer(lts, Safety(frozenset([1])))
    assert explorer.forward().view.violated
    assert offered(explorer) == {"b", "c"}
    assert explorer.forward()
    assert explorer.path.length == 2
    dead = Explorer(Lts.of(1, [0], []), Safety(frozenset([0])))
    assert dead.forward().possibility is Possibility.IMPOSSIBLE


def test_a_lasso_is_unrolled_by_going_on() -> None:
    lts = Lts.of(3, [0], [(0, "x", 1), (1, "y", 2), (2, "z", 1), (0, "A", 0)])
    explorer = Explorer(lts, Inevitability(ActionSequence.of(lts, ["A"])))
    assert explorer.path == type(explorer.path)((0, 1, 2, 1), (0, 1, 2), 1)
    for _ in range(7):
        assert explorer.forward()
    assert explorer.path.states == (0, 1, 2, 1, 2, 1, 2, 1)
    assert explorer.view().state == 1


def test_simulation_is_exploration_without_a_property() -> None:
    explorer = Explorer(CHOICES)
    assert explorer.path.states == (0,)
    assert offered(explorer) == {"send", "tick", "stop"}
    assert explorer.pick("tick")
    explorer.forward()
    explorer.forward()
    assert explorer.view().state == 6
    assert set(explorer.possible_types().values()) == {Possibility.UNKNOWN}
    assert explorer.forward().possibility is Possibility.UNKNOWN
    assert not explorer.view().violated


def test_without_a_property_nothing_is_said_about_violations() -> None:
    lts = Lts.of(3, [0], [(0, "ON", 1), (1, "OFF", 2)])
    refused = "pick OFF"
    assert Explorer(lts).perform(refused).reason == "no OFF is possible here"
    assert Explorer(lts, Safety(frozenset([1]))).perform(refused).reason == "no OFF leads to a violation from here"


def test_nothing_to_explore() -> None:
    with pytest.raises(NothingToExplore, match="within the bound"):
        Explorer(CHOICES, Safety(frozenset([99])))
    with pytest.raises(NothingToExplore, match="at all"):
        Explorer(Lts.of(1, [0], []), Safety())


@st.composite
def explorations(draw: st.DrawFn) -> tuple[Lts, Monitor, list[int]]:
    states = draw(st.integers(1, 6))
    state = st.integers(0, states - 1)
    label = st.sampled_from(["s(1)", "s(2)", "t", "A"])
    edges = draw(st.lists(st.tuples(state, label, state), max_size=14))
    frontier = [s for s in draw(st.sets(state, max_size=2)) if all(e[0] != s for e in edges)]
    lts = Lts.of(states, draw(st.lists(state, min_size=1, max_size=2, unique=True)), edges, frontier=frontier)
    monitor: Monitor = (
        Inevitability(ActionSequence.of(lts, ["A", "t"]))
        if draw(st.booleans())
        else Safety(frozenset(draw(st.sets(state, max_size=2))))
    )
    return lts, monitor, draw(st.lists(st.integers(0, 7), max_size=12))


@settings(max_examples=600)
@given(explorations())
def test_every_answer_is_a_counterexample_with_the_same_prefix(problem: tuple[Lts, Monitor, list[int]]) -> None:
    lts, monitor, choices = problem
    try:
        explorer = Explorer(lts, monitor)
    except NothingToExplore:
        product = Product(lts, monitor)
        assert not any(product.violating[node] for node in product.initial)
        return
    for choice in choices:
        before, focus = explorer.path, explorer.view().focus
        verbs = [explorer.forward, explorer.back, explorer.other_outcome, explorer.other_parameters]
        answer = verbs[choice]() if choice < 4 else explorer.pick(["s", "t", "A", "s"][choice - 4])
        after = explorer.path
        assert_violating(lts, monitor, after.states, after.transitions, after.loop)
        if not answer:
            assert after == before
        elif choice >= 3:
            assert after.states[: focus + 1] == before.states[: focus + 1]
            assert after.transitions[:focus] == before.transitions[:focus]
        if answer and choice >= 4:
            assert lts.event(after.transitions[focus]).transition == ["s", "t", "A", "s"][choice - 4]
        if answer and choice == 2:
            assert after.states[:focus] == before.states[:focus]
            assert after.states[focus] != before.states[focus]


def assert_violating(
    lts: Lts, monitor: Monitor, states: tuple[int, ...], transitions: tuple[int, ...], loop: int | None
) -> None:
    assert states[0] in lts.initial
    mode = monitor.start(states[0])
    rounds = transitions if loop is None else transitions + transitions[loop:] * 3
    at = states[0]
    for transition in rounds:
        assert lts.sources[transition] == at
        at = lts.targets[transition]
        mode = monitor.step(mode, transition, lts.actions[transition], at)
    assert (mode == monitor.decided) == monitor.decision_violates
    if not monitor.decision_violates and loop is None:
        assert not lts.outgoing.degree(at)
        assert at not in lts.frontier


def test_verbs_have_names() -> None:
    explorer = Explorer(CHOICES, BAD)
    script = (
        "pick send; parameters\nforward; mark here; back; return here; undo; undo; outcome; next; previous; look; go 0;"
        "most; least; grow; fill"
    )
    answers = [(command, explorer.perform(command)) for command in script_commands(script)]
    documents = [answer_document(command, answer) for command, answer in answers]
    assert [d["verb"] for d in documents] == [part.strip() for part in script.replace("\n", ";").split(";")]
    assert {d["verb"].split()[0] for d in documents} == set(VERBS)
    assert documents[8]["answer"] == "impossible"
    assert documents[0]["view"] == {
        "focus": 0,
        "length": 2,
        "loop": None,
        "observers": {"x": 0, "[bold]": "same"},
        "event": {"transition": "send", "arguments": ["a"]},
        "outcome": {"x": 1, "[bold]": "same"},
        "changed": ["x"],
        "types": {"send": "possible", "tick": "unknown", "lose": "impossible", "stop": "impossible"},
        "violated": False,
        "neighbourhood": True,
        "still_to_do": [],
    }


@pytest.mark.parametrize("command", ["fly", "pick", "forward 3", "mark", "", "go home", "go -1"])
def test_a_wrong_verb_is_an_error(command: str) -> None:
    with pytest.raises(OtsrwError, match="E127"):
        read_verb(command)

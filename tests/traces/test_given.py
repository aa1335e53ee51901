"""Runs that users bring: how they are read, followed, and refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import document, run, spec
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from otsrw.syntax.source import Source, Span
from otsrw.traces import ActionSequence, ExplorationTables, Explorer, Inevitability, Lts
from otsrw.traces.formats import to_itf
from otsrw.traces.formats.given import read_given
from otsrw.traces.given import GivenRun, GivenStep, beginning_with, same_words
from otsrw.traces.situations import Scene
from traces.systems import BAD, CHOICES

TAS = (spec("tas-flawed.cafe"), "--inv", "mutex")
NSPK = (spec("nspk.cafe"), "--inv", "secrecy")


def labels(found: dict[str, object]) -> list[str]:
    trace = found["trace"]
    assert isinstance(trace, dict)
    return [f"{s['label']['transition']}({','.join(s['label']['arguments'])})" for s in trace["states"][1:]]


LISTS = {
    "one-a-line": "test(p2)\ntest(p1)\n",
    "semicolons": "test(p2); test( p1 )",
    "comments": "-- a race\ntest(p2)  # first\n\n  test(p1) -- second\n",
    "aut": 'des (0, 2, 3)\n(0, "test(p2)", 1)\n(1, "test(p1)", 2)\n',
    "itf-with-labels": json.dumps(
        {
            "vars": [],
            "states": [{}] + [{"#meta": {"label": {"transition": "test", "arguments": [p]}}} for p in ("p2", "p1")],
        }
    ),
    "itf-with-values": json.dumps(
        {"vars": ["pc(p2)", "x"], "states": [{"pc(p2)": "rs", "x": 0}, {"pc(p2)": "st"}, {"pc(p1)": "st"}]}
    ),
}


@pytest.mark.parametrize("text", LISTS.values(), ids=list(LISTS))
@pytest.mark.parametrize("command", ["explore", "simplify"])
def test_a_run_is_the_beginning_of_the_counterexample(command: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.write_text(text)
    script = ("--script", "look") if command == "explore" else ()
    found = document(command, *TAS, "--trace", str(file), *script)
    if command == "simplify":
        found = {"trace": found["counterexample"]}
    assert labels(found)[:2] == ["test(p2)", "test(p1)"]
    assert len(labels(found)) == 4


REFUSED = {
    "impossible-step": ("test(p1)\nset(p2)", "2:1", "step 2, set(p2), cannot happen here", "possible here: "),
    "no-such-event": ("test(p1); tset(p1)", "1:11", "step 2, tset(p1), cannot happen here", "did you mean"),
    "branching-aut": (
        'des (0, 2, 3)\n(0, "test(p2)", 1)\n(0, "test(p1)", 2)\n',
        "2:1",
        "not a path: 2 transitions leave state 0",
        "test(p1), line 3",
    ),
    "broken-json": ('{"states": [', "1:13", "not JSON", "one JSON object"),
    "no-states": ('{"vars": [], "states": []}', "1:1", "no states", ""),
    "another-start": (
        '{"vars": ["locked"],\n "states": [{"locked": true}]}',
        "2:13",
        "no initial state has these values",
        "initially locked is False",
    ),
    "no-names": ('{"vars": [],\n "states": [{},\n {"x": 1}]}', "3:2", "a step without an event", "observers are"),
}


@pytest.mark.parametrize(("text", "place", "message", "hint"), REFUSED.values(), ids=list(REFUSED))
def test_a_run_that_is_none_is_told_where(text: str, place: str, message: str, hint: str, tmp_path: Path) -> None:
    file = tmp_path / "run"
    file.write_text(text)
    code, _, err = run("explore", *TAS, "--trace", str(file), "--script", "look")
    assert code == 150
    assert f"{file}:{place}: error E1" in err
    assert message in err
    assert hint in err


def test_a_run_that_violates_nothing_and_leads_nowhere() -> None:
    code, _, err = run(
        "explore", spec("hotel.cafe"), "--inv", "safe", "--prefix", "check-in(g0,r0,k1); reentry", "--script", "look"
    )
    assert code == 150
    assert "step 2, reentry, cannot happen here" in err


def test_a_run_of_today_is_one_of_tomorrow(tmp_path: Path) -> None:
    """Sets are shown in another order by another command."""
    file = tmp_path / "t.itf.json"
    run("search", spec("nspk.cafe"), "--inv", "secrecy", "--depth", "4", "--itf", str(file))
    found = document("explore", *NSPK, "--trace", str(file), "--script", "look")
    assert [s["label"]["transition"] for s in found["trace"]["states"][1:]] == ["send1", "fake1", "send2", "send3"]


def test_a_run_beyond_the_bound_of_simplify() -> None:
    code, _, err = run("simplify", *NSPK, "--depth", "4", "--prefix", "send1(p1,p2)" + "; send1" * 6)
    assert code == 150
    assert "step 5 lies beyond the bound" in err


def test_values_in_another_order_are_the_same_but_not_other_values() -> None:
    assert same_words("(a , f(b))", "(f(b) , a)")
    assert not same_words("(a , f(b))", "(a , f(c))")
    assert not same_words(1, True)


@settings(max_examples=100)
@given(st.lists(st.sampled_from(["forward", "outcome", "parameters", "pick send", "pick tick", "back"]), max_size=8))
def test_every_run_on_display_can_be_brought_again(verbs: list[str]) -> None:
    explorer = Explorer(CHOICES, BAD)
    for verb in verbs:
        explorer.perform(verb)
    trace = explorer.export()
    tables = ExplorationTables.of(CHOICES, BAD)
    text = json.dumps(to_itf(trace))
    begun = Explorer(beginning_with(tables, read_given(Source("t", text))))
    assert begun.export() == trace


def test_one_event_is_picked() -> None:
    explorer = Explorer(CHOICES, BAD)
    assert str(explorer.pick("send(b)").view.event) == "send(b)"
    assert explorer.pick("send(z)").reason == "no send(z) leads to a violation from here"
    assert explorer.pick("sned(b)").reason == "there is no event type 'sned(b)'"


def neighbourhoods_on(explorer: Explorer) -> int:
    decisive = explorer.tables.neighbourhoods
    assert decisive is not None
    return sum(state in decisive for state in explorer.path.states)


@pytest.mark.parametrize("file", ["hotel.cafe", "peterson-flawed.cafe"])
def test_the_most_and_the_least_decided_run(file: str) -> None:
    """Compared with all shortest runs, one by one."""
    from otsrw.application.specification import Specification

    explorer = Specification(spec(file)).explore()
    counts = {neighbourhoods_in(explorer, nodes) for nodes in shortest(explorer.tables)}
    assert explorer.decided(most=True)
    assert neighbourhoods_on(explorer) == max(counts)
    assert explorer.decided(most=False)
    assert neighbourhoods_on(explorer) == min(counts)


def neighbourhoods_in(explorer: Explorer, nodes: tuple[int, ...]) -> int:
    decisive = explorer.tables.neighbourhoods or frozenset()
    return sum(explorer.tables.state(node) in decisive for node in nodes)


def shortest(tables: ExplorationTables) -> list[tuple[int, ...]]:
    """All runs from the first node to a violation that are as short as the first one on display."""
    scene: Scene = tables.start.scene
    runs: list[tuple[int, ...]] = [(scene.run.nodes[0],)]
    for _ in scene.run.edges:
        runs = [(*nodes, tables.arena.heads[edge]) for nodes in runs for edge in tables.arena.edges(nodes[-1])]
    return [nodes for nodes in runs if tables.arena.is_violated(nodes[-1])]


@pytest.mark.parametrize("command", ["explore", "simplify"])
def test_a_loop_that_is_brought_is_gone_round_for_ever(command: str, tmp_path: Path) -> None:
    """The shortest counterexample has one process going round; the one that is brought has two."""
    file = tmp_path / "run.aut"
    events = ["enter(p2)", "leave(p2)", "enter(p3)", "leave(p3)"]
    lines = [f'({n}, "{event}", {(n + 1) % 4})' for n, event in enumerate(events)]
    file.write_text("\n".join(["des (0, 4, 4)", *lines]))
    arguments = (spec("tas.cafe"), "--ltl", "[] (pc(p1) = rs -> <> pc(p1) = cs)", "--trace", str(file))
    found = document(command, *arguments, *(("--script", "look") if command == "explore" else ()))
    if command == "simplify":
        found = {"trace": found["counterexample"]}
    assert labels(found)[-4:] == events
    trace = found["trace"]
    assert len(trace["states"]) - 1 - trace["loop"] == 4


def test_a_loop_that_violates_nothing_is_only_a_beginning(tmp_path: Path) -> None:
    file = tmp_path / "run.aut"
    file.write_text('des (0, 2, 2)\n(0, "enter(p1)", 1)\n(1, "leave(p1)", 0)\n')
    arguments = (spec("tas.cafe"), "--ltl", "[] (pc(p1) = rs -> <> pc(p1) = cs)", "--trace", str(file))
    found = {"trace": document("simplify", *arguments)["counterexample"]}
    assert labels(found)[:2] == ["enter(p1)", "leave(p1)"]
    assert "enter(p1)" not in labels(found)[found["trace"]["loop"] :]


@st.composite
def lassos(draw: st.DrawFn) -> tuple[Lts, list[int], int]:
    """A system, and a walk of transitions that comes back to where it was after some steps."""
    states = draw(st.integers(1, 4))
    number = st.integers(0, states - 1)
    edges = draw(st.lists(st.tuples(number, st.sampled_from("abc"), number), min_size=1, max_size=7, unique=True))
    lts = Lts.of(states, [0], [*edges], ["n"], [(n,) for n in range(states)], declared={"a": 0, "b": 0, "c": 0})
    walk, at = [], [0]
    for _ in range(draw(st.integers(1, 6))):
        leaving = list(lts.outgoing.of(at[-1]))
        if not leaving:
            break
        walk.append(draw(st.sampled_from(leaving)))
        at.append(lts.targets[walk[-1]])
    assume(walk and at[-1] in at[:-1])
    return lts, walk, at.index(at[-1])


@settings(max_examples=200, deadline=None)
@given(lassos(), st.sampled_from([("a",), ("a", "b"), ("b", "c", "a")]))
def test_a_brought_loop_that_misses_the_labels_is_kept(
    lasso: tuple[Lts, list[int], int], wanted: tuple[str, ...]
) -> None:
    """Whether labels are missed for ever is found by writing the run down, often enough round its loop."""
    lts, walk, loop = lasso
    steps = tuple(GivenStep(Span(Source("t", "x"), 0, 1), lts.event(t), {"n": lts.targets[t]}) for t in walk)
    word = [lts.label(t) for t in (*walk, *walk[loop:] * len(wanted))]
    rest = iter(word)
    missed = not all(label in rest for label in wanted)
    assume(missed)
    tables = ExplorationTables.of(lts, Inevitability(ActionSequence.of(lts, wanted)))
    found = tables.path(beginning_with(tables, GivenRun(steps, loop=loop)).start.scene)
    assert found.loop is not None
    rounds = len(walk) - loop
    assert (found.length - len(walk)) % rounds == 0
    assert list(found.transitions[: len(walk)]) == walk
    assert list(found.transitions[len(walk) :]) == walk[loop:] * ((found.length - len(walk)) // rounds)

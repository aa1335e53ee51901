"""Prefixes, suffixes, colours, neighbourhoods and abstracted counterexamples: the paper's figures, and enumeration."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces import Lts, Path
from otsrw.traces.colours import Colour
from otsrw.traces.counterexamples import shortest_counterexample, shortest_path
from otsrw.traces.inevitability import colours_of, enrich
from otsrw.traces.matching import ActionSequence, Match, split_labels
from otsrw.traces.neighbourhoods import Incoming, neighbourhoods_of
from otsrw.traces.product import Anything, Inevitability, Product, Safety
from otsrw.traces.simplification import Simplification, abstracted, simplify_inevitability, simplify_safety
from traces.oracle import Edge, Oracle, closure, elementary_paths, maximal_words, prefix_length


def system(text: str, states: int | None = None) -> Lts:
    """`0-A->1 1-D->2`"""
    edges = []
    for word in text.split():
        source, label, target = word.replace("->", "-").split("-")
        edges.append((int(source), label, int(target)))
    return Lts.of(states or 1 + max(max(s, t) for s, _, t in edges), [0], edges)


def simplified(lts: Lts, k: str, incoming: Incoming = Incoming.ALL) -> Simplification:
    return simplify_inevitability(lts, ActionSequence.of(lts, k.split(".")), incoming)


def coloured(result: Simplification, colour: Colour) -> set[str]:
    lts = result.lts
    return {f"{lts.sources[t]}-{lts.label(t)}->{lts.targets[t]}" for t, c in enumerate(result.colours) if c == colour}


def kinds(result: Simplification) -> dict[int, str]:
    return {found.state: str(found.type) for found in result.neighbourhoods}


FIGURE_2 = system("0-A->1 1-D->2 2-B->3 3-C->1 2-E->4 3-C->5")
FIGURE_4 = system(
    "0-S->1 1-B->2 2-B->3 1-A->4 4-D->5 5-E->6 6-F->8 8-G->9 9-H->12 12-I->4 6-B->7 8-B->11 9-C->10 10-A->13 13-Y->14"
)


def test_figure_2() -> None:
    result = simplified(FIGURE_2, "A.B.C")
    assert result.enriched is not None
    assert result.enriched.cp == [0, 1, 1, 2, 1, 3]
    assert result.enriched.mp == [0, 3, 3, 3, 3, 3]
    assert result.enriched.ms == [3, 2, 2, 2, 0, 0]
    assert coloured(result, Colour.CORRECT) == {"2-B->3", "3-C->1", "3-C->5"}
    assert coloured(result, Colour.INCORRECT) == set()
    assert kinds(result) == {2: "G"}


def test_figure_4() -> None:
    result = simplified(FIGURE_4, "A.Y")
    assert result.enriched is not None
    assert (result.enriched.cp[8], result.enriched.cs[8], result.enriched.ms[8]) == (1, 0, 2)
    assert kinds(result) == {1: "R", 6: "R", 8: "R", 9: "G"}
    assert result.counterexample is not None
    assert result.counterexample.states == (0, 1, 2, 3)
    assert [(s.first, s.last, s.kept) for s in result.abstracted] == [(0, 1, True), (2, 2, False)]
    assert result.path_to_neighbourhood == Path((0, 1), (0,))
    assert result.distances == (1, 1, 0, 0)


EDGE_CASES = {
    "deadlock-at-once": ("0-B->1", "A", {"0-B->1": "incorrect"}, {0: "R"}),
    "self-loop-of-the-first-label": ("0-A->0", "A.B", {"0-A->0": "incorrect"}, {}),
    "holds": ("0-A->1 1-B->1", "A", {"0-A->1": "correct", "1-B->1": "correct"}, {}),
    "parallel": ("0-A->1 0-B->1", "A", {"0-A->1": "correct", "0-B->1": "incorrect"}, {0: "GR"}),
    "start-in-a-component": ("0-X->1 1-Y->0 1-A->2", "A", {"0-X->1": "neutral", "1-A->2": "correct"}, {1: "G"}),
    "absent-label": ("0-A->1 1-A->0", "Z", {"0-A->1": "incorrect", "1-A->0": "incorrect"}, {}),
    "repeated-label": ("0-A->1 1-A->2 1-B->2", "A.A", {"0-A->1": "neutral", "1-A->2": "correct"}, {1: "GR"}),
    "all-three": (
        "0-S->1 1-A->2 1-B->3 1-C->4 4-A->2 4-B->3",
        "A",
        {"0-S->1": "neutral", "1-C->4": "neutral"},
        {1: "GRB", 4: "GR"},
    ),
}


@pytest.mark.parametrize(("text", "k", "colours", "types"), EDGE_CASES.values(), ids=list(EDGE_CASES))
def test_edge_cases(text: str, k: str, colours: dict[str, str], types: dict[int, str]) -> None:
    result = simplified(system(text), k)
    for edge, word in colours.items():
        assert edge in coloured(result, Colour[word.upper()]), edge
    assert kinds(result) == types


def test_labels_are_not_removed_cumulatively() -> None:
    lts = system("0-A->0 0-B->1")
    assert enrich(lts, ActionSequence.of(lts, ["A", "B"])).cs[0] == 0


def test_transitions_nobody_can_take_have_no_colour() -> None:
    result = simplified(system("0-A->1 0-B->1 2-A->0"), "A")
    assert result.count(Colour.UNREACHED) == 1
    assert kinds(result) == {0: "GR"}
    assert result.neighbourhoods[0].incoming == ()


def test_incoming_some_asks_for_one_neutral_transition() -> None:
    lts = system("0-A->1 0-B->1 1-A->2 1-X->3")
    assert kinds(simplified(lts, "A")) == {0: "G"}
    assert kinds(simplified(lts, "A", Incoming.SOME)) == {0: "G", 1: "G"}


@pytest.mark.parametrize("incoming", Incoming)
def test_a_state_that_nothing_enters_is_a_neighbourhood(incoming: Incoming) -> None:
    assert kinds(simplified(system("0-A->1 0-B->1"), "A", incoming)) == {0: "GR"}


def test_a_lasso_is_the_shortest_one() -> None:
    lts = system("0-X->1 1-X->2 2-X->3 3-X->0 2-Y->4 4-Y->4 1-A->1")
    result = simplified(lts, "A")
    assert result.counterexample == Path((0, 1, 2, 3, 0), (0, 1, 2, 3), 0)
    lts = system("0-X->1 1-Y->1 1-X->2 2-X->0 1-A->0")
    assert simplified(lts, "A").counterexample == Path((0, 1, 1), (0, 1), 1)


def test_a_deadlock_may_be_nearer_than_a_lasso() -> None:
    assert simplified(system("0-X->1 1-X->2 2-X->0 1-Y->3 0-A->0"), "A").counterexample == Path((0, 1, 3), (0, 3))


def test_a_counterexample_can_be_asked_to_show_a_pattern() -> None:
    sequence = ActionSequence.of(FIGURE_4, ["A", "Y"])
    for pattern, states in {"D.G": (0, 1, 4, 5, 6, 8, 9, 12, 4), "A.B": (0, 1, 4, 5, 6, 7), "Y": None}.items():
        wanted = ActionSequence.of(FIGURE_4, pattern.split("."))
        path = shortest_counterexample(FIGURE_4, Inevitability(sequence), wanted)
        assert (path and path.states) == states


def test_a_path_to_a_neighbourhood_can_be_asked_to_show_a_pattern() -> None:
    path = shortest_path(FIGURE_4, {1, 6, 8, 9}, ActionSequence.of(FIGURE_4, ["F"]))
    assert path is not None
    assert path.states[-2:] == (6, 8)
    assert shortest_path(FIGURE_4, {1}, ActionSequence.of(FIGURE_4, ["F"])) is None


def test_dropped_stretches_are_counted() -> None:
    path = Path((0, 1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4, 5))
    assert [(len(s), s.kept) for s in abstracted(path, frozenset([0, 6]))] == [(1, True), (4, False), (1, True)]


def test_a_frontier_state_may_be_followed_by_anything() -> None:
    lts = Lts.of(3, [0], [(0, "A", 1), (0, "B", 2)], frontier=[2])
    sequence = ActionSequence.of(lts, ["A"])
    assert list(colours_of(enrich(lts, sequence))) == [Colour.CORRECT, Colour.NEUTRAL]
    assert list(simplify_inevitability(lts, sequence).colours) == [Colour.CORRECT, Colour.UNKNOWN]
    assert shortest_counterexample(lts, Inevitability(sequence)) is None


def test_safety_within_the_graph() -> None:
    lts = Lts.of(6, [0], [(0, "a", 1), (1, "b", 2), (1, "c", 3), (1, "d", 4), (2, "e", 5)], frontier=[4])
    result = simplify_safety(lts, Safety(frozenset([5])))
    assert kinds(result) == {1: "GRB"}
    assert coloured(result, Colour.CORRECT) == {"1-c->3"}
    assert coloured(result, Colour.UNKNOWN) == {"1-d->4"}
    assert coloured(result, Colour.NEUTRAL) == {"0-a->1"}
    assert coloured(result, Colour.INCORRECT) == {"1-b->2", "2-e->5"}
    assert result.counterexample == Path((0, 1, 2, 5), (0, 1, 4))


STATE, NEW = st.integers(0, 4), st.integers(5, 7)
LABEL = st.sampled_from("ab")


@given(
    st.lists(st.tuples(st.integers(0, 2), LABEL, STATE), max_size=8),
    st.lists(st.tuples(st.sampled_from([3, 4]) | NEW, LABEL, NEW), max_size=6),
    st.frozensets(STATE | NEW, max_size=3),
)
@settings(max_examples=300, deadline=None)
def test_a_colour_that_is_known_stays_when_the_graph_grows(
    edges: list[Edge], more: list[Edge], bad: frozenset[int]
) -> None:
    within = Lts.of(5, [0], [(0, "a", 0), (0, "b", 3), *edges], frontier=[3, 4])
    whole = Lts.of(8, [0], [(0, "a", 0), (0, "b", 3), *edges, *more])
    for kind in ("safety", "inevitability"):
        small, large = (
            Product(lts, Safety(bad) if kind == "safety" else Inevitability(ActionSequence.of(lts, "ab")))
            for lts in (within, whole)
        )
        for seen, true in zip(small.colours(), large.colours(), strict=False):
            assert seen in (true, Colour.UNKNOWN)
        assert Colour.UNKNOWN not in large.colours()


def test_safety_of_transitions() -> None:
    lts = system("0-a->1 1-b->0 1-c->1")
    result = simplify_safety(lts, Safety(bad_transitions=frozenset([1])))
    assert result.counterexample == Path((0, 1, 0), (0, 1))
    assert not result.holds
    assert simplify_safety(lts, Safety(frozenset([7]))).holds


# --- matching


def test_labels_match_exactly_by_prefix_or_by_pattern() -> None:
    lts = system("0-send(a)->1 0-send(b)->1 0-sender->1 0-recv(a)->1")
    steps = {match: ActionSequence.of(lts, ["send"], match).steps for match in Match}
    assert steps[Match.EXACT] == (0, 0, 0, 0)
    assert steps[Match.PREFIX] == (1, 1, 1, 0)
    assert ActionSequence.of(lts, [r"(send|recv)\(a\)"], Match.REGEX).steps == (1, 0, 0, 1)
    assert ActionSequence.of(lts, ["send", "recv"], Match.PREFIX).missing() == ()
    assert ActionSequence.of(lts, ["send", "recv(a)"]).missing() == ("send",)


def test_commas_in_brackets_belong_to_a_label() -> None:
    assert split_labels("A, send(p,q) ,B") == ("A", "send(p,q)", "B")
    assert split_labels(r"a\(,b") == (r"a\(", "b")


@pytest.mark.parametrize("text", ["", ",", "A,,B", "A,"])
def test_a_missing_label_is_an_error(text: str) -> None:
    with pytest.raises(OtsrwError, match="E126"):
        split_labels(text)


def test_a_bad_regular_expression_is_an_error() -> None:
    with pytest.raises(OtsrwError, match="E126"):
        ActionSequence.of(FIGURE_2, ["("], Match.REGEX)


# --- against enumeration

SIZE = 5


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, list[int], list[Edge], tuple[str, ...]]:
    states = draw(st.integers(1, SIZE))
    state = st.integers(0, states - 1)
    edges = draw(st.lists(st.tuples(state, st.sampled_from("ABX"), state), max_size=9))
    initial = draw(st.lists(state, min_size=1, max_size=2, unique=True))
    return states, initial, edges, tuple(draw(st.lists(st.sampled_from("ABZ"), min_size=1, max_size=3)))


@settings(max_examples=1500)
@given(problems())
def test_everything_agrees_with_enumeration(problem: tuple[int, list[int], list[Edge], tuple[str, ...]]) -> None:
    states, initial, edges, k = problem
    oracle = Oracle(states, initial, edges, k)
    lts = Lts.of(states, initial, edges)
    sequence = ActionSequence.of(lts, k)
    enriched = enrich(lts, sequence)
    assert (enriched.cp, enriched.mp, enriched.cs, enriched.ms) == (oracle.cp, oracle.mp, oracle.cs, oracle.ms)
    colours = colours_of(enriched)
    assert [Colour(c).word for c in colours] == oracle.colours
    product = Product(lts, Inevitability(sequence))
    assert product.colours() == colours
    assert product.holds == enriched.holds == oracle.holds
    for incoming in Incoming:
        result = simplify_inevitability(lts, sequence, incoming)
        assert kinds(result) == oracle.neighbourhoods(incoming is Incoming.SOME)


@settings(max_examples=700)
@given(problems())
def test_the_counterexample_is_a_shortest_one(problem: tuple[int, list[int], list[Edge], tuple[str, ...]]) -> None:
    states, initial, edges, k = problem
    lts = Lts.of(states, initial, edges)
    path = shortest_counterexample(lts, Inevitability(ActionSequence.of(lts, k)))
    lengths = [
        length for start in initial for length, word in runs(edges, start, len(k)) if prefix_length(k, word) < len(k)
    ]
    assert (path and path.length) == min(lengths, default=None)
    if path is not None:
        assert path.states[0] in initial
        for step, transition in enumerate(path.transitions):
            assert (lts.sources[transition], lts.targets[transition]) == path.states[step : step + 2]
        assert path.loop is None or path.states[path.loop] == path.states[-1]


@settings(max_examples=500)
@given(problems(), st.lists(st.sampled_from("ABX"), min_size=1, max_size=2))
def test_a_counterexample_with_a_pattern_is_one_and_shows_it(
    problem: tuple[int, list[int], list[Edge], tuple[str, ...]], pattern: list[str]
) -> None:
    states, initial, edges, k = problem
    lts = Lts.of(states, initial, edges)
    monitor = Inevitability(ActionSequence.of(lts, k))
    path = shortest_counterexample(lts, monitor, ActionSequence.of(lts, pattern))
    shortest = shortest_counterexample(lts, monitor)
    if shortest is not None and prefix_length(tuple(pattern), unrolled(lts, shortest, 3)) == len(pattern):
        assert path is not None
    if path is None:
        return
    assert shortest is not None
    assert path.length >= shortest.length
    word = unrolled(lts, path, 4)
    assert prefix_length(k, word) < len(k)
    assert prefix_length(tuple(pattern), word) == len(pattern)
    assert path.loop is not None or not lts.outgoing.degree(path.states[-1])


def unrolled(lts: Lts, path: Path, rounds: int) -> list[str]:
    loop = () if path.loop is None else path.transitions[path.loop :]
    return [lts.label(transition) for transition in (*path.transitions, *loop * rounds)]


def runs(edges: list[Edge], start: int, rounds: int) -> list[tuple[int, list[str]]]:
    """Elementary maximal runs: their length as lassos, and their words with the loop unrolled."""
    found = []
    for states, word in elementary_paths(edges, start):
        leaving = [edge for edge in edges if edge[0] == states[-1]]
        if not leaving:
            found.append((len(word), word))
        for _, label, target in leaving:
            if target in states:
                entry = states.index(target)
                found.append((len(word) + 1, word[:entry] + [*word[entry:], label] * (rounds + 1)))
    return found


@settings(max_examples=500)
@given(problems(), st.sets(st.integers(0, SIZE)))
def test_safety_agrees_with_enumeration(
    problem: tuple[int, list[int], list[Edge], tuple[str, ...]], bad: set[int]
) -> None:
    states, initial, edges, _ = problem
    result = simplify_safety(Lts.of(states, initial, edges), Safety(frozenset(bad)))
    histories = [path for start in initial for path, _ in elementary_paths(edges, start)]
    reached = {path[-1] for path in histories}
    good = {path[-1] for path in histories if not bad & set(path)}
    assert result.holds == (not bad & reached)
    steps = [(source, f"{source}>{target}", target) for source, _, target in edges]
    for (source, _, target), colour in zip(edges, result.colours, strict=True):
        if source not in reached:
            assert colour == Colour.UNREACHED
            continue
        may_violate = source not in good or bool(bad & closure(edges, target))
        futures = [{target, *(int(s) for w in word for s in w.split(">"))} for word in maximal_words(steps, target, 1)]
        may_satisfy = source in good and any(not bad & states for states in futures)
        assert Colour(colour).word == ("correct" if not may_violate else "neutral" if may_satisfy else "incorrect")
    for found in result.neighbourhoods:
        assert found.state in good, "what follows a violation decides nothing"
        into = [t for t in result.lts.incoming.of(found.state) if edges[t][0] in good]
        assert list(found.incoming) == into
        assert all(result.colours[t] == Colour.NEUTRAL for t in into)
    kinds = {found.state for found in result.neighbourhoods}
    for state in good - kinds if not result.holds else ():
        leaving = {result.colours[t] for t in result.lts.outgoing.of(state)}
        into = [result.colours[t] for t in result.lts.incoming.of(state) if edges[t][0] in good]
        assert leaving <= {Colour.NEUTRAL} or set(into) - {Colour.NEUTRAL}


@given(problems())
def test_simulation_has_no_decision_to_avoid(problem: tuple[int, list[int], list[Edge], tuple[str, ...]]) -> None:
    states, initial, edges, _ = problem
    product = Product(Lts.of(states, initial, edges), Anything())
    assert all(product.violating)


# --- size


def test_a_long_chain_needs_no_recursion() -> None:
    size = 50_000
    lts = Lts.of(size + 1, [0], [(s, "A" if s == size - 1 else "X", s + 1) for s in range(size)])
    result = simplify_inevitability(lts, ActionSequence.of(lts, ["A", "B"]))
    assert result.counterexample is not None
    assert result.counterexample.length == size
    assert result.count(Colour.INCORRECT) == size


@pytest.mark.parametrize("k", [("A",), ("A", "B", "C")], ids=["one", "three"])
def test_two_hundred_thousand_states(k: tuple[str, ...]) -> None:
    size = 200_000
    edges = []
    for state in range(size):
        edges += [
            (state, "X", (state * 7 + 1) % size),
            (state, "ABC"[state % 3] if state % 5 == 0 else "Y", (state + 1) % size),
            (state, "Z", state // 2),
        ]
    lts = Lts.of(size, [0], edges)
    result = simplify_inevitability(lts, ActionSequence.of(lts, k))
    assert not result.holds
    assert neighbourhoods_of(lts, result.colours) == result.neighbourhoods

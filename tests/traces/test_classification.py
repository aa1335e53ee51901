"""Classes of counterexamples: the paper's examples, and random systems against enumeration of all traces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces import Label, Lts, Path, Value
from otsrw.traces.bounded import BoundedTraces, Engine
from otsrw.traces.classification import Classification, classify
from otsrw.traces.constraints import (
    Before,
    Contains,
    Detail,
    Equals,
    Fact,
    Moment,
    Part,
    Placed,
    Satisfies,
    TraceConstraint,
    TracePredicate,
    Vocabulary,
)
from otsrw.traces.explicit import ExplicitEngine
from otsrw.traces.facts import facts_of
from otsrw.traces.product import Safety
from otsrw.traces.renaming import EntityGroups, grouped
from otsrw.traces.symbolic import SymbolicEngine

ENGINES = [ExplicitEngine, SymbolicEngine]


def has_z3() -> bool:
    try:
        SymbolicEngine(BoundedTraces(Lts.of(1, [0], []), Safety(), 0))
    except OtsrwError as error:
        assert error.problem.code == "E530"
        return False
    return True


@pytest.fixture(params=ENGINES, ids=["explicit", "symbolic"])
def make_engine(request: pytest.FixtureRequest) -> Any:
    if request.param is SymbolicEngine and not has_z3():
        pytest.skip("z3 is not installed")
    return request.param


def texts(classification: Classification) -> list[str]:
    return [str(found.constraint) for found in classification.classes]


# --- the a-example


def counter(bound: int) -> BoundedTraces:
    """a starts at 1 and goes down, stays or goes up; it should stay 1."""
    values = range(1 - bound, 2 + bound)
    edges = [
        (n, name, n + step)
        for n in range(len(values))
        for name, step in (("down", -1), ("stay", 0), ("up", 1))
        if 0 <= n + step < len(values)
    ]
    lts = Lts.of(len(values), [bound], edges, ["a"], [(value,) for value in values])
    return BoundedTraces(lts, Safety(frozenset(n for n, value in enumerate(values) if value != 1)), bound)


def compare(name: str, test: Any) -> TracePredicate:
    return TracePredicate(name, lambda moment: test(moment.observers["a"]))


LESS = compare("lessThanOne", lambda a: a < 1)
GREATER = compare("greaterThanOne", lambda a: a > 1)
OTHER = compare("notOne", lambda a: a != 1)


def only(*predicates: TracePredicate) -> Vocabulary:
    return Vocabulary(predicates, equality=False, order=False)


def test_a_vocabulary_may_not_suffice(make_engine: Any) -> None:
    found = classify(make_engine(counter(2)), only(LESS))
    assert texts(found) == ["exists i: lessThanOne[i]"]
    assert found.unexplained is not None
    assert counter(2).moments_of(found.unexplained.counterexample)[-1].observers["a"] == 2
    assert found.unexplained.satisfying is not None


def test_two_classes(make_engine: Any) -> None:
    found = classify(make_engine(counter(2)), only(LESS, GREATER))
    assert sorted(texts(found)) == ["exists i: greaterThanOne[i]", "exists i: lessThanOne[i]"]
    assert found.unexplained is None
    assert all(c.canonical for c in found.classes)


@pytest.mark.parametrize("order", [(LESS, GREATER, OTHER), (OTHER, LESS, GREATER), (GREATER, OTHER, LESS)])
def test_one_class_whatever_the_order(make_engine: Any, order: tuple[TracePredicate, ...]) -> None:
    found = classify(make_engine(counter(2)), only(*order))
    assert texts(found) == ["exists i: notOne[i]"]


def test_classes_of_summaries_stay_and_say_what_covers_them(make_engine: Any) -> None:
    falls = TracePredicate("falls", LESS.holds, summary=True)
    found = classify(make_engine(counter(2)), only(OTHER, falls))
    assert texts(found) == ["exists i: falls[i]", "exists i: notOne[i]"]
    assert [c.covered_by for c in found.classes] == [(1,), ()]
    assert [c.canonical for c in found.classes] == [False, True]


@pytest.mark.parametrize("name", ["event", "send.1"])
def test_an_observer_may_be_called_as_the_event_or_its_argument(make_engine: Any, name: str) -> None:
    edges = [(0, Label("send", ("x",)), 1), (0, Label("wait"), 2)]
    lts = Lts.of(3, [0], edges, [name], [("send",), ("x",), ("x",)])
    traces = BoundedTraces(lts, Safety(frozenset([1])), 1)
    moments = traces.moments_of(Path((0, 1), (0,)))
    facts = [fact for fact in facts_of(moments, Vocabulary()) if isinstance(fact, Equals)]
    assert len(facts) == 4, "two values of the observer, the event, its argument"
    assert all(fact.holds(moments[fact.position]) for fact in facts)
    primed = "event'" if name == "event" else "event"
    assert texts(classify(make_engine(traces), Vocabulary())) == [f"exists i: {primed}@i = send"]


# --- Alice, Bob and Eve


def eavesdropper(bound: int) -> BoundedTraces:
    """States are (Eve has the key, Eve has seen a secret); every message is one transition."""
    states = [(key, seen) for key in (False, True) for seen in (False, True)]
    edges = []
    for (key, seen), kind, sender, secret in product(
        states, ("Plaintext", "Encrypted"), ("Alice", "Bob"), (False, True)
    ):
        after = (key or kind == "Encrypted", seen or (secret and (kind == "Plaintext" or key)))
        label = Label("send", (kind, sender, "true" if secret else "false"))
        edges.append((states.index((key, seen)), label, states.index(after)))
    values: list[tuple[Value, ...]] = [("KeyAB" if key else "none", seen) for key, seen in states]
    lts = Lts.of(4, [0], edges, ["EveKey", "EveSeenSecret"], values)
    return BoundedTraces(lts, Safety(frozenset([1, 3])), bound)


HIDDEN = Vocabulary(hidden=frozenset(["EveSeenSecret"]))


@pytest.mark.parametrize(("bound", "traces", "violating"), [(2, 73, 38), (3, 585, 430)])
def test_the_counterexamples_of_the_running_example_are_counted(bound: int, traces: int, violating: int) -> None:
    engine = ExplicitEngine(eavesdropper(bound))
    assert engine.count(True) == violating
    assert engine.count(True) + engine.count(False) == traces


def test_with_everything_visible_there_is_one_trivial_class(make_engine: Any) -> None:
    found = classify(make_engine(eavesdropper(2)), Vocabulary())
    assert texts(found) == ["exists i: EveSeenSecret@i = true"]


@pytest.mark.parametrize("bound", [2, 3])
def test_without_the_property_there_are_the_two_classes_of_the_paper(make_engine: Any, bound: int) -> None:
    """The paper's second class also says that the last message is Encrypted, which is not needed."""
    found = classify(make_engine(eavesdropper(bound)), HIDDEN)
    assert texts(found) == [
        "exists i: send.1@i = Plaintext and send.3@i = true",
        "exists i, j: i < j and send.1@i = Encrypted and send.3@j = true",
    ]
    assert all(c.canonical for c in found.classes)


def test_classes_say_how_many_counterexamples_they_cover() -> None:
    found = classify(ExplicitEngine(eavesdropper(2)), HIDDEN)
    assert found.counterexamples == 38
    assert [c.covers for c in found.classes] == [30, 16]


def test_a_long_bound_is_no_problem() -> None:
    found = classify(ExplicitEngine(eavesdropper(40)), HIDDEN)
    assert len(found.classes) == 2
    assert found.counterexamples is not None
    assert found.counterexamples > 8**39


def test_predicates_may_relate_positions(make_engine: Any) -> None:
    def repeats(first: Moment, second: Moment) -> bool:
        return first.label is not None and first.label == second.label and first.label.arguments[2] == "true"

    found = classify(
        make_engine(eavesdropper(2)),
        Vocabulary((TracePredicate("repeats", repeats, 2, summary=True),), hidden=HIDDEN.hidden),
    )
    assert texts(found)[0] == "exists i, j: repeats[i, j]"
    assert len(found.classes) == 3
    assert not found.classes[0].canonical


# --- against enumeration


def all_traces(traces: BoundedTraces) -> Iterator[Path]:
    layer = [Path((state,), ()) for state in traces.lts.initial]
    for depth in range(traces.bound + 1):
        yield from layer
        if depth < traces.bound:
            layer = [
                Path((*path.states, traces.lts.targets[t]), (*path.transitions, t))
                for path in layer
                for t in traces.lts.outgoing.of(path.states[-1])
            ]


def violates(traces: BoundedTraces, path: Path) -> bool:
    return bool(set(path.states) & traces.safety.bad_states)


def satisfies(traces: BoundedTraces, path: Path, constraint: TraceConstraint) -> bool:
    """By trying every way to place the position variables."""
    moments = traces.moments_of(path)
    variables = constraint.positions
    for places in product(range(len(moments)), repeat=len(variables)):
        where = dict(zip(variables, places, strict=True))
        if all(fact_holds(fact, where, moments) for fact in constraint.facts):
            return True
    return False


def fact_holds(fact: Fact, where: dict[int, int], moments: list[Moment]) -> bool:
    places = [where[position] for position in fact.positions]
    if isinstance(fact, Before):
        return places[0] < places[1]
    if isinstance(fact, Equals):
        return moments[places[0]].variables.get(fact.variable) == fact.value
    if isinstance(fact, Contains):
        return fact.element in SETS[str(moments[places[0]].observers[fact.variable])]
    if isinstance(fact, Placed):
        return places[0] == fact.index
    return places == sorted(set(places)) and fact.predicate.holds(*(moments[place] for place in places))


def same_x(first: Moment, second: Moment) -> bool:
    return first.observers["x"] == second.observers["x"]


SAME = TracePredicate("same", same_x, 2)
GROWS = TracePredicate("grows", lambda *moments: moments[0].observers["x"] < moments[-1].observers["x"], 3)
POSITIVE = TracePredicate("positive", lambda moment: moment.observers["x"] > 0)


def returns(first: Moment, second: Moment, third: Moment) -> bool:
    x, y, z = (int(moment.observers["x"]) for moment in (first, second, third))
    return x % 2 == z % 2 and x < y and y > 0


RETURNS = TracePredicate(
    "returns",
    returns,
    3,
    conjuncts=(
        Part((0, 2), lambda x, z: x.observers["x"] % 2 == z.observers["x"] % 2, lambda _, m: m.observers["x"] % 2),
        Part((0, 1), lambda x, y: x.observers["x"] < y.observers["x"], lambda _, m: m.observers["x"]),
        Part((1,), lambda y: y.observers["x"] > 0),
    ),
)


SETS: dict[Value, tuple[str, ...]] = {"empty": (), "p": ("p",), "p , q": ("p", "q")}


@st.composite
def small_systems(draw: st.DrawFn) -> BoundedTraces:
    """States have a number `x` and a set `s`; events have arguments, one of which is made of another."""
    states = draw(st.integers(1, 4))
    state = st.integers(0, states - 1)
    label = st.sampled_from(["a", "b(1)", "b(2)", "c(n(1),1)"])
    edges = draw(st.lists(st.tuples(state, label, state), max_size=6, unique=True))
    values: list[tuple[Value, ...]] = [(draw(st.integers(0, 2)), draw(st.sampled_from([*SETS]))) for _ in range(states)]
    initial = draw(st.lists(state, min_size=1, max_size=2, unique=True))
    bad = draw(st.frozensets(state, max_size=2))
    lts = replace(Lts.of(states, initial, edges, ["x", "s"], values), collections={"s": SETS})
    return BoundedTraces(lts, Safety(bad), draw(st.integers(0, 3)))


PREDICATES = [SAME, GROWS, POSITIVE, RETURNS]
vocabularies = st.builds(
    Vocabulary,
    st.sets(st.sampled_from(PREDICATES)).map(lambda found: tuple(sorted(found, key=lambda p: p.name))),
    st.booleans(),
    st.booleans(),
    st.sampled_from([frozenset(), frozenset(["x"]), frozenset(["s"])]),
    st.booleans(),
)


@settings(max_examples=400)
@given(small_systems(), vocabularies, st.data())
def test_the_explicit_engine_agrees_with_enumeration(
    traces: BoundedTraces, vocabulary: Vocabulary, data: st.DataObject
) -> None:
    everything = list(all_traces(traces))
    engine = ExplicitEngine(traces)
    constraints = []
    for _ in range(2):
        detail = data.draw(st.sampled_from(Detail))
        facts = facts_of(traces.moments_of(data.draw(st.sampled_from(everything))), vocabulary, detail)
        chosen = data.draw(st.lists(st.sampled_from(facts), unique=True, max_size=4)) if facts else []
        constraints.append(TraceConstraint(tuple(chosen)))
    one, other = constraints
    for violating in (True, False):
        expected = [
            path
            for path in everything
            if violates(traces, path) == violating
            and satisfies(traces, path, one)
            and not satisfies(traces, path, other)
        ]
        assert engine.count(violating, [one], [other]) == len(expected)
        assert engine.find(violating, [one], [other]) == (expected[0] if expected else None)


@settings(max_examples=300)
@given(small_systems(), vocabularies)
def test_classes_cover_exactly_the_counterexamples(traces: BoundedTraces, vocabulary: Vocabulary) -> None:
    check_classification(ExplicitEngine(traces), vocabulary)


@pytest.mark.skipif(not has_z3(), reason="z3 is not installed")
@settings(max_examples=40)
@given(small_systems(), vocabularies)
def test_both_engines_give_the_same_classes(traces: BoundedTraces, vocabulary: Vocabulary) -> None:
    explicit = classify(ExplicitEngine(traces), vocabulary)
    symbolic = classify(SymbolicEngine(traces), vocabulary)
    assert texts(explicit) == texts(symbolic)
    assert [c.representative for c in explicit.classes] == [c.representative for c in symbolic.classes]
    assert explicit.unexplained == symbolic.unexplained


def check_classification(engine: Engine, vocabulary: Vocabulary) -> None:
    traces = engine.traces
    found = classify(engine, vocabulary)
    everything = list(all_traces(traces))
    bad = [path for path in everything if violates(traces, path)]
    good = [path for path in everything if not violates(traces, path)]
    members = [[path for path in bad if satisfies(traces, path, c.constraint)] for c in found.classes]
    for c, paths in zip(found.classes, members, strict=True):
        assert not any(satisfies(traces, path, c.constraint) for path in good), "sufficient"
        assert c.covers == len(paths)
        assert c.representative in paths
        for fact in c.constraint.facts:
            weaker = TraceConstraint(tuple(other for other in c.constraint.facts if other != fact))
            assert any(satisfies(traces, path, weaker) for path in good), "minimal"
    assert found.counterexamples == len(bad)
    if found.unexplained is None:
        assert {path for paths in members for path in paths} == set(bad), "complete"
        for number, paths in enumerate(members):
            others = {path for other, ps in enumerate(members) if other != number for path in ps}
            assert not set(paths) <= others, "not redundant"
            assert found.classes[number].canonical
            assert found.classes[number].representative not in others
    else:
        path = found.unexplained.counterexample
        facts = TraceConstraint(facts_of(traces.moments_of(path), vocabulary, vocabulary.details[-1]))
        assert not facts.facts or any(satisfies(traces, other, facts) for other in good)


@settings(max_examples=100)
@given(small_systems(), st.booleans())
def test_every_trace_is_characterised_if_its_states_are_told_apart(traces: BoundedTraces, order: bool) -> None:
    """Lemma 4 of the paper: with equality there is always a solution."""
    told = replace(
        traces.lts, observers=("state",), valuations=[(n,) for n in range(traces.lts.states)], collections={}
    )
    found = classify(ExplicitEngine(replace(traces, lts=told)), Vocabulary(order=order))
    assert found.unexplained is None


def test_of_a_collection_the_elements_are_named() -> None:
    edges = [(0, "one", 1), (0, "two", 2), (1, "go", 3), (2, "go", 3)]
    values: list[tuple[Value, ...]] = [("empty",), ("m",), ("k",), ("k , m",)]
    lts = Lts.of(4, [0], edges, ["nw"], values)
    parts: dict[Value, tuple[str, ...]] = {"empty": (), "m": ("m",), "k": ("k",), "k , m": ("k", "m")}
    traces = BoundedTraces(replace(lts, collections={"nw": parts}), Safety(frozenset([2, 3])), 2)
    found = classify(ExplicitEngine(traces), Vocabulary())
    assert texts(found) == ["exists i: k \\in nw@i"]


def test_relations_make_one_class_of_what_differs_in_its_entities() -> None:
    """The one who asked must not get what another one made."""
    asks, makers = ("p", "q"), ("p", "q")
    edges: list[tuple[int, str | Label, int]] = []
    bad = set()
    for number, (who, maker) in enumerate(product(asks, makers)):
        edges += [(0, Label("ask", (who,)), 2 * number + 1)]
        edges += [(2 * number + 1, Label("get", (f"n({maker},r)",)), 2 * number + 2)]
        bad |= {2 * number + 2} if who == maker else set()
    traces = BoundedTraces(Lts.of(9, [0], edges, ["o"], [("v",)] * 9), Safety(frozenset(bad)), 2)
    plain, related = (classify(ExplicitEngine(traces), Vocabulary(relations=flag)) for flag in (False, True))
    assert len(plain.classes) == 2
    assert texts(related) == ["exists i, j: get.1@j was made by ask.1@i"]


def test_constraints_read_well() -> None:
    constraint = TraceConstraint((Equals(4, "x", True), Before(2, 4), Satisfies(SAME, (2, 7))))
    assert str(constraint) == "exists i, j, k: i < j and x@j = true and same[i, k]"
    placed = TraceConstraint((Contains(3, "nw", "m"), Placed(3, 3)))
    assert str(placed) == "exists i: i = 3 and m \\in nw@i"
    assert str(TraceConstraint(())) == "every trace"


def first_part(text: str) -> str | None:
    """What stands between the first bracket and the first comma that is in no further bracket; written anew."""
    if "(" not in text or not text.endswith(")"):
        return None
    depth, part = 0, ""
    for character in text[text.index("(") + 1 : -1]:
        if character == "," and not depth:
            break
        depth += (character == "(") - (character == ")")
        part += character
    return part


RELATION = re.compile(r"(.+)@\{(\d)\} (=|was made by) (.+)@\{(\d)\}")


@st.composite
def observed_traces(draw: st.DrawFn) -> list[Moment]:
    value = st.sampled_from(["p", "q", "n(p)", "n(q,p)", "m(n(p),q)"])
    labels = [None, *draw(st.lists(st.builds(lambda *a: Label("f", a), value, value), max_size=3))]
    return [Moment(label, {"x": draw(value), "y(p)": draw(value), "k": draw(st.integers(0, 1))}) for label in labels]


@settings(max_examples=150, deadline=None)
@given(observed_traces())
def test_relations_say_what_is_true_of_observers_and_events(moments: list[Moment]) -> None:
    """Every relation is read and looked up again; and each that can be said between observers is said."""
    facts = [f for f in facts_of(moments, Vocabulary(relations=True)) if isinstance(f, Satisfies)]
    said = set()
    for fact in facts:
        read = RELATION.fullmatch(fact.predicate.phrase)
        assert read is not None
        one, first, relation, other, second = read.groups()
        places = fact.positions[int(first)], fact.positions[int(second)]
        left, right = moments[places[0]].variables[one], moments[places[1]].variables[other]
        assert left == right if relation == "=" else first_part(str(left)) == right
        said.add((one, places[0], relation, other, places[1]))
    for i, here in enumerate(moments):
        for x, y in (("x", "y(p)"), ("y(p)", "x")):
            if here.observers[x] == here.observers[y]:
                assert {(x, i, "=", y, i), (y, i, "=", x, i)} & said
            elif first_part(str(here.observers[x])) == here.observers[y]:
                assert (x, i, "was made by", y, i) in said
        for j in range(i + 1, len(moments)):
            for x in ("x", "y(p)", "k"):
                assert ((x, i, "=", x, j) in said) == (here.observers[x] == moments[j].observers[x])
            for argument, value in moments[j].arguments.items():
                if first_part(str(here.observers["x"])) == value:
                    assert ("x", i, "was made by", argument, j) in said


def test_relations_of_observers_that_entities_are_renamed_in_are_images() -> None:
    """`pc(p1)@i = pc(p2)@i` and `pc(p2)@i = pc(p3)@i` are one idea."""
    values = [("a", "b", "c"), ("d", "d", "c"), ("a", "e", "e"), ("f", "b", "f")]
    edges = [(0, "go", 1), (0, "go", 2), (0, "go", 3)]
    lts = Lts.of(4, [0], edges, ["pc(p1)", "pc(p2)", "pc(p3)"], values)
    found = classify(ExplicitEngine(BoundedTraces(lts, Safety(frozenset([1, 2, 3])), 1)), Vocabulary(relations=True))
    assert texts(found) == ["exists i: event@i = go"]
    told = Vocabulary(relations=True, order=False, hidden=frozenset(["event"]))
    found = classify(ExplicitEngine(BoundedTraces(lts, Safety(frozenset([1, 2, 3])), 1)), told)
    assert texts(found) == [
        "exists i: pc(p1)@i = pc(p2)@i",
        "exists i: pc(p2)@i = pc(p3)@i",
        "exists i: pc(p1)@i = pc(p3)@i",
    ]
    images = grouped(found, EntityGroups((("p1", "p2", "p3"),)))
    assert [c.image_of for c in images.classes] == [None, 0, 0]

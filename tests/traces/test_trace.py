"""Labels, traces, their documents and ITF."""

from __future__ import annotations

import doctest
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import otsrw.traces
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Source
from otsrw.traces import Label, Trace, Value
from otsrw.traces.formats import from_itf, read_itf, to_itf, write_itf

LABELS = [
    ("send1(p1,intr)", Label("send1", ("p1", "intr"))),
    ("send(p1, pair(a,b), [x,y])", Label("send", ("p1", "pair(a,b)", "[x,y]"))),
    ("tick", Label("tick")),
    ("tick()", Label("tick")),
    ("PUT !A !3", Label("PUT", ("A", "3"))),
    ("PUT !CONS(1, NIL) ?x", Label("PUT", ("CONS(1, NIL)", "x"))),
    ("f(a))(", Label("f(a))(")),
    ("f(a)(b))", Label("f(a)(b))")),
    ("(a)", Label("(a)")),
    ("i", Label("i")),
    ("", Label("")),
]


@pytest.mark.parametrize(("text", "label"), LABELS, ids=[text or "empty" for text, _ in LABELS])
def test_a_label_is_read_from_its_text(text: str, label: Label) -> None:
    assert Label.read(text) == label


def test_a_label_prints_as_a_term() -> None:
    assert str(Label("send1", ("p1", "intr"))) == "send1(p1,intr)"
    assert str(Label("tick")) == "tick"


def test_the_document_of_a_trace() -> None:
    trace = Trace.of([(None, {"pc(p1)": "rs", "n": 0}), (Label("try", ("p1",)), {"pc(p1)": "ws", "n": 0})], loop=0)
    assert trace.to_document() == {
        "vars": ["pc(p1)", "n"],
        "states": [
            {"index": 0, "label": None, "observers": {"pc(p1)": "rs", "n": 0}, "changed": []},
            {
                "index": 1,
                "label": {"transition": "try", "arguments": ["p1"]},
                "observers": {"pc(p1)": "ws", "n": 0},
                "changed": ["pc(p1)"],
            },
        ],
        "loop": 0,
    }


def test_true_and_one_are_different_values() -> None:
    trace = Trace.of([(None, {"x": 1}), (Label("t"), {"x": True}), (Label("t"), {"x": True})])
    assert [state.changed for state in trace.states] == [(), ("x",), ()]


values: st.SearchStrategy[Value] = st.one_of(st.text(), st.booleans(), st.integers(-(2**70), 2**70))
names = st.lists(st.text(min_size=1).filter(lambda name: name != "#meta"), unique=True, max_size=4)
labels = st.builds(Label, st.text(min_size=1), st.lists(st.text()).map(tuple))


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    observers = draw(names)
    length = draw(st.integers(1, 5))
    steps: list[tuple[Label | None, dict[str, Value]]] = []
    for index in range(length):
        steps.append((draw(labels) if index else None, {name: draw(values) for name in observers}))
    return Trace.of(steps, draw(st.none() | st.integers(0, length - 1)), observers)


@given(traces())
def test_documents_are_read_back(trace: Trace) -> None:
    assert Trace.from_document(json.loads(json.dumps(trace.to_document()))) == trace


@given(traces())
def test_itf_loses_nothing(trace: Trace) -> None:
    assert read_itf(Source("t.itf.json", write_itf(trace))) == trace
    again = from_itf(to_itf(trace))
    for state, other in zip(trace.states, again.states, strict=True):
        assert [type(v) for v in state.observers.values()] == [type(v) for v in other.observers.values()]


def test_itf_of_apalache_is_read() -> None:
    text = """{"#meta": {"format": "ITF", "varTypes": {"x": "Int"}}, "vars": ["x", "s", "r"], "states": [
      {"#meta": {"index": 0}, "x": {"#bigint": "40"}, "s": {"#set": [1, {"#tup": [true, "a"]}]}, "r": {"f": 1}}],
      "loop": 0}"""
    trace = read_itf(Source("t.itf.json", text))
    assert trace.states[0].observers == {"x": 40, "s": "{1, <<true, a>>}", "r": "[f: 1]"}
    assert trace.loop == 0


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "t.itf.json:1:1"),
        ('{"vars": [],\n "states": [}', "t.itf.json:2:13"),
        ("[]", "t.itf.json:1:1"),
        ('{"vars": [], "states": 3}', "t.itf.json:1:1"),
        ('{"vars": [1], "states": []}', "t.itf.json:1:1"),
        ('{"vars": [], "states": [], "loop": 4}', "t.itf.json:1:1"),
        ('{"vars": [], "states": [], "loop": "a"}', "t.itf.json:1:1"),
        ('{"vars": ["x"], "states": [{"x": {"#bigint": "z"}}]}', "t.itf.json:1:1"),
        ('{"vars": ["x"], "states": [{"#meta": {"label": {"transition": 3}}}]}', "t.itf.json:1:1"),
    ],
    ids=["empty", "comma", "list", "states", "vars", "loop", "loop-text", "bigint", "label"],
)
def test_a_bad_trace_is_an_error_with_a_place(text: str, place: str) -> None:
    with pytest.raises(OtsrwError) as caught:
        read_itf(Source("t.itf.json", text))
    assert caught.value.problem.code == "E125"
    assert str(caught.value).startswith(f"{place}: error E125: ")


def test_deep_nesting_is_an_error() -> None:
    with pytest.raises(OtsrwError, match="E125"):
        read_itf(Source("t.itf.json", "[" * 20_000))


def test_the_example_of_the_room_runs() -> None:
    assert doctest.testmod(otsrw.traces).failed == 0

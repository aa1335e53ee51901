"""Why a counterexample happens: checked against runs that are followed once more, in random systems and by hand."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from otsrw.traces import Label, Lts, Path, Safety, simplify_safety
from otsrw.traces.causes import CausalSlice, causal_slice
from otsrw.traces.colours import Colour

BAD = 5


def found(lts: Lts, bad: frozenset[int]) -> tuple[Path, CausalSlice] | None:
    result = simplify_safety(lts, Safety(bad))
    sliced = causal_slice(result, Label.__eq__, lambda run: bool(set(run.states) & bad))
    if sliced is None or result.counterexample is None:
        return None
    for position, transition in sliced.prevented:
        assert lts.sources[transition] == result.counterexample.states[position]
        assert result.colours[transition] == Colour.CORRECT
    return result.counterexample, sliced


def test_an_event_that_is_not_needed_is_told() -> None:
    """`note` may happen at any time; `open` needs `key`, and the violation needs `open`."""
    values = [("no", 0), ("yes", 0), ("no", 1), ("yes", 1), ("yes", 2), ("yes", 3)]
    edges = [(0, "note", 2), (1, "note", 3), (2, "key", 3), (0, "stop", 2), (3, "open", 5)]
    lts = Lts.of(6, [0], edges, ["key", "n"], values)
    known = found(lts, frozenset([BAD]))
    assert known is not None
    path, sliced = known
    assert [lts.label(t) for t in path.transitions] == ["note", "key", "open"]
    assert [step.needs for step in sliced.steps] == [(), (0,), (1,)]
    assert "key" in sliced.steps[2].through
    assert sliced.violation_needs == (2,)
    assert sliced.kept == (0, 1, 2)


def test_what_would_have_prevented_it_leaves_the_run_for_good() -> None:
    lts = Lts.of(4, [0], [(0, "a", 1), (0, "b", 2), (1, "c", 3), (1, "d", 2)], ["x"], [(n,) for n in range(4)])
    known = found(lts, frozenset([3]))
    assert known is not None
    assert [(position, lts.label(t)) for position, t in known[1].prevented] == [(0, "b"), (1, "d")]


@st.composite
def systems(draw: st.DrawFn) -> tuple[Lts, frozenset[int]]:
    states = draw(st.integers(2, 6))
    number = st.integers(0, states - 1)
    edges = draw(st.lists(st.tuples(number, st.sampled_from("abc"), number), min_size=1, max_size=12, unique=True))
    lts = Lts.of(states, [0], [*edges], ["x"], [(n,) for n in range(states)])
    return lts, draw(st.frozensets(st.integers(1, states - 1), min_size=1, max_size=2))


@given(systems())
@settings(max_examples=200, deadline=None)
def test_a_step_is_needed_iff_the_run_without_it_violates_nothing(system: tuple[Lts, frozenset[int]]) -> None:
    lts, bad = system
    known = found(lts, bad)
    if known is None:
        return
    path, sliced = known
    for step in sliced.steps:
        state, lost = path.states[0], set[int]()
        met = {state}
        for number, transition in enumerate(path.transitions):
            if number == step.step:
                continue
            label = lts.label(transition)
            following = [lts.targets[t] for t in lts.outgoing.of(state) if lts.label(t) == label]
            if following:
                state = following[0]
                met.add(state)
            else:
                lost.add(number)
        assert step.needed == (not met & bad)
        assert all(step.step in _all_needs(sliced, other) for other in lost if other > step.step)


def _all_needs(sliced: CausalSlice, step: int) -> set[int]:
    direct = set(sliced.steps[step].needs)
    return direct.union(*(_all_needs(sliced, other) for other in direct))

"""Groups of neighbourhoods, turning points and shortest runs, against enumeration and permutations by force."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from otsrw.traces import ActionSequence, Lts, Safety, Simplification, simplify_inevitability, simplify_safety
from otsrw.traces import simplify_temporal as simplify_formula
from otsrw.traces.alternatives import grouped_runs, shortest_bad_paths
from otsrw.traces.bounded import BoundedTraces
from otsrw.traces.colours import Colour
from otsrw.traces.decisions import decision_groups
from otsrw.traces.lts import Path
from otsrw.traces.neighbourhoods import Neighbourhood
from otsrw.traces.orbits import Exchange
from otsrw.traces.temporal import TemporalProperty
from otsrw.traces.turning import turning_points

from .symmetric import global_state, moved_label, moved_state, renamings, symmetric_systems

RANKS = ["GR", "GRB", "R", "G"]
SymmetricSystem = tuple[Lts, Safety, list[Exchange]]


def leaving(result: Simplification, found: Neighbourhood, colour: Colour) -> set[str]:
    return {result.lts.event(t).transition for t in found.outgoing if result.colours[t] == colour}


def shape(result: Simplification, found: Neighbourhood, renaming: dict[str, str]) -> object:
    """A neighbourhood with its entities renamed: its state, and the events, colours and targets that leave it."""
    lts = result.lts
    return moved_state(global_state(lts, found.state), renaming), frozenset(
        (
            moved_label(lts.event(t), renaming),
            result.colours[t],
            moved_state(global_state(lts, lts.targets[t]), renaming),
        )
        for t in found.outgoing
    )


@given(symmetric_systems)
@settings(max_examples=150, deadline=None)
def test_groups_decide_the_same_and_orbits_are_those_of_all_permutations(system: SymmetricSystem) -> None:
    lts, safety, exchanges = system
    result = simplify_safety(lts, safety)
    groups = decision_groups(result, exchanges)
    everything = [found for group in groups for orbit in group.orbits for found in orbit]
    assert Counter(everything) == Counter(result.neighbourhoods), "each is in one group, once"
    for number, group in enumerate(groups):
        members = [found for orbit in group.orbits for found in orbit]
        for found in members:
            assert (found.type, leaving(result, found, Colour.CORRECT)) == (group.type, set(group.correct))
            assert leaving(result, found, Colour.INCORRECT) == set(group.incorrect)
        assert group.example in members
        assert [result.visited[p] for p in group.positions] == [
            s for s in result.visited if s in {found.state for found in members}
        ]
        for other in groups[number + 1 :]:
            assert (group.type, group.correct, group.incorrect) != (other.type, other.correct, other.incorrect)
            assert RANKS.index(group.type) <= RANKS.index(other.type)
        plain = {found.state: shape(result, found, {}) for found in members}
        for one in members:
            images = {shape(result, one, renaming) for renaming in renamings()}
            orbit = next(orbit for orbit in group.orbits if one in orbit)
            assert {found.state for found in orbit} == {state for state, look in plain.items() if look in images}


def test_a_wrong_exchange_puts_nothing_together() -> None:
    """Whoever calls two entities interchangeable has to be right: events and colours are compared."""
    edges = [(0, "go(p)", 1), (0, "go(q)", 2), (1, "x(p)", 3), (1, "y(p)", 4), (2, "x(q)", 3), (2, "z(q)", 4)]
    lts = Lts.of(5, [0], edges)
    result = simplify_safety(lts, Safety(frozenset([3])))
    swap = {0: 0, 1: 2, 2: 1, 3: 3, 4: 4}
    renaming = {"p": "q", "q": "p"}
    exchange = Exchange(("p", "q"), swap.get, lambda label: moved_label(label, renaming))
    assert [len(group.orbits) for group in decision_groups(result, [exchange])] == [1, 1]
    same = Lts.of(5, [0], [*edges[:5], (2, "y(q)", 4)])
    assert [
        len(group.orbits) for group in decision_groups(simplify_safety(same, Safety(frozenset([3]))), [exchange])
    ] == [1]


# --- shortest runs


def bad_paths(lts: Lts, safety: Safety, bound: int) -> list[Path]:
    """The shortest paths to something bad, by going through all paths."""
    layer = [Path((state,), ()) for state in dict.fromkeys(lts.initial)]
    for _ in range(bound + 1):
        found = [path for path in layer if path.states[-1] in safety.bad_states]
        if found:
            return found
        layer = [
            Path((*path.states, lts.targets[t]), (*path.transitions, t))
            for path in layer
            for t in lts.outgoing.of(path.states[-1])
        ]
    return []


@given(symmetric_systems)
@settings(max_examples=150, deadline=None)
def test_shortest_runs_are_counted_and_grouped_as_by_force(system: SymmetricSystem) -> None:
    lts, safety, exchanges = system
    traces = BoundedTraces(lts, safety, 5)
    expected = bad_paths(lts, safety, 5)
    assert sorted(path.transitions for path in shortest_bad_paths(traces)) == sorted(p.transitions for p in expected)
    found = grouped_runs(lts, traces, lambda path: path, exchanges)
    assert found.count == len(expected)

    def labels(path: Path, renaming: dict[str, str]) -> tuple[str, ...]:
        return tuple(str(moved_label(lts.event(t), renaming)) for t in path.transitions)

    events = {min(tuple(sorted(labels(path, r))) for r in renamings()) for path in expected}
    assert len(found.groups) == len(events)
    for group in found.groups:
        mine = {tuple(sorted(labels(group.example, r))) for r in renamings()}
        members = [path for path in expected if tuple(sorted(labels(path, {}))) in mine]
        assert group.runs == len(members)
        assert group.renamings == len({tuple(sorted(labels(path, {}))) for path in members})
        assert group.example in members

    def whole(path: Path, renaming: dict[str, str]) -> tuple[object, ...]:
        return labels(path, renaming), tuple(moved_state(global_state(lts, s), renaming) for s in path.states)

    assert found.renamed == len({min(map(repr, (whole(path, r) for r in renamings()))) for path in expected})


# --- turning points


@st.composite
def systems(draw: st.DrawFn) -> tuple[Lts, frozenset[int]]:
    states = draw(st.integers(2, 7))
    number = st.integers(0, states - 1)
    label = st.sampled_from(["a", "b(1)", "b(2)", "c"])
    edges = draw(st.lists(st.tuples(number, label, number), min_size=1, max_size=14, unique=True))
    lts = Lts.of(states, [0], [*edges], ["x"], [(n,) for n in range(states)])
    return lts, draw(st.frozensets(st.integers(1, states - 1), min_size=1, max_size=2))


def can_meet(lts: Lts, state: int, bad: frozenset[int]) -> bool:
    """Whether some run from a state meets something bad."""
    seen = {state}
    while True:
        more = {lts.targets[t] for s in seen for t in lts.outgoing.of(s)} | seen
        if more == seen:
            return bool(seen & bad)
        seen = more


def can_avoid(lts: Lts, state: int, bad: frozenset[int]) -> bool:
    """Whether some run from a state ends, or goes on for ever, with nothing bad: all long enough walks are tried."""
    walks = {state} - bad
    for _ in range(lts.states + 1):
        if any(not lts.outgoing.degree(s) for s in walks):
            return True
        walks = {lts.targets[t] for s in walks for t in lts.outgoing.of(s)} - bad
    return bool(walks)


@given(systems())
@settings(max_examples=300, deadline=None)
def test_turning_points_are_last_chances_and_the_step_that_decides(system: tuple[Lts, frozenset[int]]) -> None:
    lts, bad = system
    result = simplify_safety(lts, Safety(bad))
    path = result.counterexample
    found = turning_points(result)
    if path is None:
        assert found == ()
        return
    chances = [
        {lts.event(t).transition for t in lts.outgoing.of(state) if not can_meet(lts, lts.targets[t], bad)}
        for state in path.states[:-1]
    ]
    decided = [not can_avoid(lts, state, bad) for state in path.states[1:]]
    deciding = decided.index(True)
    expected = []
    for step in range(path.length):
        last = chances[step] - set().union(*chances[step + 1 :])
        if last or step == deciding:
            expected.append((step, tuple(sorted(last)), step == deciding))
    assert [(point.step, point.last_chances, point.decides) for point in found] == expected


def test_a_chance_on_a_loop_is_never_the_last() -> None:
    lts = Lts.of(4, [0], [(0, "a", 1), (0, "x", 3), (1, "b", 2), (2, "c", 1), (1, "go", 3), (3, "go", 3)])
    result = simplify_inevitability(lts, ActionSequence.of(lts, ["go"]))
    assert result.counterexample is not None and result.counterexample.loop == 1
    assert [(p.step, p.last_chances, p.decides) for p in turning_points(result)] == [(0, ("x",), False)]


def test_turning_points_of_a_formula_know_what_it_remembers() -> None:
    lts = Lts.of(3, [0], [(0, "off", 1), (0, "go", 0), (1, "stop", 2), (1, "go", 1)])
    result = simplify_formula(lts, TemporalProperty.of('[] ("off" -> X ! "go")'))
    assert [(p.step, p.last_chances, p.decides) for p in turning_points(result)] == [(1, ("stop",), True)]

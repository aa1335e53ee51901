"""Temporal logic: against enumerated runs, against Maude's model checker, and against the two simpler properties."""

from __future__ import annotations

from collections.abc import Iterator

import maude
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otsrw.syntax.diagnostics import OtsrwError
from otsrw.traces import Explorer, NothingToExplore, Possibility
from otsrw.traces.colours import Colour
from otsrw.traces.explicit import ExplicitEngine
from otsrw.traces.lasso_traces import violation_traces
from otsrw.traces.lasso_truth import holds_on_lasso
from otsrw.traces.ltl import FALSE, TRUE, Atom, Formula, always, eventually, following, normal, parse
from otsrw.traces.lts import Lts, Path
from otsrw.traces.matching import ActionSequence
from otsrw.traces.product import Product, Safety
from otsrw.traces.propositions import letters_of
from otsrw.traces.simplification import simplify_inevitability, simplify_temporal
from otsrw.traces.temporal import SATISFIED, VIOLATED, TemporalArena, TemporalProperty
from otsrw.traces.tight import parts_of
from otsrw.traces.unfolding import unfolded

EVENTS = ("a", "b", "c")


@st.composite
def systems(draw: st.DrawFn, most: int = 4, frontier: bool = False) -> Lts:
    """A few states with a truth value `p` and a number `n`; some may be deadlocks."""
    states = draw(st.integers(1, most))
    numbers = st.integers(0, states - 1)
    triples = draw(st.lists(st.tuples(numbers, st.sampled_from(EVENTS), numbers), max_size=7, unique=True))
    values = draw(st.lists(st.tuples(st.booleans(), st.integers(0, 2)), min_size=states, max_size=states))
    unexpanded = draw(st.sets(numbers, max_size=1)) if frontier else set()
    triples = [triple for triple in triples if triple[0] not in unexpanded]
    return Lts.of(states, [0], [*triples], ["p", "n"], values, unexpanded)


def atom(text: str) -> Formula:
    return parse(text)


ATOMS = st.sampled_from(["p", "n = 1", "n < 2", '"a"', '"b"']).map(atom)
FORMULAS = st.recursive(
    ATOMS | st.sampled_from([TRUE, FALSE]),
    lambda inner: st.one_of(
        inner.map(lambda f: ~f),
        inner.map(following),
        inner.map(always),
        inner.map(eventually),
        st.tuples(inner, inner).map(lambda pair: pair[0] & pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] | pair[1]),
        st.tuples(inner, inner).map(lambda pair: Formula("until", pair)),
        st.tuples(inner, inner).map(lambda pair: Formula("release", pair)),
    ),
    max_leaves=4,
)


def lassos(lts: Lts, most: int) -> Iterator[Path]:
    """All runs that end in a deadlock or close a loop, up to a length."""
    todo: list[Path] = [Path((state,), ()) for state in lts.initial]
    while todo:
        path = todo.pop()
        last = path.states[-1]
        for loop, state in enumerate(path.states[:-1]):
            if state == last:
                yield Path(path.states, path.transitions, loop)
        if not lts.outgoing.degree(last):
            yield path
        elif path.length < most:
            for t in lts.outgoing.of(last):
                todo.append(Path((*path.states, lts.targets[t]), (*path.transitions, t)))


def truth(lts: Lts, formula: Formula, path: Path) -> bool:
    letters = letters_of(lts, [formula])
    actions = [-1, *(lts.actions[t] for t in path.transitions)]
    word = [letters.at(action, state) for action, state in zip(actions, path.states, strict=True)]
    if path.loop is not None:
        return holds_on_lasso(formula, word, path.loop + 1, letters.atoms)
    return holds_on_lasso(formula, [*word, letters.at(-1, path.states[-1])], len(word), letters.atoms)


@given(systems(), FORMULAS)
@settings(max_examples=300, deadline=None)
def test_no_enumerated_run_contradicts_verdict_and_colours(lts: Lts, formula: Formula) -> None:
    arena = TemporalArena(lts, TemporalProperty(formula))
    result = simplify_temporal(lts, TemporalProperty(formula))
    colours = arena.colours()
    for path in lassos(lts, 5):
        if truth(lts, formula, path):
            assert all(colours[t] != 2 for t in path.transitions)
        else:
            assert result.verdict == "violated"
            assert all(colours[t] != 1 for t in path.transitions)
    if result.verdict == "violated":
        assert result.counterexample is not None
        assert not truth(lts, formula, result.counterexample)


@given(systems(), FORMULAS)
@settings(max_examples=250, deadline=None)
def test_no_enumerated_run_is_a_shorter_counterexample(lts: Lts, formula: Formula) -> None:
    result = simplify_temporal(lts, TemporalProperty(formula))
    violating = [path.length for path in lassos(lts, 5) if not truth(lts, formula, path)]
    if result.counterexample is not None:
        assert result.shortest
        assert result.counterexample.length <= min(violating, default=6)
        if result.counterexample.loop is not None:
            assert result.counterexample.length in violating or result.counterexample.length > 5


@given(systems(), FORMULAS)
@settings(max_examples=150, deadline=None)
def test_the_product_is_the_system_with_what_its_runs_still_have_to_do(lts: Lts, formula: Formula) -> None:
    """Checked on runs: the formula is true of a run iff what the product remembers is true of the rest of it."""
    unfolding, colours = unfolded(TemporalArena(lts, TemporalProperty(formula)))
    known = {VIOLATED: FALSE, SATISFIED: TRUE}
    rests = [known[text] if text in known else parse(text) for text in unfolding.texts]
    for path in lassos(lts, 4):
        nodes = unfolding.nodes_of(path)
        assert [unfolding.states[node] for node in nodes] == list(path.states)
        whole = truth(lts, formula, path)
        taken = unfolding.taken_on(path)
        assert all(colours[edge] != (Colour.INCORRECT if whole else Colour.CORRECT) for edge in taken)
        letters = letters_of(lts, [formula, *rests])
        actions = [-1, *(lts.actions[t] for t in path.transitions)]
        word = [letters.at(action, state) for action, state in zip(actions, path.states, strict=True)]
        if path.loop is None:
            word.append(letters.at(-1, path.states[-1]))
        start = len(word) - 1 if path.loop is None else path.loop + 1
        for position in range(len(word) - 1):
            rest = rests[unfolding.memories[nodes[position]]]
            after = word[position + 1 :] if position + 1 <= start else word[position + 1 :] + word[start : position + 1]
            loop = max(0, start - position - 1)
            assert holds_on_lasso(rest, after, loop, letters.atoms) == whole


def maude_text(formula: Formula) -> str:
    match formula.op:
        case "true" | "false":
            return {"true": "True", "false": "False"}[formula.op]
        case "atom":
            assert formula.atom is not None
            return {"p": "pp", "n = 1": "n1", "n < 2": "n2", '"a"': "ea", '"b"': "eb"}[str(formula.atom)]
    parts = [f"({maude_text(part)})" for part in formula.parts]
    operators = {"and": "/\\", "or": "\\/", "until": "U", "release": "R", "not": "~", "next": "O"}
    return f" {operators[formula.op]} ".join(parts if len(parts) > 1 else ["", *parts])


def maude_verdict(lts: Lts, formula: Formula, number: int) -> bool:
    """Nodes are states with the event that led there; a deadlock goes on without events."""
    lines = [f"mod LTS-{number} is including MODEL-CHECKER . protecting NAT . op node : Nat Nat -> State [ctor] ."]
    lines.append("ops pp n1 n2 ea eb : -> Prop . var S : Nat . var E : Nat .")
    for source, action, target in zip(lts.sources, lts.actions, lts.targets, strict=True):
        lines.append(f"rl node({source}, E) => node({target}, {EVENTS.index(lts.labels[action]) + 1}) .")
    for state in range(lts.states):
        if not lts.outgoing.degree(state):
            lines.append(f"rl node({state}, E) => node({state}, 0) .")
        p, n = lts.valuations[state]
        for name, holds in (("pp", p), ("n1", n == 1), ("n2", int(n) < 2)):
            lines.append(f"eq node({state}, E) |= {name} = {str(bool(holds)).lower()} .")
    lines.append("eq node(S, 1) |= ea = true . eq node(S, E) |= ea = false [owise] .")
    lines.append("eq node(S, 2) |= eb = true . eq node(S, E) |= eb = false [owise] . endm")
    assert maude.input("\n".join(lines))
    module = maude.getModule(f"LTS-{number}")
    term = module.parseTerm(f"modelCheck(node(0, 0), {maude_text(formula)})")
    term.reduce()
    return str(term) == "true"


@pytest.fixture(scope="module")
def model_checker() -> None:
    maude.init(advise=False)
    assert maude.load("model-checker")


_NUMBERS = iter(range(1_000_000))


@given(systems(), FORMULAS)
@settings(max_examples=150, deadline=None)
def test_the_model_checker_of_maude_agrees(model_checker: None, lts: Lts, formula: Formula) -> None:
    verdict = simplify_temporal(lts, TemporalProperty(formula)).verdict
    assert (verdict == "holds") == maude_verdict(lts, formula, next(_NUMBERS))


@given(systems(5), st.lists(st.sampled_from(EVENTS), min_size=1, max_size=3))
@settings(max_examples=200, deadline=None)
def test_inevitability_is_a_formula(lts: Lts, labels: list[str]) -> None:
    known = simplify_inevitability(lts, ActionSequence.of(lts, labels))
    none_seen = TemporalProperty(FALSE).unless_shown(labels)
    claim = TemporalProperty(~none_seen.formula)
    assert simplify_temporal(lts, claim).verdict == known.verdict
    assert TemporalArena(lts, claim).colours() == known.colours


@given(systems(5))
@settings(max_examples=200, deadline=None)
def test_an_invariant_is_a_formula(lts: Lts) -> None:
    safety = Safety(frozenset(state for state in range(lts.states) if lts.valuations[state][1] == 1))
    arena = TemporalArena(lts, TemporalProperty.of("[] n != 1"))
    by_transition: dict[int, dict[bool, set[int]]] = {}
    for edge, colour in enumerate(arena.edge_colours()):
        seen = by_transition.setdefault(arena.transitions[edge], {True: set(), False: set()})
        seen[arena.is_violated(arena.tails[edge])].add(colour)
    colours = Product(lts, safety).colours()
    for transition, seen in by_transition.items():
        assert {colours[transition]} == (seen[False] or seen[True]), "what follows a violation does not matter"


@given(systems(5, frontier=True), FORMULAS, st.data())
@settings(max_examples=150, deadline=None)
def test_what_is_said_within_a_bound_stays_true_behind_it(lts: Lts, formula: Formula, data: st.DataObject) -> None:
    within = simplify_temporal(lts, TemporalProperty(formula)).verdict
    numbers = st.integers(0, lts.states - 1)
    triples = [(lts.sources[t], lts.label(t), lts.targets[t]) for t in range(len(lts.sources))]
    for state in lts.frontier:
        more = data.draw(st.lists(st.tuples(st.just(state), st.sampled_from(EVENTS), numbers), max_size=3))
        triples += more
    whole = Lts.of(lts.states, lts.initial, [*triples], lts.observers, lts.valuations)
    after = simplify_temporal(whole, TemporalProperty(formula)).verdict
    assert within in ("unknown", after)


VERBS = st.lists(st.sampled_from(["forward", "back", "other_outcome", "other_parameters", "a", "b", "c"]), max_size=12)


@given(systems(), FORMULAS, VERBS)
@settings(max_examples=200, deadline=None)
def test_every_answer_of_the_explorer_is_a_counterexample(lts: Lts, formula: Formula, verbs: list[str]) -> None:
    claim = TemporalProperty(formula)
    try:
        explorer = Explorer(lts, claim)
    except NothingToExplore:
        assert simplify_temporal(lts, claim).verdict == "holds"
        return
    arena = explorer.tables.arena
    assert isinstance(arena, TemporalArena)
    for verb in verbs:
        before = explorer.path
        focus = explorer.view().focus
        answer = explorer.pick(verb) if verb in EVENTS else getattr(explorer, verb)()
        arena.check(explorer.path)
        kept = focus if verb == "other_outcome" else focus + 1
        assert explorer.path.states[: min(kept, focus)] == before.states[: min(kept, focus)]
        if verb in EVENTS and answer:
            event = explorer.view().event
            assert event is not None
            assert event.transition == verb
        if verb in EVENTS and not answer:
            assert answer.possibility is Possibility.IMPOSSIBLE


@given(systems(), FORMULAS)
@settings(max_examples=150, deadline=None)
def test_the_explorer_marks_the_neighbourhoods_of_the_product(lts: Lts, formula: Formula) -> None:
    result = simplify_temporal(lts, TemporalProperty(formula))
    if result.verdict == "holds":
        return
    tables = Explorer(lts, TemporalProperty(formula)).tables
    unfolding = result.unfolding
    assert unfolding is not None
    wanted = {neighbourhood.state for neighbourhood in result.neighbourhoods}
    for node, number in enumerate(unfolding.numbers):
        assert tables.is_neighbourhood(node) == (number in wanted)
        assert tables.state(node) == unfolding.states[number]
        assert tables.remembered(node) == unfolding.texts[unfolding.memories[number]]


def test_the_explorer_tells_a_state_before_an_event_from_the_same_state_after_it() -> None:
    """`use` is fatal before `make` and harmless after it; state 0 is a choice only before it."""
    store = Lts.of(3, [0], [(0, "make", 1), (1, "back", 0), (0, "use", 2)])
    explorer = Explorer(store, TemporalProperty.of("(not use) W make"))
    view = explorer.view()
    assert (view.state, view.neighbourhood, view.violated) == (0, True, False)
    assert view.still_to_do == ("(not use) W make", VIOLATED)
    assert explorer.possible_types() == {"make": "impossible", "back": "impossible", "use": "possible"}
    again = Explorer(store, TemporalProperty.of("((not use) W make) and [] (back -> X not use)"))
    for verb in ("pick make", "forward", "forward"):
        again.perform(verb)
    later = again.view()
    assert (later.state, later.still_to_do[1]) == (0, VIOLATED)
    assert "make" not in later.still_to_do[0].split()


FAIR = Lts.of(
    3, [0], [(0, "try", 1), (1, "idle", 1), (1, "enter", 2), (2, "leave", 0)], ["in"], [(False,), (False,), (True,)]
)


def test_fairness_rules_out_runs_that_wait_for_ever() -> None:
    claim = "[] (try -> <> in)"
    assert simplify_temporal(FAIR, TemporalProperty.of(claim)).verdict == "violated"
    assert simplify_temporal(FAIR, TemporalProperty.of(claim, ["enter"])).verdict == "holds"
    assert simplify_temporal(FAIR, TemporalProperty.of(claim, ["leave"])).verdict == "violated"


def test_fairness_is_a_formula() -> None:
    fair = "[]<> (not enabled(enter) or X enter)"
    assert simplify_temporal(FAIR, TemporalProperty.of(f"({fair}) -> [] (try -> <> in)")).verdict == "holds"


def test_a_deadlock_stays_and_nothing_happens_there() -> None:
    lts = Lts.of(2, [0], [(0, "a", 1)], ["p"], [(False,), (True,)])
    for text, verdict in [("<>[] p", "holds"), ("[]<> a", "violated"), ("<> deadlock", "holds"), ("X a", "holds")]:
        assert simplify_temporal(lts, TemporalProperty.of(text)).verdict == verdict, text


def test_a_pattern_is_shown_by_the_counterexample() -> None:
    lts = Lts.of(2, [0], [(0, "a", 0), (0, "b", 1), (1, "c", 0)])
    result = simplify_temporal(lts, TemporalProperty.of("<> deadlock"), pattern=ActionSequence.of(lts, ["b", "a"]))
    assert result.counterexample is not None
    labels = [lts.label(t) for t in result.counterexample.transitions]
    assert "a" in labels[labels.index("b") :]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[] (p -> ", "the formula ends too early"),
        ("p $ q", "cannot stand"),
        ("[] q", "neither an observer nor an event is called q"),
        ("n = cs", "n is a number"),
        ("p < true", "p is a truth value"),
        ("m = 1", "no observer is called m"),
        ("enabled(p)", "p is no event"),
        ("a(1)", "a has 0 arguments, not 1"),
        ("(" * 300 + "p" + ")" * 300 + " and " + " and ".join(["p"] * 300), "more than"),
    ],
)
def test_mistakes_in_a_formula_are_named(text: str, message: str) -> None:
    lts = Lts.of(1, [0], [(0, "a", 0)], ["p", "n"], [(True, 1)])
    with pytest.raises(OtsrwError) as caught:
        simplify_temporal(lts, TemporalProperty.of(text))
    assert message in caught.value.problem.message
    assert caught.value.problem.code in ("E128", "E129")


def test_nothing_is_said_of_what_a_frontier_hides() -> None:
    lts = Lts.of(2, [0], [(0, "a", 1)], ["p"], [(True,), (True,)], [1])
    for text in ("[] not deadlock", "[] enabled(a)"):
        with pytest.raises(OtsrwError, match="need the whole graph"):
            simplify_temporal(lts, TemporalProperty.of(text))


def test_atoms_with_arguments() -> None:
    lts = Lts.of(2, [0], [(0, "send(p,q)", 1), (1, "send(q,p)", 0)])
    for text, verdict in [
        ("X send(p,_)", "holds"),
        ("X send(_,p)", "violated"),
        ("[] (send(p,_) -> X send(q,p))", "holds"),
        ("X send", "holds"),
        ('X "send(p,q)"', "holds"),
    ]:
        assert simplify_temporal(lts, TemporalProperty.of(text)).verdict == verdict, text


def test_atoms_are_told_apart_by_what_they_say() -> None:
    assert len({Atom("name", "p"), Atom("name", "p"), Atom("event", "p")}) == 2


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[] p", Path((0, 0), (0,), 0)),
        ("<> not p", Path((0, 1), (1,))),
        ("<> c", Path((0,), ())),
    ],
    ids=["a lasso", "a run to a deadlock", "a beginning that decides nothing"],
)
def test_a_run_that_is_no_counterexample_is_never_shown(text: str, path: Path) -> None:
    lts = Lts.of(3, [0], [(0, "a", 0), (0, "b", 1), (0, "c", 2)], ["p"], [(True,), (False,), (True,)])
    with pytest.raises(AssertionError, match="satisfies the formula"):
        TemporalArena(lts, TemporalProperty.of(text)).check(path)


@given(systems(3), FORMULAS, st.integers(0, 4))
@settings(max_examples=120, deadline=None)
def test_traces_that_violate_a_formula_are_those_with_a_violating_beginning(
    lts: Lts, formula: Formula, bound: int
) -> None:
    """Counted against enumeration: a beginning decides, ends in a deadlock, or closes a loop that violates."""
    arena = TemporalArena(lts, TemporalProperty(formula))
    watched = violation_traces(arena, bound)
    with_loops = any(part.op == "until" for part in parts_of(normal(formula)))
    layer, counted = [(Path((0,), ()), False)], [0, 0]
    for depth in range(bound + 1):
        judged = [(path, before or _violates(arena, path, with_loops)) for path, before in layer]
        for _, violated in judged:
            counted[violated] += 1
        layer = [
            (Path((*path.states, lts.targets[t]), (*path.transitions, t)), violated)
            for path, violated in judged
            for t in lts.outgoing.of(path.states[-1])
            if depth < bound
        ]
    engine = ExplicitEngine(watched.traces)
    assert [engine.count(False), engine.count(True)] == counted
    shortest = engine.find(True)
    if shortest is not None:
        assert arena.refutes(watched.system_path(shortest))


def _violates(arena: TemporalArena, path: Path, with_loops: bool) -> bool:
    unfolding = unfolded(arena)[0]
    decided = unfolding.texts[unfolding.memories[unfolding.nodes_of(path)[-1]]] == VIOLATED
    ends = not arena.lts.outgoing.degree(path.states[-1]) and arena.refutes(path)
    loops = [n for n, state in enumerate(path.states[:-1]) if state == path.states[-1]] if with_loops else []
    return decided or ends or any(arena.refutes(Path(path.states, path.transitions, loop)) for loop in loops)

"""What otsrw says of a random system beside what the oracle says; a disagreement is a sentence."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from otsrw.traces import Explorer, Lts, NothingToExplore, Path
from otsrw.traces.colours import Colour
from otsrw.traces.matching import ActionSequence
from otsrw.traces.neighbourhoods import Incoming
from otsrw.traces.product import Safety
from otsrw.traces.simplification import Simplification, simplify_inevitability, simplify_safety, simplify_temporal
from otsrw.traces.temporal import TemporalProperty
from random_lts.drawing import EVENTS, Formula, RandomSystem, atoms_of, drawn_formula, drawn_system, formula_text
from random_lts.oracle import Future, FutureOracle, Place, colour_of, holds_on

_VERBS = ("forward", "back", "outcome", "parameters", *(f"pick {event}" for event in EVENTS))
_LONGEST = 5
"""Runs of at most so many events are enumerated to find one that is shorter than a counterexample."""


@dataclass
class Comparison:
    """What was compared, by kind, and where otsrw and the oracle disagree."""

    seed: int
    told: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)

    def check(self, kind: str, found: object, wanted: object, *unsure: object) -> None:
        """Compare an answer; one of `unsure` is counted apart, it says less than the oracle knows and nothing false."""
        if found == wanted:
            self.told[kind] += 1
        elif found in unsure:
            self.told[f"{kind}, less than could be known"] += 1
        else:
            self.disagreements.append(f"{kind}: {found} where the oracle has {wanted}")


def compared(seed: int) -> Comparison:
    """One random system: a formula, an invariant and inevitable labels, on a whole and on a bounded graph."""
    choose = random.Random(seed)
    outcome = Comparison(seed)
    system = drawn_system(choose, bounded=seed % 2 == 1)
    formula = drawn_formula(choose)
    _compare_formula(outcome, system, formula, choose)
    _compare_monitors(outcome, system, tuple(choose.choices(EVENTS, k=choose.randint(1, 3))))
    return outcome


def lts_of(system: RandomSystem) -> Lts:
    edges = [(source, label, target) for source, label, target in system.edges]
    return Lts.of(system.states, system.initial, edges, ["p", "n"], list(system.values), system.frontier)


# A formula, on its product


def _compare_formula(outcome: Comparison, system: RandomSystem, formula: Formula, choose: random.Random) -> None:
    lts, claim = lts_of(system), TemporalProperty.of(formula_text(formula))
    oracle = FutureOracle(system, formula)
    futures = [oracle.future(oracle.start(state)) for state in system.initial]
    result = simplify_temporal(lts, claim)
    outcome.check("verdict of a formula", result.verdict, _verdict(futures), "unknown")
    _compare_product(outcome, oracle, result, simplify_temporal(lts, claim, Incoming.SOME))
    if result.counterexample is not None:
        outcome.check("counterexample", _is_violating(oracle, result.counterexample), True)
        shorter = _shorter_violation(oracle, result.counterexample.length)
        outcome.check("shortest counterexample", shorter if result.shortest else None, None)
    _compare_explorer(outcome, oracle, lts, claim, choose)


def _verdict(futures: list[Future]) -> str:
    if any(future.surely_violates for future in futures):
        return "violated"
    return "unknown" if any(future.may_violate for future in futures) else "holds"


def _compare_product(outcome: Comparison, oracle: FutureOracle, every: Simplification, some: Simplification) -> None:
    """Colours by following the product and the oracle side by side; neighbourhoods by their definition."""
    unfolding = every.unfolding
    assert unfolding is not None
    wanted: dict[int, str] = {}
    exact = True
    todo = [(node, oracle.start(unfolding.states[node])) for node in unfolding.lts.initial]
    seen = set(todo)
    while todo:
        node, place = todo.pop()
        after = dict(oracle.leaving(place))
        for edge in unfolding.lts.outgoing.of(node):
            later = after[unfolding.transitions[edge]]
            found, true = Colour(every.colours[edge]).word, oracle.future(later).colour
            outcome.check("colour in a product", found, true, "unknown")
            exact = exact and found == true
            wanted[edge] = true
            pair = unfolding.lts.targets[edge], later
            if pair not in seen:
                seen.add(pair)
                todo.append(pair)
    if every.verdict == "violated" and exact:
        for result, incoming in ((every, all), (some, any)):
            kinds = {hood.state: str(hood.type) for hood in result.neighbourhoods}
            outcome.check("neighbourhoods of a product", kinds, _neighbourhoods(unfolding.lts, wanted, incoming is any))


def _neighbourhoods(lts: Lts, colours: dict[int, str], some: bool) -> dict[int, str]:
    """Definition 12, with transitions of unknown colour taken for neutral ones."""
    found: dict[int, str] = {}
    edges = [
        (lts.sources[edge], lts.targets[edge], colour) for edge, colour in colours.items() if colour != "unreached"
    ]
    for state in range(lts.states):
        entering = [colour in ("neutral", "unknown") for _, target, colour in edges if target == state]
        leaving = {colour for source, _, colour in edges if source == state}
        if all(entering) or (some and any(entering)):
            kind = ("G" if "correct" in leaving else "") + ("R" if "incorrect" in leaving else "")
            if kind:
                found[state] = kind + "B" if kind == "GR" and leaving & {"neutral", "unknown"} else kind
    return found


# Counterexamples


def _is_violating(oracle: FutureOracle, path: Path) -> bool:
    """A lasso and a run into a deadlock by their letters, any other run by what may follow it."""
    if path.loop is None and not _is_deadlock(oracle, path.states[-1]):
        place = oracle.start(path.states[0])
        for transition in path.transitions:
            place = next(later for number, later in oracle.leaving(place) if number == transition)
        future = oracle.future(place)
        return future.surely_violates and not future.may_satisfy
    return not _truth_of(oracle, path)


def _is_deadlock(oracle: FutureOracle, state: int) -> bool:
    return state not in oracle.system.frontier and all(source != state for source, _, _ in oracle.system.edges)


def _truth_of(oracle: FutureOracle, path: Path) -> bool:
    events = ["", *(oracle.system.edges[transition][1] for transition in path.transitions)]
    word = [oracle.letter(position) for position in zip(path.states, events, strict=True)]
    if path.loop is None:
        word.append(oracle.letter((path.states[-1], "")))
    loop = len(word) - 1 if path.loop is None else path.loop + 1
    return holds_on(word, loop, oracle.formula, atoms_of(oracle.formula))


def _shorter_violation(oracle: FutureOracle, length: int) -> Path | None:
    """A lasso, or a run into a deadlock, with fewer events that violates the formula."""
    return next((path for path in _runs(oracle, min(length - 1, _LONGEST)) if not _truth_of(oracle, path)), None)


def _runs(oracle: FutureOracle, most: int) -> Iterator[Path]:
    todo = [Path((state,), ()) for state in oracle.system.initial] if most >= 0 else []
    while todo:
        path = todo.pop()
        last = path.states[-1]
        for loop, state in enumerate(path.states[:-1]):
            if state == last:
                yield Path(path.states, path.transitions, loop)
        if _is_deadlock(oracle, last):
            yield path
        elif path.length < most:
            for number, (source, _, target) in enumerate(oracle.system.edges):
                if source == last:
                    todo.append(Path((*path.states, target), (*path.transitions, number)))


# The explorer


def _compare_explorer(
    outcome: Comparison, oracle: FutureOracle, lts: Lts, claim: TemporalProperty, choose: random.Random
) -> None:
    try:
        explorer = Explorer(lts, claim)
    except NothingToExplore as nothing:
        futures = [oracle.future(oracle.start(state)) for state in oracle.system.initial]
        wanted = _verdict(futures)
        outcome.check("nothing to explore", "unknown" if nothing.within_the_bound else "holds", wanted, "unknown")
        return
    for verb in choose.choices(_VERBS, k=8):
        explorer.perform(verb)
        view, path = explorer.view(), explorer.path
        place = oracle.start(path.states[0])
        for transition in path.transitions[: view.focus]:
            place = next(later for number, later in oracle.leaving(place) if number == transition)
        for kind, possibility in view.types.items():
            outcome.check("type of the explorer", str(possibility), _possibility(oracle, place, kind), "unknown")
        outcome.check("violated in the explorer", view.violated, oracle.is_violated(place), False)


def _possibility(oracle: FutureOracle, place: Place, kind: str) -> str:
    if place.state in oracle.system.frontier:
        return "unknown"
    futures = [
        oracle.future(later) for number, later in oracle.leaving(place) if oracle.system.edges[number][1] == kind
    ]
    if any(future.surely_violates for future in futures):
        return "possible"
    return "unknown" if any(future.may_violate for future in futures) else "impossible"


# Invariants and inevitable labels, on the system


def _compare_monitors(outcome: Comparison, system: RandomSystem, labels: tuple[str, ...]) -> None:
    lts = lts_of(system)
    bad = frozenset(state for state, (p, _) in enumerate(system.values) if p)
    never: Formula = ("release", ("false",), ("not", ("atom", "p")))
    _compare_colours(outcome, "invariant", FutureOracle(system, never), simplify_safety(lts, Safety(bad)))
    known = tuple(label for label in labels if label != "c" and any(label == event for _, event, _ in system.edges))
    if known:
        result = simplify_inevitability(lts, ActionSequence.of(lts, known))
        _compare_colours(outcome, "inevitability", FutureOracle(system, _inevitable(known)), result)


def _inevitable(labels: tuple[str, ...]) -> Formula:
    event: Formula = ("atom", f'"{labels[0]}"')
    if len(labels) > 1:
        event = ("and", event, ("next", _inevitable(labels[1:])))
    return ("until", ("true",), event)


def _compare_colours(outcome: Comparison, kind: str, oracle: FutureOracle, result: Simplification) -> None:
    """The colour of a transition is that of all the pasts with which a run takes it.

    What follows the violation of an invariant matters only for transitions that no run takes before.
    """
    pasts: dict[int, list[Future]] = {number: [] for number in range(len(oracle.system.edges))}
    spoilt: dict[int, list[Future]] = {number: [] for number in pasts}
    starts = [oracle.start(state) for state in oracle.system.initial]
    for place in {place for start in starts for place in oracle.reached(start)}:
        for number, later in oracle.leaving(place):
            late = kind == "invariant" and oracle.is_violated(place)
            (spoilt if late else pasts)[number].append(oracle.future(later))
    for number, futures in pasts.items():
        outcome.check(f"colour, {kind}", Colour(result.colours[number]).word, colour_of(futures or spoilt[number]))
    wanted = _verdict([oracle.future(start) for start in starts])
    if kind == "invariant" and wanted == "unknown":
        wanted = "holds"  # an invariant holds as far as the graph goes
    outcome.check(f"verdict, {kind}", result.verdict, wanted)

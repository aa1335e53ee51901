"""Does a specification say something? How often each transition is enabled and taken, and what never happens.

The graph of an instance is made once, for a limited number of states, and counted. What looks suspicious in it (a
transition that is never enabled, an implication whose left side is never true) is asked about part by part, so that
the guilty condition can be named. Nothing is claimed about states that were not looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from otsrw.ots.formulas import unfold
from otsrw.ots.graph import StateGraph
from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant, StateOperator, Transition
from otsrw.ots.stepping import Action, Values
from otsrw.search.results import Activity, Doubt, DoubtKind, TransitionCount
from otsrw.search.space import USUAL_LIMITS, Limits, OutOfLimits, StateSpace
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.printing import show_plainly
from otsrw.theory.terms import PLAIN, OpDecl, Symbol, Term

COUNTED_STATES = 300
"""States of a graph that are counted unless somebody asks for more: a fraction of a second."""

_CONJUNCTIONS = (Builtin.AND, Builtin.AND_ALSO)
_IMPLIES = Builtin.IMPLIES


class SeenStates(Protocol):
    """What was seen of the states of an instance."""

    @property
    def instance(self) -> Instance: ...

    def counts(self) -> dict[str, TransitionCount]: ...

    def constant_observers(self) -> list[StateOperator]:
        """Observers that have the same value at every index in all states seen."""
        ...

    def deadlock(self) -> Sequence[Action] | None:
        """The steps to a state in which nothing is enabled; None if no such state was seen."""
        ...

    def ever_true(self, condition: Term, parameters: tuple[Term, ...]) -> bool | None:
        """Is a condition true for some values of its parameters in a state seen? None if that cannot be told."""
        ...


def activity_of(
    space: StateSpace,
    invariants: Sequence[Invariant],
    depth: int | None,
    max_states: int = COUNTED_STATES,
    limits: Limits = USUAL_LIMITS,
    doubting: bool = True,
) -> Activity | None:
    """The activity within `depth` steps (None: as deep as it takes), with what is doubtful if one asks for it.

    Nothing is doubted if other elements of the sorts, or other values of functions that nothing defines, might do more.
    None if the limits are reached, or if the graph cannot be made.
    """
    doubting = doubting and not space.instance.incomplete and not space.instance.meanings
    try:
        graph = space.graph(depth, None, max_states, limits)
        bound = graph.depth if depth is None else depth
        seen = _SeenGraph(space, graph, bound, limits)
        doubts = tuple(doubts_of(seen, invariants, early=graph.cut or not graph.expanded)) if doubting else ()
    except (OutOfLimits, OtsrwError):
        return None
    whole = graph.expanded == len(graph.states)
    return Activity(counts_of(graph), graph.expanded, bound, whole, graph.cut, doubts)


def counts_of(graph: StateGraph) -> dict[str, TransitionCount]:
    """For each transition, how often it is enabled and taken in the expanded states of a graph."""
    enabled = Counter(name for name, _ in {(action.transition.name, source) for source, action, _ in graph.steps})
    steps = {(action.transition.name, source, target) for source, action, target in graph.steps if source != target}
    taken = Counter(name for name, *_ in steps)
    names = [transition.name for transition in graph.instance.ots.transitions]
    return {name: TransitionCount(enabled[name], taken[name]) for name in names}


def doubts_of(seen: SeenStates, invariants: Sequence[Invariant], early: bool = False) -> Iterator[Doubt]:
    """What is doubtful about the states seen; if it is too early to say what never happens, only what ended."""
    ots = seen.instance.ots
    way = seen.deadlock()
    if way is not None:
        yield Doubt(DoubtKind.DEADLOCK, "deadlock", "; ".join(map(str, way)) or None)
    if early:
        return
    counts = seen.counts()
    for transition in ots.transitions:
        count = counts[transition.name]
        if not count.enabled:
            yield Doubt(DoubtKind.NEVER_ENABLED, transition.name, _guilty_of(seen, transition), transition.span)
        elif not count.taken:
            yield Doubt(DoubtKind.NO_EFFECT, transition.name, None, transition.span)
    for invariant in invariants:
        for left_side in left_sides(seen.instance, invariant):
            if seen.ever_true(left_side, invariant.parameters) is False:
                guilty = _guilty(seen, left_side, invariant.parameters)
                yield Doubt(DoubtKind.NEVER_TRUE, invariant.name, guilty, invariant.span)
    for observer in seen.constant_observers():
        yield Doubt(DoubtKind.CONSTANT, observer.name, None, observer.symbol.decls[0].span)


def left_sides(instance: Instance, invariant: Invariant) -> list[Term]:
    """What each implication of an invariant assumes; a right side that implies something adds its own left side."""
    formula = unfold(invariant.formula, instance.ots)
    return [_conjunction(instance, parts) for parts in _assumed(formula, ())]


def _guilty_of(seen: SeenStates, transition: Transition) -> str | None:
    condition = transition.condition
    return None if condition is None else _guilty(seen, unfold(condition, seen.instance.ots), transition.parameters)


def _guilty(seen: SeenStates, condition: Term, parameters: tuple[Term, ...]) -> str:
    """The first part of a condition that is never true by itself, else all of it."""
    parts = list(_conjuncts(condition))
    never = (part for part in parts if len(parts) > 1 and seen.ever_true(part, parameters) is False)
    return show_plainly(next(never, condition))


class _SeenGraph:
    """A graph, and the space it was made from, which is asked about conditions."""

    def __init__(self, space: StateSpace, graph: StateGraph, depth: int, limits: Limits) -> None:
        self._space = space
        self._graph = graph
        self._depth = depth
        self._limits = limits
        self._asked = 0
        self.instance = space.instance

    def counts(self) -> dict[str, TransitionCount]:
        return counts_of(self._graph)

    def constant_observers(self) -> list[StateOperator]:
        return constant_observers(self.instance, self._graph.states)

    def deadlock(self) -> list[Action] | None:
        moving = {source for source, *_ in self._graph.steps}
        stuck = next((number for number in range(self._graph.expanded) if number not in moving), None)
        return None if stuck is None else _way_to(self._graph, stuck)

    def ever_true(self, condition: Term, parameters: tuple[Term, ...]) -> bool | None:
        self._asked += 1
        negation = self.instance.connectives.negate(condition)
        question = state_predicate(self.instance, f"never-{self._asked}", parameters, negation)
        try:
            verdict = self._space.search(question, self._depth, self._limits).verdict
        except OtsrwError:
            return None
        return {"violated": True, "holds": False}.get(verdict)


def state_predicate(instance: Instance, name: str, parameters: tuple[Term, ...], formula: Term) -> Invariant:
    """A formula about the states of an instance, under a name of its own."""
    boolean = instance.connectives.true.sort
    arity = (instance.ots.sort, *(parameter.sort for parameter in parameters))
    symbol = Symbol([OpDecl((name,), arity, boolean, PLAIN, instance.module.name)], instance.module.signature.order, -1)
    return Invariant(StateOperator(symbol, 0, arity[1:], boolean), parameters, formula)


def _assumed(formula: Term, given: tuple[Term, ...]) -> Iterator[tuple[Term, ...]]:
    native = formula.op.native
    if native in _CONJUNCTIONS:
        for part in formula.args:
            yield from _assumed(part, given)
    elif native is _IMPLIES:
        left, right = formula.args
        inner = list(_assumed(right, (*given, left)))
        yield from inner or [(*given, left)]


def _conjuncts(formula: Term) -> Iterator[Term]:
    if formula.op.native in _CONJUNCTIONS:
        for part in formula.args:
            yield from _conjuncts(part)
    else:
        yield formula


def _conjunction(instance: Instance, parts: Sequence[Term]) -> Term:
    both = instance.connectives.symbol(Builtin.AND)
    result = parts[0]
    for part in parts[1:]:
        result = both.make((result, part))
    return result


def constant_observers(instance: Instance, states: Iterable[Values]) -> list[StateOperator]:
    """Observers that have the same value at every index in all of these states."""
    found: list[set[Term]] = [set() for _ in instance.slots]
    for values in states:
        for place, value in enumerate(values):
            found[place].add(value)
    moving = {slot.observer.symbol for slot, values in zip(instance.slots, found, strict=True) if len(values) > 1}
    return [observer for observer in instance.ots.observers if observer.symbol not in moving]


def _way_to(graph: StateGraph, state: int) -> list[Action]:
    """The steps by which a state was discovered."""
    origins: dict[int, tuple[int, Action]] = {}
    for source, action, target in graph.steps:
        origins.setdefault(target, (source, action))
    actions: list[Action] = []
    starts = set(graph.initial)
    while state not in starts:
        state, action = origins[state]
        actions.append(action)
    return actions[::-1]

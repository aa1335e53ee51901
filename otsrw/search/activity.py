"""Does a specification say something? How often each transition is enabled and taken, and what never happens.

The graph of an instance is made once, for a limited number of states, and counted. What looks suspicious in it (a
transition that is never enabled, an implication whose left side is never true) is asked about part by part, so that
the guilty condition can be named. Nothing is claimed about states that were not looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from otsrw.ots.formulas import unfold
from otsrw.ots.graph import StateGraph
from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant, StateOperator, Transition
from otsrw.ots.stepping import Action
from otsrw.search.results import Activity, Doubt, DoubtKind, TransitionCount
from otsrw.search.space import USUAL_LIMITS, Limits, OutOfLimits, StateSpace
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.printing import show_plainly
from otsrw.theory.terms import PLAIN, OpDecl, Symbol, Term

COUNTED_STATES = 1_000
"""States of a graph that are counted unless somebody asks for more: a fraction of a second."""

_CONJUNCTIONS = (Builtin.AND, Builtin.AND_ALSO)
_IMPLIES = Builtin.IMPLIES


def activity_of(
    space: StateSpace,
    invariant: Invariant | None,
    depth: int | None,
    max_states: int = COUNTED_STATES,
    limits: Limits = USUAL_LIMITS,
    doubting: bool = True,
) -> Activity | None:
    """The activity within `depth` steps (None: as deep as it takes), with what is doubtful if one asks for it.

    None if the limits are reached, or if the graph cannot be made.
    """
    try:
        graph = space.graph(depth, None, max_states, limits)
        bound = graph.depth if depth is None else depth
        doubts = tuple(_Doubting(space, graph, bound, limits).doubts(invariant)) if doubting else ()
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


class _Doubting:
    """Looks for what is doubtful in a graph, and for the guilty conditions in its space."""

    def __init__(self, space: StateSpace, graph: StateGraph, depth: int, limits: Limits) -> None:
        self._space = space
        self._graph = graph
        self._depth = depth
        self._limits = limits
        self._asked = 0

    def doubts(self, invariant: Invariant | None) -> Iterator[Doubt]:
        yield from self._deadlocks()
        if self._graph.cut or not self._graph.expanded:
            return
        instance = self._space.instance
        counts = counts_of(self._graph)
        for transition in instance.ots.transitions:
            count = counts[transition.name]
            if not count.enabled:
                yield Doubt(DoubtKind.NEVER_ENABLED, transition.name, self._guilty_of(transition), transition.span)
            elif not count.taken:
                yield Doubt(DoubtKind.NO_EFFECT, transition.name, None, transition.span)
        if invariant is not None:
            yield from self._vacuous(invariant)
        for observer in _constant_observers(self._graph):
            yield Doubt(DoubtKind.CONSTANT, observer.name, None, observer.symbol.decls[0].span)

    def _deadlocks(self) -> Iterator[Doubt]:
        moving = {source for source, *_ in self._graph.steps}
        stuck = next((number for number in range(self._graph.expanded) if number not in moving), None)
        if stuck is not None:
            way = "; ".join(map(str, _way_to(self._graph, stuck))) or None
            yield Doubt(DoubtKind.DEADLOCK, "deadlock", way)

    def _guilty_of(self, transition: Transition) -> str | None:
        condition = transition.condition
        if condition is None:
            return None
        return self._guilty(unfold(condition, self._space.instance.ots), transition.parameters)

    def _vacuous(self, invariant: Invariant) -> Iterator[Doubt]:
        formula = unfold(invariant.formula, self._space.instance.ots)
        for left_side in _left_sides(formula, ()):
            together = _conjunction(self._space.instance, left_side)
            if self._ever_true(together, invariant.parameters) is False:
                guilty = self._guilty(together, invariant.parameters)
                yield Doubt(DoubtKind.NEVER_TRUE, invariant.name, guilty, invariant.span)

    def _guilty(self, condition: Term, parameters: tuple[Term, ...]) -> str:
        """The first part of a condition that is never true by itself, else all of it."""
        parts = list(_conjuncts(condition))
        if len(parts) > 1:
            for part in parts:
                if self._ever_true(part, parameters) is False:
                    return show_plainly(part)
        return show_plainly(condition)

    def _ever_true(self, condition: Term, parameters: tuple[Term, ...]) -> bool | None:
        """Is a condition true for some values of its parameters within the depth? None if that cannot be asked."""
        self._asked += 1
        instance = self._space.instance
        name = f"never-{self._asked}"
        question = state_predicate(instance, name, parameters, instance.connectives.negate(condition))
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


def _left_sides(formula: Term, given: tuple[Term, ...]) -> Iterator[tuple[Term, ...]]:
    """What the implications of a formula assume, outer ones first in each; a right side that implies adds to it."""
    native = formula.op.native
    if native in _CONJUNCTIONS:
        for part in formula.args:
            yield from _left_sides(part, given)
    elif native is _IMPLIES:
        left, right = formula.args
        inner = list(_left_sides(right, (*given, left)))
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


def _constant_observers(graph: StateGraph) -> list[StateOperator]:
    """Observers that have the same value at every index in all states."""
    first = graph.states[0]
    slots = graph.instance.slots
    moving = {
        slots[place].observer.symbol
        for values in graph.states
        for place, value in enumerate(values)
        if value is not first[place]
    }
    return [observer for observer in graph.instance.ots.observers if observer.symbol not in moving]


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

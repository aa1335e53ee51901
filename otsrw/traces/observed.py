"""What is observed of an OTS: runs as traces, and all states within some steps as a labelled transition system.

An effective step that changes nothing is a transition, too: it is an event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product

from otsrw.ots import Action, Instance, Invariant, State, Stepper
from otsrw.ots.graph import StateGraph, widened
from otsrw.ots.run import ReplayMismatch, Run, replay
from otsrw.ots.stepping import Values
from otsrw.ots.symmetry import Symmetry, symmetry_of
from otsrw.records import dataclass, replace
from otsrw.search.space import SearchListener, StateSpace
from otsrw.theory.printing import show
from otsrw.theory.terms import LiteralTerm, Term
from otsrw.traces.automorphism import entity_groups_of, exchanges_of, label_of
from otsrw.traces.lts import Lts, Path
from otsrw.traces.membership import collections_of
from otsrw.traces.orbits import Exchange
from otsrw.traces.product import Safety
from otsrw.traces.simplification import Simplification
from otsrw.traces.trace import Label, Trace, Value

MAX_STATES = 50_000


def trace_of(run: Run) -> Trace:
    """What people and programs see of a run: labels and observers.

    >>> from otsrw.application.specification import Specification
    >>> trace = trace_of(Specification("specs/tas-flawed.cafe").search(depth=4).run)
    >>> [str(state.label) for state in trace.states[1:]]
    ['test(p1)', 'test(p2)', 'set(p1)', 'set(p2)']
    """
    names = [slot.name for slot in run.instance.slots]
    labels: list[Label | None] = [None, *map(label_of, run.actions)]
    observers = [dict(zip(names, map(value_of, state.values), strict=True)) for state in run.states]
    return Trace.of(zip(labels, observers, strict=True), None, names)


def value_of(term: Term) -> Value:
    """Numbers and truth values as themselves, other terms as text."""
    if isinstance(term, LiteralTerm) and isinstance(term.value, int):
        return term.value
    if term.sort.name == "Bool" and term.op.name in ("true", "false") and not term.args:
        return term.op.name == "true"
    return show(term)


@dataclass(frozen=True, eq=False, slots=True)
class ObservedGraph:
    """States reachable within `depth` steps, or all of them; those at the frontier were not expanded.

    `cut` says that the number of states ended the search, not the depth.
    """

    instance: Instance
    lts: Lts
    safety: Safety
    depth: int
    cut: bool
    _states: StateGraph
    _moments: dict[tuple[Label | None, tuple[Value, ...]], tuple[int, Action | None]]
    _actions: dict[Label, Action]
    _invariant: Invariant | None

    @property
    def exhausted(self) -> bool:
        return not self.lts.frontier

    @property
    def complete_depth(self) -> int | None:
        """All states within so many steps are in the graph; None if all states are."""
        return None if self.exhausted else self.depth

    def run(self, path: Path) -> Run:
        """The terms behind a path; for a lasso, once around."""
        states = [State(self._states.states[path.states[0]], self._states.starts[path.states[0]])]
        actions = tuple(self._actions[self.lts.event(transition)] for transition in path.transitions)
        for action, number in zip(actions, path.states[1:], strict=True):
            states.append(State(self._states.states[number], action.after(states[-1].history)))
        return Run(self.instance, tuple(states), actions)

    def interchangeable(self, texts: Iterable[str] = ()) -> tuple[tuple[str, ...], ...]:
        """The names of entities that can be exchanged without any difference to the graph and to what is bad in it.

        Those whose names are in one of the texts are left out.
        """
        named = tuple(texts)
        groups = entity_groups_of(self._symmetry(), self._states)
        names = [sorted(name for name in map(show, group) if not _is_in(name, named)) for group in groups]
        return tuple(tuple(group) for group in names if len(group) > 1)

    def exchanges(self, texts: Iterable[str] = ()) -> tuple[Exchange, ...]:
        """Exchanges that make up all permutations of interchangeable entities whose names are in none of the texts."""
        named = tuple(texts)
        kept = partial(_is_in, texts=named)
        return tuple(exchanges_of(self._symmetry(), self._states, self._actions, kept))

    def _symmetry(self) -> Symmetry:
        return symmetry_of(self.instance, () if self._invariant is None else (self._invariant,))

    def confirm(self, path: Path) -> None:
        """Replay a path of the graph with the equations; raises `ReplayMismatch` if they do not allow it."""
        names = [None, *(self.lts.event(transition).transition for transition in path.transitions)]
        values = [self._states.states[state] for state in path.states]
        run = replay(Stepper(self.instance), list(zip(names, values, strict=True)))
        bad = [state in self.safety.bad_states for state in path.states]
        if self._invariant is not None and bad != [self._is_bad(state) for state in run.states]:
            raise ReplayMismatch(f"{self._invariant.name} is violated elsewhere than Maude says")

    def _is_bad(self, state: State) -> bool:
        assert self._invariant is not None
        return any(True for _ in Stepper(self.instance).violations(self._invariant, state))

    def widened(self, states: Iterable[State]) -> ObservedGraph:
        """The graph in which some states more are expanded; states keep their numbers."""
        return _Observing(widened(self._states, states, self._invariant), self._invariant).graph()

    def values(self, state: int) -> Values:
        """The observed values of a state, as terms."""
        return self._states.states[state]

    def state(self, number: int) -> State:
        """A state with a term that has its values."""
        return State(self._states.states[number], self._states.histories[number])

    def number(self, values: Values) -> int | None:
        """The state with these values; None if there is none in the graph."""
        return self._states.numbers.get(values)

    @property
    def beyond(self) -> frozenset[int]:
        """States that were expanded by themselves, not layer by layer."""
        return self._states.beyond

    def term(self, label: Label | None, values: tuple[Value, ...]) -> Term:
        """A term of the state sort for a moment: a state with these values that was reached with this label."""
        number, action = self._moments[label, values]
        history = self._states.histories[number]
        return history if action is None else action.after(history)


def _is_in(name: str, texts: tuple[str, ...]) -> bool:
    return any(name in text for text in texts)


def observed_graph(
    space: StateSpace,
    depth: int | None = None,
    invariant: Invariant | None = None,
    max_states: int = MAX_STATES,
    listener: SearchListener | None = None,
) -> ObservedGraph:
    """R<=depth with its labels; bad are the states in which the invariant is false for some values."""
    states = space.graph(depth, invariant, max_states, listener=listener)
    return _Observing(states, invariant).graph()


def beginning_of(instance: Instance, invariant: Invariant | None) -> ObservedGraph:
    """The initial states, none of them expanded."""
    states = [state.values for state in Stepper(instance).initial_states()]
    graph = StateGraph(instance, states, list(range(len(states))))
    return _Observing(graph, invariant).graph()


def checked(graph: ObservedGraph, result: Simplification) -> Simplification:
    """The result for a graph: its counterexample replayed, and unknown if nothing bad is in a part of the graph."""
    if result.counterexample is not None:
        graph.confirm(result.counterexample)
    return replace(result, holds=False, unknown=True) if graph.cut and result.holds else result


class _Observing:
    """Makes values and labels texts, as users see them."""

    def __init__(self, states: StateGraph, invariant: Invariant | None) -> None:
        self._states = states
        self._invariant = invariant
        self._instance = states.instance
        self._shown: dict[Term, Value] = {}
        self._labels: dict[Action, list[tuple[Action, Label]]] = {}
        self._actions: dict[Label, Action] = {}

    def graph(self) -> ObservedGraph:
        states = self._states
        valuations = [tuple(map(self._value, values)) for values in states.states]
        moments: dict[tuple[Label | None, tuple[Value, ...]], tuple[int, Action | None]] = {}
        for number in states.initial:
            moments[None, valuations[number]] = number, None
        transitions: dict[tuple[int, Label, int], None] = {}
        for source, found, target in states.steps:
            for action, label in self._events(found):
                transitions[source, label, target] = None
                moments.setdefault((label, valuations[target]), (source, action))
        names = [slot.name for slot in self._instance.slots]
        frontier = states.frontier
        declared = {transition.name: len(transition.parameters) for transition in self._instance.ots.transitions}
        lts = Lts.of(len(valuations), states.initial, transitions, names, valuations, frontier, declared)
        lts = replace(lts, collections=collections_of(self._instance, states.states, self._shown))
        return ObservedGraph(
            self._instance,
            lts,
            Safety(frozenset(states.bad)),
            states.depth,
            states.cut,
            states,
            moments,
            self._actions,
            self._invariant,
        )

    def _events(self, found: Action) -> list[tuple[Action, Label]]:
        known = self._labels.get(found)
        if known is None:
            known = self._labels[found] = [(action, self._label(action)) for action in self._completed(found)]
            for action, label in known:
                self._actions.setdefault(label, action)
        return known

    def _completed(self, action: Action) -> Iterator[Action]:
        """The action with each entity for an argument that nothing depends on: they are different events."""
        if None not in action.arguments:
            yield action
            return
        parameters = action.transition.parameters
        choices = [
            (given,) if given is not None else self._instance.domain(parameter.sort) or (None,)
            for given, parameter in zip(action.arguments, parameters, strict=True)
        ]
        for arguments in product(*choices):
            yield Action(action.transition, arguments)

    def _value(self, term: Term) -> Value:
        if term not in self._shown:
            self._shown[term] = value_of(term)
        return self._shown[term]

    def _label(self, action: Action) -> Label:
        shown = ("_" if argument is None else self._text(argument) for argument in action.arguments)
        return Label(action.transition.name, tuple(shown))

    def _text(self, term: Term) -> str:
        value = self._value(term)
        return str(value).lower() if isinstance(value, bool) else str(value)

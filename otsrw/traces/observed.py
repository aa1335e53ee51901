"""What is observed of an OTS: runs as traces, and all states within some steps as a labelled transition system.

The graph is made breadth first with the rewriting engine, straight from the equations. An effective step that changes
nothing is a transition, too: it is an event. Cost: one evaluation of every observer for each step.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from otsrw.ots import Action, Instance, Invariant, State, Stepper
from otsrw.ots.run import Run
from otsrw.theory.printing import show
from otsrw.theory.terms import Literal, Term
from otsrw.traces.lts import Lts, Path
from otsrw.traces.product import Safety
from otsrw.traces.trace import Label, Trace, Value

Progress = Callable[[int, int, float], None]
"""Told the depth, the number of states and the seconds, now and then."""
MAX_STATES = 20_000
_TELL_EVERY = 500


def trace_of(run: Run) -> Trace:
    """What people and programs see of a run: labels and observers."""
    names = [slot.name for slot in run.instance.slots]
    labels: list[Label | None] = [None, *map(label_of, run.actions)]
    observers = [dict(zip(names, map(value_of, state.values), strict=True)) for state in run.states]
    return Trace.of(zip(labels, observers, strict=True), None, names)


def label_of(action: Action) -> Label:
    return Label(action.transition.name, tuple("_" if a is None else show(a) for a in action.arguments))


def value_of(term: Term) -> Value:
    """Numbers and truth values as themselves, other terms as text."""
    if isinstance(term, Literal) and isinstance(term.value, int):
        return term.value
    if term.sort.name == "Bool" and term.op.name in ("true", "false") and not term.args:
        return term.op.name == "true"
    return show(term)


@dataclass(frozen=True, eq=False, slots=True)
class ObservedGraph:
    """States reachable within `depth` steps, or all of them; those at the frontier were not expanded.

    `steps` has a term of the state sort for each moment, a state that was reached with a label. `cut` says that the
    number of states ended the search, not the depth. Behind the numbers of the graph are `states` and `actions`.
    """

    instance: Instance
    lts: Lts
    safety: Safety
    depth: int
    cut: bool
    steps: dict[tuple[Label | None, tuple[Value, ...]], Term]
    states: list[State]
    actions: dict[Label, Action]

    @property
    def exhausted(self) -> bool:
        return not self.lts.frontier

    def run(self, path: Path) -> Run:
        """The terms behind a path; for a lasso, once around."""
        actions = tuple(self.actions[self.lts.event(transition)] for transition in path.transitions)
        return Run(self.instance, tuple(self.states[number] for number in path.states), actions)


def observed_graph(
    instance: Instance,
    depth: int | None = None,
    invariant: Invariant | None = None,
    max_states: int = MAX_STATES,
    progress: Progress | None = None,
) -> ObservedGraph:
    """R<=depth with its labels; bad are the states in which the invariant is false for some values."""
    return _Exploration(instance, invariant, max_states, progress).graph(depth)


class _Exploration:
    """The states seen so far, in the order of their discovery."""

    def __init__(
        self, instance: Instance, invariant: Invariant | None, max_states: int, progress: Progress | None
    ) -> None:
        self._instance = instance
        self._stepper = Stepper(instance)
        self._observers = tuple(slot.name for slot in instance.slots)
        self._invariant = invariant
        self._max_states = max_states
        self._progress = progress
        self._start = time.perf_counter()
        self._numbers: dict[tuple[Term, ...], int] = {}
        self._states: list[State] = []
        self._valuations: list[tuple[Value, ...]] = []
        self._bad: set[int] = set()
        self._shown: dict[Term, Value] = {}
        self._steps: dict[tuple[Label | None, tuple[Value, ...]], Term] = {}
        self._actions: dict[Label, Action] = {}

    def graph(self, depth: int | None) -> ObservedGraph:
        for state in self._stepper.initial_states():
            self._steps[None, self._valuations[self._number(state)]] = state.history
        initial = range(len(self._states))
        transitions: list[tuple[int, Label, int]] = []
        reached, expanded, layer_end, cut = 0, 0, len(self._states), False
        while expanded < len(self._states) and not cut and reached != depth:
            transitions += self._outgoing(expanded)
            expanded += 1
            if expanded % _TELL_EVERY == 0 and self._progress is not None:
                self._progress(reached, len(self._states), time.perf_counter() - self._start)
            if expanded == layer_end:
                reached, layer_end = reached + (len(self._states) > layer_end), len(self._states)
            cut = len(self._states) >= self._max_states and expanded < len(self._states)
        frontier = range(expanded, len(self._states))
        lts = Lts.of(len(self._states), initial, transitions, self._observers, self._valuations, frontier)
        bad = Safety(frozenset(self._bad))
        return ObservedGraph(self._instance, lts, bad, reached, cut, self._steps, self._states, self._actions)

    def _outgoing(self, number: int) -> Iterator[tuple[int, Label, int]]:
        """All effective steps from a state, those that differ in label or target."""
        state = self._states[number]
        for transition in self._stepper.ots.transitions:
            seen: set[tuple[Label, int]] = set()
            for found in self._stepper.actions(transition, state):
                target = self._number(self._stepper.apply(found, state))
                for action in self._completed(found):
                    label = self._label(action)
                    if (label, target) not in seen:
                        seen.add((label, target))
                        self._actions.setdefault(label, action)
                        step = action.transition.operator.apply(state.history, _arguments(action))
                        self._steps.setdefault((label, self._valuations[target]), step)
                        yield number, label, target

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

    def _number(self, state: State) -> int:
        number = self._numbers.get(state.values)
        if number is None:
            number = self._numbers[state.values] = len(self._states)
            self._states.append(state)
            self._valuations.append(tuple(map(self._value, state.values)))
            if self._invariant is not None and any(True for _ in self._stepper.violations(self._invariant, state)):
                self._bad.add(number)
        return number

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


def _arguments(action: Action) -> tuple[Term, ...]:
    """The arguments, a missing one as its own variable."""
    pairs = zip(action.arguments, action.transition.parameters, strict=True)
    return tuple(given if given is not None else parameter for given, parameter in pairs)

"""All states within some steps, with the steps between them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant
from otsrw.ots.stepping import Action, State, Stepper, Values
from otsrw.records import dataclass, field, replace
from otsrw.theory.terms import Term


@dataclass(frozen=True, eq=False)
class StateGraph:
    """States in the order of their discovery; the first `expanded` of them with all their effective steps.

    A step that changes nothing is a step, too. `cut` says that the number of states ended the search, not the depth.
    """

    instance: Instance
    states: list[Values] = field(default_factory=list)
    initial: list[int] = field(default_factory=list)
    steps: list[tuple[int, Action, int]] = field(default_factory=list)
    bad: set[int] = field(default_factory=set)
    """States in which the invariant is false for some values."""
    depth: int = 0
    expanded: int = 0
    cut: bool = False
    beyond: frozenset[int] = frozenset()
    """States after the first `expanded` ones that have all their steps, too."""

    @property
    def frontier(self) -> list[int]:
        """The states without their steps."""
        return [number for number in range(self.expanded, len(self.states)) if number not in self.beyond]

    @cached_property
    def numbers(self) -> dict[Values, int]:
        """The number of each state by its values."""
        return {values: number for number, values in enumerate(self.states)}

    @cached_property
    def starts(self) -> dict[int, Term]:
        """The terms of the initial states."""
        terms = {state.values: state.history for state in Stepper(self.instance).initial_states()}
        return {number: terms[self.states[number]] for number in self.initial}

    @cached_property
    def histories(self) -> list[Term]:
        """A term of the state sort for each state, along the steps by which it was discovered."""
        found = dict(self.starts)
        for source, action, target in self.steps:
            if target not in found:
                found[target] = action.after(found[source])
        return [found[number] for number in range(len(self.states))]


def widened(graph: StateGraph, states: Iterable[State], invariant: Invariant | None) -> StateGraph:
    """A graph in which some states more are expanded, by rewriting; the states it has keep their numbers."""
    return _Widening(graph, invariant).of(states)


class _Widening:
    """Copies a graph, and adds the steps of states to the copy."""

    def __init__(self, graph: StateGraph, invariant: Invariant | None) -> None:
        self._stepper = Stepper(graph.instance)
        self._invariant = invariant
        self._graph = graph
        self._states = list(graph.states)
        self._numbers = dict(graph.numbers)
        self._steps = list(graph.steps)
        self._bad = set(graph.bad)

    def of(self, states: Iterable[State]) -> StateGraph:
        beyond = set(self._graph.beyond)
        for state in states:
            number = self._number(state)
            if number >= self._graph.expanded and number not in beyond:
                beyond.add(number)
                self._expand(number, state)
        return replace(self._graph, states=self._states, steps=self._steps, bad=self._bad, beyond=frozenset(beyond))

    def _expand(self, number: int, state: State) -> None:
        for transition in self._stepper.ots.transitions:
            for action in self._stepper.actions(transition, state):
                after = self._stepper.apply(action, state)
                self._steps.append((number, action, self._number(after)))

    def _number(self, state: State) -> int:
        number = self._numbers.get(state.values)
        if number is None:
            number = self._numbers[state.values] = len(self._states)
            self._states.append(state.values)
            if self._invariant is not None and any(True for _ in self._stepper.violations(self._invariant, state)):
                self._bad.add(number)
        return number

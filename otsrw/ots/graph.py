"""All states within some steps, with the steps between them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant
from otsrw.ots.stepping import Action, State, Stepper, Values
from otsrw.theory.terms import Term

Progress = Callable[[int, int, float], None]
"""Told the depth, the number of states and the seconds, now and then."""
_TELL_EVERY = 500


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

    @cached_property
    def histories(self) -> list[Term]:
        """A term of the state sort for each state, along the steps by which it was discovered."""
        starts = {state.values: state.history for state in Stepper(self.instance).initial_states()}
        found: dict[int, Term] = {number: starts[self.states[number]] for number in self.initial}
        for source, action, target in self.steps:
            if target not in found:
                found[target] = action.after(found[source])
        return [found[number] for number in range(len(self.states))]


def graph_by_rewriting(
    instance: Instance,
    depth: int | None = None,
    invariant: Invariant | None = None,
    max_states: int | None = None,
    progress: Progress | None = None,
) -> StateGraph:
    """Breadth first with the rewriting engine, straight from the equations: exact, and slow."""
    return _Exploration(instance, invariant).graph(depth, max_states, progress or (lambda *seen: None))


class _Exploration:
    def __init__(self, instance: Instance, invariant: Invariant | None) -> None:
        self._instance = instance
        self._stepper = Stepper(instance)
        self._invariant = invariant
        self._numbers: dict[Values, int] = {}
        self._states: list[State] = []
        self._bad: set[int] = set()

    def graph(self, depth: int | None, max_states: int | None, progress: Progress) -> StateGraph:
        start = time.perf_counter()
        initial = [self._number(state) for state in self._stepper.initial_states()]
        steps: list[tuple[int, Action, int]] = []
        reached, expanded, layer_end, cut = 0, 0, len(self._states), False
        while expanded < len(self._states) and not cut and reached != depth:
            steps += self._outgoing(expanded)
            expanded += 1
            if expanded % _TELL_EVERY == 0:
                progress(reached, len(self._states), time.perf_counter() - start)
            if expanded == layer_end:
                reached, layer_end = reached + (len(self._states) > layer_end), len(self._states)
            cut = max_states is not None and max_states <= len(self._states) and expanded < len(self._states)
        states = [state.values for state in self._states]
        return StateGraph(self._instance, states, initial, steps, self._bad, reached, expanded, cut)

    def _outgoing(self, number: int) -> Iterator[tuple[int, Action, int]]:
        state = self._states[number]
        for transition in self._stepper.ots.transitions:
            for action in self._stepper.actions(transition, state):
                yield number, action, self._number(self._stepper.apply(action, state))

    def _number(self, state: State) -> int:
        number = self._numbers.get(state.values)
        if number is None:
            number = self._numbers[state.values] = len(self._states)
            self._states.append(state)
            if self._invariant is not None and any(True for _ in self._stepper.violations(self._invariant, state)):
                self._bad.add(number)
        return number

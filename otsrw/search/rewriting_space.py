"""The state space of an instance by the rewriting engine, straight from the equations: exact, and slow."""

from __future__ import annotations

import time
from collections.abc import Iterator

from otsrw.ots.graph import StateGraph
from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant
from otsrw.ots.run import ReplayMismatch, Run, replay
from otsrw.ots.stepping import Action, State, Stepper, Values
from otsrw.ots.symmetry import Symmetry
from otsrw.records import replace
from otsrw.search.results import KeptState, Progress, Reachable, SampledStates, SearchResult, unfinished
from otsrw.search.sampling import Sampling
from otsrw.search.space import USUAL_LIMITS, Limits, OutOfLimits, SearchListener, resident_memory
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError

_TICK = 0.15
"""Seconds between two messages to the listener."""


class RewritingSpace:
    """Asks the equations."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self._stepper = Stepper(instance)

    def search(
        self,
        invariant: Invariant | None,
        depth: int,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
    ) -> SearchResult:
        watch = _Watch(limits, listener)
        found = _BreadthFirst(self._stepper, watch)
        run = None
        try:
            for number in found.discover(depth):
                if invariant is not None and self._is_bad(invariant, found.states[number]):
                    run = replay(self._stepper, found.path(number), invariant)
                    break
        except OutOfLimits as stop:
            return unfinished(self.instance, invariant, found.progress(), str(stop))
        seen = found.progress()
        return SearchResult(
            verdict="holds" if run is None else "violated",
            invariant=invariant,
            entities=self.instance.given,
            states=seen.states,
            depth=depth if run is None else len(run.actions),
            levels=seen.levels,
            exhausted=found.exhausted,
            run=run,
            seconds=seen.seconds,
            memory=seen.memory,
        )

    def reachable(self, depth: int, limits: Limits = USUAL_LIMITS, listener: SearchListener | None = None) -> Reachable:
        found = _BreadthFirst(self._stepper, _Watch(limits, listener))
        kept = [found.kept(number) for number in found.discover(depth)]
        return Reachable(kept, found.exhausted)

    def sample(
        self,
        states: int,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
        symmetry: Symmetry | None = None,
    ) -> SampledStates:
        watch = _Watch(limits, listener)
        return Sampling(self._stepper, states, lambda seen: watch.expanding(0, seen, []), symmetry).run()

    def of(self, instance: Instance) -> RewritingSpace:
        return RewritingSpace(instance)

    def graph(
        self,
        depth: int | None = None,
        invariant: Invariant | None = None,
        max_states: int | None = None,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
    ) -> StateGraph:
        making = _GraphMaking(self._stepper, invariant)
        return making.graph(depth, max_states, _Watch(limits, listener))

    def confirm(self, run: Run, invariant: Invariant, limits: Limits = USUAL_LIMITS) -> bool:
        limits.check(0.0, resident_memory())
        names = [None, *(action.transition.name for action in run.actions)]
        steps = [(name, state.values) for name, state in zip(names, run.states, strict=True)]
        try:
            replay(self._stepper, steps, invariant)
        except ReplayMismatch:
            return False
        return True

    def _is_bad(self, invariant: Invariant, state: State) -> bool:
        return any(True for _ in self._stepper.violations(invariant, state))


class _Watch:
    """Keeps a question within its limits and its listener informed."""

    def __init__(self, limits: Limits, listener: SearchListener | None) -> None:
        self._limits = limits
        self._listener = listener
        self._start = time.monotonic()
        self._told = self._start

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def expanding(self, depth: int, states: int, levels: list[int]) -> None:
        """Called before a state is expanded."""
        memory = resident_memory()
        self._limits.check(self.seconds, memory)
        if self._listener is not None and time.monotonic() - self._told > _TICK:
            self._told = time.monotonic()
            self._listener(Progress(depth, states, self.seconds, memory, tuple(levels)))


class _BreadthFirst:
    """States in the order of their discovery, with the states they were discovered from."""

    def __init__(self, stepper: Stepper, watch: _Watch) -> None:
        self._stepper = stepper
        self._watch = watch
        self._seen: set[Values] = set()
        self._origins: list[tuple[int, str | None]] = []
        self._levels: list[int] = []
        self.states: list[State] = []
        self.exhausted = False

    def discover(self, depth: int) -> Iterator[int]:
        """The numbers of the states within `depth` steps, each when it is found; then `exhausted` is known."""
        for state in self._stepper.initial_states():
            yield from self._enter(state, 0, None)
        first = 0
        while True:
            self._levels.append(len(self.states))
            if len(self._levels) > depth:
                self.exhausted = not self._goes_on(first)
                return
            last = len(self.states)
            for number in range(first, last):
                yield from self._expand(number)
            if len(self.states) == last:
                self.exhausted = True
                return
            first = last

    def _expand(self, number: int) -> Iterator[int]:
        self._watch.expanding(len(self._levels), len(self.states), self._levels)
        for action, after in self._stepper.successors(self.states[number]):
            yield from self._enter(after, number, action.transition.name)

    def _enter(self, state: State, parent: int, transition: str | None) -> Iterator[int]:
        if state.values not in self._seen:
            self._seen.add(state.values)
            self.states.append(state)
            self._origins.append((parent, transition))
            yield len(self.states) - 1

    def _goes_on(self, first: int) -> bool:
        """Is there a step from the last level to a new state? One without a value is no state, but not the end."""
        try:
            for number in range(first, len(self.states)):
                self._watch.expanding(len(self._levels), len(self.states), self._levels)
                if any(after.values not in self._seen for _, after in self._stepper.successors(self.states[number])):
                    return True
        except BudgetExceeded:
            raise
        except OtsrwError:
            return True
        return False

    def kept(self, number: int) -> KeptState:
        parent, transition = self._origins[number]
        return KeptState(number, parent, transition, self.states[number].values)

    def path(self, number: int) -> list[tuple[str | None, Values]]:
        steps: list[tuple[str | None, Values]] = []
        while True:
            parent, transition = self._origins[number]
            steps.append((transition, self.states[number].values))
            if transition is None:
                return steps[::-1]
            number = parent

    def progress(self) -> Progress:
        return Progress(
            len(self._levels), len(self.states), self._watch.seconds, resident_memory(), tuple(self._levels)
        )


class _GraphMaking:
    """States and all their effective steps, also those that change nothing."""

    def __init__(self, stepper: Stepper, invariant: Invariant | None) -> None:
        self._stepper = stepper
        self._invariant = invariant
        self._numbers: dict[Values, int] = {}
        self._states: list[State] = []
        self._graph = StateGraph(stepper.instance)

    def graph(self, depth: int | None, max_states: int | None, watch: _Watch) -> StateGraph:
        graph = self._graph
        graph.initial.extend(self._number(state) for state in self._stepper.initial_states())
        reached, expanded, layer_end, cut = 0, 0, len(self._states), False
        while expanded < len(self._states) and not cut and reached != depth:
            watch.expanding(reached, len(self._states), [])
            graph.steps.extend(self._outgoing(expanded))
            expanded += 1
            if expanded == layer_end:
                reached, layer_end = reached + (len(self._states) > layer_end), len(self._states)
            cut = max_states is not None and max_states <= len(self._states) and expanded < len(self._states)
        return replace(graph, depth=reached, expanded=expanded, cut=cut)

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
            self._graph.states.append(state.values)
            if self._invariant is not None and any(True for _ in self._stepper.violations(self._invariant, state)):
                self._graph.bad.add(number)
        return number

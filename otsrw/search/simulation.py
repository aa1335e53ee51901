"""Random runs of an instance: deep and cheap, with invariants checked along the way.

Each run has its own generator of random numbers, made of the seed and the number of the run, so that runs are the same
on every machine. Steps are computed from the equations. A state that is met again is known by its observed values.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from otsrw.display import Displayed
from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant, StateOperator
from otsrw.ots.run import Run, replay
from otsrw.ots.stepping import Action, State, Stepper, Values
from otsrw.records import dataclass
from otsrw.search.activity import constant_observers, doubts_of, state_predicate
from otsrw.search.minimising import minimised
from otsrw.search.results import Activity, TransitionCount
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.terms import Term

_T = TypeVar("_T")

RunListener = Callable[[int], None]
"""Is told the number of runs that are done."""


@dataclass(frozen=True, slots=True)
class RandomRuns:
    """How many runs, of how many steps at most, from which seed."""

    runs: int = 100
    steps: int = 100
    seed: int = 0
    timeout: float | None = None


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Simulation(Displayed):
    """What random runs have shown."""

    instance: Instance
    invariants: tuple[Invariant, ...]
    asked: RandomRuns
    runs: int
    """Runs that were begun."""
    steps: int
    """Steps that were taken in all runs."""
    states: int
    """Different states that were seen."""
    violations: dict[str, int]
    """For each invariant, the runs in which it was violated; a run ends there."""
    activity: Activity
    violated: Invariant | None
    run: Run | None
    """The shortest run to a violation, made shorter and replayed."""
    found_after: int
    """Steps of that run before it was made shorter."""
    seconds: float
    was_interrupted: bool
    was_stopped: bool
    """Was the time spent before all runs were done?"""


def simulate(
    instance: Instance, invariants: Sequence[Invariant], asked: RandomRuns, listener: RunListener | None = None
) -> Simulation:
    """Take random steps; the invariants are those of the instance."""
    return _Simulator(instance, invariants, asked).simulation(listener)


class EnabledActions:
    """What a transition may do in a state: whether there is anything is known at once, all of it when asked for.

    A state may enable hundreds of actions, and a run takes one of them.
    """

    def __init__(self, actions: Iterator[Action]) -> None:
        self._left = actions
        self._found = list(islice(actions, 1))
        self.is_any = bool(self._found)

    def all(self) -> list[Action]:
        self._found.extend(self._left)
        return self._found


class VisitedStates:
    """The states seen so far, each with its actions and with the invariants that are false in it."""

    def __init__(self, instance: Instance, invariants: Sequence[Invariant]) -> None:
        self.stepper = Stepper(instance)
        self.states: dict[Values, State] = {}
        self._invariants = invariants
        self._actions: dict[Values, dict[str, EnabledActions]] = {}
        self._violated: dict[Values, Invariant | None] = {}

    def known(self, state: State) -> State:
        """The state with these values that was met first."""
        return self.states.setdefault(state.values, state)

    def actions(self, state: State) -> dict[str, EnabledActions]:
        """What is enabled in a state, by transition."""
        found = self._actions.get(state.values)
        if found is None:
            made = {t.name: EnabledActions(self.stepper.actions(t, state)) for t in self.stepper.ots.transitions}
            found = self._actions[state.values] = {name: actions for name, actions in made.items() if actions.is_any}
        return found

    def actions_of(self, transition: str, state: State) -> list[Action]:
        """What a transition may do in a state."""
        enabled = self.actions(state).get(transition)
        return [] if enabled is None else enabled.all()

    def after(self, action: Action, state: State) -> State:
        return self.known(self.stepper.apply(action, state))

    def violated(self, state: State) -> Invariant | None:
        """The first invariant that is false in a state."""
        if state.values not in self._violated:
            found = (each for each in self._invariants if any(True for _ in self.stepper.violations(each, state)))
            self._violated[state.values] = next(found, None)
        return self._violated[state.values]


class _Simulator:
    """Makes the runs one after the other, and counts."""

    def __init__(self, instance: Instance, invariants: Sequence[Invariant], asked: RandomRuns) -> None:
        self.instance = instance
        self._invariants = tuple(invariants)
        self._asked = asked
        self._started = time.monotonic()
        self._visited = VisitedStates(instance, self._invariants)
        self._starts = [self._visited.known(state) for state in self._visited.stepper.initial_states()]
        self._enabled: Counter[str] = Counter()
        self._taken: Counter[str] = Counter()
        self._violations: Counter[str] = Counter()
        self._best: tuple[Invariant, State, list[Action]] | None = None
        self._stuck: list[Action] | None = None
        self._steps = 0

    def simulation(self, listener: RunListener | None) -> Simulation:
        done, interrupted, stopped = 0, False, False
        try:
            while done < self._asked.runs and not stopped:
                stopped = not self._run(random.Random(f"{self._asked.seed} {done}"))
                done += 1
                if listener is not None:
                    listener(done)
        except KeyboardInterrupt:
            interrupted = True
        invariant, run, length = self._counterexample()
        return Simulation(
            instance=self.instance,
            invariants=self._invariants,
            asked=self._asked,
            runs=done,
            steps=self._steps,
            states=len(self._visited.states),
            violations={each.name: self._violations[each.name] for each in self._invariants},
            activity=self._activity(done, doubting=run is None and not interrupted),
            violated=invariant,
            run=run,
            found_after=length,
            seconds=time.monotonic() - self._started,
            was_interrupted=interrupted,
            was_stopped=stopped,
        )

    def _run(self, chance: random.Random) -> bool:
        """One run, up to a violation, the number of steps, or a state that nothing changes; False: out of time."""
        start = state = self._starts[int(chance.random() * len(self._starts))]
        path: list[Action] = []
        while True:
            violated = self._visited.violated(state)
            if violated is not None:
                self._violations[violated.name] += 1
                if self._best is None or len(path) < len(self._best[2]):
                    self._best = violated, start, path
                return True
            if self._is_late():
                return False
            if len(path) == self._asked.steps:
                return True
            step = self._step(state, chance)
            if step is None:
                if not self._visited.actions(state) and (self._stuck is None or len(path) < len(self._stuck)):
                    self._stuck = path
                return True
            action, state = step
            path.append(action)
            self._steps += 1
            self._taken[action.transition.name] += 1

    def _is_late(self) -> bool:
        timeout = self._asked.timeout
        return timeout is not None and time.monotonic() - self._started > timeout

    def _step(self, state: State, chance: random.Random) -> tuple[Action, State] | None:
        """A random step that changes the state: a transition first, then its arguments; None if there is none."""
        enabled = self._visited.actions(state)
        self._enabled.update(enabled.keys())
        for name in _shuffled(list(enabled), chance):
            for action in _shuffled(enabled[name].all(), chance):
                after = self._visited.after(action, state)
                if after.values != state.values:
                    return action, after
        return None

    def _counterexample(self) -> tuple[Invariant | None, Run | None, int]:
        """The shortest run to a violation, made shorter; and how long it was."""
        if self._best is None:
            return None, None, 0
        invariant, start, actions = self._best
        path = minimised(self._visited, invariant, start, actions)
        return invariant, replay(self._visited.stepper, path, invariant), len(actions)

    def _activity(self, runs: int, doubting: bool) -> Activity:
        doubts = tuple(doubts_of(self, self._invariants)) if doubting else ()
        states = len(self._visited.states)
        return Activity(self.counts(), states, self._asked.steps, False, False, doubts, runs)

    # --- what was seen, for doubts

    def counts(self) -> dict[str, TransitionCount]:
        """For each transition the states, as often as they were met, that enable it, and the steps it made."""
        names = [transition.name for transition in self.instance.ots.transitions]
        return {name: TransitionCount(self._enabled[name], self._taken[name]) for name in names}

    def constant_observers(self) -> list[StateOperator]:
        return constant_observers(self.instance, self._visited.states)

    def deadlock(self) -> list[Action] | None:
        return self._stuck

    def ever_true(self, condition: Term, parameters: tuple[Term, ...]) -> bool | None:
        negation = self.instance.connectives.negate(condition)
        question = state_predicate(self.instance, "never", parameters, negation)
        stepper = self._visited.stepper
        try:
            return any(True for state in self._visited.states.values() for _ in stepper.violations(question, state))
        except OtsrwError:
            return None


def _shuffled(items: list[_T], chance: random.Random) -> list[_T]:
    """The items in a random order that is the same for every version of Python."""
    left, found = list(items), []
    while left:
        found.append(left.pop(int(chance.random() * len(left))))
    return found

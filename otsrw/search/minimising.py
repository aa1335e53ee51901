"""A run to a violation made shorter: steps are left out as long as the rest still leads to a violation.

What was left out may change the arguments of later steps (a fresh number is another one, a message is no longer in the
network), so a step is replaced by the most similar one that is enabled. The result need not be a shortest run. The cost
is counted in steps tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from otsrw.ots.model import Invariant
from otsrw.ots.stepping import Action, State, Values
from otsrw.theory.terms import Term

MAX_TRIED = 50_000
"""Steps that are tried before the run is left as it is."""

ValuePath = list[tuple[str | None, Values]]


class Steps(Protocol):
    """What is enabled in a state, where it leads, and whether an invariant is false there."""

    def actions_of(self, transition: str, state: State) -> list[Action]: ...

    def after(self, action: Action, state: State) -> State: ...

    def violated(self, state: State) -> Invariant | None: ...


def minimised(steps: Steps, invariant: Invariant, start: State, actions: Sequence[Action]) -> ValuePath:
    """The values along a run as short as leaving out steps makes it, each with its transition."""
    trial = _Trial(steps, invariant, start)
    best = trial.walked(actions)
    assert best is not None
    length = max(1, len(best) // 2)
    while length and trial.tried < MAX_TRIED:
        shorter = _without_a_block(trial, best, length)
        if shorter is None:
            length //= 2
        else:
            best = shorter
            length = min(length, max(1, len(best) // 2))
    return trial.path(best)


def _without_a_block(trial: _Trial, actions: list[Action], length: int) -> list[Action] | None:
    for place in range(0, len(actions), length):
        found = trial.walked([*actions[:place], *actions[place + length :]])
        if found is not None and len(found) < len(actions):
            return found
    return None


class _Trial:
    """Walks along actions, or along similar ones, and leaves out those that are not enabled or change nothing."""

    def __init__(self, steps: Steps, invariant: Invariant, start: State) -> None:
        self._steps = steps
        self._invariant = invariant
        self._start = start
        self.tried = 0

    def walked(self, actions: Sequence[Action]) -> list[Action] | None:
        """The actions that lead to the first violation, without detours; None if there is none."""
        state = self._start
        taken: list[Action] = []
        places = {state.values: 0}
        if self._steps.violated(state) is self._invariant:
            return []
        for action in actions:
            self.tried += 1
            step = self._like(action, state)
            if step is None:
                continue
            state = self._steps.after(step, state)
            if state.values in places:  # the steps since then are a detour
                kept = places[state.values]
                taken = taken[:kept]
                places = {values: place for values, place in places.items() if place <= kept}
                continue
            taken.append(step)
            places[state.values] = len(taken)
            if self._steps.violated(state) is self._invariant:
                return taken
        return None

    def path(self, actions: Sequence[Action]) -> ValuePath:
        state = self._start
        found: ValuePath = [(None, state.values)]
        for action in actions:
            state = self._steps.after(action, state)
            found.append((action.transition.name, state.values))
        return found

    def _like(self, action: Action, state: State) -> Action | None:
        """The action itself, or what is enabled of the same transition and has the most similar arguments."""
        enabled = self._steps.actions_of(action.transition.name, state)
        return max(enabled, key=lambda other: _likeness_of_actions(action, other), default=None)


def _likeness_of_actions(one: Action, other: Action) -> float:
    pairs = zip(one.arguments, other.arguments, strict=True)
    return sum(_likeness(left, right) if left and right else float(left is right) for left, right in pairs)


def _likeness(one: Term, other: Term) -> float:
    """How much two values have in common: 1 if they are equal, 0 if not even their operator is the same."""
    if one is other:
        return 1.0
    if one.op is not other.op or not one.args:
        return 0.0
    if len(one.args) != len(other.args):
        return 0.5
    return 0.5 + 0.4 * sum(map(_likeness, one.args, other.args)) / len(one.args)

"""A sample of reachable states by the rewriting engine, the same on every machine."""

from __future__ import annotations

import random
from collections.abc import Callable

from otsrw.ots.stepping import State, Stepper, Values
from otsrw.search.results import SampledStates

MAX_STEPS = 4000
"""Steps that are computed for one sample."""

_WALKS = 60
_WALK_LENGTH = 60


class Sampling:
    """The states found breadth first, and then on random walks; and the steps that are left."""

    def __init__(self, stepper: Stepper, states: int, expanding: Callable[[int], None]) -> None:
        self._stepper = stepper
        self._states = states
        self._steps = MAX_STEPS
        self._expanding = expanding
        """Told how many states there are, before each of them is expanded."""
        self._seen: dict[Values, None] = {}

    def run(self) -> SampledStates:
        level = self._stepper.initial_states()
        self._seen.update(dict.fromkeys(state.values for state in level))
        while level and self._goes_on():
            following: list[State] = []
            for state in level:
                for after in self._after(state):
                    if after.values not in self._seen:
                        self._seen[after.values] = None
                        following.append(after)
                if not self._goes_on():
                    break
            else:
                level = following
                continue
            self._walk()
            return SampledStates(list(self._seen), False)
        return SampledStates(list(self._seen), not level)

    def _goes_on(self) -> bool:
        return len(self._seen) < self._states and self._steps > 0

    def _after(self, state: State) -> list[State]:
        """The states that follow; each costs a step."""
        self._expanding(len(self._seen))
        found = [after for _, after in self._stepper.successors(state)]
        self._steps -= max(1, len(found))
        return found

    def _walk(self) -> None:
        choose = random.Random(0)
        for _ in range(_WALKS):
            state = choose.choice(self._stepper.initial_states())
            for _ in range(_WALK_LENGTH):
                is_enough = len(self._seen) >= self._states + self._states // 2
                after = self._after(state) if self._steps > 0 and not is_enough else []
                if not after:
                    break
                state = choose.choice(after)
                self._seen[state.values] = None

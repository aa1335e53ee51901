"""A sample of reachable states by the rewriting engine, the same on every machine."""

from __future__ import annotations

import random
from collections.abc import Callable

from otsrw.ots.stepping import State, Stepper, Values
from otsrw.ots.symmetry import Symmetry
from otsrw.search.results import SampledStates

MAX_STEPS = 4000
"""Steps that are computed for one sample."""

_MAX_RENAMINGS = 120
"""With more renamings all states are kept: each renaming of a state is computed."""

_WALKS = 60
_WALK_LENGTH = 60


class Sampling:
    """The states found breadth first, and then on random walks; and the steps that are left."""

    def __init__(
        self, stepper: Stepper, states: int, expanding: Callable[[int], None], symmetry: Symmetry | None = None
    ) -> None:
        self._stepper = stepper
        self._states = states
        self._steps = MAX_STEPS
        self._expanding = expanding
        """Told how many states there are, before each of them is expanded."""
        self._seen: dict[Values, None] = {}
        self._renamed: set[Values] = set()
        """The states seen, and what renamings take them to."""
        self._symmetry = symmetry if symmetry is not None and symmetry.size <= _MAX_RENAMINGS else None
        self._renamers = [] if self._symmetry is None else self._symmetry.renamers()

    def run(self) -> SampledStates:
        level = [state for state in self._stepper.initial_states() if self._is_new(state.values)]
        while level and self._goes_on():
            following: list[State] = []
            for state in level:
                for after in self._after(state):
                    if self._is_new(after.values):
                        following.append(after)
                if not self._goes_on():
                    break
            else:
                level = following
                continue
            self._walk()
            return SampledStates(list(self._seen), False)
        return SampledStates(list(self._seen), not level)

    def _is_new(self, values: Values) -> bool:
        """Is it the first state that was seen of its orbit? Then it is kept."""
        if values in self._seen or values in self._renamed:
            return False
        self._seen[values] = None
        if self._symmetry is not None:
            self._renamed.update(self._symmetry.image(values, renamer) for renamer in self._renamers)
        return True

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
                self._is_new(state.values)

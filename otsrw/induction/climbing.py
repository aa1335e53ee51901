"""Looks for a violation of a lemma beyond the kept states: from those that seem closest to one, ever closer.

All steps from a few states are taken, and of what they lead to the states are kept that seem closest to a violation.
That may miss a violation. One that is found is a run like any other: whoever shows it has it replayed.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.induction.clauses import Clause
from otsrw.induction.closeness import IMPOSSIBLE, Closeness
from otsrw.induction.columns import members_of
from otsrw.ots.stepping import State, Stepper, Values

StatePath = tuple[tuple[str | None, State], ...]
"""States, each with the transition that leads to it (None: it is the initial one)."""

WIDTH = 5
"""States from which steps are taken at once."""

PATIENCE = 3
"""How often steps may be taken that lead no closer."""

MOST = 4000
"""States that are looked at for one lemma."""


class Climber:
    """Takes steps towards violations."""

    def __init__(self, stepper: Stepper, closeness: Closeness) -> None:
        self._stepper = stepper
        self._closeness = closeness
        self.states = 0
        """How many states were looked at so far."""

    def starts(self, clause: Clause) -> list[int]:
        """The kept states, by their places, that seem closest to a violation; none if no values can violate it."""
        nearest = self._closeness.nearest(clause)
        return [] if nearest.distance >= IMPOSSIBLE else members_of(nearest.states, WIDTH)

    def climb(self, clause: Clause, starts: Iterable[StatePath]) -> StatePath | None:
        """A path to a state that seems to violate the clause; None if none is found."""
        frontier = list(starts)
        seen = {path[-1][1].values for path in frontier}
        best, patience, most = IMPOSSIBLE, PATIENCE, self.states + MOST
        while frontier and patience and self.states < most:
            found = self._further(frontier, seen)
            if not found:
                return None
            self.states += len(found)
            seen.update(found)
            paths = list(found.values())
            nearest = self._closeness.among(list(found)).nearest(clause)
            frontier = [paths[place] for place in members_of(nearest.states, WIDTH)]
            if nearest.distance == 0:
                return frontier[0]
            patience = PATIENCE if nearest.distance < best else patience - 1
            best = min(best, nearest.distance)
        return None

    def _further(self, frontier: list[StatePath], seen: set[Values]) -> dict[Values, StatePath]:
        """What one step leads to."""
        found: dict[Values, StatePath] = {}
        for path in frontier:
            state = path[-1][1]
            for transition in self._stepper.ots.transitions:
                for action in self._stepper.actions(transition, state):
                    after = self._stepper.apply(action, state)
                    if after.values not in seen:
                        found.setdefault(after.values, (*path, (transition.name, after)))
        return found

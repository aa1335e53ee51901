"""The turning points of a counterexample: the steps that take a last chance away, and the one that decides.

An event is a chance if no violation can follow it. As long as an event of its type stays possible, nothing is lost by a
step; so of all steps at neighbourhoods only those are told after which no event of some type is a chance any more.
"""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.records import dataclass
from otsrw.traces.colours import Colour
from otsrw.traces.simplification import Simplification


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """Step number `step`, counted from 0."""

    step: int
    last_chances: tuple[str, ...]
    """Types of events that would have prevented every violation here, and nowhere later on the run."""
    decides: bool
    """Whether this is the first step after which every run violates the property."""


def turning_points(result: Simplification) -> tuple[TurningPoint, ...]:
    """The turning points in their order; none if there is no counterexample.

    What is a chance somewhere on a loop stays one for ever: it has no last time.
    """
    path = result.counterexample
    if path is None:
        return ()
    rounds = [result.visited] if result.unfolding is None else result.unfolding.rounds_of(path)
    last: dict[str, int] = {}
    for position, state in enumerate(result.visited[:-1]):
        last |= dict.fromkeys(_chances(result, state), position)
    if path.loop is not None:
        for visited in rounds:
            for state in visited[path.loop :]:
                for kind in _chances(result, state):
                    last.pop(kind, None)
    incorrect = (step for step, taken in enumerate(result.taken) if result.colours[taken] == Colour.INCORRECT)
    deciding = next(incorrect, None)
    steps = sorted({*last.values(), *(() if deciding is None else (deciding,))})
    return tuple(
        TurningPoint(step, tuple(sorted(kind for kind, position in last.items() if position == step)), step == deciding)
        for step in steps
    )


def _chances(result: Simplification, state: int) -> Iterator[str]:
    coloured = result.coloured
    for transition in coloured.outgoing.of(state):
        if result.colours[transition] == Colour.CORRECT:
            yield coloured.event(transition).transition

"""Whether colours and neighbourhoods of a part of a graph are the same in a larger part.

The larger part is explained, too, and both are followed from their initial states: what is met after the same steps is
the same place. Nothing is said of what lies behind the larger part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from otsrw.records import dataclass
from otsrw.traces.colours import Colour, NeighbourhoodType
from otsrw.traces.neighbourhoods import Neighbourhood
from otsrw.traces.simplification import Simplification
from otsrw.traces.trace import Label


@dataclass(frozen=True, slots=True)
class ChangedColour:
    """A transition whose colour was known and is another one now."""

    transition: int
    before: Colour
    after: Colour


@dataclass(frozen=True, slots=True)
class ChangedNeighbourhood:
    """A neighbourhood that has another type now, or is none any more."""

    before: Neighbourhood
    after: NeighbourhoodType | None


@dataclass(frozen=True, slots=True)
class LastingColours:
    """What became of the colours and neighbourhoods of a part of a graph."""

    depth: int | None
    """All states within so many steps are in the larger part; None if it has all states."""
    states: int
    frontier: int
    """States of the larger part that were not expanded."""
    cut: bool
    """Whether the number of states ended the larger part, so that it has some states beyond `depth`."""
    verdict: str
    kept: int
    """How many known colours stay."""
    changed: tuple[ChangedColour, ...]
    settled: Mapping[Colour, int]
    """How many unknown colours are known now, and what they are."""
    unknown: int
    """How many stay unknown."""
    neighbourhoods_kept: int
    neighbourhoods_changed: tuple[ChangedNeighbourhood, ...]
    neighbourhoods_added: int
    """States of the smaller part that are neighbourhoods now and were none."""


@dataclass(frozen=True, slots=True)
class AllStatesKnown:
    """There is no larger part: all states are known."""


Lasting = LastingColours | AllStatesKnown

StateImage = Callable[[int], int]
"""The state of the larger part that a state of the smaller part is."""


def lasting_colours(
    small: Simplification, large: Simplification, image: StateImage, depth: int | None, cut: bool = False
) -> LastingColours:
    """Compare an explanation of a part of a graph with one of a larger part, which has all states within `depth`."""
    both = _Both(small, large, image)
    places, images = both.places(), both.transitions
    stays: Counter[Colour] = Counter()
    settled: Counter[Colour] = Counter()
    changed = []
    for transition, same in sorted(images.items()):
        before, after = Colour(small.colours[transition]), Colour(large.colours[same])
        if before == after:
            stays[before] += 1
        elif before == Colour.UNKNOWN:
            settled[after] += 1
        else:
            changed.append(ChangedColour(transition, before, after))
    types = {found.state: found.type for found in large.neighbourhoods}
    now = [(found, types.get(places[found.state])) for found in small.neighbourhoods]
    known = {found.state for found in small.neighbourhoods}
    return LastingColours(
        depth,
        large.lts.states,
        len(large.lts.frontier),
        cut,
        large.verdict,
        stays.total() - stays[Colour.UNKNOWN],
        tuple(changed),
        settled,
        stays[Colour.UNKNOWN],
        sum(found.type == after for found, after in now),
        tuple(ChangedNeighbourhood(found, after) for found, after in now if found.type != after),
        sum(image in types for place, image in places.items() if place not in known),
    )


class _Both:
    """Two explanations that are followed side by side."""

    def __init__(self, small: Simplification, large: Simplification, image: StateImage) -> None:
        self._small, self._large, self._image = small, large, image
        self.transitions: dict[int, int] = {}
        """The transitions of the smaller part that were met, with those of the larger part."""

    def places(self) -> dict[int, int]:
        """Each place that a run of the smaller part meets, with the place of the larger one that the same run meets."""
        small, large = self._small.coloured, self._large.coloured
        starts = {_state(self._large, place): place for place in large.initial}
        found = {place: starts[self._image(_state(self._small, place))] for place in small.initial}
        todo = list(found)
        while todo:
            place = todo.pop()
            known = {self._step(self._large, t): t for t in large.outgoing.of(found[place])}
            for transition in small.outgoing.of(place):
                event, target = self._step(self._small, transition)
                self.transitions[transition] = known[event, self._image(target)]
                after = small.targets[transition]
                if after not in found:
                    found[after] = large.targets[self.transitions[transition]]
                    todo.append(after)
        return found

    def _step(self, result: Simplification, transition: int) -> tuple[Label, int]:
        """The event of a transition, and the state of the system that it leads to."""
        return result.coloured.event(transition), _state(result, result.coloured.targets[transition])


def _state(result: Simplification, place: int) -> int:
    return place if result.unfolding is None else result.unfolding.states[place]

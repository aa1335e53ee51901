"""Groups of neighbourhoods that decide the same, best first.

What a neighbourhood decides is told by the types of events that are correct in it, and of those that are incorrect. A
system with many processes has very many neighbourhoods of few groups: two-phase commit has 134 of 6. A group in which
both ways are decided comes first, then one in which only the violation is, then one in which it can only be prevented.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from otsrw.records import dataclass
from otsrw.traces.colours import Colour, NeighbourhoodType
from otsrw.traces.neighbourhoods import Neighbourhood
from otsrw.traces.orbits import Exchange, lifted, neighbourhood_orbits
from otsrw.traces.simplification import Simplification

_RANK = (NeighbourhoodType.GR, NeighbourhoodType.GRB, NeighbourhoodType.R, NeighbourhoodType.G)

_Decided = tuple[NeighbourhoodType, tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class DecisionGroup:
    """Neighbourhoods of one type in which the same types of events are correct, and the same incorrect."""

    type: NeighbourhoodType
    correct: tuple[str, ...]
    incorrect: tuple[str, ...]
    orbits: tuple[tuple[Neighbourhood, ...], ...]
    """The neighbourhoods; those that differ only in the names of interchangeable entities are together."""
    positions: tuple[int, ...]
    """The positions of the counterexample at which one of them is met."""
    example: Neighbourhood
    """The last one that the counterexample meets, or the first of all."""

    def __len__(self) -> int:
        return sum(map(len, self.orbits))


def decision_groups(result: Simplification, exchanges: Iterable[Exchange] = ()) -> tuple[DecisionGroup, ...]:
    """All neighbourhoods of a result in groups, best first."""
    if result.unfolding is not None:
        exchanges = [lifted(exchange, result.unfolding) for exchange in exchanges]
    members: dict[_Decided, list[Neighbourhood]] = {}
    for found in result.neighbourhoods:
        members.setdefault(_decided(result, found), []).append(found)
    visited, known = result.visited, list(exchanges)
    groups = [_group(result, visited, key, known, found) for key, found in members.items()]
    return tuple(sorted(groups, key=_rank))


def _decided(result: Simplification, found: Neighbourhood) -> _Decided:
    return found.type, _types(result, found, Colour.CORRECT), _types(result, found, Colour.INCORRECT)


def _types(result: Simplification, found: Neighbourhood, colour: Colour) -> tuple[str, ...]:
    leaving = (t for t in found.outgoing if result.colours[t] == colour)
    return tuple(sorted({result.coloured.event(t).transition for t in leaving}))


def _group(
    result: Simplification,
    visited: Sequence[int],
    key: _Decided,
    exchanges: Sequence[Exchange],
    found: Sequence[Neighbourhood],
) -> DecisionGroup:
    by_state = {neighbourhood.state: neighbourhood for neighbourhood in found}
    positions = tuple(position for position, state in enumerate(visited) if state in by_state)
    example = by_state[visited[positions[-1]]] if positions else found[0]
    orbits = neighbourhood_orbits(result.coloured, result.colours, found, exchanges)
    return DecisionGroup(*key, tuple(orbits), positions, example)


def _rank(group: DecisionGroup) -> tuple[int, int, int, tuple[str, ...], tuple[str, ...]]:
    """What is decided, then whether the counterexample comes there late, then how many there are, then the names."""
    last = group.positions[-1] if group.positions else -1
    return _RANK.index(group.type), -last, -len(group), group.incorrect, group.correct

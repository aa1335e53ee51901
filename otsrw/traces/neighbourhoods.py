"""Neighbourhoods (Definition 12): states where a neutral past meets a correct or an incorrect future.

A transition whose colour is unknown counts as a neutral one: as far as the graph goes it decides nothing.
"""

from __future__ import annotations

from enum import StrEnum

from otsrw.records import dataclass
from otsrw.traces.colours import Colour, NeighbourhoodType
from otsrw.traces.lts import Lts

_OPEN = frozenset([Colour.NEUTRAL, Colour.UNKNOWN])


class Incoming(StrEnum):
    """How many of the transitions into a neighbourhood are neutral: all as in the paper, or some as in its tool.

    A state that no transition enters, such as an initial one, is accepted by both.
    """

    ALL = "all"
    SOME = "some"


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """A state with its type and the numbers of the transitions that enter and leave it."""

    state: int
    type: NeighbourhoodType
    incoming: tuple[int, ...]
    outgoing: tuple[int, ...]


def neighbourhoods_of(
    lts: Lts, colours: bytes, incoming: Incoming = Incoming.ALL, late: bytes = b""
) -> tuple[Neighbourhood, ...]:
    """All neighbourhoods, by state.

    Transitions that no run takes do not count, and neither do `late` ones, which runs take only after a violation.
    """
    late = late or bytes(len(colours))
    candidates = bytearray(lts.states)
    for source, colour, is_late in zip(lts.sources, colours, late, strict=True):
        if colour in (Colour.CORRECT, Colour.INCORRECT) and not is_late:
            candidates[source] = 1
    found = []
    for state, candidate in enumerate(candidates):
        if not candidate:
            continue
        entering = tuple(t for t in lts.incoming.of(state) if colours[t] != Colour.UNREACHED and not late[t])
        neutral = [colours[t] in _OPEN for t in entering]
        if all(neutral) or (incoming is Incoming.SOME and any(neutral)):
            leaving = tuple(lts.outgoing.of(state))
            found.append(Neighbourhood(state, _type_of({colours[t] for t in leaving}), entering, leaving))
    return tuple(found)


def _type_of(leaving: set[int]) -> NeighbourhoodType:
    if Colour.INCORRECT not in leaving:
        return NeighbourhoodType.G
    if Colour.CORRECT not in leaving:
        return NeighbourhoodType.R
    return NeighbourhoodType.GR if _OPEN.isdisjoint(leaving) else NeighbourhoodType.GRB

"""What a transition or a state means for a property (Definitions 10 to 12 of the simplification paper)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum

from otsrw.records import dataclass, field


class Colour(IntEnum):
    """The colour of a transition: it leads only to good runs, only to bad runs, or to both.

    It is unknown where that depends on what follows the states that were not expanded.
    """

    NEUTRAL = 0
    CORRECT = 1
    INCORRECT = 2
    UNREACHED = 3
    UNKNOWN = 4

    @property
    def word(self) -> str:
        return self.name.lower()


class NeighbourhoodType(StrEnum):
    """The type of a neighbourhood: the colours that leave it. Green is correct, red incorrect, black neutral."""

    G = "G"
    R = "R"
    GR = "GR"
    GRB = "GRB"


@dataclass(frozen=True, slots=True)
class Tags:
    """What a picture of an Lts shows besides the Lts: a colour for each transition, types of some states."""

    colours: bytes = b""
    neighbourhoods: Mapping[int, NeighbourhoodType] = field(default_factory=dict)

    def colour(self, transition: int) -> Colour:
        return Colour(self.colours[transition]) if self.colours else Colour.NEUTRAL

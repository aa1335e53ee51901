"""A simplification, and what else is told about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otsrw.records import dataclass
from otsrw.traces.decisions import DecisionGroup, decision_groups
from otsrw.traces.simplification import Simplification
from otsrw.traces.turning import TurningPoint, turning_points

if TYPE_CHECKING:
    from otsrw.traces.alternatives import ShortestRuns
    from otsrw.traces.causes import CausalSlice
    from otsrw.traces.lasting import Lasting


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that may be shown of a counterexample; what nobody asked for is None."""

    result: Simplification
    groups: tuple[DecisionGroup, ...]
    turning: tuple[TurningPoint, ...]
    why: CausalSlice | None = None
    runs: ShortestRuns | None = None
    lasts: Lasting | None = None

    @classmethod
    def of(cls, result: Simplification) -> Explanation:
        """What a result tells by itself: no entities are taken as interchangeable."""
        return cls(result, decision_groups(result), turning_points(result))

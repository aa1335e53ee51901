"""Traces of a system up to a bound, as classification sees them: moments, and engines that find and count traces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

from otsrw.records import dataclass
from otsrw.traces.constraints import Moment, TraceConstraint
from otsrw.traces.lts import Lts, Path
from otsrw.traces.moments import Moments
from otsrw.traces.product import Safety


@dataclass(frozen=True, eq=False)
class BoundedTraces:
    """All paths of at most `bound` transitions, and the bad states and transitions that violate the property."""

    lts: Lts
    safety: Safety
    bound: int

    @cached_property
    def _numbered(self) -> tuple[Moments, list[int], list[int]]:
        """Moments that look different, and their numbers after each transition and in each initial state."""
        lts = self.lts
        moments = Moments()
        numbers: dict[tuple[int, object], int] = {}

        def number(action: int, state: int) -> int:
            key = (action, lts.valuations[state] if lts.observers else state)
            if key not in numbers:
                numbers[key] = len(moments)
                event = lts.events[action] if action >= 0 else None
                moments.append(Moment(event, lts.observation(state), lts.collections))
            return numbers[key]

        after = [number(action, target) for action, target in zip(lts.actions, lts.targets, strict=True)]
        return moments, after, [number(-1, state) for state in lts.initial]

    @property
    def moments(self) -> Moments:
        return self._numbered[0]

    @property
    def after(self) -> Sequence[int]:
        """The number of the moment that each transition leads to."""
        return self._numbered[1]

    @property
    def initially(self) -> Sequence[int]:
        """The numbers of the moments in the initial states."""
        return self._numbered[2]

    @cached_property
    def steps(self) -> list[list[tuple[int, int, bool, int]]]:
        """For each state its transitions: number, target, whether it is bad, and the moment it leads to."""
        lts, safety, after = self.lts, self.safety, self.after
        found: list[list[tuple[int, int, bool, int]]] = [[] for _ in range(lts.states)]
        for transition, (source, target) in enumerate(zip(lts.sources, lts.targets, strict=True)):
            bad = target in safety.bad_states or transition in safety.bad_transitions
            found[source].append((transition, target, bad, after[transition]))
        return found

    def moments_of(self, path: Path) -> list[Moment]:
        first = self.initially[self.lts.initial.index(path.states[0])]
        return [self.moments[number] for number in (first, *(self.after[t] for t in path.transitions))]


class Engine(Protocol):
    """Answers the questions of classification about the traces of one system."""

    @property
    def traces(self) -> BoundedTraces: ...

    def find(
        self, violating: bool, inside: Sequence[TraceConstraint] = (), outside: Sequence[TraceConstraint] = ()
    ) -> Path | None:
        """A shortest trace that violates the property or not, satisfies all of `inside` and none of `outside`.

        Of several shortest ones the first: by initial state, then by the numbers of its transitions.
        """

    def count(
        self, violating: bool, inside: Sequence[TraceConstraint] = (), outside: Sequence[TraceConstraint] = ()
    ) -> int | None:
        """How many such traces there are; None if the engine does not count."""

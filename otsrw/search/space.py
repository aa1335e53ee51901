"""The reachable states of an instance, as whoever asks about them sees them.

`StateSpace` is the contract. Maude and the rewriting engine implement it; induction and traces know nothing else. A
third implementation is a class with these methods; the tests of all of them are tests/search/test_spaces.py.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from otsrw.records import dataclass, field
from otsrw.search.results import Progress, Reachable, SampledStates, SearchResult

if TYPE_CHECKING:
    from otsrw.ots.graph import StateGraph
    from otsrw.ots.instance import Instance
    from otsrw.ots.model import Invariant
    from otsrw.ots.run import Run
    from otsrw.ots.symmetry import Symmetry

SearchListener = Callable[[Progress], None]
"""Is told now and then how far a question is."""


def telling(listener: SearchListener | None, also: Callable[[], None]) -> SearchListener:
    """A listener that does something else each time after it has told another one, if there is one."""

    def told(progress: Progress) -> None:
        if listener is not None:
            listener(progress)
        also()

    return told


def resident_memory(process: int | str = "self") -> int:
    """Resident bytes of a process; 0 where the system does not tell."""
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _most_memory() -> int | None:
    """Three quarters of what the machine has, so that a question is stopped before the machine is."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 3 // 4
    except (ValueError, OSError, AttributeError):
        return None


@dataclass(frozen=True, slots=True)
class Limits:
    """What a question may take: seconds, bytes. None means: as much as it likes."""

    timeout: float | None = None
    memory: int | None = field(default_factory=_most_memory)
    spent: float = 0.0
    """Seconds that were spent before the question was asked."""

    def check(self, seconds: float, memory: int) -> None:
        """Raise `OutOfLimits` if this is too much."""
        if self.timeout is not None and seconds + self.spent > self.timeout:
            raise OutOfLimits(f"the time is spent ({self.timeout:g} s)")
        if self.memory is not None and memory > self.memory:
            raise OutOfLimits(f"the memory is spent ({self.memory // 1_000_000} MB)")


USUAL_LIMITS = Limits()


class OutOfLimits(Exception):
    """The time or the memory is spent; the message says which."""


class StateSpace(Protocol):
    """Answers questions about the reachable states of one instance.

    Every invariant is one of the instance. A method raises `OtsrwError` if the specification gives no value where one
    is needed, and all but `search` raise `OutOfLimits` when the time or the memory is spent. A question that was
    stopped (by a limit, by Ctrl-C) does not change the answers to the next ones.
    """

    @property
    def instance(self) -> Instance: ...

    def search(
        self,
        invariant: Invariant | None,
        depth: int,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
    ) -> SearchResult:
        """Is the invariant violated within `depth` steps? Without one: how many states are there?

        The run of a violation is as short as can be, and it is replayed by rewriting. When the time or the memory is
        spent, the verdict is unknown.
        """
        ...

    def reachable(self, depth: int, limits: Limits = USUAL_LIMITS, listener: SearchListener | None = None) -> Reachable:
        """All states within `depth` steps. After a search of this depth without a violation it may cost little."""
        ...

    def sample(
        self,
        states: int,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
        symmetry: Symmetry | None = None,
    ) -> SampledStates:
        """Reachable states, the same on every machine: all of them if there are at most about so many.

        Otherwise the first ones breadth first, and some that random walks see, at most half as many again. With a
        symmetry the first ones are one state for all that differ by a renaming. Each state is reachable as it is.
        """
        ...

    def of(self, instance: Instance) -> StateSpace:
        """The space of another instance, by the same means."""
        ...

    def graph(
        self,
        depth: int | None = None,
        invariant: Invariant | None = None,
        max_states: int | None = None,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
    ) -> StateGraph:
        """All states within `depth` steps, with the events between them; without a depth, all there are.

        No state is expanded once there are `max_states`. States that violate the invariant are marked as bad.
        """
        ...

    def confirm(self, run: Run, invariant: Invariant, limits: Limits = USUAL_LIMITS) -> bool:
        """Is the run one of this space, step by step, and is the invariant violated at its end?"""
        ...

"""The reachable states of an instance, as whoever asks about them sees them.

`StateSpace` is the contract. Maude and the rewriting engine implement it; induction and traces know nothing else.
Every method raises `OutOfLimits` when the time or the memory is spent, and `OtsrwError` if the specification gives no
value where one is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from otsrw.ots.graph import Progress as Told
from otsrw.ots.graph import StateGraph
from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant
from otsrw.ots.run import Run
from otsrw.search.graph import state_graph
from otsrw.search.results import SearchResult
from otsrw.search.session import USUAL_LIMITS, KeptState, Limits, Listener, confirm, reachable, search


@dataclass(frozen=True, eq=False, slots=True)
class Reachable:
    """The states of R<=n in breadth-first order; `exhausted` says that there are no others at any depth."""

    states: list[KeptState]
    exhausted: bool


class StateSpace(Protocol):
    """Answers questions about the reachable states of one instance."""

    @property
    def instance(self) -> Instance: ...

    def search(
        self,
        invariant: Invariant | None,
        depth: int,
        limits: Limits = USUAL_LIMITS,
        listener: Listener | None = None,
    ) -> SearchResult:
        """Is the invariant of the instance violated within `depth` steps? Without one: how many states are there?"""
        ...

    def reachable(self, depth: int, limits: Limits = USUAL_LIMITS, listener: Listener | None = None) -> Reachable:
        """All states within `depth` steps."""
        ...

    def graph(
        self,
        depth: int | None = None,
        invariant: Invariant | None = None,
        max_states: int | None = None,
        progress: Told | None = None,
        limits: Limits = USUAL_LIMITS,
    ) -> StateGraph:
        """All states within `depth` steps, with the events between them."""
        ...

    def confirm(self, run: Run, invariant: Invariant, limits: Limits = USUAL_LIMITS) -> bool:
        """Is the run one of this space, step by step, and is the invariant violated at its end?"""
        ...


class MaudeSpace:
    """Asks Maude."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def search(
        self,
        invariant: Invariant | None,
        depth: int,
        limits: Limits = USUAL_LIMITS,
        listener: Listener | None = None,
    ) -> SearchResult:
        return search(self.instance, invariant, depth, limits, listener)

    def reachable(self, depth: int, limits: Limits = USUAL_LIMITS, listener: Listener | None = None) -> Reachable:
        return Reachable(*reachable(self.instance, depth, limits, listener))

    def graph(
        self,
        depth: int | None = None,
        invariant: Invariant | None = None,
        max_states: int | None = None,
        progress: Told | None = None,
        limits: Limits = USUAL_LIMITS,
    ) -> StateGraph:
        return state_graph(self.instance, depth, invariant, max_states, progress, limits)

    def confirm(self, run: Run, invariant: Invariant, limits: Limits = USUAL_LIMITS) -> bool:
        return confirm(run, invariant, limits)

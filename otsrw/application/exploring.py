"""What an explorer opens: a system that is there as a whole, or a specification whose graph is made as it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from otsrw.application.stages import MAX_STATES, Explored, Instantiated
from otsrw.application.systems import System
from otsrw.ots import Invariant
from otsrw.records import dataclass
from otsrw.search import SearchListener, maude_or_rewriting
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.traces.claims import Claim
from otsrw.traces.given import GivenRun, beginning_with
from otsrw.traces.levels import GrowingSystem
from otsrw.traces.matching import Match
from otsrw.traces.observed import ObservedGraph
from otsrw.traces.product import Monitor
from otsrw.traces.situations import ExplorationTables
from otsrw.traces.temporal import TemporalProperty


class Explorable(Protocol):
    """Something to explore."""

    @property
    def claim(self) -> Claim: ...

    def tables(self, listener: SearchListener | None = None, given: GivenRun | None = None) -> ExplorationTables:
        """The tables to begin with; the first run on display begins with the one that is given.

        Raises `NothingToExplore`, and `NotFollowed` if the given run is none of the system.
        """
        ...

    def warnings(self) -> Iterator[Diagnostic]:
        """What is doubtful, as far as it is known now."""
        ...


@dataclass(frozen=True, eq=False, slots=True)
class WholeSystem:
    """A system from a file of labels."""

    system: System

    @property
    def claim(self) -> Claim:
        return self.system.claim

    def tables(self, listener: SearchListener | None = None, given: GivenRun | None = None) -> ExplorationTables:
        del listener
        tables = self.system.explorer().tables
        return tables if given is None else beginning_with(tables, given)

    def warnings(self) -> Iterator[Diagnostic]:
        yield from self.system.doubts()


@dataclass(frozen=True, eq=False, slots=True)
class GrowingSpecification:
    """A specification whose graph is made level by level."""

    instantiated: Instantiated
    claim: Claim
    match: Match
    graphs: GrowingSystem

    @classmethod
    def of(
        cls,
        instantiated: Instantiated,
        invariant: Invariant | None,
        claim: Claim,
        match: Match = Match.EXACT,
        depth: int | None = None,
        max_states: int = MAX_STATES,
    ) -> GrowingSpecification:
        """An invariant that is given is the claim."""
        if invariant is not None:
            claim = Claim(invariant=invariant.name)

        def watching(graph: ObservedGraph) -> Monitor | TemporalProperty | None:
            return System(graph.lts, claim, match, graph).monitor()

        space = maude_or_rewriting(instantiated.instance)
        return cls(instantiated, claim, match, GrowingSystem(space, watching, invariant, depth, max_states))

    def tables(self, listener: SearchListener | None = None, given: GivenRun | None = None) -> ExplorationTables:
        return self.graphs.opened(listener, given)

    def warnings(self) -> Iterator[Diagnostic]:
        """That states were left out, and that names do not occur; nothing as long as the tables are not full."""
        last, graphs = self.graphs.last, self.graphs
        if not last.complete:
            return
        left_out = Explored(self.instantiated, graphs.invariant, last.graph, graphs.depth).left_out
        if left_out is not None:
            yield left_out
        yield from System(last.graph.lts, self.claim, self.match, last.graph).doubts()

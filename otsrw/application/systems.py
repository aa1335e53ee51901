"""Systems that are explained: from an .aut file or from the graph of a specification, with what is claimed of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from otsrw.application.loading import STANDARD_INPUT
from otsrw.application.stages import Explored
from otsrw.records import dataclass
from otsrw.search.space import SearchListener
from otsrw.syntax.diagnostics import Diagnostic, Tell
from otsrw.syntax.source import Source
from otsrw.traces.claims import Claim, missing_labels
from otsrw.traces.counterexamples import NO_PATTERN
from otsrw.traces.decisions import decision_groups
from otsrw.traces.explanation import Explanation
from otsrw.traces.formats import decoded, read_aut, read_lts
from otsrw.traces.ltl import FALSE
from otsrw.traces.lts import Lts, Path
from otsrw.traces.matching import ActionSequence, Match
from otsrw.traces.neighbourhoods import Incoming
from otsrw.traces.observed import ObservedGraph, checked
from otsrw.traces.orbits import Exchange
from otsrw.traces.product import Inevitability, Monitor, Safety
from otsrw.traces.propositions import suspects
from otsrw.traces.simplification import (
    Simplification,
    simplify_inevitability,
    simplify_safety,
    simplify_temporal,
    with_counterexample,
)
from otsrw.traces.temporal import TemporalArena, TemporalProperty
from otsrw.traces.trace import Label
from otsrw.traces.turning import turning_points

if TYPE_CHECKING:
    from otsrw.traces.alternatives import ShortestRuns
    from otsrw.traces.causes import CausalSlice
    from otsrw.traces.explorer import Explorer
    from otsrw.traces.given import GivenRun
    from otsrw.traces.lasting import Lasting

_SPECIFICATIONS = (".cafe", ".mod", ".cafeobj")


def is_specification(name: str) -> bool:
    """Does the name say that the file is a specification, not a labelled transition system?"""
    return FilePath(name).suffix in _SPECIFICATIONS


@dataclass(frozen=True, eq=False, slots=True)
class System:
    """A labelled transition system and what is claimed of it."""

    lts: Lts
    claim: Claim
    match: Match = Match.EXACT
    graph: ObservedGraph | None = None
    """What the system was made from; None for a file of labels."""
    part: Explored | None = None
    """Where a larger part of the graph can be had."""

    @classmethod
    def read(cls, name: str, claim: Claim, match: Match, tell: Tell | None = None) -> System:
        """The system in an .aut file, or on standard input for `-`; `tell` is given warnings about the file."""
        if name == STANDARD_INPUT:
            return cls(read_aut(Source("<stdin>", decoded(sys.stdin.buffer.read())), tell), claim, match)
        return cls(read_lts(FilePath(name), name, tell), claim, match)

    @classmethod
    def of(cls, explored: Explored, claim: Claim, match: Match = Match.EXACT) -> System:
        """The graph of a specification; an invariant that the graph was made for is the claim."""
        if explored.invariant is not None:
            claim = Claim(invariant=explored.invariant.name)
        return cls(explored.graph.lts, claim, match, explored.graph, explored)

    @property
    def safety(self) -> Safety | None:
        """The states that must not be met; None if no invariant is claimed."""
        return None if self.graph is None or self.claim.invariant is None else self.graph.safety

    @property
    def temporal(self) -> TemporalProperty | None:
        if self.claim.formula is None:
            return None
        return TemporalProperty.of(self.claim.formula, self.claim.fair, self.match)

    def sequence(self, labels: tuple[str, ...]) -> ActionSequence:
        return ActionSequence.of(self.lts, labels, self.match)

    def doubts(self, pattern: tuple[str, ...] = ()) -> list[Diagnostic]:
        """Warnings about labels, values and events that are asked for and do not occur."""
        temporal = self.temporal
        found = [] if temporal is None else list(suspects(self.lts, temporal.formulas, temporal.match))
        names = self.sequence(self.claim.labels).missing() + self.sequence(pattern).missing()
        return found + missing_labels(self.lts, tuple(dict.fromkeys(names)))

    def simplified(
        self, incoming: Incoming = Incoming.ALL, pattern: tuple[str, ...] = (), given: GivenRun | None = None
    ) -> Simplification:
        """Colours, neighbourhoods and a counterexample, which is replayed with the equations if there are any.

        A counterexample that is given is explained instead of the shortest one; if it violates nothing yet, it is
        completed.
        """
        wanted = self.sequence(pattern) if pattern else NO_PATTERN
        temporal = self.temporal
        if temporal is not None:
            result = simplify_temporal(self.lts, temporal, incoming, wanted)
        elif self.safety is not None:
            result = simplify_safety(self.lts, self.safety, incoming, wanted)
        else:
            result = simplify_inevitability(self.lts, self.sequence(self.claim.labels), incoming, wanted)
        if given is not None and not result.holds and not result.unknown:
            from otsrw.traces.given import beginning_with

            tables = beginning_with(self.explorer().tables, given)
            result = with_counterexample(result, tables.path(tables.start.scene))
        return result if self.graph is None else checked(self.graph, result)

    def causes(self, result: Simplification) -> CausalSlice | None:
        """Which events of the counterexample need which; None if there is no counterexample.

        Events are the same if they differ only in arguments that are there to take a collection apart.
        """
        from otsrw.traces.causes import causal_slice
        from otsrw.traces.predicates import collected_arguments

        ignored = frozenset() if self.graph is None else collected_arguments(self.graph.instance)

        def same(one: Label, other: Label) -> bool:
            return one.transition == other.transition and all(
                a == b or f"{one.transition}.{number}" in ignored
                for number, (a, b) in enumerate(zip(one.arguments, other.arguments, strict=False), 1)
            )

        return causal_slice(result, same, self._violates())

    def exchanges(self) -> tuple[Exchange, ...]:
        """Exchanges of interchangeable entities that the claim does not name."""
        return () if self.graph is None or self._has_patterns else self.graph.exchanges(self._named)

    def interchangeable(self) -> tuple[tuple[str, ...], ...]:
        """The names of interchangeable entities that the claim does not name."""
        return () if self.graph is None or self._has_patterns else self.graph.interchangeable(self._named)

    @property
    def _has_patterns(self) -> bool:
        """Whether names in the claim are patterns: these may mean any entity, so none is interchangeable."""
        return self.match is not Match.EXACT and self.claim.invariant is None

    @property
    def _named(self) -> tuple[str, ...]:
        """Texts in which the claim names entities; what an invariant names is in its equations."""
        return (*self.claim.labels, self.claim.formula or "", *self.claim.fair)

    def explanation(self, result: Simplification) -> Explanation:
        """The neighbourhoods in groups that decide the same, and the turning points."""
        exchanges = self.exchanges() if len(result.neighbourhoods) > 1 else ()
        return Explanation(result, decision_groups(result, exchanges), turning_points(result))

    def larger(self, bound: int | None, max_states: int, listener: SearchListener | None = None) -> System | None:
        """The same with a larger part of the graph; None if all states are known.

        It has all states within `bound` steps, or as many as may be expanded: twice as many if these are used up.
        """
        part = self.part
        if part is None or part.graph.exhausted:
            return None
        if bound is not None:
            bound = max(bound, part.graph.depth + 1)
        most = 2 * max_states if part.graph.cut else max_states
        return System.of(part.instantiated.explored(part.invariant, bound, most, listener), self.claim, self.match)

    def lasting(self, result: Simplification, larger: System | None, incoming: Incoming) -> Lasting:
        """What becomes of colours and neighbourhoods in a larger part of the graph."""
        from otsrw.traces.lasting import AllStatesKnown, lasting_colours

        if larger is None or self.graph is None or larger.graph is None:
            return AllStatesKnown()
        graph, wide = self.graph, larger.graph

        def image(state: int) -> int:
            number = wide.number(graph.values(state))
            assert number is not None, "a larger part has all states of a smaller one"
            return number

        return lasting_colours(result, larger.simplified(incoming), image, wide.complete_depth, wide.cut)

    def shortest_runs(self, result: Simplification) -> ShortestRuns:
        """All counterexamples that are as short as the shortest."""
        from otsrw.traces.alternatives import ShortestRuns, grouped_runs
        from otsrw.traces.bounded import BoundedTraces
        from otsrw.traces.lasso_traces import violation_traces

        if result.counterexample is None:
            return ShortestRuns((), 0)
        length, safety = result.counterexample.length, self.safety
        if safety is not None:
            return grouped_runs(self.lts, BoundedTraces(self.lts, safety, length), lambda path: path, self.exchanges())
        watched = violation_traces(TemporalArena(self.lts, self.as_formula), length)
        return grouped_runs(self.lts, watched.traces, watched.system_path, self.exchanges())

    def _violates(self) -> Callable[[Path], bool]:
        """Whether a run violates the claim."""
        safety = self.safety
        if safety is not None:
            return lambda run: any(state in safety.bad_states for state in run.states)
        arena = TemporalArena(self.lts, self.as_formula)
        return arena.refutes

    @property
    def as_formula(self) -> TemporalProperty:
        """The formula that is claimed, also for labels that are inevitable."""
        if self.claim.labels:
            missed = TemporalProperty(FALSE, match=self.match).unless_shown(self.claim.labels)
            return TemporalProperty(~missed.formula, (), self.match)
        assert self.temporal is not None, "an invariant is no formula"
        return self.temporal

    def explorer(self) -> Explorer:
        """An explorer of the runs that violate the claim, or of all runs if nothing is claimed."""
        from otsrw.traces.explorer import Explorer

        return Explorer(self.lts, self.monitor())

    def monitor(self) -> Monitor | TemporalProperty | None:
        """What watches runs for violations of the claim; None if nothing is claimed."""
        if self.claim.formula is not None:
            return self.temporal
        return Inevitability(self.sequence(self.claim.labels)) if self.claim.labels else self.safety

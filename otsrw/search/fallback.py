"""Maude where it can answer, rewriting where it cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from otsrw.ots.graph import StateGraph
from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant
from otsrw.ots.run import Run
from otsrw.ots.symmetry import Symmetry
from otsrw.search.maude_space import MaudeSpace, with_care
from otsrw.search.results import Reachable, SampledStates, SearchResult
from otsrw.search.rewriting_space import RewritingSpace
from otsrw.search.space import USUAL_LIMITS, Limits, SearchListener, StateSpace
from otsrw.syntax.diagnostics import OtsrwError, ProblemKind

_CANNOT_ANSWER = (ProblemKind.NOT_TRANSLATED, ProblemKind.NOT_INSTALLED)

_T = TypeVar("_T")


def maude_or_rewriting(instance: Instance) -> StateSpace:
    """Asks Maude, and the rewriting engine if Maude is not there or has no word for something."""
    return FallbackSpace(MaudeSpace(instance), RewritingSpace(instance))


class FallbackSpace:
    """Asks the first space, and the second one what the first one cannot answer."""

    def __init__(self, first: StateSpace, second: StateSpace) -> None:
        self.instance = first.instance
        self._first = first
        self._second = second

    def search(
        self,
        invariant: Invariant | None,
        depth: int,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
    ) -> SearchResult:
        return self._ask(lambda space: space.search(invariant, depth, limits, listener))

    def reachable(self, depth: int, limits: Limits = USUAL_LIMITS, listener: SearchListener | None = None) -> Reachable:
        return self._ask(lambda space: space.reachable(depth, limits, listener))

    def sample(
        self,
        states: int,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
        symmetry: Symmetry | None = None,
    ) -> SampledStates:
        return self._ask(lambda space: space.sample(states, limits, listener, symmetry))

    def of(self, instance: Instance) -> FallbackSpace:
        return FallbackSpace(self._first.of(instance), self._second.of(instance))

    def graph(
        self,
        depth: int | None = None,
        invariant: Invariant | None = None,
        max_states: int | None = None,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
    ) -> StateGraph:
        return self._ask(lambda space: space.graph(depth, invariant, max_states, limits, listener))

    def confirm(self, run: Run, invariant: Invariant, limits: Limits = USUAL_LIMITS) -> bool:
        return self._ask(lambda space: space.confirm(run, invariant, limits))

    def _ask(self, question: Callable[[StateSpace], _T]) -> _T:
        try:
            return question(self._first)
        except OtsrwError as error:
            if error.problem.kind not in _CANNOT_ANSWER:
                raise
        return with_care(self.instance, question(self._second))

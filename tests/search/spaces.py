"""State spaces for tests."""

from __future__ import annotations

from otsrw.ots import Instance, Invariant
from otsrw.ots.graph import StateGraph
from otsrw.ots.run import Run
from otsrw.ots.symmetry import Symmetry
from otsrw.search import Limits, Reachable, SearchListener, SearchResult
from otsrw.search.maude_worker.messages import Message, Request
from otsrw.search.process import MaudeProcess
from otsrw.search.results import SampledStates
from otsrw.search.space import USUAL_LIMITS
from otsrw.syntax.diagnostics import OtsrwError


class CountedProcesses:
    """Starts Maude's processes and remembers them, with the requests they were sent."""

    def __init__(self) -> None:
        self.started: list[_Noting] = []

    def __call__(self) -> _Noting:
        self.started.append(_Noting())
        return self.started[-1]

    @property
    def requests(self) -> list[list[str]]:
        """The kinds of the requests, process by process."""
        return [process.requests for process in self.started]


class _Noting:
    """A process that notes what it is asked."""

    def __init__(self) -> None:
        self._process = MaudeProcess()
        self.requests: list[str] = []

    def send(self, request: Request) -> None:
        self.requests.append(type(request).__name__)
        self._process.send(request)

    def receive(self, seconds: float) -> Message | None:
        return self._process.receive(seconds)

    def memory(self) -> int:
        return self._process.memory()

    def close(self) -> None:
        self._process.close()


class UnableSpace:
    """Cannot answer anything, for the reason of an error code."""

    def __init__(self, instance: Instance, code: str) -> None:
        self.instance = instance
        self._problem = OtsrwError(code, "no answer")

    def search(
        self,
        invariant: Invariant | None,
        depth: int,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
    ) -> SearchResult:
        raise self._problem

    def reachable(self, depth: int, limits: Limits = USUAL_LIMITS, listener: SearchListener | None = None) -> Reachable:
        raise self._problem

    def sample(
        self,
        states: int,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
        symmetry: Symmetry | None = None,
    ) -> SampledStates:
        raise self._problem

    def of(self, instance: Instance) -> UnableSpace:
        raise self._problem

    def graph(
        self,
        depth: int | None = None,
        invariant: Invariant | None = None,
        max_states: int | None = None,
        limits: Limits = USUAL_LIMITS,
        listener: SearchListener | None = None,
    ) -> StateGraph:
        raise self._problem

    def confirm(self, run: Run, invariant: Invariant, limits: Limits = USUAL_LIMITS) -> bool:
        raise self._problem

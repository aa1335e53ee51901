"""Does a project still hold? Every case is run, and what comes out is compared with what is expected.

A shortest violation and a bound are looked for by search, a proof by induction-guided falsification. Cases do not
depend on each other: with several jobs each runs in a process of its own.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from otsrw.application.expectations import Expectation, ExpectedVerdict, ProjectCase
from otsrw.application.loading import LoadFailed, load_specification
from otsrw.application.stages import Instantiated, Loaded, Recognised
from otsrw.proofs import Settings
from otsrw.records import dataclass
from otsrw.search import Limits, SearchResult
from otsrw.search.results import Activity
from otsrw.syntax.diagnostics import OtsrwError

MOST_COUNTED = 300
"""States in which it is counted what transitions do."""
STACK_SIZE = 1 << 28
"""Bytes for the thread of a case: evaluation may nest deep."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One expectation and the verdict; the invariant is None if the states are meant, or if nothing could be asked."""

    file: str
    invariant: str | None
    expected: str
    verdict: str
    passed: bool
    seconds: float
    entities: tuple[str, ...] = ()
    reason: str = ""
    """Why the verdict is unknown, or what is wrong with the file."""
    unchanged: bool = False
    """Was it not run again, because nothing has changed since it passed?"""
    doubts: tuple[tuple[str, str], ...] = ()
    """What never happens in any reachable state: values of `DoubtKind` and what they are about."""


@dataclass(frozen=True, slots=True)
class UsedFile:
    """A file that a case has loaded: by which name, from which folder, and a digest of what was in it."""

    path: str
    name: str | None
    folder: str
    digest: str


def digest_of(text: str) -> str:
    """A few characters that differ if texts do."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """What a case gave, and the files it was made of."""

    case: ProjectCase
    results: tuple[CaseResult, ...]
    files: tuple[UsedFile, ...] = ()

    @property
    def passed(self) -> bool:
        return all(result.passed for result in self.results)


def outcomes_of(cases: Sequence[ProjectCase], jobs: int = 1) -> Iterator[CaseOutcome]:
    """The outcome of every case, in the order of the cases."""
    if jobs < 2 or len(cases) < 2:
        yield from map(run_case, cases)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(min(jobs, len(cases)), mp_context=get_context("spawn")) as pool:
        yield from pool.map(run_case_apart, cases)


def run_case_apart(case: ProjectCase) -> CaseOutcome:
    """Run a case in a thread with a deep stack, as the command line does."""
    found: list[CaseOutcome] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            found.append(run_case(case))
        except BaseException as error:
            failed.append(error)

    before = threading.stack_size(STACK_SIZE)
    thread = threading.Thread(target=work)
    thread.start()
    threading.stack_size(before)
    thread.join()
    if failed:
        raise failed[0]
    return found[0]


def run_case(case: ProjectCase) -> CaseOutcome:
    """Run one case; what is wrong with its file is its outcome."""
    started = time.perf_counter()
    try:
        settings = Settings(max_rewrites=case.budget.rewrites, timeout=case.budget.seconds)
        loaded = load_specification(case.file, settings, by_value=True)
    except OtsrwError as error:
        expected = ", ".join(dict.fromkeys(map(str, case.expectations))) or "states"
        return CaseOutcome(case, (_refused(case, None, expected, error, time.perf_counter() - started),))
    files = tuple(UsedFile(f.path, f.name, f.folder, digest_of(f.text)) for f in loaded.session.files)
    return CaseOutcome(case, tuple(_CaseRun(case, loaded).results()), files)


class _CaseRun:
    """The questions of one case, asked one after the other; the states of a search are kept for later ones."""

    def __init__(self, case: ProjectCase, loaded: Loaded) -> None:
        self._case = case
        self._loaded = loaded
        self._instances: dict[int, Instantiated] = {}
        self._counted: SearchResult | None = None
        self._doubts: tuple[tuple[str, str], ...] = ()

    def results(self) -> Iterator[CaseResult]:
        for expectation in self._case.expectations:
            for name in self._names(expectation):
                yield self._answered(name, str(expectation), partial(self._verdict, name, expectation))
        if self._case.states or self._case.exhausted is not None:
            yield self._answered(None, self._expected_states(), self._states)

    def _names(self, expectation: Expectation) -> tuple[str | None, ...]:
        """The invariants that are meant; None if they cannot be found out."""
        if expectation.invariant is not None:
            return (expectation.invariant,)
        try:
            return self._loaded.recognised(self._case.module).invariants("all")
        except OtsrwError:
            return (None,)

    def _answered(self, name: str | None, expected: str, ask: Callable[[], tuple[str, str]]) -> CaseResult:
        started = time.perf_counter()
        self._doubts = ()
        try:
            verdict, reason = ask()
        except OtsrwError as error:
            return _refused(self._case, name, expected, error, time.perf_counter() - started)
        passed = verdict == expected or (expected == "falsified" and verdict.startswith("falsified "))
        seconds = time.perf_counter() - started
        case = self._case
        return CaseResult(
            case.file, name, expected, verdict, passed, seconds, case.entities, reason, doubts=self._doubts
        )

    def _verdict(self, name: str | None, expectation: Expectation) -> tuple[str, str]:
        if expectation.verdict is ExpectedVerdict.VERIFIED or expectation.bound is None:
            return self._decided(name)
        instantiated = self._instantiated(name)
        found = instantiated.search(instantiated.invariant(name), expectation.bound, self._limits(), count=MOST_COUNTED)
        self._doubts = _doubts_of(found.activity)
        if found.verdict == "holds":
            self._counted = self._counted or found
            return f"holds {found.depth}", ""
        return (f"falsified {found.depth}", "") if found.verdict == "violated" else ("unknown", found.reason)

    def _decided(self, name: str | None) -> tuple[str, str]:
        from otsrw.application.deciding import DecisionQuestion, decide
        from otsrw.induction.results import Options

        case = self._case
        options = Options(timeout=case.budget.seconds, lemmas=case.lemmas)
        question = DecisionQuestion(name, options, case.entities, case.depth, count=MOST_COUNTED)
        decided = decide(self._recognised(name), question)
        result = decided.result
        self._doubts = _doubts_of(decided.activity)
        if result.run is not None:
            return f"falsified {len(result.run.actions)}", ""
        return str(result.verdict), result.reason or ""

    def _states(self) -> tuple[str, str]:
        depth = len(self._case.states) - 1 if self._case.states else self._case.depth
        found = self._counted
        if found is None or found.depth != depth:
            found = self._instantiated(None).search(None, 5 if depth is None else depth, self._limits())
        if found.verdict == "unknown":
            return "unknown", found.reason
        return _states_text(found.levels if self._case.states else (), found.exhausted, self._case), ""

    def _expected_states(self) -> str:
        return _states_text(self._case.states, bool(self._case.exhausted), self._case)

    def _limits(self) -> Limits:
        budget = self._case.budget
        return Limits(budget.seconds) if budget.memory is None else Limits(budget.seconds, budget.memory)

    def _recognised(self, name: str | None) -> Recognised:
        """The OTS that has this invariant."""
        recognised = self._loaded.recognised(self._case.module, name)
        if recognised.problems:
            raise LoadFailed(recognised.problems)
        return recognised

    def _instantiated(self, name: str | None) -> Instantiated:
        """The instance of the OTS that has this invariant."""
        recognised = self._recognised(name)
        known = self._instances.get(id(recognised.ots.module))
        if known is None:
            known = self._instances[id(recognised.ots.module)] = recognised.instantiated(self._case.entities)
        return known


def _doubts_of(activity: Activity | None) -> tuple[tuple[str, str], ...]:
    """What makes one doubt a system; nothing if there are states that were not looked at."""
    if activity is None or not activity.whole:
        return ()
    return tuple((doubt.kind.value, doubt.subject) for doubt in activity.doubts)


def _states_text(levels: Sequence[int], exhausted: bool, case: ProjectCase) -> str:
    """Numbers of states, and whether there are no others if that is expected or not."""
    parts = [f"states {' '.join(map(str, levels))}"] if levels else []
    if case.exhausted is not None:
        parts.append("exhausted" if exhausted else "not exhausted")
    return ", ".join(parts)


def _refused(case: ProjectCase, name: str | None, expected: str, error: OtsrwError, seconds: float) -> CaseResult:
    problem = error.problem
    return CaseResult(
        case.file, name, expected, f"error {problem.code}", False, seconds, case.entities, problem.header()
    )

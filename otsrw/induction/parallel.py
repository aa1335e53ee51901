"""Induction cases split by a team of other processes.

What is found is what this process would have found itself: choices depend on what terms look like, never on when they
were made. What nobody else does is done here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future

from otsrw.induction.attempts import RefinedLeaf
from otsrw.induction.case_tasks import CaseAnswer, CaseTask, SpecificationText, Workplace, perform
from otsrw.induction.cases import CaseName, InductionCase, Predicate
from otsrw.induction.scheme import Induction
from otsrw.induction.sent_leaves import read_case
from otsrw.induction.sent_predicates import SentPredicate, written_fact, written_predicate
from otsrw.induction.sent_terms import numbers_of
from otsrw.records import dataclass
from otsrw.search.space import OutOfLimits
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.workers.forking import ForkedCalls
from otsrw.workers.shares import Ledger, WorkerShare
from otsrw.workers.team import Team, WorkersGone, awaited

HERE = "this process"
"""The name of the worker that does what others could not do."""
GRACE = 2.0
"""Seconds after the deadline for which answers are waited for: workers look at the clock themselves."""

SplitCase = tuple[InductionCase, list[RefinedLeaf]]
CaseListener = Callable[[int, int], None]
"""Is told how many cases are split, of how many."""


@dataclass(frozen=True, slots=True)
class CaseWork:
    """How cases were split by others: who they were, and what each of them did.

    `cluster` is the address of the cluster, None for processes of this machine. `undone` says why cases were split in
    this process, if others could not.
    """

    workers: int
    cluster: str | None
    shares: tuple[WorkerShare, ...]
    repeated: int
    undone: str | None


class CaseCrew:
    """A team that splits induction cases, of one proof after the other."""

    def __init__(self, team: Team, text: str | None = None, cluster: str | None = None) -> None:
        """`text` has the modules of the specification; None: workers are children, which know them."""
        self.team = team
        self.listener: CaseListener | None = None
        self._text = text
        self._cluster = cluster
        self._ledger = Ledger()
        self._undone: str | None = None
        self._sent: dict[Predicate, SentPredicate] = {}

    @classmethod
    def forked(cls, jobs: int) -> CaseCrew:
        """So many processes of this machine, started when there is something to do."""
        return cls(Team(ForkedCalls(), jobs, lost=()))

    @property
    def work(self) -> CaseWork:
        """What was done so far."""
        return CaseWork(self.team.workers, self._cluster, self._ledger.shares, self._ledger.repeated, self._undone)

    def split(
        self, induction: Induction, predicate: Predicate, names: Sequence[CaseName], known: list[Predicate]
    ) -> list[SplitCase]:
        """The cases of a predicate with their leaves. Raises `OutOfLimits` if the team is gone or the time is spent."""
        if len(names) < 2 or self._undone is not None:
            return [self._split_here(induction, predicate, name, known) for name in names]
        shares = self._shares(names)
        task = self._task(induction, predicate, known)
        calls = [self._submit(induction, task._replace(cases=share)) for share in shares]
        found: dict[CaseName, SplitCase] = {}
        try:
            for number, (share, call) in enumerate(zip(shares, calls, strict=True), 1):
                answer = self._answer(induction, call)
                if answer is None:
                    found.update((name, self._split_here(induction, predicate, name, known)) for name in share)
                else:
                    found.update(self._read(induction, predicate, share, answer, number))
                self._tell(len(found), len(names))
        finally:
            for call in calls:
                call.cancel()
        return [found[name] for name in names]

    def _shares(self, names: Sequence[CaseName]) -> list[tuple[CaseName, ...]]:
        """Children get a share each, because they know what this process knows now; others get case by case."""
        if self._text is not None:
            return [(name,) for name in names]
        workers = min(self.team.workers, len(names))
        return [tuple(names[first::workers]) for first in range(workers)]

    # --- tasks

    def _task(self, induction: Induction, predicate: Predicate, known: list[Predicate]) -> CaseTask:
        module = induction.ots.module
        left = None if induction.deadline is None else max(0.0, induction.deadline - time.monotonic())
        facts = tuple(written_fact(fact, module) for fact in induction.book.facts)
        written = tuple(self._written(each, induction) for each in known)
        return CaseTask(self._written(predicate, induction), (), written, facts, left)

    def _written(self, predicate: Predicate, induction: Induction) -> SentPredicate:
        found = self._sent.get(predicate)
        if found is None:
            found = self._sent[predicate] = written_predicate(predicate, induction.ots.module)
        return found

    def _submit(self, induction: Induction, task: CaseTask) -> Future[CaseAnswer]:
        executor = self.team.executor
        if self._text is None:
            return executor.submit(Workplace(induction).perform, task)
        module = induction.ots.module
        digest = numbers_of(module).digest
        policy, uses_premises = induction.splitter.policy, induction.uses_premises
        specification = SpecificationText(self._text, module.name, digest, policy, uses_premises)
        return executor.submit(perform, specification, task)

    def _answer(self, induction: Induction, call: Future[CaseAnswer]) -> CaseAnswer | None:
        """The answer of a worker; None if it could not do the task."""
        try:
            return awaited(call, self.team, lambda: self._check(induction.deadline))
        except WorkersGone as gone:
            raise OutOfLimits(str(gone)) from None
        except OutOfLimits:
            raise
        except Exception as error:
            self._ledger.repeated += 1
            if self._text is not None and not isinstance(error, OtsrwError):
                self._undone = f"a worker cannot split the cases of this specification: {error!r}"
            return None

    def _check(self, deadline: float | None) -> None:
        if deadline is not None and time.monotonic() > deadline + GRACE:
            raise OutOfLimits("the time is spent")

    # --- answers

    def _read(
        self,
        induction: Induction,
        predicate: Predicate,
        share: tuple[CaseName, ...],
        answer: CaseAnswer,
        number: int,
    ) -> list[tuple[CaseName, SplitCase]]:
        found: list[tuple[CaseName, SplitCase]] = []
        for name, sent in zip(share, answer.cases, strict=True):
            case = induction.case(predicate, name)
            found.append((name, (case, read_case(case, sent))))
        worker = f"process {number}" if self._text is None else answer.worker
        self._ledger.enter(worker, _leaves(found), answer.seconds, answer.cpu)
        return found

    def _split_here(
        self, induction: Induction, predicate: Predicate, name: CaseName, known: list[Predicate]
    ) -> SplitCase:
        start, cpu = time.monotonic(), time.thread_time()
        case = induction.case(predicate, name)
        found = case, induction.refined(case, known)
        self._ledger.enter(HERE, _leaves([(name, found)]), time.monotonic() - start, time.thread_time() - cpu)
        return found

    def _tell(self, done: int, of: int) -> None:
        if self.listener is not None:
            self.listener(done, of)


def _leaves(found: Sequence[tuple[CaseName, SplitCase]]) -> int:
    """The leaves of some cases."""
    return sum(len(refined.parts) for _, (_, leaves) in found for refined in leaves)

"""Tasks for other processes: induction cases to be split.

A task names its cases and brings the predicates that they may use. Whoever does it needs an `Induction` over the same
module: a child of this process has it, a worker of a cluster makes it from the text of the specification, and keeps it.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from otsrw.induction.cases import CaseName, Predicate
from otsrw.induction.scheme import Induction
from otsrw.induction.sent_leaves import SentCase, written_case
from otsrw.induction.sent_predicates import SentFact, SentPredicate, read_fact, read_predicate
from otsrw.induction.sent_terms import numbers_of
from otsrw.ots.recognise import find_ots
from otsrw.proofs import Session
from otsrw.reasoning.splitting import Policy
from otsrw.records import NamedTuple

MOST_KEPT = 4
"""Specifications that a worker keeps."""
MOST_PREDICATES = 5000
"""Predicates of a specification that a worker keeps."""
_STACK = 256 * 1024 * 1024
"""Bytes of the stack of the thread that splits cases on a worker: terms may be deep."""
_T = TypeVar("_T")


class SpecificationText(NamedTuple):
    """The modules and views of a specification, which of them is the OTS, and how its cases are split.

    `digest` is that of the module's numbers: a worker that does not get the same one cannot be used.
    """

    text: str
    module: str
    digest: str
    policy: Policy
    uses_premises: bool


class CaseTask(NamedTuple):
    """Cases of one predicate that are to be split, with what they may use.

    `facts` are proved lemmas about data. `seconds` is the time that is left; None: as long as it takes.
    """

    predicate: SentPredicate
    cases: tuple[CaseName, ...]
    known: tuple[SentPredicate, ...]
    facts: tuple[SentFact, ...]
    seconds: float | None


class CaseAnswer(NamedTuple):
    """The leaves of each case of a task, who found them, and how long it took by clock and of processor."""

    cases: tuple[SentCase, ...]
    worker: str
    seconds: float
    cpu: float


class OtherSpecification(Exception):
    """A worker understands the text of the specification in another way: it may have another version of otsrw."""


class Workplace:
    """Splits cases over one module for another process."""

    def __init__(self, induction: Induction) -> None:
        self.induction = induction
        self._predicates: dict[SentPredicate, Predicate] = {}

    def perform(self, task: CaseTask) -> CaseAnswer:
        """The leaves of the cases of a task."""
        start, cpu = time.monotonic(), time.thread_time()
        induction = self.induction
        predicate = self._read(task.predicate)
        known = [self._read(each) for each in task.known]
        found = []
        for name in task.cases:
            case = induction.case(predicate, name)
            found.append(written_case(case, induction.refined(case, known)))
        worker = f"{socket.gethostname()}:{os.getpid()}"
        return CaseAnswer(tuple(found), worker, time.monotonic() - start, time.thread_time() - cpu)

    def borrow(self, task: CaseTask) -> None:
        """Take over the proved lemmas and the time that is left of a process that has others."""
        module = self.induction.ots.module
        self.induction.borrowed = tuple(read_fact(fact, module) for fact in task.facts)
        self.induction.until(None if task.seconds is None else time.monotonic() + task.seconds)

    def _read(self, sent: SentPredicate) -> Predicate:
        found = self._predicates.get(sent)
        if found is None:
            if len(self._predicates) > MOST_PREDICATES:
                self._predicates.clear()
            found = self._predicates[sent] = read_predicate(sent, self.induction.ots.module)
        return found


_workplaces: OrderedDict[SpecificationText, Workplace] = OrderedDict()
"""What this process has loaded as a worker; the one that was used last is the last."""
_working = threading.Lock()


def perform(specification: SpecificationText, task: CaseTask) -> CaseAnswer:
    """Do a task as a worker of a cluster. Raises `OtherSpecification` if the text means something else here."""
    with _working:
        return _on_large_stack(lambda: _perform(specification, task))


def _perform(specification: SpecificationText, task: CaseTask) -> CaseAnswer:
    workplace = _workplaces.pop(specification, None) or _loaded(specification)
    _workplaces[specification] = workplace
    if len(_workplaces) > MOST_KEPT:
        _workplaces.popitem(last=False)
    workplace.borrow(task)
    return workplace.perform(task)


def _loaded(specification: SpecificationText) -> Workplace:
    session = Session()
    session.run_text(specification.text)
    ots = find_ots(session.library, specification.module)
    if numbers_of(ots.module).digest != specification.digest:
        raise OtherSpecification(specification.module)
    return Workplace(Induction(ots, specification.policy, uses_premises=specification.uses_premises))


def _on_large_stack(work: Callable[[], _T]) -> _T:
    """Do something in a thread with a stack that is large enough for deep terms."""
    found: list[_T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:
            failed.append(error)

    before = threading.stack_size(_STACK)
    try:
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    if failed:
        raise failed[0]
    return found[0]

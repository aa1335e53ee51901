"""Several processes give the same result as one."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

import pytest
from specifications import ots_of_file
from support import ROOT

from otsrw.application import load_specification
from otsrw.induction.cases import CaseName
from otsrw.induction.parallel import HERE, CaseCrew
from otsrw.induction.procedure import igf
from otsrw.induction.results import IgfResult, Options
from otsrw.induction.scheme import Induction
from otsrw.ots import Instance, Ots, entities_of, find_ots
from otsrw.proofs import load
from otsrw.reasoning.splitting import LeafOutcome
from otsrw.search import MaudeSpace
from otsrw.theory.printing import show_plainly
from otsrw.workers.forking import ChildDied, ForkedCalls
from otsrw.workers.team import Team


def decided(spec: str, invariant: str, jobs: int) -> IgfResult:
    ots = find_ots(load(ROOT / "specs" / spec), None, [invariant])
    chosen = next(i for i in ots.invariants if i.name == invariant)
    return igf(ots, MaudeSpace(Instance(ots, entities_of(ots))), chosen, Options(depth=2, jobs=jobs))


@pytest.mark.parametrize("spec", ["qlock.cafe", "peterson.cafe", "tas-flawed.cafe"])
def test_three_processes_find_what_one_finds(spec: str) -> None:
    alone, together = decided(spec, "mutex", 1), decided(spec, "mutex", 3)
    assert together.verdict == alone.verdict
    lemmas = [{name: show_plainly(n.predicate.formula) for name, n in r.nodes.items()} for r in (alone, together)]
    assert lemmas[0] == lemmas[1]
    assert [len(n.cases) for n in alone.nodes.values()] == [len(n.cases) for n in together.nodes.values()]


P = ParamSpec("P")
T = TypeVar("T")


class KillingCalls(ForkedCalls):
    """Every second child is killed before it answers."""

    def __init__(self) -> None:
        self.started = 0

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        self.started += 1
        is_killed = self.started % 2 == 1

        def call(*args: P.args, **kwargs: P.kwargs) -> T:
            if is_killed:
                os.kill(os.getpid(), signal.SIGKILL)
            return fn(*args, **kwargs)

        return super().submit(call, *args, **kwargs)


def test_a_child_answers_or_dies() -> None:
    with ForkedCalls() as calls:
        assert [call.result() for call in [calls.submit(pow, 2, n) for n in range(4)]] == [1, 2, 4, 8]
    with KillingCalls() as calls, pytest.raises(ChildDied):
        calls.submit(pow, 2, 3).result()


def test_a_child_that_is_not_waited_for_is_killed() -> None:
    with ForkedCalls() as calls:
        call = calls.submit(time.sleep, 60)
        with pytest.raises(TimeoutError):
            call.result(timeout=0.05)
        assert call.cancel()
        assert call.cancelled()


def leaves_of(ots: Ots, crew: CaseCrew) -> list[tuple[LeafOutcome, list[str]]]:
    induction = Induction(ots)
    invariant = ots.invariants[0]
    predicate = induction.predicate(invariant.name, invariant.parameters, invariant.formula)
    names = [CaseName(False, number) for number in range(len(ots.transitions))]
    split = crew.split(induction, predicate, names, [predicate])
    assert [case.transition for case, _ in split] == list(ots.transitions)
    return [
        (each.leaf.outcome, [show_plainly(e.left) for e in each.leaf.assumptions.equations])
        for _, leaves in split
        for each in leaves
    ]


def test_a_killed_process_costs_its_cases_not_the_answer() -> None:
    ots = ots_of_file("qlock.cafe")
    alone = leaves_of(ots, CaseCrew.forked(1))
    calls = KillingCalls()
    crew = CaseCrew(Team(calls, 3, lost=()))
    assert leaves_of(ots, crew) == alone
    assert calls.started == 3
    assert crew.work.repeated == 2
    assert {share.worker: share.tasks for share in crew.work.shares} == {HERE: 2, "process 2": 1}


@pytest.mark.parametrize("spec", ["qlock.cafe", "ticket.cafe", "nslpk.cafe", "two-phase-commit.cafe"])
def test_a_process_that_has_read_the_text_finds_the_same_leaves(spec: str) -> None:
    loaded = load_specification(str(ROOT / "specs" / spec))
    text, ots = "\n".join(loaded.declarations), loaded.recognised().ots
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        crew = CaseCrew(Team(pool, 1), text)
        assert leaves_of(ots, crew) == leaves_of(ots, CaseCrew.forked(1))
    assert crew.work.undone is None
    assert sum(share.tasks for share in crew.work.shares) == len(ots.transitions)


def test_a_worker_that_reads_another_text_is_not_believed() -> None:
    ots = ots_of_file("tas.cafe")
    text = (ROOT / "specs" / "tas-flawed.cafe").read_text().replace("TAS-FLAWED", "TAS")
    with ThreadPoolExecutor(1) as pool:
        crew = CaseCrew(Team(pool, 1), text)
        assert leaves_of(ots, crew) == leaves_of(ots, CaseCrew.forked(1))
    assert crew.work.undone is not None and "OtherSpecification" in crew.work.undone
    assert {share.worker for share in crew.work.shares} == {HERE}

"""Several processes give the same result as one."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import Future
from typing import ParamSpec, TypeVar

import pytest
from specifications import ots_of_file
from support import ROOT

from otsrw.induction.forking import ChildDied, ForkedCalls
from otsrw.induction.parallel import leaves_of_all
from otsrw.induction.procedure import igf
from otsrw.induction.results import IgfResult, Options
from otsrw.induction.scheme import Induction
from otsrw.ots import Instance, entities_of, find_ots
from otsrw.proofs import load
from otsrw.search import MaudeSpace
from otsrw.theory.printing import show_plainly


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


def test_a_killed_process_costs_its_cases_not_the_answer() -> None:
    ots = ots_of_file("qlock.cafe")
    found = []
    for jobs in (1, 3):
        induction = Induction(ots)
        invariant = ots.invariants[0]
        predicate = induction.predicate(invariant.name, invariant.parameters, invariant.formula)
        cases = [induction.induction_case(predicate, transition) for transition in ots.transitions]
        calls = KillingCalls()
        leaves = [refined for _, each in leaves_of_all(induction, cases, [], jobs, calls) for refined in each]
        found.append(
            [(each.leaf.outcome, [show_plainly(e.left) for e in each.leaf.assumptions.equations]) for each in leaves]
        )
        assert calls.started == (0 if jobs == 1 else 3)
    assert found[0] == found[1]

"""What induction-guided falsification asks of the state space, and which states its lemmas are tried on."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from search.spaces import CountedProcesses
from specifications import instance_of, ots_of_file

from otsrw.induction import Options, igf
from otsrw.ots import Action, State, Stepper
from otsrw.ots.stepping import Values
from otsrw.rewriting.budget import Budget
from otsrw.search import MaudeSpace, RewritingSpace, sampling
from otsrw.search.sampling import Sampling
from otsrw.syntax.diagnostics import BudgetExceeded


def test_igf_starts_maude_once_and_explores_once() -> None:
    ots = ots_of_file("ticket.cafe")
    start = CountedProcesses()
    with MaudeSpace(instance_of(ots), start) as space:
        result = igf(ots, space, ots.invariants[0], Options(depth=4, strengthen=False))
    assert (result.verdict, result.chain) == ("falsified", ("mutex", "lemma1", "lemma2"))
    assert start.requests == [["Load", "Explore", "TellStates", "Walk"]]


@pytest.mark.parametrize(("file", "depth"), [("tas.cafe", 3), ("tas-flawed.cafe", 3), ("ticket.cafe", 4)])
def test_the_verdict_does_not_depend_on_who_answers(file: str, depth: int) -> None:
    ots = ots_of_file(file)
    options = Options(depth=depth)
    with MaudeSpace(instance_of(ots)) as space:
        by_maude = igf(ots, space, ots.invariants[0], options)
    by_rewriting = igf(ots, RewritingSpace(instance_of(ots)), ots.invariants[0], options)
    assert by_maude.verdict == by_rewriting.verdict != "unknown"
    assert by_maude.states == by_rewriting.states or by_maude.verdict == "falsified"


class SlowStepper(Stepper):
    """A stepper on a slow machine."""

    def successors(self, state: State) -> Iterator[tuple[Action, State]]:
        time.sleep(0.01)
        return super().successors(state)


def sample(stepper: Stepper, states: int, deadline: float | None = None) -> list[Values]:
    budget = Budget(deadline=deadline)
    return Sampling(stepper, states, lambda _: budget.check_time()).run().states


@pytest.mark.parametrize(("states", "steps"), [(40, 500), (500, 80)], ids=["states", "steps"])
def test_a_slow_machine_has_the_same_sample(states: int, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "MAX_STEPS", steps)
    instance = instance_of(ots_of_file("ticket.cafe"))
    quick = sample(Stepper(instance), states)
    assert sample(SlowStepper(instance), states) == quick
    assert len(quick) <= steps + 1
    assert len(quick) >= min(states, steps // 5)


def test_only_the_deadline_ends_a_sample_by_time() -> None:
    stepper = SlowStepper(instance_of(ots_of_file("ticket.cafe")))
    with pytest.raises(BudgetExceeded):
        sample(stepper, 10_000, time.monotonic() - 1)

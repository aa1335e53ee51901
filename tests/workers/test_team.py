"""Answers that are waited for, and what workers tell meanwhile."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from threading import Event

import pytest
from specifications import instance_of, ots_of_file

from otsrw.search import workforce
from otsrw.search.maude_worker.messages import Load
from otsrw.search.results import Progress
from otsrw.search.space import Limits
from otsrw.search.teamwork import TeamWork
from otsrw.search.wide import Means, wide_search
from otsrw.workers.shares import Ledger, WorkerShare
from otsrw.workers.team import Pulse, Pulses, Team, WorkersGone, awaited


def nothing() -> None:
    """What is checked while nobody minds."""


def test_somebody_is_told_while_a_task_lasts() -> None:
    end, checks = Event(), []

    def check() -> None:
        checks.append(1)
        if len(checks) == 3:
            end.set()

    with ThreadPoolExecutor(1) as pool:
        assert awaited(pool.submit(end.wait, 20), Team(pool, 1), check)
    assert len(checks) >= 3


def test_a_task_that_is_lost_is_told_from_one_that_fails() -> None:
    lost: Future[int] = Future()
    lost.set_exception(CancelledError())
    failed: Future[int] = Future()
    failed.set_exception(TimeoutError("its own"))
    with ThreadPoolExecutor(1) as pool:
        team = Team(pool, 1)
        with pytest.raises(WorkersGone, match="gone"):
            awaited(lost, team, nothing)
        with pytest.raises(TimeoutError, match="its own"):
            awaited(failed, team, nothing)


def test_a_ledger_adds_up() -> None:
    ledger = Ledger()
    ledger.enter("b", 3, 1.0, 0.5)
    ledger.enter("a", 1, 2.0, 1.0)
    ledger.enter("b", 4, 1.0, 0.5)
    assert ledger.shares == (WorkerShare("a", 1, 1, 2.0, 1.0), WorkerShare("b", 2, 7, 2.0, 1.0))


def test_what_is_being_done_is_told_until_it_is_done() -> None:
    pulses = Pulses()
    with ThreadPoolExecutor(1) as pool:
        work = TeamWork(Load("M", "", "S", []), Team(pool, 2, pulses=pulses), Limits(), nothing)
        assert work.doing == ""
        pulses.tell(Pulse("a", 1200, 5_000_000, 3.2))
        pulses.tell(Pulse("b", 300, 2_000_000, 1.0))
        assert work.doing == "2 at work, 1,500 states, 7 MB, for 3 s"
        pulses.end("a")
        assert work.doing == "1 at work, 300 states, 2 MB, for 1 s"


def test_a_divided_search_tells_of_its_parts() -> None:
    told: list[str] = []
    instance = instance_of(ots_of_file("nspk.cafe"))
    found = wide_search(instance, None, 5, Means(jobs=2), listener=lambda progress: told.append(progress.doing))
    assert found.work is not None and found.work.division is not None
    assert any(f"of {found.work.division.parts} parts done" in each for each in told)


def test_a_process_of_this_machine_tells_what_it_has_heard_of_maude(monkeypatch: pytest.MonkeyPatch) -> None:
    pulses = Pulses()
    monkeypatch.setattr(workforce._station, "pulses", pulses)
    monkeypatch.setattr(workforce._station, "name", "process 1")
    heart = workforce._Heart(None)
    heart.beat(0.1, 4_000_000)
    heart.listen(Progress(3, 807, 0.2, 5_000_000))
    heart.beat(0.2, 5_000_000)
    assert pulses.now() == [Pulse("process 1", 807, 5_000_000, 0.2)]

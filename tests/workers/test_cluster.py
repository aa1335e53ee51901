"""Work done by a cluster: the same answers, also if a worker is killed, and an end when all of them are gone."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

import pytest
from commands import checked, run
from specifications import instance_of, invariant_named, ots_of_file

from otsrw.application import load_specification
from otsrw.induction.parallel import CaseCrew
from otsrw.induction.procedure import igf
from otsrw.induction.results import IgfResult, News, NewsListener, Options
from otsrw.search import MaudeSpace
from otsrw.search.results import Progress
from otsrw.search.wide import Means, WideSearch
from otsrw.theory.printing import show_plainly
from otsrw.workers.cluster import ClusterWorkers, cluster_team
from otsrw.workers.team import WorkersGone, awaited

pytest.importorskip("distributed")

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def started(workers: int = 2, memory: int = 1000) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`otsrw cluster` in a process of its own, and its address."""
    words = [sys.executable, "-m", "otsrw", "cluster", "--json", "--timeout", "90"]
    words += ["--workers", str(workers), "--memory", str(memory)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        text = ""
        for line in process.stdout:
            text += line
            if line == "}\n":
                break
        yield process, checked("cluster", text)["address"]
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with started() as (_, found):
        yield found


# --- searches

WORK = ("renamings", "interchangeable", "collision_risk", "divided", "undivided")


def searched(text: str) -> dict[str, object]:
    document = json.loads(text)
    for instance in document["instances"]:
        del instance["seconds"]
    work = document["work"]
    tasks = sum(share["tasks"] for share in work["shares"])
    return {k: v for k, v in document.items() if k not in ("seconds", "memory", "work")} | {
        "work": [tasks, *(work[name] for name in WORK)]
    }


@pytest.mark.parametrize(
    "words",
    [("--depth", "4"), ("--depth", "3", "--symmetry"), ("--depth", "5", "--inv", "send2-lemma", "--count", "0")],
    ids=["violated", "orbits hold", "divided"],
)
def test_processes_and_clusters_give_the_same_document(address: str, words: tuple[str, ...]) -> None:
    found = []
    for means in (("--jobs", "1"), ("--jobs", "2"), ("--cluster", address)):
        code, out, _ = run("search", "specs/nspk.cafe", "--json", *words, *means)
        checked("search", out)
        found.append((code, searched(out)))
    assert found[0] == found[1] == found[2]


def test_a_worker_that_is_killed_costs_its_task_and_not_the_answer(address: str) -> None:
    instance = instance_of(ots_of_file("mcs.cafe"), {"Pid": ("p1", "p2", "p3")})
    cluster = ClusterWorkers(address)
    victims: list[int] = []

    def kill_one(_: object) -> None:
        if not victims:
            victims.extend(cluster.processes())
            os.kill(victims[0], signal.SIGKILL)

    search = WideSearch(instance, invariant_named(instance, "mutex"), Means())
    found = search.run(60, listener=kill_one, team=cluster_team(cluster))
    assert victims, "the search was over before a worker was killed"
    assert (found.verdict, found.states, found.exhausted) == ("holds", 7597, True)


def test_what_is_known_is_kept_when_the_cluster_vanishes() -> None:
    instance = instance_of(ots_of_file("mcs.cafe"), {"Pid": ("p1", "p2", "p3", "p4")})
    with started(1) as (process, found_at):
        cluster = ClusterWorkers(found_at, patience=1.0)

        def vanish(progress: Progress) -> None:
            if len(progress.levels) > 3:
                process.kill()

        search = WideSearch(instance, invariant_named(instance, "mutex"), Means())
        found = search.run(90, listener=vanish, team=cluster_team(cluster))
    assert found.verdict == "unknown"
    assert "gone" in found.reason
    assert len(found.levels) > 3


# --- induction cases


def proved(text: str) -> dict[str, object]:
    document = json.loads(text)
    return {name: value for name, value in document.items() if name not in ("seconds", "work")}


@pytest.mark.parametrize(
    ("command", "file", "words"),
    [
        ("igf", "tas-flawed", ()),
        ("igf", "qlock", ()),
        pytest.param("igf", "nslpk", (), marks=pytest.mark.slow),
        ("prove", "qlock", ("--inv", "all")),
    ],
    ids=["falsified", "verified", "lemmas about data", "open"],
)
def test_processes_and_clusters_prove_the_same(address: str, command: str, file: str, words: tuple[str, ...]) -> None:
    found, works = [], []
    for means in (("--jobs", "1"), ("--jobs", "2"), ("--cluster", address)):
        code, out, _ = run(command, f"specs/{file}.cafe", "--json", *words, *means)
        checked(command, out)
        found.append((code, proved(out)))
        works.append(json.loads(out)["work"])
    assert found[0] == found[1] == found[2]
    alone, forked, distributed = works
    assert alone is None
    assert (forked["workers"], forked["cluster"], distributed["cluster"]) == (2, None, address)
    assert all(sum(share["tasks"] for share in work["shares"]) > 1 for work in (forked, distributed))


class KillingCluster(ClusterWorkers):
    """Its workers are killed once, when several tasks have been given to them."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.victims: list[int] = []
        self._submitted = 0

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        call = super().submit(fn, *args, **kwargs)
        self._submitted += 1
        if self._submitted == 3:
            self.victims = self.processes()
            for victim in self.victims:
                os.kill(victim, signal.SIGKILL)
        return call


def decided(crew: CaseCrew | None, listener: NewsListener | None = None) -> IgfResult:
    ots = ots_of_file("qlock.cafe")
    space = MaudeSpace(instance_of(ots, {"Pid": ("p1", "p2")}))
    return igf(ots, space, ots.invariants[0], Options(depth=1, crew=crew), listener)


def text_of(file: str) -> str:
    return "\n".join(load_specification(f"specs/{file}").declarations)


def test_workers_that_are_killed_cost_their_cases_and_not_the_answer(address: str) -> None:
    with KillingCluster(address) as cluster:
        found = decided(CaseCrew(cluster_team(cluster), text_of("qlock.cafe"), address))
    assert cluster.victims
    alone = decided(None)
    assert found.verdict == alone.verdict == "verified"
    assert lemmas_of(found) == lemmas_of(alone)
    assert found.work is not None and found.work.undone is None
    killed = {f"{socket.gethostname()}:{victim}" for victim in cluster.victims}
    assert any(share.worker not in killed for share in found.work.shares)


def lemmas_of(result: IgfResult) -> dict[str, tuple[str, int]]:
    return {name: (show_plainly(node.predicate.formula), len(node.cases)) for name, node in result.nodes.items()}


def test_lemmas_are_kept_when_the_cluster_vanishes_from_a_proof() -> None:
    with started(1) as (process, found_at), ClusterWorkers(found_at, patience=1.0) as cluster:
        crew = CaseCrew(cluster_team(cluster), text_of("qlock.cafe"), found_at)

        def vanish(news: News) -> None:
            if news.lemmas:
                process.kill()

        found = decided(crew, vanish)
    assert found.verdict == "unknown"
    assert "gone" in found.reason
    assert len(found.nodes) > 1


@pytest.mark.slow
def test_a_worker_that_takes_too_much_memory_is_ended_and_the_task_given_up() -> None:
    with started(1, memory=300) as (_, found_at), ClusterWorkers(found_at) as cluster:
        team = cluster_team(cluster)
        greedy = cluster.submit(exec, "import time; x = b'y' * 500_000_000; time.sleep(20)")
        with pytest.raises(WorkersGone, match="4 workers had died"):
            awaited(greedy, team, lambda: None)
        assert awaited(cluster.submit(pow, 2, 5), team, lambda: None) == 32


# --- nobody there


@pytest.mark.parametrize(
    ("command", "nowhere"),
    [("search", "tcp://127.0.0.1:9"), ("search", "nonsense"), ("igf", "nonsense"), ("prove", "nonsense")],
)
def test_an_address_without_a_cluster_is_an_error_of_use(command: str, nowhere: str) -> None:
    code, _, err = run(command, "specs/tas.cafe", "--cluster", nowhere)
    assert code == 2
    assert "E543" in err and "otsrw cluster" in err

"""Searches by the workers of a cluster: the same answers, also if a worker is killed, and an end when all are gone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from commands import checked, run
from specifications import instance_of, invariant_named, ots_of_file

from otsrw.search.cluster import ClusterWorkers, cluster_team
from otsrw.search.results import Progress
from otsrw.search.wide import Means, WideSearch

pytest.importorskip("distributed")


@contextmanager
def started(workers: int = 2) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`otsrw cluster` in a process of its own, and its address."""
    words = [sys.executable, "-m", "otsrw", "cluster", "--json", "--timeout", "90", "--workers", str(workers)]
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


WORK = ("renamings", "interchangeable", "collision_risk", "divided", "undivided")


def timeless(text: str) -> dict[str, object]:
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
        found.append((code, timeless(out)))
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


@pytest.mark.parametrize("nowhere", ["tcp://127.0.0.1:9", "nonsense"])
def test_an_address_without_a_cluster_is_an_error_of_use(nowhere: str) -> None:
    code, _, err = run("search", "specs/tas.cafe", "--cluster", nowhere)
    assert code == 2
    assert "E543" in err and "otsrw cluster" in err

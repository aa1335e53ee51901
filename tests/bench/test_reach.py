"""The functions of bench/reach.py and bench/scale.py on questions of a second."""

from __future__ import annotations

import shutil
import sys

import pytest
from support import ROOT

sys.path.insert(0, str(ROOT / "bench"))
import reach
import scale
from spending import spent


def test_a_search_is_measured() -> None:
    row = reach.measured(reach.Question("nspk secrecy", 1, "search", 2), 1000, 60)
    assert (row.tool, row.verdict, row.states) == ("search", "holds", 13)
    assert row.cpu_seconds > 0.05
    assert row.megabytes > 50, "the command and its Maude process"
    assert row.cells(None)[:4] == ("nspk secrecy", "1 honest", "search", "2")


@pytest.mark.skipif(shutil.which("maude") is None, reason="no maude program")
def test_maude_searches_the_same_states() -> None:
    row = reach.by_maude(reach.Question("nspk secrecy", 2, "search", 4), 1000, 60)
    assert (row.verdict, row.states) == ("violated", reach.measured(row.question, 1000, 60).states)
    assert reach.by_maude(reach.Question("nspk secrecy", 2, "search", 3), 1000, 60).verdict == "holds"


def row(tool: str, depth: int, verdict: str, cpu: float, honest: int = 1) -> reach.ReachRow:
    return reach.ReachRow(reach.Question("ikp agreement", honest, tool, depth), tool, verdict, 7, cpu, 40)


def test_rows_are_compared_with_the_deepest_search() -> None:
    rows = [row("search", 4, "holds", 1.0), row("search", 5, "violated", 10.0), row("igf", 2, "falsified", 0.5)]
    assert [line.split(" | ")[-1] for line in reach.told(rows)[2:]] == ["0.1 |", " |", "0.05 |"]


def test_what_did_not_end_is_a_bound() -> None:
    spent_all = row("search", 5, "unknown: the memory is spent", 10.0)
    assert reach.ratio(row("igf", 2, "falsified", 0.5), spent_all) == "less than 0.05"
    assert reach.ratio(spent_all, row("search", 5, "violated", 5.0)) == "more than 2"


def test_both_halves_are_drawn_for_each_number_of_entities() -> None:
    rows = [
        row(tool, depth, "holds", 0.1 * depth, honest)
        for tool in ("search", "igf")
        for depth in (1, 2)
        for honest in (1, 2)
    ]
    drawn = reach.chart(rows)
    assert drawn.count("<polyline") == 4 and "1+1" in drawn and "2+2" in drawn


def test_a_shared_search_says_the_time_of_the_busiest_worker() -> None:
    runs = {"Qlock": (["qlock.cafe", "--depth", "60"], [(), ("--symmetry",)])}
    lines = scale.section(runs, 30, "a test")
    plain, orbits = (line.split(" | ") for line in lines[-2:])
    assert plain[3] == "31 states" and plain[5] == ""
    assert orbits[3].endswith("orbits")


def test_a_command_that_takes_too_long_is_ended() -> None:
    assert spent([sys.executable, "-c", "while True: pass"], ROOT, 0.3).code is None

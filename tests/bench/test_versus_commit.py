"""The comparison of two checkouts asks what the other comparisons ask, and notices what is slower."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

import versus_commit
from versus_commit import Compared, Question
from workloads import workloads


def test_it_asks_all_texts_scores_and_searches() -> None:
    names = [question.name for question in versus_commit.questions()]
    assert len(names) == len(set(names))
    assert {workload.name for workload in workloads()} < set(names)
    files = {f"proofs/{file.name}" for file in (Path(__file__).parents[2] / "proofs").glob("*.cafe")}
    assert {name for name in names if name.startswith("proofs/")} == files
    assert [name for name in names if name.startswith("search: ")] == [
        "search: NSPK, 3 principals, depth 5",
        "search: Ticket, 4 processes, depth 18",
    ]


def test_a_row_tells_the_least_times_and_their_ratio() -> None:
    found = Compared(Question("q", ("run",)), 0.5, 0.25)
    assert found.row() == ("q", "0.500", "0.250", "0.50")


@pytest.mark.skipif(not (versus_commit.ROOT / ".venv").exists(), reason="no make setup here")
def test_a_checkout_is_compared_with_itself() -> None:
    question = Question("help", ("--help",))
    found = versus_commit.compare(question, versus_commit.ROOT, 1)
    assert found.before > 0
    assert found.now > 0

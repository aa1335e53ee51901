"""The functions of bench/reach.py on questions of a second."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from support import ROOT

sys.path.insert(0, str(ROOT / "bench"))
import reach
import reach_pages
import reach_rows
import tlc
from reach_questions import COMPACT, IGF, JOBS, MAUDE, PARTS, SEARCH, SYMMETRY, TLC, Question, ikp, nspk, processes
from reach_rows import Limits, ReachRow, Record
from spending import spent

LIMITS = Limits(1000, 60)
AGREEMENT = ikp("agreement", 1)


def test_a_search_is_measured() -> None:
    row = reach_rows.by_otsrw(Question(nspk("secrecy", 1), SEARCH, 2), LIMITS)
    assert (row.verdict, row.states, row.steps) == ("holds", 13, None)
    assert row.cpu > 0.05
    assert row.megabytes > 50, "the command and its Maude process"
    assert reach.cells(row, None)[:4] == ("NSPK secrecy", "1 honest", "search", "2")


def test_the_steps_of_a_violation_are_told() -> None:
    assert reach_rows.by_otsrw(Question(nspk("secrecy", 2), IGF, 2), LIMITS).verdict == "falsified, 4 steps"


def test_a_shared_search_says_the_time_of_the_busiest_worker() -> None:
    row = reach_rows.by_otsrw(Question(processes("Qlock", 3), SYMMETRY, 60), LIMITS)
    assert (row.verdict, row.unit) == ("holds, exhausted", "orbits")
    assert row.busiest is not None


@pytest.mark.skipif(shutil.which("maude") is None, reason="no maude program")
def test_maude_searches_the_same_states() -> None:
    row = reach_rows.by_maude(Question(nspk("secrecy", 2), MAUDE, 4), LIMITS)
    assert row is not None
    assert (row.verdict, row.states) == (
        "violated",
        reach_rows.by_otsrw(row.question._replace(tool=SEARCH), LIMITS).states,
    )


def test_a_configuration_of_tlc_has_the_entities_and_those_that_the_model_names() -> None:
    given = ["Prin=p1,p2,intr"]
    text = tlc.configuration(tlc.BY_FILE["nspk.cafe"], given, "send2-lemma", 5, symmetric=True)
    wanted = ["INIT Init", "NEXT Bounded", "INVARIANT Send2Lemma", "SYMMETRY Symmetry", "CONSTANTS"]
    assert text.split("\n") == [*wanted, "  Prin = {p1, p2, intr}", "  intr = intr", "  Depth = 5", ""]


@pytest.mark.skipif(shutil.which("java") is None or not tlc.JAR.is_file(), reason="no TLC")
@pytest.mark.parametrize("question", [Question(nspk("secrecy", 2), TLC, 3), Question(AGREEMENT, TLC, 3)])
def test_tlc_counts_the_same_states(question: Question) -> None:
    row = reach_rows.by_tlc(question, LIMITS)
    ours = reach_rows.by_otsrw(question._replace(tool=SEARCH), LIMITS)
    assert row is not None
    assert (row.verdict, row.states) == (ours.verdict, ours.states)


def row(tool: str, depth: int, verdict: str, cpu: float, honest: int = 1, megabytes: int = 40) -> ReachRow:
    return ReachRow(Question(ikp("agreement", honest), tool, depth), verdict, 7, cpu, megabytes, at="12:00")


def test_rows_are_compared_with_the_search_of_their_depth_and_induction_with_the_deepest() -> None:
    rows = [
        row(SEARCH, 4, "holds", 1.0),
        row(SEARCH, 5, "violated, 5 steps", 10.0, megabytes=400),
        row(MAUDE, 4, "holds", 0.5),
        row(IGF, 2, "falsified, 5 steps", 0.5, megabytes=80),
    ]
    assert [line.split(" | ")[-2:] for line in reach.told(rows)[2:]] == [
        ["", " |"],
        ["", " |"],
        ["0.5", "1 |"],
        ["0.05", "0.2 |"],
    ]


def test_what_did_not_end_is_a_bound() -> None:
    spent_all = row(SEARCH, 5, "unknown: the memory is spent", 10.0)
    assert reach.ratio(row(IGF, 2, "falsified", 0.5), spent_all, 0.5, 10.0) == "less than 0.05"
    assert reach.ratio(spent_all, row(SEARCH, 5, "violated", 5.0), 10.0, 5.0) == "more than 2"
    assert reach.ratio(spent_all, spent_all, 1.0, 1.0) == ""


def pages() -> dict[Question, ReachRow]:
    """A made-up run."""
    rows = [row(SEARCH, depth, "holds", 0.1 * depth, honest) for depth in range(1, 5) for honest in (1, 2, 3)]
    rows += [row(SEARCH, 5, "violated, 5 steps", 2.0, honest) for honest in (1, 2)]
    rows += [row(SEARCH, 5, "unknown: the memory is spent (8000 MB)", 41.0, 3, 8036)]
    rows += [row(IGF, depth, "falsified, 5 steps", 0.5, honest) for depth in (1, 2, 3) for honest in (1, 2, 3)]
    rows += [row(JOBS, 5, "violated, 5 steps", 100.0, 3), row(SYMMETRY, 5, "violated, 5 steps", 300.0, 3)]
    rows += [row(COMPACT, 5, "unknown: the time is spent", 400.0, 3)]
    rows += [ReachRow(Question(nspk("secrecy", 6), tool, 2), "holds", 7, 1.0, 40) for tool in (SEARCH, IGF)]
    receipt = ikp("receipt", 1)
    rows.append(ReachRow(Question(receipt, SEARCH, 7), "unknown: the memory is spent (8000 MB)", 3816192, 44.0, 8035))
    rows.append(ReachRow(Question(receipt, IGF, 3), "falsified, 7 steps", 1004, 1.0, 83, steps=7))
    return {each.question: each for each in rows}


def test_the_headline_says_what_was_found_and_what_was_not() -> None:
    lines = reach_pages.headline(pages())
    deepest = next(line for line in lines if "search --depth 5" in line)
    assert "found: 7 states, 2.0 s, 40 MB" in deepest
    assert "**not found**, the memory is spent (8000 MB): 7 states, 41 s, 8.0 GB" in deepest
    assert (
        "The attack on 3 + 3 is found by `search --jobs 2` and `search --symmetry` as well,"
        " with 200 to 600 times the processor time of `igf --depth 2`."
    ) in lines
    assert (
        "With one buyer and one seller a false *receipt* is 7 steps away: `search --depth 7` does not find it"
        " (the memory is spent (8000 MB): 3 816 192 states, 44 s, 8.0 GB),"
        " `igf --depth 3` finds it (1 004 states, 1.0 s, 83 MB)."
    ) in lines


def test_both_halves_are_drawn_for_each_number_of_entities() -> None:
    drawn = reach_pages.chart(pages(), lambda each: each.cpu, "cpu seconds")
    assert drawn.count("<polyline") == 8 and "iKP, 1+1" in drawn and "NSPK, 6 honest" in drawn


def test_a_run_goes_on_with_the_rows_of_the_same_version_and_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Question] = []

    def measure(question: Question, limits: Limits) -> ReachRow:
        asked.append(question)
        return ReachRow(question, "holds", 7, 1.0, 40, at="12:00")

    monkeypatch.setattr(reach_rows, "asked", measure)
    monkeypatch.setattr(reach_rows, "version", lambda: "one")
    path, question = tmp_path / "rows.jsonl", Question(AGREEMENT, SEARCH, 4)
    first = Record(path, LIMITS, go_on=False)
    known = first.row(question)
    assert "in one go" in first.told()
    again = Record(path, LIMITS, go_on=True)
    assert again.row(question) == known and len(asked) == 1
    assert "1 of them before it was interrupted" in again.told()
    Record(path, Limits(2000, 60), go_on=True).row(question)
    monkeypatch.setattr(reach_rows, "version", lambda: "two")
    Record(path, LIMITS, go_on=True).row(question)
    assert len(asked) == 3, "other limits, another version"
    Record(path, LIMITS, go_on=False)
    assert path.read_text() == "", "a new run"


def test_what_is_shown_is_asked() -> None:
    """Every search by depth of the headline, and everything in the table of docs/scale.md, is in a part."""
    asked = {question for part in PARTS.values() for question in part()}
    made = {question: ReachRow(question, "holds", 7, 1.0, 40) for question in asked}
    assert all(
        line.count("7 states") >= 3 for line in reach_pages.headline(made) if "`search --depth" in line and "|" in line
    )
    assert all("7 states" in line for line in reach_pages.means(made)[2:])


def test_a_command_that_takes_too_long_is_ended() -> None:
    assert spent([sys.executable, "-c", "while True: pass"], ROOT, 0.3).code is None

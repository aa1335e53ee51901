"""How much of a state the table of a trace shows."""

from __future__ import annotations

from otsrw.report.traces import MANY, summed_up, trace_table
from otsrw.traces.trace import Label, Trace, Value


def holding(count: int) -> dict[str, Value]:
    return {f"has(g1,{number})": False for number in range(count)}


def test_values_that_are_few_are_told_one_by_one() -> None:
    assert summed_up({"at": 1, **holding(2)}) == ["at = 1", "has(g1,0) = false", "has(g1,1) = false"]
    assert len(summed_up(holding(MANY - 1))) == MANY - 1


def test_a_value_for_many_arguments_is_told_once() -> None:
    assert summed_up({**holding(MANY), "at": 1}) == [f"has(…) = false   for all {MANY}", "at = 1"]


def test_other_values_are_told_before_it() -> None:
    values = {"has(g2,0)": True, **holding(MANY), "has(g3,0)": True}
    assert summed_up(values) == ["has(g2,0) = true", "has(g3,0) = true", f"has(…) = false   for the other {MANY}"]


def test_the_whole_state_is_there_if_it_is_asked_for() -> None:
    trace = Trace.of([(None, holding(MANY)), (Label("take"), {**holding(MANY), "has(g1,1)": True})])
    cells = {full: [str(cell) for cell in trace_table(trace, full).columns[2].cells] for full in (False, True)}
    assert cells[False] == [f"has(…) = false   for all {MANY}", "has(g1,1) = true   was false"]
    assert [len(cell.splitlines()) for cell in cells[True]] == [MANY, MANY]

"""Sequence charts: arrows go from who acts to who receives, and nothing is written over anything else."""

from __future__ import annotations

import pytest
from specifications import instance_of, ots_of_file

from otsrw.report.charts import Chart, ChartEvent, chart_text, principal_sort

SEND = ChartEvent("send1", "p1", "p2", ("hello(p2)",), ())
BACK = ChartEvent("send2", "p2", "p1", ("a-rather-long-answer(p1,n(p1,p2,seed))",), ("seen + n(p1)",))
FORGED = ChartEvent("fake1, as p1", "intr", "p2", ("hello(p2)",), ())
ALONE = ChartEvent("enter", "p2", None, (), ())
NOBODY = ChartEvent("tick", None, None, (), ())


def lines(*events: ChartEvent, lanes: tuple[str, ...] = ("p1", "p2")) -> list[str]:
    return chart_text(Chart(lanes, events)).plain.splitlines()


def test_an_arrow_points_to_the_receiver() -> None:
    there, back = (next(line for line in lines(SEND, BACK) if f" {name} " in line) for name in ("send1", "send2"))
    assert there.strip().startswith("│─") and there.strip().endswith("─>│")
    assert back.strip().startswith("│<─") and back.strip().endswith("─│")


@pytest.mark.parametrize("event", [SEND, BACK, FORGED, ALONE, NOBODY], ids=lambda event: event.title)
def test_everything_is_written_in_full(event: ChartEvent) -> None:
    text = "\n".join(lines(event, lanes=("p1", "intr", "p2")))
    assert [part for part in (event.title, *event.messages, *event.notes) if part not in text] == []


def test_messages_stay_between_the_lanes() -> None:
    message = next(line for line in lines(BACK) if "answer" in line)
    assert message.count("│") == 2


def test_names_do_not_run_into_each_other() -> None:
    names = ("a-principal-with-a-long-name", "another-with-a-longer-one-even", "x")
    assert lines(NOBODY, lanes=names)[0].split() == list(names)


def test_of_several_sorts_the_one_named_first_acts() -> None:
    instance = instance_of(ots_of_file("hotel.cafe"))
    assert principal_sort(instance.ots, instance.given) == "Guest"

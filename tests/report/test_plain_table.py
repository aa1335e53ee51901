"""Tables of a pipe look as those of rich do."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.table import Table

from otsrw.report.console import print_richly
from otsrw.report.plain_table import PlainTable
from otsrw.report.tables import titled

ROWS = (("mutex", "verified", "18", "0", "inside-has, one-has"), ("a (lemma)", "unknown", "7", "12", ""))
COLUMNS = ("goal", "verdict", "cases", "open", "uses")


def by_rich(table: PlainTable) -> list[str]:
    drawn: Table = titled(table.title)
    for column in table.columns:
        drawn.add_column(column, justify="right" if column in table.numbers else "left")
    for row in table.rows:
        drawn.add_row(*row)
    written = StringIO()
    print_richly(written, 120, lambda console: console.print(drawn))
    return written.getvalue().splitlines()


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("title", ["goals of M", "goals of a module with a name that is longer than all that follows"])
def test_it_is_what_rich_draws(count: int, title: str) -> None:
    table = PlainTable(title, COLUMNS, ROWS[:count], frozenset(("cases", "open")))
    assert table.lines(120) == by_rich(table)


def test_what_does_not_fit_is_left_to_rich() -> None:
    wide = PlainTable("t", ("a", "b"), (("x" * 60, "y" * 53),))
    assert wide.lines(120) == by_rich(wide)
    assert PlainTable("t", ("a", "b"), (("x" * 60, "y" * 54),)).lines(120) is None


@pytest.mark.parametrize("cell", ["名", "a\tb", "é"])
def test_what_may_be_wide_is_left_to_rich(cell: str) -> None:
    assert PlainTable("t", ("a",), ((cell,),)).lines(120) is None

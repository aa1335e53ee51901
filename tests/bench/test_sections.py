"""Sections of the results page are replaced where they stand; charts show every measured point."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from line_chart import Panel, Point, draw
from sections import table, write_section


def test_a_section_is_replaced_where_it_stands(tmp_path: Path) -> None:
    page = tmp_path / "RESULTS.md"
    page.write_text("# Results\n\n<!-- a -->\nold\n<!-- /a -->\n\n## By hand\n")
    write_section("a", ["new \\1"], page)
    write_section("b", table(["x"], [["1|2"]]), page)
    assert page.read_text() == (
        "# Results\n\n<!-- a -->\nnew \\1\n<!-- /a -->\n\n## By hand\n\n"
        "<!-- b -->\n| x |\n| --- |\n| 1/2 |\n<!-- /b -->\n"
    )


def test_a_chart_shows_every_point() -> None:
    lines = {"search": [Point(0, 0.1, "holds"), Point(1, 2, "<violated>")], "igf": [Point(1, 30, "unknown")]}
    root = ElementTree.fromstring(draw([Panel("A & B", lines)], "depth", "seconds"))
    marks = [e for e in root.iter() if e.tag.endswith(("circle", "rect"))]
    assert len(marks) == 3 + 2, "each line has a mark in the legend, too"
    assert [e.get("fill") for e in marks].count("none") == 1

"""The table of levels stays readable however deep a search goes."""

from __future__ import annotations

import io

from rich.console import Console

from otsrw.report.search import level_table
from otsrw.search import SearchResult


def shown(*levels: tuple[int, ...]) -> str:
    entities: dict[str, tuple[str, ...]] = {"Pid": ("p", "q")}
    results = [SearchResult("holds", None, entities, 1, 1, each, False, None, 0.0, 0) for each in levels]
    out = io.StringIO()
    Console(file=out, width=80).print(level_table(results))
    return out.getvalue()


def test_a_few_levels_are_all_shown() -> None:
    text = shown((1, 2, 3), (1, 4))
    assert all(f"R≤{level}" in text for level in range(3))
    assert "..." not in text


def test_of_many_levels_the_first_and_the_last_are_shown() -> None:
    text = shown(tuple(range(1000, 1061)))
    levels = [word for word in text.split() if word.startswith("R≤")]
    assert levels == [f"R≤{level}" for level in (0, 1, 2, 3, 57, 58, 59, 60)]
    assert "1 060" in text

"""The examples of docs/language.md give what the page says they give."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import agree, answers, signature_of

_PAGE = Path(__file__).parents[2] / "docs" / "language.md"
_BLOCK = re.compile(r"```cafeobj\n(.*?)```", re.DOTALL)
_GIVES = re.compile(r"-- gives (\S.*)$", re.MULTILINE)

BLOCKS = [block for block in _BLOCK.findall(_PAGE.read_text("utf-8")) if _GIVES.search(block)]


@pytest.mark.parametrize("block", BLOCKS, ids=[block.split()[1] for block in BLOCKS])
def test_an_example_gives_what_it_says(block: str) -> None:
    expected = [text.strip() for text in _GIVES.findall(block)]
    found = [command.shown_result for command in answers(block)]
    assert len(found) == len(expected)
    signature = signature_of(block)
    assert [pair for pair in zip(expected, found, strict=True) if not agree(*pair, signature)] == []


def test_the_page_has_examples() -> None:
    assert len(BLOCKS) >= 10

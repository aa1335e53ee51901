"""Offsets of a text as the lines and characters of the protocol, which counts in UTF-16."""

from __future__ import annotations

import re
from bisect import bisect_right

_LINE_END = re.compile(r"\r\n|\n|\r")


class TextLines:
    """The lines of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(found.end() for found in _LINE_END.finditer(text))]

    def position(self, offset: int) -> tuple[int, int]:
        """The line and the character of an offset, both counted from 0."""
        line = bisect_right(self.starts, offset) - 1
        return line, _units(self.text[self.starts[line] : offset])

    def offset(self, line: int, character: int) -> int:
        """The offset of a line and a character; one beyond the end of its line is that end."""
        if line >= len(self.starts):
            return len(self.text)
        start = self.starts[line]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        content = self.text[start:end].rstrip("\r\n")
        if content.isascii():
            return start + min(character, len(content))
        units = 0
        for index, letter in enumerate(content):
            if units >= character:
                return start + index
            units += _units(letter)
        return start + len(content)


def _units(text: str) -> int:
    """The length of a text in UTF-16."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2

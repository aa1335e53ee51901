"""Text with a name, and places in it.

Everything that can go wrong is reported at a `Span`: a source and two offsets. Lines and columns are computed only
when a message is rendered, so that carrying spans costs nothing on the hot path.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from functools import cached_property

from otsrw.records import NamedTuple


class Source:
    """A text, where it came from, and the folder that `in` is relative to."""

    def __init__(self, name: str, text: str, folder: str | os.PathLike[str] | None = None) -> None:
        self.name = name
        self.text = text
        self.folder = os.getcwd() if folder is None else os.fspath(folder)

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def line_of(self, offset: int) -> int:
        """The line number, counted from 1, that holds `offset`."""
        return bisect_right(self.line_starts, offset)

    def line_text(self, line: int) -> str:
        start = self.line_starts[line - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]


class Span(NamedTuple):
    """A stretch of a source, `start` included and `end` not."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.line_of(self.start)

    @property
    def column(self) -> int:
        return self.start - self.source.line_starts[self.line - 1] + 1

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"


NOWHERE = Span(Source("<otsrw>", ""), 0, 0)

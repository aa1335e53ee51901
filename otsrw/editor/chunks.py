"""A text cut into chunks: a module, a view, a passage from `open` to `close`, or commands between them.

An edit changes the text of one chunk, and everything that is known of the others is kept by their texts. Cutting looks
at the first words of lines only: it costs some milliseconds for a megabyte.
"""

from __future__ import annotations

import re

from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.syntax.reader import read
from otsrw.syntax.source import Source, Span

_START = re.compile(
    r"^(?:[ \t]*(?:(?P<open>open)|(?P<close>close)|(?P<module>(?:sys:)?mod(?:ule)?[!*]?|view|make))(?=\s)"
    r"|(?P<command>(?:in|input|load|require|provide|select|set|red|reduce|bred|exec|parse|show|quit)(?=\s)))",
    re.MULTILINE,
)
"""Lines that may start a chunk. Commands do so only at the very left, where no term goes on from the line before."""
_END = re.compile(r"^[ \t]*eof(?=\s|\Z)", re.MULTILINE)
"""What comes after this is no text of the language."""
_COMMENT = re.compile(r"[ \t]*(?:(?:--|\*\*)[^\n]*)?\n")
_OPENING = re.compile(r"(?:[ \t]*(?:(?:--|\*\*)[^\n]*)?\n)*+[^\n]*")


class Chunk(NamedTuple):
    """A piece of a text: where it starts, and its own text."""

    start: int
    text: str


def cut(text: str) -> list[Chunk]:
    """The chunks of a text in order; together they are the text."""
    stop = _END.search(text)
    end = len(text) if stop is None else stop.start()
    starts = sorted({start for start in (0, *_starts(text[:end]), end) if start < len(text)} or {0})
    ends = [*starts[1:], len(text)]
    return [Chunk(start, text[start:end]) for start, end in zip(starts, ends, strict=True)]


def _starts(text: str) -> list[int]:
    marks = [(found.lastgroup, found.start(), found.end()) for found in _START.finditer(text)]
    closes = _closing_marks([kind for kind, _, _ in marks])
    found: list[int] = []
    index = 0
    while index < len(marks):
        kind, start, end = marks[index]
        if kind == "close":
            found.append(_after_line(text, end))
        else:
            found.append(_before_comments(text, start, found[-1] if found else 0))
        if kind != "open":
            index += 1
        elif closes[index] is not None:
            index = closes[index] or 0
        else:
            index += 1
            while index < len(marks) and marks[index][0] == "command":
                index += 1
    return found


def _closing_marks(kinds: list[str | None]) -> list[int | None]:
    """For each mark the next `close`, None if an `open` or the end comes first."""
    found: list[int | None] = [None] * len(kinds)
    following: int | None = None
    for index in range(len(kinds) - 1, -1, -1):
        found[index] = following
        if kinds[index] == "close":
            following = index
        elif kinds[index] == "open":
            following = None
    return found


def _after_line(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end + 1


def _before_comments(text: str, start: int, least: int) -> int:
    """The start of the comments and empty lines right above a line, but not before `least`."""
    while start > least:
        above = text.rfind("\n", 0, start - 1) + 1
        if above < least or _COMMENT.fullmatch(text, above, start) is None:
            break
        start = above
    return start


class ChunkSource(Source):
    """The text of a chunk that stands in a file; `pad` empty lines in front of it make line numbers right."""

    def __init__(self, path: str, folder: str, text: str, pad: int = 0) -> None:
        super().__init__(path, "\n" * pad + text, folder)
        self.pad = pad
        self.declarations: dict[int, tree.Statement] = {}
        """Modules, views and their items by the offsets at which they start, once the text is read."""


class ReadChunk:
    """A chunk as read: statements, syntax problems, and the names of modules and views that it mentions."""

    def __init__(self, source: ChunkSource, length: int) -> None:
        statements, problems = read(source)
        self.source = source
        end = source.pad + length
        self.statements: list[tree.Statement] = [s for s in statements if s.span.start < end]
        self.problems: list[Diagnostic] = [p for p in problems if p.span.start < end]
        self.names = frozenset(_names(self.statements))
        for statement in self.statements:
            source.declarations[statement.span.start] = statement
            if isinstance(statement, tree.ModuleDeclaration):
                source.declarations.update((item.span.start, item) for item in statement.items)
        self.lines = source.text.count("\n", source.pad, end)

    @property
    def defines(self) -> bool:
        """May what comes later depend on this chunk?"""
        return any(isinstance(statement, _DEFINING) for statement in self.statements)


_DEFINING = (tree.ModuleDeclaration, tree.ViewDeclaration, tree.Select, tree.LineCommand, tree.LetDeclaration)


def opening_of(text: str) -> str:
    """A chunk up to its first line that is no comment."""
    found = _OPENING.match(text)
    return found[0] if found else ""


def _names(nodes: object) -> set[str]:
    found: set[str] = set()
    todo = [nodes]
    while todo:
        node = todo.pop()
        if isinstance(node, tree.ModuleName):
            found.add(node.name.text)
        elif isinstance(node, (tree.ModuleDeclaration, tree.ViewDeclaration)):
            found.add(node.name.text)
            todo.extend(node)
        elif isinstance(node, (tuple, list)) and not isinstance(node, (Span, tree.Named)):
            todo.extend(node)
    return found

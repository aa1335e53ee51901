"""The file of a project, otsrw.toml: an array of tables `[[test]]`, read and checked row by row."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from otsrw.records import dataclass, field
from otsrw.syntax.diagnostics import OtsrwError, did_you_mean
from otsrw.syntax.source import Source, Span

PROJECT_FILE = "otsrw.toml"
_HEADER = re.compile(r"^\s*\[\[\s*test\s*\]\]", re.MULTILINE)
_WHAT = ("file", "files", "module", "with", "invariants", "lemmas")
_EXPECTED = ("expect", "holds", "falsified", "verified", "states", "exhausted")
_KEYS = (*_WHAT, *_EXPECTED, "depth", "budget", "slow")
_BUDGET = ("seconds", "memory", "rewrites")


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """One table `[[test]]`: files relative to the project file, entities, and what is expected."""

    span: Span
    """The whole table."""
    files: tuple[str, ...]
    entities: tuple[str, ...] = ()
    module: str | None = None
    invariants: tuple[str, ...] = ()
    """Empty: every candidate."""
    expect: str | None = None
    holds: tuple[str, ...] = ()
    falsified: dict[str, int | None] = field(default_factory=dict)
    verified: tuple[str, ...] = ()
    depth: int | None = None
    lemmas: tuple[str, ...] = ()
    states: tuple[int, ...] = ()
    exhausted: bool | None = None
    seconds: float | None = None
    memory: int | None = None
    rewrites: int | None = None
    slow: bool = False

    def place(self, key: str) -> Span:
        """Where a key of the table stands."""
        return _place(self.span, key)


def read_project(source: Source) -> list[ProjectRow]:
    """The rows of a project file; raises an error with its place."""
    try:
        table = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        raise OtsrwError("E540", f"this is no TOML: {error}", _place_told(source, str(error))) from None
    for key in table:
        if key != "test":
            span = _place(Span(source, 0, len(source.text)), key)
            raise OtsrwError("E540", f"{key!r} means nothing here", span, "write a table '[[test]]' for each case")
    rows = table.get("test", [])
    starts = [found.start() for found in _HEADER.finditer(source.text)]
    if not isinstance(rows, list) or len(rows) != len(starts):
        raise OtsrwError("E540", "the cases are tables '[[test]]'", Span(source, 0, 1))
    ends = [*starts[1:], len(source.text)]
    return [_RowReader(row, Span(source, s, e)).row() for row, s, e in zip(rows, starts, ends, strict=True)]


class _RowReader:
    """Reads one table; what is wrong in it is an error at its key."""

    def __init__(self, table: Mapping[str, Any], span: Span) -> None:
        self._table = table
        self._span = span

    def row(self) -> ProjectRow:
        for key in self._table:
            if key not in _KEYS:
                raise self._error(key, f"{key!r} means nothing here", did_you_mean(key, _KEYS) or ", ".join(_KEYS))
        if ("file" in self._table) == ("files" in self._table):
            raise OtsrwError("E540", "a case needs 'file' or 'files'", self._header())
        budget = self._table.get("budget", {})
        if not isinstance(budget, dict) or not all(key in _BUDGET for key in budget):
            raise self._error("budget", "a budget is a table of seconds, memory (in MB) and rewrites")
        return ProjectRow(
            self._span,
            self._names("files") or (self._text("file") or "",),
            tuple(self._entities()),
            self._text("module"),
            () if self._table.get("invariants") == "all" else self._names("invariants"),
            self._text("expect"),
            self._names("holds"),
            self._falsified(),
            self._names("verified"),
            self._number("depth"),
            self._names("lemmas"),
            self._numbers("states"),
            self._truth("exhausted"),
            self._positive(budget, "seconds"),
            self._whole(budget, "memory"),
            self._whole(budget, "rewrites"),
            bool(self._truth("slow")),
        )

    def _entities(self) -> list[str]:
        given = self._table.get("with", {})
        if not isinstance(given, dict):
            raise self._error("with", "'with' is a table of sorts", 'write with = {Pid = ["p1", "p2"]} or {Pid = 2}')
        found = []
        for sort, words in given.items():
            if isinstance(words, list) and words and all(isinstance(word, str) for word in words):
                found.append(f"{sort}={','.join(words)}")
            elif isinstance(words, int) and not isinstance(words, bool) and words > 0:
                found.append(f"{sort}={words}")
            else:
                raise self._error("with", f"the entities of {sort} are names or a number")
        return found

    def _falsified(self) -> dict[str, int | None]:
        given = self._table.get("falsified", {})
        if isinstance(given, list):
            return dict.fromkeys(self._names("falsified"))
        if not isinstance(given, dict) or not all(_is_natural(steps) for steps in given.values()):
            raise self._error("falsified", "'falsified' is a table of invariants and steps, or a list of invariants")
        return dict(given)

    def _text(self, key: str) -> str | None:
        value = self._table.get(key)
        if value is not None and not isinstance(value, str):
            raise self._error(key, f"{key!r} is a text")
        return value

    def _names(self, key: str) -> tuple[str, ...]:
        value = self._table.get(key, [])
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise self._error(key, f"{key!r} is a list of names")
        return tuple(value)

    def _numbers(self, key: str) -> tuple[int, ...]:
        value = self._table.get(key, [])
        if not isinstance(value, list) or not all(map(_is_natural, value)):
            raise self._error(key, f"{key!r} is a list of numbers")
        return tuple(value)

    def _number(self, key: str) -> int | None:
        return self._whole(self._table, key)

    def _truth(self, key: str) -> bool | None:
        value = self._table.get(key)
        if value is not None and not isinstance(value, bool):
            raise self._error(key, f"{key!r} is true or false")
        return value

    def _whole(self, table: Mapping[str, Any], key: str) -> int | None:
        value = table.get(key)
        if value is not None and not _is_natural(value):
            raise self._error(key, f"{key!r} is a number")
        return value

    def _positive(self, table: Mapping[str, Any], key: str) -> float | None:
        value = table.get(key)
        if value is not None and not (isinstance(value, int | float) and not isinstance(value, bool) and value > 0):
            raise self._error(key, f"{key!r} is a number greater than 0")
        return value

    def _error(self, key: str, message: str, hint: str | None = None) -> OtsrwError:
        return OtsrwError("E540", message, _place(self._span, key), hint)

    def _header(self) -> Span:
        return _place(self._span, "test")


def _is_natural(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _place(span: Span, key: str) -> Span:
    """The first place of a key within a span, else its first character."""
    found = re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])").search(span.source.text, span.start, span.end)
    start = span.start if found is None else found.start()
    return Span(span.source, start, start + (1 if found is None else len(key)))


def _place_told(source: Source, message: str) -> Span:
    """The place that tomllib names in its message."""
    found = re.search(r"line (\d+), column (\d+)", message)
    if found is None:
        return Span(source, max(0, len(source.text) - 1), len(source.text))
    start = source.line_starts[int(found[1]) - 1] + int(found[2]) - 1
    return Span(source, start, start + 1)

"""What a specification says to otsrw in comments: `-- @ with Pid = p1 p2`, `-- @ invariant mutex`, `-- @ lemma l`.

`-- @ expect mutex verified` is what `otsrw test` compares with (also `falsified 6` and `holds 10`). `-- @ frame` asks
for the equations that say what a transition does not change.

CafeOBJ skips them. (The marks `--@` and `--> @` are read, too.) A hint belongs to the module that contains it or, if
it stands between modules, to the next one; after the last module of a text, to every module that sees one of them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from otsrw.records import dataclass
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Source, Span

_COMMENT = re.compile(r"(?:^|(?<=\s))(?:--|\*\*)[^\n]*|#\|.*?\|#", re.MULTILINE | re.DOTALL)
_BRACKET = re.compile(r"[{}]|(?<![^\s}])(?:sys:)?mod(?:ule)?[!*]?(?=\s)")
_HINT = re.compile(r"^[ \t]*(?:--|\*\*)>?[ \t]*@[ \t]*(?P<body>.*?)[ \t\r]*$", re.MULTILINE)
_BODY = re.compile(
    r"with\s+(?P<sort>[^\s=]+)\s*=\s*(?P<entities>.+)|(?P<kind>invariant|lemma)\s+(?P<name>\S+)|state\s+(?P<state>\S+)"
    r"|expect\s+(?P<expected>\S+)\s+(?P<verdict>verified|falsified(\s+\d+)?|holds\s+\d+)"
    r"|(?P<frame>frame)"
)
_FOREIGN = re.compile(r"[;{}]|(?:^|[\w\s])=(?:[\w\s]|$)")
"""What is in no list of entities, but is written by those who give two sorts in one line."""


@dataclass(frozen=True, slots=True)
class Hint:
    kind: Literal["with", "invariant", "lemma", "state", "expect", "frame"]
    name: str
    """The sort, or the operator."""
    words: str
    """The entities, or the verdict that is expected, as written."""
    span: Span


@lru_cache(maxsize=16)
def modules_in(source: Source) -> tuple[tuple[int, int], ...]:
    """Where the modules of a text start and end: the offsets of their keywords and of their closing braces."""
    text = without_comments(source.text)
    found = []
    start, depth = -1, 0
    for mark in _BRACKET.finditer(text):
        if mark[0] == "{":
            depth += 1
        elif mark[0] == "}":
            depth = max(0, depth - 1)
            if depth == 0 and start >= 0:
                found.append((start, mark.start()))
                start = -1
        elif depth == 0:
            start = mark.start()
    return tuple(found)


def without_comments(text: str) -> str:
    """The text with blanks for its comments, so that all offsets stay."""
    return _COMMENT.sub(lambda comment: " " * len(comment[0]), text)


def hints_of(source: Source) -> list[Hint]:
    """All hints of a text in order; raises on one that cannot be read."""
    found: list[Hint] = []
    for mark in _HINT.finditer(source.text):
        span = Span(source, mark.start("body"), max(mark.end("body"), mark.start("body") + 1))
        body = _BODY.fullmatch(mark.group("body"))
        if body is None:
            raise OtsrwError(
                "E501",
                f"this hint is not understood: {mark.group('body')!r}",
                span,
                "write '-- @ with Sort = a b c', '-- @ invariant NAME', '-- @ lemma NAME', '-- @ state Sort',"
                " '-- @ frame' or '-- @ expect NAME verified' ('falsified N', 'holds N')",
            )
        if body.group("sort"):
            _check_entities(body.group("entities"), span)
            found.append(Hint("with", body.group("sort"), body.group("entities"), span))
        elif body.group("frame"):
            found.append(Hint("frame", "", "", span))
        elif body.group("expected"):
            found.append(Hint("expect", body.group("expected"), body.group("verdict"), span))
        elif body.group("state"):
            found.append(Hint("state", body.group("state"), "", span))
        else:
            kind: Literal["invariant", "lemma"] = "invariant" if body.group("kind") == "invariant" else "lemma"
            found.append(Hint(kind, body.group("name"), "", span))
    return found


def _check_entities(words: str, span: Span) -> None:
    """A hint gives the entities of one sort: raises if it seems to give more."""
    if _FOREIGN.search(words) is not None:
        hint = "give entities of one sort, as in '-- @ with Pid = p1 p2'; another sort has a line of its own"
        raise OtsrwError("E501", f"these entities are not understood: '{words}'", span, hint)

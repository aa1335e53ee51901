"""Ways of writing that otsrw accepts and CafeOBJ 1.6.0 refuses: each is warned of, and an error with `--portable`.

Most of them are of CafeInMaude or of older versions of CafeOBJ. Tests give each to CafeOBJ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.source import Span

_PERIOD = re.compile(r"\s*\.(?=\s|\Z)")


class Unportable(NamedTuple):
    """What CafeOBJ refuses, where it stands, and what to write."""

    message: str
    span: Span
    hint: str


def unportable(item: tree.Statement, in_passage: bool) -> Iterator[Unportable]:
    """What CafeOBJ refuses about the way in which something is declared."""
    match item:
        case tree.OperatorDeclaration():
            yield from _operator(item, in_passage)
        case tree.VariableDeclaration():
            if len(item.names) > 1 and item.span.text in ("var", "pvar"):
                hint = f"write '{item.span.text}s'"
                yield Unportable("CafeOBJ takes one name after 'var'", item.names[1].span, hint)
        case tree.AxiomDeclaration():
            words = item.body.words
            if words[-3:-1] in (["[", "owise"], ["{", "owise"]):
                hint = "write the condition under which no other equation applies"
                yield Unportable("CafeOBJ has no 'owise'", item.body.span_of(len(words) - 2), hint)
        case tree.Open(tree.ModuleName(name), _):
            if not _has_period(name.span):
                yield Unportable("CafeOBJ wants a period after 'open'", name.span, f"write 'open {name.text} .'")


def _operator(item: tree.OperatorDeclaration, in_passage: bool) -> Iterator[Unportable]:
    attributes = item.attributes
    if attributes is not None:
        for index, word in enumerate(attributes.words):
            if word == ",":
                span = attributes.span_of(index)
                yield Unportable("CafeOBJ wants blanks between attributes, no commas", span, "remove the comma")
            elif word == "metadata":
                span = attributes.span_of(index)
                yield Unportable("CafeOBJ has no attribute 'metadata'", span, "remove it, or make it a comment")
    if item.several:
        depth = 0
        for index, word in enumerate(item.name.words):
            depth += (word == "(") - (word == ")")
            if "_" in word and depth == 0:
                hint = f"write '({word})'"
                yield Unportable("CafeOBJ wants parentheses around such a name", item.name.span_of(index), hint)
    last = item.coarity if item.coarity is not None else item.arity[-1] if item.arity else None
    if in_passage and attributes is None and last is not None and not _has_period(last.span):
        yield Unportable(f"CafeOBJ wants a period after '{item.span.text}' here", last.span, f"write '{last.text} .'")


def _has_period(span: Span) -> bool:
    return _PERIOD.match(span.source.text, span.end) is not None


def late_sort(words: list[str], fresh: Iterable[str]) -> int | None:
    """The place of a variable `X` that gets its sort, `X:Sort`, only later in a statement; None if there is none."""
    for name in fresh:
        if ":" not in name and name in words:
            first = words.index(name)
            if not any(word.startswith(name + ":") for word in words[:first]):
                return first
    return None

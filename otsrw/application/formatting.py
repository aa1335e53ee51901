"""The layout of a specification, without changing what it means.

Statements of a module stand two blanks to the right of it, those of a passage two blanks to the right of its `open`;
the other lines of a statement move with its first one. Blanks inside lines stay: people align equations. Comments
stay, and so do texts that cannot be read. The new text is read again: if it does not say the same, the old one stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from otsrw.ots.hints import without_comments
from otsrw.syntax import tree
from otsrw.syntax.reader import read
from otsrw.syntax.source import Source, Span

INDENT = 2
_BLOCK = re.compile(r"#\|.*?(?:\|#|\Z)", re.DOTALL)
_SECTION = re.compile(r"(?:signature|sig|imports?|axioms?|axs)\s*\{")
_EMPTY_LINES = re.compile(r"\n{3,}")
_OPENING_OF_SORTS = frozenset(("", "[", "*[", "*", "{"))


def formatted(text: str) -> str:
    """A text with the usual layout; one with errors only loses blanks at the ends of its lines."""
    source = Source("<text>", text)
    statements, problems = read(source)
    return tidied(text) if problems else arranged(source, statements)


def arranged(source: Source, statements: Sequence[tree.Statement]) -> str:
    """As `formatted`, for a text whose statements are known."""
    text = source.text
    new = tidied(_EMPTY_LINES.sub("\n\n", "\n".join(_lines(source, statements))))
    if new == text:
        return text
    again, problems = read(Source(source.name, new, source.folder))
    return new if not problems and _said(again) == _said(statements) else tidied(text)


def tidied(text: str) -> str:
    """No blanks at the ends of lines, one end of line at the end."""
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines) + "\n"


def _lines(source: Source, statements: Sequence[tree.Statement]) -> list[str]:
    """The lines with the blanks in front of them that they should have."""
    lines = source.text.split("\n")
    depths = _depths(source, statements)
    starting = _starting_lines(source, statements)
    kept = _lines_in_blocks(source)
    found = []
    shift = 0
    for number, line in enumerate(lines):
        bare = line.lstrip()
        blanks = len(line) - len(bare)
        if number in kept or not bare:
            found.append(line.rstrip())
        elif bare.startswith(("--", "**")):
            found.append(" " * (INDENT * depths[number] if blanks else 0) + bare)
        elif number in starting or bare.startswith("}") or _SECTION.match(bare):
            wanted = INDENT * (depths[number] - bare.startswith("}"))
            shift = wanted - blanks
            found.append(" " * wanted + bare)
        else:
            found.append(" " * max(0, blanks + shift) + bare)
    return found


def _depths(source: Source, statements: Sequence[tree.Statement]) -> list[int]:
    """How deep every line stands in modules, sections and passages, at its start."""
    text = without_comments(source.text)
    opened = {s.span.line - 1 for s in statements if isinstance(s, tree.Open)}
    closed = {s.span.line - 1 for s in statements if isinstance(s, tree.Close)}
    depth, passage = 0, 0
    found = []
    for number, line in enumerate(text.split("\n")):
        if number in closed:
            passage = 0
        found.append(max(0, depth + passage))
        depth += line.count("{") - line.count("}")
        if number in opened and number not in closed:
            passage = 1
    return found


def _starting_lines(source: Source, statements: Iterable[tree.Statement]) -> set[int]:
    """The lines whose first word starts a statement."""
    found = set()
    for statement in statements:
        inner = statement.items if isinstance(statement, tree.ModuleDeclaration) else ()
        for span in (statement.span, *(item.span for item in inner)):
            line = span.line
            before = source.text[source.line_starts[line - 1] : span.start].strip()
            if before in _OPENING_OF_SORTS:
                found.add(line - 1)
    return found


def _lines_in_blocks(source: Source) -> set[int]:
    """The lines of block comments and long strings, which are left as they are."""
    spans = [Span(source, found.start(), found.end()) for found in _BLOCK.finditer(source.text)]
    return {line for span in spans for line in range(span.line - 1, source.line_of(span.end))}


def _said(node: object) -> object:
    """What statements say, without the places of their words."""
    if isinstance(node, tree.Bubble):
        return tuple(node.words)
    if isinstance(node, tree.Named):
        return node.text
    if isinstance(node, tree.Echo):
        return node.text.strip()
    if isinstance(node, Span):
        return None
    if isinstance(node, (tuple, list)):
        return (type(node).__name__, *map(_said, node))
    return node

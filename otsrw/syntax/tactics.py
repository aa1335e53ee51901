"""How far a tactic of CITP extends: over the words and brackets that its shape in `SHAPES` lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otsrw.syntax.commands import SHAPES, TacticPart
from otsrw.syntax.diagnostics import ProblemKind, SyntaxProblem

if TYPE_CHECKING:
    from otsrw.syntax.lexer import Reading


def tactic_end(reading: Reading, start: int) -> int:
    """The end of the tactic whose keyword is before `start`.

    A missing part ends it, and whoever runs it complains.
    """
    index = start
    for part in SHAPES[reading.words.texts[start - 1]]:
        following = _after_part(reading, part, index, start)
        if following is None:
            break
        index = following
    return index


def _after_part(reading: Reading, part: str, index: int, start: int) -> int | None:
    """The index after a part of a tactic that starts at `index`; None if the part is not there."""
    texts = reading.words.texts
    word = texts[index] if index < len(texts) else ""
    if part == TacticPart.LINE:
        return max(index, reading.words.next_line(start - 1))
    if part == TacticPart.PERIOD:
        return index + 1 if word == "." else index
    if part == TacticPart.TERM:
        return reading.term_end(index) + 1
    if part == TacticPart.UP_TO_GROUP:
        opening = next((i for i in range(index, len(texts)) if texts[i] in "{"), None)
        return None if opening is None else _after_group(reading, opening)
    if part == TacticPart.OPTIONAL_GROUP:
        return _after_group(reading, index) if reading.words.opens(index) else index
    marker, optional, rest = part.partition("?")
    if optional:
        if word != marker:
            return index
        return _after_part(reading, rest, index + 1, start) if rest else index + 1
    if not word:
        message = f"this {texts[start - 1]!r} is not finished"
        hint = "it goes on, or ends with a bracket"
        raise SyntaxProblem("E104", message, reading.words.span(start - 1), hint, kind=ProblemKind.UNFINISHED)
    if part == TacticPart.TACTIC and word in SHAPES:
        return tactic_end(reading, index + 1)
    if part == TacticPart.WORD:
        return index + 1
    return _after_group(reading, index) if reading.words.opens(index) else None


def _after_group(reading: Reading, index: int) -> int:
    words = reading.words
    end = words.matching(index)
    if end == len(words.texts) and not words.closes(index, end):
        raise reading.open_bracket(f"this {words.texts[index]!r} is never closed", index, "close it")
    return end

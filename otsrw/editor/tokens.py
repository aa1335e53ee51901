"""The colour of every word: what a grammar of the editor cannot know, since it depends on signatures.

Tokens are made for a chunk at a time and kept while the chunk means the same; a new answer is put together from these
lists, and only the part that differs from the answer before is sent.
"""

from __future__ import annotations

from enum import IntEnum

from otsrw.editor.checking import CheckedChunk
from otsrw.editor.chunks import ReadChunk
from otsrw.editor.meaning import Meanings
from otsrw.editor.places import WordInText, words_in
from otsrw.editor.positions import TextLines
from otsrw.editor.project import TextFile
from otsrw.editor.roles import OperatorRole, role_of
from otsrw.editor.words import ChunkWord, WordRole
from otsrw.records import NamedTuple
from otsrw.theory.modules import Module
from otsrw.theory.parsing import literal_value


class TokenType(IntEnum):
    """The place of a type in the legend, which has the names that editors know."""

    NAMESPACE = 0
    TYPE = 1
    VARIABLE = 2
    ENUMMEMBER = 3
    PROPERTY = 4
    METHOD = 5
    EVENT = 6
    FUNCTION = 7
    KEYWORD = 8
    NUMBER = 9
    STRING = 10
    DECORATOR = 11


LEGEND = [
    "namespace", "type", "variable", "enumMember", "property", "method", "event", "function", "keyword", "number",
    "string", "decorator",
]  # fmt: skip
MODIFIERS = ["declaration"]

_OF_ROLE = {
    OperatorRole.OBSERVER: TokenType.PROPERTY,
    OperatorRole.TRANSITION: TokenType.METHOD,
    OperatorRole.INVARIANT: TokenType.EVENT,
    OperatorRole.CONSTRUCTOR: TokenType.ENUMMEMBER,
    OperatorRole.INITIAL: TokenType.ENUMMEMBER,
}
_OF_WORD = {
    WordRole.KEYWORD: TokenType.KEYWORD,
    WordRole.MODULE: TokenType.NAMESPACE,
    WordRole.VIEW: TokenType.NAMESPACE,
    WordRole.PARAMETER: TokenType.NAMESPACE,
    WordRole.SORT: TokenType.TYPE,
    WordRole.VARIABLE: TokenType.VARIABLE,
    WordRole.ATTRIBUTE: TokenType.DECORATOR,
    WordRole.FILE: TokenType.STRING,
}
_PUNCTUATION = frozenset("()[]{},;.") | {"=", "=>", "if", "then", "else", "fi"}


class ChunkTokens(NamedTuple):
    """The tokens of a chunk in the encoding of the protocol; the first is counted from the start of the chunk."""

    data: list[int]
    lines: int
    """How many lines the chunk has."""
    last: int
    """The line of its last token."""


class TokenMaker:
    """Makes the tokens of texts."""

    def __init__(self, meanings: Meanings) -> None:
        self.meanings = meanings
        self._known: dict[ReadChunk, tuple[CheckedChunk, ChunkTokens]] = {}

    def of_chunk(self, file: TextFile, index: int) -> ChunkTokens:
        checked = self.meanings.project.checked_at(file, index)
        known = self._known.get(checked.chunk)
        if known is None or not known[0].holds_in(checked.before):
            known = self._known[checked.chunk] = (checked, self._made(file, index))
        return known[1]

    def forget_all_but(self, chunks: set[ReadChunk]) -> None:
        """Drop the tokens of texts that are gone."""
        for chunk in [chunk for chunk in self._known if chunk not in chunks]:
            del self._known[chunk]

    def _made(self, file: TextFile, index: int) -> ChunkTokens:
        chunk = file.placed[index].chunk
        source = chunk.source
        lines = TextLines(source.text)
        types: dict[tuple[int, str], TokenType | None] = {}
        data: list[int] = []
        line, character = source.pad, 0
        for word in sorted(words_in(file, index), key=lambda word: word.start):
            kind = self._type(WordInText(file, index, word), types)
            if kind is None or "\n" in source.text[word.start : word.end]:
                continue
            here, column = lines.position(word.start)
            length = lines.position(word.end)[1] - column
            if here == line and column < character:
                continue
            data += (here - line, column - character if here == line else column, length, kind, int(word.declares))
            line, character = here, column
        return ChunkTokens(data, chunk.lines, line - source.pad)

    def _type(self, found: WordInText, known: dict[tuple[int, str], TokenType | None]) -> TokenType | None:
        word = found.word
        if word.role is not WordRole.TERM and word.role is not WordRole.OPERATOR:
            return _OF_WORD[word.role]
        if word.text in _PUNCTUATION:
            return TokenType.KEYWORD if word.text.isalpha() else None
        scope = self.meanings.scope(found)
        if scope is None:
            return None
        key = (id(scope), word.text)
        if key not in known:
            known[key] = self._of_term(word, scope)
        return known[key]

    def _of_term(self, word: ChunkWord, scope: Module) -> TokenType | None:
        text = word.text
        if text in scope.variables or (":" in text[1:-1] and text.rpartition(":")[2] in scope.visible_sorts()):
            return TokenType.VARIABLE
        name = text if word.role is WordRole.TERM or "_" not in text else max(text.split("_"), key=len)
        symbols = self.meanings.symbols(name, scope)
        if symbols:
            role = role_of(symbols[0], scope)
            return TokenType.FUNCTION if role is None else _OF_ROLE[role]
        value = literal_value(text)
        if value is not None:
            return TokenType.STRING if isinstance(value, str) else TokenType.NUMBER
        return TokenType.TYPE if text in scope.visible_sorts() else None


def joined(parts: list[ChunkTokens]) -> list[int]:
    """The tokens of a whole text."""
    data: list[int] = []
    pending = 0
    for part in parts:
        if not part.data:
            pending += part.lines
            continue
        data.append(pending + part.data[0])
        data.extend(part.data[1:])
        pending = part.lines - part.last
    return data


def difference(old: list[ChunkTokens], new: list[ChunkTokens]) -> tuple[int, int, list[int]]:
    """What changes the old tokens into the new ones: where, how many numbers go, which ones come."""
    before = 0
    while before < min(len(old), len(new)) and old[before] is new[before]:
        before += 1
    behind = 0
    while behind < min(len(old), len(new)) - before and old[-1 - behind] is new[-1 - behind]:
        behind += 1
    whole = joined(new)
    start = sum(len(part.data) for part in old[:before])
    # the first token behind the change is counted from the last one before it
    kept = max(0, sum(len(part.data) for part in new[len(new) - behind :]) - 5)
    gone = sum(len(part.data) for part in old) - start - kept
    return start, gone, whole[start : len(whole) - kept]

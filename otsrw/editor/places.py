"""Where the things that words of a text mean are declared."""

from __future__ import annotations

import os
from collections.abc import Iterator

import otsrw.theory
from otsrw.editor.chunks import ChunkSource
from otsrw.editor.project import PlacedChunk, TextFile, TextProject, TextStretch
from otsrw.editor.words import ChunkWord, WordRole, words_of
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.source import Span
from otsrw.theory.modules import Module
from otsrw.theory.opened import OpenModule

PRELUDE = os.path.join(os.path.dirname(os.path.realpath(otsrw.theory.__file__)), "prelude.cafe")


class WordInText(NamedTuple):
    """A word of a text with the chunk it stands in."""

    file: TextFile
    chunk: int
    """The index of its chunk."""
    word: ChunkWord

    @property
    def placed(self) -> PlacedChunk:
        return self.file.placed[self.chunk]

    @property
    def stretch(self) -> TextStretch:
        shift = self.placed.shift
        return TextStretch(self.file.path, self.word.start + shift, self.word.end + shift)

    def place(self, span: Span) -> TextStretch:
        """Where a span of the same chunk is."""
        shift = self.placed.shift
        return TextStretch(self.file.path, span.start + shift, span.end + shift)


class DeclaredPlaces:
    """Finds the declarations of names."""

    def __init__(self, project: TextProject) -> None:
        self.project = project

    def of_names(self, spans: list[Span], name: str) -> tuple[TextStretch, ...]:
        """Where a name stands in the declarations that start at these spans."""
        found: dict[TextStretch, None] = {}
        for span in spans:
            stretch = self._place(span, name)
            if stretch is not None:
                found[stretch] = None
        return tuple(found)

    def _place(self, span: Span, name: str) -> TextStretch | None:
        source = span.source
        if source.name == "<prelude>":
            lines = self.project.file(PRELUDE).lines
            start = lines.offset(span.line - 1, span.column - 1)
            return TextStretch(PRELUDE, start, start + span.end - span.start)
        if not isinstance(source, ChunkSource):
            return None
        placed = self.project.file(source.name).place_of(source)
        if placed is None:
            return None
        inner = _name_span(source.declarations.get(span.start), name) or span
        return TextStretch(source.name, inner.start + placed.shift, inner.end + placed.shift)

    def local(self, found: WordInText, text: str) -> tuple[TextStretch, ...]:
        """Declarations in the passage around a word: equal passages share their operators."""
        if found.word.standing.owner is not None or found.word.standing.context is not None:
            return ()
        places = []
        for statement in found.placed.chunk.statements:
            if isinstance(statement, tree.OperatorDeclaration) and text in _name_parts(statement.name):
                places.append(found.place(_word_span(statement.name, text)))
        return tuple(places)

    def of_view(self, name: str) -> tuple[TextStretch, ...]:
        found = []
        for file in self.project.files():
            for placed in file.placed:
                for statement in placed.chunk.statements:
                    if isinstance(statement, tree.ViewDeclaration) and statement.name.text == name:
                        span = statement.name.span
                        found.append(TextStretch(file.path, span.start + placed.shift, span.end + placed.shift))
        return tuple(found)

    def of_variable(self, found: WordInText, name: str, scope: Module | None) -> tuple[TextStretch, ...]:
        fly = self.on_the_fly(found, name)
        if fly is not None:
            return (found.place(fly),)
        owner = found.word.standing.owner
        items = owner.items if owner is not None else found.placed.chunk.statements
        declared = [_variable_span(item, name) for item in items]
        own = [found.place(span) for span in declared if span is not None]
        if own or not isinstance(scope, OpenModule):
            return tuple(own)
        source = scope.base.span.source
        module = source.declarations.get(scope.base.span.start) if isinstance(source, ChunkSource) else None
        placed = self.project.file(source.name).place_of(source) if module is not None else None
        if placed is None or not isinstance(module, tree.ModuleDeclaration):
            return ()
        inherited = [_variable_span(item, name) for item in module.items]
        shift = placed.shift
        return tuple(TextStretch(source.name, s.start + shift, s.end + shift) for s in inherited if s is not None)

    @staticmethod
    def on_the_fly(found: WordInText, name: str) -> Span | None:
        """The `X:Sort` of a statement that declares a variable."""
        statement = found.word.standing.statement
        body = statement.body if isinstance(statement, tree.AxiomDeclaration) else None
        bubble = statement.term if isinstance(statement, tree.TermCommand) else body
        for index, word in enumerate(bubble.words if bubble is not None else ()):
            if bubble is not None and word.startswith(name + ":") and len(word) > len(name) + 1:
                start = bubble.starts[index]
                return Span(bubble.source, start, start + len(name))
        return None

    def renamed(self, name: str) -> tuple[TextStretch, ...]:
        """Where a renaming gives something this name, or a declaration does."""
        found = []
        for file in self.project.files():
            for index, placed in enumerate(file.placed):
                if name not in placed.chunk.source.text:
                    continue
                for word in words_in(file, index):
                    if word.text == name and word.role is WordRole.SORT and _is_target(word):
                        found.append(WordInText(file, index, word).stretch)
        return tuple(found)


def words_in(file: TextFile, index: int) -> Iterator[ChunkWord]:
    """The words of a chunk."""
    for statement in file.placed[index].chunk.statements:
        yield from words_of(statement)


def _is_target(word: ChunkWord) -> bool:
    statement = word.standing.statement
    renames = isinstance(statement, (tree.ImportDeclaration, tree.Open, tree.ModuleDeclaration, tree.TermCommand))
    return word.declares or (renames and word.standing.context is None)


def span_of_sort(module: Span, name: str) -> Span | None:
    """The declaration of a sort in the module that starts at a span."""
    source = module.source
    if not isinstance(source, ChunkSource):
        return module if source.name == "<prelude>" else None
    declaration = source.declarations.get(module.start)
    items = declaration.items if isinstance(declaration, tree.ModuleDeclaration) else ()
    sorts = [item for item in items if isinstance(item, tree.SortDeclaration)]
    return next((item.span for item in sorts if _name_span(item, name) is not None), None)


def _name_span(item: tree.Statement | None, name: str) -> Span | None:
    """Where a declaration has the name of what it declares."""
    match item:
        case tree.ModuleDeclaration():
            return item.name.span
        case tree.SortDeclaration():
            names = (named for group in item.groups for level in group for named in level)
            return next((named.span for named in names if named.text == name), None)
        case tree.OperatorDeclaration():
            return _word_span(item.name, name)
        case _:
            return None


def _name_parts(name: tree.Bubble) -> set[str]:
    """The words that an operator is written with, and its words as declared."""
    return {part for word in name.words for part in (word, *word.split("_")) if part}


def _word_span(name: tree.Bubble, text: str) -> Span:
    """The place of a word in the name of an operator; of the whole name if it is not there."""
    for index, word in enumerate(name.words):
        if word == text:
            return name.span_of(index)
    for index, word in enumerate(name.words):
        at = word.find(text)
        if at >= 0 and text in word.split("_"):
            start = name.starts[index] + at
            return Span(name.source, start, start + len(text))
    return name.span


def _variable_span(item: tree.Statement, name: str) -> Span | None:
    if not isinstance(item, tree.VariableDeclaration):
        return None
    return next((named.span for named in item.names if named.text == name), None)

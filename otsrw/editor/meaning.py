"""What a word of a text means: a module, a view, a sort, an operator, a variable or a file, and where it is declared.

Terms do not know their places, so a word of a term is looked up in the signature. If several operators have the word,
the term is read, and those that occur in it are meant.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from enum import Enum
from weakref import WeakKeyDictionary

import otsrw.theory
from otsrw.editor.checking import CheckedChunk
from otsrw.editor.chunks import ChunkSource
from otsrw.editor.project import PlacedChunk, TextFile, TextProject, TextStretch
from otsrw.editor.words import ChunkWord, WordRole, words_of
from otsrw.proofs.files import find_file
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Span
from otsrw.theory.axioms import read_axiom
from otsrw.theory.modules import Module
from otsrw.theory.opened import OpenModule
from otsrw.theory.parsing import parse_term, scope_of
from otsrw.theory.signature import Signature
from otsrw.theory.terms import Symbol, Term, symbols_of

PRELUDE = os.path.join(os.path.dirname(os.path.realpath(otsrw.theory.__file__)), "prelude.cafe")


class EntityKind(Enum):
    """What can be declared and referred to."""

    MODULE = "module"
    VIEW = "view"
    PARAMETER = "parameter"
    SORT = "sort"
    OPERATOR = "operator"
    VARIABLE = "variable"
    FILE = "file"


class TextEntity(NamedTuple):
    """Something that a word means; `declared` has the places of its name in its declarations."""

    kind: EntityKind
    name: str
    declared: tuple[TextStretch, ...]
    scope: Module | None = None
    """The module from which it is seen."""
    symbols: tuple[Symbol, ...] = ()


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


class Meanings:
    """Looks words up."""

    def __init__(self, project: TextProject) -> None:
        self.project = project
        self._by_word: WeakKeyDictionary[Signature, dict[str, list[Symbol]]] = WeakKeyDictionary()

    # --- words and scopes

    def word_at(self, file: TextFile, offset: int) -> WordInText | None:
        """The word under the cursor; a cursor right behind a word is on it."""
        if not file.placed:
            return None
        index = file.index_at(offset)
        shift = file.placed[index].shift
        found: WordInText | None = None
        for word in self.words(file, index):
            if word.start + shift <= offset <= word.end + shift:
                found = WordInText(file, index, word)
                if offset < word.end + shift and word.role is not WordRole.KEYWORD:
                    break
        return found

    @staticmethod
    def words(file: TextFile, index: int) -> Iterator[ChunkWord]:
        for statement in file.placed[index].chunk.statements:
            yield from words_of(statement)

    def scope(self, found: WordInText) -> Module | None:
        """The module whose names count where a word stands; None if there is none."""
        checked = self.project.checked_at(found.file, found.chunk)
        standing = found.word.standing
        if standing.context is not None:
            try:
                return self.project.checker.library(checked.after).evaluate(standing.context, _owner(found, checked))
            except OtsrwError:
                return None
        if standing.owner is not None:
            return _owner(found, checked)
        opened = [p.module for p in checked.passages if p.start <= found.word.start]
        return opened[-1] if opened else checked.after.selected

    # --- entities

    def entity(self, found: WordInText) -> TextEntity | None:
        """What a word means; None if it is a keyword, or means nothing."""
        match found.word.role:
            case WordRole.MODULE | WordRole.VIEW | WordRole.PARAMETER:
                return self._module(found)
            case WordRole.SORT:
                return self.sort(found.word.text, self.scope(found))
            case WordRole.OPERATOR:
                return self._operator(found, self.scope(found))
            case WordRole.VARIABLE:
                return self._variable(found, self.scope(found))
            case WordRole.TERM:
                return self._of_term(found)
            case WordRole.FILE:
                return self._file(found)
            case _:
                return None

    def _module(self, found: WordInText) -> TextEntity | None:
        name = found.word.text
        owner = found.word.standing.owner
        for parameter in owner.parameters if owner is not None else ():
            if parameter.name.text == name:
                return TextEntity(EntityKind.PARAMETER, name, (self._here(found, parameter.name.span),))
        after = self.project.checked_at(found.file, found.chunk).after
        view = after.views.get(name)
        module = after.modules.get(name)
        if found.word.role is WordRole.VIEW or (module is None and view is not None):
            return TextEntity(EntityKind.VIEW, name, self._views(name))
        module = module or self.project.checker.library(after).system(name)
        if module is None:
            return None
        return TextEntity(EntityKind.MODULE, name, self._places([module.span], name), module)

    def _views(self, name: str) -> tuple[TextStretch, ...]:
        found = []
        for file in self.project.files():
            for placed in file.placed:
                for statement in placed.chunk.statements:
                    if isinstance(statement, tree.ViewDeclaration) and statement.name.text == name:
                        span = statement.name.span
                        found.append(TextStretch(file.path, span.start + placed.shift, span.end + placed.shift))
        return tuple(found)

    def sort(self, text: str, scope: Module | None) -> TextEntity | None:
        """The sort of a name as a module sees it."""
        if scope is None:
            return None
        name = text.removeprefix("?").partition(".")[0]
        sorts = scope.visible_sorts().get(name, ())
        spans = [_sort_span(inner.span, name) for inner in scope.closure() for sort in sorts if sort in inner.sorts]
        places = self._places([span for span in spans if span is not None], name)
        return TextEntity(EntityKind.SORT, name, places or self._renamed(name), scope) if sorts else None

    def _operator(self, found: WordInText, scope: Module | None) -> TextEntity | None:
        statement = found.word.standing.statement
        if not isinstance(statement, tree.OperatorDeclaration) or scope is None:
            return self._operators(found, scope)
        words = [found.word.text] if statement.several else statement.name.words
        name = "".join(word for word in words if word not in "()")
        symbols = [
            symbol
            for symbol in scope.signature.symbols()
            if symbol.name.replace(" ", "") == name and symbol.nargs == len(statement.arity)
        ]
        places = (found.stretch,) if len(words) == 1 else (self._here(found, statement.name.span),)
        return TextEntity(EntityKind.OPERATOR, name, places, scope, tuple(symbols))

    def _variable(self, found: WordInText, scope: Module | None) -> TextEntity | None:
        name = found.word.text.partition(":")[0]
        places = self._variable_places(found, name, scope)
        return TextEntity(EntityKind.VARIABLE, name, places, scope)

    def _of_term(self, found: WordInText) -> TextEntity | None:
        scope = self.scope(found)
        if scope is None:
            return None
        text = found.word.text
        name, colon, sort = text.partition(":")
        if colon and sort and name and sort in scope.visible_sorts():
            return self._variable(found, scope)
        if text.startswith(":") and text[1:] in scope.visible_sorts():
            return self.sort(text[1:], scope)
        symbols = self.symbols(text, scope)
        if text in scope.variables or (not symbols and self._on_the_fly(found, text) is not None):
            return self._variable(found, scope)
        if symbols:
            return self._operators(found, scope)
        return self.sort(text, scope)

    def _operators(self, found: WordInText, scope: Module | None) -> TextEntity | None:
        text = found.word.text
        symbols = [] if scope is None else self.symbols(text, scope)
        if not symbols or scope is None:
            return None
        if len(symbols) > 1:
            used = self._used_symbols(found, scope)
            symbols = [symbol for symbol in symbols if symbol in used] or symbols
        local = self._local(found, text)
        spans = [decl.span for symbol in symbols for decl in symbol.decls]
        return TextEntity(
            EntityKind.OPERATOR, symbols[0].name, local or self._places(spans, text), scope, tuple(symbols)
        )

    def part(self, found: WordInText, entity: TextEntity, text: str) -> TextEntity:
        """An operator with the places of one of the words that it is written with."""
        spans = [decl.span for symbol in entity.symbols for decl in symbol.decls]
        return entity._replace(declared=self._local(found, text) or self._places(spans, text))

    def _local(self, found: WordInText, text: str) -> tuple[TextStretch, ...]:
        """Declarations in the passage around a word: equal passages share their operators."""
        if found.word.standing.owner is not None or found.word.standing.context is not None:
            return ()
        places = []
        for statement in found.placed.chunk.statements:
            if isinstance(statement, tree.OperatorDeclaration) and text in _name_parts(statement.name):
                places.append(self._here(found, _word_span(statement.name, text)))
        return tuple(places)

    def _file(self, found: WordInText) -> TextEntity | None:
        try:
            path = os.path.realpath(find_file(found.word.text, found.file.folder, []))
        except OtsrwError:
            return None
        return TextEntity(EntityKind.FILE, found.word.text, (TextStretch(path, 0, 0),))

    # --- operators by their words

    def symbols(self, word: str, scope: Module) -> list[Symbol]:
        """The operators of a module that are written with a word, or whose whole name it is."""
        found: list[Symbol] = []
        signature: Signature | None = scope.signature
        while signature is not None:
            found += self._index(signature).get(word, ())
            signature = signature.parent
        if not found and "." in word[1:-1]:
            return self.symbols(word.rpartition(".")[0], scope)
        return found

    def _index(self, signature: Signature) -> dict[str, list[Symbol]]:
        known = self._by_word.get(signature)
        if known is None:
            known = {}
            for symbol in signature.own_symbols:
                for word in {symbol.name, *symbol.words} - {"_", "(", ")", ",", "[", "]", "{", "}"}:
                    known.setdefault(word, []).append(symbol)
            self._by_word[signature] = known
        return known

    def _used_symbols(self, found: WordInText, scope: Module) -> set[Symbol]:
        """The operators that occur in the statement of a word; none if it cannot be read."""
        checked = self.project.checked_at(found.file, found.chunk)
        statement = found.word.standing.statement
        terms: list[Term] = []
        try:
            if isinstance(statement, tree.TermCommand):
                terms = [parse_term(statement.term, scope_of(scope))]
            elif isinstance(statement, tree.AxiomDeclaration):
                bare = OpenModule(scope, scope.signature)
                bare.variables = scope.variables
                axiom = read_axiom(statement, bare, self.project.checker.library(checked.after))
                terms = [] if axiom is None else [t for t in (axiom.lhs, axiom.rhs, axiom.condition) if t is not None]
        except OtsrwError:
            return set()
        return {symbol for term in terms for symbol in symbols_of(term)}

    # --- places

    def _here(self, found: WordInText, span: Span) -> TextStretch:
        shift = found.placed.shift
        return TextStretch(found.file.path, span.start + shift, span.end + shift)

    def _places(self, spans: list[Span], name: str) -> tuple[TextStretch, ...]:
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

    def _variable_places(self, found: WordInText, name: str, scope: Module | None) -> tuple[TextStretch, ...]:
        fly = self._on_the_fly(found, name)
        if fly is not None:
            return (self._here(found, fly),)
        owner = found.word.standing.owner
        items = owner.items if owner is not None else found.placed.chunk.statements
        declared = [_variable_span(item, name) for item in items]
        own = [self._here(found, span) for span in declared if span is not None]
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
    def _on_the_fly(found: WordInText, name: str) -> Span | None:
        """The `X:Sort` of a statement that declares a variable."""
        statement = found.word.standing.statement
        body = statement.body if isinstance(statement, tree.AxiomDeclaration) else None
        bubble = statement.term if isinstance(statement, tree.TermCommand) else body
        for index, word in enumerate(bubble.words if bubble is not None else ()):
            if bubble is not None and word.startswith(name + ":") and len(word) > len(name) + 1:
                start = bubble.starts[index]
                return Span(bubble.source, start, start + len(name))
        return None

    def _renamed(self, name: str) -> tuple[TextStretch, ...]:
        """Where a renaming gives something this name, or a declaration does."""
        found = []
        for file in self.project.files():
            for index, placed in enumerate(file.placed):
                if name not in placed.chunk.source.text:
                    continue
                for word in self.words(file, index):
                    if word.text == name and word.role is WordRole.SORT and _is_target(word):
                        found.append(WordInText(file, index, word).stretch)
        return tuple(found)


def _is_target(word: ChunkWord) -> bool:
    statement = word.standing.statement
    renames = isinstance(statement, (tree.ImportDeclaration, tree.Open, tree.ModuleDeclaration, tree.TermCommand))
    return word.declares or (renames and word.standing.context is None)


def _owner(found: WordInText, checked: CheckedChunk) -> Module | None:
    owner = found.word.standing.owner
    return None if owner is None else checked.after.modules.get(owner.name.text)


def _sort_span(module: Span, name: str) -> Span | None:
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

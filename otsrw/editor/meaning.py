"""What a word of a text means: a module, a view, a sort, an operator, a variable or a file, and where it is declared.

Terms do not know their places, so a word of a term is looked up in the signature. If several operators have the word,
the term is read, and those that occur in it are meant.
"""

from __future__ import annotations

import os
from enum import Enum
from weakref import WeakKeyDictionary

from otsrw.editor.checking import CheckedChunk
from otsrw.editor.places import DeclaredPlaces, WordInText, span_of_sort, words_in
from otsrw.editor.project import TextFile, TextProject, TextStretch
from otsrw.editor.words import WordRole
from otsrw.proofs.files import find_file
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.axioms import read_axiom
from otsrw.theory.modules import Module
from otsrw.theory.opened import OpenModule
from otsrw.theory.parsing import parse_term, scope_of
from otsrw.theory.signature import Signature
from otsrw.theory.terms import Symbol, Term, symbols_of


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


class Meanings:
    """Looks words up."""

    def __init__(self, project: TextProject) -> None:
        self.project = project
        self.places = DeclaredPlaces(project)
        self._by_word: WeakKeyDictionary[Signature, dict[str, list[Symbol]]] = WeakKeyDictionary()

    # --- words and scopes

    def word_at(self, file: TextFile, offset: int) -> WordInText | None:
        """The word under the cursor; a cursor right behind a word is on it."""
        if not file.placed:
            return None
        index = file.index_at(offset)
        shift = file.placed[index].shift
        found: WordInText | None = None
        for word in words_in(file, index):
            if word.start + shift <= offset <= word.end + shift:
                found = WordInText(file, index, word)
                if offset < word.end + shift and word.role is not WordRole.KEYWORD:
                    break
        return found

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
                return TextEntity(EntityKind.PARAMETER, name, (found.place(parameter.name.span),))
        after = self.project.checked_at(found.file, found.chunk).after
        view = after.views.get(name)
        module = after.modules.get(name)
        if found.word.role is WordRole.VIEW or (module is None and view is not None):
            return TextEntity(EntityKind.VIEW, name, self.places.of_view(name))
        module = module or self.project.checker.library(after).system(name)
        if module is None:
            return None
        return TextEntity(EntityKind.MODULE, name, self.places.of_names([module.span], name), module)

    def sort(self, text: str, scope: Module | None) -> TextEntity | None:
        """The sort of a name as a module sees it."""
        if scope is None:
            return None
        name = text.removeprefix("?").partition(".")[0]
        sorts = scope.visible_sorts().get(name, ())
        spans = [span_of_sort(inner.span, name) for inner in scope.closure() for sort in sorts if sort in inner.sorts]
        places = self.places.of_names([span for span in spans if span is not None], name)
        return TextEntity(EntityKind.SORT, name, places or self.places.renamed(name), scope) if sorts else None

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
        places = (found.stretch,) if len(words) == 1 else (found.place(statement.name.span),)
        return TextEntity(EntityKind.OPERATOR, name, places, scope, tuple(symbols))

    def _variable(self, found: WordInText, scope: Module | None) -> TextEntity | None:
        name = found.word.text.partition(":")[0]
        places = self.places.of_variable(found, name, scope)
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
        if text in scope.variables or (not symbols and self.places.on_the_fly(found, text) is not None):
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
        local = self.places.local(found, text)
        spans = [decl.span for symbol in symbols for decl in symbol.decls]
        return TextEntity(
            EntityKind.OPERATOR, symbols[0].name, local or self.places.of_names(spans, text), scope, tuple(symbols)
        )

    def part(self, found: WordInText, entity: TextEntity, text: str) -> TextEntity:
        """An operator with the places of one of the words that it is written with."""
        spans = [decl.span for symbol in entity.symbols for decl in symbol.decls]
        return entity._replace(declared=self.places.local(found, text) or self.places.of_names(spans, text))

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


def _owner(found: WordInText, checked: CheckedChunk) -> Module | None:
    owner = found.word.standing.owner
    return None if owner is None else checked.after.modules.get(owner.name.text)

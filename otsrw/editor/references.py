"""Where something is referred to, through modules, views and renamings; and what changes if it gets another name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from otsrw.editor.meaning import PRELUDE, EntityKind, Meanings, TextEntity, WordInText
from otsrw.editor.project import TextFile, TextStretch
from otsrw.editor.words import ChunkWord, WordRole
from otsrw.syntax.lexer import KEYWORDS
from otsrw.theory.modules import Module

_PLAIN_NAME = re.compile(r'[^\s()\[\]{},;"_:.]+')
_RENAMED = frozenset((EntityKind.MODULE, EntityKind.VIEW, EntityKind.SORT, EntityKind.OPERATOR, EntityKind.VARIABLE))


def references(meanings: Meanings, asked: WordInText) -> list[TextStretch]:
    """Every place that means what a word means, declarations too; empty if it means nothing."""
    entity = meanings.entity(asked)
    if entity is None:
        return []
    return sorted({stretch for _, stretch in _found(meanings, asked, entity)})


def _found(meanings: Meanings, asked: WordInText, entity: TextEntity) -> Iterator[tuple[str, TextStretch]]:
    """The names and places of all references."""
    names = _names(meanings, entity)
    pattern = re.compile("|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)))
    declared = set(entity.declared)
    for file, index in _where(meanings, asked, entity):
        if pattern.search(file.placed[index].chunk.source.text) is None:
            continue
        for word in meanings.words(file, index):
            name = next((name for name in names if _at(word, name, entity.kind) is not None), None)
            if name is None or word.role is WordRole.KEYWORD:
                continue
            found = WordInText(file, index, word)
            stretch = _part(found, name, entity.kind)
            if stretch in declared or _means(meanings, found, entity, declared):
                yield name, stretch


def _means(meanings: Meanings, found: WordInText, entity: TextEntity, declared: set[TextStretch]) -> bool:
    other = meanings.entity(found)
    if entity.kind is EntityKind.SORT and (other is None or other.kind is EntityKind.VARIABLE):
        other = meanings.sort(found.word.text.rpartition(":")[2], meanings.scope(found))
    if other is None or other.kind is not entity.kind:
        return False
    if not declared:
        return other.name == entity.name
    return not declared.isdisjoint(other.declared)


def _where(meanings: Meanings, asked: WordInText, entity: TextEntity) -> Iterator[tuple[TextFile, int]]:
    """The chunks in which there may be references: what a passage declares is known there only."""
    local = entity.kind in (EntityKind.OPERATOR, EntityKind.VARIABLE) and not asked.placed.chunk.defines
    if local and all(_inside(asked, stretch) for stretch in entity.declared):
        yield asked.file, asked.chunk
        return
    for file in meanings.project.files():
        for index in range(len(file.placed)):
            yield file, index


def _inside(asked: WordInText, stretch: TextStretch) -> bool:
    placed = asked.placed
    return stretch.path == asked.file.path and placed.start <= stretch.start < placed.end


def _names(meanings: Meanings, entity: TextEntity) -> set[str]:
    """The words by which something is called, in modules that rename it as well."""
    if entity.kind is not EntityKind.OPERATOR:
        return {entity.name}
    spans = {decl.span for symbol in entity.symbols for decl in symbol.decls}
    names = {word for symbol in entity.symbols for word in (symbol.name, *symbol.words)}
    for module in _modules(meanings):
        for decl in module.decls:
            if decl.span in spans:
                names.update((decl.text, *decl.name))
    return names - {"_", "(", ")", ",", "[", "]", "{", "}"}


def _modules(meanings: Meanings) -> set[Module]:
    ends = [file.checked[max(file.checked)] for file in meanings.project.files() if file.checked]
    return {inner for end in ends for module in end.after.modules.values() for inner in module.closure()}


def _at(word: ChunkWord, name: str, kind: EntityKind) -> int | None:
    """Where in a word a name stands: at its start, after a colon for sorts, between underscores for operators."""
    text = word.text
    if text == name:
        return 0
    if kind is EntityKind.VARIABLE and text.startswith(name + ":"):
        return 0
    if kind is EntityKind.SORT and text.endswith(":" + name):
        return len(text) - len(name)
    if kind in (EntityKind.SORT, EntityKind.OPERATOR) and text.startswith(name + "."):
        return 0
    if kind is EntityKind.OPERATOR and "_" in text and name in text.split("_"):
        return text.index(name)
    return None


def _part(found: WordInText, name: str, kind: EntityKind) -> TextStretch:
    at = _at(found.word, name, kind) or 0
    start = found.stretch.start + at
    return TextStretch(found.file.path, start, start + len(name))


class RefusedRename(Exception):
    """Something cannot be called so; the message says why."""


def renaming(meanings: Meanings, asked: WordInText, new: str) -> list[TextStretch]:
    """The places that change if what a word means gets another name; raises `RefusedRename`."""
    name = renamable_part(meanings, asked)
    entity = meanings.entity(asked)
    assert entity is not None
    if _PLAIN_NAME.fullmatch(new) is None or new in KEYWORDS:
        raise RefusedRename(f"{new!r} is not a plain name")
    scope = entity.scope
    if scope is not None and _is_taken(meanings, new, entity, scope):
        raise RefusedRename(f"there is already something called {new!r} here")
    return sorted({stretch for found, stretch in _found(meanings, asked, entity) if found == name})


def renamable_part(meanings: Meanings, asked: WordInText) -> str:
    """The name that a rename would change; raises `RefusedRename` if it cannot be changed."""
    entity = meanings.entity(asked)
    if entity is None or entity.kind not in _RENAMED:
        raise RefusedRename("this has no name that can be changed")
    if any(stretch.path == PRELUDE for stretch in entity.declared) or not entity.declared:
        raise RefusedRename(f"{entity.name!r} is built in")
    if entity.kind is not EntityKind.OPERATOR:
        return entity.name
    words = [word for symbol in entity.symbols[:1] for word in symbol.words if word != "_"]
    if len(words) != 1 or _PLAIN_NAME.fullmatch(words[0]) is None:
        raise RefusedRename(f"{entity.name!r} is written with several words")
    return words[0]


def _is_taken(meanings: Meanings, new: str, entity: TextEntity, scope: Module) -> bool:
    match entity.kind:
        case EntityKind.SORT:
            return new in scope.visible_sorts()
        case EntityKind.MODULE | EntityKind.VIEW:
            return any(module.name == new for module in _modules(meanings))
        case _:
            return new in scope.variables or bool(meanings.symbols(new, scope))

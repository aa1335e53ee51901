"""Where something is referred to, through modules, views and renamings; and what changes if it gets another name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from otsrw.editor.meaning import EntityKind, Meanings, TextEntity
from otsrw.editor.places import PRELUDE, WordInText, words_in
from otsrw.editor.project import TextFile, TextStretch
from otsrw.editor.words import ChunkWord, WordRole
from otsrw.records import NamedTuple
from otsrw.syntax.lexer import KEYWORDS
from otsrw.theory.modules import Module

_PLAIN_NAME = re.compile(r'[^\s()\[\]{},;"_:.]+')
_RENAMED = frozenset((EntityKind.MODULE, EntityKind.VIEW, EntityKind.SORT, EntityKind.OPERATOR, EntityKind.VARIABLE))


def references(meanings: Meanings, asked: WordInText) -> list[TextStretch]:
    """Every place that means what a word means, declarations too; empty if it means nothing."""
    entity = meanings.entity(asked)
    if entity is None:
        return []
    return sorted(set(_found(meanings, asked, entity, _names(meanings, entity))))


def _found(meanings: Meanings, asked: WordInText, entity: TextEntity, names: set[str]) -> Iterator[TextStretch]:
    """The places where something is called by one of these names."""
    pattern = re.compile("|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)))
    declared = set(entity.declared)
    for file, index in _where(meanings, asked, entity):
        if pattern.search(file.placed[index].chunk.source.text) is None:
            continue
        for word in words_in(file, index):
            name = next((name for name in names if _at(word, name, entity.kind) is not None), None)
            if name is None or word.role is WordRole.KEYWORD:
                continue
            found = WordInText(file, index, word)
            stretch = _part(found, name, entity.kind)
            if stretch in declared or _means(meanings, found, entity, declared):
                yield stretch


def _means(meanings: Meanings, found: WordInText, entity: TextEntity, declared: set[TextStretch]) -> bool:
    other = meanings.entity(found)
    if entity.kind is EntityKind.SORT and (other is None or other.kind is EntityKind.VARIABLE):
        other = meanings.sort(found.word.text.rpartition(":")[2], meanings.scope(found))
    if other is None or other.kind is not entity.kind:
        return False
    if not declared:
        return other.name == entity.name
    return any(_holds(one, another) or _holds(another, one) for one in other.declared for another in declared)


def _holds(stretch: TextStretch, inner: TextStretch) -> bool:
    """Is one place inside of another? The word of an operator is inside of its name."""
    return stretch.path == inner.path and stretch.start <= inner.start and inner.end <= stretch.end


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


class RenamedName(NamedTuple):
    """A name that can be changed, and what it is the name of; of an operator it may be one word of several."""

    name: str
    entity: TextEntity


def renaming(meanings: Meanings, asked: WordInText, offset: int, new: str) -> list[TextStretch]:
    """The places that change if what is written at an offset gets another name; raises `RefusedRename`."""
    renamed = renamed_name(meanings, asked, offset)
    if _PLAIN_NAME.fullmatch(new) is None or new in KEYWORDS:
        raise RefusedRename(f"{new!r} is not a plain name")
    scope = renamed.entity.scope
    if scope is not None and _is_taken(meanings, new, renamed.entity, scope):
        raise RefusedRename(f"there is already something called {new!r} here")
    return renamed_places(meanings, asked, renamed)


def renamed_places(meanings: Meanings, asked: WordInText, renamed: RenamedName) -> list[TextStretch]:
    """Every place where a name stands that can be changed."""
    return sorted(set(_found(meanings, asked, renamed.entity, {renamed.name})))


def renamed_name(meanings: Meanings, asked: WordInText, offset: int) -> RenamedName:
    """The name that a rename would change; raises `RefusedRename` if it cannot be changed."""
    entity = meanings.entity(asked)
    if entity is None or entity.kind not in _RENAMED:
        raise RefusedRename("this has no name that can be changed")
    if any(stretch.path == PRELUDE for stretch in entity.declared) or not entity.declared:
        raise RefusedRename(f"{entity.name!r} is built in")
    if entity.kind is not EntityKind.OPERATOR:
        return RenamedName(entity.name, entity)
    words = [word for symbol in entity.symbols[:1] for word in symbol.words if word != "_"]
    word = words[0] if len(words) == 1 else _word_under(asked, offset, words)
    if word is None:
        raise RefusedRename(f"put the cursor on one word of {entity.name!r}")
    if _PLAIN_NAME.fullmatch(word) is None:
        raise RefusedRename(f"{word!r} is no plain name: it may stand without blanks around it")
    if len(words) == 1:
        return RenamedName(word, entity)
    _check_part(meanings, entity, word, words)
    return RenamedName(word, meanings.part(asked, entity, word))


def _word_under(asked: WordInText, offset: int, words: list[str]) -> str | None:
    """The word of an operator at an offset: a word of a term, or a part of the name in a declaration."""
    start = asked.stretch.start
    for part in asked.word.text.split("_"):
        if part in words and start <= offset <= start + len(part):
            return part
        start += len(part) + 1
    return None


def _check_part(meanings: Meanings, entity: TextEntity, word: str, words: list[str]) -> None:
    """Refuse to change a word of an operator that could be taken for one of something else."""
    if words.count(word) > 1:
        raise RefusedRename(f"{entity.name!r} is written with {word!r} more than once")
    name = entity.symbols[0].decls[0].text
    spans = {decl.span for symbol in entity.symbols for decl in symbol.decls}
    having = (decl for module in _modules(meanings) for decl in module.decls if word in decl.name)
    if any(decl.span not in spans or decl.text != name for decl in having):
        raise RefusedRename(f"{word!r} is a word of another operator, too")


def _is_taken(meanings: Meanings, new: str, entity: TextEntity, scope: Module) -> bool:
    match entity.kind:
        case EntityKind.SORT:
            return new in scope.visible_sorts()
        case EntityKind.MODULE | EntityKind.VIEW:
            return any(module.name == new for module in _modules(meanings))
        case _:
            return new in scope.variables or bool(meanings.symbols(new, scope))

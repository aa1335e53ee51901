"""The names that may stand where the cursor is."""

from __future__ import annotations

import re

from otsrw.editor.describing import rank_of
from otsrw.editor.kinds import NameKind, kind_of
from otsrw.editor.meaning import Meanings
from otsrw.editor.project import TextFile
from otsrw.editor.roles import role_of
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.theory.modules import Module

_MODULE = re.compile(r"(?:^|\s)(?:open|select|red\s+in|reduce\s+in|from|to|(?:pr|ex|inc|us|\w+ing)\s*\()\s*\S*$")
_SORT = re.compile(r"^\s*(?:op|ops|bop|bops|pred|var|vars)\s.*:[^:]*$|\S:[^\s:]*$")
_FIRST = re.compile(r"^\s*\S*$")
_NAMES = re.compile(r"^\s*(?:mod(?:ule)?[!*]?)\s+(\S+)", re.MULTILINE)
_STARTING = (
    "mod!", "mod*", "op", "ops", "bop", "var", "vars", "eq", "ceq", "open", "close", "red", "pr", "inc", "ex", "view",
    "select", "in", "let", "trans", "ctrans",
)  # fmt: skip


class Offer(NamedTuple):
    """A name with what it is."""

    name: str
    kind: NameKind
    detail: str = ""


def offers(meanings: Meanings, file: TextFile, offset: int) -> list[Offer]:
    """What may stand at an offset, as far as the words before it on the line tell."""
    line = file.text[file.text.rfind("\n", 0, offset) + 1 : offset]
    if _MODULE.search(line):
        return _modules(meanings, file, offset)
    scope = scope_at(meanings, file, offset)
    if _SORT.search(line):
        return _sorts(scope)
    found = [] if scope is None else [*_variables(scope), *_operators(scope)]
    if _FIRST.match(line):
        found = [*(Offer(word, NameKind.KEYWORD) for word in _STARTING), *found]
    return found


def scope_at(meanings: Meanings, file: TextFile, offset: int) -> Module | None:
    """The module whose names count at an offset, even if the text there cannot be read yet."""
    if not file.placed:
        return None
    index = file.index_at(offset)
    placed = file.placed[index]
    checked = meanings.project.checked_at(file, index)
    passages = [passage.module for passage in checked.passages if passage.start + placed.shift <= offset]
    if passages:
        return passages[-1]
    before = [s for s in placed.chunk.statements if s.span.start + placed.shift <= offset]
    last = before[-1] if before else None
    if isinstance(last, tree.TermCommand) and last.module is not None:
        names = [last.module.span.text]
    else:
        names = _NAMES.findall(file.text[placed.start : offset])
    if not names:
        return checked.after.selected
    return checked.after.modules.get(names[-1]) or meanings.project.last_known(file.path, names[-1])


def _modules(meanings: Meanings, file: TextFile, offset: int) -> list[Offer]:
    index = file.index_at(offset)
    after = meanings.project.checked_at(file, index).after
    names = {**after.modules, **after.views}
    built_in = ("NAT", "INT", "BOOL", "STRING", "QID", "EQL", "TRIV")
    return [Offer(name, NameKind.MODULE) for name in (*names, *built_in)]


def _sorts(scope: Module | None) -> list[Offer]:
    sorts = {} if scope is None else scope.visible_sorts()
    return [Offer(name, NameKind.SORT, found[0].module) for name, found in sorts.items()]


def _variables(scope: Module) -> list[Offer]:
    return [Offer(name, NameKind.VARIABLE, term.sort.name) for name, term in scope.variables.items()]


def _operators(scope: Module) -> list[Offer]:
    found: dict[str, Offer] = {}
    for symbol in scope.signature.symbols():
        if not symbol.decls:
            continue
        kind = kind_of(role_of(symbol, scope))
        for word in symbol.words:
            if word not in "_(),[]{}" and word not in found:
                found[word] = Offer(word, kind, rank_of(symbol.decls[0]))
    return list(found.values())

"""The outline of a text: modules with what they declare, views, passages."""

from __future__ import annotations

from otsrw.editor.kinds import NameKind, kind_of
from otsrw.editor.project import PlacedChunk, TextFile, TextProject
from otsrw.editor.roles import roles_in
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.source import Span
from otsrw.theory.modules import Module


class OutlineEntry(NamedTuple):
    """Something with a name: its whole stretch, the stretch of its name, and what is in it."""

    name: str
    detail: str
    kind: NameKind
    start: int
    end: int
    name_start: int
    name_end: int
    children: tuple[OutlineEntry, ...] = ()


def outline_of(project: TextProject, file: TextFile) -> list[OutlineEntry]:
    """The entries of a text in order."""
    found = []
    for index, placed in enumerate(file.placed):
        statements = placed.chunk.statements
        for number, statement in enumerate(statements):
            following = statements[number + 1] if number + 1 < len(statements) else None
            end = placed.end if following is None else following.span.start + placed.shift

            match statement:
                case tree.ModuleDeclaration():
                    module = project.checked_at(file, index).after.modules.get(statement.name.text)
                    found.append(_module(statement, module, placed, end))
                case tree.ViewDeclaration():
                    found.append(_entry(statement.name, NameKind.VIEW, placed, statement.span, end))
                case tree.Open() if statement.module is not None:
                    found.append(_passage(statement, statements[number:], placed))
    return found


def _entry(
    name: tree.Named,
    kind: NameKind,
    placed: PlacedChunk,
    start: Span,
    end: int,
    detail: str = "",
    children: tuple[OutlineEntry, ...] = (),
) -> OutlineEntry:
    shift = placed.shift
    first, last = name.span.start + shift, name.span.end + shift
    begin = min(start.start + shift, first)
    return OutlineEntry(name.text, detail, kind, begin, max(end, last), first, last, children)


def _module(declaration: tree.ModuleDeclaration, module: Module | None, placed: PlacedChunk, end: int) -> OutlineEntry:
    roles = {} if module is None else {decl.span: role for decl, role in roles_in(module).items()}
    children = []
    for item in declaration.items:
        match item:
            case tree.SortDeclaration():
                names = (name for group in item.groups for level in group for name in level)
                children += [_entry(name, NameKind.SORT, placed, name.span, 0) for name in names]
            case tree.OperatorDeclaration():
                kind = kind_of(roles.get(item.span))
                rank = " ".join([*map(str, item.arity), "->", str(item.coarity or "Bool")])
                children += [_entry(name, kind, placed, item.span, 0, rank) for name in operator_names(item)]
    detail = declaration.keyword
    return _entry(declaration.name, NameKind.MODULE, placed, declaration.span, end, detail, tuple(children))


def operator_names(item: tree.OperatorDeclaration) -> list[tree.Named]:
    """The names that an `op` or `ops` declares."""
    if not item.several:
        return [tree.Named(item.name.span.text, item.name.span)]
    words = zip(item.name.words, range(len(item.name)), strict=True)
    return [tree.Named(word, item.name.span_of(index)) for word, index in words if word not in "()"]


def _passage(opened: tree.Open, statements: list[tree.Statement], placed: PlacedChunk) -> OutlineEntry:
    end = next((s.span.end for s in statements if isinstance(s, tree.Close)), statements[-1].span.end)
    assert opened.module is not None
    span = opened.module.span
    reductions = [s.term.text for s in statements if isinstance(s, tree.TermCommand)]
    detail = reductions[0][:60] if reductions else ""
    name = tree.Named(f"open {span.text}", span)
    return _entry(name, NameKind.PASSAGE, placed, opened.span, end + placed.shift, detail)

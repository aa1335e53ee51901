"""Every word of a statement with the part it plays: what stands under the cursor, what has which colour."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from otsrw.records import NamedTuple
from otsrw.syntax import tree


class WordRole(Enum):
    """What a word is, as far as the tree of the text tells."""

    MODULE = "module"
    VIEW = "view"
    PARAMETER = "parameter"
    SORT = "sort"
    OPERATOR = "operator"
    VARIABLE = "variable"
    TERM = "term"
    """A word of a term, of an axiom or of a mapping: only a signature tells more."""
    ATTRIBUTE = "attribute"
    FILE = "file"
    KEYWORD = "keyword"


class Standing(NamedTuple):
    """Where a word stands: the statement, the module declaration around it, and the module whose names count.

    Without a `context` the names are those of the declaration around it, or of the open passage.
    """

    statement: tree.Statement
    owner: tree.ModuleDeclaration | None
    context: tree.ModuleExpression | None


class ChunkWord(NamedTuple):
    """A word with its offsets in the source of its chunk."""

    text: str
    start: int
    end: int
    role: WordRole
    declares: bool
    standing: Standing


def words_of(statement: tree.Statement) -> Iterator[ChunkWord]:
    """The words of a statement, in no particular order."""
    return _words(statement, None)


def _words(statement: tree.Statement, owner: tree.ModuleDeclaration | None) -> Iterator[ChunkWord]:
    standing = Standing(statement, owner, None)
    keyword = getattr(statement, "span", None)
    if keyword is not None and not isinstance(statement, (tree.Echo, tree.SortDeclaration)):
        yield ChunkWord(keyword.text, keyword.start, keyword.end, WordRole.KEYWORD, False, standing)
    match statement:
        case tree.ModuleDeclaration():
            yield from _module(statement)
        case tree.ViewDeclaration():
            yield _named(statement.name, WordRole.VIEW, standing, True)
            yield from _expression(statement.source, standing)
            yield from _expression(statement.target, standing)
            yield from _mappings(statement.mappings, standing, statement.source, statement.target)
        case tree.ImportDeclaration() | tree.Open() | tree.Select():
            if statement.module is not None:
                yield from _expression(statement.module, standing)
        case tree.TermCommand():
            if statement.module is not None:
                yield from _expression(statement.module, standing)
            inside = standing._replace(context=statement.module)
            yield from _bubble(statement.term, WordRole.TERM, inside)
        case tree.LineCommand():
            if statement.keyword in ("in", "input", "load", "require"):
                yield from _bubble(statement.body, WordRole.FILE, standing)
        case _:
            yield from _item(statement, standing)


def _module(declaration: tree.ModuleDeclaration) -> Iterator[ChunkWord]:
    standing = Standing(declaration, declaration, None)
    yield _named(declaration.name, WordRole.MODULE, standing, True)
    for parameter in declaration.parameters:
        yield _named(parameter.name, WordRole.PARAMETER, standing, True)
        yield from _expression(parameter.theory, standing)
    if declaration.principal is not None:
        yield _named(declaration.principal, WordRole.SORT, standing)
    for item in declaration.items:
        yield from _words(item, declaration)


def _item(item: tree.Statement, standing: Standing) -> Iterator[ChunkWord]:
    match item:
        case tree.SortDeclaration():
            for name in (name for group in item.groups for level in group for name in level):
                yield _named(name, WordRole.SORT, standing, True)
        case tree.OperatorDeclaration():
            yield from _bubble(item.name, WordRole.OPERATOR, standing, True)
            for sort in (*item.arity, *([] if item.coarity is None else [item.coarity])):
                yield _named(sort, WordRole.SORT, standing)
            if item.attributes is not None:
                yield from _bubble(item.attributes, WordRole.ATTRIBUTE, standing)
        case tree.AttributeDeclaration():
            yield from _bubble(item.name, WordRole.OPERATOR, standing)
            yield from _bubble(item.attributes, WordRole.ATTRIBUTE, standing)
        case tree.VariableDeclaration():
            for name in item.names:
                yield _named(name, WordRole.VARIABLE, standing, True)
            yield _named(item.sort, WordRole.SORT, standing)
        case tree.AxiomDeclaration() | tree.LetDeclaration():
            yield from _bubble(item.body, WordRole.TERM, standing)


def _expression(expression: tree.ModuleExpression, standing: Standing) -> Iterator[ChunkWord]:
    match expression:
        case tree.ModuleName(name):
            yield _named(name, WordRole.MODULE, standing)
        case tree.Sum(parts):
            for part in parts:
                yield from _expression(part, standing)
        case tree.Renaming(inner, mappings):
            yield from _expression(inner, standing)
            yield from _mappings(mappings, standing, inner, None)
        case tree.Instantiation(inner, arguments):
            yield from _expression(inner, standing)
            for argument in arguments:
                yield from _expression(argument.target, standing)
                yield from _mappings(argument.mappings or (), standing, None, argument.target)


def _mappings(
    mappings: tuple[tree.Mapping, ...],
    standing: Standing,
    source: tree.ModuleExpression | None,
    target: tree.ModuleExpression | None,
) -> Iterator[ChunkWord]:
    """What a mapping takes is a name of `source`, what it gives one of `target`: a new name if there is no target."""
    for mapping in mappings:
        role = WordRole.SORT if mapping.kind == "sort" else WordRole.TERM
        if source is not None:
            yield from _bubble(mapping.source, role, standing._replace(context=source))
        if target is not None:
            yield from _bubble(mapping.target, role, standing._replace(context=target))
        elif mapping.kind == "op":
            yield from _bubble(mapping.target, WordRole.OPERATOR, standing)
        elif mapping.kind == "sort":
            yield from _bubble(mapping.target, WordRole.SORT, standing)


def _named(name: tree.Named, role: WordRole, standing: Standing, declares: bool = False) -> ChunkWord:
    return ChunkWord(name.text, name.span.start, name.span.end, role, declares, standing)


def _bubble(bubble: tree.Bubble, role: WordRole, standing: Standing, declares: bool = False) -> Iterator[ChunkWord]:
    for text, start, end in zip(bubble.words, bubble.starts, bubble.ends, strict=True):
        yield ChunkWord(text, start, end, role, declares, standing)

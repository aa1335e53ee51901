"""Changes that an editor offers: missing frame equations, missing inequalities, `ceq` for `eq`, a name misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from otsrw.application.frames import frames_of
from otsrw.editor.lenses import is_system
from otsrw.editor.project import TextFile, TextProject
from otsrw.editor.roles import ots_of
from otsrw.ots.frames import missing_frames
from otsrw.reasoning.inequalities import inequalities
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError
from otsrw.syntax.source import Source
from otsrw.theory.printing import show_plainly

_SUGGESTED = re.compile(r"'([^']+)'")
_CONDITIONAL = {"eq": "ceq", "beq": "bceq", "trans": "ctrans", "tr": "ctr", "rule": "crule", "rl": "crl"}


class TextChange(NamedTuple):
    """A stretch of a text and what replaces it."""

    start: int
    end: int
    new: str


class Mend(NamedTuple):
    """A change with its name; `problem` is what it solves, None if it is only an offer."""

    title: str
    changes: tuple[TextChange, ...]
    problem: Diagnostic | None = None


def mends(project: TextProject, file: TextFile, start: int, end: int) -> list[Mend]:
    """What can be mended between two offsets."""
    first, last = file.index_at(start), file.index_at(end)
    found: list[Mend] = []
    for index in range(first, last + 1):
        placed = file.placed[index]
        inner = (start - placed.shift, end - placed.shift)
        found += _spellings(project, file, index, inner)
        for statement in placed.chunk.statements:
            found += _conditionals(statement, placed.shift, inner)
            if isinstance(statement, tree.ModuleDeclaration) and _touches(statement, inner):
                found += _of_module(project, file, index, statement)
    return found


def _touches(module: tree.ModuleDeclaration, inner: tuple[int, int]) -> bool:
    last = module.items[-1].span.end if module.items else module.name.span.end
    return module.span.start <= inner[1] and inner[0] <= last


def _spellings(project: TextProject, file: TextFile, index: int, inner: tuple[int, int]) -> Iterator[Mend]:
    """The names that a message suggests for a misspelt one."""
    shift = file.placed[index].shift
    for problem in project.checked_at(file, index).problems:
        span = problem.span
        near = span.source is file.placed[index].chunk.source and span.start <= inner[1] and inner[0] <= span.end
        if near and problem.hint is not None and problem.hint.startswith("did you mean"):
            for word in _SUGGESTED.findall(problem.hint):
                yield Mend(f"write {word!r}", (TextChange(span.start + shift, span.end + shift, word),), problem)


def _conditionals(statement: tree.Statement, shift: int, inner: tuple[int, int]) -> Iterator[Mend]:
    """`eq l = r if c .` is meant to be a `ceq`."""
    items = statement.items if isinstance(statement, tree.ModuleDeclaration) else (statement,)
    for item in items:
        if not isinstance(item, tree.AxiomDeclaration) or item.keyword not in _CONDITIONAL:
            continue
        if item.span.start <= inner[1] and inner[0] <= item.body.span.end and _has_condition(item.body.words):
            new = _CONDITIONAL[item.keyword]
            yield Mend(
                f"write {new!r} for {item.keyword!r}",
                (TextChange(item.span.start + shift, item.span.end + shift, new),),
            )


def _has_condition(words: list[str]) -> bool:
    """Is there an `if` outside parentheses that no `then` follows?"""
    depth = 0
    for index, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if word == "if" and depth == 0 and "then" not in words[index:]:
            return True
    return False


def _of_module(project: TextProject, file: TextFile, index: int, module: tree.ModuleDeclaration) -> Iterator[Mend]:
    checked = project.checked_at(file, index)
    made = checked.after.modules.get(module.name.text)
    if made is None or checked.chunk.problems:
        return
    ots = ots_of(made)
    if ots is not None and is_system(ots) and any(missing_frames(ots)):
        yield from _frames(file, module.name.text)
    if made.all_parameters() or any(problem.is_error for problem in checked.problems):
        return
    own = set(made.sorts)
    missing = [each.left for each in inequalities(made) if each.left.args and each.left.args[0].sort in own]
    if missing:
        shift = file.placed[index].shift
        end = closing_brace(checked.chunk.source, module, checked.chunk.statements)
        lines = "".join(f"  eq {show_plainly(each)} = false .\n" for each in missing)
        yield Mend(f"add that the constructors of {module.name.text} differ", (_insertion(file, end + shift, lines),))


def _frames(file: TextFile, name: str) -> Iterator[Mend]:
    source = Source(file.path, file.text, file.folder)
    try:
        found = [framed for framed in frames_of(source) if framed.name == name]
    except OtsrwError:
        return
    for framed in found:
        lines = "".join(f"  {equation}\n" for equation in framed.equations)
        yield Mend(f"add the missing frame equations of {name}", (_insertion(file, framed.place, lines),))


def _insertion(file: TextFile, brace: int, lines: str) -> TextChange:
    """New lines before a closing brace."""
    start = file.text.rfind("\n", 0, brace) + 1
    alone = not file.text[start:brace].strip()
    place = start if alone else brace
    return TextChange(place, place, lines if alone else "\n" + lines)


def closing_brace(source: Source, module: tree.ModuleDeclaration, statements: list[tree.Statement]) -> int:
    """The offset of the brace that ends a module."""
    after = next((s.span.start for s in statements if s.span.start > module.span.start), len(source.text))
    return source.text.rfind("}", module.span.start, after)

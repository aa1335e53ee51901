"""What can be run, above the line it is about, with what it gave when it was run."""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.editor.evaluating import is_reduction
from otsrw.editor.project import TextFile, TextProject
from otsrw.editor.roles import ots_of
from otsrw.editor.running import AskedCommand, RunResults, title
from otsrw.ots.model import Invariant, Ots
from otsrw.records import NamedTuple
from otsrw.syntax import tree

RUN = "otsrw.run"
ASK = {AskedCommand.SEARCH: "otsrw.search", AskedCommand.IGF: "otsrw.igf"}


class Lens(NamedTuple):
    """A command above a line; `start` is the offset of what it is about."""

    start: int
    title: str
    command: str
    arguments: tuple[str | int, ...]


class StatedInvariant(NamedTuple):
    """An invariant of an OTS with the offset of its declaration in the text."""

    ots: Ots
    invariant: Invariant
    start: int
    end: int


def lenses(project: TextProject, results: RunResults, file: TextFile) -> list[Lens]:
    """All lenses of a text in order."""
    found = [*_reductions(results, file), *_invariants(project, results, file)]
    return sorted(found, key=lambda lens: lens.start)


def values(results: RunResults, file: TextFile) -> Iterator[tuple[int, str]]:
    """The reductions that were run: where they start, and their values."""
    for index, placed in enumerate(file.placed):
        for statement in placed.chunk.statements:
            if is_reduction(statement):
                value = results.value(file, index, statement.span.start)
                if value is not None:
                    yield statement.span.start + placed.shift, value


def _reductions(results: RunResults, file: TextFile) -> Iterator[Lens]:
    for index, placed in enumerate(file.placed):
        for statement in placed.chunk.statements:
            if is_reduction(statement):
                start = statement.span.start + placed.shift
                value = results.value(file, index, statement.span.start)
                shown = "run" if value is None else f"= {title(value)}"
                yield Lens(start, shown, RUN, (file.path, file.lines.position(start)[0]))


def _invariants(project: TextProject, results: RunResults, file: TextFile) -> Iterator[Lens]:
    for stated in stated_invariants(project, file):
        module, name = stated.ots.module, stated.invariant.name
        for question in AskedCommand:
            finding = results.finding(file, module, name, question)
            shown = question.value if finding is None else f"{question.value}: {title(finding.verdict)}"
            yield Lens(stated.start, shown, ASK[question], (file.path, module.name, name))


def stated_invariants(project: TextProject, file: TextFile) -> Iterator[StatedInvariant]:
    """The invariants that are declared in a text, each in the OTS of its own module."""
    for index, placed in enumerate(file.placed):
        for statement in placed.chunk.statements:
            if not isinstance(statement, tree.ModuleDeclaration):
                continue
            module = project.checked_at(file, index).after.modules.get(statement.name.text)
            ots = None if module is None else ots_of(module)
            if ots is None or not is_system(ots):
                continue
            for invariant in ots.invariants:
                span = invariant.operator.symbol.decls[0].span
                if span.source is placed.chunk.source:
                    declaration = placed.chunk.source.declarations.get(span.start)
                    end = declaration.name.span.end if isinstance(declaration, tree.OperatorDeclaration) else span.end
                    yield StatedInvariant(ots, invariant, span.start + placed.shift, end + placed.shift)


def is_system(ots: Ots) -> bool:
    """Is this meant as a system? Data with constructors may look like one."""
    return ots.sort.hidden or bool(ots.entities or ots.suggested or ots.lemmas)

"""Inspecting Boolean terms: `binspect`, `bgrind`, `bshow`, `bresolve`, `bguess`, with a colon in a goal."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from otsrw.proofs.answers import Naming, TermCommandKind
from otsrw.proofs.citp.boolean_forms import (
    BooleanForm,
    BooleanSolution,
    PredicateRelation,
    boolean_form,
    guesses,
    solutions,
)
from otsrw.proofs.citp.run import CitpRun
from otsrw.reasoning.connectives import Connectives
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SyntaxProblem, TheoryProblem
from otsrw.theory.modules import Module
from otsrw.theory.terms import Term

_RELATIONS = {
    "imply": PredicateRelation.IMPLY,
    "imp": PredicateRelation.IMPLY,
    "and": PredicateRelation.AND,
    "or": PredicateRelation.OR,
}


class FormLayout(Enum):
    """How a Boolean form is shown."""

    INSPECTED = "binspect"
    PLAIN = "."
    TREE = "tree"
    GRIND = "grind"
    GROUND = "bgrind"


class BooleanFormShown(NamedTuple):
    """A Boolean form, and the term that was given if it is shown for the first time."""

    layout: FormLayout
    form: BooleanForm
    naming: Naming
    given: Term | None = None


class AssignmentsFound(NamedTuple):
    """Assignments to `size` predicates that make a form true."""

    size: int
    solutions: list[BooleanSolution]
    form: BooleanForm
    naming: Naming


class RelationsGuessed(NamedTuple):
    """Pairs of predicates of which a relation makes a form true; there is one at least."""

    relation: PredicateRelation
    pairs: list[tuple[int, int]]
    form: BooleanForm
    naming: Naming


class InspectingCommands:
    """Runs them in one session, and keeps the last form."""

    def __init__(self, run: CitpRun) -> None:
        self.run = run
        self._last: tuple[BooleanForm, Naming] | None = None
        self.handlers: dict[str, Callable[[tree.LineCommand], None]] = {
            **dict.fromkeys(("binspect", ":binspect"), self._inspect),
            **dict.fromkeys(("bgrind", ":bgrind"), self._grind),
            **dict.fromkeys(("bshow", ":bshow"), self._show),
            **dict.fromkeys(("bresolve", ":bresolve"), self._resolve),
            **dict.fromkeys(("bguess", ":bguess", "bg", ":bg"), self._guess),
        }

    def _inspect(self, command: tree.LineCommand) -> None:
        given, form, naming = self._read(command)
        self._last = form, naming
        self.run.workspace.emit(BooleanFormShown(FormLayout.INSPECTED, form, naming, given))

    def _grind(self, command: tree.LineCommand) -> None:
        given, form, naming = self._read(command)
        self.run.workspace.emit(BooleanFormShown(FormLayout.GROUND, form, naming, given))

    def _read(self, command: tree.LineCommand) -> tuple[Term, BooleanForm, Naming]:
        """The term, and its normal form in a module, or in a goal if the command begins with a colon."""
        workspace = self.run.workspace
        words = command.body.part(0, len(command.body) - 1)
        where: str | None = None
        if words.words[:1] == ["in"] and words.words[2:3] == [":"]:
            where, words = words.words[1], words.part(3, len(words))
        module = self._module(where, command)
        workspace.prepare(module)
        given = workspace.parse(words, module)
        true = Connectives(module.signature).true
        if given.sort is not true.sort:
            raise TheoryProblem("E309", "a term of sort Bool is needed", words.span)
        normal = workspace.reduce(given, module, TermCommandKind.REDUCE, None).term
        return given, boolean_form(normal, true), Naming.of(module)

    def _module(self, where: str | None, command: tree.LineCommand) -> Module:
        if command.keyword.startswith(":"):
            proof = self.run.ongoing(command)
            goal = self.run.current(command)[1] if where is None else proof.node(where).goal
            return proof.bench.theory(goal)
        workspace = self.run.workspace
        if where is None:
            return workspace.context(None, command.span)
        found = workspace.library.find(where)
        if found is None:
            raise TheoryProblem("E301", f"no such module: {where!r}", command.span)
        return found

    def _form(self, command: tree.LineCommand) -> tuple[BooleanForm, Naming]:
        if self._last is None:
            raise TheoryProblem("E309", "no Boolean term was inspected yet", command.span, "write 'binspect t .' first")
        return self._last

    def _show(self, command: tree.LineCommand) -> None:
        if self._last is None:
            return
        layouts = {layout.value: layout for layout in (FormLayout.PLAIN, FormLayout.TREE, FormLayout.GRIND)}
        word = command.body.text or "."
        if word not in layouts:
            raise SyntaxProblem("E101", f"{command.keyword} does not know {word!r}", command.span, "tree or grind")
        self.run.workspace.emit(BooleanFormShown(layouts[word], *self._last))

    def _resolve(self, command: tree.LineCommand) -> None:
        form, naming = self._form(command)
        words = [word for word in command.body.words if word != "."]
        number = words[0] if words and words[0] != "all" else None
        if number is not None and (not number.isdecimal() or int(number) == 0):
            raise SyntaxProblem("E101", f"not a number of predicates: {number}", command.span, "as in 'bresolve 2 all'")
        limit = None if number is None else int(number)
        if limit is not None and limit > len(form.predicates):
            self.run.warn("W703", f"there are only {len(form.predicates)} predicates", command)
        for size, found in solutions(form, limit, "all" in words):
            self.run.workspace.emit(AssignmentsFound(size, found, form, naming))

    def _guess(self, command: tree.LineCommand) -> None:
        form, naming = self._form(command)
        words = [word.removeprefix(":") for word in command.body.words if word != "."]
        relation = _RELATIONS.get(words[0]) if len(words) == 1 else None
        if relation is None:
            raise SyntaxProblem("E101", "write 'bguess imply', 'bguess and' or 'bguess or'", command.span)
        pairs = guesses(form, relation)
        if pairs:
            self.run.workspace.emit(RelationsGuessed(relation, pairs, form, naming))

"""A session: files and commands run in order, as CafeOBJ's batch mode does.

Unlike CafeOBJ a session does not stop at the first error: it reports it and goes on with the next statement, so one
run shows all that is wrong. What happens is told to a listener as it happens, and kept in an `Outcome`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from otsrw.proofs.coinduction import coinduction_theorems
from otsrw.proofs.declared import Declared, TakenOver
from otsrw.proofs.events import Echoed, EventListener, PassageMarked, SessionEvent
from otsrw.proofs.families import FAMILIES, CommandFamily, Commands, Quit
from otsrw.proofs.loading import LoadedFile
from otsrw.proofs.passage import Passage
from otsrw.proofs.results import Outcome
from otsrw.proofs.workspace import Settings, Workspace
from otsrw.rewriting.budget import MAX_DEPTH
from otsrw.rewriting.machine import ensure_depth
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import OtsrwError, SyntaxProblem, TheoryProblem
from otsrw.syntax.reader import read
from otsrw.syntax.source import Source, Span
from otsrw.theory.elaborate import ModuleErrors, declare_let, elaborate
from otsrw.theory.library import Library
from otsrw.theory.modules import Module

_KEPT = (tree.ModuleDeclaration, tree.ViewDeclaration)


class Session:
    """Modules, views, the open passage and the selected module.

    >>> session = Session()
    >>> session.run_text("mod! M { [S] ops a b : -> S eq a = b . } red in M : a .")
    >>> session.outcome.commands[-1].result
    'b'
    """

    def __init__(
        self,
        settings: Settings | None = None,
        listener: EventListener | None = None,
        families: Iterable[CommandFamily] = FAMILIES,
        library: Library | None = None,
        known: Iterable[Declared] = (),
    ) -> None:
        """`known` are declarations of another session, which are taken over as far as the text says the same."""
        ensure_depth(MAX_DEPTH)
        self.outcome = Outcome()
        self.declared: list[Declared] = []
        """The modules and views declared so far, in order."""
        self._known = TakenOver(known)
        self.has_quit = False
        """The last text or file ended at a `quit`."""
        emit = _telling(self.outcome, listener)
        self._workspace = Workspace(settings or Settings(), emit, self._run_statements, library)
        self._commands = Commands(self._workspace, families)

    @property
    def library(self) -> Library:
        return self._workspace.library

    @property
    def declarations(self) -> list[Span]:
        """Where the modules and views declared so far stand, in order."""
        return [declared.span for declared in self.declared]

    @property
    def passage(self) -> Passage | None:
        """The passage between `open` and `close`; None if no module is open."""
        return self._workspace.passage

    @property
    def selected(self) -> Module | None:
        """The module that `select` has chosen; None if there is none."""
        return self._workspace.selected

    @selected.setter
    def selected(self, module: Module | None) -> None:
        self._workspace.selected = module

    @property
    def max_rewrites(self) -> int | None:
        """What one reduction may take; None if nobody has set a limit."""
        return self._workspace.settings.max_rewrites

    @property
    def files(self) -> list[LoadedFile]:
        """The files that were run so far."""
        return self._workspace.files.loaded

    @property
    def current_goal(self) -> str | None:
        """The name of the goal that the next tactic is applied to; None if there is nothing to prove."""
        return self._workspace.current_goal

    # --- files

    def run_file(self, path: str | os.PathLike[str], shown: str | None = None) -> None:
        """Run a file up to its end or a `quit`; its problems go into the outcome."""
        self._until_quit(lambda: self._workspace.files.run_file(os.fspath(path), shown))

    def run_text(self, text: str, name: str = "<text>") -> None:
        """Run statements given as a string."""
        self.run_source(Source(name, text))

    def run_source(self, source: Source) -> None:
        """Run the statements of a source up to its end or a `quit`."""
        self._until_quit(lambda: self._run_statements(source))

    def _until_quit(self, run: Callable[[], None]) -> None:
        self.has_quit = False
        try:
            run()
        except Quit:
            self.has_quit = True

    def _run_statements(self, source: Source) -> None:
        workspace = self._workspace
        source, odd = workspace.settings.expand(source)
        for problem in odd:
            workspace.report(problem)
        statements, problems = read(source)
        waiting = sorted(problems, key=lambda p: p.span.start)
        for position, statement in enumerate(statements):
            while waiting and waiting[0].span.start < statement.span.start:
                workspace.report(waiting.pop(0))
            if not isinstance(statement, _KEPT):
                self.execute(statement)
                continue
            end = statements[position + 1].span.start if position + 1 < len(statements) else len(source.text)
            whole = Span(source, statement.span.start, end)
            if not self._known.take(statement.name.text, whole, workspace.library, workspace.switches):
                self.execute(statement)
            self.declared.append(self._declared(statement, whole))
        for problem in waiting:
            workspace.report(problem)

    # --- statements

    def execute(self, statement: tree.Statement) -> None:
        """Run one statement; errors are reported, not raised."""
        workspace = self._workspace
        try:
            self._dispatch(statement)
        except ModuleErrors as errors:
            for problem in errors.problems:
                workspace.report(problem)
        except OtsrwError as error:
            workspace.report(error.at(statement.span).problem)
        for warning in workspace.library.warnings:
            workspace.report(warning)
        workspace.library.warnings.clear()

    def _dispatch(self, statement: tree.Statement) -> None:
        workspace = self._workspace
        if workspace.skipping and _needs_passage(statement):
            return
        match statement:
            case tree.TermCommand() | tree.LineCommand():
                self._commands.run(statement)
            case tree.Open(expression, span):
                workspace.library.warn_of_unportable(statement)
                workspace.open(expression, span)
            case tree.Close(span):
                workspace.close(span)
            case tree.ModuleDeclaration():
                _declare_module(statement, workspace)
            case tree.ViewDeclaration():
                workspace.library.declare_view(statement)
            case tree.Select(expression, _):
                workspace.selected = None if expression is None else workspace.library.evaluate(expression)
            case tree.UnsupportedCommand():
                raise _unsupported(statement)
            case tree.PassageMark(name, _):
                workspace.emit(PassageMarked(name))
            case tree.Echo(text, _):
                workspace.emit(Echoed(text))
            case _:
                self._declare_item(statement)

    def _declare_item(self, item: tree.Item) -> None:
        """Declare something outside modules: in the open passage; a name for a term also in the selected module."""
        workspace = self._workspace
        if workspace.passage is not None:
            workspace.passage.declare(item)
        elif isinstance(item, tree.LetDeclaration) and workspace.selected is not None:
            changed = workspace.selected
            declare_let(item, changed)
            self.declared = [each._replace(meaning=None) if each.meaning is changed else each for each in self.declared]
        else:
            workspace.library.warn(
                "W108",
                "this declaration stands outside any module: it is ignored",
                item.span,
                "open a module first, or put it into one",
            )

    def _declared(self, statement: tree.ModuleDeclaration | tree.ViewDeclaration, span: Span) -> Declared:
        workspace, name = self._workspace, statement.name.text
        is_module = isinstance(statement, tree.ModuleDeclaration)
        meaning = workspace.library.modules.get(name) if is_module else workspace.library.views.get(name)
        is_plain = not self.outcome.errors and not workspace.settings.auto_context
        return Declared(span, meaning if is_plain else None, workspace.switches)


def load(path: str | os.PathLike[str]) -> Library:
    """The modules of a file, up to its end or a `quit`; raises the first error in it.

    >>> list(load("specs/tas.cafe").modules)[-1]
    'TAS'
    """
    session = Session()
    session.run_file(path)
    errors = session.outcome.errors
    if errors:
        raise OtsrwError.of(errors[0])
    return session.library


def _telling(outcome: Outcome, listener: EventListener | None) -> EventListener:
    """Events go to the outcome first."""
    if listener is None:
        return outcome.hear

    def tell(event: SessionEvent) -> None:
        outcome.hear(event)
        listener(event)

    return tell


def _declare_module(declaration: tree.ModuleDeclaration, workspace: Workspace) -> None:
    library, settings = workspace.library, workspace.settings
    name = declaration.name.text
    if library.is_system_name(name) and name != "TRIV":
        raise TheoryProblem("E305", f"module {name} is built in and cannot be redefined", declaration.name.span)
    former = library.modules.get(name)
    if former is not None:
        library.warn("W301", f"redefining module {name}", declaration.name.span)
    module = library.modules[name] = elaborate(declaration, library)
    module.add_axioms(coinduction_theorems(module, settings.accepts_proofs))
    if settings.auto_context or (former is not None and workspace.selected is former):
        workspace.selected = module


def _needs_passage(statement: tree.Statement) -> bool:
    """Does a statement belong to the passage it stands in?"""
    if isinstance(statement, tree.TermCommand):
        return statement.module is None
    return not isinstance(
        statement,
        tree.Open
        | tree.Close
        | tree.Select
        | tree.ModuleDeclaration
        | tree.ViewDeclaration
        | tree.LineCommand
        | tree.UnsupportedCommand
        | tree.Echo,
    )


def _unsupported(command: tree.UnsupportedCommand) -> SyntaxProblem:
    hint = None
    if command.keyword in ("lisp", "lispq", "ev", "evq", "eval-lisp", "!"):
        hint = "Lisp is never run: a specification is untrusted text"
    return SyntaxProblem("E106", f"the command {command.keyword!r} is not supported", command.span, hint)

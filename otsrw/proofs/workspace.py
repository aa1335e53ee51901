"""What the commands of a file work on: the modules, the open passage, the selected module and the last term."""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import Enum

from otsrw.proofs.answers import TermCommandKind
from otsrw.proofs.events import EventListener, ProblemFound
from otsrw.proofs.loading import SourceFiles
from otsrw.proofs.passage import Passage
from otsrw.records import NamedTuple
from otsrw.rewriting.budget import Budget
from otsrw.rewriting.rewriter import Reduction, Rewriter
from otsrw.rewriting.runtime import Tracer
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, ProblemKind, TheoryProblem
from otsrw.syntax.source import Source, Span
from otsrw.theory.elaborate import new_library
from otsrw.theory.library import Library
from otsrw.theory.modules import Module
from otsrw.theory.parsing import parse_term, scope_of
from otsrw.theory.terms import Term

LAST_TERM = "$$term"
"""In a term: the term parsed, reduced or rewritten by hand last in the module."""


class Dialect(Enum):
    """Whose proof scripts a file has."""

    CITP = "citp"
    CIMPA = "cimpa"


class ExpandedSource(NamedTuple):
    """What is run for a text, and what is wrong with what it asks for."""

    source: Source
    problems: tuple[Diagnostic, ...] = ()


class Settings:
    """What `set` and the command line can change."""

    def __init__(self, max_rewrites: int | None = None, timeout: float | None = None, trace: bool = False) -> None:
        self.max_rewrites = max_rewrites
        self.timeout = timeout
        self.trace = trace
        self.auto_context = False
        self.dialect: Dialect | None = None
        """The dialect of proof scripts; None if each file shows its own."""
        self.accepts_proofs = False
        """Believe every proof that attributes decide `=*=`."""
        self.library_path: list[str] = []
        self.portable = False
        """Is what CafeOBJ does not accept an error?"""
        self.expand: Callable[[Source], ExpandedSource] = ExpandedSource
        """Makes of the text of a file what is run."""


class Workspace:
    """The state of a session that its commands share. `emit` tells what happens; `run` runs the text of a file."""

    def __init__(
        self,
        settings: Settings,
        emit: EventListener,
        run: Callable[[Source], None],
        library: Library | None = None,
    ) -> None:
        self.settings = settings
        self.emit = emit
        self.library: Library = library or new_library()
        self.files = SourceFiles(self.report, run)
        self.passage: Passage | None = None
        self.selected: Module | None = None
        self.last_term: Term | None = None
        self.current_goal: str | None = None
        """The goal that the next tactic is applied to; None if there is nothing to prove."""
        self.skipping = False
        """The present passage could not be opened: what stands in it is skipped up to its `close`."""
        self._rewriters: dict[Module, Rewriter] = {}
        self._deadline = None if settings.timeout is None else time.monotonic() + settings.timeout

    @property
    def switches(self) -> tuple[bool, ...]:
        """What the meaning of a module depends on besides its text and other modules."""
        return self.library.include_bool, self.settings.accepts_proofs, self.settings.auto_context

    def report(self, problem: Diagnostic) -> None:
        """Tell an error or a warning."""
        if self.settings.portable and problem.kind is ProblemKind.NOT_PORTABLE:
            problem = problem.under("E116")
        self.emit(ProblemFound(problem))

    # --- modules

    def context(self, expression: tree.ModuleExpression | None, span: Span) -> Module:
        """The module that a command is about; without an expression the open or the selected one."""
        if expression is not None:
            if isinstance(expression, tree.ModuleName) and expression.name.text == "%" and self.passage is not None:
                return self.passage.module
            return self.library.evaluate(expression)
        if self.passage is not None:
            return self.passage.module
        if self.selected is not None:
            return self.selected
        raise TheoryProblem(
            "E306", "no module is open or selected", span, "write 'open M .', 'select M .' or 'red in M : t .'"
        )

    def open(self, expression: tree.ModuleExpression | None, span: Span) -> None:
        """Begin a passage; one that is still open is closed first."""
        if self.passage is not None:
            self.library.warn("W304", f"{self.passage.opened.name} is still open; it is closed now", span)
            self._finish_passage()
        self.skipping = True
        self.passage = Passage(self.context(expression, span), self.library)
        self.skipping = False

    def close(self, span: Span) -> None:
        """End the passage."""
        if self.passage is None and not self.skipping:
            self.library.warn("W304", "no module is open", span)
        self.skipping = False
        self._finish_passage()

    def _finish_passage(self) -> None:
        if self.passage is not None:
            self.prepare(self.passage.module)
        self.passage = None

    def prepare(self, module: Module) -> None:
        """If the module is the open passage, read the axioms declared since the last reduction; tell bad ones."""
        passage = self._passage_of(module)
        if passage is not None:
            for problem in passage.prepare():
                self.report(problem)

    def _passage_of(self, module: Module) -> Passage | None:
        """The open passage if it is this module, None if not."""
        passage = self.passage
        return passage if passage is not None and passage.module is module else None

    # --- terms

    def parse(self, bubble: tree.Bubble, module: Module) -> Term:
        """The term that words mean in a module; passages with the same declarations share what they have read."""
        passage = self._passage_of(module)
        if passage is None or not passage.shares_parses or LAST_TERM in bubble.words:
            return parse_term(bubble, scope_of(module))
        cache = module.signature.parse_cache
        key = ("term", *bubble.words)
        found: Term | None = cache.get(key)
        if found is None:
            found = cache[key] = parse_term(bubble, scope_of(module))
        return found

    def remember(self, module: Module, term: Term) -> None:
        """Make a term the last one."""
        self.last_term = term
        module.lets[LAST_TERM] = term

    def reduce(self, term: Term, module: Module, command: TermCommandKind, tracer: Tracer | None = None) -> Reduction:
        """Rewrite a term within the budget of a command."""
        return self._rewriter(module, command, tracer).reduce(term, self.budget())

    def budget(self) -> Budget:
        """The budget of one reduction."""
        budget = Budget.of(self.settings.max_rewrites)
        budget.deadline = self._deadline
        return budget

    def _rewriter(self, module: Module, command: TermCommandKind, tracer: Tracer | None) -> Rewriter:
        transitions = command is TermCommandKind.EXECUTE
        behavioural = command is TermCommandKind.BEHAVIOURAL_REDUCE
        passage = self._passage_of(module)
        if passage is not None:
            return passage.rewriter(tracer, transitions, behavioural)
        behavioural = behavioural and module.sees_behavioural_axioms
        if tracer is not None or transitions or behavioural:
            return Rewriter(module, tracer, transitions, behavioural, by_sorts=True)
        found = self._rewriters.get(module)
        if found is None:
            found = self._rewriters[module] = Rewriter(module, by_sorts=True)
        return found

"""Term commands: `red`, `bred`, `exec` and `parse`."""

from __future__ import annotations

from otsrw.proofs.answers import CommandResult, Naming, TermCommandKind
from otsrw.proofs.events import Answered, Reducing, Traced
from otsrw.proofs.workspace import Workspace
from otsrw.rewriting.rules import Rule
from otsrw.rewriting.runtime import Tracer
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Span
from otsrw.theory.modules import Module
from otsrw.theory.terms import Term

TERM_COMMANDS = {
    "red": TermCommandKind.REDUCE,
    "reduce": TermCommandKind.REDUCE,
    "bred": TermCommandKind.BEHAVIOURAL_REDUCE,
    "breduce": TermCommandKind.BEHAVIOURAL_REDUCE,
    "exec": TermCommandKind.EXECUTE,
    "execute": TermCommandKind.EXECUTE,
    "exec!": TermCommandKind.EXECUTE,
    "parse": TermCommandKind.PARSE,
    "lparse": TermCommandKind.PARSE,
}


class TermCommands:
    """Reads the term of a command, and rewrites it if the command asks for that."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    def run(self, command: tree.TermCommand) -> None:
        workspace = self.workspace
        kind = TERM_COMMANDS[command.keyword]
        module = workspace.context(command.module, command.span)
        workspace.prepare(module)
        if kind is TermCommandKind.PARSE:
            self._parse(command, module)
            return
        term = workspace.parse(command.term, module)
        workspace.remember(module, term)
        self._reduce(command, kind, module, term)

    def _parse(self, command: tree.TermCommand, module: Module) -> None:
        workspace = self.workspace
        try:
            term = workspace.parse(command.term, module)
        except OtsrwError as error:
            # that it is no term is an answer to 'parse', not a mistake of the file
            workspace.report(error.at(command.span).problem.under("W115"))
            return
        workspace.remember(module, term)
        workspace.emit(Answered(CommandResult(TermCommandKind.PARSE, module, term, command.span, term)))

    def _reduce(self, command: tree.TermCommand, kind: TermCommandKind, module: Module, term: Term) -> None:
        reduce_and_tell(term, module, kind, command.span, self.workspace)


def reduce_in(module: Module, words: tree.Bubble, kind: TermCommandKind, span: Span, workspace: Workspace) -> None:
    """Read a term in a module that is not open, reduce it, and tell the answer."""
    reduce_and_tell(workspace.parse(words, module), module, kind, span, workspace)


def reduce_and_tell(term: Term, module: Module, kind: TermCommandKind, span: Span, workspace: Workspace) -> None:
    """Reduce a term, and tell the answer; it is the last term then."""
    workspace.emit(Reducing(kind, module, term))
    tracer = _tracer(Naming.of(module), workspace) if workspace.settings.trace else None
    try:
        reduction = workspace.reduce(term, module, kind, tracer)
    except OtsrwError:
        workspace.emit(Answered(CommandResult(kind, module, term, span)))
        raise
    workspace.remember(module, reduction.term)
    answer = CommandResult(
        kind, module, term, span, reduction.term, reduction.rewrites, reduction.seconds, reduction.notes
    )
    workspace.emit(Answered(answer))


def _tracer(naming: Naming, workspace: Workspace) -> Tracer:
    count = 0

    def trace(rule: Rule, bindings: dict[Term, Term], place: tuple[int, ...]) -> None:
        nonlocal count
        count += 1
        workspace.emit(Traced(count, rule, dict(bindings), place, naming))

    return trace

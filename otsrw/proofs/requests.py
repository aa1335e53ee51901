"""The commands of IPSG, which say what is to be proved: `ipsgopen`, `inv`, `generate`, `set-output`, `:save-proof`.

A session reads them and tells what is wanted as events; `otsrw prove` does it. A file never has anything written: where
it wants the proof score is told, and the user decides.
"""

from __future__ import annotations

from otsrw.proofs.workspace import Workspace
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SyntaxProblem
from otsrw.syntax.source import Span
from otsrw.theory.modules import Module
from otsrw.theory.terms import Term

_INDUCTION = ["induction", "on"]


class ProofWanted(NamedTuple):
    """`inv` and `generate`: a predicate, applied to variables, that is used in proofs, or that is a goal of them."""

    module: Module
    predicate: Term
    is_goal: bool
    span: Span


class ScoreWanted(NamedTuple):
    """`:save-proof`: the file names a place for the proof score; None if it named none."""

    path: str | None
    span: Span


class RequestCommands:
    """Reads what is to be proved; the output file named last is remembered."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._output: str | None = None

    def run(self, command: tree.TermCommand | tree.LineCommand) -> None:
        if isinstance(command, tree.TermCommand):
            self._state(command)
            return
        words = [word for word in command.body.words if word != "."]
        if command.keyword == ":save-proof":
            self.workspace.emit(ScoreWanted(self._output, command.span))
        elif command.keyword == ":enableCsFirst":
            message = "':enableCsFirst' has no effect in otsrw: it chooses the order of case splits itself"
            self.workspace.library.warn("W106", message, command.span)
        elif command.keyword in (":infer-proof", ":generate-proof", ":proof"):
            message = f"'{command.keyword}' writes no script while a file runs"
            hint = "'otsrw convert FILE... --as cimpa' makes a script of marked passages, 'otsrw igf' finds a proof"
            self.workspace.library.warn("W703", message, command.span, hint)
        elif not words:
            needed = "a module" if command.keyword == "ipsgopen" else "a file name"
            raise SyntaxProblem("E101", f"'{command.keyword}' needs {needed}", command.span)
        elif command.keyword == "set-output":
            self._output = command.line.removesuffix(".").strip()
        else:
            self.workspace.open(tree.ModuleName(tree.Named(words[0], command.line_span)), command.span)

    def _state(self, command: tree.TermCommand) -> None:
        workspace = self.workspace
        bubble = command.term if command.keyword == "inv" else _without_scheme(command.term)
        module = workspace.context(command.module, command.span)
        workspace.prepare(module)
        term = workspace.parse(bubble, module)
        _check_predicate(term, bubble.span)
        passage = workspace.passage
        home = passage.opened if passage is not None and passage.module is module else module
        workspace.emit(ProofWanted(home, term, command.keyword == "generate", bubble.span))


def _without_scheme(bubble: tree.Bubble) -> tree.Bubble:
    """The predicate of a `generate`: without `induction on S:Sys`, and the cases that may be named after it."""
    words = bubble.words
    end = next((i for i in range(len(words)) if words[i : i + 2] == _INDUCTION), len(words))
    return tree.Bubble(bubble.source, words[:end], bubble.starts[:end], bubble.ends[:end], bubble.anchor)


def _check_predicate(term: Term, span: Span) -> None:
    variables = [arg for arg in term.args if arg.op.variable]
    if term.sort.name == "Bool" and variables and len(set(variables)) == len(term.args):
        return
    hint = "write 'inv p(S:Sys, I:Pid) .', with a different variable for each argument"
    raise SyntaxProblem("E117", "this is no predicate applied to variables", span, hint)

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


class Scheme(NamedTuple):
    """What follows `induction on`: a variable of the goal."""

    variable: Term
    span: Span


class ProofWanted(NamedTuple):
    """`inv` and `generate`: a predicate, applied to variables, that is used in proofs, or that is a goal of them."""

    module: Module
    predicate: Term
    is_goal: bool
    span: Span
    scheme: Scheme | None = None
    """None if no variable is named."""


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
        _check_end(command.term)
        bubble, scheme = (command.term, None) if command.keyword == "inv" else _parted(command.term)
        module = workspace.context(command.module, command.span)
        workspace.prepare(module)
        term = workspace.parse(bubble, module)
        _check_predicate(term, bubble.span)
        wanted = None if scheme is None else _scheme(term, scheme)
        passage = workspace.passage
        home = passage.opened if passage is not None and passage.module is module else module
        workspace.emit(ProofWanted(home, term, command.keyword == "generate", bubble.span, wanted))


def _parted(bubble: tree.Bubble) -> tuple[tree.Bubble, tree.Bubble | None]:
    """The predicate of a `generate`, and what follows `induction on`: a variable, and cases that may be named."""
    words = bubble.words
    end = next((i for i in range(len(words)) if words[i : i + 2] == _INDUCTION), None)
    if end is None:
        return bubble, None
    return bubble.part(0, end), bubble.part(end + len(_INDUCTION), len(words))


def _check_end(bubble: tree.Bubble) -> None:
    """The next command begins in here if the dot of this one is missing."""
    for place, word in enumerate(bubble.words):
        if place and word in ("inv", "generate") and bubble.words[place + 1 : place + 2] != ["("]:
            span = bubble.part(place, place + 1).span
            raise SyntaxProblem("E102", f"'.' is missing before '{word}'", span, "end each predicate with ' .'")


def _scheme(term: Term, scheme: tree.Bubble) -> Scheme:
    """Induction is on a variable of the predicate."""
    known = [f"{arg.op.name}:{arg.sort.name}" for arg in term.args]
    named = scheme.words[0] if scheme.words else ""
    for text, variable in zip(known, term.args, strict=True):
        if named and named in (text, text.partition(":")[0]):
            return Scheme(variable, scheme.part(0, 1).span)
    hint = f"write 'induction on {known[0]} .'"
    if not named:
        raise SyntaxProblem("E117", "'induction on' needs a variable", scheme.span, hint)
    raise SyntaxProblem("E117", f"{named!r} is no variable of {term.op.name}", scheme.part(0, 1).span, hint)


def _check_predicate(term: Term, span: Span) -> None:
    variables = [arg for arg in term.args if arg.op.variable]
    if term.sort.name == "Bool" and variables and len(set(variables)) == len(term.args):
        return
    hint = "write 'inv p(S:Sys, I:Pid) .', with a different variable for each argument"
    raise SyntaxProblem("E117", "this is no predicate applied to variables", span, hint)

"""A session: files and commands run in order, as CafeOBJ's batch mode does.

Unlike CafeOBJ a session does not stop at the first error: it reports it and goes on with the next statement, so one
run shows all that is wrong. What happens is told to a listener as it happens, and kept in an `Outcome`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from otsrw.proofs import byhand
from otsrw.proofs.byhand import LAST_TERM, Tools, Workbench
from otsrw.proofs.coinduction import coinduction_theorems
from otsrw.proofs.files import find_file, load_source
from otsrw.proofs.passage import Passage
from otsrw.proofs.results import CommandResult, Outcome
from otsrw.proofs.showing import ASPECTS, describe_module, show_tree
from otsrw.rewriting.budget import MAX_DEPTH, Budget
from otsrw.rewriting.machine import ensure_depth
from otsrw.rewriting.rewriter import Reduction, Rewriter
from otsrw.rewriting.rules import Rule
from otsrw.rewriting.runtime import Tracer
from otsrw.rewriting.search import SearchNote
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError, SyntaxProblem, TheoryProblem
from otsrw.syntax.lexer import KEYWORDS, Words
from otsrw.syntax.reader import read, read_module_expression
from otsrw.syntax.source import Source, Span
from otsrw.theory.elaborate import ModuleErrors, declare_let, elaborate, new_library
from otsrw.theory.library import Library
from otsrw.theory.modules import Module
from otsrw.theory.morphisms import substitute
from otsrw.theory.parsing import parse_term, scope_of
from otsrw.theory.printing import show, show_sort, show_with_sort, with_sort
from otsrw.theory.terms import Term

_REDUCTIONS = {
    "red": "red",
    "reduce": "red",
    "bred": "bred",
    "breduce": "bred",
    "exec": "exec",
    "execute": "exec",
    "exec!": "exec",
}


class Settings:
    """What `set` and the command line can change."""

    def __init__(self, max_rewrites: int | None = None, timeout: float | None = None, trace: bool = False) -> None:
        self.max_rewrites = max_rewrites
        self.timeout = timeout
        self.trace = trace
        self.auto_context = False
        self.accepts_proofs = False
        """Believe every proof that attributes decide `=*=`."""
        self.library_path: list[Path] = []


_SHOWN_ELSEWHERE = frozenset(
    [
        "path",
        "state",
        "switch",
        "switches",
        "let",
        "context",
        "modules",
        "views",
        "view",
        "search",
        "graph",
        "bindings",
        "memo",
        "time",
        "limit",
        "features",
        "selection",
        "subst",
        "pending",
        "stop",
        "rule",
        "loaded",
        "modes",
        "subterm",
    ]
)


class Quit(Exception):
    """`quit` was reached."""


Listener = Callable[[str], None]


class Session:
    """Modules, views, the open passage and the selected module.

    >>> session = Session()
    >>> session.run_text("mod! M { [S] ops a b : -> S eq a = b . } red in M : a .")
    >>> session.outcome.commands[-1].result
    'b'
    """

    def __init__(self, settings: Settings | None = None, listener: Listener | None = None) -> None:
        ensure_depth(MAX_DEPTH)
        self.settings = settings or Settings()
        self.tell: Listener = listener or (lambda text: None)
        self.library: Library = new_library()
        self.outcome = Outcome()
        self.passage: Passage | None = None
        self.selected: Module | None = None
        self.last_term: Term | None = None
        self.declarations: list[Span] = []
        """Where the modules and views declared so far stand, in order."""
        self._workbench = Workbench(Tools(self.library, self._parse, self._normal_form, self.tell))
        self._rewriters: dict[Module, Rewriter] = {}
        self._skipping = False
        """A passage whose `open` failed: what stands in it is skipped up to its `close`."""
        self._provided: set[str] = set()
        self._loading: list[Path] = []
        self._deadline = None if self.settings.timeout is None else time.monotonic() + self.settings.timeout

    # --- files

    def run_file(self, path: Path, shown: str | None = None) -> None:
        """Run a file; its problems go into the outcome."""
        name = shown or str(path)
        try:
            source = load_source(path, name)
        except OtsrwError as error:
            self._report(error.at(Span(Source(name, ""), 0, 0)).problem)
            return
        self._loading.append(path.resolve())
        try:
            self.run_source(source)
        finally:
            self._loading.pop()

    def run_text(self, text: str, name: str = "<text>") -> None:
        """Run statements given as a string."""
        self.run_source(Source(name, text))

    def run_source(self, source: Source) -> None:
        statements, problems = read(source)
        waiting = sorted(problems, key=lambda p: p.span.start)
        for position, statement in enumerate(statements):
            while waiting and waiting[0].span.start < statement.span.start:
                self._report(waiting.pop(0))
            self.execute(statement)
            if isinstance(statement, tree.ModuleDeclaration | tree.ViewDeclaration):
                end = statements[position + 1].span.start if position + 1 < len(statements) else len(source.text)
                self.declarations.append(Span(source, statement.span.start, end))
        for problem in waiting:
            self._report(problem)

    def _load(self, name: str, span: Span) -> None:
        path = find_file(name, span.source.folder, self.settings.library_path, span)
        if path.resolve() in self._loading:
            self._report(Diagnostic("W303", f"{name!r} is being loaded already: cyclic load skipped", span))
            return
        self.run_file(path)

    # --- statements

    def execute(self, statement: tree.Statement) -> None:
        """Run one statement; errors are recorded, not raised."""
        try:
            self._dispatch(statement)
        except ModuleErrors as errors:
            for problem in errors.problems:
                self._report(problem)
        except OtsrwError as error:
            self._report(error.at(statement.span).problem)
        for warning in self.library.warnings:
            self._report(warning)
        self.library.warnings.clear()

    def _dispatch(self, statement: tree.Statement) -> None:
        if self._skipping and _needs_passage(statement):
            return
        match statement:
            case tree.TermCommand():
                self._term_command(statement)
            case tree.Open(expression, span):
                self._open(expression, span)
            case tree.Close(span):
                self._close(span)
            case tree.ModuleDeclaration():
                self._module(statement)
            case tree.ViewDeclaration():
                self.library.declare_view(statement)
            case tree.Select(expression, _):
                self.selected = None if expression is None else self.library.evaluate(expression)
            case tree.LineCommand():
                self._line_command(statement)
            case tree.Echo(text, _):
                self.tell(text)
            case tree.LetDeclaration() if self.passage is None and self.selected is not None:
                declare_let(statement, self.selected)
            case _:
                if self.passage is not None:
                    self.passage.declare(statement)
                else:
                    self.library.warn(
                        "W108",
                        "this declaration stands outside any module: it is ignored",
                        statement.span,
                        "open a module first, or put it into one",
                    )

    def _module(self, declaration: tree.ModuleDeclaration) -> None:
        name = declaration.name.text
        if self.library.is_system_name(name) and name != "TRIV":
            raise TheoryProblem("E305", f"module {name} is built in and cannot be redefined", declaration.name.span)
        former = self.library.modules.get(name)
        if former is not None:
            self.library.warn("W301", f"redefining module {name}", declaration.name.span)
        module = self.library.modules[name] = elaborate(declaration, self.library)
        module.add_axioms(coinduction_theorems(module, self.settings.accepts_proofs))
        if self.settings.auto_context or (former is not None and self.selected is former):
            self.selected = module

    def _open(self, expression: tree.ModuleExpression | None, span: Span) -> None:
        if self.passage is not None:
            self.library.warn("W304", f"{self.passage.opened.name} is still open; it is closed now", span)
            self._finish_passage()
        self._skipping = True
        self.passage = Passage(self._context(expression, span), self.library)
        self._skipping = False

    def _close(self, span: Span) -> None:
        if self.passage is None and not self._skipping:
            self.library.warn("W304", "no module is open", span)
        self._skipping = False
        self._finish_passage()

    def _finish_passage(self) -> None:
        if self.passage is not None:
            for problem in self.passage.prepare():
                self._report(problem)
        self.passage = None

    # --- reductions

    def _context(self, expression: tree.ModuleExpression | None, span: Span) -> Module:
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

    def _term_command(self, command: tree.TermCommand) -> None:
        keyword = command.keyword
        kind = _REDUCTIONS.get(keyword)
        module = self._context(command.module, command.span)
        in_passage = self.passage is not None and module is self.passage.module
        if in_passage:
            assert self.passage is not None
            for problem in self.passage.prepare():
                self._report(problem)
        if keyword in byhand.KEYWORDS:
            stepped = self._workbench.run(command, module)
            if stepped is not None:
                self._remember(module, stepped)
            return
        try:
            term = self._parse(command.term, module)
        except OtsrwError as error:
            if kind is not None:
                raise
            # that it is no term is an answer to 'parse', not a mistake of the file
            problem = error.at(command.span).problem
            self._report(problem.under("W115"))
            return
        self._remember(module, term)
        if kind is None:
            self._parsed(command, module, term)
        else:
            self._reduce(command, kind, module, term, in_passage)

    def _remember(self, module: Module, term: Term) -> None:
        self.last_term = term
        module.lets[LAST_TERM] = term

    def _parse(self, bubble: tree.Bubble, module: Module) -> Term:
        shared = self.passage is not None and module is self.passage.module and self.passage.shares_parses
        if not shared or LAST_TERM in bubble.words:
            return parse_term(bubble, scope_of(module))
        cache = module.signature.parse_cache
        key = ("term", *bubble.words)
        found: Term | None = cache.get(key)
        if found is None:
            found = cache[key] = parse_term(bubble, scope_of(module))
        return found

    def _parsed(self, command: tree.TermCommand, module: Module, term: Term) -> None:
        names = module.signature.sort_names
        text = show(term, module.variables)
        shown = with_sort(text, term, names)
        sort = show_sort(term.sort, names)
        self.outcome.commands.append(
            CommandResult("parse", module.name, text, text, sort, 0, 0.0, command.span, shown, shown)
        )
        self.tell(shown)

    def _rewriter(self, module: Module, in_passage: bool, tracer: Tracer | None, kind: str) -> Rewriter:
        transitions = kind == "exec"
        if in_passage:
            assert self.passage is not None
            return self.passage.rewriter(tracer, transitions, kind == "bred")
        behavioural = kind == "bred" and module.sees_behavioural_axioms
        if tracer is not None or transitions or behavioural:
            return Rewriter(module, tracer, transitions, behavioural)
        found = self._rewriters.get(module)
        if found is None:
            found = self._rewriters[module] = Rewriter(module)
        return found

    def _budget(self) -> Budget:
        budget = Budget.of(self.settings.max_rewrites)
        budget.deadline = self._deadline
        return budget

    def _reduce(self, command: tree.TermCommand, kind: str, module: Module, term: Term, in_passage: bool) -> None:
        declared = module.variables
        names = module.signature.sort_names
        text = show(term, declared)
        shown_term = with_sort(text, term, names)
        title = {"red": "reduce", "exec": "execute", "bred": "behavioural reduce"}[kind]
        self.tell(f"-- {title} in {module.name} : {shown_term}")
        tracer = self._tracer(declared) if self.settings.trace else None
        rewriter = self._rewriter(module, in_passage, tracer, kind)
        try:
            reduction = rewriter.reduce(term, self._budget())
        except OtsrwError:
            self.outcome.commands.append(
                CommandResult(kind, module.name, text, None, None, 0, 0.0, command.span, shown_term)
            )
            raise
        self._finished(command, kind, module, (text, shown_term), reduction)

    def _finished(
        self, command: tree.TermCommand, kind: str, module: Module, asked: tuple[str, str], reduction: Reduction
    ) -> None:
        declared = module.variables
        notes = tuple(line for note in reduction.notes for line in _search_lines(note, declared))
        names = module.signature.sort_names
        text = show(reduction.term, declared)
        shown_result = with_sort(text, reduction.term, names)
        result = CommandResult(
            kind,
            module.name,
            asked[0],
            text,
            show_sort(reduction.term.sort, names),
            reduction.rewrites,
            reduction.seconds,
            command.span,
            asked[1],
            shown_result,
            notes,
            reduction.term,
        )
        self.outcome.commands.append(result)
        self._remember(module, reduction.term)
        for line in notes:
            self.tell(line)
        self.tell(shown_result)
        self.tell(f"({reduction.seconds:.4f} sec for {reduction.rewrites} rewrites)")

    def _normal_form(self, term: Term, module: Module, kind: str) -> Term:
        in_passage = self.passage is not None and module is self.passage.module
        rewriter = self._rewriter(module, in_passage, None, _REDUCTIONS[kind])
        return rewriter.reduce(term, self._budget()).term

    def _tracer(self, declared: dict[str, Term]) -> Tracer:
        count = 0

        def trace(rule: Rule, bindings: dict[Term, Term], place: tuple[int, ...]) -> None:
            nonlocal count
            count += 1
            label = f"[{rule.axiom.label}] " if rule.axiom.label else ""
            where = ".".join(str(i + 1) for i in place) or "top"
            condition = "" if rule.condition is None else f" if {show(rule.condition)}"
            redex = substitute(rule.lhs, bindings)
            self.tell(f"{count}> at {where}: {label}{show(rule.lhs)} = {show(rule.rhs)}{condition}")
            values = ", ".join(f"{v.op.name} |-> {show(value, declared)}" for v, value in bindings.items())
            self.tell(f"{count}  {{ {values} }}" if values else f"{count}  {{ }}")
            self.tell(f"{count}< {show(redex, declared)} --> {show(substitute(rule.rhs, bindings), declared)}")

        return trace

    # --- line commands

    def _line_command(self, command: tree.LineCommand) -> None:
        keyword = command.keyword
        words = [word for word in command.line.split() if word != "."]
        if KEYWORDS.get(keyword, "UNSUPPORTED") == "UNSUPPORTED":
            raise SyntaxProblem(
                "E106", f"the command {keyword!r} is not supported", command.span, _unsupported_hint(keyword)
            )
        if keyword in ("in", "input", "load"):
            if not words:
                raise SyntaxProblem("E101", f"'{keyword}' needs a file name", command.span)
            self._load(words[0], command.line_span)
        elif keyword == "require":
            if words and words[0] not in self._provided and not self.library.is_system_name(words[0].upper()):
                self._load(words[-1], command.line_span)
        elif keyword == "provide":
            self._provided.update(words)
        elif keyword == "set":
            self._set(words, command)
        elif keyword in ("show", "sh", "describe", "desc"):
            self._show(words, command)
        elif keyword in ("quit", "q"):
            raise Quit
        elif keyword not in ("protect", "unprotect", "pwd", "ls"):
            self.library.warn("W106", f"the command {keyword!r} has no effect in otsrw", command.span)

    def _set(self, words: list[str], command: tree.LineCommand) -> None:
        match words:
            case ["trace", ("on" | "off") as value]:
                self.settings.trace = value == "on"
            case ["trace", "whole", ("on" | "off") as value]:
                self.settings.trace = value == "on"
            case ["auto", "context", ("on" | "off") as value]:
                self.settings.auto_context = value == "on"
            case ["accept", "=*=", "proof", ("on" | "off") as value]:
                self.settings.accepts_proofs = value == "on"
            case ["include", "BOOL", ("on" | "off") as value]:
                self.library.include_bool = value == "on"
            case ["libpath", "+", paths]:
                self.settings.library_path += [Path(p) for p in paths.split(":") if p]
            case ["libpath", paths]:
                self.settings.library_path = [Path(p) for p in paths.split(":") if p]
            case _:
                self.library.warn("W106", f"the switch {' '.join(words)!r} has no effect in otsrw", command.span)

    def _show(self, words: list[str], command: tree.LineCommand) -> None:
        if words[:1] and words[0] in _SHOWN_ELSEWHERE:
            self.library.warn("W106", f"'show {words[0]}' has no effect in otsrw", command.span)
            return
        if words[:1] in (["term"], ["tree"]):
            if self.last_term is not None:
                self.tell(show_tree(self.last_term) if "tree" in words else show_with_sort(self.last_term))
            return
        if words[:1] == ["all"]:
            words = words[1:]
        aspect = words[0] if words and words[0] in ASPECTS else ""
        rest = words[1:] if aspect else words
        if aspect in ("sort", "op"):
            module = self._context(None, command.span)
            self.tell(describe_module(module, aspect + "s", rest[0] if rest else None))
            return
        expression = read_module_expression(_bubble(" ".join(rest), command.span)) if rest else None
        module = self._context(expression, command.span)
        if self.passage is not None and module is self.passage.module:
            for problem in self.passage.prepare():
                self._report(problem)
        self.tell(describe_module(module, aspect))

    # --- reporting

    def _report(self, problem: Diagnostic) -> None:
        self.outcome.problems.append(problem)


def load(path: str | Path) -> Library:
    """The modules of a file; raises the first error in it.

    >>> list(load("specs/tas.cafe").modules)[-1]
    'TAS'
    """
    session = Session()
    session.run_file(Path(path))
    for problem in session.outcome.errors:
        raise OtsrwError.of(problem)
    return session.library


def _needs_passage(statement: tree.Statement) -> bool:
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
        | tree.Echo,
    )


def _bubble(text: str, span: Span) -> tree.Bubble:
    """Words of a command line as a bubble; their place is the command's."""
    words = Words(Source(span.source.name, text)).texts
    return tree.Bubble(span.source, words, [span.start] * len(words), [span.end] * len(words))


def _unsupported_hint(keyword: str) -> str | None:
    if keyword in ("lisp", "lispq", "ev", "evq", "eval-lisp", "!"):
        return "Lisp is never run: a specification is untrusted text"
    if keyword.startswith(":"):
        return "proof tactics of CITP and CiMPA are not run; write the proof score as open/red/close passages"
    return None


def _search_lines(note: SearchNote, declared: dict[str, Term]) -> list[str]:
    if note.state is None:
        return [note.text]
    bindings = ", ".join(f"{v.op.name}:{v.sort.name} |-> {show(t, declared)}" for v, t in note.bindings)
    return [
        f"** Found [state 0-{note.number}] {show_with_sort(note.state, declared)}",
        f"    {{ {bindings} }}" if bindings else "    {}",
    ]

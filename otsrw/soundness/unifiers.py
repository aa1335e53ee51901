"""Unifiers modulo the theories of operators: in Python where operators have none, from Maude otherwise.

Maude gets the part of the signature that the terms need, under names made here, and all problems at once. It runs in
a process of its own, because it may crash, and because it tells only on standard error that it may have missed some.
A problem that Maude does not solve completely has no unifiers, but a reason.
"""

from __future__ import annotations

import importlib.util
import marshal
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from otsrw.records import NamedTuple
from otsrw.soundness.syntactic import NeedsMaude, Problem, TooManyUnifiers, Unifier, unify
from otsrw.theory.signature import Signature
from otsrw.theory.sorts import Kind, Sort, SortOrder
from otsrw.theory.terms import LiteralTerm, Symbol, Term, variable, variables_of

if TYPE_CHECKING:
    import subprocess

LIMIT = 400
"""Unifiers of one problem; what needs more is not shown."""

RESTARTS = 3
SECONDS = 30.0
"""How long Maude may think about one problem before it is killed."""

_NAME = "UNIFY"


class UnifierSet(NamedTuple):
    """A complete set of unifiers, or the reason why there is none."""

    unifiers: tuple[Unifier, ...]
    missing: str = ""


class UnifyingMaude(NamedTuple):
    """How Maude is asked; `script` is None if the package maude is not installed."""

    script: str | os.PathLike[str] | None
    seconds: float = SECONDS


def installed_maude() -> UnifyingMaude:
    present = importlib.util.find_spec("maude") is not None
    return UnifyingMaude(os.path.join(os.path.dirname(__file__), "unifier_worker.py") if present else None)


def solve(problems: Sequence[Problem], signature: Signature, maude: UnifyingMaude | None = None) -> list[UnifierSet]:
    """An answer for each problem; None means the Maude that is installed. Names of variables must be different."""
    easy = [_in_python(problem, signature.order) for problem in problems]
    hard = [problem for problem, answer in zip(problems, easy, strict=True) if answer is None]
    if not hard:
        return [answer for answer in easy if answer is not None]
    writer = _UnifierWriter(signature.order)
    texts = [writer.problem(problem) for problem in hard]
    with _Conversation(writer, texts, maude or installed_maude()) as conversation:
        told = iter([writer.answer(p, a) for p, a in zip(hard, conversation.answers(), strict=True)])
    return [next(told) if answer is None else answer for answer in easy]


def _in_python(problem: Problem, order: SortOrder) -> UnifierSet | None:
    """The unifiers, if they can be found without Maude."""
    try:
        return UnifierSet(tuple(unify(problem, order, LIMIT)))
    except TooManyUnifiers:
        return _TOO_MANY
    except NeedsMaude:
        return None


_TOO_MANY = UnifierSet((), f"more than {LIMIT} unifiers")


# --- terms as Maude reads them


class _UnifierWriter:
    """Names for sorts, operators and variables, and the declarations that problems need."""

    def __init__(self, order: SortOrder) -> None:
        self.order = order
        self.lines: list[str] = []
        self._kinds: set[Kind] = set()
        self._sorts: dict[Sort, str] = {}
        self._by_name: dict[str, Sort] = {}
        self._operators: dict[Symbol, str] = {}
        self._literals: dict[Term, str] = {}
        self._meaning: dict[str, Symbol | Term] = {}
        self._variables: dict[Term, str] = {}

    @property
    def text(self) -> str:
        return "\n".join([f"fmod {_NAME} is", *self.lines, "endfm", ""])

    def problem(self, problem: Problem) -> list[list[str]]:
        return [[self._term(left), self._term(right)] for left, right in problem]

    def _sort(self, sort: Sort) -> str:
        kind = self.order.kind[sort]
        if kind not in self._kinds:
            self._kinds.add(kind)
            for member in kind.sorts:
                name = self._sorts[member] = f"S{len(self._sorts)}"
                self._by_name[name] = member
                self.lines.append(f"sort {name} .")
            pairs = [(a, b) for a in kind.sorts for b in kind.sorts if a is not b and self.order.leq(a, b)]
            self.lines += [f"subsort {self._sorts[a]} < {self._sorts[b]} ." for a, b in pairs]
        return self._sorts[sort]

    def _term(self, term: Term) -> str:
        if term.op.variable:
            name = self._variables.get(term)
            if name is None:
                name = self._variables[term] = f"V{len(self._variables)}:{self._sort(term.sort)}"
            return name
        name = self._literal(term) if isinstance(term, LiteralTerm) else self._operator(term.op)
        if not term.args:
            return name
        args = [self._term(arg) for arg in term.args]
        return f"{name}({','.join(args)})"

    def _literal(self, term: Term) -> str:
        name = self._literals.get(term)
        if name is None:
            name = self._literals[term] = f"k{len(self._literals)}"
            self._meaning[name] = term
            self.lines.append(f"op {name} : -> {self._sort(term.sort)} .")
        return name

    def _operator(self, symbol: Symbol) -> str:
        name = self._operators.get(symbol)
        if name is None:
            name = self._operators[symbol] = f"o{len(self._operators)}"
            self._meaning[name] = symbol
            theory = ["assoc"] * symbol.assoc + ["comm"] * symbol.comm
            if symbol.identity is not None:
                theory.append(f"id: {self._term(symbol.identity)}")
            attributes = f" [{' '.join(theory)}]" if theory else ""
            for decl in symbol.decls:
                arity = " ".join(map(self._sort, decl.arity))
                self.lines.append(f"op {name} : {arity} -> {self._sort(decl.coarity)}{attributes} .")
        return name

    # --- and back

    def answer(self, problem: Problem, told: dict[str, Any]) -> UnifierSet:
        """Maude's answer in our terms."""
        if "trouble" in told:
            return UnifierSet((), told["trouble"])
        if told.get("unparsed"):
            return UnifierSet((), "Maude cannot read these left sides")
        if told.get("more"):
            return _TOO_MANY
        if told["complaints"]:
            return UnifierSet((), "Maude may not know all unifiers of these left sides")
        originals = {self._variables[v]: v for pair in problem for side in pair for v in variables_of(side)}
        found: dict[tuple[Term, ...], Unifier] = {}
        for unifier in told["found"]:
            read = self._unifier(unifier, originals)
            found.setdefault(tuple(read.values()), read)
        return UnifierSet(tuple(found.values()))

    def _unifier(self, unifier: list[tuple[str, Any]], originals: dict[str, Term]) -> Unifier:
        names: dict[str, Term] = {}
        for name, value in unifier:
            # A variable of ours that is only renamed keeps its name, so that people recognise it.
            own = originals[name]
            if isinstance(value, str) and value not in names and value.split(":")[1] == name.split(":")[1]:
                names[value] = own
        return {originals[name]: self._read(value, names) for name, value in unifier}

    def _read(self, dumped: Any, names: dict[str, Term]) -> Term:
        if isinstance(dumped, str):
            found = names.get(dumped)
            if found is None:
                number, sort = dumped.split(":")
                meant = self._by_name[sort]
                found = names[dumped] = variable(f"{meant.name[0]}#{number.strip('#%@')}", meant)
            return found
        name, *args = dumped
        meaning = self._meaning[name]
        return meaning if isinstance(meaning, Term) else meaning.make(tuple([self._read(arg, names) for arg in args]))


# --- the process


class _Conversation:
    """Problems that one process, or its successor after a crash, answers in order."""

    def __init__(self, writer: _UnifierWriter, problems: list[list[list[str]]], maude: UnifyingMaude) -> None:
        self.text = writer.text
        self.problems = problems
        self.maude = maude
        self.process: subprocess.Popen[bytes] | None = None
        self.told: SimpleQueue[dict[str, Any] | None] = SimpleQueue()

    def __enter__(self) -> _Conversation:
        if self.problems and self.maude.script is not None:
            self._start(self.problems)
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop()

    def answers(self) -> list[dict[str, Any]]:
        if self.maude.script is None:
            return [{"trouble": "the package maude is not installed"}] * len(self.problems)
        found: list[dict[str, Any]] = []
        restarts = 0
        while len(found) < len(self.problems):
            told = self._next()
            if "rejected" in told:
                trouble = {"trouble": "Maude does not accept the signature of these left sides"}
                return [*found, *[trouble] * (len(self.problems) - len(found))]
            found.append(told)
            if "trouble" not in told:
                continue
            self._stop()
            restarts += 1
            if restarts > RESTARTS:
                return [*found, *[told] * (len(self.problems) - len(found))]
            if len(found) < len(self.problems):
                self._start(self.problems[len(found) :])
        return found

    def _next(self) -> dict[str, Any]:
        try:
            told = self.told.get(timeout=self.maude.seconds)
        except Empty:
            return {"trouble": "Maude took too long to unify"}
        return {"trouble": "Maude broke down while it unified"} if told is None else told

    def _start(self, problems: Iterable[list[list[str]]]) -> None:
        import subprocess
        import threading

        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-S", str(self.maude.script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        self.told = SimpleQueue()
        request = marshal.dumps({"text": self.text, "name": _NAME, "limit": LIMIT, "problems": list(problems)})
        threading.Thread(target=_converse, args=(self.process, request, self.told), daemon=True).start()

    def _stop(self) -> None:
        if self.process is None:
            return
        self.process.kill()
        self.process.wait()
        self.process = None


def _converse(process: subprocess.Popen[bytes], request: bytes, told: SimpleQueue[dict[str, Any] | None]) -> None:
    """Write the request, read all answers; None is the end. The pipes are closed here, and nowhere else."""
    assert process.stdin is not None and process.stdout is not None
    with process.stdout:
        with suppress(BrokenPipeError), process.stdin:
            process.stdin.write(request)
        with suppress(EOFError, ValueError, TypeError):  # a process that was killed may stop in the middle
            while True:
                told.put(marshal.load(process.stdout))
    told.put(None)

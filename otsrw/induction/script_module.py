"""The module of a proof script: the specification, lemmas about data, and the predicates of a proof as operators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement

from otsrw.induction.data_score import data_equations
from otsrw.induction.results import IgfResult
from otsrw.induction.score import ScoreWriter
from otsrw.ots.model import Ots
from otsrw.proofs import Session
from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.context import ProofContext
from otsrw.proofs.citp.goals import ROOT, Goal
from otsrw.proofs.citp.numbers import NumberReading
from otsrw.proofs.citp.reading import sentences_of
from otsrw.proofs.citp.script_connectives import ScriptConnective
from otsrw.reasoning.workbench import Workbench
from otsrw.records import dataclass
from otsrw.rewriting.budget import Budget
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.lexer import Words
from otsrw.syntax.reader import read
from otsrw.syntax.source import Source, Span
from otsrw.syntax.tree import Bubble, ModuleDeclaration, OperatorDeclaration
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Module
from otsrw.theory.printing import show, show_plainly
from otsrw.theory.terms import Symbol, Term, variable

_REWRITES = 2_000_000

MAX_DISJUNCTS = 4
"""Parts of a disjunction that CafeOBJ may make a sum of: n parts are up to 2 to the n products."""


@dataclass(frozen=True, slots=True)
class ProofScript:
    """A script with the number of goals it states, and of reductions before them, which prove lemmas about data."""

    text: str
    goals: int
    reductions: int = 0


@dataclass(frozen=True, slots=True)
class GrantedFacts:
    """Sentences that a script takes for granted: about numbers, and about bags with the functions they are about."""

    numbers: tuple[str, ...]
    bags: tuple[str, ...] = ()
    rests: tuple[str, ...] = ()
    """The names of these functions."""


def bubble_of(text: str) -> Bubble:
    """The words of a text."""
    words = Words(Source("<script>", text))
    return words.bubble(0, len(words.texts))


def with_constructors(span: Span, symbols: Iterable[Symbol]) -> str:
    """The text of a declaration, with the attribute `constr` added to the operators that are declared in it."""
    wanted = {decl.span for symbol in symbols for decl in symbol.decls}
    text = span.text
    declared = read(span.source)[0] if any(each.source is span.source for each in wanted) else []
    for module in declared:
        if not isinstance(module, ModuleDeclaration) or module.span.start != span.start:
            continue
        for item in reversed(module.items):
            if isinstance(item, OperatorDeclaration) and item.span in wanted and item.coarity is not None:
                given = item.attributes
                end = (item.coarity.span if given is None else given.span).end - span.start
                text = f"{text[:end]} {'{constr}' if given is None else 'constr'}{text[end:]}"
    return text


class ScriptModule:
    """The specification with the predicates of a proof as operators, and the proof context that it is."""

    def __init__(self, ots: Ots, result: IgfResult, declarations: Iterable[Span], granted: GrantedFacts) -> None:
        self.ots = ots
        self.granted = granted
        self.nodes = dict(result.nodes)
        self.marked = tuple(symbol for symbol in self._generators() if not symbol.is_constructor)
        """Initial states and transitions that become constructors: `si` makes its cases from constructors."""
        texts = [with_constructors(span, self.marked).rstrip() for span in declarations]
        self.name = "PROOF"
        while self.name in "\n".join(texts):
            self.name += "-SCRIPT"
        wanted = {each.value: each.symbol for each in ScriptConnective} | {name: name for name in granted.rests}
        taken = next((word for word in wanted if any(word in text for text in texts)), None)
        if taken is not None:
            raise OtsrwError("E524", f"no script: it needs an operator {wanted[taken]}, and the specification has one")
        data = ScoreWriter(ots, result, ())
        proofs = data.data_proofs()
        self.reductions = data.passages
        self.text = "\n".join(
            [*texts, *proofs, "", *self._lines((*data_equations(result.data), *granted.numbers, *granted.bags)), ""]
        )
        session = Session()
        session.run_text(self.text, "<script>")
        self.module: Module = session.library.modules[self.name]
        context = ProofContext.of_module(self.module)
        self.bench = GoalBench(context, session.library, lambda: Budget.of(_REWRITES))
        self.numbers = NumberReading(context, session.library)

    def _generators(self) -> Iterator[Symbol]:
        yield from self.ots.initials
        for transition in self.ots.transitions:
            yield transition.operator.symbol

    def header(self) -> Iterator[str]:
        """What the comment at the top of a script says of the specification."""
        if self.marked:
            names = ", ".join(symbol.name for symbol in self.marked)
            yield f"-- {{constr}} was added to {names}: reachable states are built by them alone."
        if self.granted.numbers:
            count = len(self.granted.numbers)
            yield f"-- Taken for granted: facts about numbers, number-fact1 to number-fact{count} in {self.name}."
            yield "-- No reduction shows them; otsrw has decided them by linear arithmetic."
        if self.granted.bags:
            yield f"-- Taken for granted: facts about bags, the sentences bag-fact-.. in {self.name}. No reduction"
            yield "-- shows them; they hold because bags are equal only if they have the same elements, each as often."
        if self.reductions:
            yield f"-- reductions that prove lemmas about data: {self.reductions}"

    def _lines(self, equations: Iterable[str]) -> Iterator[str]:
        ots = self.ots
        yield f"mod {self.name} {{"
        yield f"  pr({ots.name})"
        for operator in ScriptConnective:
            yield from operator.lines()
        yield from equations
        known = {invariant.name for invariant in ots.invariants}
        for name, node in self.nodes.items():
            if name not in known:
                variables = (ots.state, *node.predicate.parameters)
                yield f"  op {name} : {' '.join(v.sort.name for v in variables)} -> Bool"
                head = ",".join(f"{v.op.name}:{v.sort.name}" for v in variables)
                yield f"  eq {name}({head}) = {self._evaluable(node.predicate.formula)} ."
        yield from self._differences()
        yield "}"

    def _evaluable(self, formula: Term) -> str:
        """The text of a formula; a long disjunction is an implication that is evaluated part by part."""
        parts = list(_disjuncts(formula, True))
        if len(parts) <= MAX_DISJUNCTS:
            return show_plainly(formula)
        premises, claims = ([f"({show_plainly(part)})" for part, sign in parts if sign is s] for s in (False, True))
        claim = ScriptConnective.DISJUNCTION.joined(claims) or "false"
        return ScriptConnective.IMPLICATION.joined((*premises, f"({claim})"))

    def _differences(self) -> Iterator[str]:
        """What free constructors of tight modules mean for `=`, where the specification does not say it itself."""
        bench = Workbench(self.ots.module)
        plain = bench.rewriter(())
        system = {decl for inner in self.ots.module.closure() if inner.is_system for decl in inner.decls}
        free = [symbol for symbol in sorted(bench.constructors.free, key=lambda s: s.number) if not is_literal(symbol)]
        free = [symbol for symbol in free if symbol.decls[0] not in system and symbol.kind is not None]
        for one, other in combinations_with_replacement(free, 2):
            if one.kind is not other.kind or (one is other and not one.nargs):
                continue
            left, right = general(one, "A"), general(other, "B")
            same = bench.connectives.equal(left, right)
            if bench.reduce(plain, same) is same:
                parts = [f"({show(a)} = {show(b)})" for a, b in zip(left.args, right.args, strict=False)]
                yield f"  eq ({show(left)} = {show(right)}) = {' and '.join(parts) if one is other else 'false'} ."

    # --- texts

    def at(self, name: str, state: str, values: Iterable[str]) -> str:
        """A predicate at a state."""
        args = list(values)
        args.insert(self.place(name), state)
        return f"{name}({','.join(args)})"

    @property
    def state(self) -> str:
        """The variable that stands for any state in the sentences."""
        return f"{self.ots.state.op.name}:{self.ots.sort.name}"

    def sentences(self) -> list[str]:
        """The predicates of the proof as sentences to be proved."""
        found = []
        for name, node in self.nodes.items():
            shown = [f"{p.op.name}:{p.sort.name}" for p in node.predicate.parameters]
            found.append(f"eq [{name} :nonexec] : {self.at(name, self.state, shown)} = true .")
        return found

    def place(self, name: str) -> int:
        """Which argument of a predicate is the state."""
        known = next((i for i in self.ots.invariants if i.name == name), None)
        return 0 if known is None else known.operator.place

    def goal(self, text: str) -> Goal:
        """The root goal with these sentences."""
        empty = Goal(ROOT, (), self.module.signature)
        return empty._replace(targets=sentences_of(bubble_of(text), empty, self.bench))


def _disjuncts(formula: Term, positive: bool) -> Iterator[tuple[Term, bool]]:
    """The parts of a disjunction that the formula is, or its negation; False with a part that is negated."""
    native = formula.op.native
    if native is Builtin.NOT:
        yield from _disjuncts(formula.args[0], not positive)
    elif native is Builtin.IMPLIES and positive:
        yield from _disjuncts(formula.args[0], False)
        yield from _disjuncts(formula.args[1], True)
    elif native is (Builtin.OR if positive else Builtin.AND):
        for arg in formula.args:
            yield from _disjuncts(arg, positive)
    else:
        yield formula, positive


def general(constructor: Symbol, stem: str) -> Term:
    """The constructor applied to variables."""
    sorts = constructor.decls[0].arity
    return constructor.make(tuple(variable(f"{stem}{number}", sort) for number, sort in enumerate(sorts, 1)))


def is_literal(symbol: Symbol) -> bool:
    """Is it a truth value?"""
    return symbol.name in ("true", "false") and not symbol.nargs

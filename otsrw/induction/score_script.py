"""Makes a script of CiMPA of a proof score, as CiMPG does: passages with one mark `:id(name)` are one proof.

The script states the predicates of the passages, applies induction, and splits each step by what its passages assume. A
passage that the assumptions of a goal select closes it, with its premises. Where passages leave out a case, splits are
looked for as for proofs of our own, and the case is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from otsrw.induction.case_guide import CaseGuide, CaseView, GoalSplit, GuidedCase
from otsrw.induction.score_reading import ScoreContents, ScorePassage
from otsrw.induction.script_splits import SplitFinder, definition_of
from otsrw.induction.split_trees import MAX_DEPTH
from otsrw.ots.model import Ots
from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.cimpa_steps import by_name, constants, in_order, induction, is_sequence
from otsrw.proofs.citp.cimpa_steps import split as split_goal
from otsrw.proofs.citp.context import ProofContext
from otsrw.proofs.citp.goals import ROOT, Goal, TacticDefinition
from otsrw.proofs.citp.induct import constructors_of
from otsrw.proofs.citp.sentences import NONEXEC
from otsrw.records import dataclass
from otsrw.rewriting.budget import Budget
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Span
from otsrw.theory.builtins import Builtin
from otsrw.theory.library import Library
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show, show_briefly
from otsrw.theory.terms import Symbol, Term, variable

_REWRITES = 2_000_000


@dataclass(frozen=True, slots=True)
class ConvertedScore:
    """The commands of one proof, and the cases that no passage was about."""

    mark: str
    module: str
    lines: tuple[str, ...]
    filled: tuple[str, ...]
    span: Span
    """The first passage."""


class _MissingCase(Exception):
    """No passage closes a goal, and nothing is left to split it by."""


def converted_scores(contents: ScoreContents, mark: str | None = None) -> list[ConvertedScore]:
    """A script for each mark, in the order of the marks, or for one mark alone."""
    if contents.ots is None:
        hint = "passages reduce 'p(s,x) implies p(t(s,y),x)' for a transition t, or 'p(init,x)'"
        raise OtsrwError("E525", "no passage is about a step of a transition system", hint=hint)
    library = contents.session.library
    marks = [m for m in dict.fromkeys(passage.mark for passage in contents.passages) if m] or [""]
    if mark is not None and mark not in marks:
        message = f"no passage about a step has the mark :id({mark})"
        raise OtsrwError("E525", message, hint=f"there are: {', '.join(marks)}" if any(marks) else None)
    chosen = marks if mark is None else [mark]
    return [
        _ScoreConverter(contents.ots, library, [p for p in contents.passages if p.mark == each]).converted(each)
        for each in chosen
    ]


class _ScoreConverter:
    """Writes the script of the passages with one mark."""

    def __init__(self, ots: Ots, library: Library, passages: Sequence[ScorePassage]) -> None:
        self.ots = ots
        self.passages = passages
        self.bench = GoalBench(ProofContext.of_module(ots.module), library, lambda: Budget.of(_REWRITES))
        self.constructors = by_name(constructors_of(ots.module))
        self.finder = SplitFinder(self.bench, self.constructors, ots.sort.name)
        self.state = variable("S", ots.sort)
        predicates = dict.fromkeys(passage.predicate for passage in passages)
        self.sentences = {symbol: self._sentence(symbol, symbol.name) for symbol in predicates}
        premises = dict.fromkeys(p.op for passage in passages for p in self._premises(passage))
        lemmas = in_order(self._sentence(symbol, "") for symbol in premises if symbol not in predicates)
        self.lemmas = {axiom.lhs.op: axiom._replace(labels=(f"proven-goal{k}",)) for k, axiom in enumerate(lemmas)}
        self.lines: list[str] = []
        self.filled: list[str] = []
        self._splits = 0

    def _premises(self, passage: ScorePassage) -> list[Term]:
        """Predicates that a passage uses: at the state before the step, or, as lemmas about data, without a state."""
        others = passage.formulas[len(passage.equations) :]
        return [*passage.instances, *(formula for formula in others if self._is_about_data(formula))]

    def _is_about_data(self, formula: Term) -> bool:
        return (
            formula.op.native is None and bool(formula.args) and all(a.sort is not self.ots.sort for a in formula.args)
        )

    def _sentence(self, symbol: Symbol, label: str) -> Axiom:
        """The predicate for all states and parameters."""
        names = next((p.names for p in self.passages if p.predicate is symbol), ())
        taken = {"S"}
        args = []
        named = list(names[len(names) - symbol.nargs + 1 :]) if len(names) >= symbol.nargs - 1 else []
        for sort in symbol.decls[0].arity:
            if sort is self.ots.sort:
                args.append(self.state)
                continue
            stem = (named.pop(0) if named else sort.name[:1]).upper()
            name, number = stem, 0
            while name in taken:
                number += 1
                name = f"{stem}{number}"
            taken.add(name)
            args.append(variable(name, sort))
        return Axiom(symbol.make(tuple(args)), self.bench.connectives.true, None, labels=(label, NONEXEC))

    def converted(self, mark: str) -> ConvertedScore:
        goal = Goal(ROOT, in_order(self.sentences.values()), self.ots.module.signature)
        head = [f":proven({show(axiom.lhs)})" for axiom in self.lemmas.values()]
        stated = [f"  eq [{a.labels[0]} :nonexec] : {show(a.lhs)} = true ." for a in self.sentences.values()]
        head += [":goal{", *stated, "}", f":ind on (S:{self.ots.sort.name})", ":apply(si)"]
        steps = induction(self.bench, goal, self.state, self.constructors, self.lemmas.values())
        for child in steps.children:
            self.lines += [f":sel({child.name})", "  :apply(tc)"]
            for each in constants(self.bench, child).children:
                self._close(each)
        return ConvertedScore(mark, self.ots.name, (*head, *self.lines), tuple(self.filled), self.passages[0].span)

    # --- one goal

    def _close(self, goal: Goal) -> None:
        guide = CaseGuide(self.bench, self._cases(goal), self.finder.is_built)
        attempts = ((False, False), (True, False), (False, True), (True, True))
        failed: _MissingCase | None = None
        for is_ranked, may_fill in attempts:
            written, number, told = len(self.lines), self._splits, len(self.filled)
            try:
                self._split(goal, _SplitAttempt(guide, is_ranked, may_fill), guide.cases)
                return
            except _MissingCase as missing:
                del self.lines[written:], self.filled[told:]
                self._splits = number
                failed = failed or missing
        raise OtsrwError("E525", str(failed))

    def _cases(self, goal: Goal) -> Iterator[GuidedCase]:
        """What the passages about the step of a goal assume, with the constants of the goal."""
        claim = goal.targets[0].lhs
        place = next(k for k, sort in enumerate(claim.op.decls[0].arity) if sort is self.ots.sort)
        after = claim.args[place]
        places = {t.operator.symbol: t.operator.place for t in self.ots.transitions}
        values = (*claim.args[:place], *claim.args[place + 1 :])
        state = (after.args[places[after.op]],) if after.op in places else ()
        named = tuple(dict.fromkeys((*state, *after.args, *values)))
        for passage in self.passages:
            if passage.predicate is claim.op and passage.generator is after.op:
                images = dict(zip(passage.general, named, strict=True))
                literals = [
                    Axiom(substitute(a.lhs, images), substitute(a.rhs, images), None) for a in passage.equations
                ]
                extra = (f for f in passage.formulas[len(passage.equations) :] if not self._is_about_data(f))
                literals += [Axiom(substitute(f, images), self.bench.connectives.true, None) for f in extra]
                yield GuidedCase(tuple(literals), tuple(substitute(p, images) for p in self._premises(passage)))

    def _split(self, goal: Goal, attempt: _SplitAttempt, cases: Sequence[GuidedCase], depth: int = 0) -> None:
        views = attempt.guide.views(goal, cases)
        value = self.bench.reduce(goal, goal.targets[0].lhs)
        premises = self._closing(goal, value, views)
        if premises is not None:
            self.lines += [*(self._implication(p) for p in premises), "  :apply (rd)"]
            return
        split = attempt.guide.split(views, attempt.is_ranked)
        if split is None and attempt.may_fill:
            self.filled.append(self._missing(goal))
            split = self.finder.split(goal, self._with_premises(goal, value, cases))
        if split is None or depth >= attempt.max_depth:
            raise _MissingCase(self._missing(goal))
        self._splits += 1
        case = self._definition(f"c{self._splits}", split)
        self.lines += [f"  :def {case.name} = {case.form}", f"  :apply({case.name})"]
        for child in split_goal(self.bench, goal, case, self.constructors).children:
            self._split(child, attempt, [view.case for view in views], depth + 1)

    def _definition(self, name: str, split: GoalSplit) -> TacticDefinition:
        """The `:def` of a split; a sequence is empty, or has a first element."""
        if isinstance(split, Axiom) or not is_sequence(self.constructors, split.sort):
            return definition_of(name, split, self.bench.connectives.true)
        return TacticDefinition(name, ":cvs", f":cvs [{show(split)} .]", term=split)

    def _closing(self, goal: Goal, value: Term, views: Iterable[CaseView]) -> list[Term] | None:
        """Premises that close a goal: none, or those of a passage whose equations all hold; None if nothing does."""
        true = self.bench.connectives.true
        if value is true:
            return []
        for view in views:
            premises = list(view.premises())
            if not view.undecided and self._implied(goal, premises, value) is true:
                return premises
        return None

    def _implied(self, goal: Goal, premises: Iterable[Term], value: Term) -> Term:
        for premise in premises:
            value = self.bench.connectives.symbol(Builtin.IMPLIES).make((premise, value))
        return self.bench.reduce(goal, value)

    def _with_premises(self, goal: Goal, value: Term, cases: Iterable[GuidedCase]) -> Term:
        every = dict.fromkeys(p for case in cases for p in case.premises if p.ground)
        return self._implied(goal, every, value)

    def _implication(self, premise: Term) -> str:
        sentence = self.sentences.get(premise.op) or self.lemmas[premise.op]
        pairs = zip(sentence.lhs.args, premise.args, strict=True)
        given = " ".join(f"{v.op.name}:{v.sort.name} <- {show(t)} ;" for v, t in pairs if v is not self.state)
        return f"  :imp [{sentence.labels[0]}] by {{{given}}}" if given else f"  :imp [{sentence.labels[0]}] ."

    def _missing(self, goal: Goal) -> str:
        own = [a for a in goal.assumptions if NONEXEC not in a.labels]
        assumed = ", ".join(f"{show_briefly(a.lhs)} = {show_briefly(a.rhs)}" for a in own)
        return f"no passage shows {show_briefly(goal.targets[0].lhs)}{f' if {assumed}' if assumed else ''}"


@dataclass(frozen=True, eq=False, slots=True)
class _SplitAttempt:
    """How the splits of a goal are chosen: in the order of the passages or ranked; may cases be filled in?"""

    guide: CaseGuide
    is_ranked: bool
    may_fill: bool

    @property
    def max_depth(self) -> int:
        """Splits below each other: as many as a passage has equations, and some where cases are filled in."""
        return MAX_DEPTH + max((len(case.literals) for case in self.guide.cases), default=0)

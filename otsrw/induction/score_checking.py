"""Checks that the passages of a proof score prove what it claims: every step has passages, and they leave no case out.

CafeOBJ reduces the passages that are there; that one is missing it cannot see. This check reads the text alone (see
`score_reading.py`), so it accepts a score for what it says, however it came about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from otsrw.induction.covering import CaseCover, LeftOut
from otsrw.induction.score_equations import added_equations, proved_claims
from otsrw.induction.score_reading import ScorePassage, read_score
from otsrw.ots.model import Ots
from otsrw.proofs.answers import CommandResult
from otsrw.proofs.declared import Declared
from otsrw.proofs.workspace import Settings
from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.data_lemmas import is_about_data
from otsrw.reasoning.inequalities import inequalities
from otsrw.reasoning.lemma_book import LemmaBook
from otsrw.reasoning.membership import membership_operators
from otsrw.reasoning.workbench import Equation, Workbench
from otsrw.records import dataclass
from otsrw.soundness import Obligation, ObligationKind, Status
from otsrw.soundness.obligations import DomainClaim
from otsrw.syntax.diagnostics import Diagnostic
from otsrw.syntax.source import NOWHERE, Source, Span
from otsrw.theory.modules import equations_by_symbol
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import sentence_line, show
from otsrw.theory.terms import Symbol, Term, subterms

_CLAIM = re.compile(r"^-- proves: (.+)$", re.MULTILINE)
_COUNT = re.compile(r"^-- reductions: (\d+)$", re.MULTILINE)

REDUCTIONS = 300_000
"""Reductions that may be spent on whether the passages of a score leave a case out, ..."""

REDUCTIONS_OF_A_PASSAGE = 300
"""... and as many more for each passage: most scores take 20, those about bags up to 200."""


@dataclass(frozen=True, eq=False, slots=True)
class ScoreReport:
    """What a score shows: a claim for each step of each predicate, and what is wrong with the text."""

    ots: Ots | None
    """None if no passage is about steps of an OTS."""
    predicates: tuple[str, ...]
    """The predicates that have passages."""
    operators: frozenset[Symbol]
    """All operators that the passages, and the proofs of lemmas about data that they use, reason with."""
    passages: int
    """How many passages are cases of steps."""
    reductions: int
    obligations: tuple[Obligation, ...]
    errors: tuple[Diagnostic, ...]
    """What is wrong with the text."""
    warnings: tuple[Diagnostic, ...]
    """Passages that count for no case."""
    stuck: tuple[tuple[int, str], ...] = ()
    """The lines of reductions that give neither true nor false, and what they give."""

    @property
    def proved(self) -> dict[str, DomainClaim]:
        """The predicates by name, as what may keep terms in their domain; none if a claim of the score fails."""
        if self.ots is None or not self.is_accepted:
            return {}
        stated = (each for each in self.ots.invariants if each.name in self.predicates)
        return {each.name: DomainClaim(each.parameters, each.formula) for each in stated}

    @property
    def is_accepted(self) -> bool:
        """Does the score prove all its predicates, if the equations mean one thing?"""
        shown = all(each.status is Status.PROVED for each in self.obligations)
        return self.ots is not None and shown and not self.errors


def score_report(
    source: Source, claims: Iterable[str] = (), settings: Settings | None = None, known: Iterable[Declared] = ()
) -> ScoreReport:
    """Check the text of a score; it has to prove the predicates named, and those that a line `-- proves:` names.

    `known` are declarations of another session, which are taken over as far as the text says the same.
    """
    contents = read_score(source, settings, known)
    obligations = [*_not_true(contents.answers), *_miscounted(source, len(contents.answers))]
    predicates: tuple[str, ...] = ()
    operators: frozenset[Symbol] = frozenset()
    if contents.ots is not None:
        claimed = [*claims, *(name for line in _CLAIM.findall(source.text) for name in line.split())]
        checker = _ScoreChecker(contents.ots, contents.passages)
        obligations += [*checker.unproved(claimed), *checker.added(), *checker.steps()]
        predicates = tuple(symbol.name for symbol in checker.predicates)
        operators = checker.operators
    return ScoreReport(
        contents.ots,
        predicates,
        operators,
        len(contents.passages),
        len(contents.answers),
        tuple(obligations),
        contents.errors,
        contents.warnings,
        tuple((each.span.line, each.result) for each in contents.answers if each.result and _is_stuck(each.result)),
    )


def _is_stuck(result: str) -> bool:
    return result not in ("true", "false")


def _not_true(answers: Iterable[CommandResult]) -> Iterator[Obligation]:
    for answer in answers:
        if answer.result != "true":
            witness = f"the reduction gives {answer.result or 'nothing'}, not true"
            yield _refuted(f"the case in line {answer.span.line}", witness, answer.span)


def _miscounted(source: Source, reductions: int) -> Iterator[Obligation]:
    """A header that tells how many reductions there are must be right."""
    found = _COUNT.search(source.text)
    if found is not None and int(found[1]) != reductions:
        witness = f"there are {reductions} reductions, and the header says {found[1]}"
        yield _refuted("what its header says", witness, Span(source, found.start(), found.end()))


class _ScoreChecker:
    """Checks the passages of one OTS."""

    def __init__(self, ots: Ots, passages: tuple[ScorePassage, ...]) -> None:
        self.ots = ots
        self.passages = passages
        self.predicates = list(dict.fromkeys(passage.predicate for passage in passages))
        self.generators = [*ots.initials, *(t.operator.symbol for t in ots.transitions)]
        self._bench = Workbench(ots.module, inequalities(ots.module))
        self._added = added_equations(ots)
        self._signature = self._added.module.signature
        self._rules = equations_by_symbol(self._added.module)
        self._book = LemmaBook(self._added.module, self._rules, ots.sort)
        """Lemmas about data, for the module without the claims that the score adds to it."""
        self._connectives = Connectives(self._signature)
        self._shown: dict[Symbol, bool] = {}
        self._members = membership_operators(ots.module)
        self._most_work = REDUCTIONS + REDUCTIONS_OF_A_PASSAGE * len(passages)
        """Reductions for all steps together."""
        self._work = 0
        """Those that were spent."""

    def unproved(self, claimed: Iterable[str]) -> Iterator[Obligation]:
        """Predicates that are claimed or used, and have no passages at all."""
        known = {symbol.name for symbol in self.predicates}
        lacking = {i.name for i in self.ots.invariants if i.operator.symbol not in self.predicates}
        for name in dict.fromkeys(claimed):
            if name not in known or name in lacking:
                yield _refuted(name, "the score is to prove it, and has no passage for it")
        stated = {invariant.operator.symbol for invariant in self.ots.invariants}
        seen: set[Symbol] = set()
        for passage in self.passages:
            for instance in passage.instances:
                if instance.op in stated and instance.op not in self.predicates and instance.op not in seen:
                    seen.add(instance.op)
                    yield _refuted(instance.op.name, "it is used as a lemma, and has no passages", passage.span)

    def added(self) -> Iterator[Obligation]:
        """One claim for each equation that the score adds to the specification; those that are proved are facts then.

        They come before all steps, because passages rewrite with them.
        """
        for decl in self._added.redeclared:
            missing = f"line {decl.span.line} gives an operator of the specification other attributes"
            yield Obligation(ObligationKind.CASES, f"op {decl.text}", Status.OPEN, decl.span, missing=missing)
        if not self._added.claims:
            return
        proved = proved_claims(self._added, self._book, filter(self._states_data, self._rules))
        for claim in self._added.claims:
            proof, text = proved.get(claim), sentence_line(claim).removesuffix(" .")
            if proof is not None:
                yield Obligation(ObligationKind.CASES, text, Status.PROVED, claim.span, evidence=proof.how)
                continue
            missing = f"line {claim.span.line} adds it to the specification, and structural induction does not prove it"
            yield Obligation(ObligationKind.CASES, text, Status.OPEN, claim.span, missing=missing)

    def steps(self) -> Iterator[Obligation]:
        """One claim for each predicate and each initial state or transition."""
        for predicate in self.predicates:
            for generator in self.generators:
                own = [p for p in self.passages if p.predicate is predicate and p.generator is generator]
                yield self._step(predicate, generator, own)

    @property
    def operators(self) -> frozenset[Symbol]:
        """All operators that passages and proofs of lemmas about data mention."""
        terms = [term for p in self.passages for term in (p.after, *p.formulas, *p.instances)]
        translate, memo = self.ots.module.signature.translate, dict[Term, Term]()
        terms += [translate(proof.lemma.formula, memo) for proof in self._book.proofs]
        inside = {part.op for term in terms for part in subterms(term) if not part.op.variable}
        return frozenset(inside.union(self.predicates))

    def _step(self, predicate: Symbol, generator: Symbol, passages: list[ScorePassage]) -> Obligation:
        if not passages:
            is_initial = generator in self.ots.initials
            what = f"the initial state {generator.name}" if is_initial else f"the transition {generator.name}"
            others = (p.span for p in self.passages if p.predicate is predicate)
            return _refuted(f"{predicate.name}, {generator.name}", f"no passage is about {what}", next(others))
        first = passages[0]
        bench = self._bench.anew()
        images = dict(zip(first.general, _constants(bench, first), strict=True))
        cases = tuple(tuple(substitute(formula, images) for formula in self._formulas(passage)) for passage in passages)
        subject = f"{predicate.name}, {show(substitute(first.after, images))}"
        found = CaseCover(bench, self._members).left_out(cases, self._most_work - self._work)
        self._work += bench.reductions
        if found is None:
            evidence = (
                f"{len(passages)} passages leave no case out" if len(passages) > 1 else "one passage for all cases"
            )
            return Obligation(ObligationKind.CASES, subject, Status.PROVED, first.span, evidence=evidence)
        if found.is_unseen:
            missing = f"whether {len(passages)} passages leave a case out was not checked to the end"
            more = f"{missing}: the score takes more than {self._most_work} reductions"
            return Obligation(ObligationKind.CASES, subject, Status.OPEN, first.span, missing=more)
        return _described(subject, found, first.span)

    def _formulas(self, passage: ScorePassage) -> tuple[Term, ...]:
        """What a passage assumes: instances of predicates that have no passages of their own are assumed as well.

        Lemmas about data are no assumptions if structural induction proves what their operator states.
        """
        assumed = [formula for formula in passage.formulas if not self._is_shown(formula.op)]
        return (*assumed, *(i for i in passage.instances if i.op not in self.predicates))

    def _is_shown(self, symbol: Symbol) -> bool:
        if symbol not in self._shown:
            own = next((found for decl in symbol.decls if (found := self._signature.symbol_of(decl))), None)
            self._shown[symbol] = own is not None and self._states_data(own) and self._is_proved(own)
        return self._shown[symbol]

    def _states_data(self, symbol: Symbol) -> bool:
        return is_about_data(symbol, self.ots.sort, self._connectives)

    def _is_proved(self, symbol: Symbol) -> bool:
        """Is what the operator states proved, if need be with what operators of its module state that stand before?"""
        if self._book.prove_stated(symbol) is None:
            home = [s for s in self._rules if s.decls and s.decls[0].module == symbol.decls[0].module]
            before = home[: home.index(symbol)] if symbol in home else []
            self._book.prove_all_stated([*filter(self._states_data, before), symbol])
        return self._book.prove_stated(symbol) is not None


def _constants(bench: Workbench, passage: ScorePassage) -> list[Term]:
    found = []
    for name, general in zip(passage.names, passage.general, strict=True):
        free = name
        while not bench.is_free_name(free):
            free += "'"
        found.append(bench.constant(free, general.sort))
    return found


def _refuted(subject: str, witness: str, span: Span = NOWHERE) -> Obligation:
    return Obligation(ObligationKind.CASES, subject, Status.REFUTED, span, witness=witness)


def _described(subject: str, found: LeftOut, span: Span) -> Obligation:
    situation = " and ".join(_text(each, found) for each in found.assumptions.equations) or "nothing is assumed"
    if found.is_certain:
        return _refuted(subject, f"no passage covers the case {situation}", span)
    missing = f"a passage that covers the case {situation}"
    return Obligation(ObligationKind.CASES, subject, Status.OPEN, span, missing=missing)


def _text(equation: Equation, found: LeftOut) -> str:
    connectives = found.assumptions.bench.connectives
    if equation.right is connectives.true:
        return show(equation.left)
    if equation.right is connectives.false:
        return f"not {show(equation.left)}"
    return f"{show(equation.left)} = {show(equation.right)}"

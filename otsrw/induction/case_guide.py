"""Leads the splits of a goal by cases that are known to close it: the passages of a score, or the leaves of a proof.

A case is a list of equations and the instances of predicates that it uses. What a goal decides of the equations is
found by rewriting under its assumptions, so the cases need not come from one tree of splits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import Goal
from otsrw.records import dataclass, field
from otsrw.rewriting.matching import Matcher
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import Substitution, substitute
from otsrw.theory.terms import Term, subterms

GoalSplit = Axiom | Term
"""An equation that holds or not, or a term to split by the constructors of its sort."""


@dataclass(frozen=True, eq=False, slots=True)
class GuidedCase:
    """Equations, and predicates that may be assumed, about the constants of a goal; variables stand for some values."""

    literals: tuple[Axiom, ...]
    premises: tuple[Term, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class CaseView:
    """A case as a goal sees it: it may be the case of the goal; what of it is not decided; the values found so far."""

    case: GuidedCase
    undecided: tuple[GoalSplit, ...]
    bindings: Substitution = field(default_factory=dict)

    def premises(self) -> Iterator[Term]:
        """The predicates whose values are all known."""
        for premise in self.case.premises:
            made = substitute(premise, self.bindings)
            if made.ground:
                yield made


class CaseGuide:
    """Says which cases a goal may still be in, and what to split it by."""

    def __init__(
        self, bench: GoalBench, cases: Iterable[GuidedCase], is_built: Callable[[Goal, Term], bool] | None = None
    ) -> None:
        """`is_built` says whether all values of the sort of a term are built by constructors that a split lists."""
        self.bench = bench
        self.cases = tuple(cases)
        self._is_built = is_built
        self._matcher = Matcher(bench.signature.order)
        self._sides: dict[Term, Axiom] = {}
        """By the term `l = r`: how the equation is written in some case."""
        self._denied = {axiom.lhs for case in self.cases for axiom in case.literals if axiom.rhs is bench.truths[1]}
        for case in self.cases:
            for axiom in case.literals:
                self._sides.setdefault(self.formula(axiom.lhs, axiom.rhs), axiom)

    def views(self, goal: Goal, cases: Iterable[GuidedCase]) -> list[CaseView]:
        """The cases that the assumptions of a goal do not exclude."""
        found = (self._view(goal, case) for case in cases)
        return [view for view in found if view is not None]

    def split(self, views: Sequence[CaseView], is_ranked: bool) -> GoalSplit | None:
        """What to split by: what the first case begins with, or, if ranked, equations of constants first."""
        splits = [split for view in views for split in view.undecided]
        if not splits:
            return None
        return min(splits, key=_rank) if is_ranked else splits[0]

    # --- one case

    def _view(self, goal: Goal, case: GuidedCase) -> CaseView | None:
        bindings: Substitution = {}
        undecided: list[GoalSplit] = []
        for axiom in case.literals:
            left, right = substitute(axiom.lhs, bindings), substitute(axiom.rhs, bindings)
            if left.ground and not right.ground:
                value = self.bench.reduce(goal, left)
                known = next(self._matcher.match(right, value, bindings), None)
                if known is not None:
                    bindings = known
                elif value.op.is_constructor and right.op.is_constructor and value.op is not right.op:
                    return None
                else:
                    undecided.append(left)
            elif left.ground:
                verdict = self._decided(goal, left, right)
                if verdict is False:
                    return None
                if verdict is None:
                    undecided.append(self._split(goal, left, right))
        return CaseView(case, tuple(undecided), bindings)

    def _decided(self, goal: Goal, left: Term, right: Term) -> bool | None:
        """Does an equation hold in the goal? None if that is not known."""
        formula = self.formula(left, right)
        true, false = self.bench.truths
        for assumed in goal.assumptions:
            if assumed.condition is None and assumed.lhs.ground:
                same = self.formula(assumed.lhs, assumed.rhs)
                if same is formula:
                    return True
                if same is self._negated(formula) or formula is self._negated(same):
                    return False
        value = self.bench.reduce(goal, formula)
        if value is false and self._may_be_built(goal, left, right):
            return None  # what `=` says of terms that are no values is not relied on
        return True if value is true else False if value is false else None

    def _may_be_built(self, goal: Goal, left: Term, right: Term) -> bool:
        """Is the right side a value, and nothing known of how the left side is built, though a split would tell?"""
        if self._is_built is None or right in self.bench.truths or not right.op.is_constructor:
            return False
        return self._is_built(goal, left) and not self.bench.reduce(goal, left).op.is_constructor

    def _split(self, goal: Goal, left: Term, right: Term) -> GoalSplit:
        true, false = self.bench.truths
        is_value = right.op.is_constructor and right not in (true, false)
        if (
            is_value
            and self.formula(left, right) not in self._denied
            and self._is_built is not None
            and self._is_built(goal, left)
        ):
            return left
        if right is false:
            known = self._sides.get(left)
            if known is not None and known.rhs not in (true, false):
                return known._replace(labels=())
            if left.op.native is Builtin.EQUALS:
                return Axiom(*_oriented(left.args), None)
        return Axiom(left, true if right is false else right, None)

    def formula(self, left: Term, right: Term) -> Term:
        """The condition that an equation is."""
        true, false = self.bench.truths
        if right is true:
            return left
        return self._negated(left) if right is false else self.bench.connectives.equal(left, right)

    def _negated(self, term: Term) -> Term:
        return self.bench.connectives.negate(term)


def _oriented(sides: Sequence[Term]) -> tuple[Term, Term]:
    """The sides of an equation, first the one that is to be rewritten: a constant of the proof, else the larger one."""
    one, other = sides
    return (one, other) if _weight(one) >= _weight(other) and one not in subterms(other) else (other, one)


def _weight(term: Term) -> tuple[bool, bool, int]:
    """Constants for variables are rewritten before those of an induction step, which many equations are about."""
    return is_of_proof(term) and "@" in term.op.name, is_of_proof(term), sum(1 for _ in subterms(term))


def is_of_proof(term: Term) -> bool:
    """Is it a constant that a tactic has made?"""
    return not term.args and ("#" in term.op.name or "@" in term.op.name)


def _rank(split: GoalSplit) -> int:
    """Equations of constants come first: they rewrite what other equations are about."""
    if not isinstance(split, Axiom) or not is_of_proof(split.lhs):
        return 2
    return 0 if not split.rhs.args else 1

"""Ways to choose the splits of a goal that says: premises imply a claim.

A split is forced if one of its cases closes the goal at once, because a premise is false there or the claim is true.
Forced splits come first, as in procedures for propositional logic: they make a goal longer, but not more goals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from otsrw.induction.case_guide import CaseGuide, GoalSplit, GuidedCase
from otsrw.induction.script_splits import SplitFinder
from otsrw.proofs.citp.goals import Goal
from otsrw.reasoning.assumptions import atoms_of
from otsrw.records import NamedTuple, dataclass, replace
from otsrw.rewriting.ring import RingTerm
from otsrw.theory.modules import Axiom
from otsrw.theory.terms import Term, subterms


class OpenClaim(NamedTuple):
    """What is left of a goal: premises that are neither true nor false, and a claim that is not true, all reduced."""

    premises: tuple[Term, ...]
    claim: Term


@dataclass(frozen=True, eq=False, slots=True)
class SplitChoice:
    """A way to choose splits."""

    finder: SplitFinder
    guide: CaseGuide | None = None
    cases: tuple[GuidedCase, ...] = ()
    """Cases that are known to close the goal, those that it may still be in."""
    lists_first: bool = False
    """Are the values of constants of small sorts listed before goals are split in other ways that are not forced?"""
    by_shape: bool = False
    """Are terms split by constructors that functions wait for?"""

    def next(self, goal: Goal, left: OpenClaim) -> tuple[GoalSplit, SplitChoice] | None:
        """A split of a goal, and how to choose below it; None if there is none."""
        return next((pair for pair in self._candidates(goal, left) if _is_usable(goal, pair[0])), None)

    def _candidates(self, goal: Goal, left: OpenClaim) -> Iterator[tuple[GoalSplit, SplitChoice]]:
        """Splits in the order in which they are wanted; most of the work is left undone if the first one will do."""
        formulas = _OpenFormulas(self.finder, goal, left, self.by_shape)
        ways = [formulas.forced]
        if self.lists_first:
            ways.append(formulas.listed)
        ways.append(formulas.shape)
        for way in ways:
            split = way()
            if split is not None:
                yield split, self
        below = self
        if self.guide is not None:
            views = self.guide.views(goal, self.cases)
            below = replace(self, cases=tuple(view.case for view in views))
            guided = self.guide.split(views, True)
            if guided is not None:
                yield guided, below
        for way in (formulas.frequent, formulas.listed, formulas.unlisted):
            split = way()
            if split is not None:
                yield split, below


def _is_usable(goal: Goal, split: GoalSplit) -> bool:
    """Was the goal not split by this before, and is an equation one that can be used for rewriting?"""
    if not isinstance(split, Axiom):
        return not any(axiom.lhs is split for axiom in goal.assumptions)
    is_made = any(axiom.lhs is split.lhs and axiom.rhs is split.rhs for axiom in goal.assumptions)
    return not is_made and split.lhs not in subterms(split.rhs)


class _OpenFormulas:
    """The formulas that are left of a goal, and the conditions that equations wait for in them."""

    def __init__(self, finder: SplitFinder, goal: Goal, left: OpenClaim, by_shape: bool) -> None:
        self.finder = finder
        self.goal = goal
        self._by_shape = by_shape
        self._conditions: dict[Term, list[Term]] = {}
        self.claim = finder.bench.reduce(goal, finder.bench.connectives.negate(left.claim))
        """The negation of the claim: a goal is closed if this or a premise is false."""
        premises = sorted(left.premises, key=lambda premise: len(atoms_of(premise)))
        self.awaited = list(dict.fromkeys(self._awaited([self.claim, *premises])))
        near = {atom for formula in (self.claim, *self.awaited) for atom in atoms_of(formula)}
        self.facts = [self.claim, *_connected(premises, near)]

    def _awaited(self, formulas: Sequence[Term]) -> Iterator[Term]:
        for formula in formulas:
            for atom in atoms_of(formula):
                found = self._conditions_of(atom)
                yield from found
                yield from self._awaited(found)

    def _conditions_of(self, atom: Term) -> list[Term]:
        found = self._conditions.get(atom)
        if found is None:
            found = self._conditions[atom] = list(self.finder.conditions(self.goal, atom))
        return found

    def _free(self, formula: Term) -> list[Term]:
        """The atoms of a formula that may be split by: nothing waits in them."""
        return [atom for atom in atoms_of(formula) if self._is_free(atom)]

    def _is_free(self, atom: Term) -> bool:
        return self.finder.may_decide(atom) and not self._conditions_of(atom) and self._shape(atom) is None

    def _shape(self, atom: Term) -> Term | None:
        return self.finder.shape(self.goal, atom) if self._by_shape else None

    def forced(self) -> GoalSplit | None:
        """A split with a case that makes the claim true, a premise false, or decides a condition."""
        for formula in (self.claim, *self.awaited, *self.facts[1:]):
            is_condition = formula in self.awaited
            for atom in self._free(formula):
                matters = is_condition or formula is self.claim or self._is_shared(formula, atom)
                if matters and _decides(formula, atom, is_condition):
                    return self.finder.split_by(atom)
        return None

    def _is_shared(self, formula: Term, atom: Term) -> bool:
        return any(other is not formula and atom in atoms_of(other) for other in self.facts)

    def shape(self) -> GoalSplit | None:
        """A term that a function waits for to be built by a constructor."""
        atoms = (atom for formula in (*self.facts, *self.awaited) for atom in atoms_of(formula))
        shapes = (self._shape(atom) for atom in atoms if self.finder.may_decide(atom))
        return next((shape for shape in shapes if shape is not None), None)

    def listed(self) -> GoalSplit | None:
        """The constant of a small sort that occurs most often."""
        counts: dict[Term, int] = {}
        for formula in (*self.facts, *self.awaited):
            for atom in atoms_of(formula):
                for part in subterms(atom):
                    if not part.args and (part in counts or self.finder.is_listed(self.goal, part)):
                        counts[part] = counts.get(part, 0) + 1
        return max(counts, key=lambda part: counts[part]) if counts else None

    def unlisted(self) -> GoalSplit | None:
        """A term that has one of few values, where equations between terms say too little of it."""
        sides = [side for axiom in self.goal.assumptions for side in (axiom.lhs, axiom.rhs)]
        for term in (self.goal.targets[0].lhs, *reversed(sides)):
            for part in reversed(list(subterms(term))):
                if part.ground and self.finder.is_of_list(self.goal, part):
                    value = self.finder.bench.reduce(self.goal, part)
                    if self.finder.is_of_list(self.goal, value):
                        return value
        return None

    def frequent(self) -> GoalSplit | None:
        """The atom that is in many short formulas."""
        weights: dict[Term, float] = {}
        for formula in (*self.awaited, *self.facts):
            for atom in self._free(formula):
                weights[atom] = weights.get(atom, 0.0) + 2.0 ** -len(atoms_of(formula))
        return self.finder.split_by(max(weights, key=lambda atom: weights[atom])) if weights else None


def _connected(formulas: Sequence[Term], atoms: set[Term]) -> list[Term]:
    """The formulas that share atoms with these, or with other formulas that do; all if none does."""
    found: list[Term] = []
    known = set(atoms)
    todo = list(formulas)
    while True:
        near = [formula for formula in todo if not known.isdisjoint(atoms_of(formula))]
        if not near:
            return found or list(formulas)
        known.update(atom for formula in near for atom in atoms_of(formula))
        found += near
        todo = [formula for formula in todo if formula not in near]


def _decides(formula: Term, atom: Term, or_true: bool) -> bool:
    """Is the formula false for one value of the atom? With `or_true` it may be true for one value instead."""
    if not isinstance(formula, RingTerm):
        return formula is atom
    ring = formula.ring
    one = ring.conjunction(formula, atom)
    if one is formula or one is ring.false:
        return True
    return or_true and _decides(ring.negation(formula), atom, False)


def choices(finder: SplitFinder, cases: Sequence[GuidedCase]) -> Iterator[SplitChoice]:
    """The ways that are tried: by known cases, by what is left of the goal, and by how values are built."""
    if cases:
        guided = SplitChoice(finder, CaseGuide(finder.bench, cases), tuple(cases))
        yield guided
        yield replace(guided, lists_first=True)
    yield SplitChoice(finder, lists_first=True)
    yield SplitChoice(finder)
    yield SplitChoice(finder, lists_first=True, by_shape=True)

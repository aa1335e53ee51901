"""Trees of case splits that close a goal of CITP or CiMPA.

Several ways to choose splits are tried, splits that turn out needless are taken out, and the smallest tree wins:
CafeOBJ makes a module for every goal of a script, and keeps them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from otsrw.induction.case_guide import CaseGuide, GoalSplit, GuidedCase
from otsrw.induction.script_splits import SplitFinder
from otsrw.proofs.citp.goals import Goal, TacticOutcome
from otsrw.records import dataclass
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import show_briefly
from otsrw.theory.terms import Term

MAX_DEPTH = 40
"""Splits on one branch."""

LIMITS = (60, 400, 3000)
"""Splits of one goal: all ways are tried with the first limit, and if none of them gets there, with the next."""


@dataclass(frozen=True, eq=False, slots=True)
class SplitTree:
    """A split and the trees of its cases; without a split the goal holds by reduction."""

    split: GoalSplit | None
    below: tuple[SplitTree, ...]
    size: int
    """The number of splits."""


LEAF = SplitTree(None, (), 0)


class _NoTree(Exception):
    """A way to choose splits leaves a goal open, or needs too many splits."""


class SplitSearch:
    """Looks for a small tree of splits that closes a goal."""

    def __init__(
        self,
        finder: SplitFinder,
        value_of: Callable[[Goal], Term],
        cases_of: Callable[[Goal, GoalSplit], TacticOutcome],
        is_light: Callable[[Goal], bool] = lambda _: True,
    ) -> None:
        """`value_of` gives what the target of a goal reduces to, `cases_of` what a split makes of it.

        `is_light` says whether the reduction costs little: splits that are needed for that are not taken out.
        """
        self.finder = finder
        self.true = finder.true
        self._value_of = value_of
        self._cases_of = cases_of
        self._is_light = is_light
        self._left = 0
        """How many splits the tree that is being looked for may still have."""

    def tree(self, goal: Goal, cases: Sequence[GuidedCase], what: str) -> SplitTree:
        """The smallest tree that was found; E524 if there is none. `cases` are known to close the goal."""
        failed = ""
        for limit in LIMITS:
            best: SplitTree | None = None
            for choice in _choices(self.finder, cases):
                self._left = limit if best is None else best.size - 1
                try:
                    found = self._pruned(goal, self._found(goal, choice, 0))
                except _NoTree as problem:
                    failed = str(problem)
                    continue
                best = found if best is None or found.size < best.size else best
                if best.size == 0:
                    break
            if best is not None:
                return best
        raise OtsrwError("E524", f"no script was found: {what} is left with {failed}")

    def _found(self, goal: Goal, choice: SplitChoice, depth: int) -> SplitTree:
        value = self._value_of(goal)
        if value is self.true:
            return LEAF
        chosen = choice.next(goal, value) if depth < MAX_DEPTH and self._left > 0 else None
        if chosen is None:
            raise _NoTree(show_briefly(value))
        split, below = chosen
        self._left -= 1
        cases = self._cases_of(goal, split)
        if cases.gap is not None:
            raise _NoTree(cases.gap)
        return branch(split, [self._found(child, below, depth + 1) for child in cases.children])

    def _pruned(self, goal: Goal, tree: SplitTree) -> SplitTree:
        """The tree without splits that make no difference: the tree of a case closes the goal itself."""
        if tree.split is None:
            return tree
        children = self._cases_of(goal, tree.split).children
        below = [self._pruned(child, sub) for child, sub in zip(children, tree.below, strict=True)]
        if isinstance(tree.split, Axiom):
            for sub in sorted(below, key=_size):
                if self.closes(goal, sub, is_light=True):
                    return sub
        return branch(tree.split, below)

    def closes(self, goal: Goal, tree: SplitTree, is_light: bool = False) -> bool:
        """Do the splits of a tree close the goal, and, if wanted, by light reductions alone?"""
        if tree.split is None:
            return self._value_of(goal) is self.true and (not is_light or self._is_light(goal))
        children = self._cases_of(goal, tree.split).children
        return all(self.closes(child, sub, is_light) for child, sub in zip(children, tree.below, strict=True))


def branch(split: GoalSplit, below: Sequence[SplitTree]) -> SplitTree:
    return SplitTree(split, tuple(below), 1 + sum(map(_size, below)))


def _size(tree: SplitTree) -> int:
    return tree.size


class SplitChoice:
    """A way to choose splits: by what is left of a goal, and first, if cases are known, by what they assume."""

    def __init__(
        self, finder: SplitFinder, by_shape: bool, guide: CaseGuide | None = None, unfolds: bool = False
    ) -> None:
        """With `unfolds` a case that assumes a predicate is a case of what the predicate is defined to be."""
        self.finder = finder
        self.by_shape = by_shape
        self.guide = guide
        self.unfolds = unfolds
        self.cases: Sequence[GuidedCase] = () if guide is None else guide.cases

    def next(self, goal: Goal, value: Term) -> tuple[GoalSplit, SplitChoice] | None:
        """A split of a goal, whose target has this value, and how to choose below it; None if there is none."""
        if self.guide is None:
            found = self.finder.split(goal, value, self.by_shape)
            return None if found is None else (found, self)
        views = self.guide.views(goal, self.cases)
        below = SplitChoice(self.finder, self.by_shape, self.guide, self.unfolds)
        below.cases = [view.case for view in views]
        found = self.guide.split(views, True)
        if self.unfolds and isinstance(found, Axiom):
            found = self._unfolded(goal, found)
        found = found or self.finder.split(goal, value, self.by_shape)
        return None if found is None else (found, below)

    def _unfolded(self, goal: Goal, split: Axiom) -> GoalSplit:
        assert self.guide is not None
        formula = self.guide.formula(split.lhs, split.rhs)
        sides = [self.finder.bench.reduce(goal, side) for side in (split.lhs, split.rhs)]
        listed = next((side for side in sides if self.finder.is_listed(goal, side)), None)
        if listed is not None:
            return listed
        value = self.finder.bench.reduce(goal, formula)
        return split if value is formula else self.finder.split(goal, value, self.by_shape) or split


def _choices(finder: SplitFinder, cases: Sequence[GuidedCase]) -> Iterator[SplitChoice]:
    """The ways that are tried: by known cases, by what is left of the goal, and by how values are built."""
    if cases:
        guide = CaseGuide(finder.bench, cases)
        yield SplitChoice(finder, False, guide)
        yield SplitChoice(finder, False, guide, unfolds=True)
    yield SplitChoice(finder, False)
    yield SplitChoice(finder, True)

"""Trees of case splits that close a goal of CITP or CiMPA.

Several ways to choose splits are tried, splits that turn out needless are taken out, and the smallest tree wins:
CafeOBJ makes a module for every goal of a script, and keeps them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from otsrw.induction.case_guide import GoalSplit, GuidedCase
from otsrw.induction.script_splits import SplitFinder
from otsrw.induction.split_choices import OpenClaim, SplitChoice, choices
from otsrw.proofs.citp.goals import Goal, TacticOutcome
from otsrw.records import NamedTuple, dataclass
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import show_briefly
from otsrw.theory.terms import Term

MAX_DEPTH = 40
"""Splits on one branch."""

LIMITS = (60, 400, 3000)
"""Splits of one goal: all ways are tried with the first limit; if none gets there, with the next, until one does."""


class GoalParts(NamedTuple):
    """What a goal says: the premises imply the claim. The last premise is the induction hypothesis of the claim."""

    premises: tuple[Term, ...]
    claim: Term


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
        parts_of: Callable[[Goal], GoalParts],
        cases_of: Callable[[Goal, GoalSplit], TacticOutcome],
    ) -> None:
        """`parts_of` gives the premises and the claim of a goal, `cases_of` what a split makes of it."""
        self.finder = finder
        self.true = finder.true
        self._parts_of = parts_of
        self._cases_of = cases_of
        self._left = 0
        """How many splits the tree that is being looked for may still have."""

    def tree(self, goal: Goal, cases: Sequence[GuidedCase], what: str) -> SplitTree:
        """A small tree that was found; E524 if there is none. `cases` are known to close the goal."""
        failed = ""
        for limit in LIMITS:
            best: SplitTree | None = None
            for choice in choices(self.finder, cases):
                self._left = limit if best is None else best.size - 1
                try:
                    best = self._pruned(goal, self._found(goal, choice, 0))
                except _NoTree as problem:
                    failed = str(problem)
                except BudgetExceeded:
                    failed = "equations by which rewriting does not end"
                if best is not None and (best.size == 0 or limit > LIMITS[0]):
                    break
            if best is not None:
                return best
        raise OtsrwError("E524", f"no script was found: {what} is left with {failed}")

    def left(self, goal: Goal) -> OpenClaim | None:
        """What is left of a goal; None if it is closed: the claim is true, a premise is false, or is the claim."""
        parts = self._parts_of(goal)
        claim = self.finder.bench.reduce(goal, parts.claim)
        if claim is self.true:
            return None
        values = [self.finder.bench.reduce(goal, premise) for premise in parts.premises]
        if self.finder.false in values or values[-1:] == [claim]:
            return None
        open_values = (self.finder.as_sum(goal, value) for value in dict.fromkeys(values) if value is not self.true)
        return OpenClaim(tuple(open_values), self.finder.as_sum(goal, claim))

    def _found(self, goal: Goal, choice: SplitChoice, depth: int) -> SplitTree:
        left = self.left(goal)
        if left is None:
            return LEAF
        chosen = choice.next(goal, left) if depth < MAX_DEPTH and self._left > 0 else None
        if chosen is None:
            raise _NoTree(show_briefly(left.claim))
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
                if self.closes(goal, sub):
                    return sub
        return branch(tree.split, below)

    def closes(self, goal: Goal, tree: SplitTree) -> bool:
        """Do the splits of a tree close the goal?"""
        if tree.split is None:
            return self.left(goal) is None
        children = self._cases_of(goal, tree.split).children
        return all(self.closes(child, sub) for child, sub in zip(children, tree.below, strict=True))


def branch(split: GoalSplit, below: Sequence[SplitTree]) -> SplitTree:
    return SplitTree(split, tuple(below), 1 + sum(map(_size, below)))


def _size(tree: SplitTree) -> int:
    return tree.size

"""Do the cases of a proof leave nothing out?

A case is a conjunction of formulas; some of its constants need only exist. The cases are gone through in order: a
formula of the first one that is not decided yet is split on, so that the case either holds or is out of the question;
then the next one is asked. A situation in which no case is left is one that the cases leave out. Cases usually come
from a tree of splits, in order: then this finds the tree again, whoever wrote the cases. Other cases may take many
more situations than there are cases. So the work has a limit, in reductions, which are the same on every machine; past
it nothing is known of the situations that are left, and that is what is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from otsrw.reasoning.assumptions import Assumed, Assumptions, inner_atoms
from otsrw.reasoning.collections import ways_to_be_equal
from otsrw.reasoning.enumerated import impossible_constant
from otsrw.reasoning.membership import MembershipOperator, known_elements, taken_out
from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.shapes import alternatives, cell_shapes_of, shapes_of
from otsrw.reasoning.workbench import Workbench
from otsrw.records import dataclass
from otsrw.rewriting.matching import Matcher
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Term, subterms

CoveringCase = tuple[Term, ...]
"""Formulas, all of which hold in the case; variables stand for values that need only exist."""


@dataclass(frozen=True, eq=False, slots=True)
class LeftOut:
    """A situation that no case covers, as far as we can tell."""

    assumptions: Assumptions
    is_certain: bool
    """Does every case contradict it? If not, it is not shown that one of them covers it."""
    is_unseen: bool = False
    """Was the work spent before anybody looked at it?"""


@dataclass(frozen=True, eq=False, slots=True)
class _Situation:
    assumptions: Assumptions
    cases: tuple[CoveringCase, ...]
    """The cases that may cover it."""


@dataclass(frozen=True, eq=False, slots=True)
class _Distinction:
    """What has to be known before a case is decided: one of these formulas holds."""

    alternatives: tuple[tuple[Assumed, ...], ...]


def _is_impossible(assumptions: Assumptions) -> bool:
    if assumptions.contradiction is not None or assumptions.contradicted() is not None:
        return True
    return impossible_constant(assumptions) is not None


class CaseCover:
    """Looks for a situation that cases leave out; the constants of the workbench stand for anything."""

    def __init__(self, bench: Workbench, members: Sequence[MembershipOperator] = ()) -> None:
        self.bench = bench
        self._members = members
        self._matcher = Matcher(bench.module.signature.order)
        self._connectives = bench.connectives
        self._splits_rests = False
        """Is the rest of a bag of which an element is known split, too? Few covers need it, and it takes long."""

    def left_out(self, cases: tuple[CoveringCase, ...], most_reductions: int) -> LeftOut | None:
        """A situation that no case covers; None if there is none."""
        limit = self.bench.reductions + most_reductions
        for self._splits_rests in (False, True):
            found = self._first_left_out(cases, limit)
            if found is None or found.is_certain or found.is_unseen:
                break
        return found

    def _first_left_out(self, cases: tuple[CoveringCase, ...], limit: int) -> LeftOut | None:
        todo = [_Situation(Assumptions(self.bench), cases)]
        while todo:
            situation = todo.pop()
            if self.bench.reductions >= limit:
                return LeftOut(situation.assumptions, is_certain=False, is_unseen=True)
            try:
                found = self._look(situation)
            except BudgetExceeded:
                return LeftOut(situation.assumptions, is_certain=False)
            if isinstance(found, LeftOut):
                return found
            todo += reversed(found)
        return None

    def _look(self, situation: _Situation) -> list[_Situation] | LeftOut:
        """The situations that this one is split into, none if it is covered or cannot occur."""
        assumptions = situation.assumptions
        if assumptions.contradiction is not None:
            return []
        for formula in assumptions.open:
            value = assumptions.reduce(formula.formula)
            if value not in (self._connectives.true, self._connectives.false):
                return self._split(situation, self._about(value), situation.cases)
        cases = list(situation.cases)
        stuck: list[CoveringCase] = []
        while cases:
            found = self._ask(cases[0], assumptions)
            if found is None:
                cases.pop(0)
            elif isinstance(found, _Distinction):
                return self._split(situation, found, (*cases, *stuck))
            elif found:
                stuck.append(found)
                cases.pop(0)
            else:
                return []
        if _is_impossible(assumptions) or self._has_impossible_cell(assumptions):
            return []
        ways = ways_to_be_equal(assumptions) or self._conditions(assumptions)
        if ways:
            return self._split(situation, _Distinction(ways), tuple(stuck))
        return LeftOut(assumptions, is_certain=not stuck)

    def _conditions(self, assumptions: Assumptions) -> tuple[tuple[Assumed, ...], ...]:
        """Both values of what a conditional in an assumption depends on: until it is known, no branch is evaluated."""
        sides = dict.fromkeys(equation.left for equation in assumptions.equations)
        choices = (part for side in sides for part in subterms(side) if part.op.native is Builtin.IF)
        for atom in (atom for choice in choices for atom in inner_atoms(choice.args[0])):
            if assumptions.reduce(atom) is atom:
                return (Assumed(atom, True),), (Assumed(atom, False),)
        return ()

    def _has_impossible_cell(self, assumptions: Assumptions) -> bool:
        """Is there a value that is nothing or one element, and can be neither?"""
        unequal = (e.left for e in assumptions.equations if e.left.op.native is Builtin.EQUALS)
        for side in dict.fromkeys(side for atom in unequal for side in atom.args if not side.op.is_constructor):
            shapes = cell_shapes_of(side, self.bench)
            ways = alternatives(side, shapes, self.bench)
            if shapes and all(_is_impossible(assumptions.assuming(way)) for way in ways):
                return True
        return False

    def _split(
        self, situation: _Situation, question: _Distinction, cases: tuple[CoveringCase, ...]
    ) -> list[_Situation]:
        return [_Situation(situation.assumptions.assuming(each), cases) for each in question.alternatives]

    def _about(self, value: Term) -> _Distinction:
        atom = min(inner_atoms(value), key=size_and_text)
        return _Distinction(((Assumed(atom, True),), (Assumed(atom, False),)))

    # --- one case in one situation

    def _ask(self, case: CoveringCase, assumptions: Assumptions) -> CoveringCase | _Distinction | None:
        """What is left to show of the case, nothing if it covers the situation; None if it contradicts it."""
        pending = list(case)
        waiting: list[Term] = []
        question: _Distinction | None = None
        while pending:
            formula = pending.pop(0)
            if not formula.ground:
                bound = self._bound(formula, assumptions)
                if bound is None:
                    waiting.append(formula)
                elif isinstance(bound, dict):
                    pending = [substitute(other, bound) for other in (*waiting, *pending)]
                    waiting = []
                else:
                    pending[:0] = bound
                continue
            value = assumptions.reduce(formula)
            if value is self._connectives.false:
                return None
            if value is not self._connectives.true:
                question = question or self._about(value)
        if question is not None:
            return question
        if not waiting:
            return ()
        ways = ways_to_be_equal(assumptions)
        return _Distinction(ways) if ways else self._shapes(waiting, assumptions) or tuple(waiting)

    def _bound(self, formula: Term, assumptions: Assumptions) -> dict[Term, Term] | list[Term] | None:
        """Values for the variables that make an equation true, or equations it amounts to; None if nothing is known."""
        for value, pattern in self._sides(formula, assumptions):
            found = next(self._matcher.match(pattern, value, {}), None)
            if found is not None:
                return found
            if self.bench.constructors.distinct(value, pattern):
                return [self._connectives.false]
            parts = self.bench.constructors.decompose(value, pattern)
            if parts is not None and parts != [(value, pattern)]:
                return [self._connectives.equal(*pair) for pair in parts]
        return None

    def _shapes(self, waiting: list[Term], assumptions: Assumptions) -> _Distinction | None:
        """The constructor terms that a value may be which is compared with one."""
        for formula in waiting:
            for value, pattern in self._sides(formula, assumptions):
                whole: Term | None = value
                if self.bench.constructors.collects(value.op):  # it has a shape already, if not that of the pattern
                    whole = self._unknown_rest(value, pattern) if self._splits_rests else None
                if whole is None:
                    continue
                shapes = self._without_element(whole, pattern, assumptions) or shapes_of(whole, self.bench)
                if shapes:
                    return _Distinction(alternatives(whole, shapes, self.bench))
        return None

    def _unknown_rest(self, value: Term, pattern: Term) -> Term | None:
        """The rest `r` of a collection `(e , r)` of which nothing is known, if the pattern has more parts."""
        op = value.op
        if op is not pattern.op or op.identity is None or len(value.args) >= len(pattern.args):
            return None
        constants = (part for part in value.args if not part.args and not part.op.is_constructor)
        return next((part for part in constants if not self.bench.constructors.is_single(part, op)), None)

    def _without_element(self, value: Term, pattern: Term, assumptions: Assumptions) -> list[Term]:
        """A collection as an element of the pattern that is known to be in it, and the rest."""
        known = [each for each in known_elements(self._members, value, assumptions) if each.element in pattern.args]
        known.sort(key=lambda each: size_and_text(each.element))
        shapes = (taken_out(each, value, self.bench) for each in known)
        return [shape for shape in shapes if shape is not None][:1]

    def _sides(self, formula: Term, assumptions: Assumptions) -> Iterator[tuple[Term, Term]]:
        """The value of a known side of an equation, and the other side."""
        if formula.op.native is not Builtin.EQUALS:
            return
        for known, pattern in (formula.args, formula.args[::-1]):
            if known.ground and not pattern.ground:
                yield assumptions.reduce(known), pattern

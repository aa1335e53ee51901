"""CaseSplit (Definition 10): induction cases split until every one is decided.

The goal is `P(s,z) implies P(t(s,y),z)` for fresh constants. A case is a set of assumptions; the goal is reduced under
them. True closes the case; false keeps it, as a necessary lemma; anything else is split on an atom that is chosen by a
policy, or on the constructors of a value that a function is waiting for.

A case that stays false may be split further with premises: instances of predicates that are known to hold at the same
state. A premise that is false closes the case; one that is undecided is split on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property
from itertools import chain
from typing import Protocol

from otsrw.reasoning.assumptions import Assumed, Assumptions, inner_atoms
from otsrw.reasoning.collections import ways_to_be_equal
from otsrw.reasoning.enumerated import crowded_pair, elements, impossible_constant
from otsrw.reasoning.membership import MembershipOperator, known_elements, taken_out
from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.roles import Roles
from otsrw.reasoning.shapes import alternatives, cell_shapes_of, shapes_of
from otsrw.reasoning.workbench import Workbench
from otsrw.records import dataclass, field
from otsrw.rewriting.matching import Matcher
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort, SortOrder
from otsrw.theory.terms import Symbol, Term, subterms

MAX_CASES = 4000
MAX_SPLITS = 40
MAX_UNROLLED = 4
"""How often a part of a value that was taken apart is taken apart itself."""


class LeafOutcome(StrEnum):
    """What became of a case: the goal's value under its assumptions, or why there is none."""

    TRUE = "true"
    FALSE = "false"
    CONTRADICTION = "contradiction"
    """The assumptions exclude each other."""
    EXCLUDED = "excluded"
    """A premise is false under the assumptions."""
    UNDECIDED = "undecided"


CLOSED_OUTCOMES = (LeafOutcome.TRUE, LeafOutcome.CONTRADICTION, LeafOutcome.EXCLUDED)


@dataclass(frozen=True, slots=True)
class Premise:
    """An instance of a predicate that is known to hold: its name, the values of its parameters, the formula."""

    name: str
    values: tuple[Term, ...]
    formula: Term


class PremiseSource(Protocol):
    """Knows predicates that hold wherever the goal is to be shown."""

    def premise(self, assumptions: Assumptions, used: tuple[Premise, ...]) -> Premise | None:
        """The instance that leaves least undecided under the assumptions; None if no further one helps."""
        ...


@dataclass(frozen=True, eq=False, slots=True)
class Leaf:
    """A case that is split no further; the note says why it is undecided."""

    assumptions: Assumptions
    value: Term
    outcome: LeafOutcome
    note: str = ""
    premise: Premise | None = None
    """The premise that excludes the case."""

    @property
    def is_closed(self) -> bool:
        return self.outcome in CLOSED_OUTCOMES


@dataclass(frozen=True, eq=False, slots=True)
class Split:
    """Alternatives, one of which holds in every model, and the premises that are looked at in each."""

    alternatives: tuple[tuple[Assumed, ...], ...]
    premises: tuple[Premise, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class _Pending:
    """A case that is still to be looked at, and how often the start case was split to get there."""

    assumptions: Assumptions
    depth: int
    premises: tuple[Premise, ...]


def _by_atoms(value: Term) -> int:
    return len(inner_atoms(value))


Policy = Callable[["Candidates"], Term | None]


@dataclass(eq=False, slots=True)
class Candidates:
    """Atoms to split on, by where they were found."""

    bench: Workbench
    blocking: list[Term] = field(default_factory=list)
    """Conditions of conditionals and of conditional equations that wait."""
    goal: list[Term] = field(default_factory=list)
    """Atoms of the goal itself."""

    def arguments(self) -> list[Term]:
        """Equations between fresh constants, or a fresh constant and a constructor term."""
        return [a for a in self.goal if a.op.native is Builtin.EQUALS and any(map(self.bench.is_constant, a.args))]


def conditions_first(candidates: Candidates) -> Term | None:
    """What blocks an evaluation, then equations of arguments, then the rest, smaller atoms first."""
    for group in (candidates.blocking, candidates.arguments(), candidates.goal):
        if group:
            return min(group, key=size_and_text)
    return None


def goal_first(candidates: Candidates) -> Term | None:
    """The atoms of the goal, whatever they are; only then what blocks an evaluation."""
    for group in (candidates.goal, candidates.blocking):
        if group:
            return min(group, key=size_and_text)
    return None


def whichever_is_shorter(candidates: Candidates) -> Term | None:
    """Conditions first; an induction case that stays open after much work is also split with the goal first."""
    return conditions_first(candidates)


POLICIES: dict[str, Policy] = {
    "conditions-first": conditions_first,
    "goal-first": goal_first,
    "shorter": whichever_is_shorter,
}


def _false_case(case: _Pending, value: Term, roles: Roles) -> Leaf | Split:
    """A case in which the goal is false, unless its assumptions contradict each other after all."""
    assumptions = case.assumptions
    excluded = assumptions.contradicted()
    if excluded is not None:
        return Leaf(excluded, value, LeafOutcome.CONTRADICTION)
    crowded = impossible_constant(assumptions) if case.depth <= MAX_SPLITS else None
    if crowded is not None:
        return Split(elements(assumptions, crowded), case.premises)
    pair = crowded_pair(assumptions, roles) if case.depth <= MAX_SPLITS else None
    if pair is not None:
        return Split(tuple((Assumed(pair, holds),) for holds in (True, False)), case.premises)
    ways = ways_to_be_equal(assumptions) if case.depth <= MAX_SPLITS else ()
    if ways:
        return Split(ways, case.premises)
    return Leaf(assumptions, value, LeafOutcome.FALSE)


def _is_smaller(pattern: Term, sort: Sort, order: SortOrder) -> bool:
    """Is a pattern a variable that stands for some elements of a sort only?"""
    return pattern.op.variable and pattern.sort is not sort and order.leq(pattern.sort, sort)


class CaseSplitter:
    """Splits the cases of goals over one module."""

    def __init__(
        self,
        state_sort: Sort,
        rules: dict[Symbol, list[Axiom]],
        updating: frozenset[Symbol] = frozenset(),
        policy: Policy = conditions_first,
        deadline: float | None = None,
        shapes: bool = True,
        members: Sequence[MembershipOperator] = (),
        nested: bool = False,
        whole: frozenset[Sort] = frozenset(),
    ) -> None:
        self.state_sort = state_sort
        self.rules = rules
        self.updating = updating
        """Functions that transitions compute new values with: they are evaluated by cases, not taken as atoms."""
        self.policy = policy
        self.deadline = deadline
        self.shapes = shapes
        """May values be split by their constructors?"""
        self.members = members
        """Predicates that tell elements of collections: what is known to be in one is taken out first."""
        self.nested = nested
        """Are parts of an argument split, too, as `e` of `(e , L)` for an equation about `(< P , N > , L)`?"""
        self.whole = whole
        """Sorts whose values are not taken apart."""

    def leaves(
        self, bench: Workbench, goal: Term, start: Assumptions, source: PremiseSource | None = None
    ) -> Iterator[Leaf]:
        """All leaves below the start case."""
        matcher = Matcher(bench.module.signature.order)
        todo = [_Pending(start, 0, ())]
        cases = 0
        while todo:
            case = todo.pop()
            cases += 1
            stop = self._stop(cases)
            if stop is not None:
                for left in (case, *todo):
                    yield Leaf(left.assumptions, goal, LeafOutcome.UNDECIDED, stop)
                return
            try:
                found = self._examine(bench, goal, case, matcher, source)
            except BudgetExceeded as error:
                yield Leaf(case.assumptions, goal, LeafOutcome.UNDECIDED, error.problem.message)
                continue
            if isinstance(found, Leaf):
                yield found
                continue
            for alternative in reversed(found.alternatives):
                try:
                    assumptions = case.assumptions.assuming(alternative)
                    todo.append(_Pending(assumptions, case.depth + 1, found.premises))
                except BudgetExceeded as error:
                    yield Leaf(case.assumptions, goal, LeafOutcome.UNDECIDED, error.problem.message)

    def _stop(self, cases: int) -> str | None:
        """Why no further case is looked at, if so."""
        if cases > MAX_CASES:
            return f"more than {MAX_CASES} cases"
        return "the time is spent" if self.deadline is not None and time.monotonic() > self.deadline else None

    def _examine(
        self, bench: Workbench, goal: Term, case: _Pending, matcher: Matcher, source: PremiseSource | None
    ) -> Leaf | Split:
        true, false = bench.connectives.true, bench.connectives.false
        assumptions = case.assumptions
        if assumptions.contradiction is not None:
            return Leaf(assumptions, false, LeafOutcome.CONTRADICTION)
        for formula in assumptions.open:
            value = assumptions.reduce(formula.formula)
            if value is not true and value is not false:
                return self._split(bench, value, case, matcher)
        undecided: list[Term] = []
        for premise in case.premises:
            said = assumptions.reduce(premise.formula)
            if said is false:
                return Leaf(assumptions, false, LeafOutcome.EXCLUDED, premise=premise)
            if said is not true:
                undecided.append(said)
        value = assumptions.reduce(goal)
        if value is true:
            return Leaf(assumptions, value, LeafOutcome.TRUE)
        found = None
        if value is not false:
            found = self._split(bench, value, case, matcher)
            if isinstance(found, Split) or source is None:
                return found
        if undecided:
            return self._split(bench, min(undecided, key=_by_atoms), case, matcher)
        helpful = None if source is None else source.premise(assumptions, case.premises)
        if helpful is not None:
            further = _Pending(assumptions, case.depth, (*case.premises, helpful))
            return self._examine(bench, goal, further, matcher, source)
        return found or _false_case(case, value, self._roles)

    def _split(self, bench: Workbench, value: Term, case: _Pending, matcher: Matcher) -> Leaf | Split:
        assumptions = case.assumptions
        if case.depth > MAX_SPLITS:
            return Leaf(assumptions, value, LeafOutcome.UNDECIDED, f"split {MAX_SPLITS} times")
        candidates = self._candidates(bench, value, assumptions, matcher)
        shapes = self._cell_split(bench, value, assumptions)
        if not shapes and not candidates.blocking:
            shapes = self._constructor_split(bench, value, assumptions)
        if shapes:
            return Split(shapes, case.premises)
        atom = self.policy(candidates)
        if atom is None:
            return Leaf(assumptions, value, LeafOutcome.UNDECIDED, "no atom to split on")
        said = assumptions.reduce(atom)
        told = said in (bench.connectives.true, bench.connectives.false)
        return Split(tuple((Assumed(atom, holds, is_told=told),) for holds in (True, False)), case.premises)

    # --- candidates

    def _candidates(self, bench: Workbench, value: Term, assumptions: Assumptions, matcher: Matcher) -> Candidates:
        found = Candidates(bench)
        known = {e.left for e in assumptions.equations}
        for atom in inner_atoms(value):
            blocking = [c for c in self._blocking(atom, assumptions, matcher, bench) if c not in known]
            if blocking:
                found.blocking += [c for c in blocking if c not in found.blocking]
            elif atom not in known:
                found.goal.append(atom)
        return found

    def _blocking(self, atom: Term, assumptions: Assumptions, matcher: Matcher, bench: Workbench) -> list[Term]:
        """Atoms of the innermost conditions that keep a subterm from being rewritten."""
        if atom.op.native is Builtin.IF:
            return self._undecided(atom.args[0], assumptions, matcher, bench)
        for part in atom.args:
            result = self._blocking(part, assumptions, matcher, bench)
            if result:
                return result
        for rule in self.rules.get(atom.op, ()):
            if rule.condition is None or atom.op.native is not None:
                continue
            bindings = next(matcher.match(rule.lhs, atom, {}), None)
            if bindings is None:
                continue
            result = self._undecided(substitute(rule.condition, bindings), assumptions, matcher, bench)
            if result:
                return result
        return []

    def _undecided(self, condition: Term, assumptions: Assumptions, matcher: Matcher, bench: Workbench) -> list[Term]:
        """The atoms of a condition, or what keeps them from being evaluated.

        A condition that only constructors or arithmetic make true is no use to an equation until its atoms are told.
        """
        value = assumptions.reduce(condition)
        if value is bench.connectives.true:
            value = assumptions.rewritten(condition)
        if not value.ground or value in (bench.connectives.true, bench.connectives.false):
            return []
        found: list[Term] = []
        for atom in inner_atoms(value):
            found += self._blocking(atom, assumptions, matcher, bench) or [atom]
        return found

    # --- constructors

    def _constructor_split(
        self, bench: Workbench, value: Term, assumptions: Assumptions
    ) -> tuple[tuple[Assumed, ...], ...]:
        """The shapes of an argument that a function, which computes a new value or an argument, waits for; or none."""
        unrolled = sum(equation.left.op in bench.parts for equation in assumptions.equations)
        if unrolled >= MAX_UNROLLED or not self.shapes:
            return ()
        for atom in sorted(inner_atoms(value), key=size_and_text):
            function, waiting = self._waiting(atom, inside=False) or (None, None)
            if function is not None and waiting is not None:
                shapes = self._without_element(function, waiting, assumptions) or shapes_of(waiting, bench)
                if shapes:
                    return alternatives(waiting, shapes, bench)
        return ()

    def _cell_split(self, bench: Workbench, value: Term, assumptions: Assumptions) -> tuple[tuple[Assumed, ...], ...]:
        """The shapes of a value that is nothing or one element, if a function waits to know which; or none."""
        known = {equation.left for equation in assumptions.equations}
        for term in dict.fromkeys(part for atom in inner_atoms(value) for part in subterms(atom)):
            for position in self._sorted_places.get(term.op, ()):
                argument = term.args[position]
                if argument in known or not argument.ground or self._is_built(argument) or argument.op in bench.parts:
                    continue
                shapes = cell_shapes_of(argument, bench)
                if shapes:
                    return alternatives(argument, shapes, bench)
        return ()

    @cached_property
    def _roles(self) -> Roles:
        return Roles(chain.from_iterable(self.rules.values()), self.state_sort)

    @cached_property
    def _sorted_places(self) -> dict[Symbol, list[int]]:
        """For functions that are defined for a smaller sort: the places of their arguments where that is so."""
        found: dict[Symbol, list[int]] = {}
        for symbol, rules in self.rules.items():
            if symbol.native is None and symbol.decls and not symbol.has_theory:
                arity = symbol.decls[0].arity
                places = [
                    place
                    for place, sort in enumerate(arity)
                    if any(_is_smaller(rule.lhs.args[place], sort, symbol.order) for rule in rules)
                ]
                if places:
                    found[symbol] = places
        return found

    def _without_element(self, function: Term, collection: Term, assumptions: Assumptions) -> list[Term]:
        """The collection as an element that is known to be in it, best one the function is applied to, and the rest."""
        known = sorted(
            known_elements(self.members, collection, assumptions), key=lambda each: each.element not in function.args
        )
        shapes = (taken_out(each, collection, assumptions.bench) for each in known)
        return [shape for shape in shapes if shape is not None][:1]

    def _waiting(self, term: Term, inside: bool) -> tuple[Term, Term] | None:
        """A function that waits for the shape of an argument, and the argument."""
        defined = term.op in self.rules and term.op.native is None
        for part in term.args:
            found = self._waiting(part, inside or defined)
            if found is not None:
                return found
        if not (defined and (inside or term.op in self.updating)):
            return None
        for position, argument in enumerate(term.args):
            patterns = [r.lhs.args[position] for r in self.rules[term.op] if len(r.lhs.args) > position]
            parts = (self._unshaped(pattern, argument) for pattern in patterns)
            unshaped = next((part for part in parts if part is not None), None)
            if unshaped is not None and unshaped.sort is not self.state_sort and unshaped.sort not in self.whole:
                return term, unshaped
        return None

    def _unshaped(self, pattern: Term, term: Term) -> Term | None:
        """The first part of a term whose shape must be known before the term can match a pattern."""
        if pattern.op.variable:
            return None
        if not self._is_built(term):
            return term
        if not self.nested or term.op is not pattern.op or term.op.has_theory:
            return None
        parts = (self._unshaped(*pair) for pair in zip(pattern.args, term.args, strict=True))
        return next((part for part in parts if part is not None), None)

    def _is_built(self, term: Term) -> bool:
        return not term.op.decls or term.op.is_constructor or (term.op.assoc and term.op not in self.rules)

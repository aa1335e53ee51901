"""CaseSplit (Definition 10): induction cases split until every one is decided.

The goal is `P(s,z) implies P(t(s,y),z)` for fresh constants. A case is a set of assumptions; the goal is reduced under
them. True closes the case; false keeps it, as a necessary lemma; anything else is split on an atom that is chosen by a
policy, or on the constructors of a value that a function is waiting for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from otsrw.reasoning.assumptions import Assumed, Assumptions, atoms_of
from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.shapes import shapes_of
from otsrw.reasoning.workbench import Workbench
from otsrw.rewriting.matching import Matcher
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term

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
    UNDECIDED = "undecided"


@dataclass(frozen=True, eq=False, slots=True)
class Leaf:
    """A case that is split no further; the note says why it is undecided."""

    assumptions: Assumptions
    value: Term
    outcome: LeafOutcome
    note: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Split:
    """Alternatives, one of which holds in every model."""

    alternatives: tuple[tuple[Assumed, ...], ...]


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


POLICIES: dict[str, Policy] = {"conditions-first": conditions_first, "goal-first": goal_first}


class CaseSplitter:
    """Splits the cases of goals over one module."""

    def __init__(
        self,
        state_sort: Sort,
        rules: dict[Symbol, list[Axiom]],
        updating: frozenset[Symbol] = frozenset(),
        policy: Policy = conditions_first,
        deadline: float | None = None,
    ) -> None:
        self.state_sort = state_sort
        self.rules = rules
        self.updating = updating
        """Functions that transitions compute new values with: they are evaluated by cases, not taken as atoms."""
        self.policy = policy
        self.deadline = deadline

    def leaves(self, bench: Workbench, goal: Term, start: Assumptions) -> Iterator[Leaf]:
        """All leaves below the start case."""
        matcher = Matcher(bench.module.signature.order)
        todo: list[tuple[Assumptions, int]] = [(start, 0)]
        cases = 0
        while todo:
            assumptions, depth = todo.pop()
            cases += 1
            if cases > MAX_CASES:
                yield Leaf(assumptions, goal, LeafOutcome.UNDECIDED, f"more than {MAX_CASES} cases")
                return
            if self.deadline is not None and time.monotonic() > self.deadline:
                yield Leaf(assumptions, goal, LeafOutcome.UNDECIDED, "the time is spent")
                return
            try:
                leaf = self._examine(bench, goal, assumptions, matcher, depth)
            except BudgetExceeded as error:
                yield Leaf(assumptions, goal, LeafOutcome.UNDECIDED, error.problem.message)
                continue
            if isinstance(leaf, Leaf):
                yield leaf
                continue
            for alternative in reversed(leaf.alternatives):
                try:
                    todo.append((assumptions.assuming(alternative), depth + 1))
                except BudgetExceeded as error:
                    yield Leaf(assumptions, goal, LeafOutcome.UNDECIDED, error.problem.message)

    def _examine(
        self, bench: Workbench, goal: Term, assumptions: Assumptions, matcher: Matcher, depth: int
    ) -> Leaf | Split:
        true, false = bench.connectives.true, bench.connectives.false
        if assumptions.contradiction is not None:
            return Leaf(assumptions, false, LeafOutcome.CONTRADICTION)
        for formula in assumptions.open:
            value = assumptions.reduce(formula.formula)
            if value is not true and value is not false:
                return self._split(bench, value, assumptions, matcher, depth)
        value = assumptions.reduce(goal)
        if value is true:
            return Leaf(assumptions, value, LeafOutcome.TRUE)
        if value is false:
            return Leaf(assumptions, value, LeafOutcome.FALSE)
        return self._split(bench, value, assumptions, matcher, depth)

    def _split(
        self, bench: Workbench, value: Term, assumptions: Assumptions, matcher: Matcher, depth: int
    ) -> Leaf | Split:
        if depth > MAX_SPLITS:
            return Leaf(assumptions, value, LeafOutcome.UNDECIDED, f"split {MAX_SPLITS} times")
        candidates = self._candidates(bench, value, assumptions, matcher)
        if not candidates.blocking:
            split = self._constructor_split(bench, value, assumptions)
            if split is not None:
                return split
        atom = self.policy(candidates)
        if atom is None:
            return Leaf(assumptions, value, LeafOutcome.UNDECIDED, "no atom to split on")
        return Split(((Assumed(atom, True),), (Assumed(atom, False),)))

    # --- candidates

    def _candidates(self, bench: Workbench, value: Term, assumptions: Assumptions, matcher: Matcher) -> Candidates:
        found = Candidates(bench)
        known = {e.left for e in assumptions.equations}
        for atom in atoms_of(value):
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
        """The atoms of a condition, or what keeps them from being evaluated."""
        value = assumptions.reduce(condition)
        if not value.ground or value in (bench.connectives.true, bench.connectives.false):
            return []
        found: list[Term] = []
        for atom in atoms_of(value):
            found += self._blocking(atom, assumptions, matcher, bench) or [atom]
        return found

    # --- constructors

    def _constructor_split(self, bench: Workbench, value: Term, assumptions: Assumptions) -> Split | None:
        """A function that computes a new value, or whose value another one needs, waits for an argument's shape."""
        unrolled = sum(equation.left.op in bench.parts for equation in assumptions.equations)
        if unrolled >= MAX_UNROLLED:
            return None
        for atom in sorted(atoms_of(value), key=size_and_text):
            waiting = self._waiting(atom, inside=False)
            if waiting is not None:
                alternatives = shapes_of(waiting, bench)
                if alternatives:
                    equal = bench.connectives.equal
                    return Split(tuple((Assumed(equal(waiting, shape), True),) for shape in alternatives))
        return None

    def _waiting(self, term: Term, inside: bool) -> Term | None:
        defined = term.op in self.rules and term.op.native is None
        for part in term.args:
            found = self._waiting(part, inside or defined)
            if found is not None:
                return found
        if not (defined and (inside or term.op in self.updating)):
            return None
        for position, argument in enumerate(term.args):
            if argument.sort is self.state_sort or self._is_built(argument):
                continue
            if any(
                len(rule.lhs.args) > position and not rule.lhs.args[position].op.variable
                for rule in self.rules[term.op]
            ):
                return argument
        return None

    def _is_built(self, term: Term) -> bool:
        return not term.op.decls or term.op.is_constructor or (term.op.assoc and term.op not in self.rules)

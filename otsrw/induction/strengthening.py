"""Stronger lemmas: the smallest part of a case that no reachable state of a sample satisfies.

A necessary lemma excludes one case and is often not inductive. A subset of the case's literals that never holds
together in the sample is a stronger claim, which excludes the case as well, and usually many others. It is a guess:
if it turns out to be false, the next one is taken.
"""

from __future__ import annotations

from collections.abc import Container
from itertools import combinations, permutations

from otsrw.induction.cases import InductionCase
from otsrw.induction.clauses import Clause, renamed
from otsrw.induction.conjunctions import CannotTell
from otsrw.induction.evidence import Evidence
from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.workbench import Equation
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Module
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, variables_of

MAX_LITERALS = 14
MAX_SIZE = 5
MAX_COMPARED = 5
"""Values of one sort that are compared with each other."""


def stronger_clauses(clause: Clause, evidence: Evidence, banned: Container[frozenset[Literal]] = ()) -> list[Clause]:
    """Clauses made of fewer literals that no reachable state of the evidence violates, the most promising first.

    No clause has all literals of another one. A banned clause is left out, but larger ones with its literals are not.
    """
    return sorted(_Parts(clause, evidence, banned).found(), key=cost)


class _Parts:
    """Sets of literals of a clause, smaller ones first, as bits.

    A state in which some literals hold together speaks against all sets of them, so few sets have to be looked for.
    """

    def __init__(self, clause: Clause, evidence: Evidence, banned: Container[frozenset[Literal]]) -> None:
        self._clause = clause
        self._evidence = evidence
        self._banned = banned
        self._literals = clause.literals[:MAX_LITERALS]
        self._together: list[int] = []
        """Literals that hold together somewhere."""
        self._never: list[int] = []
        """Sets that were taken."""

    def found(self) -> list[Clause]:
        if not self._evidence.can_tell(()):
            return []
        candidates = []
        for size in range(1, min(len(self._literals), MAX_SIZE) + 1):
            for places in combinations(range(len(self._literals)), size):
                bits = sum(1 << place for place in places)
                if not any(never & bits == never for never in self._never):
                    candidate = self._candidate(places, bits)
                    if candidate is not None:
                        self._never.append(bits)
                        candidates.append(candidate)
        return candidates

    def _candidate(self, places: tuple[int, ...], bits: int) -> Clause | None:
        """The clause of some of the literals, if it says something and nothing speaks against it."""
        literals = tuple(self._literals[place] for place in places)
        if not _says_something(literals, self._clause.state) or self._hold_together(literals, bits):
            return None
        candidate = _clause(self._clause, (*literals, *self._exceptions(literals)))
        if not self._evidence.can_tell(candidate.parameters) or frozenset(candidate.literals) in self._banned:
            return None
        return candidate

    def _exceptions(self, literals: tuple[Literal, ...]) -> list[Literal]:
        """What the case says of variables of these literals alone: that each is not a certain constant.

        `not (B = intruder)` stays true whatever happens. A lemma without it may hold as well, but for other reasons.
        """
        used = {v for literal in literals for v in variables_of(literal.atom)}
        found = [each for each in self._clause.literals if each not in literals and _is_exception(each)]
        return [each for each in found if used.issuperset(variables_of(each.atom))]

    def _hold_together(self, literals: tuple[Literal, ...], bits: int) -> bool:
        """Do the literals hold together in some state? They are taken to if that cannot be told."""
        if any(bits & together == bits for together in self._together):
            return True
        try:
            for conjunctions in self._evidence.instances:
                row = conjunctions.together(literals)
                if row is not None:
                    self._together.append(bits | conjunctions.holding(self._literals, row))
                    return True
        except CannotTell:
            return True
        return False


def _is_exception(literal: Literal) -> bool:
    """Does it say that a variable is not a certain constant?"""
    if literal.positive or literal.atom.op.native is not Builtin.EQUALS:
        return False
    return sorted((side.op.variable, len(side.args)) for side in literal.atom.args) == [(False, 0), (True, 0)]


def comparisons(case: InductionCase, assumptions: Assumptions, relations: list[Symbol]) -> list[Equation]:
    """What the relations of the specification, such as an order, say about observed values in a case."""
    kind = case.bench.module.signature.order.kind
    observed = _observed(case, assumptions)
    truth = (case.bench.connectives.true, case.bench.connectives.false)
    truth_sorts = {value.sort for value in truth}
    found = []
    for relation in relations:
        values = [term for term in observed if kind[term.sort] is relation.arg_kinds[0]][:MAX_COMPARED]
        for left, right in permutations(values, 2):
            atom = relation.make((left, right))
            value = assumptions.reduce(atom)
            if value in truth:
                found.append(Equation(atom, value))
    for left, right in combinations(observed, 2):
        if (
            kind[left.sort] is kind[right.sort]
            and left.sort not in truth_sorts
            and not case.bench.constants_of(left.sort)
        ):
            if assumptions.reduce(left) is assumptions.reduce(right):
                found.append(Equation(left, right))
    return found


def _observed(case: InductionCase, assumptions: Assumptions) -> list[Term]:
    """Observations of the state before the transition that the case, or what it leads to, speaks of."""
    found: dict[Term, None] = {}
    todo = [t for e in assumptions.equations for t in (e.left, e.right)]
    while todo:
        term = todo.pop()
        if case.state in term.args and not case.bench.is_constant(term):
            found[term] = None
        todo += term.args
    return sorted(found, key=size_and_text)


def relations_of(module: Module, boolean: Sort) -> list[Symbol]:
    """Predicates on two values of one kind."""
    return [
        symbol
        for symbol in module.signature.symbols()
        if symbol.nargs == 2
        and symbol.decls
        and symbol.decls[0].coarity is boolean
        and symbol.arg_kinds[0] is symbol.arg_kinds[1]
        and symbol.arg_kinds[0] is not None
        and symbol.decls[0].arity[0] is not boolean
        and symbol.native in (None, Builtin.LESS, Builtin.LESS_EQUAL)
    ]


def _says_something(literals: tuple[Literal, ...], state: Term) -> bool:
    return any(state in variables_of(literal.atom) for literal in literals)


def _clause(clause: Clause, literals: tuple[Literal, ...]) -> Clause:
    """The clause of some of the literals, its variables named as if the others had never been there."""
    used = dict.fromkeys(v for literal in literals for v in variables_of(literal.atom) if v is not clause.state)
    taken = {clause.state.op.name}
    renaming = {variable: renamed(variable, taken) for variable in used}
    kept = tuple(Literal(substitute(literal.atom, renaming), literal.positive) for literal in literals)
    return Clause(clause.state, kept, tuple(renaming.values()))


def cost(clause: Clause) -> tuple[int, int, int, int, int, int, str]:
    """Fewer literals that compute with observed values, or compare them, fewer variables, fewer observers first."""
    observers: set[Symbol] = set()
    size = computing = 0
    compared = sum(_compares(literal.atom, clause.state) for literal in clause.literals)
    for literal in clause.literals:
        todo = list(literal.atom.args) if clause.state not in literal.atom.args else [literal.atom]
        computing += any(clause.state not in term.args and clause.state in variables_of(term) for term in todo)
        while todo:
            term = todo.pop()
            size += 1
            if clause.state in term.args:
                observers.add(term.op)
            todo += term.args
    text = "".join(size_and_text(literal.atom)[1] for literal in clause.literals)
    return computing, len(clause.literals), compared, len(clause.parameters), len(observers), size, text


def _compares(atom: Term, state: Term) -> bool:
    return atom.op.native is not Builtin.EQUALS and len(atom.args) == 2 and all(state in arg.args for arg in atom.args)

"""Lemmas as clauses: for all states and values, not all of these literals hold together (Definition 8)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.connectives import Connectives, Literal
from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.workbench import Equation, Why, Workbench
from otsrw.records import dataclass
from otsrw.rewriting.associative import MatchingTooLong
from otsrw.rewriting.matching import Matcher
from otsrw.theory.builtins import Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show_plainly
from otsrw.theory.terms import Symbol, Term, subterms, variable, variables_of

if TYPE_CHECKING:
    from otsrw.ots.stepping import Bindings

MAX_INSTANCES = 1500
MAX_CHOICES = 300
MAX_MATCHING = 2000
"""Steps of matching a literal with one assumption: there may be exponentially many ways to share out a bag."""


@dataclass(frozen=True, eq=False, slots=True)
class Clause:
    """`not (L1 and ... and Lk)` over the state variable and the parameters."""

    state: Term
    literals: tuple[Literal, ...]
    parameters: tuple[Term, ...]

    def formula(self, connectives: Connectives) -> Term:
        """As people write it: what is positive implies what is negative."""
        positive = [literal.atom for literal in self.literals if literal.positive]
        negative = [literal.atom for literal in self.literals if not literal.positive]
        given = _joined(positive, connectives.symbol(Builtin.AND)) if positive else None
        wanted = _joined(negative, connectives.symbol(Builtin.OR)) if negative else None
        if given is None and wanted is None:
            return connectives.false
        if given is None:
            assert wanted is not None
            return wanted
        if wanted is None:
            return connectives.symbol(Builtin.NOT).make((given,))
        return connectives.symbol(Builtin.IMPLIES).make((given, wanted))

    def text(self, connectives: Connectives) -> str:
        return show_plainly(self.formula(connectives))


def _joined(terms: list[Term], symbol: Symbol) -> Term:
    result = terms[-1]
    for term in reversed(terms[:-1]):
        result = symbol.make((term, result))
    return result


def clause_of(bench: Workbench, state: tuple[Term, Term], equations: Iterable[Equation]) -> Clause:
    """The clause that says the assumptions never hold together; constants become variables, substitutions vanish."""
    constant, state_variable = state
    literals = [literal for equation in equations if (literal := literal_of(bench, equation)) is not None]
    renaming = {constant: state_variable}
    taken = {state_variable.op.name}
    for literal in literals:
        for leaf in _leaves(literal.atom):
            if bench.is_constant(leaf) and leaf not in renaming:
                renaming[leaf] = renamed(leaf, taken)
    images = [Literal(replace(literal.atom, renaming), literal.positive) for literal in literals]
    ordered = tuple(
        sorted(
            dict.fromkeys(images),
            key=lambda each: (not each.positive, len(variables_of(each.atom)), size_and_text(each.atom)),
        )
    )
    used = dict.fromkeys(v for literal in ordered for v in variables_of(literal.atom) if v is not state_variable)
    return Clause(state_variable, ordered, tuple(used))


def literal_of(bench: Workbench, equation: Equation) -> Literal | None:
    """What an equation of a case assumes; None for substitutions and for what follows anyway."""
    connectives = bench.connectives
    if equation.why is not Why.ASSUMPTION or bench.is_constant(equation.left):
        return None
    if equation.right is connectives.true or equation.right is connectives.false:
        return Literal(equation.left, equation.right is connectives.true)
    return Literal(connectives.equal(equation.left, equation.right), True)


def renamed(term: Term, taken: set[str]) -> Term:
    """A variable for a constant or another variable, with a name that is not taken."""
    stem = term.op.name.rstrip("0123456789").upper() or "X"
    name, number = stem, 0
    while name in taken:
        number += 1
        name = f"{stem}{number}"
    taken.add(name)
    return variable(name, term.op.decls[0].coarity if term.op.decls else term.sort)


def _leaves(term: Term) -> Iterator[Term]:
    return (inner for inner in subterms(term) if not inner.args)


def replace(term: Term, images: Mapping[Term, Term]) -> Term:
    """The term with subterms replaced."""
    found = images.get(term)
    if found is not None:
        return found
    if not term.args:
        return term
    return term.op.make(tuple([replace(arg, images) for arg in term.args]))


# --- instances of clauses in a case


class InstanceFinder:
    """Looks for values under which the literals of a clause hold in a case, but for a few that are undecided."""

    def __init__(self, assumptions: Assumptions, state: Term, extra: Iterable[Term]) -> None:
        self.assumptions = assumptions
        self.state = state
        self.order = assumptions.bench.module.signature.order
        self.connectives = assumptions.bench.connectives
        self.candidates = candidate_terms(assumptions, extra)
        self.matcher = Matcher(self.order, most=MAX_MATCHING)
        self.facts = self._facts()
        self._values: dict[Term, Term] = {}
        self._apart: set[tuple[Term, Term]] = set()
        """Patterns and facts that do not match."""
        self._tried = 0

    def _facts(self) -> dict[bool, list[Term]]:
        """What the case says, as atoms that hold and atoms that do not."""
        found: dict[bool, list[Term]] = {True: [], False: []}
        for equation in self.assumptions.equations:
            if equation.right is self.connectives.true or equation.right is self.connectives.false:
                found[equation.right is self.connectives.true].append(equation.left)
            else:
                found[True].append(self.connectives.equal(equation.left, equation.right))
        return found

    def find(self, clause: Clause) -> Bindings | None:
        """Values under which all literals hold, so that the lemma excludes the case."""
        return next(self.instances(clause, 0), None)

    def instances(self, clause: Clause, undecided: int) -> Iterator[Bindings]:
        """Values under which so many literals are undecided and all others hold."""
        self._tried = 0
        return self._extend(clause.literals, {clause.state: self.state}, undecided)

    def any_value(self, parameter: Term) -> Term | None:
        """A term of the case that a parameter may stand for."""
        return next(iter(self._fitting(parameter)), None)

    def _extend(self, remaining: tuple[Literal, ...], bindings: Bindings, undecided: int) -> Iterator[Bindings]:
        if len(remaining) < undecided:
            return
        if not remaining:
            yield bindings
            return
        literal, free = self._easiest(remaining, bindings)
        rest = tuple([other for other in remaining if other is not literal])
        for extended in self._bindings(literal, free, bindings):
            self._tried += 1
            if self._tried > MAX_INSTANCES:
                return
            holds = self._holds(literal, extended)
            if holds:
                yield from self._extend(rest, extended, undecided)
            elif holds is None and undecided:
                yield from self._extend(rest, extended, undecided - 1)

    def _easiest(self, literals: tuple[Literal, ...], bindings: Bindings) -> tuple[Literal, list[Term]]:
        """The first literal with the fewest variables that have no value yet, and these variables."""
        chosen, fewest = literals[0], None
        for literal in literals:
            free = [v for v in _variables(literal.atom) if v not in bindings]
            if fewest is None or len(free) < len(fewest):
                chosen, fewest = literal, free
                if not free:
                    break
        return chosen, fewest or []

    def _bindings(self, literal: Literal, free: list[Term], bindings: Bindings) -> Iterator[Bindings]:
        """By matching what is known; if few terms come into question, by trying them all."""
        if not free:
            yield bindings
            return
        pattern = substitute(literal.atom, bindings)
        seen = set()
        for fact in self.facts[literal.positive]:
            for found in self._matches(pattern, fact):
                seen.add(tuple(found[v] for v in free))
                yield {**bindings, **found}
        if math.prod(len(self._fitting(v)) for v in free) <= MAX_CHOICES:
            for values in product(*[self._fitting(v) for v in free]):
                if values not in seen:
                    yield {**bindings, **dict(zip(free, values, strict=True))}

    def _matches(self, pattern: Term, fact: Term) -> Iterator[dict[Term, Term]]:
        """Substitutions that make the pattern the fact: all, or those that so many steps find."""
        if (pattern, fact) in self._apart:
            return
        self.matcher.steps = 0
        matched = False
        try:
            for found in self.matcher.match(pattern, fact, {}):
                matched = True
                yield found
        except MatchingTooLong:
            return
        if not matched:
            self._apart.add((pattern, fact))

    def _fitting(self, variable: Term) -> list[Term]:
        terms = self.candidates.get(self.order.kind[variable.sort], [])
        return [term for term in terms if self.order.leq(term.sort, variable.sort)]

    def _holds(self, literal: Literal, bindings: Bindings) -> bool | None:
        """None if it is undecided."""
        atom = substitute(literal.atom, bindings)
        value = self._values.get(atom)
        if value is None:
            value = self._values[atom] = self.assumptions.reduce(atom)
        if value is self.connectives.true:
            return literal.positive
        return not literal.positive if value is self.connectives.false else None


@lru_cache(maxsize=20_000)
def _variables(atom: Term) -> tuple[Term, ...]:
    return tuple(variables_of(atom))


def candidate_terms(assumptions: Assumptions, extra: Iterable[Term]) -> dict[object, list[Term]]:
    """Terms of the case that a lemma may be instantiated with, by kind: constants first, then larger terms."""
    bench = assumptions.bench
    true = bench.connectives.true
    found: dict[Term, None] = {}
    todo = [t for e in assumptions.equations for t in (e.left, e.right)] + list(extra)
    while todo:
        term = todo.pop()
        if term not in found and term.ground:
            found[term] = None
            todo += term.args
    grouped: dict[object, list[Term]] = {}
    kind = bench.module.signature.order.kind
    reduced: dict[Term, None] = {}
    for term in found:
        if term.sort is not true.sort and term.sort in kind and not term.sort.hidden:
            reduced[assumptions.reduce(term)] = None
    for term in sorted(reduced, key=lambda t: (len(list(_leaves(t))), size_and_text(t))):
        if term.sort in kind:
            grouped.setdefault(kind[term.sort], []).append(term)
    return grouped

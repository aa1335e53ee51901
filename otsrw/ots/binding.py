"""How the variables of a conjunction get their values in a given state.

Entities are enumerated. A variable over an infinite sort is bound by a positive literal that pins it down: an equation
with something known, `nw(S) = (enc1(P,N,Q) , NW)`, by matching; a membership, `M \\in nw(S)`, by trying the elements.
The plan is complete: an assignment that satisfies the clause differs from one the plan yields at most in variables
that nothing else mentions. If that cannot be had, the variables in question are named.

Why matching misses nothing: values are ground normal forms, and a pattern is built from constructors, that is from
operators no equation rewrites, so `value = pattern` holds only for instances of the pattern that are the value modulo
the axioms of its operators, and matching modulo these is complete. A collection that forgets duplicates
(`X , X = X`) is no free constructor: there every element of the pattern is looked for on its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.ots.instance import Instance
from otsrw.reasoning.connectives import DnfClause, Literal
from otsrw.reasoning.data import DataTheory
from otsrw.records import dataclass, replace
from otsrw.theory.builtins import EQUALITIES
from otsrw.theory.terms import Symbol, Term, variable, variables_of


@dataclass(frozen=True, eq=False, slots=True)
class Enumerate:
    """Try every element of the variable's domain."""

    variable: Term


@dataclass(frozen=True, eq=False, slots=True)
class PatternMatch:
    """Match a constructor pattern against the value of a term."""

    pattern: Term
    subject: Term


@dataclass(frozen=True, eq=False, slots=True)
class Member:
    """Match a pattern against every element of the value of a collection.

    The elements are the arguments of the multiset constructor given. Without one, any part of the value is tried, and
    a test follows.
    """

    pattern: Term
    collection: Term
    constructor: Symbol | None


@dataclass(frozen=True, eq=False, slots=True)
class Rest:
    """The value of a collection without the elements named; only a witness, nothing else mentions the variable."""

    variable: Term
    collection: Term
    elements: tuple[Term, ...]
    constructor: Symbol


@dataclass(frozen=True, eq=False, slots=True)
class Test:
    """Go on only if the literal holds."""

    literal: Literal


BindingStep = Enumerate | PatternMatch | Member | Rest | Test


@dataclass(frozen=True, eq=False, slots=True)
class Plan:
    """Steps in order, and the variables that stay without a value."""

    steps: tuple[BindingStep, ...]
    unbound: tuple[Term, ...]


class Theory(DataTheory):
    """What planning must know of an instance."""

    def __init__(self, instance: Instance) -> None:
        super().__init__(instance.module.signature, instance.rules, instance.connectives, instance.normal_form)
        self.instance = instance

    def membership(self, atom: Term) -> Member | None:
        """The atom as a search for an element, if it says that one argument is in the other."""
        if len(atom.args) != 2 or atom.op not in self.rules or atom.op.native is not None:
            return None
        for element, collection in ((0, 1), (1, 0)):
            if atom.args[collection].sort is not self.instance.ots.sort and self.is_membership(
                atom.op, element, collection
            ):
                constructor = self.exactly_elements(atom.op, element, collection, atom.args[collection].sort)
                return Member(atom.args[element], atom.args[collection], constructor)
        return None

    def orderings(self, atom: Term) -> list[Member]:
        """The atom as searches for elements, if it says how two elements of a collection are placed."""
        if len(atom.args) != 3 or atom.op not in self.rules or atom.op.native is not None:
            return []
        *elements, collection = atom.args
        if collection.sort is self.instance.ots.sort or not all(
            self.is_membership(atom.op, place, 2) for place in range(2)
        ):
            return []
        return [Member(element, collection, None) for element in elements]

    def plan(self, clause: DnfClause, wanted: Iterable[Term], used: Iterable[Term], bound: Iterable[Term] = ()) -> Plan:
        """How to bind the `wanted` variables; those in `used` matter outside the clause, `bound` ones have values."""
        return _Planner(self, clause, tuple(wanted), frozenset(used), bound).plan()


class _Planner:
    def __init__(
        self,
        theory: Theory,
        clause: DnfClause,
        wanted: tuple[Term, ...],
        used: frozenset[Term],
        bound: Iterable[Term],
    ) -> None:
        self.theory = theory
        self.instance = theory.instance
        self.todo = list(clause)
        self.wanted = wanted
        self.used = used
        self.bound: set[Term] = {theory.instance.ots.state, *bound}
        self.steps: list[BindingStep] = []
        self.fresh = 0

    def plan(self) -> Plan:
        while self.todo:
            if not (self._tests() or self._binds() or self._enumerates()):
                break
        missing = [v for v in self.wanted if v not in self.bound and (self.todo or v in self.used)]
        for var in list(missing):
            if not self.todo and self.instance.domain(var.sort) is not None:
                self.steps.append(Enumerate(var))
                missing.remove(var)
        self.steps += [Test(literal) for literal in self.todo]
        missing.sort(key=lambda v: self.instance.domain(v.sort) is not None)
        return Plan(tuple(self.steps), tuple(missing))

    def _is_bound(self, term: Term) -> bool:
        return all(v in self.bound for v in variables_of(term))

    def _tests(self) -> bool:
        ready = [literal for literal in self.todo if self._is_bound(literal.atom)]
        for literal in ready:
            self.todo.remove(literal)
            self.steps.append(Test(literal))
        return bool(ready)

    def _binds(self) -> bool:
        for literal in self.todo:
            if literal.positive and self._bind(literal):
                self.todo.remove(literal)
                return True
        return False

    def _bind(self, literal: Literal) -> bool:
        atom = literal.atom
        if atom.op.native in EQUALITIES:
            for subject, pattern in (atom.args, atom.args[::-1]):
                if self._is_bound(subject) and self._bind_equation(subject, pattern):
                    return True
            return False
        member = self.theory.membership(atom)
        if member is None:
            return self._bind_ordering(literal)
        if not self._is_bound(member.collection):
            return False
        pattern, tests = self._abstracted(member.pattern)
        if not self.theory.is_pattern(pattern):
            return False
        if member.constructor is None:
            tests.append(Test(literal))
        self.steps += [replace(member, pattern=pattern), *tests]
        self.bound.update(variables_of(pattern))
        return True

    def _bind_ordering(self, literal: Literal) -> bool:
        """Try all elements for those that the literal says something about."""
        members = self.theory.orderings(literal.atom)
        if not members or not self._is_bound(members[0].collection):
            return False
        for member in members:
            pattern, tests = self._abstracted(member.pattern)
            if not self.theory.is_pattern(pattern):
                return False
            self.steps += [replace(member, pattern=pattern), *tests]
            self.bound.update(variables_of(pattern))
        self.steps.append(Test(literal))
        return True

    def _bind_equation(self, subject: Term, sought: Term) -> bool:
        if self.theory.is_set(sought.op):
            return self._bind_set(subject, sought)
        pattern, tests = self._abstracted(sought)
        if not self.theory.is_pattern(pattern):
            return False
        self.steps += [PatternMatch(pattern, subject), *tests]
        self.bound.update(variables_of(pattern))
        return True

    def _abstracted(self, sought: Term) -> tuple[Term, list[BindingStep]]:
        """The pattern with known parts that are no constructor terms replaced by new variables, to be tested after."""
        tests: list[BindingStep] = []
        seen: set[Term] = set(self.bound)

        def walk(term: Term) -> Term:
            own = self.theory.has_own_equality(term.sort)
            known = self._is_bound(term) or (term.op.variable and term in seen)
            if (own and known) or (known and not self.theory.is_pattern(term)):
                self.fresh += 1
                hole = variable(f"{term.sort.name}{self.fresh}#", term.sort)
                tests.append(Test(Literal(self.theory.connectives.equal(hole, term), True)))
                return hole
            if term.op.variable:
                seen.add(term)
                return term
            return term.op.make(tuple([walk(arg) for arg in term.args])) if term.args else term

        return walk(sought), tests

    def _bind_set(self, subject: Term, pattern: Term) -> bool:
        elements = [e for e in pattern.args if not self._is_rest(e, pattern)]
        rests = [e for e in pattern.args if self._is_rest(e, pattern)]
        if len(rests) != 1 or not all(self.theory.is_pattern(e) for e in elements):
            return False
        rest = rests[0]
        if rest in self.bound or self._mentions(rest):
            return False
        if any(e in self.bound and self.theory.has_own_equality(e.sort) for e in elements):
            return False
        for element in elements:
            self.steps.append(Member(element, subject, pattern.op))
            self.bound.update(variables_of(element))
        self.steps.append(Rest(rest, subject, tuple(elements), pattern.op))
        self.bound.add(rest)
        return True

    def _is_rest(self, element: Term, pattern: Term) -> bool:
        order = self.instance.module.signature.order
        return element.op.variable and any(order.leq(d.coarity, element.sort) for d in pattern.op.decls)

    def _mentions(self, rest: Term) -> bool:
        return rest in self.used or sum(rest in variables_of(literal.atom) for literal in self.todo) > 1

    def _enumerates(self) -> bool:
        needed = [v for literal in self.todo for v in variables_of(literal.atom) if v not in self.bound]
        for var in needed:
            if self.instance.domain(var.sort) is not None:
                self.steps.append(Enumerate(var))
                self.bound.add(var)
                return True
        return False

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
from dataclasses import dataclass, replace
from functools import cached_property, partial

from otsrw.ots.formulas import Connectives, DnfClause, Literal
from otsrw.ots.instance import Instance
from otsrw.theory.modules import Axiom
from otsrw.theory.terms import Symbol, Term, variable, variables_of


@dataclass(frozen=True, eq=False, slots=True)
class Enumerate:
    """Try every element of the variable's domain."""

    variable: Term


@dataclass(frozen=True, eq=False, slots=True)
class Match:
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


Step = Enumerate | Match | Member | Rest | Test


@dataclass(frozen=True, eq=False, slots=True)
class Plan:
    """Steps in order, and the variables that stay without a value."""

    steps: tuple[Step, ...]
    unbound: tuple[Term, ...]


class Theory:
    """What planning must know of the data: constructors, sets, membership operators, unusual equalities."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.connectives: Connectives = instance.connectives
        self.rules = instance.rules

    def is_constructor(self, symbol: Symbol) -> bool:
        return symbol not in self.rules and symbol.native is None

    def is_set(self, symbol: Symbol) -> bool:
        """A collection whose only equations say that an element counts once."""
        if not (symbol.assoc and symbol.comm):
            return False
        rules = self.rules.get(symbol, [])
        return (symbol.idem or bool(rules)) and all(self._is_idempotence(rule) for rule in rules)

    @staticmethod
    def _is_idempotence(rule: Axiom) -> bool:
        args = rule.lhs.args
        pair = len(args) == 2 and args[0] is args[1] and args[0] is rule.rhs
        rest = len(args) == 3 and rule.rhs.op is rule.lhs.op and set(rule.rhs.args) == set(args) and len(set(args)) == 2
        return pair or rest

    def is_pattern(self, term: Term) -> bool:
        """Built from variables, constructors and literals, with the usual equality everywhere."""
        if term.op.variable or (term.ground and not term.args and self.is_constructor(term.op)):
            return True
        if not term.op.decls:
            return True
        if not self.is_constructor(term.op) or self.has_own_equality(term.sort):
            return False
        return all(self.is_pattern(arg) for arg in term.args)

    # --- equalities that users define

    @cached_property
    def _unusual(self) -> frozenset[object]:
        """Kinds whose `=` has an equation that comparing normal forms would not satisfy, by itself or by its parts."""
        kind = self.instance.module.signature.order.kind
        equals = self.connectives.symbol("equals")
        rules = [rule for rule in self.rules.get(equals, ()) if rule.lhs.args[0].sort in kind]
        found = {kind[rule.lhs.args[0].sort] for rule in rules if not self._is_usual(rule)}
        size = -1
        while len(found) > size:
            size = len(found)
            for rule in rules:
                if any(kind.get(arg.sort) in found for arg in rule.lhs.args[0].args):
                    found.add(kind[rule.lhs.args[0].sort])
        return frozenset(found)

    def has_own_equality(self, sort: object) -> bool:
        return self.instance.module.signature.order.kind.get(sort) in self._unusual  # type: ignore[call-overload]

    def _is_usual(self, rule: Axiom) -> bool:
        """Does comparing normal forms satisfy this equation on `=`?"""
        left, right = rule.lhs.args
        if left is right:
            return rule.rhs is self.connectives.true
        if rule.rhs is self.connectives.false:
            return not self._unifiable(left, right)
        if rule.rhs is self.connectives.true:
            return False
        op = left.op
        if op is not right.op or not self.is_constructor(op) or rule.condition is not None:
            return False
        swapped = op.comm and not (op.assoc or op.idem or op.identity is not None)
        if op.has_theory and not swapped:
            return False
        pairings = [right.args, right.args[::-1]] if swapped else [right.args]
        expected = {frozenset(map(frozenset, zip(left.args, args, strict=True))) for args in pairings}
        found = set()
        for clause in self.connectives.clauses(rule.rhs):
            if not all(literal.positive and literal.atom.op.native in ("equals", "same") for literal in clause):
                return False
            found.add(frozenset(frozenset(literal.atom.args) for literal in clause))
        return _without_trivial(found) == _without_trivial(expected)

    def _unifiable(self, left: Term, right: Term) -> bool:
        """May these become equal? Only free constructors, entities and the occurs check say no."""
        if left is right:
            return True
        if left.op.variable or right.op.variable:
            small, large = (left, right) if left.op.variable else (right, left)
            if self._is_free(large) and not self.instance.module.signature.order.leq(large.sort, small.sort):
                return False
            return not (small in variables_of(large) and large is not small and self._is_free(large))
        if self._is_free(left) and self._is_free(right):
            if left.op is not right.op:
                return False
            return all(self._unifiable(a, b) for a, b in zip(left.args, right.args, strict=True))
        return True

    def _is_free(self, term: Term) -> bool:
        return not term.op.decls or (self.is_constructor(term.op) and not term.op.has_theory)

    # --- membership

    def membership(self, atom: Term) -> Member | None:
        """The atom as a search for an element, if it says that one argument is in the other."""
        if len(atom.args) != 2 or atom.op not in self.rules or atom.op.native is not None:
            return None
        for element, collection in ((0, 1), (1, 0)):
            if atom.args[collection].sort is not self.instance.ots.sort and self.is_membership(
                atom.op, element, collection
            ):
                constructor = self.exactly_elements(atom.op, element, collection)
                order = self.instance.module.signature.order
                sort = atom.args[collection].sort
                if constructor is not None and not any(order.leq(sort, d.coarity) for d in constructor.decls):
                    constructor = None
                return Member(atom.args[element], atom.args[collection], constructor)
        return None

    def is_membership(self, symbol: Symbol, element: int, collection: int) -> bool:
        """By induction on the collection: the predicate is false unless the element equals one of its elements."""
        if symbol.arg_kinds[element] is symbol.arg_kinds[collection] and not self._collects(symbol, collection):
            return False
        return all(self._descends(rule, element, collection) for rule in self.rules[symbol])

    def _collects(self, symbol: Symbol, collection: int) -> bool:
        shapes = [rule.lhs.args[collection] for rule in self.rules[symbol]]
        return any(len(shape.args) > 1 for shape in shapes)

    def _descends(self, rule: Axiom, element: int, collection: int) -> bool:
        """Is the right side false once the element differs from all parts and is in no smaller collection?"""
        wanted, shape = rule.lhs.args[element], rule.lhs.args[collection]
        if rule.rhs is self.connectives.false:
            return True
        if not wanted.op.variable:
            return False
        if wanted in variables_of(shape):
            return wanted in shape.args

        def assumed(term: Term) -> Term | None:
            if term.op.native in ("equals", "same") and wanted in term.args:
                other = term.args[1] if term.args[0] is wanted else term.args[0]
                return self.connectives.false if other is shape or other in shape.args else None
            if term.op is rule.lhs.op and term.args[element] is wanted:
                smaller = term.args[collection]
                inside = smaller in shape.args or (
                    smaller.op is shape.op and shape.op.assoc and set(smaller.args) < set(shape.args)
                )
                return self.connectives.false if inside else None
            return None

        if (
            rule.condition is not None
            and self.connectives.simplified(rule.condition, assumed) is self.connectives.false
        ):
            return True
        return self.connectives.simplified(rule.rhs, assumed) is self.connectives.false

    def exactly_elements(self, symbol: Symbol, element: int, collection: int) -> Symbol | None:
        """The multiset constructor such that the predicate is true of its arguments, too, if that can be seen."""
        found = {rule.lhs.args[collection].op for rule in self.rules[symbol] if rule.lhs.args[collection].args}
        if len(found) != 1:
            return None
        constructor = found.pop()
        if not (constructor.assoc and constructor.comm and constructor.identity is not None):
            return None
        nonlinear = any(rule.lhs.args[element] in rule.lhs.args[collection].args for rule in self.rules[symbol])
        for rule in self.rules[symbol]:
            is_last = rule.otherwise and nonlinear and rule.rhs is self.connectives.false
            if not (is_last or self._accepts(rule, element, collection, constructor)):
                return None
        return constructor

    def _accepts(self, rule: Axiom, element: int, collection: int, constructor: Symbol) -> bool:
        """Is the right side true once the element equals a part, and once it is in a smaller collection?"""
        wanted, shape = rule.lhs.args[element], rule.lhs.args[collection]
        if rule.condition is not None:
            return False
        if shape is constructor.identity:
            return True
        if not (shape.op is constructor and all(arg.op.variable for arg in shape.args) and len(shape.args) == 2):
            return False
        if wanted in shape.args:
            return rule.rhs is self.connectives.true

        def given(part: Term, term: Term) -> Term | None:
            same = term.op.native in ("equals", "same") and {*term.args} == {wanted, part}
            inside = term.op is rule.lhs.op and term.args[element] is wanted and term.args[collection] is part
            return self.connectives.true if same or inside else None

        return all(
            self.connectives.simplified(rule.rhs, partial(given, part)) is self.connectives.true for part in shape.args
        )

    # --- plans

    def plan(self, clause: DnfClause, wanted: Iterable[Term], used: Iterable[Term]) -> Plan:
        """How to bind the `wanted` variables; those in `used` matter outside the clause."""
        return _Planner(self, clause, tuple(wanted), frozenset(used)).plan()


def _without_trivial(cases: Iterable[frozenset[frozenset[Term]]]) -> set[frozenset[frozenset[Term]]]:
    """Conjunctions of equations, without those between a term and itself."""
    return {frozenset(pair for pair in case if len(pair) > 1) for case in cases}


class _Planner:
    def __init__(self, theory: Theory, clause: DnfClause, wanted: tuple[Term, ...], used: frozenset[Term]) -> None:
        self.theory = theory
        self.instance = theory.instance
        self.todo = list(clause)
        self.wanted = wanted
        self.used = used
        self.bound: set[Term] = {theory.instance.ots.state}
        self.steps: list[Step] = []
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
        if atom.op.native in ("equals", "same"):
            for subject, pattern in (atom.args, atom.args[::-1]):
                if self._is_bound(subject) and self._bind_equation(subject, pattern):
                    return True
            return False
        member = self.theory.membership(atom)
        if member is None or not self._is_bound(member.collection):
            return False
        pattern, tests = self._abstracted(member.pattern)
        if not self.theory.is_pattern(pattern):
            return False
        if member.constructor is None:
            tests.append(Test(literal))
        self.steps += [replace(member, pattern=pattern), *tests]
        self.bound.update(variables_of(pattern))
        return True

    def _bind_equation(self, subject: Term, sought: Term) -> bool:
        if self.theory.is_set(sought.op):
            return self._bind_set(subject, sought)
        pattern, tests = self._abstracted(sought)
        if not self.theory.is_pattern(pattern):
            return False
        self.steps += [Match(pattern, subject), *tests]
        self.bound.update(variables_of(pattern))
        return True

    def _abstracted(self, sought: Term) -> tuple[Term, list[Step]]:
        """The pattern with known parts that are no constructor terms replaced by new variables, to be tested after."""
        tests: list[Step] = []
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

"""Equations on `=` say when two values are the same value, and nothing else.

Proofs take values built by different free constructors to differ, and equal ones to have equal arguments. So an
equation on `=` must agree with comparing values. On a sort of a loose module an equation on `=` is an axiom about its
elements, for example that two of them differ; it must only not deny that an element equals itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from otsrw.reasoning import Assumed, Assumptions
from otsrw.reasoning.data import DataTheory
from otsrw.soundness.cone import Cone
from otsrw.soundness.coverage import CLOSED, Coverage
from otsrw.soundness.descent import Parts
from otsrw.soundness.obligations import Obligation, ObligationKind, Status
from otsrw.soundness.rows import BY_FORM
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show_plainly
from otsrw.theory.terms import Symbol, Term, subterms, symbols_of, variables_of

MAX_INSTANCES = 100
"""Pairs of values that are compared for one equation."""


def equality_obligations(cone: Cone, coverage: Coverage) -> list[Obligation]:
    """One obligation for each equation on `=`."""
    checker = EqualityCheck(cone, coverage)
    inside = cone.functions.get(checker.equals, ())
    outside = cone.outside.get(checker.equals, ())
    return [checker.obligation(rule, True) for rule in inside] + [checker.obligation(rule, False) for rule in outside]


class EqualityCheck:
    """Judges equations on `=` of one cone."""

    def __init__(self, cone: Cone, coverage: Coverage) -> None:
        self.cone = cone
        self.coverage = coverage
        self.values = coverage.values
        self.bench = coverage.bench
        self.connectives = cone.connectives
        self.equals: Symbol = cone.module.signature.native(Builtin.EQUALS)
        self.parts = Parts(cone.module.signature.order)
        self.plain = self.bench.rewriter(())
        self.theory = DataTheory(cone.module.signature, cone.rules, cone.connectives, self._reduce)

    def _reduce(self, term: Term) -> Term:
        return self.bench.reduce(self.plain, term)

    def obligation(self, rule: Axiom, decisive: bool) -> Obligation:
        try:
            status, text = self.judged(rule)
        except OtsrwError as error:
            status, text = Status.OPEN, error.problem.message
        left = show_plainly(rule.lhs)
        hint = "" if status is Status.PROVED else self._hint(rule)
        return Obligation(
            ObligationKind.EQUALITY,
            left,
            status,
            rule.span,
            witness=text if status is Status.REFUTED else "",
            missing=text if status is Status.OPEN else "",
            evidence=text if status is Status.PROVED else "",
            hint=hint,
            decisive=decisive,
        )

    def is_identity(self, rule: Axiom) -> bool:
        """Is it shown that the equation, on values of tight modules, says whether they are the same?"""
        if rule.otherwise or any(self.values.is_loose(side.sort) for side in rule.lhs.args):
            return False
        try:
            return self.judged(rule)[0] is Status.PROVED
        except OtsrwError:
            return False

    def judged(self, rule: Axiom) -> tuple[Status, str]:
        """Whether the equation agrees with comparing values; and how, against what, or what is missing."""
        left, right = rule.lhs.args
        if rule.otherwise:
            if rule.rhs is self.connectives.false:
                return Status.PROVED, "only where the sides are not the same"
            return Status.OPEN, f"that {show_plainly(rule.rhs)} holds only if both sides are the same value"
        is_loose = self.values.is_loose(left.sort) or self.values.is_loose(right.sort)
        if not is_loose and (self._is_usual(rule) or self._is_not_empty(rule) or self._compares_lists(rule)):
            return Status.PROVED, "as constructors compare"
        against = self._counterexample(rule)
        if against is not None:
            return Status.REFUTED, against
        if is_loose:
            denied = self._denies_itself(rule)
            if denied is None:
                return Status.PROVED, "an axiom about elements of a loose sort"
            return Status.OPEN, denied
        if self._agrees_everywhere(rule):
            return Status.PROVED, "all values were compared"
        if self._agrees_by_cases(rule):
            return Status.PROVED, "shown by cases"
        return Status.OPEN, f"that {show_plainly(rule.rhs)} holds only if both sides are the same value"

    def is_about_values(self, term: Term) -> bool:
        """Is the term built by constructors of tight modules, and variables of their sorts?"""
        builders = self.values.builders
        return not self.values.is_loose(term.sort) and all(
            part.op.variable or part.op in builders or not part.op.decls for part in subterms(term)
        )

    def is_about_loose_elements(self, term: Term) -> bool:
        """Is it a variable of a loose sort without tight sorts below it?"""
        below = self.cone.module.signature.order.below.get(term.sort, ())
        return term.op.variable and all(map(self.values.is_loose, below))

    def _is_usual(self, rule: Axiom) -> bool:
        if all(side.op.variable for side in rule.lhs.args) and self._looks_at_form(rule):
            return False
        return self.theory.is_usual(rule)

    def _looks_at_form(self, rule: Axiom) -> bool:
        """May evaluating the equation on unknown values give what it does not give on all values?"""
        sides = [side for side in (rule.rhs, rule.condition) if side is not None]
        used = {op for side in sides for op in symbols_of(side)}
        return bool(used & self.coverage.syntactic) or any(op.native in BY_FORM for op in used)

    def _is_not_empty(self, rule: Axiom) -> bool:
        """Does the equation say that a collection with an element differs from the empty one?"""
        if rule.rhs is not self.connectives.false:
            return False
        for some, none in (rule.lhs.args, rule.lhs.args[::-1]):
            if some.op.assoc and some.op.identity is none and some.op not in self.cone.rules:
                return any(not self.parts.may_be_identity(part, some.op) for part in some.args)
        return False

    def _compares_lists(self, rule: Axiom) -> bool:
        """Does the equation compare lists element by element, from the left?"""
        if rule.condition is not None or self._looks_at_form(rule):
            return False
        from otsrw.soundness.lists import same_lists

        left, right = rule.lhs.args
        same = same_lists(left, right, self.connectives, self.cone.rules)
        if same is None:
            return False
        fixed = self._fixed(self.connectives.symbol(Builtin.IFF).make((rule.rhs, same)))
        return self._reduce(fixed) is self.connectives.true

    def _hint(self, rule: Axiom) -> str:
        left, right = rule.lhs.args
        if left.op is right.op and left.op.decls and len(left.args) == 2 and left.args == right.args[::-1]:
            decl = left.op.decls[0]
            return f"declare it commutative: '{decl.text} : ... -> {decl.coarity.name} {{constr comm}}'"
        return "give such a relation a name of its own, and leave '=' to mean the same value"

    # --- counterexamples

    def _instances(self, rule: Axiom) -> Iterator[dict[Term, Term]]:
        """Values for the variables; elements of loose sorts are constants, different ones and the same one."""
        places = list(dict.fromkeys(v for t in (rule.lhs, rule.rhs) for v in variables_of(t)))
        choices = [self.coverage.examples(place.sort) for place in places]
        for count, values in enumerate(product(*choices)):
            if count >= MAX_INSTANCES:
                return
            yield dict(zip(places, values, strict=True))

    def _counterexample(self, rule: Axiom) -> str | None:
        true, false = self.connectives.true, self.connectives.false
        if rule.condition is not None and not set(variables_of(rule.condition)) <= set(variables_of(rule.lhs)):
            return None
        for bindings in self._instances(rule):
            left, right = (self._reduce(substitute(side, bindings)) for side in rule.lhs.args)
            if rule.condition is not None and self._reduce(substitute(rule.condition, bindings)) is not true:
                continue
            value = self._reduce(substitute(rule.rhs, bindings))
            shown = f"{show_plainly(left)} and {show_plainly(right)}"
            if left is right and value is false:
                return f"{show_plainly(left)} does not equal itself"
            if value is true and left is not right and self._differ(left, right):
                return f"{shown} are equal, and are different values"
        return None

    def _differ(self, left: Term, right: Term) -> bool:
        """Are these two different terms different values, of which no equation rewrites a part?"""
        if self.values.is_loose(left.sort) or self.values.is_loose(right.sort):
            return False
        free = self.values.builders - self.cone.rules.keys()
        return all(
            part.op in free or not part.op.decls or self.bench.is_constant(part)
            for side in (left, right)
            for part in subterms(side)
        )

    def _denies_itself(self, rule: Axiom) -> str | None:
        """What is not seen to equal itself by this equation; None if there is nothing."""
        left, right = rule.lhs.args
        order = self.cone.module.signature.order
        for place, other in ((left, right), (right, left)):
            if not place.op.variable or not order.leq(other.sort, place.sort):
                continue
            if place is not other and place in variables_of(other):
                continue
            bindings = {place: other}
            known = [] if rule.condition is None else [Assumed(self._fixed(substitute(rule.condition, bindings)), True)]
            case = Assumptions(self.bench).assuming(known)
            same = case.reduce(self._fixed(substitute(rule.rhs, bindings)))
            if case.contradiction is None and same is not self.connectives.true:
                return f"that {show_plainly(other)} equals itself"
        return None

    def _fixed(self, term: Term) -> Term:
        """The term with constants for its variables."""
        return substitute(term, self._constants(variables_of(term)))

    def _constants(self, places: list[Term]) -> dict[Term, Term]:
        bindings: dict[Term, Term] = {}
        used: list[Term] = []
        for place in places:
            bindings[place] = self.coverage.fresh(place.sort, used)
            used.append(bindings[place])
        return bindings

    # --- proofs

    def _agrees_everywhere(self, rule: Axiom) -> bool:
        """Finitely many values: compare the normal forms of the sides, for all of them."""
        places = variables_of(rule.lhs)
        domains = [self.bench.constants_of(place.sort) for place in places]
        if not all(domains) or (rule.condition is not None and set(variables_of(rule.condition)) - set(places)):
            return False
        for values in product(*domains):
            bindings = dict(zip(places, values, strict=True))
            if rule.condition is not None:
                if self._reduce(substitute(rule.condition, bindings)) is self.connectives.false:
                    continue
            left, right = (self._reduce(substitute(side, bindings)) for side in rule.lhs.args)
            if left is right:
                expected = self.connectives.true
            elif self.bench.constructors.distinct(left, right):
                expected = self.connectives.false
            else:
                return False
            if self._reduce(substitute(rule.rhs, bindings)) is not expected:
                return False
        return True

    def _agrees_by_cases(self, rule: Axiom) -> bool:
        """For all shapes of the sides, the right side amounts to the equality of the parts."""
        left, right = rule.lhs.args
        if self._looks_at_form(rule):
            return False
        places = [side for side in (left, right) if side.op.variable]
        shapes = [self.values.shapes(place.sort) for place in places]
        if any(shape is None for shape in shapes):
            return False
        if rule.condition is not None and not set(variables_of(rule.condition)) <= set(variables_of(rule.lhs)):
            return False
        for chosen in product(*[shape for shape in shapes if shape is not None]):
            bindings: dict[Term, Term] = {}
            used: list[Term] = []
            for place, shape in zip(places, chosen, strict=True):
                parts: dict[Term, Term] = {}
                for inner in variables_of(shape):
                    parts[inner] = self.coverage.fresh(inner.sort, used)
                    used.append(parts[inner])
                bindings[place] = substitute(shape, parts)
            for place in variables_of(rule.lhs):
                if place not in bindings:
                    bindings[place] = self.coverage.fresh(place.sort, used)
                    used.append(bindings[place])
            if not self._agrees(rule, bindings):
                return False
        return True

    def _agrees(self, rule: Axiom, bindings: dict[Term, Term]) -> bool:
        left, right = (substitute(side, bindings) for side in rule.lhs.args)
        same = self._sameness(left, right)
        if same is None:
            return False
        goal = self.connectives.symbol(Builtin.IFF).make((substitute(rule.rhs, bindings), same))
        known = [] if rule.condition is None else [Assumed(substitute(rule.condition, bindings), True)]
        case = Assumptions(self.bench).assuming(known)
        leaves = self.coverage.splitter.leaves(self.bench, goal, case)
        return all(leaf.outcome in CLOSED for leaf in leaves)

    def _sameness(self, left: Term, right: Term) -> Term | None:
        """What `left = right` means by free constructors; None if they do not say it all."""
        if left is right:
            return self.connectives.true
        constructors = self.bench.constructors
        parts = constructors.decompose(left, right)
        if parts is None:
            return self.connectives.false
        if len(parts) == 1 and set(parts[0]) == {left, right}:
            return None
        result = self.connectives.true
        for a, b in parts:
            same = self.connectives.equal(a, b)
            result = (
                same if result is self.connectives.true else self.connectives.symbol(Builtin.AND).make((result, same))
            )
        return result

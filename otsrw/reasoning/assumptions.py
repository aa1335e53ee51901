"""Assumptions of a case as rewrite rules, kept inter-reduced.

A literal that is assumed becomes a rule: `a = b` is oriented, `not (a = b)` becomes `(a = b) -> false`, a predicate
becomes true or false. A new rule rewrites the old ones; those that change are assumed anew, so that contradictions
show (ground completion). Free constructors of tight modules decide and decompose equations that the specification
leaves open; what they say is kept as equations of its own, because CafeOBJ must be told.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import TYPE_CHECKING

from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.integers import ARITHMETIC, COMPARISONS
from otsrw.reasoning.normal_forms import DecidedForm
from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.workbench import Equation, Why, Workbench
from otsrw.records import dataclass
from otsrw.rewriting.rewriter import Rewriter
from otsrw.rewriting.ring import RingTerm
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Symbol, Term, subterms

if TYPE_CHECKING:
    from otsrw.reasoning.arithmetic import ArithmeticCase

MAX_FACTS = 40
_EQUALS = Builtin.EQUALS


def atoms_of(term: Term) -> list[Term]:
    """The atoms of a Boolean normal form."""
    return term.ring.support(term.polynomial) if isinstance(term, RingTerm) else [term]


def inner_atoms(term: Term) -> list[Term]:
    """The atoms of a Boolean normal form; those of both sides for an equation between formulas."""
    found: dict[Term, None] = {}
    for atom in atoms_of(term):
        inside = [each for side in atom.args for each in inner_atoms(side)] if compares_formulas(atom) else [atom]
        found.update(dict.fromkeys(each for each in inside if each.args or not each.op.is_constructor))
    return list(found)


def compares_formulas(atom: Term) -> bool:
    """Is this an equation between two formulas? CafeOBJ leaves it as it is until both sides have a value."""
    return atom.op.native is _EQUALS and any(arg.sort is atom.sort for arg in atom.args)


def as_literals(term: Term) -> list[Literal] | None:
    """The literals of a normal form that is one literal or a conjunction of positive atoms; None for others."""
    atoms = atoms_of(term)
    if any(map(compares_formulas, atoms)):
        return None
    if not isinstance(term, RingTerm):
        return [Literal(term, True)]
    if term.op.native is Builtin.AND:
        return [Literal(atom, True) for atom in sorted(term.args, key=size_and_text)]
    if len(atoms) == 1:
        return [Literal(atoms[0], False)]
    return None


@dataclass(frozen=True, eq=False, slots=True)
class Assumed:
    """A formula that is assumed to hold or not; a condition stays an atom even if it is an equation."""

    formula: Term
    holds: bool
    is_condition: bool = False
    is_told: bool = False
    """Does it become a rule even if constructors or arithmetic imply it? Conditions of equations ask for that."""


class Assumptions:
    """An inter-reduced set of rules; `contradiction` is the literal that cannot hold with the others, if any."""

    def __init__(self, bench: Workbench, equations: tuple[Equation, ...] = ()) -> None:
        self.bench = bench
        self.equations = equations
        self.contradiction: Literal | None = None
        self.open: tuple[Assumed, ...] = ()
        """Assumed formulas that are no literals yet: they must be split."""
        self._rewriter: Rewriter | None = None
        self._arithmetic: ArithmeticCase | None = None

    def reduce(self, term: Term) -> Term:
        """The normal form under the assumptions, with equations decided that constructors decide."""
        bench, rewriter = self.bench, self._case_rewriter()
        known = bench.forms.decided(rewriter, term)
        if known is None:
            before = bench.reductions
            known = DecidedForm(self._decided_value(term), bench.reductions - before)
            bench.forms.keep(rewriter, term, known)
        else:
            bench.reductions += known.reductions
        return known.value

    def _decided_value(self, term: Term) -> Term:
        value = self.rewritten(term)
        for _ in range(MAX_FACTS):
            facts = self._facts(value)
            if not facts:
                break
            value = self.rewritten(_replaced(value, {fact.left: fact.right for fact in facts}))
        return value

    def with_facts(self, term: Term) -> tuple[Equation, ...]:
        """The assumptions and those facts about constructors that CafeOBJ needs to reduce the term as we do."""
        equations = (*self.equations, *self._forced(), *self.bench.facts)
        for _ in range(MAX_FACTS):
            facts = self._facts(self.bench.reduce(self.bench.rewriter(equations), term))
            if not facts:
                break
            equations = (*equations, *map(self._explained, facts))
        return equations

    def _forced(self) -> list[Equation]:
        """For CafeOBJ: what a value of a sort with one value is, if the contradiction is that it differs from that."""
        if self.contradiction is None or self.contradiction.positive:
            return []
        atom = self.contradiction.atom
        sides = (atom.args, atom.args[::-1]) if atom.op.native is _EQUALS else ()
        return [Equation(v, c, Why.FACT) for v, c in sides if v is not c and self.bench.constants_of(v.sort) == (c,)]

    def _explained(self, fact: Equation) -> Equation:
        """A fact of arithmetic with what it follows from."""
        connectives = self.bench.connectives
        if fact.why is not Why.ARITHMETIC or fact.right not in (connectives.true, connectives.false):
            return fact
        from otsrw.reasoning.arithmetic import reasons

        truth = connectives.true, connectives.false
        because = reasons(self.bench.integers, self.equations, fact.left, truth)
        return Equation(fact.left, fact.right, fact.why, because or ())

    def contradicted(self) -> Assumptions | None:
        """The same without an assumption that the others refute, which contradicts them; None if there is none.

        A conditional equation may apply to an older assumption only when newer ones decide its condition.
        """
        true, false = self.bench.connectives.true, self.bench.connectives.false
        for old in self.equations:
            if self.bench.is_constant(old.left):
                continue
            said = Literal(old.left, old.right is true)
            if old.right not in (true, false):
                said = Literal(self.bench.connectives.equal(old.left, old.right), True)
            others = Assumptions(self.bench, tuple(each for each in self.equations if each is not old))
            if others.reduce(said.atom) is (false if said.positive else true):
                others.contradiction = said
                return others
        return None

    def rewritten(self, term: Term) -> Term:
        """The normal form by equations alone, as conditions of equations see it."""
        return self.bench.reduce(self._case_rewriter(), term)

    def _case_rewriter(self) -> Rewriter:
        if self._rewriter is None:
            self._rewriter = self.bench.rewriter(self.equations)
        return self._rewriter

    def _facts(self, value: Term) -> list[Equation]:
        """What the constructors say about equations left in a Boolean normal form."""
        if value is self.bench.connectives.true or value is self.bench.connectives.false:
            return []
        if value.sort is not self.bench.connectives.true.sort and value.op.native not in COMPARISONS:
            return []  # a comparison with `p N` is of the error sort, but may be decided
        found: dict[Term, Equation] = {}
        todo = list(atoms_of(value))
        while todo:
            term = todo.pop()
            fact = found.get(term) or self._fact(term)
            if fact is not None:
                found[term] = fact
                continue
            for arg in term.args:
                todo += atoms_of(arg) if isinstance(arg, RingTerm) else [arg] if arg.args else []
        return list(found.values())

    def _fact(self, term: Term) -> Equation | None:
        """What constructors or arithmetic say about one term; None if nothing."""
        if term.op.native is _EQUALS:
            found = self._decided(term)
            if found is not None:
                return found
        return self._computed(term) if term.op.native in ARITHMETIC else None

    def _computed(self, term: Term) -> Equation | None:
        """A comparison that linear arithmetic decides, or a sum that is smaller than it looks."""
        integers, connectives = self.bench.integers, self.bench.connectives
        if term.op.native in COMPARISONS and not integers.may_compare(term):
            return None
        if self._arithmetic is None:
            from otsrw.reasoning.arithmetic import ArithmeticCase

            known = (*self.equations, *self.bench.facts)
            self._arithmetic = ArithmeticCase(integers, known, connectives.true, connectives.false)
        if term.op.native not in COMPARISONS:
            smaller = self._arithmetic.simplified(term)
            return None if smaller is None else Equation(term, smaller, Why.ARITHMETIC)
        value = self._arithmetic.decide(term)
        if value is None:
            return None
        return Equation(term, connectives.true if value else connectives.false, Why.ARITHMETIC)

    def _decided(self, equation: Term) -> Equation | None:
        left, right = equation.args
        connectives = self.bench.connectives
        if self.bench.constructors.distinct(left, right) or self._is_below(left, right):
            return Equation(equation, connectives.false, Why.FACT)
        parts = self.bench.constructors.decompose(left, right)
        if parts is None or (len(parts) == 1 and set(parts[0]) == {left, right}):
            return None
        result = connectives.true
        for a, b in parts:
            same = connectives.equal(a, b)
            result = same if result is connectives.true else connectives.symbol(Builtin.AND).make((result, same))
        return Equation(equation, result, Why.FACT)

    def _is_below(self, left: Term, right: Term) -> bool:
        """Is one side properly inside the other, under free constructors only?"""
        return self._inside(left, right) or self._inside(right, left)

    def _inside(self, small: Term, large: Term) -> bool:
        free = self.bench.constructors.free
        todo = list(large.args) if large.op in free else []
        while todo:
            term = todo.pop()
            if term is small:
                return True
            if term.op in free:
                todo += term.args
        return False

    # --- assuming

    def assuming(self, assumed: Iterable[Assumed]) -> Assumptions:
        """These assumptions and more; formulas that are no literals are left open."""
        result = Assumptions(self.bench, self.equations)
        pending = [*self.open, *assumed]
        waiting: list[Assumed] = []
        while pending and result.contradiction is None:
            first = pending.pop(0)
            added = result._assume(first)
            if added is None:
                waiting.append(first)
            else:
                pending = [*added, *waiting, *pending]
                waiting = []
        result.open = tuple(waiting)
        return result

    def _assume(self, assumed: Assumed) -> list[Assumed] | None:
        """Add a formula; gives what must be assumed anew, or None if it cannot be a rule yet."""
        connectives = self.bench.connectives
        formula = assumed.formula if assumed.holds else connectives.symbol(Builtin.NOT).make((assumed.formula,))
        value = self.reduce(formula)
        if value is connectives.false:
            self.contradiction = Literal(assumed.formula, assumed.holds)
        if value is connectives.true and assumed.is_told:
            value = self.rewritten(formula)
        if value is connectives.true or value is connectives.false:
            return []
        literals = as_literals(value)
        if literals is None:
            return None
        if len(literals) > 1:
            return [Assumed(literal.atom, literal.positive, assumed.is_condition) for literal in literals]
        if assumed.is_condition and literals[0].positive:
            return self._add(Equation(literals[0].atom, connectives.true, Why.CONDITION))
        named = _with_named_parts(self.bench, literals[0])
        if named:
            return named
        return self._add(self._rule(literals[0])) + self._last_choice(literals[0])

    def _last_choice(self, literal: Literal) -> list[Assumed]:
        """If a value differs from all constants of its sort but one, it is that one; if from all, there is none."""
        if literal.positive or literal.atom.op.native is not Builtin.EQUALS:
            return []
        for value, constant in (literal.atom.args, literal.atom.args[::-1]):
            constants = self.bench.constants_of(value.sort)
            if constant not in constants or value in constants:
                continue
            equal, false = self.bench.connectives.equal, self.bench.connectives.false
            excluded = {e.left for e in self.equations if e.right is false}
            left = [c for c in constants if equal(value, c) not in excluded]
            if not left:
                self.contradiction = literal
                if len(constants) == 1:  # the fact in `_forced` says so
                    self.equations = tuple(e for e in self.equations if e.left is not literal.atom)
            elif len(left) == 1:
                return [Assumed(equal(value, left[0]), True)]
        return []

    def _rule(self, literal: Literal) -> Equation:
        connectives = self.bench.connectives
        atom = literal.atom
        if atom.op.native is Builtin.EQUALS and literal.positive:
            left, right = self._oriented(*atom.args)
            if left is not None:
                return Equation(left, right)
        return Equation(atom, connectives.true if literal.positive else connectives.false)

    def _oriented(self, first: Term, second: Term) -> tuple[Term | None, Term]:
        """The side to rewrite: a fresh constant if there is one, else the greater term."""
        choices = [(a, b) for a, b in ((first, second), (second, first)) if self._may_rewrite(a, b)]
        if not choices:
            return None, first
        return max(choices, key=lambda pair: self._weight(pair[0]))

    def _may_rewrite(self, left: Term, right: Term) -> bool:
        if _contains(right, left) or left.op in self.bench.constructors.free or not left.op.decls:
            return False
        order = self.bench.module.signature.order
        if self.bench.is_constant(left):
            return order.leq(right.sort, left.sort)
        return bool(left.args) and not (left.op.has_theory and not left.op.assoc) and not left.op.is_constructor

    def _weight(self, term: Term) -> tuple[int, int, str]:
        if self.bench.is_constant(term):
            return 2, self.bench.constants[term.op], ""
        return (1 if term.args else 0), *size_and_text(term)

    def _add(self, rule: Equation) -> list[Assumed]:
        """Take the rule in; old rules that it rewrites go out and must be assumed anew."""
        kept: list[Equation] = []
        again: list[Assumed] = []
        connectives = self.bench.connectives
        for old in self.equations:
            left, right = old.left, old.right
            if not (_mentions(left, rule.left) or _mentions(right, rule.left)):
                kept.append(old)
                continue
            if left.sort is connectives.true.sort and right in (connectives.true, connectives.false):
                again.append(Assumed(left, right is connectives.true, old.why is Why.CONDITION))
                continue
            only = self.bench.rewriter([rule])
            if self.bench.reduce(only, left) is left and not _contains(image := self.bench.reduce(only, right), left):
                kept.append(Equation(left, image))
            else:
                again.append(Assumed(connectives.equal(left, right), True))
        self.equations = (*kept, rule)
        self._rewriter = self._arithmetic = None
        return again


def _with_named_parts(bench: Workbench, literal: Literal) -> list[Assumed]:
    """`m = msg(from(m),k)` as `m = msg(a,k)` and `from(m) = a` for a fresh a: only then m can be rewritten."""
    if literal.atom.op.native is not _EQUALS or not literal.positive:
        return []
    free = bench.constructors.free
    for constant, other in (literal.atom.args, literal.atom.args[::-1]):
        # A part of a split value gets no named parts: they would have parts in turn, and so on.
        if not bench.is_constant(constant) or constant.op in bench.parts or other.op not in free:
            continue
        named = {part: bench.part(part.sort) for part in _defined_parts(other, constant, free)}
        if named:
            equal = bench.connectives.equal
            image = Assumed(equal(constant, _replaced(other, dict(named))), True)
            return [image, *(Assumed(equal(part, name), True) for part, name in named.items())]
    return []


def _defined_parts(term: Term, constant: Term, free: Container[Symbol]) -> list[Term]:
    """The greatest subterms with the constant that are no constructor terms; none if it stands under constructors."""
    found: list[Term] = []
    todo = [term]
    while todo:
        inner = todo.pop()
        if inner is constant:
            return []
        if inner.op in free:
            todo += inner.args
        elif _contains(inner, constant):
            found.append(inner)
    return list(dict.fromkeys(found))


def _replaced(term: Term, images: dict[Term, Term]) -> Term:
    found = images.get(term)
    if found is not None:
        return found
    return term.op.make(tuple([_replaced(arg, images) for arg in term.args])) if term.args else term


def _mentions(term: Term, part: Term) -> bool:
    """May rewriting `part` change this term?"""
    return _contains(term, part) or (part.op.assoc and any(inner.op is part.op for inner in subterms(term)))


def _contains(term: Term, part: Term) -> bool:
    return any(inner is part for inner in subterms(term))

"""The Boolean connectives of a machine: polynomials, and the user's equations on `and` and `xor`.

A connective applied to normal forms is one operation of the ring. An equation such as `eq (p and q) = false .` then
rewrites the polynomial: every monomial that contains its left side, or part of the sum, is replaced.

In CafeOBJ a connective means something only between terms of sort Bool: `false and p(n) <= m` stays, where `p` is
declared for fewer values than `n` may be. The ring takes an ill-sorted Boolean for an atom like any other; a machine
that goes by sorts leaves the connective, as CafeOBJ does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from otsrw.rewriting.interpreter import Interpreter
from otsrw.rewriting.ring import Ring, RingTerm
from otsrw.rewriting.rules import Rule
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Symbol, Term

RING_OPERATIONS: dict[Builtin, Callable[..., Term]] = {
    Builtin.AND: Ring.conjunction,
    Builtin.OR: Ring.disjunction,
    Builtin.XOR: Ring.exclusive,
    Builtin.NOT: Ring.negation,
    Builtin.IMPLIES: Ring.implication,
    Builtin.IFF: Ring.equivalence,
}
LARGE_RING = 300_000
"""Nodes from which the next reduction starts with an empty ring; terms of the old one keep it alive."""

MAX_RING_NODES = 3_000_000

MAX_SUM = 2_000
"""Monomials up to which a polynomial is searched for the left side of an equation on a sum."""


class Booleans:
    """The ring of a machine, replaced by a new one when it has grown large."""

    def __init__(
        self, interpreter: Interpreter, true: Term, false: Term, symbols: dict[Builtin, Symbol], by_sorts: bool
    ) -> None:
        self.interpreter = interpreter
        self.by_sorts = by_sorts
        """Are connectives of ill-sorted Booleans left as they are?"""
        self.runtime = interpreter.runtime
        self._parts = (true, false, symbols[Builtin.XOR], symbols[Builtin.AND], symbols[Builtin.OR])
        self.ring = self._new_ring()

    @classmethod
    def of(cls, interpreter: Interpreter, by_sorts: bool = False) -> Booleans | None:
        """The connectives of a theory; None if its module does not import BOOL."""
        rulebase = interpreter.rulebase
        symbols = {s.native: s for s in rulebase.signature.symbols() if s.native is not None}
        if Builtin.XOR not in symbols or rulebase.true is None or rulebase.false is None:
            return None
        return cls(interpreter, rulebase.true, rulebase.false, symbols, by_sorts)

    def _new_ring(self) -> Ring:
        ring = Ring(*self._parts)
        ring.on_growth = self._check_growth
        return ring

    def start_afresh(self) -> bool:
        """Leave a large ring behind; True if that was done."""
        if self.ring.size() <= LARGE_RING:
            return False
        self.ring = self._new_ring()
        return True

    def function(self, symbol: Symbol) -> Callable[..., Term] | None:
        """The function of a connective on normal forms; it takes a tuple if the connective is associative."""
        if symbol.native is None or symbol.native not in RING_OPERATIONS:
            return None
        connective = RING_OPERATIONS[symbol.native]
        if symbol.assoc:
            folded = self._folded(connective)
            return self._of_sorted_parts(symbol, folded) if self.by_sorts else folded
        guarded = self._guarded(connective)
        return self._of_sorted(symbol, guarded) if self.by_sorts else guarded

    def _of_sorted(self, symbol: Symbol, function: Callable[..., Term]) -> Callable[..., Term]:
        def apply(*args: Term) -> Term:
            return self._left(symbol, args) if any(arg.sort.is_error for arg in args) else function(*args)

        return apply

    def _of_sorted_parts(self, symbol: Symbol, function: Callable[..., Term]) -> Callable[..., Term]:
        def apply(args: tuple[Term, ...]) -> Term:
            others = [arg for arg in args if arg.sort.is_error]
            if not others:
                return function(args)
            parts = tuple([arg for arg in args if not arg.sort.is_error])
            known = [function(parts)] if parts else []
            return self._left(symbol, (*known, *others))

        return apply

    def _left(self, symbol: Symbol, args: tuple[Term, ...]) -> Term:
        """A connective that stays, in normal form."""
        term = symbol.make(args)
        term.epoch = self.runtime.namespace["E"]
        return term

    def _guarded(self, connective: Callable[..., Term]) -> Callable[..., Term]:
        def apply(*args: Term) -> Term:
            return self._simplified(connective(self.ring, *args))

        return apply

    def _folded(self, connective: Callable[..., Term]) -> Callable[..., Term]:
        def apply(args: tuple[Term, ...]) -> Term:
            result = args[0]
            for arg in args[1:]:
                result = connective(self.ring, result, arg)
            return self._simplified(result)

        return apply

    def _simplified(self, term: Term) -> Term:
        """Apply the user's equations on `and` and `xor`, if there are any, to a polynomial."""
        if term.__class__ is RingTerm:
            products, sums = self._rules()
            if products or sums:
                return self._rewrite(term, products, sums)
        return term

    def _check_growth(self) -> None:
        self.runtime.budget.check_time()
        if self.ring.size() > MAX_RING_NODES:
            raise BudgetExceeded("E401", "a Boolean expression has grown too large", hint="split the case first")

    def _rules(self) -> tuple[list[Rule], list[Rule]]:
        layer, rules_of = self.runtime.overlay.rules, self.interpreter.rulebase.rules_of
        conjunction, exclusive = self.ring.and_symbol, self.ring.xor_symbol
        products = layer.get(conjunction, []) + rules_of(conjunction)
        sums = layer.get(exclusive, []) + rules_of(exclusive)
        return products, sums

    def _rewrite(self, term: Term, products: list[Rule], sums: list[Rule]) -> Term:
        ring = self.ring
        while term.__class__ is RingTerm:
            changed = self._rewrite_product(term, products) if products else None
            if changed is None and sums and term.op is ring.xor_symbol:
                changed = self._rewrite_sum(term, sums)
            if changed is None or changed is term:
                return term
            self.runtime.count()
            term = changed
        return term

    def _rewrite_product(self, term: Term, products: list[Rule]) -> Term | None:
        ring = self.ring
        polynomial = ring.polynomial(term)
        for rule in products:
            if rule.is_ground:
                replaced = self._assume(polynomial, rule)
                if replaced is not None:
                    return ring.term(replaced)
                continue
            for atoms in ring.monomials(polynomial):
                for found, rest in self.runtime.matcher.match_multiset(ring.and_symbol, rule.lhs.args, atoms, {}, True):
                    image_term = self.interpreter.instance(rule, found)
                    if image_term is None:
                        continue
                    product = ring.multiply(ring.polynomial(image_term), ring.polynomial(ring.monomial(rest)))
                    return ring.term(ring.add(ring.add(polynomial, ring.polynomial(ring.monomial(atoms))), product))
        return None

    def _assume(self, polynomial: int, rule: Rule) -> int | None:
        """Replace the left side of a ground equation, a product in every monomial or some monomials of the sum."""
        ring = self.ring
        left = self._left_side(rule.lhs)
        if ring.count(left) == 1:
            (atoms,) = ring.monomials(left)
            replaced = ring.replace_product(polynomial, frozenset(atoms), lambda: self._right_side(rule))
            return None if replaced == polynomial else replaced
        if ring.count(polynomial) > MAX_SUM or not set(ring.monomials(left)) <= set(ring.monomials(polynomial)):
            return None
        replaced = ring.add(ring.add(polynomial, left), self._right_side(rule))
        return None if replaced == polynomial else replaced

    def _left_side(self, term: Term) -> int:
        """The polynomial that a left side is as it stands: other connectives in it never meet a normal form."""
        if term.op.native not in (Builtin.AND, Builtin.XOR) or not term.args:
            return self.ring.polynomial(term)
        connective = RING_OPERATIONS[term.op.native]
        args = [self.ring.term(self._left_side(arg)) for arg in term.args]
        return self.ring.polynomial(reduce(lambda first, second: connective(self.ring, first, second), args))

    def _right_side(self, rule: Rule) -> int:
        return self.ring.polynomial(self.runtime.normalise(rule.rhs))

    def _rewrite_sum(self, term: Term, sums: list[Rule]) -> Term | None:
        ring = self.ring
        for rule in sums:
            if rule.is_ground:
                replaced = self._assume(ring.polynomial(term), rule)
                if replaced is not None:
                    return ring.term(replaced)
                continue
            for found, rest in self.runtime.matcher.match_multiset(ring.xor_symbol, rule.lhs.args, term.args, {}, True):
                image = self.interpreter.instance(rule, found)
                if image is not None:
                    total = ring.polynomial(image)
                    for part in rest:
                        total = ring.add(total, ring.polynomial(part))
                    return ring.term(total)
        return None

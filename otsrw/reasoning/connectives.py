"""Formulas over one signature: literals, constant folding, disjunctive normal form.

None of this rewrites data terms, so the result means the same as the formula, whatever the equations on data are like.
"""

from __future__ import annotations

from collections.abc import Callable

from otsrw.records import dataclass
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import EQUALITIES, Builtin
from otsrw.theory.printing import show_briefly
from otsrw.theory.signature import Signature
from otsrw.theory.terms import Symbol, Term

MAX_CLAUSES = 512

DnfClause = tuple["Literal", ...]

_CONJUNCTIONS = (Builtin.AND, Builtin.AND_ALSO)
_DISJUNCTIONS = (Builtin.OR, Builtin.OR_ELSE)
_JUNCTIONS = (*_CONJUNCTIONS, *_DISJUNCTIONS)
_EQUIVALENCES = (*EQUALITIES, Builtin.IFF)
_TRUTH_COMPARISONS = (Builtin.IFF, Builtin.XOR)
_NOT = Builtin.NOT
_IF = Builtin.IF
_IMPLIES = Builtin.IMPLIES
_XOR = Builtin.XOR
_EQUALS = Builtin.EQUALS
_DIFFERENT = Builtin.DIFFERENT


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom or its negation."""

    atom: Term
    positive: bool


class Connectives:
    """Builds and simplifies formulas over one signature."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self.true = signature.constants_named("true")[0].make(())
        self.false = signature.constants_named("false")[0].make(())
        self._by_native: dict[Builtin, Symbol] = {}
        for symbol in signature.symbols():
            if symbol.native is not None:
                self._by_native.setdefault(symbol.native, symbol)

    def symbol(self, native: Builtin) -> Symbol:
        return self._by_native[native]

    def equal(self, left: Term, right: Term) -> Term:
        return self.symbol(Builtin.EQUALS).make((left, right))

    def negate(self, term: Term) -> Term:
        if term is self.true:
            return self.false
        if term is self.false:
            return self.true
        return term.args[0] if term.op.native is _NOT else self.symbol(Builtin.NOT).make((term,))

    def choose(self, condition: Term, then: Term, other: Term) -> Term:
        if condition is self.true or then is other:
            return then
        return other if condition is self.false else self.symbol(Builtin.IF).make((condition, then, other))

    def without_choices(self, formula: Term) -> Term:
        """The formula with connectives for conditionals between truth values.

        CafeOBJ does not evaluate a connective in a right side that has `if_then_else_fi` as an argument.
        """
        if not formula.args or formula.sort is not self.true.sort:
            return formula
        args = tuple([self.without_choices(arg) for arg in formula.args])
        if formula.op.native is not Builtin.IF:
            return formula.op.make(args)
        condition, then, other = args
        if condition in (self.true, self.false):
            return then if condition is self.true else other
        return self._disjunction(self._conjunction(condition, then), self._conjunction(self.negate(condition), other))

    def _conjunction(self, left: Term, right: Term) -> Term:
        if right in (self.true, self.false):
            return left if right is self.true else self.false
        return self.symbol(Builtin.AND).make((left, right))

    def _disjunction(self, left: Term, right: Term) -> Term:
        if self.false in (left, right):
            return right if left is self.false else left
        return self.symbol(Builtin.OR).make((left, right))

    def simplified(self, term: Term, known: Callable[[Term], Term | None]) -> Term:
        """Constant folding, bottom-up; `known` gives the value of a subterm, if it is known."""
        value = known(term)
        if value is not None:
            return value
        if not term.args:
            return term
        native = term.op.native
        if native is _IF:
            condition = self.simplified(term.args[0], known)
            if condition is self.true:
                return self.simplified(term.args[1], known)
            if condition is self.false:
                return self.simplified(term.args[2], known)
            return self.choose(condition, self.simplified(term.args[1], known), self.simplified(term.args[2], known))
        args = tuple([self.simplified(arg, known) for arg in term.args])
        folded = self._folded(native, args)
        if folded is not None:
            return folded
        result = term.op.make(args)
        if result is term:
            return term
        value = known(result)
        return result if value is None else value

    def _folded(self, native: Builtin | None, args: tuple[Term, ...]) -> Term | None:
        true, false = self.true, self.false
        if native is not None and native in _JUNCTIONS:
            neutral, deciding = (true, false) if native in _CONJUNCTIONS else (false, true)
            if deciding in args:
                return deciding
            left = tuple(arg for arg in args if arg is not neutral)
            if not left:
                return neutral
            return left[0] if len(left) == 1 else None if len(left) == len(args) else self.symbol(native).make(left)
        if native is _NOT and args[0] in (true, false):
            return self.negate(args[0])
        if native is _IMPLIES:
            if args[0] is false or args[1] is true:
                return true
            return args[1] if args[0] is true else self.negate(args[0]) if args[1] is false else None
        if native in EQUALITIES and args[0] is args[1]:
            return true
        if native in _EQUIVALENCES and (true in args or false in args):
            first, second = args if args[1] in (true, false) else args[::-1]
            return first if second is true else self.negate(first)
        return None

    # --- disjunctive normal form

    def clauses(self, formula: Term, positive: bool = True) -> list[DnfClause]:
        """The formula (or its negation) as a disjunction of conjunctions of literals."""
        found = self._dnf(formula, positive)
        return list(dict.fromkeys(tuple(dict.fromkeys(clause)) for clause in found if _consistent(clause)))

    def _dnf(self, term: Term, positive: bool) -> list[DnfClause]:
        native = term.op.native
        if term is self.true or term is self.false:
            return [()] if (term is self.true) is positive else []
        if native is _NOT:
            return self._dnf(term.args[0], not positive)
        if native in _JUNCTIONS:
            parts = [self._dnf(arg, positive) for arg in term.args]
            return _product(parts, term) if (native in _CONJUNCTIONS) is positive else [c for p in parts for c in p]
        if native is _IMPLIES:
            sides = [self._dnf(term.args[0], not positive), self._dnf(term.args[1], positive)]
            return sides[0] + sides[1] if positive else _product(sides, term)
        if native in _TRUTH_COMPARISONS or (native is _EQUALS and term.args[0].sort is self.true.sort):
            return self._equivalence(term, positive is (native is not _XOR))
        if native is _IF:
            condition, then, other = term.args
            yes = _product([self._dnf(condition, True), self._dnf(then, positive)], term)
            return yes + _product([self._dnf(condition, False), self._dnf(other, positive)], term)
        if native is _DIFFERENT:
            return [(Literal(self.symbol(Builtin.SAME).make(term.args), not positive),)]
        return [(Literal(term, positive),)]

    def _equivalence(self, term: Term, same: bool) -> list[DnfClause]:
        first, *others = term.args
        rest = others[0] if len(others) == 1 else term.op.make(tuple(others))
        both = _product([self._dnf(first, True), self._dnf(rest, same)], term)
        return both + _product([self._dnf(first, False), self._dnf(rest, not same)], term)


def _product(parts: list[list[DnfClause]], term: Term) -> list[DnfClause]:
    result: list[DnfClause] = [()]
    for part in parts:
        result = [left + right for left in result for right in part]
        result = [clause for clause in result if _consistent(clause)]
        if len(result) > MAX_CLAUSES:
            raise OtsrwError("E510", f"this formula has too many cases: {show_briefly(term)}")
    return result


def _consistent(clause: DnfClause) -> bool:
    signs: dict[Term, bool] = {}
    return all(signs.setdefault(literal.atom, literal.positive) is literal.positive for literal in clause)

"""Formulas over one signature: literals, constant folding, disjunctive normal form.

None of this rewrites data terms, so the result means the same as the formula, whatever the equations on data are like.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.printing import show_briefly
from otsrw.theory.signature import Signature
from otsrw.theory.terms import Symbol, Term

MAX_CLAUSES = 512

DnfClause = tuple["Literal", ...]


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
        self._by_native: dict[str, Symbol] = {}
        for symbol in signature.symbols():
            if symbol.native is not None:
                self._by_native.setdefault(symbol.native, symbol)

    def symbol(self, native: str) -> Symbol:
        return self._by_native[native]

    def equal(self, left: Term, right: Term) -> Term:
        return self.symbol("equals").make((left, right))

    def negate(self, term: Term) -> Term:
        if term is self.true:
            return self.false
        if term is self.false:
            return self.true
        return term.args[0] if term.op.native == "not" else self.symbol("not").make((term,))

    def choose(self, condition: Term, then: Term, other: Term) -> Term:
        if condition is self.true or then is other:
            return then
        return other if condition is self.false else self.symbol("if").make((condition, then, other))

    def simplified(self, term: Term, known: Callable[[Term], Term | None]) -> Term:
        """Constant folding, bottom-up; `known` gives the value of a subterm, if it is known."""
        value = known(term)
        if value is not None:
            return value
        if not term.args:
            return term
        native = term.op.native
        if native == "if":
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

    def _folded(self, native: str | None, args: tuple[Term, ...]) -> Term | None:
        true, false = self.true, self.false
        if native in ("and", "or", "and-also", "or-else"):
            neutral, deciding = (true, false) if native.startswith("and") else (false, true)
            if deciding in args:
                return deciding
            left = tuple(arg for arg in args if arg is not neutral)
            if not left:
                return neutral
            return left[0] if len(left) == 1 else None if len(left) == len(args) else self.symbol(native).make(left)
        if native == "not" and args[0] in (true, false):
            return self.negate(args[0])
        if native == "implies":
            if args[0] is false or args[1] is true:
                return true
            return args[1] if args[0] is true else self.negate(args[0]) if args[1] is false else None
        if native in ("equals", "same") and args[0] is args[1]:
            return true
        if native in ("equals", "iff", "same") and (true in args or false in args):
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
        if native == "not":
            return self._dnf(term.args[0], not positive)
        if native in ("and", "or", "and-also", "or-else"):
            parts = [self._dnf(arg, positive) for arg in term.args]
            return _product(parts, term) if native.startswith("and") is positive else [c for p in parts for c in p]
        if native == "implies":
            sides = [self._dnf(term.args[0], not positive), self._dnf(term.args[1], positive)]
            return sides[0] + sides[1] if positive else _product(sides, term)
        if native in ("iff", "xor") or (native == "equals" and term.args[0].sort is self.true.sort):
            return self._equivalence(term, positive is (native != "xor"))
        if native == "if":
            condition, then, other = term.args
            yes = _product([self._dnf(condition, True), self._dnf(then, positive)], term)
            return yes + _product([self._dnf(condition, False), self._dnf(other, positive)], term)
        if native in ("different",):
            return [(Literal(self.symbol("same").make(term.args), not positive),)]
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

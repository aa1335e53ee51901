"""Equations as rows of a pattern matrix: linear patterns of builders, and a condition for the rest.

`f(X, X) = a` is read as `f(X, X') = a if X = X'`, and `f(p1) = a` for a constant of a loose sort as `f(X) = a if
X = p1`: whether the condition holds is a question about values, not about shapes.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.reasoning.connectives import Connectives
from otsrw.records import NamedTuple
from otsrw.soundness.cone import Cone
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.terms import LiteralTerm, Symbol, Term, symbols_of, variable, variables_of


class Row(NamedTuple):
    """The pattern of an equation and when it applies; None: always."""

    pattern: Term
    condition: Term | None
    rule: Axiom


class _Unreadable(Exception):
    """The left side has a function below its top: it says something about values, and defines none."""


_UNREADABLE = frozenset((Builtin.IS, Builtin.BEHAVES, Builtin.SEARCH, Builtin.MATCH, Builtin.CONJUNCTION))
BY_FORM = _UNREADABLE | {Builtin.SAME, Builtin.DIFFERENT}
"""Built-in operators that look at how far a term is evaluated, or that bind variables."""


def looks_at_form(cone: Cone) -> frozenset[Symbol]:
    """Functions whose value on an unknown may change when more is known of it: by `==`, `:is` or `owise`."""
    callers: dict[Symbol, set[Symbol]] = {}
    found: set[Symbol] = set()
    for symbol, rules in cone.rules.items():
        for rule in rules:
            sides = [side for side in (rule.rhs, rule.condition) if side is not None]
            called = {op for side in sides for op in symbols_of(side)}
            if rule.otherwise or any(op.native in BY_FORM for op in called):
                found.add(symbol)
            for op in called:
                callers.setdefault(op, set()).add(symbol)
    todo = list(found)
    while todo:
        for caller in callers.get(todo.pop(), ()):
            if caller not in found:
                found.add(caller)
                todo.append(caller)
    return frozenset(found)


def by_value(term: Term, connectives: Connectives) -> Term:
    """A condition in which normal forms are not compared, but values."""
    if not term.args:
        return term
    args = tuple([by_value(arg, connectives) for arg in term.args])
    if term.op.native is Builtin.SAME:
        return connectives.equal(*args)
    if term.op.native is Builtin.DIFFERENT:
        return connectives.negate(connectives.equal(*args))
    return term.op.make(args)


def rows_of(
    rules: Iterable[Axiom], builders: frozenset[Symbol], connectives: Connectives, syntactic: frozenset[Symbol]
) -> list[Row]:
    """The rows of those equations whose left sides are patterns and whose conditions are about values.

    Conditions that bind variables, or that call functions in `syntactic`, are not read.
    """
    found = []
    for rule in rules:
        if rule.condition is not None:
            if any(op.native in _UNREADABLE or op in syntactic for op in symbols_of(rule.condition)):
                continue
        reader = _Reader(builders)
        try:
            args = tuple([reader.read(arg) for arg in rule.lhs.args])
        except _Unreadable:
            continue
        parts = [connectives.equal(left, right) for left, right in reader.equalities]
        if rule.condition is not None:
            parts.append(by_value(rule.condition, connectives))
        condition = parts[0] if parts else None
        for part in parts[1:]:
            assert condition is not None
            condition = connectives.symbol(Builtin.AND).make((condition, part))
        found.append(Row(rule.lhs.op.pattern(args) if args else rule.lhs, condition, rule))
    return found


class _Reader:
    """Makes the patterns of one left side linear."""

    def __init__(self, builders: frozenset[Symbol]) -> None:
        self.builders = builders
        self.seen: set[Term] = set()
        self.equalities: list[tuple[Term, Term]] = []

    def read(self, term: Term) -> Term:
        op = term.op
        if op.variable:
            return self._once(term)
        if isinstance(term, LiteralTerm) or (op not in self.builders and not term.args and op.native is None):
            place = variable(f"C{len(self.equalities)}%", term.sort)
            self.equalities.append((place, term))
            return place
        if op not in self.builders:
            raise _Unreadable
        return op.pattern(tuple([self.read(arg) for arg in term.args])) if term.args else term

    def _once(self, term: Term) -> Term:
        if term not in self.seen:
            self.seen.add(term)
            return term
        again = variable(f"{term.op.name}%{len(self.equalities)}", term.sort)
        self.equalities.append((term, again))
        return again


def is_bound(condition: Term, bindings: dict[Term, Term]) -> bool:
    """Has every variable of the condition a value?"""
    return all(v in bindings for v in variables_of(condition))

"""Which functions have a value for all arguments, seen from the patterns of their equations.

A function is complete if its equations cover all constructor terms and use complete functions only (that they
terminate is taken for granted: a reduction that does not is noticed). The check is sound and gives up early: what it
cannot show complete is watched during the search instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from otsrw.ots.binding import Theory
from otsrw.theory.builtins import CONNECTIVES, EQUALITIES
from otsrw.theory.modules import Axiom
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, symbols_of, variable, variables_of

PatternRow = tuple[Term, ...]


class Completeness:
    """Answers for one instance."""

    def __init__(self, theory: Theory) -> None:
        self.theory = theory
        self.order = theory.instance.module.signature.order
        self.ots = theory.instance.ots
        self._known: dict[Symbol, bool] = {}
        self.constructors = cache(self._constructors)

    def may_be_undecided(self, atom: Term, observed: Iterable[Symbol]) -> bool:
        """May this formula on the observed values be neither true nor false? Comparing normal forms always decides."""
        if atom.op.native in CONNECTIVES:
            seen = tuple(observed)
            return any(self.may_be_undecided(arg, seen) for arg in atom.args)
        if atom.op.native in EQUALITIES and not self.theory.has_own_equality(atom.args[0].sort):
            return False
        return self.may_be_stuck(atom) or not all(map(self.is_complete, observed))

    def may_be_stuck(self, term: Term) -> bool:
        """Is there a function in the term that may have no value?"""
        return any(not self.is_complete(symbol) for symbol in symbols_of(term))

    def is_complete(self, symbol: Symbol) -> bool:
        if symbol not in self._known:
            self._known[symbol] = True
            self._known[symbol] = self._check(symbol)
        return self._known[symbol]

    def _check(self, symbol: Symbol) -> bool:
        observer = self.ots.observer(symbol)
        if observer is not None:
            return not any(
                self.may_be_stuck(case.value)
                for transition in self.ots.transitions
                for effect in transition.effects
                if effect.observer is observer
                for case in effect.cases
            )
        if symbol.native is not None:
            return symbol.native.undefined is None
        truths = self.theory.connectives.true.op, self.theory.connectives.false.op
        if symbol.variable or not symbol.decls or symbol in truths:
            return True
        rules = self.theory.rules.get(symbol, [])
        if not rules:
            return symbol.decls[0].coarity is not self.theory.connectives.true.sort
        definition = self.ots.definitions.get(symbol)
        if definition is not None:
            return not self.may_be_stuck(definition.body)
        if symbol.has_theory:
            return self.theory.is_set(symbol)
        sides = [side for rule in rules for side in (rule.rhs, rule.condition) if side is not None]
        covered = all(self._covers(_decided(rules, self.theory), decl.arity) for decl in symbol.decls)
        return covered and not any(self.may_be_stuck(side) for side in sides)

    # --- coverage

    def _covers(self, rows: list[PatternRow], sorts: tuple[Sort, ...]) -> bool:
        if not rows or not sorts:
            return bool(rows)
        first, others = sorts[0], sorts[1:]
        if all(self._takes_all(row[0], first) for row in rows):
            return self._covers([row[1:] for row in rows], others)
        if first is self.ots.sort:
            return False
        constructors = self.constructors(first)
        return bool(constructors) and all(
            self._covers(self._specialised(rows, symbol, arity, coarity), (*arity, *others))
            for symbol, arity, coarity in constructors
        )

    def _takes_all(self, pattern: Term, sort: Sort) -> bool:
        return pattern.op.variable and self.order.leq(sort, pattern.sort)

    def _constructors(self, sort: Sort) -> tuple[tuple[Symbol, tuple[Sort, ...], Sort], ...]:
        """Constructors of a sort; for a multiset with two elements or more its arguments are not looked at."""
        found = []
        for symbol in self.theory.instance.module.signature.symbols():
            for decl in symbol.decls:
                if not self.order.leq(decl.coarity, sort) or symbol.polymorphic:
                    continue
                if symbol.native is not None:
                    return ()
                if self.theory.is_constructor(symbol) or self.theory.is_set(symbol):
                    found.append((symbol, () if symbol.has_theory else decl.arity, decl.coarity))
        return tuple(found)

    def _specialised(
        self, rows: list[PatternRow], symbol: Symbol, arity: tuple[Sort, ...], coarity: Sort
    ) -> list[PatternRow]:
        """What is left to match once the first argument is known to be built by the constructor."""
        found = []
        wild = tuple(variable(f"Any{n}#", sort) for n, sort in enumerate(arity))
        for first, *rest in rows:
            if self._takes_all(first, coarity) or self._takes_collection(first, symbol, coarity):
                found.append((*wild, *rest))
            elif first.op is symbol and not symbol.has_theory:
                found.append((*first.args, *rest))
        return found

    def _takes_collection(self, pattern: Term, symbol: Symbol, coarity: Sort) -> bool:
        """Does `X , Rest` match all collections of two elements and more, or with an identity a single element?"""
        op = pattern.op
        if op.variable or not op.assoc or len(pattern.args) != 2 or not all(a.op.variable for a in pattern.args):
            return False
        one, rest = pattern.args
        whole = op.decls[0].coarity
        if not self.order.leq(whole, rest.sort):
            one, rest = rest, one
        if one is rest or not self.order.leq(whole, rest.sort):
            return False
        if symbol is op:
            makers = [c for s, _, c in self.constructors(whole) if s is not op and not _is_identity(s, op)]
            return all(self.order.leq(sort, one.sort) for sort in makers)
        return op.identity is not None and not _is_identity(symbol, op) and self.order.leq(coarity, one.sort)


def _is_identity(symbol: Symbol, op: Symbol) -> bool:
    return op.identity is not None and op.identity.op is symbol


def _decided(rules: Iterable[Axiom], theory: Theory) -> list[PatternRow]:
    """Left sides that apply whatever the condition: there is none, or its negation has an equation, too."""
    conditions: dict[PatternRow, set[Term]] = {}
    for rule in rules:
        if any(len(list(_occurrences(rule.lhs, v))) > 1 for v in variables_of(rule.lhs)):
            continue
        given = theory.connectives.true if rule.condition is None or rule.otherwise else rule.condition
        conditions.setdefault(rule.lhs.args, set()).add(given)
    negate = theory.connectives.negate
    return [
        row
        for row, given in conditions.items()
        if theory.connectives.true in given or any(negate(condition) in given for condition in given)
    ]


def _occurrences(term: Term, sought: Term) -> Iterator[Term]:
    if term is sought:
        yield term
    for arg in term.args:
        yield from _occurrences(arg, sought)

"""Which terms may have no value, seen from the equations: in Maude they have no sort, only a kind.

Whether the equations of a function leave a gap is found out by `Coverage`. What is not seen to be complete is watched
during the search: that costs time, never an answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from otsrw.ots.binding import Theory
from otsrw.soundness.cone import cone_of
from otsrw.soundness.coverage import Coverage
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import OpDecl, Symbol, Term, subterms, symbols_of


class Partiality:
    """Answers for one instance."""

    def __init__(self, theory: Theory) -> None:
        self._theory = theory
        self._instance = theory.instance
        self._observers = {observer.symbol for observer in theory.instance.ots.observers}
        self._known: dict[Symbol, bool] = {}

    def may_lack_value(self, term: Term) -> bool:
        """May an instance of the term, by values, have no value? Observed values are values."""
        return any(self._is_misused(part) or self._is_partly_defined(part.op) for part in subterms(term))

    def _is_partly_defined(self, symbol: Symbol) -> bool:
        return symbol not in self._observers and not symbol.variable and self.is_partial(symbol)

    def is_partial(self, symbol: Symbol) -> bool:
        """Has the function no value somewhere, as far as is known, or is it defined by one that has none?"""
        known = self._known.get(symbol)
        if known is None:
            known = self._known[symbol] = any(map(self._is_source, self._reached_from(symbol)))
        return known

    def _reached_from(self, symbol: Symbol) -> Iterator[Symbol]:
        """The function and all that its equations lead to, observers apart."""
        seen = {symbol}
        todo = [symbol]
        while todo:
            current = todo.pop()
            yield current
            found = {op for side in self._sides(current) for op in symbols_of(side)} - seen - self._observers
            seen |= found
            todo += found

    def _sides(self, symbol: Symbol) -> list[Term]:
        rules = self._instance.rules.get(symbol, ())
        return [side for rule in rules for side in (rule.rhs, rule.condition) if side is not None]

    def _is_source(self, symbol: Symbol) -> bool:
        """Do its own equations leave something without a value, whatever other functions do?"""
        native = symbol.native
        if native is not None and native is not Builtin.EQUALS:
            return native.undefined is not None
        if native is None and self._has_gap(symbol):
            return True
        return any(self._is_misused(part) for side in self._sides(symbol) for part in subterms(side))

    def _is_misused(self, part: Term) -> bool:
        """Is an operator applied outside of its domain, or an observer at a place that has to be computed?"""
        if part.op.variable or not part.op.decls:
            return False
        if part.op in self._observers:
            return any(index.args or self._may_be_outside(index) for index in part.args)
        return part.sort.is_error and not part.op.polymorphic

    def _may_be_outside(self, index: Term) -> bool:
        """May an index be an element that is no entity, so that nothing is observed there?"""
        domain = self._instance.domain(index.sort)
        if index.ground:
            return domain is not None and index not in domain
        leq = self._instance.module.signature.order.leq
        return any(leq(index.sort, sort) for sort in self._instance.incomplete)

    def _has_gap(self, symbol: Symbol) -> bool:
        if symbol.variable or not symbol.decls:
            return False
        if self._instance.values.builds(symbol):
            return False
        if symbol not in self._instance.rules:
            return True
        own = self._symbols.get(symbol.decls[0])
        return own is None or self._coverage.gap(own) is not None

    @cached_property
    def _coverage(self) -> Coverage:
        return Coverage(cone_of(self._instance.base))

    @cached_property
    def _symbols(self) -> dict[OpDecl, Symbol]:
        """The operators of the specification without entities, by their declarations."""
        return {decl: symbol for symbol in self._instance.base.module.signature.symbols() for decl in symbol.decls}

"""Which ground normal forms are values.

A function with a gap has no value there: `next(blue)` with no equation for `blue` is a normal form, but no value, and
nothing may be said about it but that it equals itself.
"""

from __future__ import annotations

from otsrw.theory.modules import Axiom, Module, equations_by_symbol
from otsrw.theory.terms import Symbol, Term, symbols_of

_MOST_KEPT = 200_000
"""Terms that are remembered: more would keep too many of them alive."""


class GroundValues:
    """Tells values from ground normal forms that are evaluated no further, for one module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._rules = module.derived(equations_by_symbol)
        kind = module.signature.order.kind
        self._states = None if module.state_sort is None else kind.get(module.state_sort)
        self._kinds = kind
        self._builds: dict[Symbol, bool] = {}
        self._known: dict[Term, bool] = {}

    def has(self, term: Term) -> bool:
        """Is a ground normal form built by what builds values? All terms for states count as values."""
        if not term.args:
            return self.builds(term.op)
        known = self._known.get(term)
        if known is None:
            known = self._is_state(term) or (self.builds(term.op) and all(map(self.has, term.args)))
            if len(self._known) > _MOST_KEPT:
                self._known.clear()
            self._known[term] = known
        return known

    def culprit(self, term: Term) -> Term | None:
        """An innermost part of a normal form that has no value; None if it is a value."""
        if self.has(term):
            return None
        return next((found for arg in term.args if (found := self.culprit(arg)) is not None), term)

    def _is_state(self, term: Term) -> bool:
        return self._states is not None and self._kinds.get(term.sort) is self._states

    def builds(self, symbol: Symbol) -> bool:
        """Is a term with this operator on top a value?

        One that a loose module adds to a sort that a tight module builds is none.
        """
        known = self._builds.get(symbol)
        if known is None:
            known = self._builds[symbol] = self._find_out(symbol)
        return known

    def _find_out(self, symbol: Symbol) -> bool:
        if not symbol.decls or symbol.is_constructor:
            return True
        rules = self._rules.get(symbol)
        if symbol.native is not None:
            return symbol.nargs == 0 and rules is None
        if symbol.has_theory:
            return rules is None or all(_is_between_collections(rule) for rule in rules)
        if rules is not None:
            return False
        decl = symbol.decls[0]
        home = next((module for module in self._module.closure() if decl.coarity in module.sorts), None)
        if home is None or not home.is_tight or decl in home.decls:
            return True
        return not home.is_system and not any(other.coarity is decl.coarity for other in home.decls)


def _is_between_collections(rule: Axiom) -> bool:
    """Does an equation on a collection say only which collections are the same, as `(X , X) = X` does?"""
    allowed = {rule.lhs.op} if rule.lhs.op.identity is None else {rule.lhs.op, rule.lhs.op.identity.op}
    return all(symbol.variable or symbol in allowed for symbol in symbols_of(rule.rhs))

"""The built-in integers that a module sees: their sorts, their operators, and comparisons of them."""

from __future__ import annotations

from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Module
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term

COMPARISONS = frozenset((Builtin.LESS, Builtin.LESS_EQUAL, Builtin.GREATER, Builtin.GREATER_EQUAL, Builtin.EQUALS))
"""The operators that compare numbers; `=` compares other values as well."""
SUMS = frozenset((Builtin.ADD, Builtin.SUCCESSOR, Builtin.MINUS, Builtin.NEGATE, Builtin.TIMES))
"""The operators that make sums of numbers and of multiples."""
ARITHMETIC = COMPARISONS | SUMS
"""The operators of terms that arithmetic may decide or simplify."""
_PREDECESSOR = Builtin.PREDECESSOR


class Integers:
    """The integer sorts that a module sees."""

    def __init__(self, module: Module) -> None:
        self.order = module.signature.order
        self.sorts = {sort.name: sort for inner in module.closure() if inner.is_system for sort in inner.sorts}
        self.symbols: dict[Builtin, Symbol] = {}
        for symbol in module.signature.symbols():
            if symbol.native is not None:
                self.symbols.setdefault(symbol.native, symbol)

    def is_below(self, sort: Sort, name: str) -> bool:
        upper = self.sorts.get(name)
        return upper is not None and self.order.leq(sort, upper)

    def is_integer(self, sort: Sort) -> bool:
        return self.is_below(sort, "Int") or self.is_below(sort, "Nat")

    def may_compare(self, atom: Term) -> bool:
        """Is this a comparison of two integers, as far as its operator and the sorts of its sides tell?"""
        return atom.op.native in COMPARISONS and any(
            self.is_integer(side.sort) or side.op.native is _PREDECESSOR for side in atom.args
        )

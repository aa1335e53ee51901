"""Comparisons and connectives in Maude that say nothing of terms without a value.

Maude's `==` compares normal forms, whatever they are. Here two terms are compared only if both have a sort, or are the
same. A conjunction is false as soon as one part is, in any order, as in the rewriting engine.
"""

from __future__ import annotations

from otsrw.search.names import Names
from otsrw.theory.builtins import Builtin
from otsrw.theory.sorts import Kind, Sort, SortOrder


class StrictOperators:
    """The operators in use, declared once they are known."""

    def __init__(self, names: Names, order: SortOrder) -> None:
        self._names = names
        self._order = order
        self._equalities: dict[Kind, str] = {}
        self._both = ""
        self._either = ""

    def equality(self, kind: Kind) -> str:
        """The function that compares values of a kind."""
        if kind not in self._equalities:
            self._equalities[kind] = self._names.fresh("same-value")
        return self._equalities[kind]

    def greatest(self, kind: Kind) -> list[Sort]:
        """The sorts of a kind that are below no other one in Maude."""
        known = [sort for sort in kind.sorts if self._names.is_declared(sort)]
        return [s for s in known if not any(s is not other and self._order.leq(s, other) for other in known)]

    def connective(self, builtin: Builtin, args: list[str], truth: Kind) -> str:
        """A connective applied to arguments, one of which may have no value."""
        match builtin:
            case Builtin.IFF:
                return f"{self.equality(truth)}({args[0]}, {args[1]})"
            case Builtin.AND | Builtin.AND_ALSO:
                self._both = self._both or self._names.fresh("both-true")
                return _folded(self._both, args)
            case Builtin.OR | Builtin.OR_ELSE:
                return _folded(self._disjunction(), args)
            case Builtin.IMPLIES:
                return f"{self._disjunction()}((not {args[0]}), {args[1]})"
        assert builtin.maude is not None
        result = args[0]
        for arg in args[1:]:
            result = builtin.maude.format(result, arg)
        return result if len(args) > 1 else builtin.maude.format(result)

    def _disjunction(self) -> str:
        self._either = self._either or self._names.fresh("one-true")
        return self._either

    def lines(self) -> list[str]:
        """Declarations and equations."""
        found = [line for kind, name in self._equalities.items() for line in self._equality_lines(kind, name)]
        for name, absorbing, neutral in ((self._both, "false", "true"), (self._either, "true", "false")):
            if name:
                found += _connective_lines(name, absorbing, neutral)
        return found

    def _equality_lines(self, kind: Kind, name: str) -> list[str]:
        sorts = [self._names.sort(sort) for sort in self.greatest(kind)]
        top = f"[{sorts[0]}]"
        lines = [f"  op {name} : {top} {top} -> [Bool] .", f"  eq {name}(X:{top}, X:{top}) = true ."]
        return lines + [
            f"  eq {name}(X:{left}, Y:{right}) = X:{left} == Y:{right} ." for left in sorts for right in sorts
        ]


def _folded(name: str, args: list[str]) -> str:
    result = args[-1]
    for arg in reversed(args[:-1]):
        result = f"{name}({arg}, {result})"
    return result


def _connective_lines(name: str, absorbing: str, neutral: str) -> list[str]:
    """The first argument is evaluated first, and the second only if the first does not decide."""
    return [
        f"  op {name} : [Bool] [Bool] -> [Bool] [strat (1 0 2 0)] .",
        f"  eq {name}({absorbing}, X:[Bool]) = {absorbing} .",
        f"  eq {name}({neutral}, X:[Bool]) = X:[Bool] .",
        f"  eq {name}(X:[Bool], {absorbing}) = {absorbing} .",
        f"  eq {name}(X:[Bool], {neutral}) = X:[Bool] .",
    ]

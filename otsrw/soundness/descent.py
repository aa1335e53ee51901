"""When is one pattern a part of another one, in all of their instances?

`s(N)` has the part `N`. A collection `X , B` has the part `B`, and properly so if `X` cannot be the identity of the
comma. Parts are what recursion on finite terms descends to: a chain of rewrite steps and of steps from a term to a
proper part ends if rewriting the first term ends, because a step in a part is a step in the whole. That holds modulo
associativity, commutativity and identity, too, as terms without identities are meant.

Below an operator that no equation rewrites, arguments are compared one by one: `c(N)` counts as a part of `c(s(N))`.
Such chains are finite: as long as `c` stays on top, its arguments can only become parts finitely often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

from otsrw.theory.sorts import SortOrder
from otsrw.theory.terms import Symbol, Term

Bag = tuple[Term, ...]
"""Terms that are compared as a multiset: an argument of a function, or both arguments of a commutative one."""


class Parts:
    """Decides what is a part of what, under one sort order."""

    def __init__(self, order: SortOrder, rewritten: Container[Symbol] | None = None) -> None:
        self.order = order
        self._rewritten = rewritten
        """Operators with equations; None if all may have some."""
        self._proper: dict[tuple[Term, Term], bool] = {}

    def is_part(self, small: Term, large: Term) -> bool:
        """Is every instance of `small` equal to the instance of `large`, or a part of it?"""
        if small is large or self.is_proper_part(small, large) or self._is_part_by_part(small, large):
            return True
        if _joins(large.op):
            if _is_taken_from(small, large):
                return True
            return any(self.is_part(small, part) for part in large.args)
        return False

    def is_proper_part(self, small: Term, large: Term) -> bool:
        """Is every instance of `small` a part of the instance of `large`, and another term?"""
        key = (small, large)
        found = self._proper.get(key)
        if found is None:
            found = self._proper[key] = self._is_proper(small, large)
        return found

    def _is_proper(self, small: Term, large: Term) -> bool:
        if small is large or large.op.variable:
            return False
        if any(self.is_proper_part(small, part) for part in large.args):
            return True
        if self._is_part_by_part(small, large):
            return any(self.is_proper_part(a, b) for a, b in zip(small.args, large.args, strict=True))
        if not _joins(large.op):
            return any(self.is_part(small, part) for part in large.args)
        if _is_split(large.op):
            return False
        return _is_taken_from(small, large) and any(
            not self.may_be_identity(part, large.op) for part in _rest(small, large)
        )

    def _is_part_by_part(self, small: Term, large: Term) -> bool:
        """Has the same operator, which no equation rewrites, parts of the arguments on one side?"""
        op = large.op
        if self._rewritten is None or op.variable or small.op is not op or op.has_theory or _is_split(op):
            return False
        if not op.decls or op.native is not None or op in self._rewritten:
            return False
        return all(self.is_part(a, b) for a, b in zip(small.args, large.args, strict=True))

    def may_be_identity(self, part: Term, op: Symbol) -> bool:
        """May an instance of this argument be the identity of the operator, that is nothing?"""
        identity = op.identity
        if identity is None:
            return False
        if part.op.variable:
            return self.order.leq(identity.sort, part.sort)
        return part is identity or part.op.identity is not None

    # --- multisets

    def is_smaller(self, small: Bag, large: Bag) -> bool:
        """Is the first multiset properly below the second one, in the multiset extension of being a part?"""
        less, more = without_common(small, large)
        return bool(more) and all(any(self.is_proper_part(a, b) for b in more) for a in less)

    def is_not_larger(self, small: Bag, large: Bag) -> bool:
        less, more = without_common(small, large)
        if not less or self.is_smaller(small, large):
            return True
        if len(less) > len(more):
            return False
        first, *others = less
        return any(
            self.is_part(first, part) and self.is_not_larger(tuple(others), more[:place] + more[place + 1 :])
            for place, part in enumerate(more)
        )


def _joins(op: Symbol) -> bool:
    """May a term with this operator be one of its own arguments, or have parts that are no subterms?"""
    return op.assoc or op.identity is not None or _is_split(op)


def _is_split(op: Symbol) -> bool:
    """Has the operator another theory for arguments of other sorts?"""
    return op.lower is not None or op.upper is not None


def _elements(op: Symbol, term: Term) -> Bag:
    return term.args if term.op is op and op.assoc else (term,)


def _is_taken_from(small: Term, large: Term) -> bool:
    """Is `small` made of some of the arguments of `large`, of neighbours if their order counts?"""
    taken = _elements(large.op, small)
    if large.op.comm:
        return not Counter(taken) - Counter(large.args)
    size = len(taken)
    return any(large.args[start : start + size] == taken for start in range(len(large.args) - size + 1))


def _rest(small: Term, large: Term) -> list[Term]:
    left = Counter(large.args)
    left.subtract(_elements(large.op, small))
    return list(left.elements())


def without_common(small: Bag, large: Bag) -> tuple[Bag, Bag]:
    """What each multiset has beyond the other."""
    common = Counter(small) & Counter(large)
    return tuple((Counter(small) - common).elements()), tuple((Counter(large) - common).elements())

"""A lexicographic path order that all calls of a cycle go down in, with a precedence found by backtracking.

Arguments of calls may be evaluated before the call goes on, so the equations of the functions in these arguments must
not go up in the same order. Operators with an equational theory or with a built-in meaning are not compared by this
order; if there is one, nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from otsrw.soundness.calls import Call
from otsrw.soundness.descent import without_common
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.terms import LiteralTerm, Symbol, Term

MAX_STEPS = 20_000
"""Comparisons of terms that are made for one cycle."""

Head = tuple[object, bool]
"""An operator or a literal, and whether it stands on top of a call: then it has a place of its own."""
Precedence = frozenset[tuple[Head, Head]]
"""Pairs of greater and smaller, closed under transitivity."""


class _GaveUp(Exception):
    pass


class _Order:
    """Compares terms; every comparison yields the precedences that make it true, each an extension of a given one."""

    def __init__(self) -> None:
        self.steps = 0

    def greater(self, left: Term, right: Term, given: Precedence, on_top: bool = False) -> Iterator[Precedence]:
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise _GaveUp
        if left.op.variable:
            return
        if not on_top:
            for arg in _args(left):
                if arg is right:
                    yield given
                    return
            if right.op.variable:
                if any(part is right for part in _parts(left)):
                    yield given
                return
        heads = _head(left, on_top), _head(right, on_top)
        if heads[0] == heads[1]:
            compare = self._as_multisets if left.op.comm else self._lexicographic
            yield from compare(left, _args(left), _args(right), given)
        elif (more := _extended(given, heads)) is not None:
            yield from self._above_all(left, _args(right), more)
        if not on_top:
            for arg in _args(left):
                yield from self.greater(arg, right, given)

    def _above_all(self, left: Term, rest: Sequence[Term], given: Precedence) -> Iterator[Precedence]:
        if not rest:
            yield given
            return
        for more in self.greater(left, rest[0], given):
            yield from self._above_all(left, rest[1:], more)

    def _lexicographic(
        self, left: Term, ours: Sequence[Term], theirs: Sequence[Term], given: Precedence
    ) -> Iterator[Precedence]:
        for mine, other in zip(ours, theirs, strict=True):
            if mine is other:
                continue
            for more in self.greater(mine, other, given):
                yield from self._above_all(left, theirs, more)
            return

    def _as_multisets(
        self, left: Term, ours: Sequence[Term], theirs: Sequence[Term], given: Precedence
    ) -> Iterator[Precedence]:
        less, more = without_common(tuple(theirs), tuple(ours))
        if not more:
            return
        for chosen in product(more, repeat=len(less)):
            pairs = [(large, small, False) for large, small in zip(chosen, less, strict=True)]
            for found in self.all_hold(pairs, given):
                yield from self._above_all(left, theirs, found)

    def all_hold(self, pairs: Sequence[tuple[Term, Term, bool]], given: Precedence) -> Iterator[Precedence]:
        """Precedences under which every left side is greater; the flag says that the pair is a call."""
        if not pairs:
            yield given
            return
        left, right, is_call = pairs[0]
        for more in self.greater(left, right, given, is_call):
            yield from self.all_hold(pairs[1:], more)


def _head(term: Term, on_top: bool) -> Head:
    return (term.value if isinstance(term, LiteralTerm) else term.op), on_top


def _extended(given: Precedence, pair: tuple[Head, Head]) -> Precedence | None:
    """The precedence with one pair more; None if it would go round."""
    if pair in given:
        return given
    high, low = pair
    above = {a for a, b in given if b == high} | {high}
    below = {b for a, b in given if a == low} | {low}
    if above & below:
        return None
    return given | {(a, b) for a in above for b in below}


def is_ordered(calls: Sequence[Call], rules: Mapping[Symbol, Sequence[Axiom]]) -> bool:
    """Is there a path order in which every call of the cycle is smaller than its equation's left side?"""
    usable = [rule for rule in _usable(calls, rules) if rule.lhs is not rule.rhs]
    terms = [t for call in calls for t in (*call.left.args, *call.right.args)]
    terms += [side for rule in usable for side in (rule.lhs, rule.rhs)]
    if not all(_is_plain(part.op) for term in terms for part in _parts(term)):
        return False
    if any(_has_more_than_swapping(op) for call in calls for op in (call.left.op, call.right.op)):
        return False
    pairs = [(call.left, call.right, True) for call in calls] + [(rule.lhs, rule.rhs, False) for rule in usable]
    try:
        return next(_Order().all_hold(pairs, frozenset()), None) is not None
    except _GaveUp:
        return False


def _args(term: Term) -> tuple[Term, ...]:
    """The arguments that are compared: the value of a conditional is one of its branches."""
    return term.args[1:] if term.op.native is Builtin.IF else term.args


def _parts(term: Term) -> Iterator[Term]:
    todo = [term]
    while todo:
        current = todo.pop()
        yield current
        todo += _args(current)


def _has_more_than_swapping(op: Symbol) -> bool:
    return op.assoc or op.idem or op.identity is not None or op.lower is not None or op.upper is not None


def _is_plain(op: Symbol) -> bool:
    return not _has_more_than_swapping(op) and (op.native is None or op.native is Builtin.IF)


def _usable(calls: Sequence[Call], rules: Mapping[Symbol, Sequence[Axiom]]) -> list[Axiom]:
    """The equations that may rewrite an argument of a call."""
    todo = [part.op for call in calls for arg in call.right.args for part in _parts(arg)]
    seen: set[Symbol] = set()
    found: list[Axiom] = []
    while todo:
        symbol = todo.pop()
        if symbol in seen:
            continue
        seen.add(symbol)
        for rule in rules.get(symbol, ()):
            found.append(rule)
            todo += [part.op for part in _parts(rule.rhs)]
    return found

"""Equations between two bags or two lists: which elements and which rests are the same.

`(a , X) = (b , Y)` between bags holds if a and b are the same and so are X and Y, or if a is in Y: then Y is `(a , Z)`,
and X is `(b , Z)`, for some Z. Lists are compared from their ends.
"""

from __future__ import annotations

from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.workbench import Why, Workbench
from otsrw.records import NamedTuple
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Symbol, Term

Ways = tuple[tuple[Assumed, ...], ...]


class _Sides(NamedTuple):
    """The parts of two collections that are equal."""

    left: tuple[Term, ...]
    right: tuple[Term, ...]


def ways_to_be_equal(assumptions: Assumptions) -> Ways:
    """In which ways an assumed equation between two collections can hold; nothing if there is none to take apart.

    Every model in which the equation holds agrees with one of them, for some values of the fresh constants.
    """
    true = assumptions.bench.connectives.true
    for equation in assumptions.equations:
        if equation.why is Why.CONDITION:
            continue  # memberships stand for it
        if equation.right is true and equation.left.op.native is Builtin.EQUALS:
            ways = _CollectionEquation.between(equation.left, assumptions.bench)
            if ways and not any(_is_known(way, assumptions) for way in ways):
                return ways
    return ()


def _is_known(way: tuple[Assumed, ...], assumptions: Assumptions) -> bool:
    true = assumptions.bench.connectives.true
    return all(assumptions.reduce(each.formula) is true for each in way)


class _CollectionEquation:
    """An equation between values that one constructor of collections builds."""

    def __init__(self, op: Symbol, bench: Workbench) -> None:
        self._op = op
        self._bench = bench

    @classmethod
    def between(cls, atom: Term, bench: Workbench) -> Ways:
        """The ways in which two collections can be equal; nothing if these are no collections, or nothing is known."""
        for side in atom.args:
            op = side.op
            if bench.constructors.collects(op) and not op.idem:
                self = cls(op, bench)
                sides = _Sides(self._parts(atom.args[0]), self._parts(atom.args[1]))
                return self._of_bags(sides) if op.comm else self._of_lists(sides)
        return ()

    def _parts(self, term: Term) -> tuple[Term, ...]:
        if term is self._op.identity:
            return ()
        return term.args if term.op is self._op else (term,)

    def _is_single(self, term: Term) -> bool:
        return self._bench.constructors.is_single(term, self._op)

    def _same(self, left: tuple[Term, ...], right: tuple[Term, ...]) -> Assumed:
        return Assumed(self._bench.connectives.equal(self._joined(left), self._joined(right)), True)

    def _joined(self, parts: tuple[Term, ...]) -> Term:
        if not parts:
            assert self._op.identity is not None
            return self._op.identity
        return parts[0] if len(parts) == 1 else self._op.make(parts)

    def _fresh(self) -> Term:
        return self._bench.part(self._op.decls[0].coarity)

    # --- bags

    def _of_bags(self, sides: _Sides) -> Ways:
        left, right = list(sides.left), list(sides.right)
        for part in sides.left:
            if part in right:
                left.remove(part)
                right.remove(part)
        found = [(part, side) for side in (left, right) for part in side if self._is_single(part)]
        if not found:
            return ((self._same(tuple(left), tuple(right)),),) if len(left) < len(sides.left) else ()
        element, side = min(found, key=lambda each: size_and_text(each[0]))
        return self._ways_of(element, _without(side, element), tuple(right if side is left else left))

    def _ways_of(self, element: Term, rest: tuple[Term, ...], others: tuple[Term, ...]) -> Ways:
        """The element is one of the others, or in one of them."""
        ways = []
        for other in dict.fromkeys(others):
            left = _without(list(others), other)
            if self._is_single(other):
                same = Assumed(self._bench.connectives.equal(element, other), True)
                ways.append((same, self._same(rest, left)))
            else:
                more = self._fresh()
                ways.append((self._same((other,), (element, more)), self._same(rest, (more, *left))))
        return tuple(ways)

    # --- lists

    def _of_lists(self, sides: _Sides) -> Ways:
        """What the first parts say, or else the last ones."""
        if not sides.left or not sides.right:
            return ()
        for end in (0, -1):
            ways = self._at_end(sides.left, sides.right, end) or self._at_end(sides.right, sides.left, end)
            if ways:
                return ways
        return ()

    def _at_end(self, left: tuple[Term, ...], right: tuple[Term, ...], end: int) -> Ways:
        """If the left side has an element at this end, the right one has it there, too."""
        element, other = left[end], right[end]
        shorter, remaining = _shorter(left, end), _shorter(right, end)
        if element is other:
            return ((self._same(shorter, remaining),),)
        if not self._is_single(element):
            return ()
        if self._is_single(other):
            same = Assumed(self._bench.connectives.equal(element, other), True)
            return ((same, self._same(shorter, remaining)),)
        more = self._fresh()
        begins = (element, more) if end == 0 else (more, element)
        grown = (more, *remaining) if end == 0 else (*remaining, more)
        return (
            (self._same((other,), ()), self._same(left, remaining)),
            (self._same((other,), begins), self._same(shorter, grown)),
        )


def _without(parts: list[Term], part: Term) -> tuple[Term, ...]:
    left = list(parts)
    left.remove(part)
    return tuple(left)


def _shorter(parts: tuple[Term, ...], end: int) -> tuple[Term, ...]:
    return parts[1:] if end == 0 else parts[:-1]

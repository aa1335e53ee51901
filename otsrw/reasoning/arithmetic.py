"""Linear arithmetic over the built-in numbers of NAT and INT: decides comparisons under the assumptions of a case.

A term of sort `Int`, `Nat` or below is a sum of multiples of unknowns; what is not `+`, `-`, `s`, `p`, `sd` or a
product with a number is an unknown itself. `p N` has a value only where N is not 0: a comparison that mentions it is
used only once the assumptions imply that. Terms of error sorts, rational numbers and floats are left alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.reasoning.integers import COMPARISONS, SUMS, Integers
from otsrw.reasoning.linear import Constraint, LinearSum, Relation, is_refuted, related
from otsrw.reasoning.workbench import Equation
from otsrw.records import dataclass
from otsrw.theory.builtins import Builtin
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, Term, literal_of, subterms

MAX_CONSTRAINTS = 60
"""Constraints of one question; what is beyond is left out."""

_LESS, _LESS_EQUAL, _GREATER = Builtin.LESS, Builtin.LESS_EQUAL, Builtin.GREATER
_EQUALS = Builtin.EQUALS
_PREDECESSOR = Builtin.PREDECESSOR
_DISTANCE = Builtin.DISTANCE


@dataclass(frozen=True, eq=False, slots=True)
class _Partial:
    """An unknown that is equal to a sum if the guard holds; without a guard that is shown it may have no value."""

    unknown: int
    definition: LinearSum
    guard: Constraint
    is_doubtful: bool


class ArithmeticCase:
    """What some equations say about integers, and what follows from it."""

    def __init__(self, integers: Integers, equations: Iterable[Equation], true: Term, false: Term) -> None:
        self.integers = integers
        self._true, self._false = true, false
        self._unknowns: dict[Term, int] = {}
        self._partials: list[_Partial] = []
        self._constraints: list[Constraint] = []
        self._signs: list[Constraint] = []
        for equation in equations:
            said = self._said(equation)
            if said is not None and len(self._constraints) < MAX_CONSTRAINTS:
                self._constraints.append(said)

    def decide(self, atom: Term) -> bool | None:
        """Is the comparison true, or false, in every case of the equations? None if that is not known."""
        claim = self._comparison(atom)
        if claim is None:
            return None
        links = [frozenset((p.unknown, *p.definition.parts)) for p in self._partials]
        known = related([*self._constraints, *self._signs], claim.sum.parts, links)
        usable, doubtful = self._usable(known)
        if not doubtful.isdisjoint(claim.sum.parts):
            return None
        if is_refuted([*usable, claim.negated()]):
            return True
        return False if is_refuted([*usable, claim]) else None

    def simplified(self, term: Term) -> Term | None:
        """A smaller term with the same value, whatever the unknowns are; None if there is none."""
        if term.op.native not in SUMS:
            return None
        total = self._sum(term)
        if total is None or any(p.is_doubtful for p in self._partials if p.unknown in total.parts):
            return None
        if any(part.op.native is _PREDECESSOR for part in subterms(term)):
            return None
        result = self._written(total)
        return result if result is not None and _size(result) < _size(term) else None

    # --- constraints

    def _said(self, equation: Equation) -> Constraint | None:
        left, right = equation.left, equation.right
        if not left.ground or not right.ground:
            return None
        if right is self._true or right is self._false:
            claim = self._comparison(left)
            return claim if claim is None or right is self._true else claim.negated()
        if not self.integers.is_integer(left.sort):
            return None
        return self._difference(left, right, Relation.ZERO)

    def _comparison(self, atom: Term) -> Constraint | None:
        native = atom.op.native
        if native not in COMPARISONS or not self.integers.may_compare(atom):
            return None
        left, right = atom.args
        if native is _EQUALS:
            return self._difference(left, right, Relation.ZERO)
        if native is _LESS or native is _LESS_EQUAL:
            left, right = right, left
        found = self._difference(left, right, Relation.NOT_NEGATIVE)
        if found is not None and (native is _LESS or native is _GREATER):
            return Constraint(found.sum.plus(-1), Relation.NOT_NEGATIVE)
        return found

    def _difference(self, left: Term, right: Term, relation: Relation) -> Constraint | None:
        first, second = self._sum(left), self._sum(right)
        return None if first is None or second is None else Constraint(first - second, relation)

    def _usable(self, known: list[Constraint]) -> tuple[list[Constraint], set[int]]:
        """The constraints about unknowns that have a value, with definitions whose guard holds; and the others."""
        doubtful = {p.unknown for p in self._partials if p.is_doubtful}
        added: list[Constraint] = []
        todo = list(self._partials)
        while True:
            usable = [c for c in [*known, *added] if doubtful.isdisjoint(c.sum.parts)]
            shown = [
                p for p in todo if doubtful.isdisjoint(p.guard.sum.parts) and is_refuted([*usable, p.guard.negated()])
            ]
            if not shown:
                return usable, doubtful
            for p in shown:
                todo.remove(p)
                doubtful.discard(p.unknown)
                added.append(Constraint(LinearSum({p.unknown: 1}) - p.definition, Relation.ZERO))

    # --- terms

    def _sum(self, term: Term) -> LinearSum | None:
        """The term as a sum; None if it is no integer."""
        if isinstance(term, LiteralTerm):
            return LinearSum({}, term.value) if isinstance(term.value, int) else None
        native = term.op.native
        if native in SUMS:
            return self._of_parts(term)
        if native is _PREDECESSOR:
            return self._predecessor(term)
        if not self.integers.is_integer(term.sort):
            return None
        return self._distance(term) if native is _DISTANCE else self._unknown(term)

    def _of_parts(self, term: Term) -> LinearSum | None:
        parts = [self._sum(arg) for arg in term.args]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        native = term.op.native
        if native is Builtin.SUCCESSOR:
            return known[0].plus(1)
        if native is Builtin.NEGATE:
            return known[0].times(-1)
        if native is Builtin.MINUS:
            return known[0] - known[1]
        if native is Builtin.TIMES:
            return self._product(term, known)
        total = LinearSum({})
        for part in known:
            total = total + part
        return total

    def _product(self, term: Term, factors: list[LinearSum]) -> LinearSum | None:
        result = LinearSum({}, 1)
        for factor in sorted(factors, key=lambda f: bool(f.parts)):
            if result.parts:
                return self._unknown(term) if self.integers.is_integer(term.sort) else None
            result = factor.times(result.constant)
        return result

    def _unknown(self, term: Term) -> LinearSum:
        number = self._unknowns.get(term)
        if number is None:
            number = self._unknowns[term] = len(self._unknowns)
            self._add_sign(number, term.sort)
        return LinearSum({number: 1})

    def _add_sign(self, number: int, sort: Sort) -> None:
        itself = LinearSum({number: 1})
        if self.integers.is_below(sort, "Zero"):
            self._signs.append(Constraint(itself, Relation.ZERO))
        elif self.integers.is_below(sort, "NzNat"):
            self._signs.append(Constraint(itself.plus(-1), Relation.NOT_NEGATIVE))
        elif self.integers.is_below(sort, "Nat"):
            self._signs.append(Constraint(itself, Relation.NOT_NEGATIVE))
        elif self.integers.is_below(sort, "NzInt"):
            self._signs.append(Constraint(itself, Relation.NONZERO))

    def _predecessor(self, term: Term) -> LinearSum | None:
        argument = self._sum(term.args[0])
        if argument is None:
            return None
        is_new = term not in self._unknowns
        result = self._unknown(term)
        if is_new:
            guard = Constraint(argument.plus(-1), Relation.NOT_NEGATIVE)
            doubtful = not self.integers.is_integer(term.sort)
            self._partials.append(_Partial(self._unknowns[term], argument.plus(-1), guard, doubtful))
        return result

    def _distance(self, term: Term) -> LinearSum:
        """`sd(M,N)`, the difference without its sign."""
        is_new = term not in self._unknowns
        result = self._unknown(term)
        first, second = (self._sum(arg) for arg in term.args)
        if is_new and first is not None and second is not None:
            for difference in (first - second, second - first):
                self._signs.append(Constraint(result - difference, Relation.NOT_NEGATIVE))
                guard = Constraint(difference, Relation.NOT_NEGATIVE)
                self._partials.append(_Partial(self._unknowns[term], difference, guard, False))
        return result

    def _written(self, total: LinearSum) -> Term | None:
        """The sum as a term, if it needs no multiples and its operators are there."""
        terms = {number: term for term, number in self._unknowns.items()}
        parts: list[Term] = []
        for number, factor in total.parts.items():
            if factor == -1 and Builtin.NEGATE in self.integers.symbols:
                parts.append(self.integers.symbols[Builtin.NEGATE].make((terms[number],)))
            elif factor == 1:
                parts.append(terms[number])
            else:
                return None
        if total.constant or not parts:
            if total.constant < 0 and Builtin.NEGATE not in self.integers.symbols:
                return None
            parts.append(literal_of(total.constant))
        return parts[0] if len(parts) == 1 else self.integers.symbols[Builtin.ADD].make(tuple(parts))


def reasons(
    integers: Integers, equations: tuple[Equation, ...], atom: Term, truth: tuple[Term, Term]
) -> tuple[Equation, ...] | None:
    """As few of the equations as decide the comparison; None if all together do not."""
    value = ArithmeticCase(integers, equations, *truth).decide(atom)
    if value is None:
        return None
    kept = equations
    for equation in equations:
        fewer = tuple(each for each in kept if each is not equation)
        if ArithmeticCase(integers, fewer, *truth).decide(atom) is value:
            kept = fewer
    return kept


def _size(term: Term) -> int:
    return sum(1 for _ in subterms(term))

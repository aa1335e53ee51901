"""May a gap of a function be met? Where the function is used, guards may exclude it.

`top(nil)` has no value. That is no harm if every equation of the cone that mentions `top(Q)` does so where `Q` is not
`nil`: under a condition, in a branch of an `if`, beside a conjunct that is false for `nil`. Then neither a value of the
system nor the truth of a predicate depends on what `top(nil)` may be.
"""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.reasoning import Assumed, Assumptions
from otsrw.soundness.cone import Cone
from otsrw.soundness.coverage import CLOSED, Coverage, Gap
from otsrw.soundness.domains import Difference, Guard, PartialUse
from otsrw.soundness.rows import by_value
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Symbol, Term, subterms, symbols_of, variables_of

_CONJUNCTIONS = frozenset((Builtin.AND, Builtin.AND_ALSO))
_DISJUNCTIONS = frozenset((Builtin.OR, Builtin.OR_ELSE))


def implied(term: Term, place: int) -> list[Guard]:
    """What may be taken for granted in an argument: otherwise the whole does not depend on it."""
    native, args = term.op.native, term.args
    if native is Builtin.IF and place > 0:
        return [(args[0], place == 1)]
    if native in _CONJUNCTIONS or native in _DISJUNCTIONS:
        return [(arg, native in _CONJUNCTIONS) for number, arg in enumerate(args) if number != place]
    if native is Builtin.IMPLIES:
        return [(args[0], True)] if place == 1 else [(args[1], False)]
    return []


class Occurrences:
    """Looks at all uses of a function in the equations of a cone."""

    def __init__(self, cone: Cone, coverage: Coverage) -> None:
        self.cone = cone
        self.coverage = coverage
        self.free = coverage.values.builders - cone.rules.keys()

    def met(self, symbol: Symbol) -> list[PartialUse] | None:
        """The uses of a function that guards do not keep out of its gaps; None if nobody knows which they are."""
        gaps = None if symbol.assoc else self.coverage.gaps(symbol)
        if gaps is None or any(not self._is_plain(gap) for gap in gaps):
            return None
        return [
            PartialUse(symbol, axiom, guards, self._differences(use, gap))
            for axiom in self.cone.equations
            for use, guards in self._uses(symbol, axiom)
            for gap in gaps
            if not self._is_outside(use, guards, gap)
        ]

    def _differences(self, use: Term, gap: Gap) -> tuple[Difference, ...]:
        """The arguments that the gap says something of, with their values there; nothing if it says more than that."""
        known = [(arg, value) for arg, value in zip(use.args, gap.term.args, strict=True) if not self._is_any(value)]
        unknown = any(self._is_any(part) for _, value in known for part in subterms(value))
        return () if gap.conditions or unknown else tuple(known)

    def _is_any(self, value: Term) -> bool:
        """Does a constant stand for any value?"""
        return self.coverage.bench.is_constant(value)

    def _is_plain(self, gap: Gap) -> bool:
        return not any(op in self.coverage.syntactic for c in gap.conditions for op in symbols_of(c))

    def _uses(self, symbol: Symbol, axiom: Axiom) -> Iterator[tuple[Term, tuple[Guard, ...]]]:
        """The applications of the function in an equation, with what is known where they stand."""
        condition = axiom.condition
        known: tuple[Guard, ...] = () if condition is None else ((condition, True),)
        for arg in axiom.lhs.args:
            yield from self._inside(symbol, arg, known)
        yield from self._inside(symbol, axiom.rhs, known)
        if condition is not None:
            yield from self._inside(symbol, condition, ())

    def _inside(
        self, symbol: Symbol, term: Term, guards: tuple[Guard, ...]
    ) -> Iterator[tuple[Term, tuple[Guard, ...]]]:
        for place, arg in enumerate(term.args):
            yield from self._inside(symbol, arg, (*guards, *implied(term, place)))
        if term.op is symbol:
            yield term, guards

    def _is_outside(self, use: Term, guards: tuple[Guard, ...], gap: Gap) -> bool:
        """Can the arguments of a use not be those of the gap, where the guards hold?"""
        if any(self._clash(arg, missing) for arg, missing in zip(use.args, gap.term.args, strict=True)):
            return True
        usable = [
            (by_value(formula, self.cone.connectives), holds)
            for formula, holds in guards
            if not any(op in self.coverage.syntactic for op in symbols_of(formula))
        ]
        bindings = self._bound(use, gap)
        used = [gap.term, *gap.conditions]
        for place in dict.fromkeys(v for t in (use, *(g for g, _ in usable)) for v in variables_of(t)):
            if place not in bindings:
                bindings[place] = self.coverage.fresh(place.sort, used)
                used.append(bindings[place])
        equal = self.cone.connectives.equal
        pairs = [(substitute(arg, bindings), missing) for arg, missing in zip(use.args, gap.term.args, strict=True)]
        known = [Assumed(equal(arg, missing), True) for arg, missing in pairs if arg is not missing]
        known += [Assumed(substitute(formula, bindings), holds) for formula, holds in usable]
        known += [Assumed(condition, False) for condition in gap.conditions]
        return self._is_impossible(known)

    def _bound(self, use: Term, gap: Gap) -> dict[Term, Term]:
        """The variables of a use that are arguments themselves, with the arguments of the gap."""
        order = self.cone.module.signature.order
        found: dict[Term, Term] = {}
        for arg, missing in zip(use.args, gap.term.args, strict=True):
            if arg.op.variable and order.leq(missing.sort, arg.sort):
                found.setdefault(arg, missing)
        return found

    def _is_impossible(self, known: list[Assumed]) -> bool:
        bench = self.coverage.bench
        try:
            start = Assumptions(bench).assuming(known)
            leaves = self.coverage.splitter.leaves(bench, self.cone.connectives.false, start)
            return all(leaf.outcome in CLOSED for leaf in leaves)
        except OtsrwError:
            return False

    def _clash(self, term: Term, missing: Term) -> bool:
        """Are these built by different operators that no equation rewrites?"""
        todo = [(term, missing)]
        while todo:
            one, other = todo.pop()
            if not {one.op, other.op} <= self.free or one.op.has_theory or other.op.has_theory:
                continue
            if one.op is not other.op:
                return True
            todo += zip(one.args, other.args, strict=True)
        return False

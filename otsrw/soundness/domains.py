"""State predicates that keep terms in their domain: `p count(S)` needs `not (count(S) = 0)` wherever it is evaluated.

A gap that no guard excludes may still be met in no reachable state. For a use in an equation about one state S, under
guards G, that is the state predicate `G implies not (argument = missing value)`. Are all these predicates invariants,
then no reachable state asks for a missing value.

Why they may be proved by the same simultaneous induction as the property: give every missing value some value, of the
sort that the operator promises. In the system completed in this way all functions are total and all equations hold,
since none has the operator inside of its left side. So the induction is valid there, whatever values were chosen, and
no reachable state of it asks for a chosen value. So, step by step, its reachable states have the same observations as
those of the system itself, and the property means the same. That needs guards whose own evaluation asks for no missing
value: others are not used, nor is a guard that depends on the equation itself at the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from otsrw.records import dataclass, replace
from otsrw.soundness.cone import Cone
from otsrw.soundness.obligations import DomainClaim, Obligation, Status
from otsrw.soundness.rows import by_value
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, subterms, symbols_of, variable, variables_of

_ALL = frozenset((Builtin.AND, Builtin.AND_ALSO, Builtin.CONJUNCTION))
_ANY = frozenset((Builtin.OR, Builtin.OR_ELSE))

Guard = tuple[Term, bool]
"""A formula that is known to hold, or not to."""
Difference = tuple[Term, Term]
"""An argument, and the value that it must not have: a ground constructor term."""


@dataclass(frozen=True, eq=False, slots=True)
class PartialUse:
    """A use of a partial operator that its guards do not keep in its domain."""

    operator: Symbol
    axiom: Axiom
    guards: tuple[Guard, ...]
    gap: tuple[Difference, ...]
    """It may have no value where all of these arguments are what they must not be together: one at least."""


class DomainClaims:
    """Says of which state predicates it follows that uses of partial operators have a value."""

    def __init__(self, cone: Cone, syntactic: frozenset[Symbol], may_lack_value: Callable[[Term], bool]) -> None:
        self.cone = cone
        self.syntactic = syntactic
        self.may_lack_value = may_lack_value
        """Is the term, whatever its arguments are, perhaps without a value?"""

    def of_all(self, uses: Iterable[PartialUse]) -> tuple[DomainClaim, ...]:
        """One claim for each use; nothing if one of them cannot be claimed."""
        found: dict[tuple[object, ...], DomainClaim] = {}
        for use in uses:
            claim = self._of(use)
            if claim is None:
                return ()
            found.setdefault((claim.parameters, claim.formula), claim)
        return tuple(found.values())

    def _of(self, use: PartialUse) -> DomainClaim | None:
        state = self._state(use.axiom)
        if state is None or not use.gap or not self._looks_back or self._is_constrained(use.operator):
            return None
        if not all(self._is_total(arg, use.axiom, state) for arg, _ in use.gap):
            return None
        connectives = self.cone.connectives
        conjuncts = [part for guard in use.guards for part in self._conjuncts(*guard)]
        kept = [part for part in dict.fromkeys(conjuncts) if self._is_total(part, use.axiom, state)]
        met = self._joined([connectives.equal(arg, missing) for arg, missing in use.gap])
        never = connectives.negate(met)
        formula = connectives.symbol(Builtin.IMPLIES).make((self._joined(kept), never)) if kept else never
        return self._about(state, formula)

    def _about(self, state: Term, formula: Term) -> DomainClaim | None:
        """The formula over the state variable of the system, whose name no parameter has."""
        assert self.cone.ots is not None
        own = self.cone.ots.state
        others = [place for place in variables_of(formula) if place is not state]
        taken = {own.op.name}
        images = {state: own}
        for place in others:
            name, number = place.op.name, 0
            while name in taken:
                number += 1
                name = f"{place.op.name}{number}"
            taken.add(name)
            images[place] = variable(name, place.sort)
        return DomainClaim(tuple(images[place] for place in others), substitute(formula, images))

    def _state(self, axiom: Axiom) -> Term | None:
        """The state that an equation is about: its one variable for a state; None if it is about none, or several."""
        found = [place for place in variables_of(axiom.lhs) if self._is_state(place.sort)]
        return found[0] if len(found) == 1 else None

    def _is_state(self, sort: Sort) -> bool:
        return self.cone.ots is not None and sort is self.cone.ots.sort

    def _conjuncts(self, formula: Term, holds: bool) -> Iterable[Term]:
        """What a guard says, in parts that each hold."""
        formula = by_value(formula, self.cone.connectives)
        native = formula.op.native
        if native is Builtin.NOT:
            yield from self._conjuncts(formula.args[0], not holds)
        elif native in (_ALL if holds else _ANY):
            for arg in formula.args:
                yield from self._conjuncts(arg, holds)
        else:
            yield formula if holds else self.cone.connectives.negate(formula)

    def _joined(self, terms: list[Term]) -> Term:
        result = terms[-1]
        for term in reversed(terms[:-1]):
            result = self.cone.connectives.symbol(Builtin.AND).make((term, result))
        return result

    def _is_constrained(self, operator: Symbol) -> bool:
        """Does a left side speak of values of the operator, so that missing ones may not be any?"""
        tables = (self.cone.functions, self.cone.outside)
        sides = (axiom.lhs for table in tables for own in table.values() for axiom in own)
        return any(part.op is operator for side in sides for arg in side.args for part in subterms(arg))

    # --- whose evaluation asks for no missing value

    def _is_total(self, term: Term, axiom: Axiom, state: Term) -> bool:
        """Is the term about this state and variables of the equation, and evaluated without the equation?"""
        known = variables_of(axiom.lhs)
        if any(place not in known for place in variables_of(term)) or not self._is_about(term, state):
            return False
        seen: set[Symbol] = set()
        todo = list(symbols_of(term))
        while todo:
            symbol = todo.pop()
            if symbol in seen:
                continue
            seen.add(symbol)
            if symbol in self.syntactic:
                return False
            for other in self.cone.functions.get(symbol, ()):
                if not self._is_earlier(other):
                    sides = [side for side in (other.rhs, other.condition) if side is not None]
                    if other is axiom or not all(map(self._mentions_only_variables, sides)):
                        return False
                    todo += [op for side in sides for op in symbols_of(side)]
        return True

    def _is_about(self, term: Term, state: Term) -> bool:
        """Does the term look at no other state, and use no operator that may lack a value?"""
        parts = list(subterms(term))
        return all(part is state for part in parts if self._is_state(part.sort)) and not any(
            self.may_lack_value(part) for part in parts
        )

    @cached_property
    def _looks_back(self) -> bool:
        """Does every observation after a step depend on that state and those before it alone?"""
        for axiom in self.cone.equations:
            known = {part for arg in axiom.lhs.args if self._is_state(arg.sort) for part in subterms(arg)}
            sides = [side for side in (axiom.rhs, axiom.condition) if side is not None]
            looked_at = {part for side in sides for part in subterms(side) if self._is_state(part.sort)}
            if self._is_earlier(axiom) and not looked_at <= known:
                return False
        return True

    def _is_earlier(self, axiom: Axiom) -> bool:
        """Does the equation say what is observed after a step, or initially, from what was observed before?"""
        return any(self._is_state(arg.sort) and not arg.op.variable for arg in axiom.lhs.args)

    def _mentions_only_variables(self, side: Term) -> bool:
        """Does the side of an equation look at the state of its left side alone?"""
        return all(part.op.variable for part in subterms(side) if self._is_state(part.sort))


def settled(obligation: Obligation, proved: Mapping[str, DomainClaim]) -> Obligation:
    """A claim about partial operators as proved, if all state predicates are that it needs; those proved have names."""
    if obligation.status is Status.PROVED or not obligation.claims:
        return obligation
    known = [name for name, each in proved.items() if any(_is_same(each, claim) for claim in obligation.claims)]
    if not all(any(_is_same(proved[name], claim) for name in known) for claim in obligation.claims):
        return obligation
    evidence = f"no reachable state asks for a missing value, by {', '.join(known)}"
    return replace(obligation, status=Status.PROVED, witness="", missing="", hint="", evidence=evidence)


def _is_same(one: DomainClaim, other: DomainClaim) -> bool:
    """Do they differ in the names of their parameters at most?"""
    if [place.sort for place in one.parameters] != [place.sort for place in other.parameters]:
        return False
    return substitute(one.formula, dict(zip(one.parameters, other.parameters, strict=True))) is other.formula

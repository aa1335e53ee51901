"""How many steps it takes at least until an observer has a value of some shape, if values once seen are never lost.

A fact says that an observer has a value, or an element, with some constructor on top, whatever its indexes are. The
facts of some states cost nothing. A step costs one more than the dearest fact that its effective condition needs.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.ots.formulas import unfold
from otsrw.ots.instance import Instance
from otsrw.ots.model import Transition
from otsrw.ots.stepping import Values
from otsrw.reasoning.connectives import Literal
from otsrw.records import NamedTuple
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.terms import Symbol, Term, subterms

UNSEEN = 4
"""What a fact costs that no step leads to, and one about a fresh value."""


class RelaxedFact(NamedTuple):
    """An observer and the constructor on top of its value or of an element of it."""

    observer: Symbol
    constructor: Symbol


class _RelaxedStep(NamedTuple):
    """What a transition needs in one case of its condition, and what it may bring about."""

    needs: frozenset[RelaxedFact]
    brings: frozenset[RelaxedFact]


class RelaxedCosts:
    """Costs of facts, from the states of an instance on."""

    def __init__(self, instance: Instance, states: Iterable[Values]) -> None:
        self._instance = instance
        self._ots = instance.ots
        columns = [dict.fromkeys(values) for values in zip(*states, strict=True)]
        self._costs: dict[RelaxedFact, int] = {}
        for slot, values in zip(instance.slots, columns, strict=True):
            for value in values:
                for part in (value, *value.args):
                    self._costs[RelaxedFact(slot.observer.symbol, part.op)] = 0
        self._relax([step for transition in self._ots.transitions for step in self._steps(transition)])

    def cost(self, literal: Literal) -> int:
        """How many steps it takes at least to make a literal true; 1 if it says nothing about a constructor."""
        fact = self._fact(literal)
        return 1 if fact is None else max(1, self._costs.get(fact, UNSEEN))

    def _relax(self, steps: list[_RelaxedStep]) -> None:
        changed = True
        while changed:
            changed = False
            for step in steps:
                needed = [self._costs.get(fact) for fact in step.needs]
                if None in needed:
                    continue
                cost = 1 + max((each for each in needed if each is not None), default=0)
                for fact in step.brings:
                    if cost < self._costs.get(fact, cost + 1):
                        self._costs[fact] = cost
                        changed = True

    def _steps(self, transition: Transition) -> list[_RelaxedStep]:
        brings = frozenset(
            RelaxedFact(effect.observer.symbol, part.op)
            for effect in transition.effects
            for case in effect.cases
            for part in subterms(case.value)
            if not part.op.variable
        )
        if transition.condition is None:
            return [_RelaxedStep(frozenset(), brings)]
        try:
            clauses = self._instance.connectives.clauses(unfold(transition.condition, self._ots))
        except OtsrwError:
            return [_RelaxedStep(frozenset(), brings)]
        return [
            _RelaxedStep(frozenset(fact for each in clause if (fact := self._fact(each)) is not None), brings)
            for clause in clauses
        ]

    def _fact(self, literal: Literal) -> RelaxedFact | None:
        """What a literal needs: a Boolean observer, or an observer next to a term that is built by something."""
        atom = literal.atom
        if self._observes(atom):
            truth = self._instance.connectives
            return RelaxedFact(atom.op, truth.true.op if literal.positive else truth.false.op)
        if not literal.positive or len(atom.args) != 2:
            return None
        for place in (0, 1):
            observed, other = atom.args[place], atom.args[1 - place]
            if self._observes(observed) and not other.op.variable and not self._observes(other):
                return RelaxedFact(observed.op, other.op)
        return None

    def _observes(self, term: Term) -> bool:
        return self._ots.observer(term.op) is not None


def fresh_observers(instance: Instance, states: Iterable[Values]) -> frozenset[Symbol]:
    """Observers whose value is part of no other observed value of the same state, though earlier ones are.

    The next random number is an example.
    """
    parts: dict[Term, frozenset[Term]] = {}
    suspects = {place for place, slot in enumerate(instance.slots) if instance.domain(slot.observer.value) is None}
    sorts: set[object] = set()
    for values in states:
        if not suspects:
            break
        for value in values:
            if value not in parts:
                parts[value] = frozenset(subterms(value))
                sorts.update(part.sort for part in parts[value] if part is not value)
        for place in list(suspects):
            if any(values[place] in parts[other] for n, other in enumerate(values) if n != place):
                suspects.discard(place)
    slots = [instance.slots[place] for place in suspects]
    return frozenset(slot.observer.symbol for slot in slots if slot.observer.value in sorts)

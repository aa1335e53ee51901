"""Which steps bring it about that an observer has a value of some shape, if values once seen are never lost.

A fact says that an observer has a value, or an element, with some constructor on top; entities among its arguments and
indexes are part of the fact. From the initial states on it is computed how many steps a fact takes: a step takes itself
and the steps of all facts that its effective condition needs, and of several ways to a fact the shortest counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from otsrw.ots.binding import Theory
from otsrw.ots.formulas import unfold
from otsrw.ots.instance import Instance
from otsrw.ots.model import Effect, Transition
from otsrw.ots.stepping import Values
from otsrw.reasoning.connectives import DnfClause, Literal
from otsrw.records import NamedTuple
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, subterms

MAX_WAYS = 4
"""Steps that bring about a fact, all of them equally good, that are told apart."""

MAX_CHOICES = 100
"""Ways to choose the arguments of a transition that are told apart."""


class RelaxedFact(NamedTuple):
    """An observer and the constructor on top of its value or of an element of it.

    Indexes, and arguments of the constructor, are entities; None stands for any value.
    """

    observer: Symbol
    indexes: tuple[Term | None, ...]
    constructor: Symbol
    arguments: tuple[Term | None, ...]

    def fits(self, other: RelaxedFact) -> bool:
        """May both be about the same value?"""
        return self.indexes_fit(other) and _fit(self.arguments, other.arguments)

    def indexes_fit(self, other: RelaxedFact) -> bool:
        return _fit(self.indexes, other.indexes)


def _fit(some: tuple[Term | None, ...], others: tuple[Term | None, ...]) -> bool:
    return all(one is None or two is None or one is two for one, two in zip(some, others, strict=True))


class RelaxedStep(NamedTuple):
    """What a transition with some arguments needs in one case of its condition, and what it may bring about."""

    needs: frozenset[RelaxedFact]
    brings: frozenset[RelaxedFact]


class RelaxedSteps:
    """The steps of an instance, and which of them are the best ways to facts from some states on."""

    def __init__(self, instance: Instance, states: Iterable[Values]) -> None:
        self._instance = instance
        self._ots = instance.ots
        self._theory = Theory(instance)
        self._built: dict[Sort, list[Symbol]] = {}
        self._initial: dict[tuple[Symbol, Symbol], set[RelaxedFact]] = {}
        """The facts of the first states, by observer and constructor."""
        self._plans: dict[tuple[Symbol, Symbol], dict[RelaxedFact, int]] = {}
        """The facts that steps bring about, with the steps as bits."""
        self._bringing: dict[RelaxedFact, list[int]] = {}
        """The last steps of the shortest plans."""
        for values in states:
            for slot, value in zip(instance.slots, values, strict=True):
                for part in (value, *value.args):
                    fact = self.shaped(slot.observer.symbol, slot.indexes, part)
                    self._initial.setdefault((fact.observer, fact.constructor), set()).add(fact)
        self.steps = [step for transition in self._ots.transitions for step in self._relaxed(transition)]
        self._growing = frozenset(o.symbol for o in self._ots.observers if self._grows(o.symbol))
        self._relax()

    def ways(self, facts: Iterable[RelaxedFact]) -> list[int]:
        """The best steps to one of these facts; none if no step is known to lead to one."""
        found = [(plan.bit_count(), other) for fact in facts for other, plan in self._fitting(fact).items()]
        least = min((count for count, _ in found), default=0)
        ways = [step for count, fact in found if count == least for step in self._bringing.get(fact, ())]
        return list(dict.fromkeys(ways))[:MAX_WAYS]

    def _fitting(self, fact: RelaxedFact) -> dict[RelaxedFact, int]:
        """Facts that steps bring about and that may be this one."""
        found = self._plans.get((fact.observer, fact.constructor), {})
        return {other: plan for other, plan in found.items() if fact.fits(other)}

    def _note(self, fact: RelaxedFact, plan: int, step: int) -> bool:
        """Is this a shorter way to the fact? Then it is noted; another one of the same length is noted as well."""
        plans = self._plans.setdefault((fact.observer, fact.constructor), {})
        known = plans.get(fact)
        is_shorter = known is None or plan.bit_count() < known.bit_count()
        if is_shorter:
            plans[fact] = plan
            self._bringing[fact] = [step]
        elif known is not None and plan.bit_count() == known.bit_count():
            others = self._bringing[fact]
            if step not in others and len(others) < MAX_WAYS:
                others.append(step)
        return is_shorter

    def _relax(self) -> None:
        changed = True
        while changed:
            changed = False
            for number, step in enumerate(self.steps):
                plan = self._plan(number, step)
                if plan is not None:
                    for fact in step.brings:
                        changed = self._note(fact, plan, number) or changed

    def _plan(self, number: int, step: RelaxedStep) -> int | None:
        """A step with what leads to what it needs; None if nothing does."""
        plan = 1 << number
        for need in step.needs:
            if any(need.fits(fact) for fact in self._initial.get((need.observer, need.constructor), ())):
                continue
            fitting = self._fitting(need)
            if not fitting:
                return None
            plan |= min(fitting.values(), key=int.bit_count)
        return plan

    def _grows(self, observer: Symbol) -> bool:
        """Has every new value of the observer all of the old one?"""
        values = [
            case.value
            for transition in self._ots.transitions
            for effect in transition.effects
            if effect.observer.symbol is observer
            for case in effect.cases
        ]
        return all(any(part.op is observer for part in (value, *value.args)) for value in values)

    # --- transitions

    def _relaxed(self, transition: Transition) -> Iterator[RelaxedStep]:
        condition = self._instance.connectives.true
        if transition.condition is not None:
            condition = unfold(transition.condition, self._ots)
        for arguments in self._arguments(transition):
            brings = frozenset(fact for effect in transition.effects for fact in self._brought(effect, arguments))
            for clause in self._ways(substitute(condition, arguments)):
                facts = (self._fact(each) for each in clause)
                yield RelaxedStep(frozenset(fact for fact in facts if fact is not None), brings)

    def _arguments(self, transition: Transition) -> Iterator[dict[Term, Term]]:
        """Entities for those parameters that stand for some; none are chosen if there are too many ways."""
        domains = {p: self._instance.domain(p.sort) or () for p in transition.parameters}
        chosen = {p: [each for each in domain if not each.args] for p, domain in domains.items() if domain}
        ways = 1
        for elements in chosen.values():
            ways *= len(elements)
        if ways > MAX_CHOICES:
            chosen = {}
        for values in product(*chosen.values()):
            yield dict(zip(chosen, values, strict=True))

    def _ways(self, condition: Term) -> Iterator[DnfClause]:
        """The cases of a condition; functions of data in it are evaluated as far as they can be."""
        try:
            for clause in self._instance.connectives.clauses(condition):
                parts = [[(each,)] if self._fact(each) else self._evaluated(each) for each in clause]
                for way in product(*parts):
                    yield tuple(literal for part in way for literal in part)
        except OtsrwError:
            yield ()

    def _evaluated(self, literal: Literal) -> list[DnfClause]:
        return self._instance.connectives.clauses(self._instance.normal_form(literal.atom), literal.positive)

    def _brought(self, effect: Effect, arguments: dict[Term, Term]) -> Iterator[RelaxedFact]:
        for case in effect.cases:
            value = substitute(case.value, arguments)
            for indexes, chosen in self._choices(effect, value):
                for part in subterms(chosen):
                    if not part.op.variable:
                        yield self.shaped(effect.observer.symbol, indexes, part)
                    else:
                        yield from self._of_any(effect.observer.symbol, indexes, part.sort)

    def _of_any(self, observer: Symbol, indexes: Iterable[Term], sort: Sort) -> Iterator[RelaxedFact]:
        """Facts about a value or an element of which only the sort is known."""
        places = tuple(index if self._is_entity(index) else None for index in indexes)
        for constructor in self._constructors(sort):
            yield RelaxedFact(observer, places, constructor, (None,) * constructor.nargs)

    def _constructors(self, sort: Sort) -> list[Symbol]:
        """What builds the values of a sort."""
        found = self._built.get(sort)
        if found is None:
            leq = self._instance.module.signature.order.leq
            symbols = [s for s in self._instance.module.signature.symbols() if s.decls and not s.has_theory]
            found = [s for s in symbols if self._theory.is_constructor(s) and leq(s.decls[0].coarity, sort)]
            self._built[sort] = found
        return found

    def _choices(self, effect: Effect, value: Term) -> Iterator[tuple[tuple[Term, ...], Term]]:
        """The parts of a conditional value; `if P = p1 then` says which index it is about."""
        if value.op.native is not Builtin.IF:
            yield effect.indexes, value
            return
        condition, then, other = value.args
        pairs = (condition.args, condition.args[::-1]) if condition.op.native is Builtin.EQUALS else ()
        known = {index: entity for index, entity in pairs if index in effect.indexes and self._is_entity(entity)}
        for indexes, part in self._choices(effect, then):
            yield tuple(known.get(index, index) for index in indexes), part
        yield from self._choices(effect, other)

    # --- facts

    def shaped(self, observer: Symbol, indexes: Iterable[Term], value: Term) -> RelaxedFact:
        places = tuple(index if self._is_entity(index) else None for index in indexes)
        parts = () if value.op.assoc else value.args
        return RelaxedFact(observer, places, value.op, tuple(arg if self._is_entity(arg) else None for arg in parts))

    def _is_entity(self, term: Term) -> bool:
        return term.ground and not term.args and self._instance.domain(term.sort) is not None

    def facts(self, literal: Literal) -> list[RelaxedFact]:
        """What may make a literal true: one fact, or one for each constructor of an element that may be any."""
        fact = self._fact(literal)
        if fact is not None:
            return [fact]
        member = self._theory.membership(literal.atom) if literal.positive else None
        observer = None if member is None else self._ots.observer(member.collection.op)
        if member is None or observer is None or not member.pattern.op.variable:
            return []
        indexes = observer.indexes_of(member.collection)
        return list(self._of_any(observer.symbol, indexes, member.pattern.sort))

    def is_lost(self, literal: Literal) -> bool:
        """Does the literal say that something is not in a collection from which nothing is ever taken?"""
        member = None if literal.positive else self._theory.membership(literal.atom)
        return member is not None and member.collection.op in self._growing

    def _fact(self, literal: Literal) -> RelaxedFact | None:
        """What a literal needs: a Boolean observer, or an observer next to a term that is built by something."""
        atom = literal.atom
        observer = self._ots.observer(atom.op)
        if observer is not None:
            truth = self._instance.connectives
            value = truth.true if literal.positive else truth.false
            return self.shaped(atom.op, observer.indexes_of(atom), value)
        if not literal.positive or len(atom.args) != 2:
            return None
        for observed, other in (atom.args, atom.args[::-1]):
            observer = self._ots.observer(observed.op)
            if observer is not None and not other.op.variable and self._ots.observer(other.op) is None:
                return self.shaped(observed.op, observer.indexes_of(observed), other)
        return None


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

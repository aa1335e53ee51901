"""Functions that the specification leaves open, given values by chance.

A loose module may declare `op left : Phil -> Fork` without an equation: any function is meant. An instance takes
`left(p1)` and `right(p2)` as elements of their own, which never are the same; as evidence that is too little. Here each
such function gets entities, or truth values, as its values. That is a model of the specification if no equation
about data speaks of the function, or if all those that do are true of its values. A constant of a sort whose values
are known, `op window : -> Nat`, gets a small value.

A function of the state that no equation describes, `op new : Sys Client -> Value`, gets values that change with every
step. What nothing says about the initial state gets some of the values that it may have.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod

from otsrw.ots.forced import MAX_CHECKED, MAX_REWRITES, ForcedValues, bound_variables, elements_named
from otsrw.ots.instance import Instance, element_named, named_entities
from otsrw.ots.lawful import LawBroken
from otsrw.ots.model import Ots, StateOperator
from otsrw.ots.openness import OpenParts, data_axioms, open_parts, parts_of
from otsrw.ots.population import USUAL_COUNT, fresh_names, trial_values
from otsrw.ots.uniform import UniformMeaning, uniform_meanings
from otsrw.records import replace
from otsrw.rewriting.budget import Budget
from otsrw.rewriting.rewriter import Rewriter
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, variable

Entities = Mapping[str, tuple[str, ...]]

_ATTEMPTS = 5
"""Choices of values for functions of which equations speak: the first that satisfies them is taken."""

_MOST_ENTITIES = 6
"""Entities of a sort that are chosen."""


def interpreted(
    ots: Ots, entities: Entities, seed: int, max_rewrites: int | None = None, deadline: float | None = None
) -> Instance | None:
    """An instance in which what is left open has values, chosen by the seed; None if nothing is.

    Functions of which equations speak are left as they are if no choice that is tried satisfies the equations.
    """
    found, uniform = open_parts(ots), uniform_meanings(ots)
    simpler = replace(found, constrained=tuple(each for each in found.constrained if each not in found.mappings))
    choices = [(parts, attempt) for parts in (found, simpler) if parts.constrained for attempt in range(_ATTEMPTS)]
    for parts, attempt in [*choices, (replace(found, constrained=()), 0)]:
        wanted = {sort.name: sort for sort in parts.sorts}
        chosen = (*parts.functions, *parts.constrained, *parts.constants, *parts.of_states, *uniform)
        if not chosen and not set(wanted) - set(entities):
            break
        populated = _populated(ots, entities, wanted, parts.mappings)
        chance = random.Random(seed + attempt / 10)
        chooser = _Chooser(ots, parts, uniform, populated, chance, not seed and not attempt)
        try:
            instance = Instance(ots, populated, max_rewrites, chooser.meanings, True, deadline)
        except LawBroken:
            continue
        if _is_model(ots, instance, parts.constrained):
            return instance
    return None


def _populated(
    ots: Ots, entities: Entities, wanted: Mapping[str, Sort], mappings: tuple[Symbol, ...]
) -> dict[str, tuple[str, ...]]:
    """Entities of all wanted sorts."""
    populated = dict(entities)
    taken = {symbol.name for symbol in ots.module.signature.symbols()}
    taken.update(word for words in entities.values() for word in words)
    for name, sort in wanted.items():
        if name not in populated:
            own = [symbol.name for symbol in named_entities(ots, sort)]
            populated[name] = (*own, *fresh_names(sort, taken, _count(sort, mappings, populated) - len(own)))
            taken.update(populated[name])
    return populated


def _count(sort: Sort, mappings: tuple[Symbol, ...], entities: Entities) -> int:
    """How many entities to choose: where functions to the sort may have to keep values apart, three more than these."""
    decls = [symbol.decls[0] for symbol in mappings]
    into = [decl.arity for decl in decls if decl.coarity is sort and sort not in decl.arity]
    kept_apart = sum(prod(len(entities.get(each.name, range(USUAL_COUNT))) for each in arity) for arity in into)
    return min(kept_apart + USUAL_COUNT, _MOST_ENTITIES) if into else USUAL_COUNT


class _Chooser:
    """Chooses values in the module of an instance. The regular ones are a circle, an order, a turn with every step."""

    def __init__(
        self,
        ots: Ots,
        parts: OpenParts,
        uniform: tuple[UniformMeaning, ...],
        entities: Entities,
        chance: random.Random,
        regular: bool,
    ) -> None:
        self.ots = ots
        self.parts = parts
        self.uniform = uniform
        self.entities = entities
        self.chance = chance
        self.regular = regular

    def meanings(self, module: Module) -> Iterable[Axiom]:
        """Equations that give values to what the specification leaves open."""
        memo: dict[Term, Term] = {}
        own = [self._in(module, symbol) for symbol in self.parts.functions]
        found = [axiom for number, symbol in enumerate(own) for axiom in self._circle(module, symbol, number)]
        forced = ForcedValues(self.ots, module, self.entities, found)
        for symbol in self.parts.constrained:
            found += forced.complete(list(self._constrained(module, symbol)), self._nothing_else(module, symbol))
        for symbol in self.parts.constants:
            found += self._value(module, self._in(module, symbol))
        for operator in self.parts.of_states:
            found += self._turns(module, operator, memo)
        return [*found, *(axiom for meaning in self.uniform for axiom in self._everywhere(module, meaning, memo))]

    def _constrained(self, module: Module, symbol: Symbol) -> Iterator[Axiom]:
        here = self._in(module, symbol)
        if symbol in self.parts.mappings:
            return self._circle(module, here, len(self.parts.functions) + self.parts.mappings.index(symbol))
        return self._relation(module, here) if symbol.nargs else self._value(module, here)

    def _nothing_else(self, module: Module, symbol: Symbol) -> Term | None:
        """The regular value of a property of entities where no equation demands that it is true; None: any."""
        is_property = self.regular and symbol.nargs == 1 and symbol not in self.parts.mappings
        return self._results(module, symbol.decls[0].coarity)[1] if is_property else None

    def _in(self, module: Module, symbol: Symbol) -> Symbol:
        """The symbol of the specification as one of the instance."""
        decl = symbol.decls[0]
        return next(s for s in module.signature.symbols() if s.decls and s.decls[0] == decl and s.nargs == symbol.nargs)

    def _circle(self, module: Module, symbol: Symbol, number: int) -> Iterator[Axiom]:
        """An equation at each entity: the n-th function is n places ahead, in a circle, or anywhere."""
        decl = symbol.decls[0]
        results = self._results(module, decl.coarity)
        ahead = number + (decl.coarity in decl.arity)
        for args in self._arguments(module, decl.arity):
            place = sum(each for each, _ in args) + ahead if self.regular else self.chance.randrange(len(results))
            yield Axiom(symbol.make(tuple(arg for _, arg in args)), results[place % len(results)], None)

    def _relation(self, module: Module, symbol: Symbol) -> Iterator[Axiom]:
        """An equation at each entity: the entities in order, every other one, or anything."""
        true, false = self._results(module, symbol.decls[0].coarity)
        for args in self._arguments(module, symbol.decls[0].arity):
            places = [place for place, _ in args]
            usual = places == sorted(places) if len(places) > 1 else not places[0] % 2
            holds = usual if self.regular else self.chance.random() < 0.5
            yield Axiom(symbol.make(tuple(arg for _, arg in args)), true if holds else false, None)

    def _value(self, module: Module, symbol: Symbol) -> Iterator[Axiom]:
        """An equation for a constant: the last of three small values, or any that is tried; none if none are known."""
        sort = symbol.decls[0].coarity
        values = trial_values(self.ots, sort)
        if values:
            chosen = values[:USUAL_COUNT][-1] if self.regular else self.chance.choice(values)
            yield Axiom(symbol.make(()), element_named(module, chosen, sort), None)

    def _everywhere(self, module: Module, meaning: UniformMeaning, memo: dict[Term, Term]) -> Iterator[Axiom]:
        """One equation for all arguments; none if it is to give some element, and none is known."""
        translate = module.signature.translate
        left = translate(meaning.symbol.make(meaning.arguments), memo)
        if not meaning.is_some_element:
            yield Axiom(left, translate(meaning.body, memo), None)
            return
        sort = meaning.body.sort
        values = self.entities.get(sort.name) or trial_values(self.ots, sort)
        if values:
            yield Axiom(
                left, element_named(module, values[0] if self.regular else self.chance.choice(values), sort), None
            )

    def _turns(self, module: Module, operator: StateOperator, memo: dict[Term, Term]) -> Iterator[Axiom]:
        """After every step the function has another value, one place ahead or more."""
        symbol = self._in(module, operator.symbol)
        here = StateOperator(symbol, operator.place, operator.indexes, operator.value)
        results = self._results(module, operator.value)
        indexes = tuple(variable(f"X{number}#", sort) for number, sort in enumerate(operator.indexes, 1))
        translate = module.signature.translate
        for transition in self.ots.transitions:
            ahead = 1 if self.regular else self.chance.randrange(len(results))
            after = transition.operator.apply(self.ots.state, transition.parameters)
            before = here.apply(translate(self.ots.state, memo), indexes)
            value = _moved(module, before, results, ahead)
            condition = None if transition.condition is None else translate(transition.condition, memo)
            yield Axiom(here.apply(translate(after, memo), indexes), value, condition)

    def _results(self, module: Module, sort: Sort) -> list[Term]:
        words = ("true", "false") if sort.name == "Bool" else self.entities[sort.name]
        return elements_named(module, sort, words)

    def _arguments(self, module: Module, sorts: Iterable[Sort]) -> Iterator[tuple[tuple[int, Term], ...]]:
        return product(*[list(enumerate(elements_named(module, sort, self.entities[sort.name]))) for sort in sorts])


def _moved(module: Module, value: Term, results: list[Term], ahead: int) -> Term:
    """The result so many places after the value, in a circle."""
    choose, equals = module.signature.native(Builtin.IF), module.signature.native(Builtin.EQUALS)
    found = results[ahead % len(results)]
    for place, result in enumerate(results[1:], 1):
        found = choose.make((equals.make((value, result)), results[(place + ahead) % len(results)], found))
    return found


def _is_model(ots: Ots, instance: Instance, constrained: tuple[Symbol, ...]) -> bool:
    """Are all equations about data that speak of these functions true of the values that were chosen?"""
    decls = {symbol.decls[0] for symbol in constrained}
    speaking = [
        axiom
        for axiom in data_axioms(ots, instance.module)
        if any(part.op.decls and part.op.decls[0] in decls for part in parts_of(axiom))
    ]
    translate, memo = instance.module.signature.translate, dict[Term, Term]()
    chosen = [each for each in instance.meanings if each.lhs.op.decls[0] in decls]
    speaking += [Axiom(translate(each.lhs, memo), translate(each.rhs, memo), None) for each in chosen]
    return all(_holds(instance, axiom) for axiom in speaking)


def _holds(instance: Instance, axiom: Axiom) -> bool:
    """Do both sides have the same value for all entities? False as well if that cannot be told."""
    variables = bound_variables(axiom)
    domains = [instance.domain(v.sort) or () for v in variables]
    if not 0 < prod(map(len, domains)) <= MAX_CHECKED:
        return False
    rewriter = Rewriter(instance.module)
    true = instance.connectives.true

    def value(term: Term, bindings: dict[Term, Term]) -> Term:
        return rewriter.reduce(substitute(term, bindings), Budget(MAX_REWRITES)).term

    try:
        for values in product(*domains):
            bindings = dict(zip(variables, values, strict=True))
            condition = true if axiom.condition is None else value(axiom.condition, bindings)
            if condition is instance.connectives.false:
                continue
            if condition is not true or value(axiom.lhs, bindings) is not value(axiom.rhs, bindings):
                return False
    except OtsrwError:
        return False
    return True

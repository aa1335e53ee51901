"""Which entities of an instance are interchangeable, so that renaming them takes runs to runs.

Two entities are interchangeable if they are constants of the same sort and if swapping them takes every equation of the
cone to an equation of the cone. Then the swap takes what equals to what equals: it takes initial states to initial
states, steps to steps, and states that violate a predicate to states that do. The cone has all equations that the
observers, transitions, initial states and the given predicates depend on. A constant that the specification names in
such an equation, such as an intruder, is told apart by it; so is one that a predicate names.

One thing is not looked at here: that no value depends on the order in which equations are tried or elements of a
collection are taken. `otsrw.soundness` proves it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, permutations, product
from math import factorial, prod

from otsrw.ots.instance import START, Instance
from otsrw.ots.model import Invariant
from otsrw.ots.stepping import Values
from otsrw.records import dataclass
from otsrw.syntax.source import NOWHERE, Span
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import show
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, Symbol, Term

Swap = Mapping[Term, Term]
"""Entities, each with the one that takes its place."""

_EquationKey = tuple[object, ...]


@dataclass(frozen=True, eq=False, slots=True)
class ToldApart:
    """An entity that is not interchangeable with any other one of its sort, and what says so."""

    entity: Term
    reason: str
    span: Span = NOWHERE


@dataclass(frozen=True, eq=False, slots=True)
class Symmetry:
    """Groups of interchangeable entities, at least two in each; every permutation inside the groups is a symmetry."""

    instance: Instance
    groups: tuple[tuple[Term, ...], ...]
    apart: tuple[ToldApart, ...]

    @property
    def size(self) -> int:
        """How many permutations there are: at most so many states are one orbit."""
        return prod(factorial(len(group)) for group in self.groups)

    def renamers(self) -> list[Renamer]:
        """One for each permutation."""
        orders = product(*(permutations(group) for group in self.groups))
        entities = [entity for group in self.groups for entity in group]
        return [Renamer(dict(zip(entities, chain.from_iterable(order), strict=True))) for order in orders]

    def renamed(self, values: Values, swap: Swap) -> Values:
        """The state that a permutation takes a state to: observer o has at index i what it had where i comes from."""
        return self.image(values, Renamer(swap))

    def image(self, values: Values, image: Renamer) -> Values:
        """The same by a `Renamer`, which can be used for many states."""
        if image.places is None:
            image.places = self._places(image)
        return tuple([image(values[place]) for place in image.places])

    def _places(self, image: Renamer) -> tuple[int, ...]:
        slots, slot_of = self.instance.slots, self.instance.slot_of
        origins = {slot_of[slot.observer.symbol, *map(image, slot.indexes)]: place for place, slot in enumerate(slots)}
        return tuple([origins[slot] for slot in slots])


class Renamer:
    """Terms with entities renamed; each subterm is renamed once."""

    def __init__(self, swap: Swap) -> None:
        self._known: dict[Term, Term] = dict(swap)
        self.places: tuple[int, ...] | None = None
        """Which slot the value of each slot comes from; None until a state was renamed."""

    def __call__(self, term: Term) -> Term:
        found = self._known.get(term)
        if found is None:
            found = term.op.make(tuple([self(arg) for arg in term.args])) if term.args else term
            self._known[term] = found
        return found


def symmetry_of(instance: Instance, invariants: Iterable[Invariant] = ()) -> Symmetry:
    """The groups of interchangeable entities, as far as the system and these invariants are concerned."""
    return _Finder(instance, tuple(invariants)).symmetry()


class _Finder:
    def __init__(self, instance: Instance, invariants: tuple[Invariant, ...]) -> None:
        self.instance = instance
        self.candidates = [term for sort in instance.given for term in self._constants(sort)]
        self.formulas = [invariant.formula for invariant in invariants]
        symbols, axioms = self._cone(invariants)
        self.equations = {_key(axiom, _itself): axiom for axiom in axioms}
        self.mentioning: dict[Term, list[Axiom]] = {entity: [] for entity in self.candidates}
        for axiom in axioms:
            for leaf in _leaves(_terms(axiom)):
                if leaf in self.mentioning:
                    self.mentioning[leaf].append(axiom)
        attributes = [decl.attributes.identity for symbol in symbols for decl in symbol.decls]
        self.identities = set(_leaves([i for i in [*attributes, *(s.identity for s in symbols)] if i is not None]))

    def _constants(self, sort: str) -> Iterator[Term]:
        """The entities of a sort that are constants of the specification or were added; a numeral is none of them."""
        named = self.instance.module.visible_sorts()[sort][-1]
        for term in self.instance.domain(named) or ():
            if (
                not term.args
                and not isinstance(term, LiteralTerm)
                and term.op.native is None
                and len(term.op.decls) == 1
            ):
                yield term

    def _cone(self, invariants: tuple[Invariant, ...]) -> tuple[set[Symbol], list[Axiom]]:
        """The operators that anything depends on, and their equations, apart from those of chosen initial states."""
        ots = self.instance.ots
        signature = self.instance.module.signature
        todo = [o.symbol for o in ots.observers] + [i.operator.symbol for i in invariants]
        todo += [s for s in signature.symbols() if s.decls and s.decls[0].coarity is ots.sort]
        todo += [entity.op for entity in self.candidates] + [signature.native(Builtin.EQUALS)]
        todo += [s for s in self.instance.rules if not s.decls]
        todo += [term.op for term in _subterms(self.formulas)]
        seen: set[Symbol] = set()
        axioms: list[Axiom] = []
        while todo:
            symbol = todo.pop()
            if symbol in seen:
                continue
            seen.add(symbol)
            todo += [] if symbol.identity is None else [term.op for term in _subterms([symbol.identity])]
            for axiom in self.instance.rules.get(symbol, ()):
                if not self._chooses_start(axiom):
                    axioms.append(axiom)
                    todo += [term.op for term in _subterms(_terms(axiom))]
        return seen, axioms

    def _chooses_start(self, axiom: Axiom) -> bool:
        """Is this one of the equations for arbitrary initial values? If all choices are there, they are symmetric."""
        if self.instance.starts_left_out:
            return False
        names = [arg.op.name for arg in axiom.lhs.args if arg.sort is self.instance.ots.sort]
        return bool(self.instance.arbitrary) and any(name.startswith(START) for name in names)

    def symmetry(self) -> Symmetry:
        groups: list[list[Term]] = []
        for entity in self.candidates:
            if any(entity in group for group in groups):
                continue  # an entity of a subsort is one of its sort, too
            for group in groups:
                if self._obstacle(group[0], entity) is None:
                    group.append(entity)
                    break
            else:
                groups.append([entity])
        alone = [group[0] for group in groups if len(group) == 1]
        apart = [found for entity in alone for found in self._told_apart(entity)]
        return Symmetry(self.instance, tuple(tuple(group) for group in groups if len(group) > 1), tuple(apart))

    def _told_apart(self, entity: Term) -> Iterator[ToldApart]:
        """Why an entity is not interchangeable with another one; nothing if it is the only one of its sort."""
        others = [e for e in self.candidates if e is not entity and _sort_of(e) is _sort_of(entity)]
        obstacle = self._obstacle(others[0], entity) if others else None
        if obstacle is not None:
            yield ToldApart(entity, *obstacle)

    def _obstacle(self, first: Term, second: Term) -> tuple[str, Span] | None:
        """What the swap of two entities does not leave as it is; None if there is nothing."""
        if _sort_of(first) is not _sort_of(second):
            return "they are of different sorts", NOWHERE
        for entity in (second, first):
            if entity in self.identities:
                return f"{show(entity)} is the identity of an operator", NOWHERE
        image = Renamer({first: second, second: first})
        for formula in self.formulas:
            if image(formula) is not formula:
                return f"the predicate tells {show(second)} and {show(first)} apart", NOWHERE
        for entity in (second, first):
            for axiom in self.mentioning[entity]:
                if _key(axiom, image) not in self.equations:
                    return (
                        f"the equation for {show(axiom.lhs)} tells {show(second)} and {show(first)} apart",
                        axiom.span,
                    )
        return None


def _sort_of(entity: Term) -> Sort:
    return entity.op.decls[0].coarity


def _itself(term: Term) -> Term:
    return term


def _key(axiom: Axiom, image: Callable[[Term], Term]) -> _EquationKey:
    """What an equation says; the two sides of `=` may be swapped."""
    left: object = image(axiom.lhs)
    if axiom.lhs.op.native is Builtin.EQUALS:
        left = frozenset(image(arg) for arg in axiom.lhs.args)
    condition = None if axiom.condition is None else image(axiom.condition)
    return axiom.lhs.op, left, image(axiom.rhs), condition, axiom.otherwise, axiom.behavioural


def _terms(axiom: Axiom) -> list[Term]:
    return [term for term in (axiom.lhs, axiom.rhs, axiom.condition) if term is not None]


def _subterms(terms: Iterable[Term]) -> set[Term]:
    seen: set[Term] = set()
    todo = list(terms)
    while todo:
        term = todo.pop()
        if term not in seen:
            seen.add(term)
            todo += term.args
    return seen


def _leaves(terms: Iterable[Term]) -> list[Term]:
    return [term for term in _subterms(terms) if not term.args]

"""Trace constraints: which facts, at which positions, make a trace a counterexample.

*Counterexample Classification*, Definition 10: positions are quantified existentially, facts are joined by `and`, and
there is no negation. The label of a transition belongs to the position it leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from otsrw.traces.trace import Label, Value

EVENT = "event"


@dataclass(frozen=True, eq=False)
class Moment:
    """What can be said about one position of a trace."""

    label: Label | None
    observers: Mapping[str, Value]

    @cached_property
    def arguments(self) -> Mapping[str, Value]:
        """The arguments of the event that led here, as `type.1`, `type.2` and so on."""
        if self.label is None:
            return {}
        named = ((f"{self.label.transition}.{n}", a) for n, a in enumerate(self.label.arguments, 1))
        return {self._apart(name): argument for name, argument in named}

    @property
    def type(self) -> Mapping[str, Value]:
        """The type of the event that led here."""
        return {} if self.label is None else {self._apart(EVENT): self.label.transition}

    @cached_property
    def variables(self) -> Mapping[str, Value]:
        return {**self.observers, **self.type, **self.arguments}

    def _apart(self, name: str) -> str:
        """A name for something about the event; primes tell it from observers, which keep their names."""
        while name in self.observers:
            name += "'"
        return name


@dataclass(frozen=True, slots=True)
class Part:
    """A conjunct of a predicate, which asks about the moments at some of its places only.

    `sees(n, moment)` is all that matters of the moment at the n-th of these places; without it everything does.
    """

    places: tuple[int, ...]
    holds: Callable[..., bool]
    sees: Callable[[int, Moment], Hashable] | None = None


@dataclass(frozen=True, slots=True)
class TracePredicate:
    """A relation between moments at strictly increasing positions.

    A `summary` predicate names a kind of behaviour, as `replay` does: the counterexamples it describes get a class of
    their own before anything else is classified.
    """

    name: str
    holds: Callable[..., bool]
    arity: int = 1
    summary: bool = False
    conjuncts: tuple[Part, ...] = ()

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.conjuncts or (Part(tuple(range(self.arity)), self.holds),)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The predicates V that facts are made of; variables in `hidden` are in no built-in fact."""

    predicates: tuple[TracePredicate, ...] = ()
    equality: bool = True
    order: bool = True
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Before:
    """`i < j`"""

    first: int
    second: int

    @property
    def positions(self) -> tuple[int, ...]:
        return (self.first, self.second)


@dataclass(frozen=True, slots=True)
class Equals:
    """`x@i = v`"""

    position: int
    variable: str
    value: Value

    @property
    def positions(self) -> tuple[int, ...]:
        return (self.position,)

    def holds(self, moment: Moment) -> bool:
        value = moment.variables.get(self.variable)
        return value == self.value and isinstance(value, bool) == isinstance(self.value, bool)


@dataclass(frozen=True, slots=True)
class Satisfies:
    """`p[i, j]`"""

    predicate: TracePredicate
    positions: tuple[int, ...]


Fact = Before | Equals | Satisfies


@dataclass(frozen=True, slots=True)
class TraceConstraint:
    facts: tuple[Fact, ...]

    @property
    def positions(self) -> tuple[int, ...]:
        return tuple(sorted({position for fact in self.facts for position in fact.positions}))

    @property
    def names(self) -> dict[int, str]:
        """What its positions are called, in order."""
        return dict(zip(self.positions, position_names(), strict=False))

    def __str__(self) -> str:
        if not self.facts:
            return "every trace"
        names = self.names
        texts = [fact_text(fact, names) for fact in sorted(self.facts, key=lambda fact: not isinstance(fact, Before))]
        return f"exists {', '.join(names.values())}: {' and '.join(texts)}"


def position_names() -> Iterator[str]:
    yield from "ijklmn"
    number = 1
    while True:
        yield f"i{number}"
        number += 1


def fact_text(fact: Fact, names: Mapping[int, str]) -> str:
    match fact:
        case Before(first, second):
            return f"{names[first]} < {names[second]}"
        case Equals(position, variable, value):
            shown = str(value).lower() if isinstance(value, bool) else value
            return f"{variable}@{names[position]} = {shown}"
        case Satisfies(predicate, positions):
            return f"{predicate.name}[{', '.join(names[position] for position in positions)}]"


def facts_of(moments: Sequence[Moment], vocabulary: Vocabulary) -> tuple[Fact, ...]:
    """All facts that are true of a trace, in the order in which minimisation tries to do without them.

    Positions go first and predicates of the user last. Observers go before events, since what happened explains more
    than what was then observed, and arguments of events before their types, which are true of more traces.
    """
    count = range(len(moments))
    facts: list[Fact] = []
    if vocabulary.order:
        facts += [Before(first, second) for first, second in combinations(count, 2)]
    if vocabulary.equality:
        facts += _equalities(((n, m.observers) for n, m in enumerate(moments)), vocabulary.hidden)
        facts += _equalities(((n, m.arguments) for n, m in enumerate(moments)), vocabulary.hidden)
        facts += _equalities(((n, m.type) for n, m in enumerate(moments)), vocabulary.hidden)
    for predicate in vocabulary.predicates:
        for positions in combinations(count, predicate.arity):
            if predicate.holds(*(moments[position] for position in positions)):
                facts.append(Satisfies(predicate, positions))
    return tuple(facts)


def _equalities(values: Iterable[tuple[int, Mapping[str, Value]]], hidden: frozenset[str]) -> list[Fact]:
    return [
        Equals(position, variable, value)
        for position, moment in values
        for variable, value in moment.items()
        if variable not in hidden
    ]

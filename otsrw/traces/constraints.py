"""Trace constraints: which facts, at which positions, make a trace a counterexample.

*Counterexample Classification*, Definition 10: positions are quantified existentially, facts are joined by `and`, and
there is no negation. The label of a transition belongs to the position it leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import cached_property

from otsrw.records import dataclass, field
from otsrw.traces.trace import Label, Value

EVENT = "event"


@dataclass(frozen=True, eq=False)
class Moment:
    """What can be said about one position of a trace."""

    label: Label | None
    observers: Mapping[str, Value]
    collections: Mapping[str, Mapping[Value, tuple[str, ...]]] = field(default_factory=dict)
    """For observers that hold sets or bags: the elements of each of their values."""

    @cached_property
    def members(self) -> Mapping[str, tuple[str, ...]]:
        """The elements of each collection that is observed here and not empty."""
        found = {name: known.get(self.observers[name], ()) for name, known in self.collections.items()}
        return {name: elements for name, elements in found.items() if elements}

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
    phrase: str = ""
    """How it reads, with `{0}` for its first position and so on; empty for `name[i, j]`."""

    def text(self, positions: Sequence[str]) -> str:
        """The predicate at positions with these names."""
        if not self.phrase:
            return f"{self.name}[{', '.join(positions)}]"
        found = self.phrase
        for number, position in enumerate(positions):
            found = found.replace(f"{{{number}}}", position)
        return found

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.conjuncts or (Part(tuple(range(self.arity)), self.holds),)


class Detail(IntEnum):
    """How much may be said of a trace; what says more is used only where less does not characterise it."""

    MEMBERS = 0
    """Of a collection its elements."""
    WHOLE = 1
    """Also what a collection is as a whole."""
    PLACES = 2
    """Also at which index of the trace something happens."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The predicates V that facts are made of; variables in `hidden` are in no built-in fact."""

    predicates: tuple[TracePredicate, ...] = ()
    equality: bool = True
    order: bool = True
    hidden: frozenset[str] = frozenset()
    relations: bool = False
    """Whether facts may say that two values are the same, or that one is made of the other."""

    @property
    def details(self) -> tuple[Detail, ...]:
        """What is tried, one after the other; indexes characterise every trace if there is equality (Lemma 4)."""
        return tuple(Detail) if self.equality else (Detail.MEMBERS,)


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
class Contains:
    """`e \\in x@i`"""

    position: int
    variable: str
    element: str

    @property
    def positions(self) -> tuple[int, ...]:
        return (self.position,)


@dataclass(frozen=True, slots=True)
class Placed:
    """`i = 3`: the position is this index of the trace."""

    position: int
    index: int

    @property
    def positions(self) -> tuple[int, ...]:
        return (self.position,)


@dataclass(frozen=True, slots=True)
class Satisfies:
    """`p[i, j]`"""

    predicate: TracePredicate
    positions: tuple[int, ...]


Fact = Before | Equals | Contains | Placed | Satisfies


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

    def with_predicates(self, known: Mapping[str, TracePredicate]) -> TraceConstraint:
        """The same with other predicates of these names: those that know the moments of another system."""
        return TraceConstraint(
            tuple(
                Satisfies(known.get(fact.predicate.name, fact.predicate), fact.positions)
                if isinstance(fact, Satisfies) and not fact.predicate.phrase
                else fact
                for fact in self.facts
            )
        )

    def __str__(self) -> str:
        if not self.facts:
            return "every trace"
        names = self.names
        texts = [fact_text(fact, names) for fact in sorted(self.facts, key=_is_no_position_fact)]
        return f"exists {', '.join(names.values())}: {' and '.join(texts)}"


def _is_no_position_fact(fact: Fact) -> bool:
    return not isinstance(fact, Before | Placed)


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
        case Contains(position, variable, element):
            return f"{element} \\in {variable}@{names[position]}"
        case Placed(position, index):
            return f"{names[position]} = {index}"
        case Satisfies(predicate, positions):
            return predicate.text([names[position] for position in positions])

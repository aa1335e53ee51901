"""States as columns of numbers, so that a formula is evaluated in all of them at once.

A column says which value a term has in which state. Values are computed once for each combination of values that the
parts of the term have, not once a state. Where an atom holds is a set of states, kept as the bits of an integer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from otsrw.induction.effort import LOOKS, Effort
from otsrw.ots.binding import Member, Theory
from otsrw.ots.instance import Instance
from otsrw.ots.model import StateOperator
from otsrw.ots.stepping import Values, elements_of
from otsrw.reasoning.list_membership import ListShape, list_shape
from otsrw.records import NamedTuple
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Symbol, Term

_FEW = 256
"""A column with at most so many values is kept as bytes."""

_STATES_A_LOOK = 8
"""States of a column that are filled in the time of one step in sampled states."""

_MAX_BITS = 2_000_000_000
"""Bits of sets of states that are remembered at once."""

_ValueOf = Callable[[tuple[Term, ...]], Term]
_T = TypeVar("_T")


class Column(NamedTuple):
    """The values of a term; `numbers` has the place of its value in `values` for each state."""

    numbers: Sequence[int]
    """Empty if the term has the same value in all states."""
    values: tuple[Term, ...]

    @property
    def is_constant(self) -> bool:
        return len(self.values) == 1


class Truth(NamedTuple):
    """Where an atom is true, and where it is neither true nor false."""

    holds: int
    undefined: int


class Elements:
    """The elements of a collection, and for each the states that have it."""

    def __init__(self, states_of: dict[Term, list[int]], count: int) -> None:
        self._where = {element: bits_of(states, count) for element, states in states_of.items()}
        self._by_operator: dict[Symbol, list[tuple[Term, int]]] = {}
        for pair in self._where.items():
            self._by_operator.setdefault(pair[0].op, []).append(pair)

    def all(self) -> Iterable[tuple[Term, int]]:
        """Every element, with the states whose collection has it."""
        return self._where.items()

    def where(self, element: Term) -> int:
        """The states whose collection has the element."""
        return self._where.get(element, 0)

    def like(self, pattern: Term) -> Sequence[tuple[Term, int]]:
        """The elements that may match a pattern, each with its states."""
        operator = pattern.op
        is_free = not (operator.variable or operator.has_theory or operator.lower or operator.upper)
        return self._by_operator.get(operator, ()) if is_free and pattern.args else list(self._where.items())


class TooManyValues(Exception):
    """A question needs more values than may be computed for it."""


class Columns:
    """States of one instance. The state variable stands for all of them; other variables must have values."""

    def __init__(self, instance: Instance, states: Sequence[Values], effort: Effort | None = None) -> None:
        self.instance = instance
        self._effort = effort or Effort()
        self.theory = Theory(instance)
        self.ots = instance.ots
        self.count = len(states)
        self.all = (1 << self.count) - 1
        self._connectives = instance.connectives
        self._slots = {key: place for place, key in enumerate(instance.slot_of)}
        self._observed = [_column(list(values)) for values in zip(*states, strict=True)]
        self._columns: dict[Term, Column] = {}
        self._truths: dict[Term, Truth] = {}
        self._normal: dict[Term, Term] = {}
        self.computed = 0
        """Values that were computed by rewriting so far."""
        self.most_computed: int | None = None
        """How many may be; None: any number."""
        self._groups: dict[Term, list[tuple[Term, int]]] = {}
        self._members: dict[tuple[Term, Symbol | None], Elements] = {}
        self._shapes: dict[tuple[Symbol, bool], ListShape | None] = {}
        self._listed: dict[tuple[Term, ListShape], Elements | None] = {}

    def _remember(self, known: dict[Term, _T], term: Term, found: _T) -> _T:
        """Keep what was computed; when too much is kept, forget all of its kind."""
        if len(known) * self.count > _MAX_BITS:
            known.clear()
        known[term] = found
        return found

    # --- values

    def column(self, term: Term) -> Column:
        """The values of a term in all states."""
        known = self._columns.get(term)
        if known is None:
            known = self._remember(self._columns, term, self._computed(term))
        return known

    def _computed(self, term: Term) -> Column:
        if term.ground or term.op.variable:
            return Column((), (self._value(term),))
        observer = self.ots.observer(term.op)
        if observer is not None and observer.state_of(term) is self.ots.state:
            return self._observation(term, observer)
        parts = [self.column(arg) for arg in term.args]
        return self._combined(parts, lambda values: self._applied(term.op, values))

    def _observation(self, term: Term, observer: StateOperator) -> Column:
        """What is observed at indexes that may depend on the state."""
        indexes = [self.column(index) for index in observer.indexes_of(term)]
        if all(index.is_constant for index in indexes):
            return self._slot(observer, tuple(index.values[0] for index in indexes))
        self._effort.look(self.count // _STATES_A_LOOK)
        places: dict[tuple[int, ...], Column] = {}
        found: list[Term] = []
        for state, numbers in enumerate(zip(*[self._spread(index) for index in indexes], strict=True)):
            slot = places.get(numbers)
            if slot is None:
                at = tuple(index.values[number] for index, number in zip(indexes, numbers, strict=True))
                slot = places[numbers] = self._slot(observer, at)
            found.append(slot.values[slot.numbers[state] if slot.numbers else 0])
        return _column(found)

    def _slot(self, observer: StateOperator, indexes: tuple[Term, ...]) -> Column:
        place = self._slots.get((observer.symbol, *indexes))
        if place is not None:
            return self._observed[place]
        return Column((), (observer.apply(self.ots.state, indexes),))

    def _spread(self, column: Column) -> Sequence[int]:
        return column.numbers or bytes(self.count)

    def _combined(self, parts: list[Column], value_of: _ValueOf) -> Column:
        """A column computed from others, once for each combination of their values."""
        if all(part.is_constant for part in parts):
            return Column((), (value_of(tuple(part.values[0] for part in parts)),))
        self._effort.look(self.count // _STATES_A_LOOK)
        rows = list(zip(*[self._spread(part) for part in parts], strict=True))
        place: dict[Term, int] = {}
        number_of: dict[tuple[int, ...], int] = {}
        for row in dict.fromkeys(rows):
            value = value_of(tuple(part.values[number] for part, number in zip(parts, row, strict=True)))
            number_of[row] = place.setdefault(value, len(place))
        if len(place) == 1:
            return Column((), tuple(place))
        return Column(_packed([number_of[row] for row in rows], len(place)), tuple(place))

    def _applied(self, operator: Symbol, values: tuple[Term, ...]) -> Term:
        if operator.native is Builtin.EQUALS and all(map(self._is_plain, values)):
            return self._connectives.true if values[0] is values[1] else self._connectives.false
        return self._value(operator.make(values))

    def _is_plain(self, value: Term) -> bool:
        """Is it equal to no other value?"""
        return self.instance.is_value(value) and not self.theory.has_own_equality(value.sort)

    def _value(self, term: Term) -> Term:
        known = self._normal.get(term)
        if known is None:
            self.computed += 1
            self._effort.look(LOOKS)
            if self.most_computed is not None and self.computed > self.most_computed:
                raise TooManyValues
            known = self._normal[term] = self.instance.normal_form(term)
        return known

    # --- sets of states

    def truth(self, atom: Term) -> Truth:
        """Where an atom without variables but the state holds."""
        known = self._truths.get(atom)
        if known is None:
            known = self._remember(self._truths, atom, self._where_it_holds(atom))
        return known

    def _where_it_holds(self, atom: Term) -> Truth:
        holds = self._where_it_contains(atom)
        if holds is not None:
            return Truth(holds, 0)
        column = self.column(atom)
        true, false = self._connectives.true, self._connectives.false
        holds = self._states_with(column, [value is true for value in column.values])
        undefined = self._states_with(column, [value is not true and value is not false for value in column.values])
        return Truth(holds, undefined)

    def _where_it_contains(self, atom: Term) -> int | None:
        """Where an element is in a collection; None if the atom is no membership of values in values."""
        member = self.theory.membership(atom)
        if member is None:
            return None
        if not all(map(self._is_plain, self.column(member.pattern).values)):
            return None
        if not all(map(self.instance.is_value, self.column(member.collection).values)):
            return None
        if member.constructor is not None:
            elements: Elements | None = self.members(member.collection, member.constructor)
        else:
            elements = self._elements_of_lists(atom, member)
        if elements is None:
            return None
        holds = 0
        for value, states in self.groups(member.pattern):
            holds |= states & elements.where(value)
        return holds

    def _elements_of_lists(self, atom: Term, member: Member) -> Elements | None:
        """The elements of lists, if the atom is true just of these; None if that cannot be seen."""
        element = 0 if atom.args[0] is member.pattern else 1
        key = (atom.op, element == 0)
        if key not in self._shapes:
            self._shapes[key] = list_shape(self.theory, atom.op, element, 1 - element)
        shape = self._shapes[key]
        if shape is None:
            return None
        place = (member.collection, shape)
        if place not in self._listed:
            column = self.column(member.collection)
            parts = [shape.elements(value) for value in column.values]
            known = [part for part in parts if part is not None]
            self._listed[place] = self._by_element(column, known) if len(known) == len(parts) else None
        return self._listed[place]

    def _states_with(self, column: Column, wanted: list[bool]) -> int:
        """The states in which the column has one of the values that are wanted."""
        if not any(wanted):
            return 0
        if all(wanted):
            return self.all
        if isinstance(column.numbers, bytes):
            digits = bytes([49 if is_wanted else 48 for is_wanted in wanted]).ljust(_FEW, b"0")
            return int(column.numbers.translate(digits)[::-1], 2)
        marks = ["1" if is_wanted else "0" for is_wanted in wanted]
        return int("".join([marks[number] for number in reversed(column.numbers)]), 2)

    def groups(self, term: Term) -> list[tuple[Term, int]]:
        """The values of a term, each with its states. Costs much memory if there are many values."""
        known = self._groups.get(term)
        if known is None:
            known = self._groups[term] = self._grouped(self.column(term))
        return known

    def _grouped(self, column: Column) -> list[tuple[Term, int]]:
        if column.is_constant:
            return [(column.values[0], self.all)]
        states: list[list[int]] = [[] for _ in column.values]
        for state, number in enumerate(column.numbers):
            states[number].append(state)
        return [(value, bits_of(where, self.count)) for value, where in zip(column.values, states, strict=True)]

    def members(self, collection: Term, constructor: Symbol | None) -> Elements:
        """The elements of a collection; without a constructor all parts of its value."""
        key = (collection, constructor)
        known = self._members.get(key)
        if known is None:
            column = self.column(collection)
            known = self._members[key] = self._by_element(
                column, [elements_of(value, constructor) for value in column.values]
            )
        return known

    def _by_element(self, column: Column, parts: list[list[Term]]) -> Elements:
        """For each element the states in which it is a part of the column's value; `parts` has those of each value."""
        states_of: dict[Term, list[int]] = {}
        for state, number in enumerate(self._spread(column)):
            for element in parts[number]:
                states_of.setdefault(element, []).append(state)
        return Elements(states_of, self.count)


def _column(values: list[Term]) -> Column:
    """A column of values that are given state by state."""
    place: dict[Term, int] = {}
    numbers = [place.setdefault(value, len(place)) for value in values]
    return Column(_packed(numbers, len(place)) if len(place) > 1 else (), tuple(place))


def _packed(numbers: list[int], values: int) -> Sequence[int]:
    return bytes(numbers) if values <= _FEW else numbers


def bits_of(states: list[int], count: int) -> int:
    """A set of states as bits."""
    found = bytearray(count // 8 + 1)
    for state in states:
        found[state >> 3] |= 1 << (state & 7)
    return int.from_bytes(found, "little")


def members_of(states: int, most: int) -> list[int]:
    """The first states of a set."""
    found: list[int] = []
    while states and len(found) < most:
        found.append(first_of(states))
        states &= states - 1
    return found


def first_of(states: int) -> int:
    """The first state of a set that is not empty."""
    return (states & -states).bit_length() - 1

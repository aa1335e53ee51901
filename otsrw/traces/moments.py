"""The moments of a system, and at which of them a fact holds."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from otsrw.traces.constraints import Equals, Moment, Satisfies


class Moments(list[Moment]):
    """Moments that look different, by number; a set of them is the bits of an integer."""

    def at_which(self, facts: Iterable[Equals | Satisfies]) -> int:
        """The moments at which all of some facts about one position hold."""
        found = self._all
        for fact in facts:
            found &= self._equal(fact) if isinstance(fact, Equals) else self._satisfying(fact)
        return found

    @cached_property
    def _all(self) -> int:
        return (1 << len(self)) - 1

    @cached_property
    def _where(self) -> dict[tuple[str, object, bool], list[int]]:
        """Moments by variable and value; 1 and true are told apart."""
        found: dict[tuple[str, object, bool], list[int]] = {}
        for number, moment in enumerate(self):
            for variable, value in moment.variables.items():
                found.setdefault((variable, value, isinstance(value, bool)), []).append(number)
        return found

    @cached_property
    def _sets(self) -> dict[object, int]:
        return {}

    def _equal(self, fact: Equals) -> int:
        key = (fact.variable, fact.value, isinstance(fact.value, bool))
        if key not in self._sets:
            self._sets[key] = _bits(self._where.get(key, ()), len(self))
        return self._sets[key]

    def _satisfying(self, fact: Satisfies) -> int:
        if fact.predicate not in self._sets:
            found = (number for number, moment in enumerate(self) if fact.predicate.holds(moment))
            self._sets[fact.predicate] = _bits(found, len(self))
        return self._sets[fact.predicate]


def _bits(numbers: Iterable[int], size: int) -> int:
    found = bytearray(size // 8 + 1)
    for number in numbers:
        found[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(found, "little")

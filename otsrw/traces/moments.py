"""The moments of a system, at which of them a fact holds, and which of them look alike to a predicate."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cached_property

from otsrw.traces.constraints import Contains, Equals, Moment, Part


class Moments(list[Moment]):
    """Moments that look different, by number; a set of them is the bits of an integer."""

    def at_which(self, tests: Iterable[Equals | Contains | Part]) -> int:
        """The moments at which all of some facts, or parts of predicates, about one position hold."""
        found = self._all
        for test in tests:
            match test:
                case Equals():
                    found &= self._equal(test)
                case Contains():
                    found &= self._containing(test)
                case Part():
                    found &= self._satisfying(test)
        return found

    def sight(self, part: Part) -> Sight:
        if part not in self._sights:
            self._sights[part] = Sight(part, self)
        return self._sights[part]

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

    @cached_property
    def _sights(self) -> dict[Part, Sight]:
        return {}

    def _equal(self, fact: Equals) -> int:
        key = (fact.variable, fact.value, isinstance(fact.value, bool))
        if key not in self._sets:
            self._sets[key] = _bits(self._where.get(key, ()), len(self))
        return self._sets[key]

    @cached_property
    def _where_in(self) -> dict[tuple[str, str], list[int]]:
        """Moments by collection and element."""
        found: dict[tuple[str, str], list[int]] = {}
        for number, moment in enumerate(self):
            for variable, elements in moment.members.items():
                for element in elements:
                    found.setdefault((variable, element), []).append(number)
        return found

    def _containing(self, fact: Contains) -> int:
        key = ("in", fact.variable, fact.element)
        if key not in self._sets:
            self._sets[key] = _bits(self._where_in.get((fact.variable, fact.element), ()), len(self))
        return self._sets[key]

    def _satisfying(self, part: Part) -> int:
        if part not in self._sets:
            found = (number for number, moment in enumerate(self) if part.holds(moment))
            self._sets[part] = _bits(found, len(self))
        return self._sets[part]


class Sight:
    """What a part of a predicate sees: moments that look alike at one of its places have one number there."""

    def __init__(self, part: Part, moments: Moments) -> None:
        self._part = part
        self._moments = moments
        self._looks: list[dict[int, int]] = [{} for _ in part.places]
        self._seen: list[dict[Hashable, int]] = [{} for _ in part.places]
        self._examples: list[list[Moment]] = [[] for _ in part.places]
        self._holds: dict[tuple[int, ...], bool] = {}

    def look(self, place: int, moment: int) -> int:
        looks = self._looks[place]
        if moment not in looks:
            seen, example = self._seen[place], self._moments[moment]
            what = moment if self._part.sees is None else self._part.sees(place, example)
            if what not in seen:
                seen[what] = len(seen)
                self._examples[place].append(example)
            looks[moment] = seen[what]
        return looks[moment]

    def looks(self, place: int) -> list[int]:
        """For each number the moments that look so, as bits of an integer."""
        numbers: dict[int, list[int]] = {}
        for moment in range(len(self._moments)):
            numbers.setdefault(self.look(place, moment), []).append(moment)
        return [_bits(numbers[look], len(self._moments)) for look in range(len(numbers))]

    def holds(self, looks: tuple[int, ...]) -> bool:
        """Whether the part holds for moments that look so, one for each of its places."""
        if looks not in self._holds:
            examples = (self._examples[place][look] for place, look in enumerate(looks))
            self._holds[looks] = self._part.holds(*examples)
        return self._holds[looks]


def _bits(numbers: Iterable[int], size: int) -> int:
    found = bytearray(size // 8 + 1)
    for number in numbers:
        found[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(found, "little")

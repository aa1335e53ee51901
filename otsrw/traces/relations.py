"""Relations between the values of a trace: two are the same, or one is made of the other.

A constraint with constants is about one choice of entities. `send1.1@i = send3.1@j` says that whoever did the one also
did the other, whoever that is. A value such as `n(p2,p1,r)` is made by what stands in its first place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations

from otsrw.traces.constraints import Moment, Part, TracePredicate, Vocabulary
from otsrw.traces.trace import Label, Value

MAX_RELATIONS = 400

_Related = Callable[[Value, Value], bool]


def relations_of(moments: Sequence[Moment], vocabulary: Vocabulary) -> list[TracePredicate]:
    """The relations that are true between arguments of events at one or two positions of a trace.

    Only so many are taken, in order of the positions: a long trace has very many.
    """
    arguments = [_shown(moment, vocabulary) for moment in moments]
    found: dict[TracePredicate, None] = {}
    for inner in arguments:
        for (one, value), (other, same) in combinations(inner.items(), 2):
            if _same(value, same):
                found[_same_here(one, other)] = None
    for earlier, later in combinations(arguments, 2):
        for predicate in _between(earlier, later):
            if len(found) < MAX_RELATIONS:
                found[predicate] = None
    return list(found)


def _shown(moment: Moment, vocabulary: Vocabulary) -> dict[str, Value]:
    return {name: value for name, value in moment.arguments.items() if name not in vocabulary.hidden}


def _between(earlier: dict[str, Value], later: dict[str, Value]) -> Iterator[TracePredicate]:
    for one, value in earlier.items():
        for other, after in later.items():
            if _same(value, after):
                yield _same_later(one, other)
            elif maker_of(after) == value:
                yield _made_later(one, other)
            elif maker_of(value) == after:
                yield _made_before(one, other)


@cache
def _same_here(one: str, other: str) -> TracePredicate:
    def holds(moment: Moment) -> bool:
        values = moment.arguments
        return one in values and other in values and _same(values[one], values[other])

    return TracePredicate("same", holds, 1, False, (Part((0,), holds),), f"{one}@{{0}} = {other}@{{0}}")


@cache
def _same_later(one: str, other: str) -> TracePredicate:
    return _relation("same", one, other, _same, f"{one}@{{0}} = {other}@{{1}}")


@cache
def _made_later(one: str, other: str) -> TracePredicate:
    def made(value: Value, after: Value) -> bool:
        return maker_of(after) == value

    return _relation("made", one, other, made, f"{other}@{{1}} was made by {one}@{{0}}")


@cache
def _made_before(one: str, other: str) -> TracePredicate:
    def made(value: Value, after: Value) -> bool:
        return maker_of(value) == after

    return _relation("made", one, other, made, f"{one}@{{0}} was made by {other}@{{1}}")


def _relation(name: str, one: str, other: str, related: _Related, phrase: str) -> TracePredicate:
    def holds(earlier: Moment, later: Moment) -> bool:
        before, after = earlier.arguments.get(one), later.arguments.get(other)
        return before is not None and after is not None and related(before, after)

    def sees(place: int, moment: Moment) -> tuple[Value | None, bool]:
        value = moment.arguments.get(other if place else one)
        return value, isinstance(value, bool)

    return TracePredicate(name, holds, 2, False, (Part((0, 1), holds, sees),), phrase)


def maker_of(value: Value) -> str | None:
    """What stands in the first place of a term: `p2` for `n(p2,p1,r)`; None if there is nothing."""
    if not isinstance(value, str):
        return None
    arguments = Label.read(value).arguments
    return arguments[0] if arguments else None


def _same(one: Value, other: Value) -> bool:
    """Equality that keeps `true` and 1 apart."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)

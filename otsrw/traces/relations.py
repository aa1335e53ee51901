"""Relations between the values of a trace: two are the same, or one is made of the other.

A constraint with constants is about one choice of entities. `send1.1@i = send3.1@j` says that whoever did the one also
did the other, whoever that is. A value such as `n(p2,p1,r)` is made by what stands in its first place. Values are those
of observers and of the arguments of events; of sets and bags only the elements are spoken of, so they have none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

from otsrw.traces.constraints import Moment, Part, TracePredicate, Vocabulary
from otsrw.traces.trace import Label, Value

MAX_RELATIONS = 400

_Related = Callable[[Value, Value], bool]


def relations_of(
    moments: Sequence[Moment], vocabulary: Vocabulary
) -> tuple[list[TracePredicate], list[TracePredicate]]:
    """The relations that are true at one or two positions of a trace: those with observers, and those of events only.

    Between two positions an observer is compared with itself, with arguments of events only if one value is made of
    the other. Only so many relations are taken, in order of the positions: a long trace has very many. Of those with
    observers the ones about two positions come first.
    """
    events, observed, here = dict[TracePredicate, None](), dict[TracePredicate, None](), dict[TracePredicate, None]()
    values = [_shown(moment, vocabulary) for moment in moments]
    for arguments, observers in values:
        _take(_here(arguments, {}), events)
        _take(_here(arguments, observers), here)
    for (arguments, observers), (later_arguments, later_observers) in combinations(values, 2):
        _take(_between(arguments, later_arguments), events)
        _take(_stayed(observers, later_observers), observed)
        _take(_made(observers, later_arguments), observed)
        _take(_made(arguments, later_observers), observed)
    return [relation for relation in (*observed, *here) if relation not in events], list(events)


def _take(found: Iterator[TracePredicate], into: dict[TracePredicate, None]) -> None:
    for predicate in found:
        if len(into) < MAX_RELATIONS:
            into[predicate] = None


def _shown(moment: Moment, vocabulary: Vocabulary) -> tuple[dict[str, Value], dict[str, Value]]:
    """The arguments and the observers that facts may mention."""
    arguments = {name: value for name, value in moment.arguments.items() if name not in vocabulary.hidden}
    observers = {
        name: value
        for name, value in moment.observers.items()
        if name not in vocabulary.hidden and name not in moment.collections
    }
    return arguments, observers


def _here(arguments: Mapping[str, Value], observers: Mapping[str, Value]) -> Iterator[TracePredicate]:
    """Relations at one position; if there are observers, those that are about one of them at least."""
    for (one, value), (other, same) in combinations([*arguments.items(), *observers.items()], 2):
        if observers and other not in observers:
            continue
        if _same(value, same):
            yield _same_here(one, other)
        elif observers and maker_of(value) == same:
            yield _made_here(other, one)
        elif observers and maker_of(same) == value:
            yield _made_here(one, other)


def _between(earlier: Mapping[str, Value], later: Mapping[str, Value]) -> Iterator[TracePredicate]:
    for one, value in earlier.items():
        for other, after in later.items():
            if _same(value, after):
                yield _same_later(one, other)
    yield from _made(earlier, later)


def _stayed(earlier: Mapping[str, Value], later: Mapping[str, Value]) -> Iterator[TracePredicate]:
    """That an observer has the same value as before."""
    for name, value in earlier.items():
        if name in later and _same(value, later[name]):
            yield _same_later(name, name)


def _made(earlier: Mapping[str, Value], later: Mapping[str, Value]) -> Iterator[TracePredicate]:
    for one, value in earlier.items():
        for other, after in later.items():
            if maker_of(after) == value:
                yield _made_later(one, other)
            elif maker_of(value) == after:
                yield _made_before(one, other)


@cache
def _same_here(one: str, other: str) -> TracePredicate:
    return _relation_here("same", one, other, _same, f"{one}@{{0}} = {other}@{{0}}")


@cache
def _made_here(maker: str, made: str) -> TracePredicate:
    return _relation_here("made", maker, made, _is_maker, f"{made}@{{0}} was made by {maker}@{{0}}")


@cache
def _same_later(one: str, other: str) -> TracePredicate:
    return _relation("same", one, other, _same, f"{one}@{{0}} = {other}@{{1}}")


@cache
def _made_later(one: str, other: str) -> TracePredicate:
    return _relation("made", one, other, _is_maker, f"{other}@{{1}} was made by {one}@{{0}}")


@cache
def _made_before(one: str, other: str) -> TracePredicate:
    def made(value: Value, after: Value) -> bool:
        return _is_maker(after, value)

    return _relation("made", one, other, made, f"{one}@{{0}} was made by {other}@{{1}}")


def _relation_here(name: str, one: str, other: str, related: _Related, phrase: str) -> TracePredicate:
    def holds(moment: Moment) -> bool:
        value, same = moment.variables.get(one), moment.variables.get(other)
        return value is not None and same is not None and related(value, same)

    return TracePredicate(name, holds, 1, False, (Part((0,), holds),), phrase)


def _relation(name: str, one: str, other: str, related: _Related, phrase: str) -> TracePredicate:
    def holds(earlier: Moment, later: Moment) -> bool:
        before, after = earlier.variables.get(one), later.variables.get(other)
        return before is not None and after is not None and related(before, after)

    def sees(place: int, moment: Moment) -> tuple[Value | None, bool]:
        value = moment.variables.get(other if place else one)
        return value, isinstance(value, bool)

    return TracePredicate(name, holds, 2, False, (Part((0, 1), holds, sees),), phrase)


@cache
def maker_of(value: Value) -> str | None:
    """What stands in the first place of a term: `p2` for `n(p2,p1,r)`; None if there is nothing."""
    if not isinstance(value, str):
        return None
    arguments = Label.read(value).arguments
    return arguments[0] if arguments else None


def _is_maker(maker: Value, made: Value) -> bool:
    return maker_of(made) == maker


def _same(one: Value, other: Value) -> bool:
    """Equality that keeps `true` and 1 apart."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)

"""The facts that are true of a trace, in the order in which minimisation tries to do without them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from otsrw.traces.constraints import (
    Before,
    Contains,
    Detail,
    Equals,
    Fact,
    Moment,
    Placed,
    Satisfies,
    TracePredicate,
    Vocabulary,
)
from otsrw.traces.relations import relations_of
from otsrw.traces.trace import Value


def facts_of(moments: Sequence[Moment], vocabulary: Vocabulary, detail: Detail = Detail.MEMBERS) -> tuple[Fact, ...]:
    """All facts that are true of a trace.

    Positions go first and predicates of the user last. Observers go before events, since what happened explains more
    than what was then observed, and arguments of events before their types, which are true of more traces. Relations
    between values go after the values: they are true of more traces, too. Those with observers go before the types, and
    before the order of positions, which they imply: a value that stays the same is seldom why something happens.
    """
    count = range(len(moments))
    facts: list[Fact] = []
    if detail is Detail.PLACES:
        facts += [Placed(index, index) for index in count]
    order = [Before(first, second) for first, second in combinations(count, 2)] if vocabulary.order else []
    facts += order if not vocabulary.relations else []
    if vocabulary.equality:
        whole = detail is not Detail.MEMBERS
        facts += _equalities(((n, _plain(m, whole)) for n, m in enumerate(moments)), vocabulary.hidden)
        facts += _memberships(moments, vocabulary.hidden)
        facts += _equalities(((n, m.arguments) for n, m in enumerate(moments)), vocabulary.hidden)
    observed, events = relations_of(moments, vocabulary) if vocabulary.relations else ([], [])
    facts += [*_satisfied(moments, observed), *order] if vocabulary.relations else []
    if vocabulary.equality:
        facts += _equalities(((n, m.type) for n, m in enumerate(moments)), vocabulary.hidden)
    return (*facts, *_satisfied(moments, [*events, *vocabulary.predicates]))


def _satisfied(moments: Sequence[Moment], predicates: Iterable[TracePredicate]) -> list[Fact]:
    return [
        Satisfies(predicate, positions)
        for predicate in predicates
        for positions in combinations(range(len(moments)), predicate.arity)
        if predicate.holds(*(moments[position] for position in positions))
    ]


def _equalities(values: Iterable[tuple[int, Mapping[str, Value]]], hidden: frozenset[str]) -> list[Fact]:
    return [
        Equals(position, variable, value)
        for position, moment in values
        for variable, value in moment.items()
        if variable not in hidden
    ]


def _plain(moment: Moment, whole: bool) -> Mapping[str, Value]:
    """The observers, without those whose collections are not empty unless these are to be named as a whole."""
    if whole or not moment.members:
        return moment.observers
    return {name: value for name, value in moment.observers.items() if name not in moment.members}


def _memberships(moments: Sequence[Moment], hidden: frozenset[str]) -> list[Fact]:
    return [
        Contains(position, variable, element)
        for position, moment in enumerate(moments)
        for variable, elements in moment.members.items()
        if variable not in hidden
        for element in elements
    ]

"""What a case says about the elements of a bag or a list that is observed, with variables for the rest.

A case says `nw(s) = (lock(c) , grant(d) , n)`. That there are two elements, or these two, or that one of them is behind
the other in a list, follows from it, and is what a lemma may be about.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from otsrw.reasoning.constructors import Constructors
from otsrw.reasoning.workbench import Workbench
from otsrw.theory.terms import Symbol, Term

MAX_PAIRS = 3
"""Pairs of elements of one collection."""


def elements_of(value: Term, constructors: Constructors) -> list[Term]:
    """The elements that a value of a bag or a list names; nothing for other values."""
    if not constructors.collects(value.op):
        return list(dict.fromkeys(_elements_of_list(value, constructors)))
    return list(dict.fromkeys(part for part in value.args if constructors.is_single(part, value.op)))


def _elements_of_list(value: Term, constructors: Constructors) -> Iterator[Term]:
    """The elements of a list that a free constructor builds of an element and a list."""
    while value.op in constructors.free and len(value.args) == 2:
        rests = [part for part in value.args if part.sort is value.sort]
        if len(rests) != 1:
            return
        yield from (part for part in value.args if part is not rests[0])
        value = rests[0]


def patterns_of(value: Term, bench: Workbench) -> Iterator[Term]:
    """Terms that the value is an instance of, with fresh constants for what they leave open."""
    if bench.constructors.collects(value.op):
        yield from _bag_patterns(value, bench) if value.op.comm else _list_patterns(value, bench)


def _bag_patterns(value: Term, bench: Workbench) -> Iterator[Term]:
    op = value.op
    singles = [part for part in value.args if bench.constructors.is_single(part, op)]
    found: dict[tuple[Term, ...], None] = {}
    for pair in list(combinations(singles, 2))[:MAX_PAIRS]:
        found[pair] = None
        found[tuple(_general(part, bench) for part in pair)] = None
    for elements in found:
        yield op.make((*elements, _rest(op, bench)))


def _list_patterns(value: Term, bench: Workbench) -> Iterator[Term]:
    op, parts = value.op, value.args
    for place, part in list(enumerate(parts))[1 : MAX_PAIRS + 1]:
        if bench.constructors.is_single(part, op):
            yield op.make((_rest(op, bench), *parts[place:]))


def _general(element: Term, bench: Workbench) -> Term:
    """The element with fresh constants for the arguments of its constructor, or for itself."""
    if element.op in bench.constructors.free and element.args:
        return element.op.make(tuple(bench.part(arg.sort) for arg in element.args))
    return bench.part(element.sort)


def _rest(op: Symbol, bench: Workbench) -> Term:
    return bench.part(op.decls[0].coarity)

"""What the collections that observers hold consist of: sets and bags, made by an associative commutative operator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from otsrw.ots import Instance
from otsrw.ots.stepping import Values
from otsrw.theory.printing import show
from otsrw.theory.terms import Symbol, Term
from otsrw.traces.trace import Value


def collectors(instance: Instance) -> Mapping[int, Symbol]:
    """The operator that joins the elements, for each number of a slot whose observer holds a collection."""
    signature = instance.module.signature
    makers = [s for s in signature.symbols() if s.assoc and s.comm and s.native is None and s.decls]
    found = {}
    for number, slot in enumerate(instance.slots):
        sort = slot.observer.symbol.decls[0].coarity
        for symbol in makers:
            if any(decl.coarity is sort for decl in symbol.decls):
                found[number] = symbol
    return found


def _elements(value: Term, collector: Symbol, text: Callable[[Term], str]) -> tuple[str, ...]:
    """The different elements of a collection as text, in the order in which it is printed."""
    if value is collector.identity:
        return ()
    parts = value.args if value.op is collector else (value,)
    return tuple(dict.fromkeys(map(text, parts)))


def collections_of(
    instance: Instance, states: Iterable[Values], shown: Mapping[Term, Value]
) -> dict[str, dict[Value, tuple[str, ...]]]:
    """For each observer that holds a collection, the elements of every value that it has in some state.

    `shown` has the values as the observed graph shows them.
    """
    collecting = collectors(instance)
    if not collecting:
        return {}
    seen: dict[int, set[Term]] = {number: set() for number in collecting}
    for values in states:
        for number in collecting:
            seen[number].add(values[number])
    text = cache(show)  # collections have few elements that differ
    return {
        instance.slots[number].name: {shown[value]: _elements(value, collecting[number], text) for value in terms}
        for number, terms in seen.items()
    }

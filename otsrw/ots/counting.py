"""Numbers that count entities, as the states of small instances show them.

`nr(S)` of readers and writers is in every state the number of threads T with `loc(S,T) = rd`. No lemma in the words of
the specification says so: it would have to name all these threads. What is found here is a guess, and is worth a proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from otsrw.ots.instance import Instance
from otsrw.ots.model import Ots, StateOperator
from otsrw.ots.stepping import Values
from otsrw.reasoning.constructors import Constructors
from otsrw.reasoning.integers import Integers
from otsrw.records import NamedTuple
from otsrw.rewriting.rewriter import Rewriter
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Module
from otsrw.theory.printing import show
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, Symbol, Term, literal_of, variable

MAX_VALUES = 6
"""Values of an observer that are looked at."""
MAX_JOINED = 3
"""Values that entities of one group may have."""
MAX_LAWS = 3


class NumberSort(NamedTuple):
    """A sort of natural numbers: built in, or built of a constant and a successor."""

    sort: Sort
    zero: Term
    successor: Symbol
    is_built_in: bool

    def number(self, term: Term) -> int | None:
        """The number that a value is; None if it is none. The value may be of another module with this sort."""
        if isinstance(term, LiteralTerm):
            return term.value if isinstance(term.value, int) else None
        count = 0
        while term.op.name == self.successor.name and term.args:
            term, count = term.args[0], count + 1
        return count if term.op.name == self.zero.op.name else None


class CountedGroup(NamedTuple):
    """The entities at which an observer with one index has one of some values; none has one initially."""

    observer: StateOperator
    values: tuple[Term, ...]


class CountingLaw(NamedTuple):
    """An observer that tells how many entities a group has, or how many are missing to a total."""

    observer: StateOperator
    numbers: NumberSort
    group: CountedGroup
    total: int | None
    """The sum of both; None if they are equal."""


class Sample(NamedTuple):
    """States of an instance."""

    instance: Instance
    states: Sequence[Values]


def counting_laws(ots: Ots, samples: Sequence[Sample]) -> list[CountingLaw]:
    """What seems to count entities in all states of all samples; groups of few values first."""
    groups = dict(_uniform_observers(ots))
    found: list[CountingLaw] = []
    for observer in ots.observers:
        numbers = None if observer.indexes else number_sort(ots.module, observer.value)
        for grouped, first in groups.items() if numbers is not None else ():
            assert numbers is not None
            law = _law(ots.module, _Counts(samples, observer, numbers, grouped), first)
            found += [] if law is None else [law]
    return sorted(found, key=lambda law: len(law.group.values))[:MAX_LAWS]


def number_sort(module: Module, sort: Sort) -> NumberSort | None:
    """The sort as one of natural numbers; None if it is none."""
    integers = Integers(module)
    if integers.is_integer(sort):
        successor = integers.symbols.get(Builtin.SUCCESSOR)
        return None if successor is None else NumberSort(integers.sorts["Nat"], literal_of(0), successor, True)
    leq = module.signature.order.leq
    free = Constructors(module).free
    makers = [s for s in module.signature.symbols() if s in free and any(leq(decl.coarity, sort) for decl in s.decls)]
    zeros = [s for s in makers if not s.nargs]
    successors = [s for s in makers if s.nargs == 1 and s.decls[0].arity == (sort,)]
    if len(makers) != 2 or len(zeros) != 1 or len(successors) != 1:
        return None
    return NumberSort(sort, zeros[0].make(()), successors[0], False)


def _uniform_observers(ots: Ots) -> Iterator[tuple[StateOperator, str]]:
    """Observers of one index that have the same value everywhere in all initial states, and that value."""
    rewriter = Rewriter(ots.module)
    for observer in ots.observers:
        if len(observer.indexes) != 1 or any(initial.nargs for initial in ots.initials):
            continue
        index = variable("X", observer.indexes[0])
        first = {rewriter.reduce(observer.apply(each.make(()), (index,))).term for each in ots.initials}
        if len(first) == 1 and not next(iter(first)).args:
            yield observer, show(first.pop())


class _Counts:
    """In each state of the samples a number, and how many entities have each value."""

    def __init__(
        self, samples: Sequence[Sample], observer: StateOperator, numbers: NumberSort, grouped: StateOperator
    ) -> None:
        self.observer = observer
        self.numbers = numbers
        self.grouped = grouped
        self.rows = list(chain.from_iterable(map(self._rows, samples)))
        self.values = dict.fromkeys(value for _, counts in self.rows for value in counts)
        """The constants that occur, by their texts."""

    def _rows(self, sample: Sample) -> Iterator[tuple[int | None, Counter[str]]]:
        slots = sample.instance.slots
        is_entity = self.grouped.indexes[0].name in sample.instance.given
        own = [place for place, slot in enumerate(slots) if slot.observer.name == self.observer.name]
        grouped = [place for place, slot in enumerate(slots) if slot.observer.name == self.grouped.name]
        for state in sample.states:
            number = self.numbers.number(state[own[0]]) if len(own) == 1 and is_entity else None
            yield number, Counter(show(state[place]) for place in grouped)


def _law(module: Module, counts: _Counts, first: str) -> CountingLaw | None:
    """The law of the smallest group; None if there is none, or one that the states say nothing about."""
    values = [value for value in counts.values if value != first]
    if not counts.rows or len(values) > MAX_VALUES or any(number is None for number, _ in counts.rows):
        return None
    for joined in chain.from_iterable(combinations(values, size) for size in range(1, MAX_JOINED + 1)):
        sizes = [(number or 0, sum(each[value] for value in joined)) for number, each in counts.rows]
        if len({size for _, size in sizes}) < 2:
            continue
        totals = {number + size for number, size in sizes}
        is_equal = all(number == size for number, size in sizes)
        if is_equal or (len(totals) == 1 and counts.numbers.is_built_in):
            constants = _constants(module, counts.grouped.value, joined)
            if constants is None:
                return None
            total = None if is_equal else totals.pop()
            return CountingLaw(counts.observer, counts.numbers, CountedGroup(counts.grouped, constants), total)
    return None


def _constants(module: Module, sort: Sort, names: Sequence[str]) -> tuple[Term, ...] | None:
    """The constants of a sort with these names; None if a name means no constant, or several."""
    leq = module.signature.order.leq
    found = []
    for name in names:
        symbols = [s for s in module.signature.constants_named(name) if leq(s.decls[0].coarity, sort)]
        if len(symbols) != 1:
            return None
        found.append(symbols[0].make(()))
    return tuple(found)

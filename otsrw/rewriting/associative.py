"""Matching of collections: terms of associative operators, as lists, or as multisets if they are commutative, too.

Idempotent collections are matched by disjoint shares: `a X` does not match the one-element set `a` with X = a.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.rewriting.budget import Budget
from otsrw.theory.morphisms import Substitution
from otsrw.theory.sorts import Sort, SortOrder
from otsrw.theory.terms import Symbol, Term

CHECK_EVERY = 50_000


def _elements(op: Symbol, subject: Term) -> tuple[Term, ...]:
    if subject.op is op:
        return subject.args
    return () if subject is op.identity else (subject,)


def _counted(terms: Iterable[Term]) -> dict[Term, int]:
    """How often each term occurs, in the order of the first ones; a Counter takes several times as long for a few."""
    counts: dict[Term, int] = {}
    for term in terms:
        counts[term] = counts.get(term, 0) + 1
    return counts


def _sub_multisets(available: list[tuple[Term, int]], start: int, size: int, left: int) -> Iterator[tuple[Term, ...]]:
    """All collections of `size` elements, taking at most the given number of each; `left` is how many there are."""
    if size == 0:
        yield ()
        return
    if size > left:
        return
    element, most = available[start]
    for taken in range(min(most, size), -1, -1):
        for rest in _sub_multisets(available, start + 1, size - taken, left - most):
            yield (element,) * taken + rest


class MatchingTooLong(Exception):
    """A matcher has made as many steps as it may."""


class CollectionMatcher:
    """Matches lists and multisets of terms; how an element is matched is left to the subclass."""

    def __init__(self, order: SortOrder, identity: bool = True, most: int | None = None) -> None:
        self.below = order.below
        self.identity = identity
        self.most = most
        """Steps after which `MatchingTooLong` is raised; None: no bound. Whoever sets it sets `steps` back."""
        self.steps = 0
        self.budget: Budget | None = None
        self._single: dict[tuple[Symbol, Sort], bool] = {}
        """Known answers of `_takes_only_elements`."""

    def begin(self, budget: Budget) -> None:
        self.budget = budget
        self.steps = 0

    def _step(self) -> None:
        """A search for a match rewrites nothing, so it looks at the clock itself."""
        self.steps += 1
        if self.steps % CHECK_EVERY == 0 and self.budget is not None:
            self.budget.check_time()
        if self.most is not None and self.steps > self.most:
            raise MatchingTooLong

    def match(self, pattern: Term, subject: Term, bound: Substitution) -> Iterator[Substitution]:
        """All extensions of `bound` that make `pattern` equal to `subject`."""
        raise NotImplementedError

    def match_collection(self, pattern: Term, subject: Term, bound: Substitution) -> Iterator[Substitution]:
        """Match a term of an associative operator with a subject, which may be a single element or the identity."""
        op = pattern.op
        elements = _elements(op, subject)
        if op.comm:
            for found, rest in self.match_multiset(op, pattern.args, elements, bound, False):
                assert not rest
                yield found
        else:
            for found, _, _ in self.match_list(op, pattern.args, elements, bound, False):
                yield found

    def fits(self, variable: Term, subject: Term) -> bool:
        if subject.sort is variable.sort:
            return True
        below = self.below.get(variable.sort)
        return below is None or subject.sort in below

    def absorbs(self, op: Symbol) -> bool:
        """May a variable under this operator stand for the identity element?"""
        return self.identity and op.identity_matches

    def _collect(self, op: Symbol, share: tuple[Term, ...]) -> Term | None:
        if not share:
            return op.identity if self.absorbs(op) else None
        return share[0] if len(share) == 1 else op.make(share)

    # --- associative and commutative: multisets

    def match_multiset(
        self, op: Symbol, patterns: tuple[Term, ...], elements: tuple[Term, ...], bound: Substitution, extend: bool
    ) -> Iterator[tuple[Substitution, tuple[Term, ...]]]:
        """Match all patterns against the elements; with `extend` some elements may be left over and are yielded."""
        rest = list(elements)
        free: list[Term] = []
        shapes: list[Term] = []
        for pattern in patterns:
            if pattern.op.variable and pattern not in bound:
                free.append(pattern)
            elif pattern.op.variable or pattern.ground:
                wanted = bound[pattern] if pattern.op.variable else pattern
                for element in _elements(op, wanted):
                    if element not in rest:
                        return
                    rest.remove(element)
            else:
                shapes.append(pattern)
        yield from self._match_shapes(op, shapes, free, rest, bound, extend)

    def _match_shapes(
        self, op: Symbol, shapes: list[Term], free: list[Term], rest: list[Term], bound: Substitution, extend: bool
    ) -> Iterator[tuple[Substitution, tuple[Term, ...]]]:
        if not shapes:
            yield from self._share_out(op, free, rest, bound, extend)
            return
        tried: set[Term] = set()
        for index, element in enumerate(rest):
            if element in tried:
                continue
            tried.add(element)
            for found in self.match(shapes[0], element, bound):
                remaining = rest[:index] + rest[index + 1 :]
                still_free = [v for v in free if v not in found]
                ok = True
                for variable in free:
                    if variable in found:
                        for part in _elements(op, found[variable]):
                            if part not in remaining:
                                ok = False
                                break
                            remaining.remove(part)
                if ok:
                    yield from self._match_shapes(op, shapes[1:], still_free, remaining, found, extend)

    def _takes_only_elements(self, op: Symbol, variable: Term) -> bool:
        """Can this variable never stand for a collection of two or more elements?"""
        known = self._single.get((op, variable.sort))
        if known is None:
            below = self.below.get(variable.sort)
            known = below is not None and not any(decl.coarity in below for decl in op.decls)
            self._single[op, variable.sort] = known
        return known

    def _share_out(
        self, op: Symbol, free: list[Term], rest: list[Term], bound: Substitution, extend: bool
    ) -> Iterator[tuple[Substitution, tuple[Term, ...]]]:
        """Distribute the remaining elements over the variables, single-element variables first."""
        self._step()
        if not free:
            if not rest or extend:
                yield bound, tuple(rest)
            return
        variable = free[0] if len(free) == 1 else min(free, key=lambda v: not self._takes_only_elements(op, v))
        others = [v for v in free if v is not variable]
        times = len(free) - len(others)
        last = not others
        for share in self._shares(op, variable, rest, times, last and not extend, bool(others) and not extend):
            value = self._collect(op, share)
            if value is None or not self.fits(variable, value):
                continue
            remaining = list(rest)
            for element in share:
                for _ in range(times):
                    remaining.remove(element)
            yield from self._share_out(op, others, remaining, {**bound, variable: value}, extend)

    def _shares(
        self, op: Symbol, variable: Term, rest: list[Term], times: int, takes_all: bool, more_to_come: bool
    ) -> Iterator[tuple[Term, ...]]:
        """What one variable, occurring `times` times, may take of the rest."""
        counts = _counted(rest)
        if takes_all:
            if all(n % times == 0 for n in counts.values()):
                yield tuple(e for e, n in counts.items() for _ in range(n // times))
            return
        available = [(element, n // times) for element, n in counts.items() if n >= times]
        if self._takes_only_elements(op, variable):
            for element, _ in available:
                yield (element,)
            if self.absorbs(op):
                yield ()
            return
        total = sum(n for _, n in available)
        sizes = [*range(1, total + 1), 0] if more_to_come else range(total, -1, -1)
        for size in sizes:
            yield from _sub_multisets(available, 0, size, total)

    # --- associative only: lists

    def match_list(
        self, op: Symbol, patterns: tuple[Term, ...], elements: tuple[Term, ...], bound: Substitution, extend: bool
    ) -> Iterator[tuple[Substitution, tuple[Term, ...], tuple[Term, ...]]]:
        """Match patterns against a list; with `extend` a prefix and a suffix may be left over and are yielded."""
        starts = range(len(elements) + 1) if extend else (0,)
        for start in starts:
            for found, end in self._match_from(op, patterns, elements, start, bound, extend):
                yield found, elements[:start], elements[end:]

    def _match_from(
        self,
        op: Symbol,
        patterns: tuple[Term, ...],
        elements: tuple[Term, ...],
        start: int,
        bound: Substitution,
        extend: bool,
    ) -> Iterator[tuple[Substitution, int]]:
        if not patterns:
            if extend or start == len(elements):
                yield bound, start
            return
        first, others = patterns[0], patterns[1:]
        if first.op.variable and first not in bound:
            yield from self._match_segment(op, first, others, elements, start, bound, extend)
        elif first.op.variable:
            wanted = _elements(op, bound[first])
            end = start + len(wanted)
            if elements[start:end] == wanted:
                yield from self._match_from(op, others, elements, end, bound, extend)
        elif start < len(elements):
            for found in self.match(first, elements[start], bound):
                yield from self._match_from(op, others, elements, start + 1, found, extend)

    def _match_segment(
        self,
        op: Symbol,
        variable: Term,
        others: tuple[Term, ...],
        elements: tuple[Term, ...],
        start: int,
        bound: Substitution,
        extend: bool,
    ) -> Iterator[tuple[Substitution, int]]:
        shortest = start if self.absorbs(op) else start + 1
        longest = len(elements)
        if self._takes_only_elements(op, variable):
            longest = min(longest, start + 1)
        ends: range = range(shortest, longest + 1)
        if not others and not extend:
            ends = range(len(elements), len(elements) + 1) if shortest <= len(elements) <= longest else range(0)
        for end in ends:
            value = self._collect(op, elements[start:end])
            if value is not None and self.fits(variable, value):
                yield from self._match_from(op, others, elements, end, {**bound, variable: value}, extend)

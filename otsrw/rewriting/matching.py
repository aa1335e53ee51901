"""Matching modulo associativity, commutativity and identity, complete, by backtracking.

`match` yields substitutions (dictionaries from variable to term). Patterns and subjects are interned canonical terms,
so a ground pattern matches by identity. Collections, the terms of associative operators, are matched in
rewriting/associative.py, which also offers what is left over around a match: that is how an equation applies inside a
larger sum or list.
"""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.rewriting.associative import CollectionMatcher
from otsrw.rewriting.ring import RingTerm
from otsrw.theory.morphisms import Substitution
from otsrw.theory.terms import Term


class Matcher(CollectionMatcher):
    """Matching under one sort order.

    With `identity` a variable of a collection may stand for the identity element, that is for nothing. Equations are
    matched without: their instances for identities are rules of their own, tried after the others (see `completions`).
    """

    def match(self, pattern: Term, subject: Term, bound: Substitution) -> Iterator[Substitution]:
        """All extensions of `bound` that make `pattern` equal to `subject`."""
        op = pattern.op
        if op.lower is not None and subject.op is op.lower and (op.lower.assoc or len(pattern.args) == 2):
            pattern, op = op.lower.pattern(pattern.args), op.lower
        if op.variable:
            known = bound.get(pattern)
            if known is not None:
                if known is subject:
                    yield bound
            elif self.fits(pattern, subject):
                yield {**bound, pattern: subject}
        elif pattern.ground and subject.__class__ is not RingTerm:
            if pattern is subject:
                yield bound
        elif op.assoc:
            yield from self.match_collection(pattern, subject, bound)
        elif self.absorbs(op):
            yield from self._match_identity(pattern, subject, bound)
        elif subject.op is op:
            if op.comm:
                yield from self._match_commutative(pattern.args, subject.args, bound)
            else:
                yield from self.match_all(pattern.args, subject.args, bound)

    def match_all(
        self, patterns: tuple[Term, ...], subjects: tuple[Term, ...], bound: Substitution
    ) -> Iterator[Substitution]:
        """Match argument lists of equal length position by position."""
        if len(patterns) == 1:
            yield from self.match(patterns[0], subjects[0], bound)
            return
        if not patterns:
            yield bound
            return
        for first in self.match(patterns[0], subjects[0], bound):
            yield from self.match_all(patterns[1:], subjects[1:], first)

    def _match_commutative(
        self, patterns: tuple[Term, ...], subjects: tuple[Term, ...], bound: Substitution
    ) -> Iterator[Substitution]:
        yield from self.match_all(patterns, subjects, bound)
        if subjects[0] is not subjects[1]:
            yield from self.match_all(patterns, (subjects[1], subjects[0]), bound)

    def _match_identity(self, pattern: Term, subject: Term, bound: Substitution) -> Iterator[Substitution]:
        """A binary operator with an identity that is not associative: one side may be the identity."""
        op = pattern.op
        if subject.op is op:
            if op.comm:
                yield from self._match_commutative(pattern.args, subject.args, bound)
            else:
                yield from self.match_all(pattern.args, subject.args, bound)
        identity = op.identity
        assert identity is not None
        left, right = pattern.args
        for half in self.match(left, identity, bound):
            yield from self.match(right, subject, half)
        if left is not right:
            for half in self.match(right, identity, bound):
                yield from self.match(left, subject, half)

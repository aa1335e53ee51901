"""Terms whose evaluation certainly never ends: a call that comes back to itself.

Only calls that are made whatever the arguments are count: those of unconditional equations, outside of lazy arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from otsrw.rewriting.matching import Matcher
from otsrw.soundness.calls import Call, Function
from otsrw.soundness.descent import Parts
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Term, subterms, variable, variables_of

MAX_DEPTH = 4
MAX_TERMS = 300


def find_loop(calls: Sequence[Call], parts: Parts) -> tuple[Call, Term, Term] | None:
    """An equation, a term it rewrites and an instance of that term which is called then; None if none was found."""
    certain = [call for call in calls if call.certain]
    matcher = Matcher(parts.order)
    for call in certain:
        for start in _starts(call.left, parts):
            found = _come_back(start, call.caller, certain, matcher)
            if found is not None:
                return call, start, found
    return None


def _starts(left: Term, parts: Parts) -> Iterator[Term]:
    """The left side, and its instances where a part of a collection is the identity."""
    yield left
    for inner in subterms(left):
        identity = inner.op.identity
        for part in inner.args if identity is not None else ():
            if part.op.variable and parts.may_be_identity(part, inner.op):
                assert identity is not None
                yield substitute(left, {part: identity})


def _come_back(start: Term, function: Function, calls: Sequence[Call], matcher: Matcher) -> Term | None:
    level = [start]
    seen = 0
    for _ in range(MAX_DEPTH):
        after: dict[Term, None] = {}
        for term in level:
            for called in _called(term, calls, matcher):
                seen += 1
                if seen > MAX_TERMS:
                    return None
                if called.op is function.symbol and next(matcher.match(start, called, {}), None) is not None:
                    return called
                after[called] = None
        level = list(after)
    return None


def _called(term: Term, calls: Iterable[Call], matcher: Matcher) -> Iterator[Term]:
    for call in calls:
        if call.left.op is not term.op:
            continue
        apart = {v: variable(v.op.name + "'", v.sort) for v in variables_of(call.left)}
        bindings = next(matcher.match(substitute(call.left, apart), term, {}), None)
        if bindings is not None:
            yield substitute(substitute(call.right, apart), bindings)

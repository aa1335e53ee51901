"""Built-in operators on literals, as functions on terms."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from otsrw.rewriting.rulebase import RuleBase
from otsrw.rewriting.rules import fits_built_in_rank
from otsrw.theory.builtins import COMPUTE, Builtin
from otsrw.theory.signature import Signature
from otsrw.theory.terms import LiteralTerm, Symbol, Term, literal_of


def computation(symbol: Symbol, rulebase: RuleBase) -> Callable[..., Term | None]:
    """A built-in operator on arguments; None if they are no literals, or it stays as it is on them."""
    assert symbol.native is not None
    compute = COMPUTE[symbol.native]
    arity = symbol.nargs
    truth = {True: rulebase.true, False: rulebase.false}
    missing = _not_found(symbol, rulebase.signature)
    is_meant = fits_built_in_rank(symbol)

    def result(value: object) -> Term | None:
        if value is None:
            return missing
        return truth[value] if value.__class__ is bool else literal_of(value)

    def run(*args: Term) -> Term | None:
        values = []
        for arg in args:
            if arg.__class__ is not LiteralTerm:
                return None
            values.append(arg.value)
        if is_meant is not None and not is_meant(tuple([arg.sort for arg in args])):
            return None
        return result(compute(*values) if len(values) <= arity else reduce(compute, values))

    def run_binary(first: Term, second: Term, *more: Term) -> Term | None:
        if more:
            return run(first, second, *more)
        if first.__class__ is not LiteralTerm or second.__class__ is not LiteralTerm:
            return None
        if is_meant is not None and not is_meant((first.sort, second.sort)):
            return None
        return result(compute(first.value, second.value))

    return run_binary if arity == 2 else run


def _not_found(symbol: Symbol, signature: Signature) -> Term | None:
    """What a search in a string gives if nothing is found; None for other operators."""
    if symbol.native in (Builtin.FIND, Builtin.RFIND):
        found = signature.constants_named("notFound")
        return found[0].make(()) if found else None
    return None


def folding(symbol: Symbol) -> Callable[[tuple[Term, ...]], tuple[Term, ...] | None]:
    """A built-in associative and commutative operator: combines the literals among arguments, None if there are few."""
    assert symbol.native is not None
    compute = COMPUTE[symbol.native]
    is_meant = fits_built_in_rank(symbol)

    def fold(args: tuple[Term, ...]) -> tuple[Term, ...] | None:
        literals = [arg for arg in args if arg.__class__ is LiteralTerm]
        if is_meant is not None:
            literals = [arg for arg in literals if is_meant((arg.sort, arg.sort))]
        if len(literals) < 2:
            return None
        total: Any = literals[0].value
        for literal in literals[1:]:
            total = compute(total, literal.value)
            if total is None:
                return None
        return (literal_of(total), *(arg for arg in args if arg not in literals))

    return fold

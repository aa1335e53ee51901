"""When are two lists the same list?

Lists are joined by an operator that is associative and not commutative, and that no equation rewrites. Two lists are
the same if their elements are, one by one.
"""

from __future__ import annotations

from collections.abc import Container

from otsrw.reasoning.connectives import Connectives
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Symbol, Term


def same_lists(left: Term, right: Term, connectives: Connectives, rewritten: Container[Symbol]) -> Term | None:
    """What the equality of two lists amounts to; None if it is not known.

    A list is some elements and perhaps a variable for the rest.
    """
    op = next((side.op for side in (left, right) if side.op.assoc), None)
    if op is None or op.comm or op.idem or op in rewritten or op.native is not None or op.lower or op.upper:
        return None
    one, other = _read(left, op), _read(right, op)
    if one is None or other is None:
        return None
    (first, rest), (second, more) = one, other
    common = min(len(first), len(second))
    parts = [connectives.equal(a, b) for a, b in zip(first[:common], second[:common], strict=True)]
    if len(first) == len(second) and rest is not None and more is not None:
        parts.append(connectives.equal(rest, more))
    elif _least(first, rest, op) > _most(second, more) or _least(second, more, op) > _most(first, rest):
        return connectives.false
    elif len(first) != len(second) or rest is not more:
        return None
    result = connectives.true
    for part in parts:
        result = part if result is connectives.true else connectives.symbol(Builtin.AND).make((result, part))
    return result


def _read(term: Term, op: Symbol) -> tuple[tuple[Term, ...], Term | None] | None:
    """The elements of a list and the variable for its rest; None if it has another form."""
    if term is op.identity:
        return (), None
    parts = term.args if term.op is op else (term,)
    rest = parts[-1] if parts[-1].op.variable and not _is_element(parts[-1], op) else None
    elements = parts if rest is None else parts[:-1]
    return (elements, rest) if all(_is_element(part, op) for part in elements) else None


def _is_element(term: Term, op: Symbol) -> bool:
    """Is the term certainly one element? No list of several, or of none, has its sort."""
    order = op.order
    if term.sort not in order.below or any(order.leq(decl.coarity, term.sort) for decl in op.decls):
        return False
    return op.identity is None or not order.leq(op.identity.sort, term.sort)


def _least(elements: tuple[Term, ...], rest: Term | None, op: Symbol) -> int:
    return len(elements) + (rest is not None and op.identity is None)


def _most(elements: tuple[Term, ...], rest: Term | None) -> float:
    return len(elements) if rest is None else float("inf")

"""Lemmas that ask for larger and larger ones of the same shape.

`not array(S, s(next(S)))` may need `not array(S, s(s(next(S))))`, and so on for ever; or one about two processes one
about three. Clauses are of one family if they are made of literals of the same shapes.
"""

from __future__ import annotations

from collections.abc import Sequence

from otsrw.induction.clauses import Clause, renamed, replace
from otsrw.reasoning.connectives import Literal
from otsrw.theory.terms import Term, subterms, variables_of

MEMBERS = 3
"""So many lemmas below each other are taken for a family that grows for ever."""


def growing_family(clauses: Sequence[Clause]) -> list[Clause]:
    """The members, smaller ones first, of the family that the last clause continues; nothing if they are too few.

    Between two members there may be others: families can take turns.
    """
    members = [clauses[-1]]
    shapes = _shapes(clauses[-1])
    for older in reversed(clauses[:-1]):
        if _size(older) < _size(members[0]) and _shapes(older) == shapes:
            members.insert(0, older)
    return members if len(members) >= MEMBERS else []


def _size(clause: Clause) -> int:
    return sum(1 for literal in clause.literals for _ in subterms(literal.atom))


def _shapes(clause: Clause) -> frozenset[tuple[bool, object]]:
    """What the literals look like: variables count as their sorts, `s(s(x))` as `s(x)`."""
    return frozenset((literal.positive, _shape(literal.atom)) for literal in clause.literals)


def _shape(term: Term) -> object:
    if term.op.variable:
        return term.sort
    if len(term.args) == 1 and term.args[0].op is term.op:
        return _shape(term.args[0])
    if not term.args:
        return term
    shapes = map(_shape, term.args)
    return (term.op, frozenset(shapes)) if term.op.comm else (term.op, *shapes)


def generalised(older: Clause, newer: Clause) -> Clause | None:
    """What two members have in common, with variables for what has grown; None if they are of no family."""
    grown = grown_parts(older, newer)
    if not grown:
        return None
    taken = {v.op.name for literal in newer.literals for v in variables_of(literal.atom)}
    images = {part: renamed(part, taken) for part in grown}
    literals = tuple(Literal(replace(literal.atom, images), literal.positive) for literal in newer.literals)
    used = dict.fromkeys(v for literal in literals for v in variables_of(literal.atom) if v is not newer.state)
    return Clause(newer.state, literals, tuple(used))


def grown_parts(older: Clause, newer: Clause) -> list[Term]:
    """The parts of the newer clause that have grown; nothing if the clauses differ in anything else."""
    if len(older.literals) != len(newer.literals):
        return []
    grown: dict[Term, None] = {}
    renaming: dict[Term, Term] = {}
    for one, other in zip(older.literals, newer.literals, strict=True):
        if one.positive is not other.positive or not _compare(one.atom, other.atom, renaming, grown):
            return []
    return list(grown) if len(set(renaming.values())) == len(renaming) else []


def _compare(older: Term, newer: Term, renaming: dict[Term, Term], grown: dict[Term, None]) -> bool:
    """Are the terms equal but for names of variables and for parts that have grown?"""
    if older.op.variable and newer.op.variable and older.sort is newer.sort:
        return renaming.setdefault(older, newer) is newer
    if older.op is newer.op and len(older.args) == len(newer.args) and older.args:
        seen, found = dict(renaming), dict(grown)
        if all(_compare(a, b, renaming, grown) for a, b in zip(older.args, newer.args, strict=True)):
            return True
        renaming.clear()
        renaming.update(seen)
        grown.clear()
        grown.update(found)
    if older is newer:
        return True
    if not older.op.variable and _is_inside(older, newer, renaming):
        grown[newer] = None
        return True
    return False


def _is_inside(older: Term, newer: Term, renaming: dict[Term, Term]) -> bool:
    """Is the older term, with the names of the newer clause, a part of the newer one?"""
    return any(part is not newer and _are_one(older, part, renaming) for part in subterms(newer))


def _are_one(older: Term, newer: Term, renaming: dict[Term, Term]) -> bool:
    if older.op.variable and newer.op.variable:
        return renaming.get(older, newer) is newer
    if older is newer:
        return True
    if older.op is not newer.op or len(older.args) != len(newer.args) or not older.args:
        return False
    return all(_are_one(a, b, renaming) for a, b in zip(older.args, newer.args, strict=True))

"""Predicates that are true exactly of the elements of a list: of none of `nil`, and of `F` and those of `L` in `F | L`.

The list is built by a free constructor of an element and a list, so the equations of the predicate can be followed
by hand. By induction on the list: the right side for `(F | L)` is true if `E = F` or if `E in L`, and `is_membership`
has shown that it is false otherwise. Equations for what is no list of constructors, `E in put(L, F)`, match no value.
"""

from __future__ import annotations

from functools import partial

from otsrw.reasoning.data import DataTheory
from otsrw.records import NamedTuple
from otsrw.theory.builtins import EQUALITIES
from otsrw.theory.modules import Axiom
from otsrw.theory.terms import Symbol, Term


class ListShape(NamedTuple):
    """How the lists are built that a predicate looks into."""

    joined: Symbol
    """Of an element and a list, in one order or the other."""
    head: int
    """The place of the element."""
    ends: frozenset[Term]
    """Lists without elements."""

    def elements(self, value: Term) -> list[Term] | None:
        """The elements, each once; None if the value is not built like that."""
        found: dict[Term, None] = {}
        while value.op is self.joined:
            found[value.args[self.head]] = None
            value = value.args[1 - self.head]
        return list(found) if value in self.ends else None


def list_shape(theory: DataTheory, predicate: Symbol, element: int, collection: int) -> ListShape | None:
    """The lists of whose elements a membership predicate is true, and of nothing else; None if that cannot be seen."""
    looked_into = [rule for rule in theory.rules[predicate] if _is_built(theory, rule.lhs.args[collection])]
    joining = [rule for rule in looked_into if rule.lhs.args[collection].args]
    ends = [rule for rule in looked_into if rule not in joining]
    if len(joining) != 1 or not all(_is_about_all(theory, rule, element) for rule in looked_into):
        return None
    empty = [rule.lhs.args[collection] for rule in ends if rule.rhs is theory.connectives.false]
    if len(empty) != len(ends) or any(end.op.variable for end in empty):
        return None
    shape = joining[0].lhs.args[collection]
    head = _place_of_head(theory, shape)
    if head is None or not _accepts(theory, joining[0], element, collection):
        return None
    return ListShape(shape.op, head, frozenset(empty))


def _is_built(theory: DataTheory, shape: Term) -> bool:
    """May the shape match a value? Not if an operator is at its top that equations define."""
    return shape.op.variable or theory.is_constructor(shape.op)


def _is_about_all(theory: DataTheory, rule: Axiom, element: int) -> bool:
    """Does the equation hold for every element, without a condition?"""
    wanted, decls = rule.lhs.args[element], rule.lhs.op.decls
    is_any = wanted.op.variable and len(decls) == 1 and theory.order.leq(decls[0].arity[element], wanted.sort)
    return is_any and rule.condition is None


def _place_of_head(theory: DataTheory, shape: Term) -> int | None:
    """Where the element is, of variables for an element and a list; None if it is another shape."""
    if shape.op.has_theory or len(shape.args) != 2 or len(set(shape.args)) != 2:
        return None
    if len(shape.op.decls) != 1 or not all(arg.op.variable for arg in shape.args):
        return None
    decl, kind = shape.op.decls[0], theory.order.kind
    if any(kind[arg.sort] is not kind[sort] for arg, sort in zip(shape.args, decl.arity, strict=True)):
        return None
    if any(not theory.order.leq(sort, arg.sort) for arg, sort in zip(shape.args, decl.arity, strict=True)):
        return None
    heads = [place for place, sort in enumerate(decl.arity) if kind[sort] is not kind[decl.coarity]]
    return heads[0] if len(heads) == 1 else None


def _accepts(theory: DataTheory, rule: Axiom, element: int, collection: int) -> bool:
    """Is the right side true if the element is the first one, and if it is in the rest?"""
    wanted, shape = rule.lhs.args[element], rule.lhs.args[collection]
    if wanted in shape.args:
        return False
    true = theory.connectives.true

    def given(part: Term, term: Term) -> Term | None:
        same = term.op.native in EQUALITIES and {*term.args} == {wanted, part}
        inside = term.op is rule.lhs.op and term.args[element] is wanted and term.args[collection] is part
        return true if same or inside else None

    return all(theory.connectives.simplified(rule.rhs, partial(given, part)) is true for part in shape.args)

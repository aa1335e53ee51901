"""Which predicates say that an element is in a collection: a search looks for their elements nowhere else."""

from __future__ import annotations

import pytest
from support import module_of

from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.data import DataTheory
from otsrw.rewriting.rewriter import Rewriter
from otsrw.theory.modules import equations_by_symbol

LISTS = """
mod! LISTS { [Elt List] ops a b : -> Elt {constr} op nil : -> List {constr} op _;_ : Elt List -> List {constr}
  ops in no f g : Elt List -> Bool
  vars X Y : Elt var L : List
  eq in(X, nil) = false . eq in(X, Y ; L) = (X = Y) or in(X, L) .
  eq no(X, nil) = true . eq no(X, Y ; L) = not (X = Y) and no(X, L) .
  %s
}
"""


@pytest.mark.parametrize(
    ("equations", "is_one"),
    [
        ("eq f(X, nil) = false . eq f(X, Y ; L) = in(X, L) .", True),
        ("eq f(X, nil) = false . eq f(X, Y ; L) = in(X, L) or f(X, L) .", True),
        ("eq f(X, nil) = false . eq f(X, Y ; L) = no(X, L) .", False),
        ("eq f(X, nil) = false . eq f(X, Y ; L) = not in(X, L) .", False),
        ("eq f(X, nil) = false . eq f(X, Y ; L) = in(Y, L) .", False),
        ("eq f(X, nil) = false . eq f(X, Y ; L) = in(X, Y ; Y ; L) .", False),
        ("eq f(X, nil) = false . eq f(X, Y ; L) = g(X, L) . eq g(X, L) = f(X, L) .", False),
        ("eq f(X, nil) = true . eq f(X, Y ; L) = in(X, L) .", False),
    ],
)
def test_a_predicate_may_ask_another_one(equations: str, is_one: bool) -> None:
    module = module_of(LISTS % equations, "LISTS")
    rewriter, rules = Rewriter(module), equations_by_symbol(module)
    theory = DataTheory(module.signature, rules, Connectives(module.signature), lambda term: rewriter.reduce(term).term)
    asked = next(symbol for symbol in rules if symbol.name == "f")
    assert theory.is_membership(asked, 0, 1) is is_one

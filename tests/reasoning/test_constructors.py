"""Free constructors of tight modules and numerals are distinct; nothing else is claimed to be."""

from __future__ import annotations

import pytest
from support import module_of, term_of

from otsrw.reasoning.constructors import Constructors
from otsrw.theory.printing import show

TEXT = """
mod! LABEL { [Label] ops l1 l2 : -> Label {constr} }
mod* LOOSE { [Id] ops p q : -> Id {constr} }
mod! TREE { pr(LABEL) pr(LOOSE) pr(NAT)
  [Tree]
  op leaf : Label -> Tree {constr}
  op id : Id -> Tree {constr}
  op nat : Nat -> Tree {constr}
  op node : Tree Tree -> Tree {constr}
  op set : Tree Tree -> Tree {constr comm}
  op norm : Tree -> Tree {constr}
  op f : Tree -> Tree
  eq norm(norm(T:Tree)) = norm(T) .
}
"""


@pytest.mark.parametrize(
    ("left", "right", "distinct"),
    [
        ("l1", "l2", True),
        ("l1", "l1", False),
        ("p", "q", False),
        ("true", "false", True),
        ("1", "2", True),
        ("leaf ( l1 )", "leaf ( l2 )", True),
        ("leaf ( l1 )", "id ( p )", True),
        ("id ( p )", "id ( q )", False),
        ("nat ( 3 )", "nat ( 4 )", True),
        ("node ( id ( p ) , leaf ( l1 ) )", "node ( id ( q ) , leaf ( l2 ) )", True),
        ("set ( leaf ( l1 ) , leaf ( l1 ) )", "leaf ( l1 )", False),
        ("norm ( leaf ( l1 ) )", "leaf ( l1 )", False),
        ("f ( leaf ( l1 ) )", "leaf ( l2 )", False),
        ("T:Tree", "leaf ( l2 )", False),
    ],
)
def test_distinct(left: str, right: str, distinct: bool) -> None:
    module = module_of(TEXT, "TREE")
    assert Constructors(module).distinct(term_of(left, module), term_of(right, module)) is distinct


def test_an_equation_between_constructor_terms_decomposes() -> None:
    module = module_of(TEXT, "TREE")
    left = term_of("node ( id ( p ) , node ( X:Tree , leaf ( l1 ) ) )", module)
    right = term_of("node ( id ( q ) , node ( f ( X:Tree ) , leaf ( l1 ) ) )", module)
    parts = Constructors(module).decompose(left, right)
    assert parts is not None
    assert [(show(a), show(b)) for a, b in parts] == [("p", "q"), ("X:Tree", "f(X:Tree)")]


def test_distinct_terms_do_not_decompose() -> None:
    module = module_of(TEXT, "TREE")
    assert Constructors(module).decompose(term_of("leaf ( l1 )", module), term_of("id ( p )", module)) is None

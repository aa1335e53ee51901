"""Splits of goals: a lazy connective means what the plain one means, and forced splits are preferred."""

from __future__ import annotations

from itertools import product

import pytest
from support import check

from otsrw.induction.script_module import LazyOperator

PLAIN = {LazyOperator.IMPLICATION: "implies", LazyOperator.DISJUNCTION: "or"}


@pytest.mark.parametrize("operator", list(LazyOperator))
def test_lazy_connectives_mean_what_plain_ones_mean(operator: LazyOperator) -> None:
    declared = "\n".join(operator.lines())
    cases = [
        f"red ({a} {operator.value} {b}) == ({a} {PLAIN[operator]} {b}) . --> (true):Bool"
        for a, b in product(("true", "false"), repeat=2)
    ]
    check(f"mod LAZY {{ {declared} }}\nopen LAZY .\n" + "\n".join(cases) + "\nclose")


@pytest.mark.parametrize(
    ("operator", "kept"), [(LazyOperator.IMPLICATION, "a ==>> b"), (LazyOperator.DISJUNCTION, "a or>> b")]
)
def test_lazy_connectives_of_open_formulas_are_left_alone(operator: LazyOperator, kept: str) -> None:
    declared = "\n".join(operator.lines())
    check(
        f"mod LAZY {{ {declared} preds a b : }}\nopen LAZY .\n"
        f"red a {operator.value} b . --> ({kept}):Bool\nred a {operator.value} true . --> (true):Bool\nclose"
    )

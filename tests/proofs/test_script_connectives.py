"""Connectives of scripts mean what the usual ones mean, and no sums are made of them."""

from __future__ import annotations

from itertools import product

import pytest
from support import check

from otsrw.proofs.citp.script_connectives import ScriptConnective

PLAIN = {ScriptConnective.IMPLICATION: "implies", ScriptConnective.DISJUNCTION: "or"}


@pytest.mark.parametrize("operator", list(ScriptConnective))
def test_they_mean_what_the_usual_ones_mean(operator: ScriptConnective) -> None:
    declared = "\n".join(operator.lines())
    cases = [
        f"red ({a} {operator.value} {b}) == ({a} {PLAIN[operator]} {b}) . --> (true):Bool"
        for a, b in product(("true", "false"), repeat=2)
    ]
    check(f"mod OWN {{ {declared} }}\nopen OWN .\n" + "\n".join(cases) + "\nclose")


@pytest.mark.parametrize(
    ("operator", "kept"), [(ScriptConnective.IMPLICATION, "a ==>> b"), (ScriptConnective.DISJUNCTION, "a or>> b")]
)
def test_open_formulas_are_left_alone(operator: ScriptConnective, kept: str) -> None:
    declared = "\n".join(operator.lines())
    check(
        f"mod OWN {{ {declared} preds a b : }}\nopen OWN .\n"
        f"red a {operator.value} b . --> ({kept}):Bool\nred a {operator.value} true . --> (true):Bool\nclose"
    )

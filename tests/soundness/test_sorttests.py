"""Equations that ask for the sort of a value: the same as equations for that sort."""

from __future__ import annotations

import pytest
from support import module_of

from otsrw.reasoning.connectives import Connectives
from otsrw.soundness import ObligationKind, check
from otsrw.soundness.sorttests import by_sorts
from otsrw.theory.printing import show_plainly

SORTS = """
mod! M { [Lo Mid < Hi] op l : -> Lo {constr} op m : -> Mid {constr} op h : -> Hi {constr}
  op f : Hi -> Bool vars X Y : Hi %s }
"""


@pytest.mark.parametrize(
    ("equation", "left_sides"),
    [
        ("ceq f(X) = true if X :is Lo .", [("f(X:Lo)", None)]),
        ("ceq f(X) = true if (X :is Lo) or (X :is Mid) .", [("f(X:Lo)", None), ("f(X:Mid)", None)]),
        ("ceq f(X) = true if (X :is Lo) and (X = l) .", [("f(X:Lo)", "(X:Lo = l)")]),
        ("ceq f(X) = true if (X :is Lo) and (X :is Mid) .", []),
        ("ceq f(X) = true if X :is Hi .", [("f(X:Hi)", None)]),
        ("ceq f(X) = true if not (X :is Lo) .", [("f(X)", "(not (X :is Lo))")]),
        ("ceq f(X) = true if X = l .", [("f(X)", "(X = l)")]),
    ],
)
def test_conditions_on_sorts(equation: str, left_sides: list[tuple[str, str | None]]) -> None:
    module = module_of(SORTS % equation, "M")
    (axiom,) = [axiom for axiom in module.axioms if axiom.lhs.op.name == "f"]
    found = by_sorts(axiom, Connectives(module.signature))
    assert [v.sort.name for each in found for v in each.lhs.args] == [
        text.split(":")[1].rstrip(")") if ":" in text else "Hi" for text, _ in left_sides
    ]
    shown = [None if each.condition is None else show_plainly(each.condition) for each in found]
    assert [text is None for text in shown] == [condition is None for _, condition in left_sides]


@pytest.mark.parametrize(
    ("equations", "kind", "status"),
    [
        ("ceq f(X) = true if X :is Lo . eq f(X) = false .", ObligationKind.ORDER, "refuted"),
        (
            "ceq f(X) = true if X :is Lo . ceq f(X) = false if X :is Mid . eq f(h) = true .",
            ObligationKind.ORDER,
            "proved",
        ),
        ("ceq f(X) = true if X :is Lo . ceq f(X) = false if X :is Mid .", ObligationKind.COMPLETE, "refuted"),
        (
            "ceq f(X) = true if X :is Lo . ceq f(X) = false if X :is Mid . eq f(h) = true .",
            ObligationKind.COMPLETE,
            "proved",
        ),
        ("ceq f(X) = true if X :is Lo .", ObligationKind.SPELLING, "proved"),
        ("ceq f(X) = true if not (X :is Lo) .", ObligationKind.SPELLING, "open"),
        ("eq f(X) = (X :is Lo) .", ObligationKind.SPELLING, "open"),
    ],
)
def test_claims_about_conditions_on_sorts(equations: str, kind: ObligationKind, status: str) -> None:
    report = check(module_of(SORTS % equations, "M"))
    assert {each.status.value for each in report.of_kind(kind) if each.subject != "_=_"} == {status}

"""A sort of a tight module with one constant has one value; the score tells CafeOBJ so."""

from __future__ import annotations

from support import module_of

from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.workbench import Why, Workbench

TEXT = "mod! ONE { [One] op only : -> One {constr} }"


def test_a_value_that_differs_from_the_only_one_is_a_contradiction() -> None:
    bench = Workbench(module_of(TEXT, "ONE"))
    sort = bench.module.visible_sorts()["One"][0]
    only, other = bench.constants_of(sort)[0], bench.constant("x", sort)
    same = bench.connectives.equal(other, only)
    assumptions = Assumptions(bench).assuming([Assumed(same, False)])
    assert assumptions.contradiction is not None
    told = assumptions.with_facts(assumptions.contradiction.atom)
    assert [(e.left, e.right, e.why) for e in told] == [(other, only, Why.FACT)]
    assert bench.reduce(bench.rewriter(told), same) is bench.connectives.true

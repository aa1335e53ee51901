"""That the constants of enumerated sorts differ, as equations."""

from __future__ import annotations

from itertools import combinations

from otsrw.reasoning.workbench import Equation, Why, Workbench
from otsrw.theory.modules import Module


def inequalities(module: Module) -> tuple[Equation, ...]:
    """That free constants of enumerated sorts differ, where the specification does not say so itself."""
    bench = Workbench(module)
    plain = bench.rewriter(())
    equal, false = bench.connectives.equal, bench.connectives.false
    found = []
    for sort in module.signature.order.sorts:
        for pair in combinations(bench.constants_of(sort), 2):
            same = equal(*pair)
            if sort is false.sort or not bench.constructors.distinct(*pair):
                continue
            if bench.reduce(plain, same) is same:
                found.append(Equation(same, false, Why.FACT))
    return tuple(found)

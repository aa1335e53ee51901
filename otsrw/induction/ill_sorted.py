"""Passages split on Booleans that CafeOBJ leaves because they are ill-sorted.

`false and p(n) <= m` is false to the prover. To CafeOBJ it is no Boolean while nothing says what `p(n) <= m` is, if `p`
is declared for fewer values than `n` may be. So such a passage is written twice, with `p(n) <= m` true and false: a
value has a sort. No case is lost, since the formula is one of both: that its terms have values is a claim that the
proof rests on, whether it is written so or not, and the checker of scores splits on it like on any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from otsrw.reasoning.order import size_and_text
from otsrw.reasoning.workbench import Equation, Workbench
from otsrw.rewriting.budget import Budget
from otsrw.rewriting.layers import Layer
from otsrw.rewriting.machine import Machine, machine_by_sorts
from otsrw.rewriting.rewriter import Rewriter
from otsrw.rewriting.rules import Rule
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import RING_CONNECTIVES
from otsrw.theory.modules import Axiom
from otsrw.theory.terms import Term

MOST_PASSAGES = 32
"""Passages that one becomes at most; with more it is left whole, and the checker of scores refuses it."""

Added = tuple[Equation, ...]
"""What a passage assumes besides."""


def may_be_ill_sorted(bench: Workbench) -> bool:
    """Can evaluating a well-sorted term of this module lead to one that is not?"""
    return bench.module.derived(Machine).rulebase.has_ill_sorted_terms


def sorted_cases(
    bench: Workbench, equations: Sequence[Equation], goal: Term, conditions: Iterable[Term] = ()
) -> list[Added]:
    """The passages that one becomes for CafeOBJ, by what each assumes besides; mostly one, which assumes nothing.

    The goal is what the passage reduces to true. Conditions are formulas of equations that may be asked on the way.
    """
    if not may_be_ill_sorted(bench):
        return [()]
    asked = (goal, *conditions)
    todo: list[Added] = [()]
    found: list[Added] = []
    while todo:
        added = todo.pop()
        try:
            formula = _left(bench, (*equations, *added), asked)
        except BudgetExceeded:
            return [()]
        if formula is None:
            found.append(added)
            continue
        todo += ((*added, Equation(formula, value)) for value in (bench.connectives.false, bench.connectives.true))
        if len(found) + len(todo) > MOST_PASSAGES:
            return [()]
    return found


def _left(bench: Workbench, equations: Sequence[Equation], asked: Sequence[Term]) -> Term | None:
    """An ill-sorted Boolean that keeps the goal from being true for CafeOBJ; None if there is none."""
    layer = Layer(bench.module.derived(machine_by_sorts))
    layer.add([rule for e in equations if (rule := Rule.of(Axiom(e.left, e.right, None))).is_usable])
    rewriter = Rewriter(bench.module, layer=layer)
    for number, formula in enumerate(asked):
        value = rewriter.reduce(formula, Budget(bench.max_rewrites, bench.deadline)).term
        if number == 0 and value is bench.connectives.true:
            return None
        atoms = _ill_sorted_atoms(value)
        if atoms:
            return min(atoms, key=size_and_text)
    return None


def _ill_sorted_atoms(value: Term) -> list[Term]:
    if not value.sort.is_error:
        return []
    if value.op.native not in RING_CONNECTIVES:
        return [value]
    return [atom for arg in value.args for atom in _ill_sorted_atoms(arg)]

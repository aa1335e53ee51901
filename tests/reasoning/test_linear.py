"""Linear constraints are refuted only if no integers satisfy them."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otsrw.reasoning.linear import Constraint, LinearSum, Relation, is_refuted, related

N, X, Y, Z, W = range(5)
RELATIONS = st.sampled_from(Relation)
CONSTRAINTS = st.builds(
    lambda parts, constant, relation: Constraint(LinearSum(parts, constant), relation),
    st.dictionaries(st.integers(0, 2), st.integers(-4, 4), max_size=3),
    st.integers(-9, 9),
    RELATIONS,
)


def holds(constraint: Constraint, values: tuple[int, ...]) -> bool:
    value = constraint.sum.constant + sum(factor * values[u] for u, factor in constraint.sum.parts.items())
    return {Relation.ZERO: value == 0, Relation.NONZERO: value != 0, Relation.NOT_NEGATIVE: value >= 0}[
        constraint.relation
    ]


def solution(constraints: list[Constraint]) -> tuple[int, ...] | None:
    tried = product(range(-6, 7), repeat=3)
    return next((values for values in tried if all(holds(each, values) for each in constraints)), None)


@given(st.lists(CONSTRAINTS, max_size=6))
@settings(max_examples=300, deadline=None)
def test_what_has_a_solution_is_not_refuted(constraints: list[Constraint]) -> None:
    if is_refuted(constraints):
        assert solution(constraints) is None


@given(CONSTRAINTS, st.tuples(*[st.integers(-20, 20)] * 3))
def test_a_negated_constraint_holds_of_exactly_the_other_values(
    constraint: Constraint, values: tuple[int, ...]
) -> None:
    assert holds(constraint, values) is not holds(constraint.negated(), values)


@given(st.lists(CONSTRAINTS, max_size=5))
@settings(max_examples=120, deadline=None)
def test_z3_agrees_with_every_refutation(constraints: list[Constraint]) -> None:
    z3 = pytest.importorskip("z3")
    solver = z3.Solver()
    for each in constraints:
        total = z3.IntVal(each.sum.constant) + sum(z3.Int(str(u)) * factor for u, factor in each.sum.parts.items())
        solver.add(
            {Relation.ZERO: total == 0, Relation.NONZERO: total != 0, Relation.NOT_NEGATIVE: total >= 0}[each.relation]
        )
    if is_refuted(constraints):
        assert solver.check() == z3.unsat


def bound(parts: dict[int, int], constant: int = 0) -> Constraint:
    return Constraint(LinearSum(parts, constant), Relation.NOT_NEGATIVE)


@pytest.mark.parametrize(
    "constraints",
    [
        pytest.param([bound({N: -1}, 9), bound({N: 1}, -11)], id="10 > n and not 10 - n >= 0"),
        pytest.param([Constraint(LinearSum({X: 2, Y: -2}, 1), Relation.ZERO)], id="an odd number is not even"),
        pytest.param([bound({X: 2}, -1), bound({X: -2}, 1)], id="no integer between 0 and 1"),
        pytest.param([bound({X: 1}), bound({X: -1}), Constraint(LinearSum({X: 1}), Relation.NONZERO)], id="0 is 0"),
        pytest.param([bound({X: 1, Y: -1}, -1), bound({Y: 1, Z: -1}), bound({Z: 1, X: -1})], id="a cycle"),
    ],
)
def test_refuted(constraints: list[Constraint]) -> None:
    assert is_refuted(constraints)


def test_constraints_about_other_unknowns_are_left_out() -> None:
    near, next_to_it, far = bound({X: 1, Y: 1}), bound({Y: 1, Z: 1}), bound({W: 1})
    assert related([far, next_to_it, near], [X]) == [near, next_to_it]

"""Comparisons of integers are decided only as they are for all numbers that satisfy the assumptions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import module_of, term_of

from otsrw.reasoning.arithmetic import ArithmeticCase
from otsrw.reasoning.workbench import Equation, Workbench
from otsrw.theory.printing import show
from otsrw.theory.terms import Term

TEXT = "mod* M { pr(INT) ops k l : -> Nat op z : -> NzNat op i : -> Int }"
VALUES = {"k": range(4), "l": range(4), "z": range(1, 4), "i": range(-3, 4)}

Number = Callable[[dict[str, int]], int]
"""The value of a term; it raises `Undefined` where there is none."""


class Undefined(Exception):
    pass


@cache
def bench() -> Workbench:
    return Workbench(module_of(TEXT, "M"))


def minus_one(value: int) -> int:
    if value <= 0:
        raise Undefined
    return value - 1


def numbers(naturals_only: bool) -> st.SearchStrategy[tuple[str, Number]]:
    """Terms as text and as functions; only naturals go into `p` and `sd`."""
    names = [n for n in VALUES if not naturals_only or n != "i"]
    constants = [(str(v), (lambda _, v=v: v)) for v in (0, 1, 2, 3)]
    leaf = st.sampled_from([*constants, *((n, (lambda env, n=n: env[n])) for n in names)])
    if naturals_only:
        return st.recursive(leaf, lambda inner: st.one_of(_sums(inner), _partial(inner)), max_leaves=3)
    mixed = st.one_of(leaf, numbers(True))
    return st.recursive(mixed, lambda inner: st.one_of(_sums(inner), _differences(inner)), max_leaves=3)


def _sums(inner: st.SearchStrategy[tuple[str, Number]]) -> st.SearchStrategy[tuple[str, Number]]:
    return st.one_of(
        st.tuples(inner, inner).map(lambda p: (f"( {p[0][0]} + {p[1][0]} )", lambda e: p[0][1](e) + p[1][1](e))),
        inner.map(lambda t: (f"( 2 * {t[0]} )", lambda e: 2 * t[1](e))),
    )


def _partial(inner: st.SearchStrategy[tuple[str, Number]]) -> st.SearchStrategy[tuple[str, Number]]:
    return st.one_of(
        inner.map(lambda t: (f"( p {t[0]} )", lambda e: minus_one(t[1](e)))),
        st.tuples(inner, inner).map(
            lambda p: (f"sd ( {p[0][0]} , {p[1][0]} )", lambda e: abs(p[0][1](e) - p[1][1](e)))
        ),
    )


def _differences(inner: st.SearchStrategy[tuple[str, Number]]) -> st.SearchStrategy[tuple[str, Number]]:
    return st.one_of(
        st.tuples(inner, inner).map(lambda p: (f"( {p[0][0]} - {p[1][0]} )", lambda e: p[0][1](e) - p[1][1](e))),
        inner.map(lambda t: (f"( - {t[0]} )", lambda e: -t[1](e))),
    )


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "<": int.__lt__,
    "<=": int.__le__,
    ">": int.__gt__,
    ">=": int.__ge__,
    "=": int.__eq__,
}
COMPARISONS = st.tuples(numbers(False), st.sampled_from(sorted(COMPARE)), numbers(False))
Comparison = tuple[tuple[str, Number], str, tuple[str, Number]]


def atom(comparison: Comparison) -> Term:
    (left, _), sign, (right, _) = comparison
    return term_of(f"{left} {sign} {right}", bench().module)


def holds(comparison: Comparison, values: dict[str, int]) -> bool:
    (_, left), sign, (_, right) = comparison
    return COMPARE[sign](left(values), right(values))


@given(st.lists(st.tuples(COMPARISONS, st.booleans()), max_size=3), COMPARISONS)
@settings(max_examples=250, deadline=None)
def test_what_is_decided_is_so_for_all_numbers(known: list[tuple[Comparison, bool]], asked: Comparison) -> None:
    true, false = bench().connectives.true, bench().connectives.false
    equations = [Equation(atom(each), true if value else false) for each, value in known]
    decided = ArithmeticCase(bench().integers, equations, true, false).decide(atom(asked))
    if decided is None:
        return
    for numbers_ in product(*VALUES.values()):
        values = dict(zip(VALUES, numbers_, strict=True))
        try:
            if all(holds(each, values) is value for each, value in known):
                assert holds(asked, values) is decided
        except Undefined:
            continue


@pytest.mark.parametrize(
    ("known", "asked", "value"),
    [
        ([("k < 10", True)], "(10 - k) >= 0", True),
        ([], "20 + (- k + k) = 20", True),
        ([("k = 0", False)], "0 < k", True),
        ([("k = 0", False)], "p k < k", True),
        ([], "p k < k", None),
        ([("k > 1", True)], "p (p k) < k", True),
        ([("k > 0", True)], "p (p k) < k", None),
        ([], "p z < z", True),
        ([("l <= k", True)], "sd(k,l) <= k", True),
        ([("k * l = 3", True)], "k * l > 2", True),
        ([("k < l", True), ("l < i", True)], "i <= k", False),
        ([("2 * k = 3 * l", True), ("l = 1", True)], "0 = 0", True),
        ([], "2 * k = 2 * l + 1", False),
    ],
)
def test_decided(known: list[tuple[str, bool]], asked: str, value: bool | None) -> None:
    module = bench().module
    true, false = bench().connectives.true, bench().connectives.false

    def read(text: str) -> Term:
        return term_of(text.replace("(", " ( ").replace(")", " ) ").replace(",", " , "), module)

    equations = [Equation(read(text), true if positive else false) for text, positive in known]
    assert ArithmeticCase(bench().integers, equations, true, false).decide(read(asked)) is value


@pytest.mark.parametrize(
    ("term", "smaller"),
    [
        ("20 + ( ( - k ) + k )", "20"),
        ("k + ( - l ) + l", "k"),
        ("( k + 1 ) + ( - 2 )", "(k + -1)"),
        ("p k + ( - ( p k ) )", None),
    ],
)
def test_sums_become_smaller_only_if_they_have_a_value(term: str, smaller: str | None) -> None:
    case = ArithmeticCase(bench().integers, (), bench().connectives.true, bench().connectives.false)
    found = case.simplified(term_of(term, bench().module))
    assert (None if found is None else show(found)) == smaller

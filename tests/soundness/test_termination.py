"""Evaluation is claimed to end, or to go on for ever, only where it does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import module_of, term_of

from otsrw.rewriting.budget import Budget
from otsrw.rewriting.rewriter import Rewriter
from otsrw.soundness import ObligationKind
from otsrw.syntax.diagnostics import BudgetExceeded
from soundness.claims import claim, report_on, status_of

NUM = "mod! NUM { [Num] op z : -> Num {constr} op s : Num -> Num {constr} %s }"
PLUS = "vars M N : Num op _+_ : Num Num -> Num {assoc comm}"
BAG = """mod! BAG { [Elt < Bag] ops a b : -> Elt {constr} op none : -> Bag {constr}
  op _,_ : Bag Bag -> Bag {constr assoc comm id: none} vars X Y : Elt vars B C : Bag %s }"""


@pytest.mark.parametrize(
    ("equations", "function", "status"),
    [
        ("op f : Num -> Num eq f(z) = z . eq f(s(N:Num)) = f(N) .", "f", "proved"),
        ("op f : Num -> Num eq f(N:Num) = s(s(N)) .", "f", "proved"),
        ("op f : Num -> Num eq f(N:Num) = f(N) .", "f", "refuted"),
        ("op f : Num -> Bool eq f(N:Num) = not f(N) .", "f", "refuted"),
        ("op f : Num -> Num eq f(N:Num) = f(s(N)) .", "f", "refuted"),
        ("op f : Num -> Num eq f(N:Num) = (if N = z then z else f(s(N)) fi) .", "f", "open"),
        ("op f : Num -> Num ceq f(N:Num) = z if f(N) = z .", "f", "open"),
        ("op f : Num -> Num ceq f(s(N:Num)) = z if f(N) = z . eq f(z) = z .", "f", "proved"),
        ("ops f g : Num -> Num eq f(N:Num) = g(N) . eq g(N:Num) = f(N) .", "g", "refuted"),
        ("ops f g : Num -> Num eq f(N:Num) = g(N) . eq g(s(N:Num)) = f(N) . eq g(z) = z .", "f", "proved"),
        (
            "op f : Num Num -> Num vars M N : Num eq f(z, N) = s(N) . eq f(s(M), z) = f(M, s(z)) ."
            " eq f(s(M), s(N)) = f(M, f(s(M), N)) .",
            "f",
            "proved",
        ),
        ("op f : Num Num -> Num vars M N : Num eq f(s(M), N) = f(N, M) . eq f(z, N) = z .", "f", "proved"),
        ("op f : Num Num -> Num vars M N : Num eq f(s(M), N) = f(s(N), M) . eq f(z, N) = z .", "f", "refuted"),
        ("op f : Num -> Num op g : Num -> Num eq g(N:Num) = s(N) . eq f(s(N:Num)) = f(g(N)) .", "f", "open"),
        ("op f : Num -> Num op g : Num -> Num eq g(s(N:Num)) = N . eq f(s(s(N:Num))) = f(s(g(N))) .", "f", "proved"),
        (f"{PLUS} eq z + N = N . eq s(M) + N = s(M + N) .", "_+_", "proved"),
        (f"{PLUS} eq N + z = N . eq M + s(N) = s(N + M) .", "_+_", "proved"),
        (f"{PLUS} eq z + N = N . eq s(M) + N = s(M) + N + z .", "_+_", "open"),
        (f"{PLUS} eq z + N = N . eq s(M) + s(N) = s(M) + N .", "_+_", "proved"),
        (f"{PLUS} eq s(M) + N = M + s(N) .", "_+_", "open"),
        (f"{PLUS} op g : Num -> Num eq g(N) = s(N) . eq s(M) + N = s(g(M) + N) .", "_+_", "open"),
        (f"{PLUS[:-1]} id: z}} eq s(M) + N = s(M + N) .", "_+_", "open"),
        (f"{PLUS} ceq s(M) + N = s(M + N) if M = N .", "_+_", "open"),
        (f"{PLUS} eq s(s(s(M))) + N = M + N + N .", "_+_", "open"),
        (f"{PLUS} op g : Num -> Num eq g(N) = s(s(N)) . eq s(s(M)) + N = g(M) + N .", "_+_", "open"),
        ("vars M N : Num op _+_ : Num Num -> Num {assoc} eq M + N = N + M .", "_+_", "open"),
        ("[Box] op box : Num -> Box op f : Box -> Num eq f(box(s(N:Num))) = f(box(N)) .", "f", "proved"),
        ("[Box] op box : Num -> Box op f : Box -> Num eq f(box(N:Num)) = f(box(s(N))) .", "f", "refuted"),
    ],
)
def test_functions_on_numbers(equations: str, function: str, status: str) -> None:
    assert status_of(NUM % equations, ObligationKind.TERMINATING, function) == status


@pytest.mark.parametrize(
    ("equations", "function", "status"),
    [
        ("op f : Bag -> Bool eq f(none) = true . eq f(X , B) = f(B) .", "f", "proved"),
        ("op f : Bag -> Bool eq f(none) = true . eq f((C , B)) = f(B) .", "f", "refuted"),
        ("op f : Bag -> Bool eq f(none) = true . eq f((C , B)) = f(C) and f(B) .", "f", "refuted"),
        ("op f : Bag -> Bool eq f(none) = true . eq f((X , Y , B)) = f((X , B)) .", "f", "proved"),
        ("eq (X , X) = X .", "_,_", "proved"),
        ("eq (X , Y) = (X , X) .", "_,_", "open"),
        ("eq (B , B) = B .", "_,_", "open"),
    ],
)
def test_functions_on_bags(equations: str, function: str, status: str) -> None:
    assert status_of(BAG % equations, ObligationKind.TERMINATING, function) == status


def test_equality_is_one_function_for_each_sort() -> None:
    report = report_on(NUM % "vars M N : Num eq (s(M) = s(N)) = (M = N) . eq (z = s(N)) = false .")
    assert claim(report, ObligationKind.TERMINATING, "_=_ of Num").status == "proved"


def test_a_lemma_about_equality_needs_a_path_order() -> None:
    text = NUM % "op f : Num -> Num vars M N : Num eq f(M) = z . ceq (f(s(M)) = N) = true if f(M) = N ."
    found = claim(report_on(text), ObligationKind.TERMINATING, "_=_ of Num")
    assert (found.status, found.evidence) == ("proved", "calls go down in a path order")


def test_a_loop_on_an_empty_sort_is_no_loop() -> None:
    text = "mod! E { [E] op f : E -> Bool eq f(X:E) = not f(X) . }"
    assert status_of(text, ObligationKind.TERMINATING, "f") == "open"


_ARGUMENTS = st.sampled_from(["z", "M", "N", "s(M)", "s(N)", "f(M, N)", "g(N, M)"])
_LEFT = st.sampled_from(["z", "M", "s(M)", "s(s(M))"])
_RIGHT = st.sampled_from(["z", "N", "s(N)"])


@st.composite
def _equations(draw: st.DrawFn) -> str:
    lines = []
    for name in ("f", "g"):
        for _ in range(draw(st.integers(1, 2))):
            left, right = draw(_LEFT), draw(_RIGHT)
            called = draw(st.sampled_from(["f", "g"]))
            value = f"s({called}({draw(_ARGUMENTS)}, {draw(_ARGUMENTS)}))"
            for letter, side in (("M", left), ("N", right)):
                if letter not in side:
                    value = value.replace(letter, "z")
            lines.append(f"eq {name}({left}, {right}) = {value} .")
    return NUM % ("ops f g : Num Num -> Num vars M N : Num " + " ".join(lines))


@settings(max_examples=60)
@given(_equations())
def test_what_is_shown_to_end_ends(text: str) -> None:
    report = report_on(text)
    states = {claim(report, ObligationKind.TERMINATING, name).status for name in ("f", "g")}
    if states == {"proved"}:
        module = module_of(text, "NUM")
        for name in ("f", "g"):
            for args in ("z , z", "s ( s ( s ( z ) ) ) , s ( s ( z ) )", "s ( z ) , s ( s ( s ( z ) ) )"):
                Rewriter(module).reduce(term_of(f"{name} ( {args} )", module), Budget(200_000))


@settings(max_examples=60)
@given(_equations())
def test_what_is_shown_to_loop_loops(text: str) -> None:
    report = report_on(text)
    for name in ("f", "g"):
        found = claim(report, ObligationKind.TERMINATING, name)
        if found.status == "refuted":
            start = found.witness.split(" needs ")[0].replace("(", " ( ").replace(")", " ) ").replace(",", " , ")
            start = start.replace("M", "z").replace("N", "z")
            assert any(_loops(other, start) for other in _reordered(text)), "whichever equation is tried first"


def _reordered(text: str) -> Iterator[str]:
    """The module with its equations in other orders: a loop may need that another equation is not tried first."""
    head, *equations = re.split(r"(?=eq )", text.removesuffix("}").rstrip())
    for order in islice(permutations(equations), 200):
        yield head + " ".join(order) + " }"


def _loops(text: str, start: str) -> bool:
    module = module_of(text, "NUM")
    try:
        Rewriter(module).reduce(term_of(start, module), Budget(5_000))
    except BudgetExceeded:
        return True
    return False

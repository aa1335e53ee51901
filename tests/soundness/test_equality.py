"""Equations on `=` that say more than sameness of values are found."""

from __future__ import annotations

import pytest

from otsrw.soundness import ObligationKind
from soundness.claims import report_on

LAB = "mod! LAB { [Lab] ops a b : -> Lab {constr} %s }"
PAIR = "mod* P { [P] } mod! PAIR { pr(P) [Pair] op pr : P P -> Pair {constr} vars W X Y Z : P vars V U : Pair %s }"


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        (LAB % "eq (a = b) = false .", ["proved"]),
        (LAB % "eq (a = b) = true .", ["refuted"]),
        (LAB % "vars X Y : Lab eq (X = Y) = false .", ["refuted"]),
        (LAB % "vars X Y : Lab eq (X = Y) = true .", ["refuted"]),
        (LAB % "vars X Y : Lab eq (X = X) = true .", ["proved"]),
        (LAB % "op o : Lab -> Lab var X : Lab eq o(a) = b . eq o(b) = a . eq (X = o(X)) = false .", ["proved"]),
        (LAB % "op o : Lab -> Lab var X : Lab eq o(a) = a . eq o(b) = a . eq (X = o(X)) = false .", ["refuted"]),
        (LAB % "vars X Y : Lab eq (X = Y) = false [owise] .", ["proved"]),
        (PAIR % "eq (pr(W, X) = pr(Y, Z)) = (W = Y) and (X = Z) .", ["proved"]),
        (PAIR % "eq (pr(W, X) = pr(Y, Z)) = (W = Y) .", ["refuted"]),
        (PAIR % "eq (pr(W, X) = pr(X, W)) = true .", ["refuted"]),
        (PAIR % "ceq (pr(W, X) = pr(Y, Z)) = false if not (W = Y) .", ["proved"]),
        (PAIR % "ceq (pr(W, X) = pr(Y, Z)) = true if W = Y .", ["refuted"]),
        (PAIR % "op 1st : Pair -> P eq 1st(pr(X, Y)) = X . eq (U = V) = (1st(U) = 1st(V)) .", ["refuted"]),
        (
            PAIR % "ops 1st 2nd : Pair -> P eq 1st(pr(X, Y)) = X . eq 2nd(pr(X, Y)) = Y ."
            " eq (U = V) = (1st(U) = 1st(V)) and (2nd(U) = 2nd(V)) .",
            ["proved"],
        ),
        ("mod* P { [P] ops p q : -> P eq (p = q) = false . }", ["proved"]),
        ("mod* P { [P] ops p q : -> P eq (p = q) = true . }", ["proved"]),
        ("mod* P { [P] vars X Y : P eq (X = Y) = false . }", ["refuted"]),
        ("mod* P { [P] op n : P -> P vars X Y : P eq (n(X) = X) = false . }", ["proved"]),
        ("mod* P { [P] op n : P -> P vars X Y : P eq (n(X) = Y) = false . }", ["open"]),
        ("mod! N { [N] op z : -> N {constr} op s : N -> N {constr} var X : N eq (s(X) = X) = false . }", ["proved"]),
    ],
)
def test_equations_on_equality(text: str, statuses: list[str]) -> None:
    assert [each.status.value for each in report_on(text).of_kind(ObligationKind.EQUALITY)] == statuses


def test_the_witness_is_two_values() -> None:
    (found,) = report_on(LAB % "eq (a = b) = true .").of_kind(ObligationKind.EQUALITY)
    assert found.witness == "a and b are equal, and are different values"


LIST = """
mod! ELT { [Elt] ops a b : -> Elt {constr} eq (a = b) = false . }
mod! LIST { pr(ELT) [Elt < List] %s vars C D E F : Elt vars K L : List %s }
"""
JOINED = "op nil : -> List {constr} op __ : List List -> List {constr assoc id: nil}"
NOT_EMPTY = "op __ : List List -> List {constr assoc}"


@pytest.mark.parametrize(
    ("operators", "equation", "status"),
    [
        (JOINED, "eq (nil = E K) = false .", "proved"),
        (JOINED, "eq (C = D E K) = false .", "proved"),
        (JOINED, "eq (C K = E L) = (C = E) and (K = L) .", "proved"),
        (JOINED, "eq (C D K = E F L) = (C = E) and (D = F) and (K = L) .", "proved"),
        (JOINED, "eq (C D K = E F L) = (C = E) and (D = F) .", "refuted"),
        (JOINED, "eq (C D K = E F L) = (C = F) and (D = E) and (K = L) .", "open"),
        (JOINED, "eq (C = E K) = false .", "refuted"),
        (NOT_EMPTY, "eq (C = E K) = false .", "proved"),
        (NOT_EMPTY, "eq (C K = E L) = (C = E) and (K = L) .", "proved"),
        (NOT_EMPTY, "eq (K = E L) = false .", "refuted"),
    ],
)
def test_lists_are_compared_element_by_element(operators: str, equation: str, status: str) -> None:
    found = report_on(LIST % (operators, equation)).of_kind(ObligationKind.EQUALITY)
    assert [each.status.value for each in found if each.subject != "(a = b)"] == [status]

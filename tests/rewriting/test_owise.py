"""Equations marked owise: evaluated as in Maude, and judged by check without a wrong word.

CafeOBJ 1.6.0 does not know the mark; it comes from CafeInMaude, which hands it to Maude.
"""

from __future__ import annotations

import subprocess
from itertools import product
from random import Random

import pytest
from support import module_of, session_of

from otsrw.soundness import ObligationKind, Status, check

VALUES = ("a", "b", "c")
PATTERNS = (*VALUES, "X", "Y", "X", "Y")


def drawn(random: Random) -> list[str]:
    """Some equations on f, each for some arguments, one or two of them for all other cases; as `lhs = rhs [if c]`."""
    found = []
    for _ in range(random.randint(1, 4)):
        left, right = random.choice(PATTERNS), random.choice(PATTERNS)
        condition = random.choice(["", "", f" if p({left})"])
        found.append(f"f({left}, {right}) = {random.choice((*VALUES, left))}{condition}")
    found.insert(random.randint(0, len(found)), f"f(X, Y) = {random.choice((*VALUES, 'X'))} OWISE")
    return found


def in_cafeobj(equations: list[str]) -> str:
    lines = [("ceq " if " if " in e else "eq ") + e.replace(" OWISE", " {owise}") + " ." for e in equations]
    calls = "\n".join(f"red in D : f({x}, {y}) ." for x, y in product(VALUES, repeat=2))
    return (
        "mod! D { [E] ops a b c : -> E {constr} op p : E -> Bool op f : E E -> E vars X Y : E "
        f"eq p(a) = true . eq p(b) = false . eq p(c) = false . {' '.join(lines)} }}\n{calls}"
    )


def in_maude(equations: list[str]) -> str:
    lines = []
    for equation in equations:
        text = equation.replace(" OWISE", "")
        mark = " [owise]" if text != equation else ""
        if " if " in text:
            body, condition = text.split(" if ")
            lines.append(f"ceq {body} = {condition}{mark} .".replace(f" = {condition}", f" if {condition} = true"))
        else:
            lines.append(f"eq {text}{mark} .")
    calls = "\n".join(f"red f({x}, {y}) ." for x, y in product(VALUES, repeat=2))
    return (
        "fmod D is sort E . ops a b c : -> E [ctor] . op p : E -> Bool . op f : E E -> E . vars X Y : E . "
        f"eq p(a) = true . eq p(b) = false . eq p(c) = false . {' '.join(lines)} endfm\n{calls}\n"
    )


@pytest.mark.oracle
def test_an_equation_for_all_other_cases_is_tried_last_as_in_maude() -> None:
    for seed in range(60):
        equations = drawn(Random(seed))
        first = [each for each in equations if "OWISE" not in each]
        ours = [answer.result for answer in session_of(in_cafeobj(equations)).outcome.reductions()]
        ended = subprocess.run(
            ["maude", "-no-banner", "-no-advise", "-batch"], input=in_maude(equations), capture_output=True, text=True,
            timeout=20, check=False,
        )  # fmt: skip
        theirs = [line.split(": ", 1)[1] for line in ended.stdout.splitlines() if line.startswith("result ")]
        assert len(theirs) == len(ours) == 9, ended.stdout + ended.stderr
        if check(module_of(in_cafeobj(first), "D")).counts(ObligationKind.ORDER)[Status.REFUTED]:
            continue  # which of two equations that disagree is taken is nobody's business
        assert ours == theirs, equations


def test_values_of_an_equation_for_all_other_cases_cover_a_function() -> None:
    report = check(module_of(in_cafeobj(["f(a, Y) = b", "f(X, Y) = c OWISE"]), "D"))
    assert {o.status for o in report.of_kind(ObligationKind.COMPLETE)} == {Status.PROVED}
    assert {o.status for o in report.of_kind(ObligationKind.ORDER)} == {Status.PROVED}
    assert [o.status for o in report.of_kind(ObligationKind.SPELLING)] == [Status.OPEN]
    assert report.verdict == "doubtful", "no proof can rely on it"


def test_nothing_is_refuted_where_an_equation_for_all_other_cases_does_not_apply() -> None:
    nested = """mod! D { [E] ops a b c : -> E {constr} [V] ops ok bad : -> V {constr}
      op f : E -> V op isok : V -> Bool op early : E -> Bool var X : E
      eq f(c) = bad . eq f(X) = ok {owise} . eq isok(ok) = true . eq isok(bad) = false .
      eq early(a) = true . eq early(b) = true . eq early(c) = false .
      eq isok(f(X)) = early(X) . }"""
    at_top = """mod! D { [E] ops a b c : -> E {constr} ops f g : E -> E var X : E
      eq g(a) = a . eq g(b) = a . eq g(c) = b . eq f(c) = b .
      eq f(X) = a {owise} . eq f(X) = g(X) {owise} . }"""
    for text in (nested, at_top):
        report = check(module_of(text, "D"))
        assert report.counts(ObligationKind.ORDER)[Status.REFUTED] == 0
        assert report.verdict == "doubtful"

"""`start`, `apply`, `choose` and `match`: rewriting by hand, told line by line."""

from __future__ import annotations

import pytest
from support import error_codes, told

GROUP = """mod! GROUP { [ G ] op 0 : -> G op _+_ : G G -> G {assoc} op -_ : G -> G op f : G G -> G vars X Y : G
  eq [lid] : 0 + X = X .
  eq [linv] : (- X) + X = 0 .
  ceq [same] : f(X, Y) = X if X == Y .
  eq [turn] : f(X, 0) = f(0, X) .
}
open GROUP .
ops a b c : -> G .
"""

STEPS = {
    "a rule at a place in a list": (
        "start - - a + - a + a . apply .linv at [2 .. 3] .",
        ["result ((- (- a)) + 0) : G"],
    ),
    "an associative rule applies inside a longer list": (
        "start c + - a + a + b . apply .linv at top .",
        ["result (c + (0 + b)) : G"],
    ),
    "lists nest to the right": (
        "start a + 0 + b . apply GROUP.lid at (2) .",
        ["result (a + b) : G"],
    ),
    "backwards, with a value for a variable": (
        "start f(0, a) . apply -.lid at (2) . apply -.linv with X = b at (1) .",
        ["result f(0,(0 + a)) : G", "result f(((- b) + b),(0 + a)) : G"],
    ),
    "within: outermost places, each once": (
        "start f(f(a, 0), f(b, 0)) . apply .turn within term . apply 4 within term .",
        ["result f(f(0,a),f(0,b)) : G", "result f(f(0,a),f(0,b)) : G"],
    ),
    "a condition is settled before the rule is applied": (
        "start f(a, a) . apply .same at top . apply red at term .",
        [
            "-- condition(1) (a == a) : Bool",
            "-- condition(1) true : Bool",
            "-- condition is satisfied, applying rule",
            "result a : G",
        ],
    ),
    "a condition that fails": (
        "start f(f(a, b), c) . apply .same at (1) . apply reduce at term .",
        [
            "-- condition(1) (a == b) : Bool",
            "-- condition(1) false : Bool",
            "-- condition is not satisfied, rule not applied",
            "result f(f(a,b),c) : G",
        ],
    ),
    "choosing a part of a part": (
        "start f(f(a, 0 + b), c) . choose (1) . choose (2) . apply .lid at subterm .",
        ["result f(f(a,b),c) : G"],
    ),
    "selectors of selectors": (
        "start f(f(a, 0 + b), c) . apply .lid at (2) of (1) .",
        ["result f(f(a,b),c) : G"],
    ),
    "no period is needed": (
        "start 0 + a\n .\napply .lid at top\nstart 0 + b .",
        ["result a : G"],
    ),
    "matching": (
        "match f(a, b) to f(X, Y) . match f(a, b) to f(X, X) .",
        ["-- match success.", " substitution : { X |-> a, Y |-> b }", "-- No more match", "-- no match"],
    ),
}


@pytest.mark.parametrize(("steps", "lines"), STEPS.values(), ids=STEPS.keys())
def test_steps(steps: str, lines: list[str]) -> None:
    assert told(GROUP + steps + "\nclose\n") == lines


def test_parts_of_collections() -> None:
    text = """mod! AC { [ E ] ops a b c d : -> E op _&_ : E E -> E {assoc comm} eq [ac] : a & c = d . }
    select AC . start a & b & c . apply .ac at {1, 3} . """
    assert told(text) == ["result (d & b) : E"]


def test_rules_that_match_are_listed_with_their_number() -> None:
    assert told(GROUP + "start 0 + a . match it to +rules . close") == [
        "== matching rules to term : (0 + a)",
        "+%GROUP.1 is eq [lid] : (0 + X) = X .",
        " substitution : { X |-> a }",
    ]


def test_the_term_goes_on_under_later_declarations() -> None:
    text = GROUP + "start 0 + a . [T] op d : -> G . eq [new] : a = d . apply .lid at top . apply .new at top . close"
    assert told(text) == ["result a : G", "result d : G"]


def test_the_last_term_is_the_one_rewritten_by_hand() -> None:
    assert told(GROUP + "start 0 + a . apply .lid at top . parse $$term . close")[-1] == "(a):G"


@pytest.mark.parametrize(
    ("steps", "codes"),
    {
        "nothing started": ("apply .lid at top .", ["E308"]),
        "no such rule": ("start a . apply .none at top .", ["E308"]),
        "a number that is too great is a warning": ("start a . apply .99 at top .", []),
        "no such place": ("start a . apply .lid at (1 2) .", ["E308"]),
        "not a variable of the rule": ("start a . apply -.linv with Z = b at top .", ["E308"]),
        "no place": ("start a . apply .lid .", ["E101"]),
        "match without a pattern": ("match a .", ["E101"]),
        "match nothing started": ("match it to rules .", ["E308"]),
        "a rule that does not apply is a warning": ("start a . apply .lid at top .", []),
    }.values(),
)
def test_mistakes(steps: str, codes: list[str]) -> None:
    assert error_codes(GROUP + steps + "\nred a .\nclose\n") == codes


def test_select_nothing() -> None:
    assert error_codes("mod! M { [S] op a : -> S } select M . red a . select .\nred a .") == ["E306"]

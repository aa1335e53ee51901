"""A function with a gap has no value there: a search stops where the answer depends on it, and nowhere else.

Every test runs on all state spaces, so that they agree.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from specifications import instance_of, invariant_named, ots_of

from otsrw.ots import Instance
from otsrw.search import MaudeSpace, RewritingSpace, StateSpace
from otsrw.syntax.diagnostics import OtsrwError

Maker = Callable[[Instance], StateSpace]
SPACES: dict[str, Maker] = {"Maude": MaudeSpace, "rewriting": RewritingSpace}

_DATA = """
mod! COLOUR { pr(NAT) [Colour Pair] ops red green blue : -> Colour {constr}
  ops next darker : Colour -> Colour  ops warm safe late : Colour -> Bool  ops size less : Colour -> Nat
  op twice : Colour -> Colour  op other : Colour -> Bool  op pair : Colour Colour -> Pair {constr}
  op first : Pair -> Colour  op any : Colour -> Bool  op always : Colour -> Bool
  vars C D : Colour
  eq next(red) = green . eq next(green) = blue . eq next(blue) = blue .
  eq darker(red) = green . eq darker(green) = blue .
  eq warm(red) = true . eq warm(green) = false .
  eq safe(C) = (darker(C) = blue) .
  eq late(C) = (darker(C) == blue) .
  eq size(red) = 2 . eq size(green) = 1 . eq size(blue) = 0 .
  eq less(C) = p size(C) .
  eq twice(C) = darker(darker(C)) .
  eq other(red) = true . eq other(C) = false [owise] .
  eq first(pair(C, D)) = C .
  eq any(C) = true .
  eq always(C) = (darker(C) = red) or not (darker(C) = red) . }
mod* M { pr(COLOUR) *[Sys]* op init : -> Sys bop c : Sys -> Colour bop n : Sys -> Nat
  bop go : Sys -> Sys bop t : Sys -> Sys var S : Sys vars C D : Colour var N : Nat
  eq c(init) = red . eq n(init) = 0 .
  eq c(go(S)) = next(c(S)) . eq n(go(S)) = n(S) .
  op inv : Sys -> Bool  op for-all : Sys Colour -> Bool  op both : Sys Colour Colour -> Bool
  op numbers : Sys Nat -> Bool
  eq c(t(S)) = c(S) .
"""
_IDLE = "eq n(t(S)) = n(S) . "


def _with(more: str) -> Instance:
    return instance_of(ots_of(f"{_DATA} {more} }}"), {})


def _searched(space_of: Maker, more: str, depth: int, name: str | None) -> str:
    instance = _with(more)
    invariant = None if name is None else invariant_named(instance, name)
    return space_of(instance).search(invariant, depth).verdict


@pytest.fixture(params=SPACES)
def space_of(request: pytest.FixtureRequest) -> Maker:
    return SPACES[request.param]


_MET = {
    "a predicate in the invariant": (_IDLE + "eq inv(S) = warm(c(S)) or c(S) = green .", "inv", "warm(blue)"),
    "a comparison in the invariant": (_IDLE + "eq inv(S) = not (darker(c(S)) = red) .", "inv", "darker(blue)"),
    "a comparison of what is built of it": (
        _IDLE + "eq inv(S) = not (pair(darker(c(S)), red) = pair(red, red)) .",
        "inv",
        "darker(blue)",
    ),
    "a comparison inside a function": (
        _IDLE + "eq inv(S) = safe(c(S)) or not (c(S) = blue) .",
        "inv",
        "darker(blue)",
    ),
    "a comparison of normal forms": (_IDLE + "eq inv(S) = not (darker(c(S)) == red) .", "inv", "darker(blue)"),
    "that they differ": (_IDLE + "eq inv(S) = darker(c(S)) =/= red .", "inv", "darker(blue)"),
    "an equation for all others": (
        _IDLE + "eq inv(S) = other(darker(c(S))) or not (c(S) = blue) .",
        "inv",
        "darker(blue)",
    ),
    "a value of a variable": (
        _IDLE + "eq for-all(S, C) = not (C = darker(c(S))) or not (c(S) = blue) .",
        "for-all",
        "darker(blue)",
    ),
    "a value of a variable over numbers": (
        _IDLE + "eq numbers(S, N) = not (N = less(c(S))) or not (N = 7) .",
        "numbers",
        "(p 0)",
    ),
    "a value of two variables": (
        _IDLE + "eq both(S, C, D) = not ((C = darker(c(S))) and (D = darker(c(S)))) or not (c(S) = blue) .",
        "both",
        "darker(blue)",
    ),
    "the predecessor of 0 in the invariant": (_IDLE + "eq inv(S) = not ((p size(c(S))) = 5) .", "inv", "(p 0)"),
    "an order on the predecessor of 0": (_IDLE + "eq inv(S) = (p size(c(S))) < 5 .", "inv", "(p 0)"),
    "a division by 0": (_IDLE + "eq inv(S) = not ((5 quo size(c(S))) = 7) .", "inv", "(5 quo 0)"),
    "a divisor 0": (_IDLE + "eq inv(S) = (size(c(S)) divides 4) or (3 < size(c(S))) .", "inv", "(0 divides 4)"),
    "a non-zero distance": (_IDLE + "eq inv(S) = not (d(size(c(S)), 3) = 7) .", "inv", "d("),
    "an effective condition": (
        "ceq n(t(S)) = 5 if c-t(S) . op c-t : Sys -> Bool eq c-t(S) = (darker(c(S)) = red) ."
        " ceq t(S) = S if not c-t(S) .",
        None,
        "darker(blue)",
    ),
    "an effective condition with the predecessor": (
        "ceq n(t(S)) = 5 if c-t(S) . op c-t : Sys -> Bool eq c-t(S) = (p size(c(S))) = 5 ."
        " ceq t(S) = S if not c-t(S) .",
        None,
        "(p 0)",
    ),
    "an update": ("eq n(t(S)) = p size(c(S)) .", None, "(p 0)"),
    "a choice in an update": (
        "eq n(t(S)) = if darker(c(S)) = red then 1 else 2 fi .",
        None,
        "darker(blue)",
    ),
    "a condition of an update": (
        "ceq n(t(S)) = 1 if darker(c(S)) = red . ceq n(t(S)) = 2 if not (darker(c(S)) = red) .",
        None,
        "has no value",
    ),
}


@pytest.mark.parametrize("case", _MET)
def test_a_search_stops_where_it_depends_on_a_gap(case: str, space_of: Maker) -> None:
    more, name, culprit = _MET[case]
    with pytest.raises(OtsrwError) as caught:
        _searched(space_of, more, 4, name)
    problem = caught.value.problem
    assert problem.code == ("E512" if "update" in case and "condition" not in case else "E513")
    assert culprit in problem.message
    assert "after 2 steps" in problem.message or "after 3 steps" in problem.message
    assert problem.hint
    assert _searched(space_of, more, 1, name) == "holds", "it is not met before"


_NOT_MET = {
    "behind a guard": (_IDLE + "eq inv(S) = (c(S) = blue) or not (darker(c(S)) = red) .", "inv"),
    "before a guard": (_IDLE + "eq inv(S) = not (darker(c(S)) = red) or (c(S) = blue) .", "inv"),
    "in a function that is not asked": (_IDLE + "eq inv(S) = warm(c(S)) or n(S) = 0 .", "inv"),
    "beside itself": (_IDLE + "eq inv(S) = (darker(c(S)) = darker(c(S))) .", "inv"),
    "in an argument that does not matter": (_IDLE + "eq inv(S) = any(darker(c(S))) .", "inv"),
    "in a part that does not matter": (
        _IDLE + "eq inv(S) = not (first(pair(c(S), darker(c(S)))) = red) or c(S) = red .",
        "inv",
    ),
    "in a formula that is always true": (_IDLE + "eq inv(S) = always(c(S)) .", "inv"),
    "in a branch that is not taken": (
        "eq n(t(S)) = if c(S) = blue then 1 else (if darker(c(S)) = red then 2 else 3 fi) fi .",
        None,
    ),
    "in an effective condition that fails anyway": (
        "ceq n(t(S)) = 5 if c-t(S) . op c-t : Sys -> Bool eq c-t(S) = (darker(c(S)) = red) and not (c(S) = blue) ."
        " ceq t(S) = S if not c-t(S) .",
        None,
    ),
    "the predecessor behind a guard": (
        _IDLE + "eq inv(S) = (0 < size(c(S))) implies (p size(c(S))) < 5 .",
        "inv",
    ),
}


@pytest.mark.parametrize("case", _NOT_MET)
def test_a_search_goes_on_where_nothing_depends_on_a_gap(case: str, space_of: Maker) -> None:
    more, name = _NOT_MET[case]
    assert _searched(space_of, more, 6, name) == "holds"


def test_a_violation_elsewhere_is_told(space_of: Maker) -> None:
    more = _IDLE + "eq inv(S) = not (darker(c(S)) = red) and not (c(S) = blue) ."
    assert _searched(space_of, more, 6, "inv") == "violated"


def test_the_message_names_function_value_state_and_hint() -> None:
    with pytest.raises(OtsrwError) as caught:
        _searched(RewritingSpace, _MET["a comparison in the invariant"][0], 4, "inv")
    problem = caught.value.problem
    assert problem.message == (
        "darker(blue) has no value, and the invariant inv needs it in a state after 2 steps (c: blue, n: 0)"
    )
    assert problem.hint is not None and "eq darker(blue) = ... ." in problem.hint
    assert problem.span.text == "ops"


@pytest.mark.parametrize("case", _MET)
def test_graphs_and_states_stop_too(case: str, space_of: Maker) -> None:
    more, name, culprit = _MET[case]
    instance = _with(more)
    invariant = None if name is None else invariant_named(instance, name)
    with pytest.raises(OtsrwError) as caught:
        space_of(instance).graph(None, invariant)
    assert culprit in caught.value.problem.message
    if name is None:
        with pytest.raises(OtsrwError):
            space_of(instance).reachable(4)

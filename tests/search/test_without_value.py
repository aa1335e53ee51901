"""A condition that is neither true nor false, or an observer without a value, is an error and never a lost step."""

from __future__ import annotations

import pytest
from specifications import instance_of, invariant_named, ots_of

from otsrw.ots.binding import Theory
from otsrw.search import MaudeSpace, RewritingSpace, translate
from otsrw.search.partiality import Partiality
from otsrw.syntax.diagnostics import OtsrwError

_DATA = """
mod! COLOUR { [Colour] ops red green blue : -> Colour {constr} op warm : Colour -> Bool op next : Colour -> Colour
  eq warm(red) = true . eq warm(green) = false .
  eq next(red) = green . eq next(green) = blue . eq next(blue) = red . }
"""
_HEAD = """mod* M { pr(COLOUR) *[Sys]* op init : -> Sys bop c : Sys -> Colour bop on : Sys -> Bool
  bop t : Sys -> Sys var S : Sys"""
_CHANGE = "bop u : Sys -> Sys eq c(u(S)) = next(c(S)) . eq on(u(S)) = on(S) ."
_START = "eq c(init) = red . eq on(init) = false ."

_DARKER = f"""mod* M {{ pr(DARKER) *[Sys]* op init : -> Sys bop c : Sys -> Colour bop on : Sys -> Bool
  bop t : Sys -> Sys var S : Sys {_START} eq on(t(S)) = on(S) ."""

_STUCK = {
    "in an effective condition": (
        f"{_DATA} {_HEAD} {_CHANGE} {_START} eq c(t(S)) = c(S) . ceq on(t(S)) = true if not warm(c(S)) ."
        " ceq t(S) = S if warm(c(S)) . }",
        "E513",
        "warm(blue)",
    ),
    "in an observer, and then in a condition": (
        f"{_DATA} {_HEAD} {_CHANGE} {_START} eq c(t(S)) = c(S) . eq on(t(S)) = warm(c(S)) ."
        " bop v : Sys -> Sys ceq c(v(S)) = red if on(S) . eq on(v(S)) = on(S) . ceq v(S) = S if not on(S) . }",
        "E512",
        "warm(blue)",
    ),
    "in a function of data": (
        f"{_DATA} mod! DARKER {{ pr(COLOUR) op darker : Colour -> Colour"
        f" eq darker(red) = green . eq darker(green) = blue . }} {_DARKER} eq c(t(S)) = darker(c(S)) . }}",
        "E512",
        "darker(blue)",
    ),
    "in a function that a loose module leaves open": (
        f"{_DATA} {_HEAD} {_START} op favourite : Colour -> Colour eq c(t(S)) = next(c(S)) . eq on(t(S)) = on(S) ."
        " bop v : Sys -> Sys ceq c(v(S)) = favourite(c(S)) if c(S) = green . eq on(v(S)) = on(S) ."
        " ceq v(S) = S if not (c(S) = green) . }",
        "E512",
        "favourite(green)",
    ),
    "in a choice between two values": (
        f"{_DATA} {_HEAD} {_CHANGE} {_START} eq c(t(S)) = if warm(c(S)) then green else red fi ."
        " eq on(t(S)) = on(S) . }",
        "E512",
        "has no value",
    ),
    "in a case that no equation describes": (
        f"{_DATA} {_HEAD} {_CHANGE} {_START} ceq c(t(S)) = green if c(S) = red . ceq c(t(S)) = red if c(S) = green ."
        " eq on(t(S)) = not on(S) . }",
        "E512",
        "has no value",
    ),
}


@pytest.mark.parametrize("space", [MaudeSpace, RewritingSpace])
@pytest.mark.parametrize("case", _STUCK)
def test_what_has_no_value_is_reported(case: str, space: type[MaudeSpace | RewritingSpace]) -> None:
    text, code, message = _STUCK[case]
    instance = instance_of(ots_of(text))
    with pytest.raises(OtsrwError) as caught:
        space(instance).search(None, 5)
    assert caught.value.problem.code == code
    assert message in caught.value.problem.message
    assert space(instance).search(None, 1).verdict == "holds", "it is not met before"


_INFINITY = "mod! MORE { ex(NAT) op inf : -> Nat {constr} eq (X:Nat < inf) = true . }"


def test_what_equations_alone_compute_is_not_left_to_maude() -> None:
    text = (
        "mod* M { pr(MORE + COLOUR) *[Sys]* op init : -> Sys bop c : Sys -> Colour bop k : Sys -> Nat"
        " bops t u : Sys -> Sys op safe : Sys -> Bool var S : Sys eq c(init) = red . eq k(init) = 0 ."
        " eq c(t(S)) = (if k(S) < inf then blue else c(S) fi) . eq k(t(S)) = k(S) ."
        " eq c(u(S)) = (if c(S) = blue then green else red fi) . eq k(u(S)) = k(S) ."
        " eq safe(S) = not (c(S) = green) . }"
    )
    instance = instance_of(ots_of(f"{_DATA} {_INFINITY} {text}"))
    safe = invariant_named(instance, "safe")
    with pytest.raises(OtsrwError) as caught:
        MaudeSpace(instance).search(safe, 2)
    assert caught.value.problem.code == "E516"
    assert RewritingSpace(instance).search(safe, 2).verdict == "violated"


def test_an_invariant_without_a_truth_value_is_reported() -> None:
    text = (
        f"{_DATA} {_HEAD} {_CHANGE} {_START} eq c(t(S)) = c(S) . eq on(t(S)) = on(S) ."
        " op i : Sys -> Bool eq i(S) = warm(c(S)) or c(S) = green or on(S) = false . op j : Sys -> Bool"
        " eq j(S) = (on(S) = false) and (warm(c(S)) or c(S) = green) . }"
    )
    instance = instance_of(ots_of(text))
    with pytest.raises(OtsrwError) as caught:
        MaudeSpace(instance).search(invariant_named(instance, "j"), 5)
    assert caught.value.problem.code == "E513"


@pytest.mark.parametrize(
    ("equations", "complete"),
    [
        ("eq f(red, X) = true . eq f(green, X) = false . eq f(blue, X) = true .", True),
        ("eq f(red, X) = true . eq f(green, X) = false .", False),
        ("eq f(red, X) = true . eq f(X, red) = false . eq f(green, green) = true .", False),
        ("eq f(X, Y) = warm(X) .", False),
        ("ceq f(X, Y) = true if X = Y . ceq f(X, Y) = false if not (X = Y) .", True),
        ("ceq f(X, Y) = true if X = Y .", False),
        ("eq f(red, red) = true . eq f(X, Y) = false [owise] .", True),
        ("eq f(X, X) = true . eq f(X, Y) = false [owise] .", True),
        ("eq f(X, X) = true .", False),
    ],
)
def test_completeness_is_seen_from_patterns(equations: str, complete: bool) -> None:
    text = (
        f"{_DATA} mod! F {{ pr(COLOUR) op f : Colour Colour -> Bool vars X Y : Colour {equations} }}"
        f" {_HEAD.replace('COLOUR', 'F')} {_START} eq c(t(S)) = c(S) . eq on(t(S)) = on(S) . }}"
    )
    instance = instance_of(ots_of(text))
    symbol = next(s for s in instance.module.signature.symbols() if s.name == "f")
    assert Partiality(Theory(instance)).is_partial(symbol) is not complete


def test_complete_conditions_are_not_watched() -> None:
    text = (
        f"{_DATA} {_HEAD} {_CHANGE} {_START} eq c(t(S)) = c(S) . ceq on(t(S)) = true if c(S) = red ."
        " ceq t(S) = S if not (c(S) = red) . }"
    )
    assert "no-sys" not in translate(instance_of(ots_of(text))).text

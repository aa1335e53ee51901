"""A session takes over what another one has declared, as far as its text says the same."""

from __future__ import annotations

import pytest

from otsrw.induction.score import ProofScore, check_score
from otsrw.proofs import Session

FIRST = "mod* ELT { [Elt] }"
SECOND = "mod! PAIR(X :: TRIV) { [Pair] op <_;_> : Elt.X Elt.X -> Pair {constr} }"
VIEW = "view V from TRIV to ELT { sort Elt -> Elt }"
THIRD = "mod! PAIRS { pr(PAIR(X <= V)) op p : -> Pair }"
TEXTS = (FIRST, SECOND, VIEW, THIRD)
NAMES = ("ELT", "PAIR", "PAIRS")


def ran(*texts: str, after: Session | None = None) -> Session:
    session = Session(known=() if after is None else after.declared)
    session.run_text("\n".join(texts))
    return session


def shared(before: Session, after: Session) -> list[str]:
    return [name for name in NAMES if before.library.modules.get(name) is after.library.modules[name]]


def test_the_same_text_gives_the_same_modules() -> None:
    before = ran(*TEXTS)
    after = ran("-- other comments, passages and blanks", *TEXTS, "open PAIRS . red p = p . close", after=before)
    assert shared(before, after) == list(NAMES)
    assert after.library.views["V"] is before.library.views["V"]
    assert [command.result for command in after.outcome.commands] == ["true"]
    assert not after.outcome.problems


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param((FIRST, SECOND + " ", VIEW, THIRD.replace("p :", "q :")), ["ELT", "PAIR"], id="another module"),
        pytest.param((FIRST.replace("[Elt]", "[Elt Set]"), SECOND, VIEW, THIRD), [], id="nothing after a difference"),
        pytest.param((SECOND, FIRST, VIEW, THIRD), [], id="another order"),
        pytest.param(("mod! NEW { }", *TEXTS), [], id="one more"),
        pytest.param((FIRST, "set include BOOL off", SECOND, VIEW, THIRD), ["ELT"], id="another switch"),
    ],
)
def test_nothing_is_taken_over_from_the_first_difference_on(texts: tuple[str, ...], expected: list[str]) -> None:
    before = ran(*TEXTS)
    assert shared(before, ran(*texts, after=before)) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param((*TEXTS, "select PAIRS .", "let q = p ."), ["ELT", "PAIR"], id="a name given later"),
        pytest.param((FIRST, "mod! BAD { op c : -> Nowhere }", SECOND, VIEW, THIRD), ["ELT"], id="an error"),
        pytest.param(("set auto context on", *TEXTS), [], id="a switch"),
    ],
)
def test_what_is_more_than_its_text_is_not_taken_over(texts: tuple[str, ...], expected: list[str]) -> None:
    before = ran(*texts)
    declarations = [text for text in texts if text.startswith(("mod", "view"))]
    assert shared(before, ran(*declarations, after=before)) == expected


SWITCH = """
mod! SWITCH { [Sys] op init : -> Sys {constr} op flip : Sys -> Sys {constr} op on : Sys -> Bool op safe : Sys -> Bool
  var S : Sys
  eq on(init) = true .
  eq on(flip(S)) = on(S) .
  eq safe(S) = on(S) . }
"""
PASSAGES = """
open SWITCH . red safe(init) . close
open SWITCH . op s : -> Sys . red safe(s) implies safe(flip(s)) . close
"""


def test_a_score_about_other_modules_is_judged_by_its_own() -> None:
    known = ran(SWITCH).declared
    assert check_score(ProofScore(SWITCH + PASSAGES, 2), known) == []
    other = SWITCH.replace("on(flip(S)) = on(S)", "on(flip(S)) = false")
    assert check_score(ProofScore(other + PASSAGES, 2), known) != []

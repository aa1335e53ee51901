"""Attempts to have a false goal discharged: none succeeds, or the proof says what it takes for granted."""

from __future__ import annotations

import pytest
from support import run as outcome_of

NUM = """
mod! NUM { [ N ]
  op z : -> N {constr} .   op s : N -> N {constr} .   op _+_ : N N -> N .   ops f g : N -> N .   preds p q : N .
  ops a b : -> N .   vars X Y : N
  eq z + Y = Y .   eq s(X) + Y = s(X + Y) .   eq (z = s(X)) = false .   eq (s(X) = s(Y)) = (X = Y) .
  eq p(z) = true .   eq p(s(X)) = false .
  eq [lem :nonexec]: p(X) implies q(X) = true .
}
select NUM .
"""
LOCK = """
mod! LOCK { [ Sys ]
  op init : -> Sys {constr} .   ops up down : Sys -> Sys {constr} .   pred on : Sys .
  eq on(init) = false .   eq on(up(S:Sys)) = true .   eq on(down(S:Sys)) = false .
}
"""

FALSE = {
    "a goal that has no targets left": NUM + ":goal { eq z = s(z) . }\n:ctf { eq z = s(z) . }\n:apply (rd-)",
    "the hypothesis at the step itself": NUM + ":goal { eq X:N + Y:N = X . }\n:ind on (X:N)\n:apply (si tc rd)",
    "two induction variables": NUM + ":goal { eq X:N + Y:N = Y . }\n:ind on (X:N Y:N)\n:apply (si tc rd)",
    "a hypothesis with free variables": NUM
    + ":goal { eq f(X:N) = f(Y:N) . }\n:ind on (X:N)\n:apply (si tc rd)\n:apply (rd)",
    "a split on a constant of its own goal": NUM
    + ":goal { eq p(X:N) = true . }\n:apply (tc)\n:ctf { eq X@N = z . }\n"
    + ":apply (rd)\n:select 1-1\n:apply (rd)",
    "selecting a goal that is proved": NUM
    + ":goal { eq p(z) = true . eq p(s(z)) = true . }\n:apply (tc rd)\n:select 1\n"
    + ":apply (rd)",
    "rolling back to the root": NUM
    + ":goal { eq p(X:N) = true . }\n:apply (tc)\n:ctf { eq X@N = z . }\n:apply (rd)\n"
    + ":roll back\n:apply (rd)",
    "tactics on another goal": NUM
    + ":goal { eq p(X:N) = true . }\n:apply (tc)\n:ctf { eq X@N = z . }\n"
    + ":apply to 1-1 (rd)\n:apply to 1-1 (rd)\n:apply to root (rd)",
    "a lemma from a goal that is open": NUM
    + ":goal { eq [no]: p(X:N) = true . }\n:apply (tc rd)\n"
    + ":goal { eq p(s(z)) = true . }\n:use (no)\n:apply (rd)",
    "a lemma from a proof that was thrown away": NUM
    + ":goal { eq [no]: p(X:N) = true . }\n:reset\n"
    + ":goal { eq p(s(z)) = true . }\n:use (no)\n:apply (rd)",
    "an implication with a false premise": NUM + ":goal { ceq p(X:N) = true if q(X) . }\n:apply (tc ip rd)",
    "a premise that is a disjunction": NUM + ":goal { ceq X:N = z if p(X) or q(X) . }\n:apply (tc ip rd)",
    "an instance for another term": NUM
    + ":goal { eq q(s(z)) = true . }\n:init as k [lem] by { X:N <- s(z) ; }\n:apply (rd)",
    "an instance with its variable left": NUM + ":goal { eq q(a) = true . }\n:init as k [lem] by { }\n:apply (rd)",
    "equality of spelling": NUM + ":goal { eq (a == b) = true . }\n:apply (rd)",
    "constants that are not free": NUM
    + ":goal { eq (a = b) = false . }\n:apply (rd)\n:ctf { eq a = b . }\n:apply (rd)\n:apply (rd)",
    "a split inside a split of the same constant": NUM
    + ":goal { eq f(a) = g(b) . }\n:ctf [ f(a) . ]\n:ctf [ g(b) . ]\n"
    + ":apply (rd)\n:apply (rd)\n:apply (rd)\n:apply (rd)",
    "automatic proof": NUM + ":goal { eq p(X:N) = true . }\n:ind on (X:N)\n:auto",
    "an invariant that is broken by one step": LOCK
    + "select LOCK .\n:goal { eq on(S:Sys) = false . }\n:ind on (S:Sys)\n:apply (si rd)",
    "hypotheses of CiMPA as rules": LOCK
    + ":goal{ eq [i :nonexec] : (not on(S:Sys)) = true . }\n:ind on (S:Sys)\n:apply(si)\n:sel(3)\n:apply(tc)\n"
    + ":imp [i] .\n:apply (rd)\n:sel(1)\n:apply(tc)\n:imp [i] .\n:apply (rd)\n:sel(2)\n:apply(tc)\n:apply (rd)",
    "a lemma of CiMPA at another state": LOCK
    + ":goal{ eq [i :nonexec] : (not on(S:Sys)) = true . }\n:ind on (S:Sys)\n:apply(si)\n:sel(3)\n:apply(tc)\n"
    + ":imp [i] by {S:Sys <- up(S#Sys) ;}\n:apply (rd)\n:postpone .",
    "a goal of CiMPA that is postponed": LOCK
    + ":goal{ eq [i :nonexec] : (not on(S:Sys)) = true . }\n:ind on (S:Sys)\n:apply(si)\n"
    + ":postpone .\n:postpone .\n:postpone .",
}
"""Scripts about sentences that are false in the module, or not true in all its models."""


@pytest.mark.parametrize("name", FALSE)
def test_a_false_goal_stays_open(name: str) -> None:
    outcome = outcome_of(FALSE[name])
    assert outcome.proofs
    assert outcome.proofs[-1].open_goals


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (":goal { eq p(X:N) = true . }\n:apply (tc)\n:csp { eq X@N = z . }\n:apply (rd)", "one of the cases of :csp"),
        (":goal { eq p(s(z)) = true . }\n:init as k { eq p(s(z)) = true . } by { }\n:apply (rd)", "given to :init"),
        (":goal { eq (x:N == y:N) = false . }\n:apply (tc rd)", "=="),
    ],
)
def test_what_is_taken_for_granted_is_said(script: str, words: str) -> None:
    outcome = outcome_of(NUM + script)
    assert outcome.open_proofs == []
    assert any(words in assumed for assumed in outcome.proofs[0].assumed)
    assert any(problem.code == "W702" for problem in outcome.warnings)

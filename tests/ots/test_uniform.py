"""Functions on values without end get one plain meaning, if that alone makes what is said of them true."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run
from specifications import ots_of

from otsrw.ots.population import usual_entities
from otsrw.ots.uniform import uniform_meanings
from otsrw.theory.printing import show

QUORUM = """
mod* NODE {{ [Node] }}
mod{kind} NODES {{
  pr(NODE) pr(NAT) [Nodes]
  op noone : -> Nodes {{constr}}
  op _+_ : Node Nodes -> Nodes {{constr}}
  op _in_ : Node Nodes -> Bool
  pred quorum : Nodes
  op meet : Nodes Nodes -> Node
  op rank : Nat -> Nat
  vars N M : Node  vars X Y : Nodes  vars I J : Nat
  eq N in noone = false .
  eq N in (M + X) = (N = M) or (N in X) .
  {laws}
}}
mod* VOTES {{
  pr(NODES) *[Sys]*
  op init : -> Sys
  bop voters : Sys -> Nodes
  bop decided : Sys -> Bool
  bop vote : Sys Node -> Sys
  bop decide : Sys -> Sys
  preds one-vote undecided : Sys Node Node
  var S : Sys  vars N M : Node
  eq voters(init) = noone .  eq decided(init) = false .
  eq voters(vote(S,N)) = N + voters(S) .  eq decided(vote(S,N)) = decided(S) .
  eq voters(decide(S)) = voters(S) .
  ceq decided(decide(S)) = true if quorum(voters(S)) .
  ceq decide(S) = S if not quorum(voters(S)) .
  eq one-vote(S,N,M) = (N in voters(S)) and (M in voters(S)) implies N = M .
  {more}
}}
"""
GROWS = "ceq quorum(N + X) = true if quorum(X) ."
MEETS = "ceq meet(X,Y) in X = true if quorum(X) and quorum(Y) ."
INJECTIVE = "eq (rank(I) = rank(J)) = (I = J) ."


def votes(*laws: str, kind: str = "*", more: str = "") -> str:
    return QUORUM.format(laws="\n  ".join(laws), kind=kind, more=more)


def meanings(text: str) -> dict[str, str]:
    return {each.symbol.name: show(each.body) for each in uniform_meanings(ots_of(text))}


def test_laws_are_true_by_the_meanings() -> None:
    found = meanings(votes(GROWS, MEETS, INJECTIVE))
    assert found["quorum"] == "false" and found["rank"].startswith("X1")
    assert found["meet"].startswith("E")


@pytest.mark.parametrize(
    ("laws", "left"),
    [
        (("eq quorum(noone) = true .",), {"quorum", "rank"}),
        (("eq quorum(noone) = true .", "eq quorum(N + noone) = false ."), {"rank"}),
        (("eq quorum(noone) = true .", MEETS), {"rank"}),
        (("eq rank(0) = 1 .",), {"quorum"}),
        (("eq rank(rank(I)) = s(I) .",), {"quorum"}),
        (("eq [law :nonexec] : rank(I) = s(rank(J)) .",), {"quorum"}),
    ],
)
def test_no_law_is_used_to_show_itself(laws: tuple[str, ...], left: set[str]) -> None:
    assert set(meanings(votes(GROWS, *laws))) - {"meet"} == left
    assert "meet" not in meanings(votes(GROWS, "eq quorum(noone) = true .", MEETS))


def test_what_is_said_of_states_counts_unless_it_defines_an_observer() -> None:
    assert meanings(votes(GROWS))["quorum"] == "false"
    assert meanings(votes(GROWS, more="eq quorum(voters(S)) = true ."))["quorum"] == "true"
    assert meanings(votes(GROWS, more="eq [law :nonexec] : true = quorum(voters(S)) ."))["quorum"] == "true"


def test_a_function_of_a_tight_module_has_no_other_meaning() -> None:
    assert meanings(votes(INJECTIVE, kind="!")) == {}


def test_a_sort_with_such_a_function_has_entities() -> None:
    assert usual_entities(ots_of(votes(GROWS, MEETS))) == {"Node": ("n1", "n2", "n3")}


def test_a_violation_that_needs_no_quorum_is_found(tmp_path: Path) -> None:
    file = tmp_path / "votes.cafe"
    file.write_text(votes(GROWS, MEETS), encoding="utf-8")
    code, out, _ = run("igf", str(file), "--inv", "one-vote")
    assert code == 12
    assert "quorum(X1:Nodes) = false, meet(X1:Nodes,X2:Nodes) = n1" in out
    assert "false after 2 steps" in out

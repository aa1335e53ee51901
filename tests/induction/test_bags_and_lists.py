"""Proofs about bags, sets and lists that states hold, with lemmas that nobody gave."""

from __future__ import annotations

from pathlib import Path

import pytest
from specifications import SPECS

from otsrw.application import load_specification
from otsrw.application.deciding import DecisionQuestion, decide
from otsrw.induction import Options

EVERYDAY = SPECS.parent / "bench" / "everyday"

ONE_AT_MOST = """
mod* PID { [Pid] }
mod! BAG { pr(PID) [Pid < Bag]
  op nobody : -> Bag {constr}  op _;_ : Bag Bag -> Bag {constr assoc comm id: nobody} }
mod* M { pr(BAG) *[Sys]* op init : -> Sys bop q : Sys -> Bag bop put : Sys Pid -> Sys bop take : Sys Pid Bag -> Sys
  op c-put : Sys Pid -> Bool  op safe : Sys Pid -> Bool  var S : Sys var P : Pid var X : Bag
  eq q(init) = nobody .  eq c-put(S,P) = (q(S) = nobody) .
  ceq q(put(S,P)) = (P ; q(S)) if c-put(S,P) .  ceq put(S,P) = S if not c-put(S,P) .
  ceq q(take(S,P,X)) = X if q(S) = (P ; X) .  ceq take(S,P,X) = S if not (q(S) = (P ; X)) .
  eq safe(S,P) = not (q(S) = (P ; P)) . }
"""


def verdict(file: Path, invariant: str) -> str:
    recognised = load_specification(str(file)).recognised(invariant=invariant)
    return str(decide(recognised, DecisionQuestion(invariant, Options())).result.verdict)


@pytest.mark.parametrize(
    ("name", "invariant"),
    [("rw_set", "inv1"), ("semaphore", "inv1"), ("spooler", "inv2")],
    ids=["a set", "a bag", "a list"],
)
def test_elements_of_collections_are_followed(name: str, invariant: str) -> None:
    assert verdict(EVERYDAY / f"{name}.cafe", invariant) == "verified"


def test_a_lemma_may_say_that_a_bag_has_no_two_elements(tmp_path: Path) -> None:
    file = tmp_path / "one.cafe"
    file.write_text(ONE_AT_MOST, "utf-8")
    assert verdict(file, "safe") == "verified"


@pytest.mark.parametrize(
    ("old", "new"),
    [("eq c-put(S,P) = (q(S) = nobody)", "eq c-put(S,P) = true"), ("(P ; q(S)) if", "(P ; P ; q(S)) if")],
    ids=["no guard", "two at once"],
)
def test_a_flawed_bag_is_not_verified(tmp_path: Path, old: str, new: str) -> None:
    assert old in ONE_AT_MOST
    file = tmp_path / "two.cafe"
    file.write_text(ONE_AT_MOST.replace(old, new), "utf-8")
    assert verdict(file, "safe") == "falsified"

"""Sums of observed numbers that do not change are found, and are lemmas."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run
from specifications import SPECS, instance_of, ots_of

from otsrw.induction import Options, igf
from otsrw.search import MaudeSpace
from otsrw.theory.printing import show_plainly

TILLS = """
mod* TILLS { pr(NAT) *[Sys]* op init : -> Sys
  bops a b way lost : Sys -> Nat  bops send recv burn : Sys -> Sys  op inv : Sys -> Bool  var S : Sys
  eq a(init) = 4 .  eq b(init) = 0 .  eq way(init) = 0 .  eq lost(init) = 0 .
  ceq a(send(S)) = sd(a(S),1) if a(S) > 0 .  ceq way(send(S)) = s(way(S)) if a(S) > 0 .
  eq b(send(S)) = b(S) .  eq lost(send(S)) = lost(S) .  bceq send(S) = S if not (a(S) > 0) .
  eq a(recv(S)) = a(S) .  eq b(recv(S)) = b(S) + way(S) .  eq way(recv(S)) = 0 .  eq lost(recv(S)) = lost(S) .
  eq a(burn(S)) = a(S) .  eq b(burn(S)) = b(S) .  eq way(burn(S)) = way(S) .  eq lost(burn(S)) = s(lost(S)) .
  eq inv(S) = b(S) <= 4 . }
"""


def test_a_bound_follows_from_a_sum_that_is_conserved() -> None:
    ots = ots_of(TILLS)
    with MaudeSpace(instance_of(ots)) as space:
        result = igf(ots, space, ots.invariants[0], Options(depth=3))
    assert result.verdict == "verified", result.reason
    lemmas = [show_plainly(node.predicate.formula) for name, node in result.nodes.items() if name != "inv"]
    assert lemmas == ["((a(S) + (b(S) + way(S))) = 4)"]


BANK = """
mod! OWNER { [Owner] ops ann bob : -> Owner {constr}  eq (ann = bob) = false . }
mod* BANK { pr(OWNER + INT) *[Sys]* op init : -> Sys
  bop has : Sys Owner -> Int  bop give : Sys Owner Owner Nat -> Sys
  op limit : Sys -> Bool  op no-debt : Sys Owner -> Bool  op rich : Sys Owner -> Bool
  var S : Sys  vars P Q R : Owner  var N : Nat
  eq has(init,ann) = 6 .  eq has(init,bob) = 4 .
  ceq has(give(S,P,Q,N),R)
    = (if R = P then has(S,P) - N else (if R = Q then has(S,Q) + N else has(S,R) fi) fi)
    if (not (P = Q)) and N <= has(S,P) .
  ceq give(S,P,Q,N) = S if not ((not (P = Q)) and N <= has(S,P)) .
  eq limit(S) = has(S,bob) <= 10 .  eq no-debt(S,P) = 0 <= has(S,P) .  eq rich(S,P) = 4 <= has(S,P) . }
"""


def test_numbers_that_the_elements_of_a_small_sort_have_are_summed(tmp_path: Path) -> None:
    file = tmp_path / "bank.cafe"
    file.write_text(BANK)
    code, out, _ = run("igf", str(file), "--inv", "limit", "--json", "--proof", str(tmp_path / "score.cafe"))
    found = json.loads(out)
    assert (code, [each["formula"] for each in found["lemmas"]]) == (0, ["((has(S,ann) + has(S,bob)) = 10)"])


def test_a_sum_bounds_the_number_of_any_element(tmp_path: Path) -> None:
    """The case says of two owners that they differ; the sum speaks of ann and bob."""
    file = tmp_path / "bank.cafe"
    file.write_text(BANK.replace("4 <= has(S,P)", "has(S,P) <= 10"))
    code, out, _ = run("igf", str(file), "--inv", "rich", "--json", "--proof", str(tmp_path / "score.cafe"))
    found = json.loads(out)
    assert (code, "((has(S,ann) + has(S,bob)) = 10)") == (0, found["lemmas"][0]["formula"])
    file.write_text(BANK.replace("4 <= has(S,P)", "has(S,P) <= 9"))
    assert run("igf", str(file), "--inv", "rich")[0] == 12


def test_the_initial_state_is_looked_at_for_each_element_of_a_small_sort(tmp_path: Path) -> None:
    file = tmp_path / "bank.cafe"
    file.write_text(BANK)
    assert run("igf", str(file), "--inv", "no-debt")[0] == 0
    assert run("igf", str(file), "--inv", "rich")[0] == 12
    file.write_text(BANK.replace("has(init,bob) = 4", "has(init,bob) = - 4"))
    assert run("igf", str(file), "--inv", "no-debt")[0] == 12


FRESH = SPECS.parent / "bench"


@pytest.mark.parametrize(
    ("file", "invariant", "lemma"),
    [
        ("fresh2/refs.cafe", "nodangling", "(size(owners(S)) = count(S))"),
        ("fresh3/refcount.cafe", "no-dangling", "(#(users(S,O)) = count(S,O))"),
        ("fresh2/snapshot.cafe", "rightsmall", "((left(S) + (right(S) + (toks(lr(S)) + toks(rl(S))))) = all)"),
    ],
)
def test_what_a_number_counts_in_a_collection_is_a_lemma(file: str, invariant: str, lemma: str, tmp_path: Path) -> None:
    score = tmp_path / "score.cafe"
    code, out, _ = run("igf", str(FRESH / file), "--inv", invariant, "--json", "--proof", str(score))
    assert (code, [each["formula"] for each in json.loads(out)["lemmas"] if each["kind"] != "domain"]) == (0, [lemma])
    assert run("check", "--score", str(score))[0] == 0


def test_a_number_that_counts_too_much_is_no_lemma(tmp_path: Path) -> None:
    file = tmp_path / "refcount.cafe"
    text = (FRESH / "fresh3/refcount.cafe").read_text()
    old = "(if O = Q then cut(U, users(H, O))"
    assert old in text
    file.write_text(text.replace(old, "(if O = Q then users(H, O)"))
    assert run("igf", str(file), "--inv", "no-dangling")[0] == 12

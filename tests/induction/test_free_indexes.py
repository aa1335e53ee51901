"""Lemmas speak of any index that is in the same relations to what is observed as a computed one."""

from __future__ import annotations

from pathlib import Path

import pytest
from specifications import ots_of, ots_of_file

from otsrw.application import load_specification
from otsrw.application.deciding import DecisionQuestion, decide
from otsrw.induction import Induction, Options
from otsrw.induction.clauses import Clause
from otsrw.induction.free_indexes import computed_indexes, index_patterns, with_free_indexes
from otsrw.induction.vocabulary import CaseVocabulary
from otsrw.ots.model import Ots
from otsrw.reasoning.splitting import LeafOutcome
from otsrw.theory.printing import show_plainly

CELLS = """
mod* ITEM {{ [Item] }}
mod* CELLS {{ pr(NAT + ITEM) *[Sys]* op init : -> Sys
  bop next : Sys -> Nat  bop turn : Sys Item -> Nat  bop full : Sys Nat -> Bool  bop go : Sys Item -> Sys
  op fresh : Sys -> Bool  op odd : Sys Item -> Bool  var S : Sys  vars I J : Item  var N : Nat
  eq next(init) = 0 .  eq turn(init, I) = 0 .  eq full(init, N) = false .
  eq next(go(S, I)) = {next} .  eq turn(go(S, I), J) = (if I = J then next(S) else turn(S, J) fi) .
  eq full(go(S, I), N) = ((N = next(S)) or full(S, N)) .
  eq fresh(S) = not full(S, next(S)) .
  eq odd(S, I) = not (full(S, next(S) + 1) and full(S, turn(S, I)) and (turn(S, I) < (next(S) + 1))) . }}
"""


def cells(next_value: str = "next(S) + 1") -> Ots:
    return ots_of(CELLS.format(next=next_value))


def clause_of(ots: Ots, name: str) -> Clause:
    invariant = next(each for each in ots.invariants if each.name == name)
    return Induction(ots).predicate(invariant.name, invariant.parameters, invariant.formula).clauses[0]


def test_an_index_is_computed_if_it_is_made_of_observations_and_is_none() -> None:
    ots = cells()
    atoms = [literal.atom for literal in clause_of(ots, "odd").literals]
    found = computed_indexes(atoms, ots.state)
    assert {show_plainly(index): sort.name for index, sort in found.items()} == {"(next(S) + 1)": "Nat"}
    assert [show_plainly(pattern) for pattern in index_patterns(atoms, ots.state)] == ["(X + 1)"]


def test_a_computed_index_becomes_a_variable_everywhere() -> None:
    ots = cells()
    freed = with_free_indexes(clause_of(ots, "odd"))
    texts = {show_plainly(literal.atom) for literal in freed.literals}
    assert texts == {"full(S,I1)", "full(S,turn(S,I))", "(turn(S,I) < I1)"}
    assert {show_plainly(parameter) for parameter in freed.parameters} == {"I", "I1"}


def test_a_case_is_described_by_relations_of_its_computed_index() -> None:
    ots = ots_of_file("append-log.cafe")
    induction = Induction(ots)
    predicate = induction.predicate("fresh", (), ots.invariants[0].formula)

    def described() -> set[str]:
        case = induction.induction_case(predicate, ots.transitions[0])
        leaves = [leaf for leaf in induction.leaves(case) if leaf.outcome is LeafOutcome.FALSE]
        induction.learn(case, leaves)
        freely = CaseVocabulary(ots, induction.connectives).described_freely(case, leaves[0].assumptions)
        assert freely is not None
        return {f"{'' if each.positive else 'not '}{show_plainly(each.atom)}" for each in freely.clause.literals}

    assert not any("<" in text for text in described()), "nobody knows yet that X < s(X)"
    assert {"full(S,I)", "(NEXT < I)", "not (I < NEXT)", "(next(S) = NEXT)"} <= described()
    assert {proof.lemma.text for proof in induction.book.proofs} >= {"(X < s(X)) = true", "(s(X) < X) = false"}


def test_a_case_without_computed_indexes_has_one_description() -> None:
    ots = ots_of_file("qlock.cafe")
    induction = Induction(ots)
    invariant = ots.invariants[0]
    predicate = induction.predicate(invariant.name, invariant.parameters, invariant.formula)
    case = induction.induction_case(predicate, ots.transitions[0])
    leaf = next(induction.leaves(case))
    assert CaseVocabulary(ots, induction.connectives).described_freely(case, leaf.assumptions) is None


@pytest.mark.parametrize(
    ("text", "verdict", "lemma"),
    [
        pytest.param("next(S) + 1", "verified", "(full(S,I) implies (I <= next(S)))", id="the next cell is free"),
        pytest.param("next(S)", "falsified", None, id="the same cell is filled again"),
    ],
)
def test_one_lemma_about_all_numbers_ends_the_chain(tmp_path: Path, text: str, verdict: str, lemma: str | None) -> None:
    file = tmp_path / "cells.cafe"
    file.write_text(CELLS.format(next=text), encoding="utf-8")
    recognised = load_specification(str(file)).recognised(invariant="fresh")
    result = decide(recognised, DecisionQuestion("fresh", Options())).result
    assert result.verdict == verdict
    if lemma is not None:
        assert lemma in {show_plainly(node.predicate.formula) for node in result.nodes.values()}

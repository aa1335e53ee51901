"""Equations that a proof score adds to the specification: the score is accepted only if they are proved."""

from __future__ import annotations

import re
from functools import cache

import pytest
from support import ROOT

from otsrw import Specification
from otsrw.induction.score_checking import ScoreReport, score_report
from otsrw.reasoning.data_induction import DataInduction
from otsrw.reasoning.data_lemmas import DataLemma
from otsrw.soundness import Status
from otsrw.syntax.source import Source

MEANING = "((P:Pid in P2:Pids) and (not (P = P1:Pid)))"
FOUND = f"  eq (P:Pid in del(P1:Pid,P2:Pids)) = {MEANING} ."


@cache
def pool_score() -> str:
    """A proof score with a lemma about data that was found."""
    specification = Specification(ROOT / "specs" / "job-pool.cafe")
    text = specification.proof(specification.igf("safe")).text
    assert FOUND in text
    return text


def report(text: str) -> ScoreReport:
    found = score_report(Source("<score>", text), ["safe"])
    assert found.errors == ()
    return found


def unproved(text: str) -> list[str]:
    return [each.subject for each in report(text).obligations if each.status is not Status.PROVED]


def with_lines(*lines: str) -> str:
    """The score with more lines in the module with its lemma."""
    return pool_score().replace(FOUND, "\n".join((FOUND, *lines)))


def test_a_lemma_that_was_found_is_proved_again() -> None:
    found = report(pool_score())
    assert found.is_accepted
    assert [each.evidence for each in found.obligations if "del(" in each.subject] == ["by induction on P2"]


@pytest.mark.parametrize(
    "meaning", [MEANING.replace(" and ", " or "), "(not (P = P1:Pid))", "false", "(P = P1:Pid)"], ids=str
)
def test_a_lemma_that_says_something_else_is_refused(meaning: str) -> None:
    changed = pool_score().replace(MEANING, meaning)
    found = [each for each in report(changed).obligations if each.subject.startswith("eq ")]
    assert [each.status for each in found] == [Status.OPEN]
    assert found[0].subject.startswith("eq (P:Pid in del(P1:Pid,P2:Pids)) = ")
    line = changed[: changed.index(f"  eq (P:Pid in del(P1:Pid,P2:Pids)) = {meaning} .")].count("\n") + 1
    assert f"line {line} adds it" in found[0].missing


def test_every_reduction_may_be_true_with_a_lemma_that_is_wrong() -> None:
    changed = pool_score().replace(MEANING, "false")
    assert [each.split(" = ")[0] for each in unproved(changed)] == ["eq (P:Pid in del(P1:Pid,P2:Pids))"]


TRUE = {
    "another lemma": "eq del(P:Pid, del(P:Pid, A:Pids)) = del(P:Pid, A:Pids) .",
    "with a condition": "ceq (P:Pid in del(Q:Pid, A:Pids)) = false if P:Pid = Q:Pid .",
    "about one value": "eq (P:Pid in del(P:Pid, none)) = false .",
    "about the initial state": "eq waiting(init) = active(init) .",
    "about a state after a step": "eq active(ask(S:Sys, I:Pid)) = active(S:Sys) .",
    "a definition": "op twice : Pid -> Pids . eq twice(P:Pid) = (P:Pid , P:Pid) .",
    "about what the score defines": "op in-it : Pid Pids -> Bool . eq in-it(P:Pid, A:Pids) = (P:Pid in A:Pids) .",
}
FALSE = {
    "about data": "eq (P:Pid in A:Pids) = false .",
    "about a function": "eq del(P:Pid, A:Pids) = none .",
    "with a condition": "ceq (P:Pid in A:Pids) = false if P:Pid = P:Pid .",
    "without variables": "op p0 : -> Pid . eq (p0 in waiting(init)) = true .",
    "about the initial state": "eq waiting(start(init, I:Pid)) = (I:Pid , none) .",
    "about states": "eq waiting(start(S:Sys, I:Pid)) = none .",
    "about the predicate": "eq safe(S:Sys, I:Pid) = true .",
    "about equality": "eq (P:Pid = Q:Pid) = true .",
    "two that need each other": "eq del(P:Pid, A:Pids) = none . eq (Q:Pid in del(P:Pid, A:Pids)) = false .",
}


@pytest.mark.parametrize("lines", TRUE.values(), ids=TRUE.keys())
def test_a_true_equation_that_is_added_is_proved(lines: str) -> None:
    assert unproved(with_lines(lines)) == []


@pytest.mark.parametrize("lines", FALSE.values(), ids=FALSE.keys())
def test_a_false_equation_that_is_added_is_refused(lines: str) -> None:
    refused = [each for each in unproved(with_lines(lines)) if each.startswith(("eq ", "ceq "))]
    assert len(refused) == lines.count("eq ")


def test_an_equation_of_a_module_that_is_imported_besides_is_refused() -> None:
    facts = "mod FACTS {\n  pr(PIDS)\n  eq (P:Pid in A:Pids) = false .\n}\n"
    changed = pool_score().replace("mod PROOF {\n", f"{facts}mod PROOF {{\n  pr(FACTS)\n")
    assert "eq (P:Pid in A:Pids) = false" in unproved(changed)


def test_attributes_are_equations() -> None:
    changed = with_lines("op _,_ : Pids Pids -> Pids {assoc comm idem id: none} .")
    assert any(each.startswith("op _") for each in unproved(changed))


def test_what_an_operator_of_the_score_states_is_not_proved_with_a_claim_that_is_wrong() -> None:
    stated = "op lm : Pid Pids -> Bool . eq lm(P:Pid, A:Pids) = not (P:Pid in A:Pids) ."
    passage = "red safe(s,i1) implies safe(start(s,i),i1) .\nclose"
    free = (
        f"open PROOF . op s : -> Sys . ops i i1 : -> Pid .\n  red lm(i1,active(s)) implies ({passage[4:-8]}) .\nclose"
    )
    changed = with_lines(stated, "eq (P:Pid in A:Pids) = false .") + free
    assert not report(changed).is_accepted


def test_a_hypothesis_of_a_proof_about_data_is_no_assumption_of_a_step() -> None:
    step = re.search(r"-- safe, start\(s,i\), case 2\n.*?close\n", pool_score(), re.DOTALL)
    assert step is not None
    changed = step[0].replace("  red", "  eq (P:Pid in del(i,waiting(s))) = false .\n  red")
    found = report(pool_score().replace(step[0], changed))
    assert [each.code for each in found.warnings] == ["W612"]
    assert not found.is_accepted


def test_a_lemma_is_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    prove = DataInduction.prove

    def noted(self: DataInduction, lemma: DataLemma, facts: object = ()) -> object:
        asked.append(lemma.text)
        return prove(self, lemma, facts)  # type: ignore[arg-type]

    monkeypatch.setattr(DataInduction, "prove", noted)
    text = pool_score()
    asked.clear()
    assert report(text).is_accepted
    assert len(asked) == 1

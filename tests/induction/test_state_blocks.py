"""Lemmas evaluated by several processes, each in a block of the kept states."""

from __future__ import annotations

import os
import signal

import pytest
from specifications import instance_of, ots_of_file

from otsrw.induction import state_blocks
from otsrw.induction.falsification import Falsifier
from otsrw.induction.kept import KeptStates
from otsrw.induction.procedure import igf
from otsrw.induction.results import IgfResult, Options
from otsrw.induction.scheme import Induction
from otsrw.induction.state_blocks import CannotEvaluate, StateBlocks
from otsrw.reasoning.connectives import Literal
from otsrw.records import replace
from otsrw.search import MaudeSpace
from otsrw.theory.printing import show_plainly


def test_blocks_find_the_first_violation_of_all_states() -> None:
    ots = ots_of_file("two-phase-commit-flawed.cafe")
    kept = KeptStates.explore(MaudeSpace(instance_of(ots)), 7)
    induction = Induction(ots)
    predicates = [induction.predicate(i.name, i.parameters, i.formula) for i in ots.invariants]
    for clause in [clause for predicate in predicates for clause in predicate.clauses]:
        for literal in clause.literals:  # that it never holds is false early, late, or nowhere
            for positive in (True, False):
                claim = replace(clause, literals=(Literal(literal.atom, positive),))
                predicates.append(induction.lemma("claim", claim))
    blocks = StateBlocks(kept, ots.module, 3)
    found = []
    try:
        for predicate in predicates:
            witness = kept.violation(predicate)
            place = blocks.first(predicate)
            found.append(place)
            assert place == (None if witness is None else witness.state)
    finally:
        blocks.close()
    assert len(set(found)) > 2, "the claims are too much alike"


def test_a_killed_process_is_noticed() -> None:
    ots = ots_of_file("qlock.cafe")
    space = MaudeSpace(instance_of(ots, {"Pid": ("p1", "p2")}))
    falsifier = Falsifier(space, ots.invariants[0].name, 3, None)
    induction = Induction(ots)
    predicate = induction.predicate("mutex", ots.invariants[0].parameters, ots.invariants[0].formula)
    falsifier.blocks = blocks = StateBlocks(falsifier.explore(), ots.module, 2)
    assert blocks.first(predicate) is None
    for process in blocks.processes():
        os.kill(process, signal.SIGKILL)
    with pytest.raises(CannotEvaluate):
        blocks.first(predicate)
    assert falsifier.violation(predicate) is None
    falsifier.close()
    assert falsifier.blocks is None


def lemmas_of(result: IgfResult) -> dict[str, str]:
    return {name: show_plainly(node.predicate.formula) for name, node in result.nodes.items()}


@pytest.mark.parametrize("spec", ["two-phase-commit-flawed.cafe", "tas-flawed.cafe"])
def test_proofs_are_the_same(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ots = ots_of_file(spec)
    found = []
    for many, jobs in ((10**9, 1), (0, 2)):
        monkeypatch.setattr(state_blocks, "MANY_STATES", many)
        options = Options(depth=2, jobs=jobs, max_cases=40)
        found.append(igf(ots, MaudeSpace(instance_of(ots)), ots.invariants[0], options))
    alone, together = found
    assert (alone.verdict, alone.reason, lemmas_of(alone)) == (together.verdict, together.reason, lemmas_of(together))

"""Violations far beyond the states that are searched: lemmas say where to go, and steps are taken towards them."""

from __future__ import annotations

import sys

import pytest
from specifications import instance_of, ots_of, ots_of_file
from support import ROOT

from otsrw.induction import IgfVerdict, Options, igf
from otsrw.induction.results import IgfResult
from otsrw.induction.scheme import Induction
from otsrw.ots.model import Ots
from otsrw.reasoning.splitting import LeafOutcome
from otsrw.search import MaudeSpace
from otsrw.theory.printing import show_plainly

sys.path.insert(0, str(ROOT / "bench"))
from participants import two_phase_commit


def decided(ots: Ots, depth: int, most: int = 6000) -> IgfResult:
    with MaudeSpace(instance_of(ots)) as space:
        return igf(ots, space, ots.invariants[0], Options(depth=depth, strengthen=False, max_cases=most))


@pytest.mark.parametrize(("count", "steps"), [(3, 9), (6, 15), (8, 19)])
def test_two_phase_commit_is_falsified_from_depth_3(count: int, steps: int) -> None:
    """The shortest counterexample has 2 steps for each participant and 3 more; search sees 1.6 million states of 8."""
    result = decided(ots_of(two_phase_commit(count)), 3)
    assert result.verdict is IgfVerdict.FALSIFIED
    assert result.run is not None
    assert len(result.run.actions) == steps


def test_symmetric_needham_schroeder_is_falsified_from_depth_3() -> None:
    result = decided(ots_of_file("needham-schroeder-symmetric.cafe"), 3)
    assert result.verdict is IgfVerdict.FALSIFIED
    assert result.run is not None
    assert len(result.run.actions) == 9
    assert result.states == 17


@pytest.mark.slow
def test_symmetric_needham_schroeder_is_falsified_with_three_principals() -> None:
    """A third principal makes most lemmas about somebody else; before implied ones were dropped it stayed unknown."""
    ots = ots_of_file("needham-schroeder-symmetric.cafe")
    with MaudeSpace(instance_of(ots, {"Prin": ("alice", "bob", "carol")})) as space:
        result = igf(ots, space, ots.invariants[0], Options(depth=3, strengthen=False, max_cases=6000))
    assert result.verdict is IgfVerdict.FALSIFIED
    assert result.run is not None
    assert len(result.run.actions) >= 9


def test_what_holds_is_not_falsified_however_long_violations_are_looked_for() -> None:
    ots = ots_of_file("two-phase-commit.cafe")
    result = decided(ots, 3, 1000)
    assert result.verdict is not IgfVerdict.FALSIFIED
    assert sum(len(node.cases) for node in result.nodes.values()) > 400, "so violations were looked for beyond R<=3"


def test_a_necessary_lemma_speaks_of_elements_not_of_what_is_left_of_a_bag() -> None:
    """`nw(S) = (tick(Q,K,P) , NW)` says no more than that the ticket is in the network."""
    ots = ots_of_file("needham-schroeder-symmetric.cafe")
    induction = Induction(ots)
    invariant = ots.invariants[0]
    predicate = induction.predicate(invariant.name, invariant.parameters, invariant.formula)
    case = induction.induction_case(predicate, next(t for t in ots.transitions if t.name == "accept"))
    leaves = [leaf for leaf in induction.leaves(case) if leaf.outcome is LeafOutcome.FALSE]
    lemmas = [show_plainly(induction.necessary_lemma(case, leaf).formula(induction.connectives)) for leaf in leaves]
    assert "(not ((K \\in knows(S)) and ((run(S,Q) = idle) and (tick(Q,K,P) \\in nw(S)))))" in lemmas
    assert not any("NW" in lemma for lemma in lemmas)

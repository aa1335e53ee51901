"""Several processes give the same result as one."""

from __future__ import annotations

import pytest
from support import ROOT

from otsrw.induction.procedure import igf
from otsrw.induction.results import IgfResult, Options
from otsrw.ots import Instance, entities_of, find_ots
from otsrw.proofs import load
from otsrw.search.space import MaudeSpace
from otsrw.theory.printing import show_plainly


def decided(spec: str, invariant: str, jobs: int) -> IgfResult:
    ots = find_ots(load(ROOT / "specs" / spec), None, [invariant])
    chosen = next(i for i in ots.invariants if i.name == invariant)
    return igf(ots, MaudeSpace(Instance(ots, entities_of(ots))), chosen, Options(depth=2, jobs=jobs))


@pytest.mark.parametrize("spec", ["qlock.cafe", "peterson.cafe", "tas-flawed.cafe"])
def test_three_processes_find_what_one_finds(spec: str) -> None:
    alone, together = decided(spec, "mutex", 1), decided(spec, "mutex", 3)
    assert together.verdict == alone.verdict
    lemmas = [{name: show_plainly(n.predicate.formula) for name, n in r.nodes.items()} for r in (alone, together)]
    assert lemmas[0] == lemmas[1]
    assert [len(n.cases) for n in alone.nodes.values()] == [len(n.cases) for n in together.nodes.values()]

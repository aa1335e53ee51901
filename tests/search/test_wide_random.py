"""On random systems, a search by orbits and a search by levels have the verdict and the least depth of a plain one."""

from __future__ import annotations

import sys
from contextlib import suppress

import pytest
from support import ROOT

sys.path.insert(0, str(ROOT / "bench"))
from random_ots.drawing import draw
from random_ots.printing import printed

from otsrw.application import Loaded
from otsrw.ots import Instance, Invariant
from otsrw.ots.symmetry import symmetry_of
from otsrw.proofs.session import Session
from otsrw.search import MaudeSpace, SearchResult
from otsrw.search.maude_space import has_one_meaning
from otsrw.search.wide import Means, wide_search
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Source

DEPTH = 4
SEEDS = range(1000, 1030)


def instance_of_seed(seed: int) -> Instance | None:
    """An instance with the larger numbers of entities; None if the system is refused."""
    system = draw(seed)
    session = Session()
    session.run_source(Source("<random>", printed(system), ROOT / "specs"))
    recognised = Loaded("<random>", session).recognised()
    if recognised.problems:
        return None
    words = [f"{sort}={','.join(names)}" for sort, names in system.sizes()[-1].items()]
    try:
        return recognised.instantiated(words).instance
    except OtsrwError:
        return None


def agree(instance: Instance, invariant: Invariant) -> None:
    plain: SearchResult | None = None
    with suppress(OtsrwError):
        plain = MaudeSpace(instance).search(invariant, DEPTH)
    for means in (Means(), Means(symmetry=True)):
        if plain is None:
            with pytest.raises(OtsrwError):
                wide_search(instance, invariant, DEPTH, means)
            continue
        found = wide_search(instance, invariant, DEPTH, means)
        assert (found.verdict, found.depth, found.exhausted) == (plain.verdict, plain.depth, plain.exhausted)
        assert len(found.levels) == len(plain.levels) - (
            plain.verdict == "violated" and len(plain.levels) > found.depth
        )
        if not means.symmetry:
            assert found.levels == plain.levels[: len(found.levels)]
        else:
            size = symmetry_of(instance, [invariant]).size
            assert all(a <= b <= a * size for a, b in zip(found.levels, plain.levels, strict=False))


@pytest.mark.parametrize("seed", SEEDS)
def test_orbits_and_levels_agree_with_a_plain_search(seed: int) -> None:
    instance = instance_of_seed(seed)
    if instance is None or not has_one_meaning(instance):
        pytest.skip("refused, or its values may depend on an order")
    for invariant in instance.ots.invariants[:2]:
        agree(instance, invariant)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2000, 2300))
def test_many_orbits_agree_with_a_plain_search(seed: int) -> None:
    test_orbits_and_levels_agree_with_a_plain_search(seed)

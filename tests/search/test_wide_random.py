"""On random systems, a search by orbits has the verdict and the least depth of a plain one.

Searches by levels and in parts have its states, levels and run as well.
"""

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
from otsrw.search.wide import Means, wide_search
from otsrw.soundness import has_one_meaning
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.syntax.source import Source

from .answers import divide_eagerly, told

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
    for means in (Means(compact=True), Means(jobs=2), Means(symmetry=True)):
        if plain is None:
            with pytest.raises(OtsrwError):
                wide_search(instance, invariant, DEPTH, means)
            continue
        found = wide_search(instance, invariant, DEPTH, means)
        if not means.symmetry:
            assert told(found) == told(plain)
            continue
        assert (found.verdict, found.depth, found.exhausted) == (plain.verdict, plain.depth, plain.exhausted)
        assert len(found.levels) == len(plain.levels)
        size = symmetry_of(instance, [invariant]).size
        assert all(a <= b <= a * size for a, b in zip(found.levels, plain.levels, strict=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_orbits_levels_and_parts_agree_with_a_plain_search(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    divide_eagerly(monkeypatch)
    instance = instance_of_seed(seed)
    if instance is None or not has_one_meaning(instance.base):
        pytest.skip("refused, or its values may depend on an order")
    for invariant in instance.ots.invariants[:2]:
        agree(instance, invariant)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2000, 2300))
def test_many_orbits_levels_and_parts_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    test_orbits_levels_and_parts_agree_with_a_plain_search(seed, monkeypatch)

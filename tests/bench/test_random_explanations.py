"""Explanations of random systems agree with an oracle in plain Python; bench/random_explanations.py looks at more."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from random_lts.comparing import compared
from random_lts.comparing_symmetry import compared_symmetry

from otsrw.traces.lts import Lts
from otsrw.traces.matching import ActionSequence
from otsrw.traces.simplification import simplify_inevitability

BENCH = Path(__file__).parents[2] / "bench"
QUICK, MORE = range(300), range(10_000, 14_000)
QUICK_SYMMETRIC, MORE_SYMMETRIC = range(60), range(10_000, 10_600)


def check_products(seeds: range) -> None:
    told: Counter[str] = Counter()
    for seed in seeds:
        outcome = compared(seed)
        assert outcome.disagreements == [], f"seed {seed}"
        told += outcome.told
    for kind in ("colour in a product", "colour, invariant", "colour, inevitability", "type of the explorer"):
        assert told[kind] > len(seeds)
    assert told["neighbourhoods of a product"] > len(seeds) // 2
    cautious = sum(count for kind, count in told.items() if "less than could be known" in kind)
    assert cautious < told.total() / 50


def check_symmetry(seeds: range) -> None:
    told: Counter[str] = Counter()
    for seed in seeds:
        outcome = compared_symmetry(seed)
        assert outcome.disagreements == [], f"seed {seed}"
        told += outcome.told
    assert told["image of a class"] > len(seeds) // 10
    assert told["a class of its own"] > len(seeds) // 10


def test_products_and_bounded_graphs_agree_with_the_oracle() -> None:
    check_products(QUICK)


def test_classes_up_to_renaming_agree_with_the_oracle() -> None:
    check_symmetry(QUICK_SYMMETRIC)


@pytest.mark.slow
def test_thousands_of_systems_agree_with_the_oracle() -> None:
    check_products(MORE)
    check_symmetry(MORE_SYMMETRIC)


@pytest.mark.parametrize("name", ["drawing", "oracle", "symmetric"])
def test_the_oracle_imports_nothing_of_otsrw(name: str) -> None:
    tree = ast.parse((BENCH / "random_lts" / f"{name}.py").read_text("utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    modules += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert not [module for module in modules if module.startswith("otsrw")]


def test_labels_that_come_before_the_bound_are_inevitable() -> None:
    """It was called violated, without a counterexample, if the graph had been cut."""
    lts = Lts.of(3, [0], [(0, "a", 1), (1, "b", 2)], frontier=[2])
    found = {name: simplify_inevitability(lts, ActionSequence.of(lts, [name])) for name in "ab"}
    assert [found[name].verdict for name in "ab"] == ["holds", "holds"]
    twice = simplify_inevitability(lts, ActionSequence.of(lts, ["b", "a"]))
    assert twice.verdict == "unknown"

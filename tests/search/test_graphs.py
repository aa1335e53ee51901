"""Graph conformance: Maude and our engine see the same labelled transition system."""

from __future__ import annotations

import pytest
from specifications import SPECS, instance_of, ots_of_file

from search.graphs import graph_by_maude, graph_by_rewriting


@pytest.mark.parametrize("name", sorted(path.name for path in SPECS.glob("*.cafe")))
def test_maude_and_our_engine_see_the_same_graph(name: str) -> None:
    instance = instance_of(ots_of_file(name))
    ours, depth = graph_by_rewriting(instance, 8)
    assert depth > 0
    assert graph_by_maude(instance, depth) == ours

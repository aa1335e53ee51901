"""The short way for Python programs."""

from __future__ import annotations

import pytest
from support import ROOT

from otsrw import Specification


@pytest.mark.parametrize(
    ("file", "entities"),
    [("escrow.cafe", {"Deal": ("d1", "d2", "d3")}), ("elevator_bug.cafe", {"Nat": ("0", "1", "2", "9", "10")})],
)
def test_a_specification_without_entities_gets_the_usual_ones(file: str, entities: dict[str, tuple[str, ...]]) -> None:
    found = Specification(ROOT / "bench" / "everyday" / file)
    assert found.instance.given == entities
    assert found.search("inv1", depth=4).verdict == ("violated" if "bug" in file else "holds")

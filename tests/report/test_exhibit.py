"""What the terminal application and the page say about an exploration."""

from __future__ import annotations

import pytest
from traces.systems import BAD, CHOICES

from otsrw.report.exhibit import Exhibit
from otsrw.traces import Claim, ExplorationTables, Inevitability, Monitor
from otsrw.traces.matching import ActionSequence
from otsrw.traces.temporal import TemporalProperty

TITLES: dict[str, tuple[Monitor | TemporalProperty | None, Claim, str]] = {
    "nothing": (None, Claim(), "f: all runs"),
    "invariant": (BAD, Claim(invariant="safe"), "f: runs that violate safe"),
    "labels": (
        Inevitability(ActionSequence.of(CHOICES, ["tick", "stop"])),
        Claim(labels=("tick", "stop")),
        "f: runs that violate Inev(tick, stop)",
    ),
    "formula": (TemporalProperty.of("[] x != 5"), Claim(formula="[] x != 5"), "f: runs that violate [] x != 5"),
    "fairness": (
        TemporalProperty.of("[] x != 5"),
        Claim(formula="[] x != 5", fair=("tick",)),
        "f: runs that violate [] x != 5 (fair: tick)",
    ),
}


@pytest.mark.parametrize(("checked", "claim", "title"), TITLES.values(), ids=list(TITLES))
def test_the_title_names_what_is_claimed(checked: Monitor | TemporalProperty | None, claim: Claim, title: str) -> None:
    exhibit = Exhibit(ExplorationTables.of(CHOICES, checked), claim, "f")
    assert (exhibit.title, exhibit.size) == (title, "7 states, 1 of them not expanded")

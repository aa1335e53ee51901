"""What the results of searches are compared by, and how small searches are divided."""

from __future__ import annotations

import pytest

from otsrw.search import SearchResult, divided
from otsrw.theory.printing import show


def told(result: SearchResult) -> tuple[object, ...]:
    """All that a result says, but for times and for how it was found."""
    run = result.run
    steps = None if run is None else ([str(action) for action in run.actions], [state.values for state in run.states])
    values = None if run is None else [show(value) for _, value in run.violation]
    return result.verdict, result.states, result.levels, result.depth, result.exhausted, steps, values


def divide_eagerly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divide small searches, and go on with it whatever the parts have in common."""
    for name, value in {"LEAST": 5, "_GROWTH": 0.0, "_DEEPEST": 1000, "_MOST_REPEATED": 1e9}.items():
        monkeypatch.setattr(divided, name, value)

"""What a bounded search gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from otsrw.display import Displayed
from otsrw.ots.model import Invariant
from otsrw.ots.run import Run


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class SearchResult(Displayed):
    """`levels[k]` is the number of states of R<=k; for a violation the last level is not complete."""

    verdict: Literal["holds", "violated", "unknown"]
    invariant: Invariant | None
    entities: dict[str, tuple[str, ...]]
    states: int
    depth: int
    levels: tuple[int, ...]
    exhausted: bool
    run: Run | None
    seconds: float
    memory: int
    reason: str = ""
    """Why the verdict is unknown."""

"""How requests for proofs look when a file that has them is run."""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.proofs.requests import ProofWanted, ScoreWanted
from otsrw.report.events import StyledLine, layout


@layout(ProofWanted)
def _(event: ProofWanted) -> Iterator[StyledLine]:
    if event.is_goal:
        yield StyledLine(f"-- {event.predicate.op.name} is to be proved: 'otsrw prove' does it")


@layout(ScoreWanted)
def _(event: ScoreWanted) -> Iterator[StyledLine]:
    where = f" in {event.path}" if event.path is not None else ""
    yield StyledLine(f"-- the proof score is wanted{where}: 'otsrw prove --proof F' writes it")

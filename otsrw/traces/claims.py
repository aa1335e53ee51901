"""What is claimed of a system: an invariant, labels that are inevitable, or a formula of temporal logic."""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.records import dataclass
from otsrw.syntax.diagnostics import Diagnostic, did_you_mean
from otsrw.traces.lts import Lts


@dataclass(frozen=True, slots=True)
class Claim:
    """The name of an invariant, or labels that occur in this order on every run, or a formula with its fair events.

    At most one of `labels`, `invariant` and `formula` is given. If none is, the claim is false as a Boolean, and all
    runs of the system are looked at.
    """

    labels: tuple[str, ...] = ()
    invariant: str | None = None
    formula: str | None = None
    fair: tuple[str, ...] = ()
    """Events that happen if they stay possible; only with a formula."""

    def __bool__(self) -> bool:
        return bool(self.labels) or self.invariant is not None or self.formula is not None

    def __str__(self) -> str:
        if self.formula is not None:
            return f"{self.formula} (fair: {', '.join(self.fair)})" if self.fair else self.formula
        return self.invariant if self.invariant is not None else f"Inev({', '.join(self.labels)})"


def missing_labels(lts: Lts, names: Iterable[str]) -> list[Diagnostic]:
    """Warnings for names that no label fits."""
    known = {*lts.labels, *(event.transition for event in lts.events)}
    return [
        Diagnostic("W126", f"no label of the system fits {name!r}", hint=did_you_mean(name, known)) for name in names
    ]

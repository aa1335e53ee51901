"""What is claimed of a system: an invariant, labels that have to occur, or a formula of temporal logic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from otsrw.syntax.diagnostics import Diagnostic, did_you_mean
from otsrw.traces.lts import Lts


@dataclass(frozen=True, slots=True)
class Claim:
    """What was asked: labels that are inevitable, the name of an invariant, or a formula; nothing to simulate."""

    labels: tuple[str, ...] = ()
    invariant: str | None = None
    formula: str | None = None
    fair: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.labels) or self.invariant is not None or self.formula is not None

    def __str__(self) -> str:
        if self.formula is not None:
            return f"{self.formula} (fair: {', '.join(self.fair)})" if self.fair else self.formula
        return self.invariant if self.invariant is not None else f"Inev({', '.join(self.labels)})"

    def document(self) -> dict[str, Any]:
        if self.formula is not None:
            return {"kind": "temporal", "formula": self.formula, "fair": list(self.fair)}
        if self.invariant is not None:
            return {"kind": "safety", "invariant": self.invariant}
        return {"kind": "inevitability", "labels": list(self.labels)}


def missing_labels(lts: Lts, names: tuple[str, ...]) -> list[Diagnostic]:
    """Warnings for names that no label fits."""
    known = {*lts.labels, *(event.transition for event in lts.events)}
    return [
        Diagnostic("W126", f"no label of the system fits {name!r}", hint=did_you_mean(name, known)) for name in names
    ]

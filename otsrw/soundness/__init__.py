"""Does a specification mean one thing? Obligations about its equations, each proved, refuted or open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otsrw.on_demand import entries

if TYPE_CHECKING:
    from otsrw.soundness.cone import Cone, cone_of
    from otsrw.soundness.obligations import Obligation, ObligationKind, Status
    from otsrw.soundness.report import SoundnessReport, SoundnessVerdict, check, has_one_meaning
else:
    __getattr__ = entries(
        __name__,
        cone="Cone cone_of",
        obligations="Obligation ObligationKind Status",
        report="SoundnessReport SoundnessVerdict check has_one_meaning",
    )

__all__ = [
    "Cone",
    "Obligation",
    "ObligationKind",
    "SoundnessReport",
    "SoundnessVerdict",
    "Status",
    "check",
    "cone_of",
    "has_one_meaning",
]

"""Does a specification mean one thing? Obligations about its equations, each proved, refuted or open."""

from otsrw.soundness.cone import Cone, cone_of
from otsrw.soundness.obligations import Obligation, ObligationKind, Status
from otsrw.soundness.report import SoundnessReport, SoundnessVerdict, check

__all__ = [
    "Cone",
    "Obligation",
    "ObligationKind",
    "SoundnessReport",
    "SoundnessVerdict",
    "Status",
    "check",
    "cone_of",
]

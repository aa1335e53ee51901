"""Does a specification mean one thing? Obligations about its equations, each proved, refuted or open."""

from otsrw.soundness.obligations import Obligation, ObligationKind, Status

__all__ = ["Obligation", "ObligationKind", "Status"]

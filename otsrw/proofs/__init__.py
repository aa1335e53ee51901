"""Commands of a file run in order: open/close passages, reductions, show; assumptions as equations."""

from otsrw.proofs.results import CommandResult, Outcome
from otsrw.proofs.session import Session, Settings, load

__all__ = ["CommandResult", "Outcome", "Session", "Settings", "load"]

"""Commands of a file run in order: open/close passages, reductions, show; assumptions as equations."""

from otsrw.proofs.answers import CommandResult
from otsrw.proofs.results import Outcome
from otsrw.proofs.session import Session, load
from otsrw.proofs.workspace import Settings

__all__ = ["CommandResult", "Outcome", "Session", "Settings", "load"]

"""The one way in: from a file to answers, stage by stage, for the command line, Python and editors."""

from otsrw.application.loading import LoadFailed, load_specification
from otsrw.application.specification import Specification
from otsrw.application.stages import Decided, Explored, Instantiated, Loaded, Recognised
from otsrw.application.systems import System

__all__ = [
    "Decided",
    "Explored",
    "Instantiated",
    "LoadFailed",
    "Loaded",
    "Recognised",
    "Specification",
    "System",
    "load_specification",
]

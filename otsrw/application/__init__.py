"""The one way in: from a file to answers, stage by stage, for the command line, Python and editors.

Stages load the rooms they need when they are asked something. `Specification`, in a module of its own, needs all rooms.
"""

from otsrw.application.loading import LoadFailed, load_specification
from otsrw.application.stages import Decided, Explored, Instantiated, Loaded, Recognised

__all__ = [
    "Decided",
    "Explored",
    "Instantiated",
    "LoadFailed",
    "Loaded",
    "Recognised",
    "load_specification",
]

"""A specification with a module of ours over it, as if its file had that module, too."""

from __future__ import annotations

from otsrw.application.stages import Loaded, Recognised
from otsrw.ots import find_ots
from otsrw.ots.auxiliary import AuxiliaryModule
from otsrw.proofs import Session, Settings
from otsrw.records import replace


def widened(recognised: Recognised, module: AuxiliaryModule) -> Recognised | None:
    """The OTS of the module; None if it cannot be read over this specification. What was loaded stays as it is."""
    session = recognised.loaded.session
    library = session.library
    if library.find(recognised.ots.module.name) is not recognised.ots.module:
        return None
    wider = Session(Settings(session.max_rewrites), library=library.naming(library.modules, library.views))
    wider.declared += session.declared
    wider.run_text(module.text, module.name)
    if wider.outcome.problems:
        return None
    ots = find_ots(wider.library, module.name)
    return replace(recognised, loaded=Loaded(recognised.loaded.path, wider), ots=ots)

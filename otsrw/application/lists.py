"""A specification with predicates about the lists that its states hold, in a module of ours."""

from __future__ import annotations

from typing import NamedTuple

from otsrw.application.stages import Loaded, Recognised
from otsrw.ots import find_ots
from otsrw.ots.auxiliary import AuxiliaryModule, auxiliary_module
from otsrw.proofs import Session, Settings
from otsrw.records import replace


class WithLists(NamedTuple):
    """A specification that imports another one, and the module that makes it."""

    recognised: Recognised
    module: AuxiliaryModule

    @property
    def note(self) -> str:
        """What the lemmas speak of."""
        names = ", ".join(self.module.predicates)
        return (
            f"lemmas may speak of elements of lists: {names} of module {self.module.name}, which the proof score shows"
        )


def with_lists(recognised: Recognised) -> WithLists | None:
    """The OTS with predicates about its lists; None if its states hold no lists. What was loaded stays as it is."""
    session = recognised.loaded.session
    library = session.library
    module = auxiliary_module(recognised.ots, library.modules)
    if module is None or library.find(recognised.ots.module.name) is not recognised.ots.module:
        return None
    wider = Session(Settings(session.max_rewrites), library=library.naming(library.modules, library.views))
    wider.declared += session.declared
    wider.run_text(module.text, module.name)
    if wider.outcome.problems:
        return None
    ots = find_ots(wider.library, module.name)
    return WithLists(replace(recognised, loaded=Loaded(recognised.loaded.path, wider), ots=ots), module)

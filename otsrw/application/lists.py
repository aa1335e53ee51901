"""A specification with predicates about the lists that its states hold, in a module of ours."""

from __future__ import annotations

from otsrw.application.stages import Recognised
from otsrw.application.widened import widened
from otsrw.ots.auxiliary import AuxiliaryModule, auxiliary_module
from otsrw.records import NamedTuple


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
    module = auxiliary_module(recognised.ots, recognised.loaded.session.library.modules)
    wider = None if module is None else widened(recognised, module)
    return None if module is None or wider is None else WithLists(wider, module)

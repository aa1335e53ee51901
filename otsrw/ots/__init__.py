"""Theory to OTS: observers, transitions, effective conditions, invariants, entity instances, steps by rewriting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otsrw.on_demand import entries
from otsrw.ots.model import Invariant, Ots, StateOperator, Transition
from otsrw.ots.recognise import find_ots, recognise

if TYPE_CHECKING:
    from otsrw.ots.instance import Instance, Slot, entities_of, growing_entities
    from otsrw.ots.stepping import Action, State, Stepper
else:
    __getattr__ = entries(
        __name__,
        instance="Instance Slot entities_of growing_entities",
        stepping="Action State Stepper",
    )

__all__ = [
    "Action",
    "Instance",
    "Invariant",
    "Ots",
    "Slot",
    "State",
    "StateOperator",
    "Stepper",
    "Transition",
    "entities_of",
    "find_ots",
    "growing_entities",
    "recognise",
]

"""Theory to OTS: observers, transitions, effective conditions, invariants, entity instances, steps by rewriting."""

from otsrw.ots.instance import Instance, Slot, entities_of, growing_entities
from otsrw.ots.model import Invariant, Ots, StateOperator, Transition
from otsrw.ots.recognise import find_ots, recognise
from otsrw.ots.stepping import Action, State, Stepper

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

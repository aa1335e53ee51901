"""Normal forms under assumptions: connectives, literals, constructors, case splitting."""

from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.connectives import Connectives, Literal
from otsrw.reasoning.constructors import Constructors
from otsrw.reasoning.splitting import CaseSplitter, Leaf
from otsrw.reasoning.workbench import Equation, Workbench

__all__ = [
    "Assumed",
    "Assumptions",
    "CaseSplitter",
    "Connectives",
    "Constructors",
    "Equation",
    "Leaf",
    "Literal",
    "Workbench",
]

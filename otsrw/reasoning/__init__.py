"""Normal forms under assumptions: connectives, literals, constructors, case splitting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otsrw.on_demand import entries

if TYPE_CHECKING:
    from otsrw.reasoning.assumptions import Assumed, Assumptions
    from otsrw.reasoning.connectives import Connectives, Literal
    from otsrw.reasoning.constructors import Constructors
    from otsrw.reasoning.splitting import CaseSplitter, Leaf
    from otsrw.reasoning.workbench import Equation, Workbench
else:
    __getattr__ = entries(
        __name__,
        assumptions="Assumed Assumptions",
        connectives="Connectives Literal",
        constructors="Constructors",
        splitting="CaseSplitter Leaf",
        workbench="Equation Workbench",
    )

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

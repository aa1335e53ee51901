"""The module that is loaded, and what the searches add to it."""

from __future__ import annotations

import resource
import sys
from typing import Any

import maude

from .messages import Load

ROOT, CLOCK = "otsrw-root", "otsrw-clock"
FORK, BAD = "otsrw-fork", "otsrw-bad"
TICK = 0.15
"""Seconds between two messages about how far the worker is."""


def with_root(module: Load, violation: str | None, clock: bool, fork: bool = False) -> Any:
    """The module with a state that all initial states follow, and with a clock if there shall be one.

    The clock ticks once a level and violates nothing. `iter` makes a time of a thousand ticks as cheap as one of two.
    With forks, a search can begin in many states: they are the leaves of a tree, and each fork is left for its two
    branches. `BAD` is then false for forks and for states that violate nothing, and for nothing else.
    """
    starts = "".join(f"  rl {ROOT} => {name} .\n" for name in module.initials)
    quiet = f"  eq {violation}({CLOCK}(T:OtsrwTime)) = false .\n" if violation else ""
    ticking = (
        f"  sort OtsrwTime .\n  op {CLOCK}-start : -> OtsrwTime [ctor] .\n"
        f"  op {CLOCK}-tick : OtsrwTime -> OtsrwTime [ctor iter] .\n  op {CLOCK} : OtsrwTime -> OtsrwRun [ctor] .\n"
        f"  rl {ROOT} => {CLOCK}({CLOCK}-start) .\n"
        f"  rl {CLOCK}(T:OtsrwTime) => {CLOCK}({CLOCK}-tick(T:OtsrwTime)) .\n{quiet}"
    )
    forking = (
        f"  op {FORK} : OtsrwRun OtsrwRun -> OtsrwRun [ctor frozen (1 2)] .\n  op {BAD} : [OtsrwRun] -> [Bool] .\n"
        f"  rl {FORK}(X:OtsrwRun, Y:OtsrwRun) => X:OtsrwRun .\n  rl {FORK}(X:OtsrwRun, Y:OtsrwRun) => Y:OtsrwRun .\n"
        f"  eq {BAD}({FORK}(X:OtsrwRun, Y:OtsrwRun)) = false .\n"
        f"  eq {BAD}(X:{module.states}) = {f'{violation}(X:{module.states})' if violation else 'false'} .\n"
    )
    maude.input(
        f"mod OTSRW-SEARCH is\n  including {module.name} .\n  sort OtsrwRun .\n"
        f"  subsort {module.states} < OtsrwRun .\n  op {ROOT} : -> OtsrwRun [ctor] .\n"
        f"{starts}{ticking if clock else ''}{forking if fork else ''}endm\n"
    )
    return maude.getModule("OTSRW-SEARCH")


def memory() -> int:
    """The largest resident size so far, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit

"""Runs and labelled transition systems: what a counterexample is made of, and what explains it.

This room knows nothing of specifications: an `Lts` is integers, labels and values of observers, wherever it came from.
"""

from __future__ import annotations

from otsrw.traces.lts import Lts, Path
from otsrw.traces.trace import Label, State, Trace, Value

__all__ = ["Label", "Lts", "Path", "State", "Trace", "Value"]

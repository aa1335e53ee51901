"""Keeping the tables of interned terms small.

Tables hold every term that was ever made, so a long reduction would fill the machine. A term that nothing but its
table refers to can be dropped: if it is needed again it is made again. Reference counts say which those are; what a
table-only term's count looks like is measured, not assumed.
"""

from __future__ import annotations

import sys
from typing import Any

from otsrw.theory.signature import Signature
from otsrw.theory.terms import literal_table

GROWTH = 12_000_000
"""Allocated blocks since the last sweep that trigger the next one (a term takes about three)."""


class Sweeper:
    """Drops unreferenced terms when memory has grown."""

    def __init__(self) -> None:
        self._floor = sys.getallocatedblocks()
        self._baseline: int | None = None

    def sweep_if_large(self, signature: Signature) -> None:
        if sys.getallocatedblocks() - self._floor > GROWTH:
            self.sweep(signature)
            self._floor = sys.getallocatedblocks()

    def sweep(self, signature: Signature) -> int:
        """Remove terms nobody refers to, children after their parents; gives the number removed."""
        total = 0
        tables: list[dict[Any, Any]] = [symbol.table for symbol in signature.symbols()]
        tables.append(literal_table())
        while True:
            removed = sum(self._sweep_table(table) for table in tables)
            total += removed
            if removed * 20 <= total:
                return total

    def _sweep_table(self, table: dict[Any, Any]) -> int:
        baseline = self._unreferenced_count()
        dead = [key for key, term in table.items() if sys.getrefcount(term) <= baseline]
        for key in dead:
            del table[key]
        return len(dead)

    def _unreferenced_count(self) -> int:
        """The reference count seen by the loop of `_sweep_table` for a value that only a dictionary holds."""
        if self._baseline is None:
            probe = {(): object()}
            self._baseline = max(sys.getrefcount(value) for key, value in probe.items())
        return self._baseline

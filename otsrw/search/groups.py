"""Interchangeable entities by the names that Maude knows."""

from __future__ import annotations

from otsrw.ots.symmetry import Symmetry
from otsrw.search.maude_worker.messages import SymmetryGroups
from otsrw.search.module import MaudeModule


def groups_in(module: MaudeModule, symmetry: Symmetry) -> SymmetryGroups:
    """The groups of a symmetry; an entity that the module does not know occurs in no state."""
    names = {symbol: name for name, symbols in module.symbols.items() for symbol in symbols}
    known = [[names[entity.op] for entity in group if entity.op in names] for group in symmetry.groups]
    commutative = [name for name, symbols in module.symbols.items() if any(symbol.comm for symbol in symbols)]
    return SymmetryGroups([group for group in known if len(group) > 1], sorted(commutative))

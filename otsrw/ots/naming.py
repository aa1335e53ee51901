"""Which invariant or lemma is meant."""

from __future__ import annotations

from otsrw.ots.model import Ots
from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.data_lemmas import is_about_data
from otsrw.syntax.diagnostics import OtsrwError, did_you_mean


def invariant_name(ots: Ots, wanted: str | None) -> str:
    """The invariant asked for, the one the file names, or the only one there is."""
    known = [invariant.name for invariant in ots.invariants]
    name = wanted or next(iter(ots.suggested), None) or (known[0] if len(known) == 1 else None)
    if name is None:
        listed = ", ".join(known) or "none"
        raise OtsrwError("E519", f"which invariant? There are: {listed}", hint="name one with --inv")
    if name not in known:
        raise OtsrwError(
            "E519",
            f"there is no invariant {name!r}",
            hint=did_you_mean(name, known) or f"known: {', '.join(known)}",
        )
    return name


def is_data_lemma(ots: Ots, name: str) -> bool:
    """Is this an operator on data with a truth value, and no invariant?"""
    if any(invariant.name == name for invariant in ots.invariants):
        return False
    connectives = Connectives(ots.module.signature)
    named = (symbol for symbol in ots.module.signature.symbols() if symbol.name == name)
    return any(is_about_data(symbol, ots.sort, connectives) for symbol in named)

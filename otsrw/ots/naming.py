"""Which invariant is meant."""

from __future__ import annotations

from otsrw.ots.model import Ots
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

"""Frame equations for the commands that run files, without the cost of it for files that do not ask for any."""

from __future__ import annotations

from otsrw.proofs.workspace import ExpandedSource
from otsrw.syntax.source import Source


def expanded(source: Source) -> ExpandedSource:
    """The source with the frame equations of the modules that ask for them."""
    if "frame" not in source.text:
        return ExpandedSource(source)
    from otsrw.application.frames import framed

    return framed(source)

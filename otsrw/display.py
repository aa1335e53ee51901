"""Results that notebooks show as they look on a terminal.

A result knows nothing of its reader: reports are made in a room below. So it asks `Displayed.html`, which is set by
`otsrw/__init__.py`, the only place that knows all rooms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar


class Displayed:
    """A base for results: Jupyter and others call `_repr_html_` of the last value of a cell."""

    __slots__ = ()

    html: ClassVar[Callable[[Displayed], str]]
    """A result as a piece of HTML."""

    def _repr_html_(self) -> str:
        return Displayed.html(self)

    def __repr__(self) -> str:
        """Short: a result holds systems and terms, and all of them at a prompt help nobody."""
        verdict = getattr(self, "verdict", "")
        return f"<{type(self).__name__}{f': {verdict}' if verdict else ''}>"

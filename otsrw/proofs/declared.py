"""What a session has declared, in order, for another session that reads the same text.

What a declaration means depends on its text, on what was declared before it, and on switches; on nothing else. So a
session may take over the declarations of another one up to the first difference, instead of reading them again.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.records import NamedTuple
from otsrw.syntax.source import Span
from otsrw.theory.library import Library, View
from otsrw.theory.modules import Module


class Declared(NamedTuple):
    """A module or view, from its first word up to the next statement."""

    span: Span
    meaning: Module | View | None
    """None if something is wrong with it, or if it was changed later."""
    switches: tuple[bool, ...]
    """Those that its meaning depends on."""


class TakenOver:
    """The declarations of another session that are still to be read."""

    def __init__(self, declared: Iterable[Declared]) -> None:
        self._left = list(declared)[::-1]

    def take(self, name: str, span: Span, library: Library, switches: tuple[bool, ...]) -> bool:
        """Declare in a library what the other session declared at this point; False if that was something else."""
        if not self._left:
            return False
        known = self._left.pop()
        same = known.switches == switches and _says_the_same(known.span.text.rstrip(), span.text)
        if not same or known.meaning is None:
            self._left.clear()
            return False
        if isinstance(known.meaning, Module):
            library.modules[name] = known.meaning
        else:
            library.views[name] = known.meaning
        return True


def _says_the_same(known: str, text: str) -> bool:
    """Is this the same text, followed by comments at most?"""
    more = text[len(known) :]
    is_apart = not more or more[0].isspace()
    return is_apart and text.startswith(known) and all(map(_is_comment, more.splitlines()))


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith(("--", "**"))

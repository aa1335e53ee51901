"""The layout of a specification, without changing what it means."""

from __future__ import annotations


def tidied(text: str) -> str:
    """No blanks at the ends of lines, one end of line at the end."""
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines) + "\n"


def formatted(text: str) -> str:
    """A text with the usual layout."""
    return tidied(text)

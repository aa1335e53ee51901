"""Numbers with their nouns, and lists of names."""

from __future__ import annotations

from collections.abc import Sequence


def grouped(number: int) -> str:
    """Digits in groups of three."""
    return f"{number:,}".replace(",", " ")


def counted(number: int, noun: str) -> str:
    """A number and its noun: `1 state`, `12 345 states`."""
    return f"{grouped(number)} {noun}" + ("" if number == 1 else "s")


def listed(names: Sequence[str], most: int) -> str:
    """Names in one phrase, `a, b and c`; of more than `most` names the last ones are counted."""
    shown = list(names) if len(names) <= most else [*names[: most - 1], f"{len(names) - most + 1} others"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"

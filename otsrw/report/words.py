"""Numbers with their nouns."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """The number in groups of three digits, and the noun: `1 state`, `12 345 states`."""
    return f"{number:,}".replace(",", " ") + f" {noun}" + ("" if number == 1 else "s")

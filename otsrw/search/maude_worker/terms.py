"""Maude's terms by number, each told once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from maude import _maude

from .messages import SoupText, TermEntry

_PRINTED = ("s_", "-_", "_/_", "<Strings>", "<Qids>")
_SOUP = "__"
_CROWD = 8
"""Terms with one hash that are compared one by one."""


def name_of(symbol: Any) -> str:
    return str(symbol).replace("`", "")


def arguments(term: Any) -> Iterator[Any]:
    """The arguments of a term, without the detour of the bindings' own iterator."""
    places = _maude.Term_arguments(term)
    valid, argument, move = (
        _maude.ArgumentIterator_valid,
        _maude.ArgumentIterator_argument,
        _maude.ArgumentIterator___next,
    )
    while valid(places):
        yield argument(places)
        move(places)


class TermTable:
    """Gives terms their numbers; a number, a string or a quoted identifier is kept as Maude prints it.

    Maude computes the same hash for many lists of the same length. Where that happens, terms are told apart by the
    numbers of their parts.
    """

    def __init__(self) -> None:
        self._near: dict[int, list[tuple[Any, int]]] = {}
        """By Maude's hash: terms with their numbers, but no more than a few."""
        self._by_parts: dict[tuple[str, tuple[int, ...]], int] = {}
        self._entries: list[TermEntry] = []
        self._told = 0

    def number(self, term: Any) -> int:
        near = self._near.setdefault(_maude.Term_hash(term), [])
        if len(near) < _CROWD:
            for other, number in near:
                if _maude.Term_equal(term, other):
                    return number
        symbol = name_of(term.symbol())
        printed = symbol in _PRINTED
        inside = [] if printed else list(map(self.number, arguments(term)))
        parts = (str(term) if printed else symbol, tuple(inside))
        found = self._by_parts.get(parts)
        if found is None:
            found = self._by_parts[parts] = len(self._entries)
            self._entries.append((parts[0], inside))
        if len(near) < _CROWD:
            near.append((term, found))
        return found

    def soup(self, state: Any) -> SoupText:
        """The elements of a state; a soup of one element is that element."""
        elements = arguments(state) if str(state.symbol()) == _SOUP else (state,)
        return list(map(self.number, elements))

    def news(self) -> list[TermEntry]:
        """The terms that were not told before."""
        told, self._told = self._told, len(self._entries)
        return self._entries[told:]

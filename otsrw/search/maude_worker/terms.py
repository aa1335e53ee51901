"""Maude's terms by number, each told once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from maude import _maude

from .messages import SoupText, TermEntry

_PRINTED = ("s_", "-_", "_/_", "<Strings>", "<Qids>")
_SOUP = "__"


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
    """Gives terms their numbers; a number, a string or a quoted identifier is kept as Maude prints it."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}
        self._entries: list[TermEntry] = []
        self._told = 0

    def number(self, term: Any) -> int:
        found = self._numbers.get(term)
        if found is None:
            symbol = name_of(term.symbol())
            printed = symbol in _PRINTED
            inside = [] if printed else list(map(self.number, arguments(term)))
            found = self._numbers[term] = len(self._entries)
            self._entries.append((str(term) if printed else symbol, inside))
        return found

    def soup(self, state: Any) -> SoupText:
        """The elements of a state; a soup of one element is that element."""
        elements = arguments(state) if str(state.symbol()) == _SOUP else (state,)
        return list(map(self.number, elements))

    def news(self) -> list[TermEntry]:
        """The terms that were not told before."""
        told, self._told = self._told, len(self._entries)
        return self._entries[told:]

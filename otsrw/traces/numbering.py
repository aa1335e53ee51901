"""Numbers for pairs of a state and a second number, in little memory."""

from __future__ import annotations

from array import array

DENSE = 32
"""For so many second numbers there is a table with a place for each state; the others have a dictionary."""


class NumberColumn:
    """The numbers of the states with one second number, in a table."""

    __slots__ = ("_known",)

    def __init__(self, states: int) -> None:
        self._known = array("i", [-1]) * states

    def get(self, state: int) -> int | None:
        number = self._known[state]
        return None if number < 0 else number

    def __setitem__(self, state: int, number: int) -> None:
        self._known[state] = number


class PairNumbers:
    """A column for each second number."""

    def __init__(self, states: int) -> None:
        self._states = states
        self._columns: dict[int, NumberColumn | dict[int, int]] = {}

    def of(self, second: int) -> NumberColumn | dict[int, int]:
        """The column of a second number; it is made when it is first asked for."""
        found = self._columns.get(second)
        if found is None:
            found = NumberColumn(self._states) if len(self._columns) < DENSE else {}
            self._columns[second] = found
        return found

    def get(self, state: int, second: int) -> int | None:
        """The number of a pair; None if it has none."""
        column = self._columns.get(second)
        return None if column is None else column.get(state)

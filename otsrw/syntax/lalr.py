"""The LALR automaton: tables as plain data, and the two stacks that walk through them.

The tables are made from `grammar/cafe.lark` by Lark (syntax/grammar.py) once, not at every start. Cost: one look-up a
shift, one a reduction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

END = "$END"


class Token:
    """A terminal of the grammar with what it stands for."""

    __slots__ = ("type", "value")

    def __init__(self, type: str, value: Any) -> None:
        self.type = type
        self.value = value


class UnexpectedToken(Exception):
    """The automaton accepts no such token in its present state."""

    def __init__(self, token: Token, expected: set[str]) -> None:
        super().__init__(token.type)
        self.token = token
        self.expected = expected


class Production:
    """One alternative of a rule: how many symbols it takes off the stack and which of them its node is made of.

    `kept` lists the symbols by position, whether a symbol is a list to be spliced in, and how many absent optional
    symbols precede it as None; `absent` counts those after the last.
    """

    __slots__ = ("absent", "is_transparent", "kept", "node", "origin", "size")

    def __init__(
        self,
        origin: str,
        node: str | None,
        size: int,
        kept: Sequence[tuple[int, bool, int]],
        absent: int,
        is_transparent: bool,
    ) -> None:
        self.origin = origin
        self.node = node
        self.size = size
        self.kept = kept
        self.absent = absent
        self.is_transparent = is_transparent

    def children(self, symbols: list[Any]) -> list[Any]:
        found: list[Any] = []
        for index, spliced, before in self.kept:
            if before:
                found += [None] * before
            if spliced:
                found += symbols[index]
            else:
                found.append(symbols[index])
        return found + [None] * self.absent if self.absent else found


class Tables:
    """States by number: each maps a symbol to the next state, or, below zero, to the production it completes."""

    __slots__ = ("ends", "productions", "punctuation", "starts", "states")

    def __init__(self, data: dict[str, Any]) -> None:
        self.states: list[dict[str, int]] = data["states"]
        self.starts: dict[str, int] = data["starts"]
        self.ends: dict[str, int] = data["ends"]
        self.punctuation: dict[str, str] = data["punctuation"]
        self.productions = [Production(*row) for row in data["productions"]]


class Automaton:
    """A parse in progress: the stack of states and the stack of values."""

    __slots__ = ("_builders", "_end", "state_stack", "tables", "value_stack")

    def __init__(self, tables: Tables, start: str, builder: object) -> None:
        self.tables = tables
        self.state_stack = [tables.starts[start]]
        self.value_stack: list[Any] = []
        self._end = tables.ends[start]
        self._builders: list[Callable[[list[Any]], Any] | None] = [
            None if production.node is None else getattr(builder, production.node) for production in tables.productions
        ]

    @property
    def accepts(self) -> dict[str, int]:
        """What may come in the present state."""
        return self.tables.states[self.state_stack[-1]]

    def feed(self, token: Token) -> None:
        """Reduce what the token completes, then shift it."""
        while (action := self._action(token)) < 0:
            self._reduce(~action)
        self.state_stack.append(action)
        self.value_stack.append(token)

    def finish(self) -> Any:
        """The value of the start symbol, if the text may end here."""
        end = Token(END, None)
        while self.state_stack[-1] != self._end:
            self._reduce(~self._action(end))
        return self.value_stack[-1]

    def _action(self, token: Token) -> int:
        action = self.accepts.get(token.type)
        if action is None:
            raise UnexpectedToken(token, {symbol for symbol in self.accepts if symbol.isupper()})
        return action

    def _reduce(self, number: int) -> None:
        production = self.tables.productions[number]
        values = self.value_stack
        cut = len(values) - production.size
        children = production.children(values[cut:])
        del values[cut:]
        del self.state_stack[cut + 1 :]
        build = self._builders[number]
        if production.is_transparent and len(children) == 1:
            values.append(children[0])
        else:
            values.append(children if build is None else build(children))
        self.state_stack.append(self.accepts[production.origin])

"""What generated Python text is made of: names for the objects it refers to, and the lines of one function.

Only generated text has names of one letter: `n` counts rewrites up to the limit `L`, `E` is the epoch, `B` marks terms
that are being evaluated, `t` is the term of the call, `r` its result, `s` a substitution, `a0`, `a1` ... the arguments.
"""

from __future__ import annotations

from typing import Any

from otsrw.theory.terms import Symbol


class ObjectNames:
    """Names for the objects that generated code refers to."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = namespace
        self._known: dict[int, str] = {}
        self._kept: list[object] = []

    def constant(self, value: object) -> str:
        key = id(value)
        found = self._known.get(key)
        if found is None:
            found = f"c{len(self._known)}"
            self._known[key] = found
            self._kept.append(value)
            self.namespace[found] = value
        return found


class FunctionText:
    """The function of one symbol while it is written."""

    def __init__(self, symbol: Symbol, names: ObjectNames) -> None:
        self.symbol = symbol
        self.names = names
        self.params = [f"a{i}" for i in range(symbol.nargs)]
        self.memoised = False
        """Are results kept with the term of the call, which is `t` then?"""
        self.looping = False
        """Does a call of itself in tail position go round a loop?"""
        self._lines: list[str] = []
        self._temporaries = 0

    def __str__(self) -> str:
        return "\n".join(self._lines) + "\n"

    @property
    def call_args(self) -> str:
        """The arguments as a tuple."""
        return "(" + "".join(p + "," for p in self.params) + ")"

    @property
    def keeps_results(self) -> bool:
        return self.memoised and self.symbol.nargs > 0

    def constant(self, value: object) -> str:
        return self.names.constant(value)

    def temporary(self) -> str:
        self._temporaries += 1
        return f"t{self._temporaries}"

    def emit(self, depth: int, text: str) -> None:
        self._lines.append("    " * depth + text)

    def count(self, depth: int) -> None:
        """Count one rewrite."""
        self.emit(depth, "n += 1")
        self.emit(depth, "if n > L: tick()")

    def give(self, depth: int, value: str) -> None:
        """Return a value, and keep it if results are kept."""
        if not self.keeps_results:
            self.emit(depth, f"return {value}")
            return
        self.emit(depth, f"r = {value}")
        self.emit(depth, "t.memo_epoch = E")
        self.emit(depth, "t.memo = r")
        self.emit(depth, "return r")

    def known_result(self) -> None:
        """Return at once if the term of the call, `t`, is in normal form or its normal form is kept."""
        self.emit(1, "if t.epoch is E: return t")
        self.emit(1, "if t.memo_epoch is E: return t.memo")

    def normal_form(self, depth: int) -> None:
        """The term of the call, `t`, is in normal form: say so and return it."""
        self.emit(depth, "t.epoch = E")
        self.emit(depth, "return t")

"""Behavioural contexts: where behavioural equations may be used.

A behavioural equation says that two states cannot be told apart by attributes, so it may be used only where nothing
but behavioural (or coherent) operators can look at the state: in `top(pop(s))`, not in `pop(s) == s`. CafeOBJ colours
terms: a hidden argument of any other operator is red, and so are the hidden arguments inside it; visible terms are
green. Here the colour is that of the evaluation in progress. Each colour has its own epoch, so that normal forms of one
are not taken for normal forms of the other.
"""

from __future__ import annotations

from typing import Any

from otsrw.theory.builtins import SYNTACTIC_TESTS
from otsrw.theory.sorts import SortOrder
from otsrw.theory.terms import Symbol, Term


class Colours:
    """The colour of the evaluation in progress, kept in the namespace of the generated functions as `G` (green)."""

    def __init__(self, namespace: dict[str, Any], order: SortOrder, behavioural: bool) -> None:
        self.namespace = namespace
        self.order = order
        self.behavioural = behavioural
        """In `bred` the state as a whole, and equality, are behavioural contexts, too."""
        self._stack: list[tuple[object, bool]] = []
        self._epochs: dict[bool, object] = {}
        namespace.update(G=True, red=self.red, green=self.green, back=self.back)

    def new_epoch(self) -> object:
        self._epochs = {True: object(), False: object()}
        return self._epochs[self.namespace["G"]]

    def begin(self, term: Term) -> None:
        """The colour of a term to be reduced."""
        self._stack.clear()
        self.namespace["G"] = self.behavioural or not self.order.is_hidden(term.sort)
        self.namespace["E"] = self._epochs[self.namespace["G"]]

    def red(self) -> None:
        self._enter(False)

    def green(self) -> None:
        self._enter(True)

    def _enter(self, green: bool) -> None:
        namespace = self.namespace
        self._stack.append((namespace["E"], namespace["G"]))
        namespace["E"], namespace["G"] = self._epochs[green], green

    def back(self) -> None:
        self.namespace["E"], self.namespace["G"] = self._stack.pop()

    def change(self, op: Symbol, argument: Term) -> str | None:
        """The colour to change to for an argument; None if it has the colour of the term around it."""
        if not self.order.is_hidden(argument.sort):
            return "green" if op.kind is not None and op.kind.sorts[0].hidden else None
        return None if self._is_context(op) else "red"

    def _is_context(self, op: Symbol) -> bool:
        # test_engine.py: "=*= is no behavioural context"
        if self.behavioural and op.native in SYNTACTIC_TESTS:
            return True
        return op.words == ("_", "=b=", "_") or op.is_behavioural

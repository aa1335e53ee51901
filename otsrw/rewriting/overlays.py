"""Functions put in front of those of a compiled theory for a while, with a log of what they replaced."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any

from otsrw.records import NamedTuple
from otsrw.rewriting.rules import Rule
from otsrw.theory.builtins import SYNTACTIC_TESTS, Builtin
from otsrw.theory.terms import Symbol, Term

if TYPE_CHECKING:
    from otsrw.rewriting.runtime import Evaluator, Runtime

_IN_LINE = frozenset((Builtin.AND, Builtin.NOT, *SYNTACTIC_TESTS))


class ReplacementLog(NamedTuple):
    """What names and evaluators mean without the overlay that is in force."""

    names: dict[str, Any]
    evaluators: dict[Symbol, Evaluator]

    def undo(self, namespace: dict[str, Any]) -> None:
        namespace.update(self.names)
        namespace["EV"].update(self.evaluators)
        self.names.clear()
        self.evaluators.clear()


class Overlay:
    """Rules that are tried first, and the functions that try them, in front of the functions of a run-time.

    A context manager: inside it the overlay is in force. What it replaces goes into the log of the run-time. The log is
    undone when another overlay comes into force, not at the end: the next reduction mostly wants the same overlay,
    which then costs nothing, and the normal forms kept so far are still good. An overlay without rules is the theory
    itself.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.rules: dict[Symbol, list[Rule]] = {}
        self.functions: dict[Symbol, Callable[..., Term]] = {}
        self.names: dict[Symbol, str] = {}
        """How generated code calls these functions."""
        self.evaluators: dict[Symbol, Evaluator] = {}

    def __enter__(self) -> None:
        self.runtime.entered.append(self)
        try:
            self.come_into_force()
        except BaseException as error:
            self.__exit__(type(error), error, error.__traceback__)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        entered = self.runtime.entered
        entered.pop()
        if kind is not None:
            # terms whose evaluation was cut short still look as if they were being evaluated
            self.runtime.new_epoch()
        if entered:
            entered[-1].come_into_force()

    def come_into_force(self) -> None:
        runtime = self.runtime
        if runtime.overlay is self:
            return
        runtime.log.undo(runtime.namespace)
        runtime.overlay = self
        runtime.namespace["RC"] = any(symbol.native in _IN_LINE for symbol in self.functions)
        runtime.new_epoch()
        if self.functions:
            self._replace()

    def _replace(self) -> None:
        namespace, log = self.runtime.namespace, self.runtime.log
        for symbol, function in self.functions.items():
            name = self.names[symbol]
            log.names[name] = namespace[name]
            namespace[name] = function
        known = namespace["EV"]
        for symbol, evaluator in self.evaluators.items():
            log.evaluators[symbol] = known[symbol]
            known[symbol] = evaluator
        mentioned = self.runtime.constants
        constants = [(symbol, mentioned[symbol]) for symbol in self.functions if symbol in mentioned]
        for _, name in constants:
            log.names[name] = namespace[name]
        for symbol, name in constants:
            namespace[name] = self.runtime.normalise(symbol.make(()))

    # --- what is compiled while the overlay is in force goes behind it

    def define(self, symbol: Symbol, name: str, function: Callable[..., Term]) -> None:
        """Put the function of the theory in place."""
        if symbol in self.functions:
            self.runtime.log.names[name] = function
            function = self.functions[symbol]
        self.runtime.namespace[name] = function

    def mention(self, symbol: Symbol, name: str) -> None:
        """Let generated code mention a constant, which has no rules in the theory, by a name."""
        constant = symbol.make(())
        self.runtime.namespace[name] = constant
        if symbol in self.rules:
            self.runtime.log.names[name] = constant
            self.runtime.namespace[name] = self.runtime.normalise(constant)

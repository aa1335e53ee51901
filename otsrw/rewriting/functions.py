"""The functions of the symbols of a theory: each is compiled when it is first called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from otsrw.rewriting.booleans import Booleans
from otsrw.rewriting.compiler import FunctionCompiler
from otsrw.rewriting.rulebase import RuleBase
from otsrw.rewriting.rules import Choice
from otsrw.rewriting.runtime import Runtime
from otsrw.theory.builtins import COMPUTE, Builtin
from otsrw.theory.terms import Symbol, Term


class Functions:
    """Functions by symbol, in the namespace of a run-time, where they find each other by name."""

    def __init__(self, rulebase: RuleBase, runtime: Runtime, booleans: Booleans | None) -> None:
        self.rulebase = rulebase
        self.runtime = runtime
        self.booleans = booleans
        self._named: set[Symbol] = set()
        self._defined: dict[Symbol, Callable[..., Term]] = {}

    def name(self, symbol: Symbol) -> str:
        """How generated code calls the function of a symbol."""
        name = f"f{symbol.number}"
        if symbol not in self._named:
            self._named.add(symbol)
            self.runtime.namespace[name] = self._stub(symbol, name)
        return name

    def constant(self, symbol: Symbol) -> str:
        """How generated code mentions a constant: by name if no rule of the theory rewrites it."""
        if self.rulebase.has_rules(symbol) or symbol.native in COMPUTE:
            self.name(symbol)
            return f"norm({self.runtime.names.constant(symbol.make(()))})"
        known = self.runtime.constants
        if symbol not in known:
            known[symbol] = f"k{symbol.number}"
            self.runtime.overlay.mention(symbol, known[symbol])
        return known[symbol]

    def choice(self, symbol: Symbol) -> Choice | None:
        """How to put a conditional that the user defined in line; None while tracing, which shows every step."""
        if self.runtime.tracer is not None or symbol.nargs < 3 or symbol.native is not None or symbol.has_theory:
            return None
        found = Choice.of(self.rulebase.rules_of(symbol), self.rulebase.true, self.rulebase.false)
        if found is None or not {found.yes, found.no} <= self.rulebase.lazy_positions(symbol):
            return None
        name = self.name(symbol)
        if symbol not in self._defined:
            self._define(symbol, name)
        return found

    def native(self, symbol: Symbol) -> Callable[..., Term] | None:
        """Functions of the Boolean connectives and of a stuck conditional, on normal forms; None for others."""
        if symbol.native is Builtin.IF:
            return self._stuck_if(symbol)
        return None if self.booleans is None else self.booleans.function(symbol)

    def _stuck_if(self, symbol: Symbol) -> Callable[..., Term]:
        namespace, normalise = self.runtime.namespace, self.runtime.normalise
        true, false = self.rulebase.true, self.rulebase.false

        def stuck(condition: Term, then: Term, other: Term) -> Term:
            if condition is true:
                return normalise(then)
            if condition is false:
                return normalise(other)
            term = symbol.make((condition, then, other))
            term.epoch = namespace["E"]
            return term

        return stuck

    def _stub(self, symbol: Symbol, name: str) -> Callable[..., Term]:
        """Compiles the function at its first call."""

        def first_call(*args: Any) -> Term:
            # Callers that were already evaluating their arguments still hold this stub.
            function = self._defined.get(symbol) or self._define(symbol, name)
            return function(*args)

        return first_call

    def _define(self, symbol: Symbol, name: str) -> Callable[..., Term]:
        """Put the function of a symbol in place; behind that of a passage, if the passage rewrites the symbol, too."""
        function = self.native(symbol) or self._compile(symbol, name)
        self.runtime.overlay.define(symbol, name, function)
        self._defined[symbol] = function
        return function

    def _compile(self, symbol: Symbol, name: str) -> Callable[..., Term]:
        namespace = self.runtime.namespace
        compiler = FunctionCompiler(self, symbol)
        exec(compile(compiler.source(), "<otsrw compiled>", "exec"), namespace)
        function: Callable[..., Term] = namespace[name]
        namespace[f"{name}_self"] = function
        for holder, helpers in compiler.tables.items():
            namespace[holder].update({head: namespace[helper] for head, helper in helpers.items()})
        return function

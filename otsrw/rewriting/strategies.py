"""Evaluators that follow an explicit strategy, as `{strat: (1 0 2)}`."""

from __future__ import annotations

from otsrw.rewriting.functions import Functions
from otsrw.rewriting.interpreter import Interpreter
from otsrw.rewriting.runtime import Evaluator
from otsrw.rewriting.specials import Specials
from otsrw.theory.builtins import SYNTACTIC_TESTS, Builtin
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, Symbol, Term


class Strategies:
    """Evaluates arguments in the order that a strategy gives, and tries rules where it says so."""

    def __init__(self, functions: Functions, interpreter: Interpreter, specials: Specials) -> None:
        self.functions = functions
        self.rulebase = functions.rulebase
        self.runtime = functions.runtime
        self.interpreter = interpreter
        self.specials = specials

    def evaluator(self, symbol: Symbol) -> Evaluator:
        """Numbers of a strategy are arguments to evaluate, 0 is the top, negative means on demand."""
        # test_engine.py: "5 a user strategy is taken literally"
        strategy = symbol.strategy or (*range(1, symbol.nargs + 1), 0)
        demanded = self._demanded(symbol, strategy)
        argument, rewritten, runtime = self.runtime.argument, self.interpreter.rewritten, self.runtime

        def evaluate(term: Term) -> Term:
            args = list(term.args)
            for step in strategy:
                if step > 0:
                    if step <= len(args):
                        args[step - 1] = argument(symbol, args[step - 1])
                elif step == 0:
                    for position in demanded:
                        args[position] = argument(symbol, args[position])
                    result = rewritten(symbol, symbol.make(tuple(args)))
                    if result is not None:
                        return result
            native = self._afterwards(symbol, args)
            return runtime.settled(symbol.make(tuple(args))) if native is None else native

        return evaluate

    def _demanded(self, symbol: Symbol, strategy: tuple[int, ...]) -> list[int]:
        """Arguments to evaluate on demand that some rule looks into."""
        rules = self.rulebase.rules_of(symbol)
        return [
            -i - 1
            for i in strategy
            if i < 0 and any(not r.lhs.args[-i - 1].op.variable for r in rules if -i <= symbol.nargs)
        ]

    def _afterwards(self, symbol: Symbol, args: list[Term]) -> Term | None:
        """A built-in operator that equations may decide, as `=*=`: none applied, so its own meaning remains."""
        if symbol.native is None:
            return None
        if symbol.native is Builtin.IF:
            return self.specials.conditional(symbol.make(tuple(args)))
        values = [self.runtime.argument(symbol, arg) for arg in args]
        if symbol.native is Builtin.IS and isinstance(values[1], LiteralTerm) and isinstance(values[1].value, Sort):
            fits = self.rulebase.signature.order.leq(values[0].sort, values[1].value)
            return self.rulebase.true if fits else self.rulebase.false
        if symbol.native in SYNTACTIC_TESTS:
            return self.specials.compared(symbol, *values)
        result = self.interpreter.rewritten(symbol, symbol.make(tuple(values)))
        if result is not None:
            return result
        function = self.functions.native(symbol)
        if function is None:
            return None
        return function(tuple(values)) if symbol.assoc else function(*values)

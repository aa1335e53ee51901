"""How unevaluated terms are normalised, by the symbol at their top."""

from __future__ import annotations

from functools import lru_cache
from types import CodeType, FunctionType

from otsrw.rewriting.functions import Functions
from otsrw.rewriting.interpreter import Interpreter
from otsrw.rewriting.runtime import Evaluator
from otsrw.rewriting.specials import Specials
from otsrw.rewriting.strategies import Strategies
from otsrw.theory.builtins import COMPUTE
from otsrw.theory.terms import Symbol, Term


class Evaluators(dict[Symbol, Evaluator]):
    """Evaluators by symbol, made when first needed."""

    def __init__(self, functions: Functions, interpreter: Interpreter, specials: Specials) -> None:
        super().__init__()
        self.functions = functions
        self.runtime = functions.runtime
        self.rulebase = functions.rulebase
        self.specials = specials
        self.strategies = Strategies(functions, interpreter, specials)

    def __missing__(self, symbol: Symbol) -> Evaluator:
        evaluator = self[symbol] = self._evaluator(symbol)
        return evaluator

    def _evaluator(self, symbol: Symbol) -> Evaluator:
        if symbol.variable or not symbol.decls:
            return self.runtime.settled
        special = self.specials.evaluator(symbol)
        if special is not None:
            return special
        if self.rulebase.by_strategy(symbol):
            return self.strategies.evaluator(symbol)
        name = self.functions.name(symbol)
        if symbol.nargs == 0:
            return self._constant(symbol, name)
        return self._associative(symbol, name) if symbol.assoc else self._call(symbol, name)

    def _constant(self, symbol: Symbol, name: str) -> Evaluator:
        runtime, namespace = self.runtime, self.runtime.namespace
        if self.rulebase.has_rules(symbol) or symbol.native in COMPUTE:
            return lambda _: namespace[name]()

        def evaluate(term: Term) -> Term:
            # no rule of the theory rewrites it: only a passage may
            if symbol in runtime.overlay.functions:
                return runtime.overlay.functions[symbol]()
            term.epoch = namespace["E"]
            return term

        return evaluate

    def _call(self, symbol: Symbol, name: str) -> Evaluator:
        """Generated code that calls the function of the symbol with its arguments, evaluated if it is strict."""
        runtime = self.runtime
        lazy = self.rulebase.lazy_positions(symbol)
        value = "norm(a[{}])"
        if runtime.colours is not None:
            argument, op = runtime.names.constant(runtime.argument), runtime.names.constant(symbol)
            value = f"{argument}({op}, a[{{}}])"
        elif runtime.tracer is not None:
            value = "(down({0}), norm(a[{0}]), up())[1]"
        args = [f"a[{i}]" if i in lazy else value.format(i) for i in range(symbol.nargs)]
        code = _calling(tuple(args))
        names = tuple([name if each == _CALLED else each for each in code.co_names])
        return FunctionType(code.replace(co_names=names, co_name=f"e{symbol.number}"), runtime.namespace)

    def _associative(self, symbol: Symbol, name: str) -> Evaluator:
        runtime, namespace = self.runtime, self.runtime.namespace
        norm, place, colours = runtime.normalise, runtime.place, runtime.colours

        def evaluate(term: Term) -> Term:
            if runtime.tracer is None and colours is None:
                result: Term = namespace[name](tuple([norm(arg) for arg in term.args]))
                return result
            args = []
            for index, arg in enumerate(term.args):
                if runtime.tracer is not None:
                    place.append(index)
                    args.append(norm(arg))
                    place.pop()
                else:
                    args.append(runtime.argument(symbol, arg))
            traced: Term = namespace[name](tuple(args))
            return traced

        return evaluate


_CALLED = "called"


@lru_cache(256)
def _calling(args: tuple[str, ...]) -> CodeType:
    """The code of an evaluator that calls a function with these arguments; another function is another name in it."""
    text = f"def evaluate(t):\n a = t.args\n return {_CALLED}({', '.join(args)})\n"
    code = compile(text, "<otsrw compiled>", "exec")
    return next(each for each in code.co_consts if isinstance(each, CodeType))

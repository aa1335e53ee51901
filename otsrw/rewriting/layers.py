"""The equations of one open passage over a compiled module.

A `Layer` puts functions in front of those of the few symbols it rewrites: they look into a dictionary of ground
assumptions, then try the passage's other equations, then call the function behind. Nothing is recompiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from otsrw.rewriting.machine import Machine
from otsrw.rewriting.overlays import Overlay
from otsrw.rewriting.rules import Rule, delayed_positions, fits_lower_rank, rank_order, with_completions
from otsrw.rewriting.runtime import Evaluator
from otsrw.theory.builtins import SYNTACTIC_TESTS, Builtin
from otsrw.theory.terms import Symbol, Term

LayerFunctions = dict[tuple[Symbol, tuple[Rule, ...]], Callable[..., Term]]
"""Functions that layers of one machine put in front, by symbol and rules."""


class Layer(Overlay):
    """The equations of an open passage, in front of the functions of a machine."""

    def __init__(self, machine: Machine, shared: LayerFunctions | None = None) -> None:
        super().__init__(machine.runtime)
        self.machine = machine
        self._shared = shared
        """Where functions are kept for other layers with the same rules; None if there will be none."""

    @property
    def placed(self) -> tuple[Machine, Layer]:
        """The machine, and this layer over it."""
        return self.machine, self

    def add(self, batch: list[Rule]) -> None:
        """Equations declared since the last reduction go in front of the earlier ones."""
        if self.runtime.overlay is self:
            self.runtime.bare.come_into_force()
        fresh: dict[Symbol, list[Rule]] = {}
        for rule in with_completions(sorted(batch, key=lambda rule: rule.axiom.otherwise)):
            fresh.setdefault(rule.symbol, []).append(rule)
        for symbol, rules in fresh.items():
            # test_engine.py: "6 equations added after a reduction come before the earlier ones"
            self.rules[symbol] = rank_order(symbol, rules + self.rules.get(symbol, []))
        for symbol in fresh:
            self.names[symbol] = self.machine.functions.name(symbol)
            function = self.functions[symbol] = self._shared_function(symbol)
            if symbol.nargs and not symbol.assoc and not self.machine.rulebase.by_strategy(symbol):
                self.evaluators[symbol] = _passing_arguments(symbol.nargs, function)

    def _shared_function(self, symbol: Symbol) -> Callable[..., Term]:
        rules = self.rules[symbol]
        if self._shared is None:
            return self._function(symbol, rules)
        key = symbol, tuple(rules)
        function = self._shared.get(key)
        if function is None:
            function = self._shared[key] = self._function(symbol, rules)
        return function

    def _function(self, symbol: Symbol, rules: list[Rule]) -> Callable[..., Term]:
        if symbol.assoc:
            return self._associative(symbol, rules)
        if symbol.nargs == 0:
            return self._constant(symbol, rules)
        if all(rule.is_ground for rule in rules) and not symbol.has_theory and self.runtime.tracer is None:
            return self._ground(symbol, rules)
        return self._general(symbol, rules)

    def _below(self, symbol: Symbol) -> Callable[[tuple[Term, ...]], Term]:
        """The function this layer stands in front of, looked up when called: it may be compiled only then."""
        if symbol.native in SYNTACTIC_TESTS:
            compared = self.machine.specials.compared
            return lambda args: compared(symbol, *args)
        name, behind = self.names[symbol], self.runtime.log.names
        apply = _apply_one if symbol.assoc else _APPLY.get(symbol.nargs, _apply_many)
        return lambda args: apply(behind[name], args)

    def _constant(self, symbol: Symbol, rules: list[Rule]) -> Callable[..., Term]:
        namespace, instance = self.runtime.namespace, self.machine.interpreter.instance
        constant = symbol.make(())
        below = self._below(symbol) if self.machine.rulebase.has_rules(symbol) else None

        def function() -> Term:
            epoch = namespace["E"]
            if constant.memo_epoch is epoch and constant.memo is not None:
                return constant.memo
            for rule in rules:
                result = instance(rule, {})
                if result is not None:
                    constant.memo_epoch, constant.memo = epoch, result
                    return result
            if below is not None:
                return below(())
            constant.epoch = epoch
            return constant

        return function

    def _ground(self, symbol: Symbol, rules: list[Rule]) -> Callable[..., Term]:
        """Assumptions on ground terms: one dictionary look-up."""
        table: dict[tuple[Term, ...], Rule] = {}
        for rule in rules:
            table.setdefault(rule.lhs.args, rule)
        below = self._below(symbol)
        norm, count = self.runtime.normalise, self.runtime.count

        def look_up(args: tuple[Term, ...]) -> Term:
            rule = table.get(args)
            if rule is None:
                return below(args)
            count()
            return norm(rule.rhs)

        return _function_of(symbol.nargs, look_up, norm)

    def _general(self, symbol: Symbol, rules: list[Rule]) -> Callable[..., Term]:
        below = self._below(symbol)
        norm, namespace, instance = self.runtime.normalise, self.runtime.namespace, self.machine.interpreter.instance
        match = self.runtime.rule_matcher.match

        def rewrite(args: tuple[Term, ...], last: bool = True) -> Term | None:
            term = symbol.make(args)
            if term.op is not symbol:
                return norm(term)
            epoch = namespace["E"]
            if term.memo_epoch is epoch and term.memo is not None:
                return term.memo
            for rule in rules:
                for found in match(rule.lhs, term, {}):
                    result = instance(rule, found)
                    if result is not None:
                        term.memo_epoch, term.memo = epoch, result
                        return result
            return below(args) if last else None

        delayed = delayed_positions(symbol, rules + self.machine.rulebase.rules_of(symbol))
        return _delaying(symbol, rewrite, norm, delayed) if delayed else _function_of(symbol.nargs, rewrite, norm)

    def _associative(self, symbol: Symbol, rules: list[Rule]) -> Callable[..., Term]:
        below = self._below(symbol)
        if symbol.native in (Builtin.AND, Builtin.XOR):
            return below
        norm, namespace, instance = self.runtime.normalise, self.runtime.namespace, self.machine.interpreter.instance
        matcher = self.runtime.rule_matcher

        def function(args: tuple[Term, ...]) -> Term:
            term = symbol.make(tuple([norm(arg) for arg in args]))
            if term.op is not symbol:
                return norm(term)
            epoch = namespace["E"]
            if term.epoch is epoch:
                return term
            if term.memo_epoch is epoch and term.memo is not None:
                return term.memo
            for rule in rules:
                patterns = rule.lhs.args if rule.lhs.op is symbol else (rule.lhs,)
                options: Iterator[tuple[dict[Term, Term], tuple[Term, ...], tuple[Term, ...]]]
                if symbol.comm:
                    options = ((f, (), r) for f, r in matcher.match_multiset(symbol, patterns, term.args, {}, True))
                else:
                    options = ((f, b, a) for f, b, a in matcher.match_list(symbol, patterns, term.args, {}, True))
                for found, before, after in options:
                    result = instance(rule, found)
                    if result is not None:
                        if before or after:
                            result = function((*before, result, *after))
                        term.memo_epoch, term.memo = epoch, result
                        return result
            return below(term.args)

        return function


# Calls with explicit arguments: CPython runs them without using the C stack, however deep they nest.

_APPLY: dict[int, Callable[[Callable[..., Term], tuple[Term, ...]], Term]] = {
    0: lambda function, _: function(),
    1: lambda function, args: function(args[0]),
    2: lambda function, args: function(args[0], args[1]),
    3: lambda function, args: function(args[0], args[1], args[2]),
    4: lambda function, args: function(args[0], args[1], args[2], args[3]),
}


def _apply_one(function: Callable[..., Term], args: tuple[Term, ...]) -> Term:
    return function(args)


def _apply_many(function: Callable[..., Term], args: tuple[Term, ...]) -> Term:
    return function(*args)


def _passing_arguments(nargs: int, function: Callable[..., Term]) -> Evaluator:
    """Evaluate a term by a function that evaluates the arguments itself, as far as its strategy wants them."""
    apply = _APPLY.get(nargs, _apply_many)
    return lambda term: apply(function, term.args)


def _delaying(
    symbol: Symbol, body: Callable[..., Term | None], norm: Evaluator, delayed: frozenset[int]
) -> Callable[..., Term]:
    """Rules are tried first with the delayed arguments as they are, then with all arguments evaluated."""
    lower = fits_lower_rank(symbol)

    def function(*args: Term) -> Term:
        partly = tuple([arg if i in delayed else norm(arg) for i, arg in enumerate(args)])
        eager = lower is not None and lower(partly)
        result = None if eager else body(partly, False)
        if result is None:
            result = body(tuple([norm(arg) for arg in partly]))
            assert result is not None
        return result

    return function


def _function_of(nargs: int, body: Callable[..., Any], norm: Evaluator) -> Callable[..., Term]:
    """A function of `nargs` arguments that normalises them and calls `body` with the tuple."""
    match nargs:
        case 1:
            return lambda first: body((norm(first),))
        case 2:
            return lambda first, second: body((norm(first), norm(second)))
        case 3:
            return lambda first, second, third: body((norm(first), norm(second), norm(third)))
        case 4:
            return lambda first, second, third, last: body((norm(first), norm(second), norm(third), norm(last)))
    return lambda *args: body(tuple([norm(arg) for arg in args]))

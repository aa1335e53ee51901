"""The equations of one open passage over a compiled module.

A `Layer` replaces the functions of the few symbols it rewrites by functions that look into a dictionary of ground
assumptions, then try the passage's other equations, then call the function below. Nothing is recompiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from otsrw.rewriting.machine import Evaluator, Machine
from otsrw.rewriting.rules import Rule, delayed_positions, fits_lower_rank, rank_order, with_completions
from otsrw.theory.builtins import SYNTACTIC_TESTS, Builtin
from otsrw.theory.terms import Symbol, Term

_IN_LINE = frozenset((Builtin.AND, Builtin.NOT, *SYNTACTIC_TESTS))


class Layer:
    """The equations of an open passage over a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.rules: dict[Symbol, list[Rule]] = {}
        self.functions: dict[Symbol, Callable[..., Term]] = {}
        self.saved: dict[str, Any] = {}
        self.saved_evaluators: dict[Symbol, Evaluator] = {}

    def add(self, batch: list[Rule]) -> None:
        """Equations declared since the last reduction go in front of the earlier ones."""
        machine = self.machine
        active = machine.layer is self
        if active:
            machine.install(None)
        fresh: dict[Symbol, list[Rule]] = {}
        for rule in with_completions(sorted(batch, key=lambda rule: rule.axiom.otherwise)):
            fresh.setdefault(rule.symbol, []).append(rule)
        for symbol, rules in fresh.items():
            self.rules[symbol] = rank_order(symbol, rules + self.rules.get(symbol, []))
            self.functions.pop(symbol, None)
        for symbol in fresh:
            self.functions[symbol] = self._function(symbol)

    @property
    def rewrites_what_is_in_line(self) -> bool:
        """Are there equations on operators that compiled code does not call a function for?"""
        return any(symbol.native in _IN_LINE for symbol in self.functions)

    def install(self) -> None:
        machine = self.machine
        namespace = machine.namespace
        constants = []
        evaluators = namespace["EV"]
        for symbol, function in self.functions.items():
            name = machine.function_name(symbol)
            self.saved[name] = namespace[name]
            namespace[name] = function
            if symbol.nargs and not symbol.assoc and not machine.by_strategy(symbol):
                self.saved_evaluators[symbol] = evaluators[symbol]
                evaluators[symbol] = _passing_arguments(symbol.nargs, function)
            if symbol in machine._constants:
                constants.append(symbol)
        for symbol in constants:
            name = machine._constants[symbol]
            self.saved[name] = namespace[name]
        for symbol in constants:
            namespace[machine._constants[symbol]] = machine.normalise(symbol.make(()))

    def _function(self, symbol: Symbol) -> Callable[..., Term]:
        if symbol.assoc:
            return self._associative(symbol)
        rules = self.rules[symbol]
        if symbol.nargs == 0:
            return self._constant(symbol, rules)
        if all(rule.is_ground for rule in rules) and not symbol.has_theory and self.machine.tracer is None:
            return self._ground(symbol, rules)
        return self._general(symbol, rules)

    def _below(self, symbol: Symbol) -> Callable[[tuple[Term, ...]], Term]:
        """The function this layer stands in front of, looked up when called: it may be compiled only then."""
        if symbol.native in SYNTACTIC_TESTS:
            return lambda args: self.machine.compared(symbol, *args)
        name = self.machine.function_name(symbol)
        saved = self.saved
        apply = _apply_one if symbol.assoc else _APPLY.get(symbol.nargs, _apply_many)
        return lambda args: apply(saved[name], args)

    def _constant(self, symbol: Symbol, rules: list[Rule]) -> Callable[..., Term]:
        machine = self.machine
        constant = symbol.make(())
        below = self._below(symbol) if machine.has_rules(symbol) else None

        def function() -> Term:
            epoch = machine.namespace["E"]
            if constant.memo_epoch is epoch and constant.memo is not None:
                return constant.memo
            for rule in rules:
                result = machine.instance(rule, {})
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
        machine = self.machine
        table: dict[tuple[Term, ...], Rule] = {}
        for rule in rules:
            table.setdefault(rule.lhs.args, rule)
        below = self._below(symbol)
        norm = machine.normalise

        def look_up(args: tuple[Term, ...]) -> Term:
            rule = table.get(args)
            if rule is None:
                return below(args)
            machine.count()
            return norm(rule.rhs)

        return _function_of(symbol.nargs, look_up, norm)

    def _general(self, symbol: Symbol, rules: list[Rule]) -> Callable[..., Term]:
        machine = self.machine
        below = self._below(symbol)
        norm = machine.normalise

        def rewrite(args: tuple[Term, ...], last: bool = True) -> Term | None:
            term = symbol.make(args)
            if term.op is not symbol:
                return norm(term)
            epoch = machine.namespace["E"]
            if term.memo_epoch is epoch and term.memo is not None:
                return term.memo
            for rule in rules:
                for found in machine.rule_matcher.match(rule.lhs, term, {}):
                    result = machine.instance(rule, found)
                    if result is not None:
                        term.memo_epoch, term.memo = epoch, result
                        return result
            return below(args) if last else None

        delayed = delayed_positions(symbol, rules + machine.rules.get(symbol, []))
        return _delaying(symbol, rewrite, norm, delayed) if delayed else _function_of(symbol.nargs, rewrite, norm)

    def _associative(self, symbol: Symbol) -> Callable[..., Term]:
        machine = self.machine
        below = self._below(symbol)
        rules = self.rules[symbol]
        if symbol.native in (Builtin.AND, Builtin.XOR):
            return below
        norm = machine.normalise
        matcher = machine.rule_matcher

        def function(args: tuple[Term, ...]) -> Term:
            term = symbol.make(tuple([norm(arg) for arg in args]))
            if term.op is not symbol:
                return norm(term)
            epoch = machine.namespace["E"]
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
                    result = machine.instance(rule, found)
                    if result is not None:
                        if before or after:
                            result = function((*before, result, *after))
                        term.memo_epoch, term.memo = epoch, result
                        return result
            return below(term.args)

        return function


# Calls with explicit arguments: CPython runs them without using the C stack, however deep they nest.

_APPLY: dict[int, Callable[[Callable[..., Term], tuple[Term, ...]], Term]] = {
    0: lambda f, a: f(),
    1: lambda f, a: f(a[0]),
    2: lambda f, a: f(a[0], a[1]),
    3: lambda f, a: f(a[0], a[1], a[2]),
    4: lambda f, a: f(a[0], a[1], a[2], a[3]),
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
            return lambda a: body((norm(a),))
        case 2:
            return lambda a, b: body((norm(a), norm(b)))
        case 3:
            return lambda a, b, c: body((norm(a), norm(b), norm(c)))
        case 4:
            return lambda a, b, c, d: body((norm(a), norm(b), norm(c), norm(d)))
    return lambda *args: body(tuple([norm(arg) for arg in args]))

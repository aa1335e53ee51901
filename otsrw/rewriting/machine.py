"""A compiled theory: the namespace of generated functions, and how terms are evaluated with them.

A `Machine` belongs to a full signature and is compiled lazily, symbol by symbol; a proof passage puts a `Layer`
(rewriting/layers.py) over it. Normal forms are cached on terms under an epoch; every change of rules starts a new
epoch, so no cache can be stale.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, Any

from otsrw.rewriting.booleans import Booleans
from otsrw.rewriting.budget import SWEEP_EVERY, TICK, Budget
from otsrw.rewriting.compiler import FunctionCompiler, Names
from otsrw.rewriting.contexts import Colours
from otsrw.rewriting.matching import Matcher
from otsrw.rewriting.rules import (
    Choice,
    Rule,
    Strictness,
    conjuncts,
    fits_built_in_rank,
    rank_order,
    total_kinds,
    with_completions,
)
from otsrw.rewriting.storage import Sweeper
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import COMPUTE, RING_CONNECTIVES, SYNTACTIC_TESTS, Builtin
from otsrw.theory.modules import Module, identity_axioms, translated
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show_briefly
from otsrw.theory.signature import Signature
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, Symbol, Term, literal_of

if TYPE_CHECKING:
    from otsrw.rewriting.layers import Layer

_CORE = """
def norm(t):
    if t.epoch is E: return t
    m = t.memo_epoch
    if m is E: return t.memo
    if m is B: loop(t)
    t.memo_epoch = B
    r = EV[t.op](t)
    t.memo_epoch = E
    t.memo = r
    return r
"""

Evaluator = Callable[[Term], Term]
Tracer = Callable[[Rule, dict[Term, Term], tuple[int, ...]], None]


class _Evaluators(dict[Symbol, Evaluator]):
    """Evaluators of terms by symbol, made when first needed."""

    def __init__(self, make: Callable[[Symbol], Evaluator]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, symbol: Symbol) -> Evaluator:
        evaluator = self[symbol] = self.make(symbol)
        return evaluator


_SAME = Builtin.SAME
_ON_UNEVALUATED_TERMS = frozenset(
    (
        Builtin.MATCH,
        Builtin.CONJUNCTION,
        Builtin.SEARCH,
        Builtin.IS,
        Builtin.AND_ALSO,
        Builtin.OR_ELSE,
        Builtin.BEHAVES,
    )
)
_ON_NORMAL_FORMS = RING_CONNECTIVES | {Builtin.IF, *SYNTACTIC_TESTS}


class Machine:
    """All equations of a module, compiled."""

    def __init__(
        self, module: Module, tracer: Tracer | None = None, transitions: bool = False, behavioural: bool = False
    ) -> None:
        self.module = module
        self.signature: Signature = module.signature
        self.tracer = tracer
        self.place: list[int] = []
        self.matcher = Matcher(self.signature.order)
        self.rule_matcher = Matcher(self.signature.order, identity=False)
        self.transitions: list[Rule] = []
        self.rules = self._collect_rules(transitions)
        self.budget = Budget()
        self.sweeper = Sweeper()
        self._spent = 0
        self._ticks = 0
        self.namespace: dict[str, Any] = {}
        in_use = any(rule.axiom.behavioural for rules in self.rules.values() for rule in rules)
        self.colours = Colours(self.namespace, self.signature.order, behavioural) if in_use else None
        self.names = Names(self.namespace)
        self.late_tables: list[tuple[str, dict[Symbol, str]]] = []
        self.computations = COMPUTE
        self._strictness = Strictness(self.rules)
        self._total = total_kinds(self.signature.symbols())
        self._constants: dict[Symbol, str] = {}
        self._compiled: set[Symbol] = set()
        self._defined: dict[Symbol, Callable[..., Term]] = {}
        self.layer: Layer | None = None
        self.search: Callable[[Term], Term] | None = None
        self._prepare()

    # --- set-up

    def _collect_rules(self, transitions: bool) -> dict[Symbol, list[Rule]]:
        memo: dict[Term, Term] = {}
        found: dict[Symbol, list[Rule]] = {}
        moving: dict[Symbol, list[Rule]] = {}
        usable = []
        for owner, axiom in self.module.flat_axioms():
            if axiom.executable:
                rule = Rule.of(translated(axiom, owner, self.signature, memo))
                if rule.is_usable:
                    usable.append(rule)
        usable += map(Rule.of, identity_axioms(self.signature))
        for rule in with_completions(usable):
            if rule.axiom.is_transition:
                self.transitions.append(rule)
                moving.setdefault(rule.symbol, []).append(rule)
            else:
                found.setdefault(rule.symbol, []).append(rule)
        if transitions:
            for symbol, rules in moving.items():
                found[symbol] = rules + found.get(symbol, [])
        for symbol, rules in found.items():
            rules.sort(key=lambda rule: rule.axiom.otherwise)
            found[symbol] = rank_order(symbol, rules)
        return found

    def _prepare(self) -> None:
        namespace = self.namespace
        bools = self.signature.sort_names.get("Bool")
        self.true = self.false = None
        self.booleans: Booleans | None = None
        if bools:
            self.true = self.signature.constants_named("true")[0].make(())
            self.false = self.signature.constants_named("false")[0].make(())
            self.booleans = Booleans.of(self)
        namespace.update(
            n=0,
            L=TICK,
            E=self.colours.new_epoch() if self.colours is not None else object(),
            B=object(),
            RC=False,
            loop=_loops,
            TRUE=self.true,
            FALSE=self.false,
            EV=_Evaluators(self._evaluator),
            tick=self._tick,
            trace=self._trace,
            down=self.place.append,
            up=self.place.pop,
        )
        exec(compile(_CORE, "<otsrw core>", "exec"), namespace)
        self.normalise: Evaluator = namespace["norm"]

    # --- facts the compiler asks for

    def function_name(self, symbol: Symbol) -> str:
        name = f"f{symbol.number}"
        if symbol not in self._compiled:
            self._compiled.add(symbol)
            self.namespace[name] = self._stub(symbol, name)
        return name

    def has_rules(self, symbol: Symbol) -> bool:
        return symbol in self.rules

    def lazy_positions(self, symbol: Symbol) -> frozenset[int]:
        return frozenset(self._strictness.lazy.get(symbol, ()))

    def choice(self, symbol: Symbol) -> Choice | None:
        """How to inline a conditional that the user defined; not while tracing, which shows every step."""
        if self.tracer is not None or symbol.nargs < 3 or symbol.native is not None or symbol.has_theory:
            return None
        found = Choice.of(self.rules.get(symbol, []), self.true, self.false)
        if found is None or not {found.yes, found.no} <= self.lazy_positions(symbol):
            return None
        name = self.function_name(symbol)
        if symbol not in self._defined:
            self._define(symbol, name)
        return found

    def by_strategy(self, symbol: Symbol) -> bool:
        """Is the symbol evaluated by an explicit strategy, or by special code on the unevaluated term?"""
        native = symbol.native
        if native in _ON_UNEVALUATED_TERMS:
            return True
        if native in _ON_NORMAL_FORMS:
            return self.has_rules(symbol)
        if native is not None or symbol.strategy is None:
            return False
        return symbol.strategy != (*range(1, symbol.nargs + 1), 0)

    def evaluated_positions(self, symbol: Symbol) -> frozenset[int]:
        """Which arguments of a normal form with this symbol are in normal form themselves."""
        if symbol.native is Builtin.IF:
            return frozenset((0,))
        if self.by_strategy(symbol) and symbol.strategy is not None:
            return frozenset(i - 1 for i in symbol.strategy if i > 0)
        return frozenset(range(symbol.nargs))

    def sort_test(self, sort: Sort, of_any_kind: bool = False) -> frozenset[Sort] | None:
        """The sorts a value for a variable may have; None if every value that can be there fits."""
        order = self.signature.order
        kind = order.kind.get(sort)
        if kind is None:
            return None
        if sort is kind.error:
            return frozenset((*kind.sorts, sort)) if of_any_kind else None
        if kind.top is sort and kind in self._total and not of_any_kind:
            return None
        return order.below[sort]

    def may_match(self, rule: Rule, subject: Term) -> bool:
        if rule.lhs is subject:
            return True
        return next(self.rule_matcher.match(rule.lhs, subject, {}), None) is not None

    def constant_expression(self, symbol: Symbol) -> str:
        """How generated code mentions a constant: by name if no rule of the theory rewrites it."""
        if self.has_rules(symbol) or symbol.native in COMPUTE:
            self.function_name(symbol)
            return f"norm({self.names.constant(symbol.make(()))})"
        name = self._constants.get(symbol)
        if name is None:
            name = self._constants[symbol] = f"k{symbol.number}"
            constant = symbol.make(())
            self.namespace[name] = constant
            if self.layer is not None and symbol in self.layer.rules:
                self.layer.saved[name] = constant
                self.namespace[name] = self.normalise(constant)
        return name

    def creator(self, symbol: Symbol) -> Callable[[tuple[Term, ...]], Term]:
        new, table = symbol.new, symbol.table

        def create(args: tuple[Term, ...]) -> Term:
            term = table[args] = new(args)
            return term

        return create

    def _result(self, value: object) -> Term | None:
        if value is None:
            return None
        if value is True:
            return self.true
        if value is False:
            return self.false
        return literal_of(value)

    def computation(self, symbol: Symbol) -> Callable[..., Term | None]:
        """A built-in operator on literal arguments, else None."""
        assert symbol.native is not None
        compute = COMPUTE[symbol.native]
        arity = symbol.nargs
        missing = self._not_found(symbol)
        is_meant = fits_built_in_rank(symbol)

        def run(*args: Term) -> Term | None:
            values = []
            for arg in args:
                if arg.__class__ is not LiteralTerm:
                    return None
                values.append(arg.value)
            if is_meant is not None and not is_meant(tuple([arg.sort for arg in args])):
                return None
            value = compute(*values) if len(values) <= arity else reduce(compute, values)
            return missing if value is None else self._result(value)

        def run_binary(first: Term, second: Term, *more: Term) -> Term | None:
            if more:
                return run(first, second, *more)
            if first.__class__ is not LiteralTerm or second.__class__ is not LiteralTerm:
                return None
            if is_meant is not None and not is_meant((first.sort, second.sort)):
                return None
            value = compute(first.value, second.value)
            return missing if value is None else self._result(value)

        return run_binary if arity == 2 else run

    def _not_found(self, symbol: Symbol) -> Term | None:
        if symbol.native in (Builtin.FIND, Builtin.RFIND):
            found = self.signature.constants_named("notFound")
            return found[0].make(()) if found else None
        return None

    def folding(self, symbol: Symbol) -> Callable[[tuple[Term, ...]], tuple[Term, ...] | None]:
        """A built-in associative and commutative operator: combine the literals among the arguments."""
        assert symbol.native is not None
        compute = COMPUTE[symbol.native]
        is_meant = fits_built_in_rank(symbol)

        def fold(args: tuple[Term, ...]) -> tuple[Term, ...] | None:
            literals = [arg for arg in args if arg.__class__ is LiteralTerm]
            if is_meant is not None:
                literals = [arg for arg in literals if is_meant((arg.sort, arg.sort))]
            if len(literals) < 2:
                return None
            total: Any = literals[0].value
            for literal in literals[1:]:
                total = compute(total, literal.value)
                if total is None:
                    return None
            return (literal_of(total), *(arg for arg in args if arg not in literals))

        return fold

    # --- functions and evaluators

    def _stub(self, symbol: Symbol, name: str) -> Callable[..., Term]:
        """Compiles the function at its first call."""

        def first_call(*args: Any) -> Term:
            # Callers that were already evaluating their arguments still hold this stub.
            function = self._defined.get(symbol) or self._define(symbol, name)
            return function(*args)

        return first_call

    def _define(self, symbol: Symbol, name: str) -> Callable[..., Term]:
        """Put the function of a symbol in place; under the layer, if a passage rewrites the symbol, too."""
        in_front = self.namespace[name] if self.layer is not None and symbol in self.layer.functions else None
        function = self._native_function(symbol) or self._compile(symbol, name)
        if self.layer is not None and in_front is not None:
            self.layer.saved[name] = function
            self.namespace[name] = in_front
        else:
            self.namespace[name] = function
        self._defined[symbol] = function
        return function

    def _compile(self, symbol: Symbol, name: str) -> Callable[..., Term]:
        source = FunctionCompiler(self, symbol).source()
        exec(compile(source, "<otsrw compiled>", "exec"), self.namespace)
        self.namespace[f"{name}_self"] = self.namespace[name]
        for holder, table in self.late_tables:
            self.namespace[holder].update({head: self.namespace[helper] for head, helper in table.items()})
        self.late_tables.clear()
        function: Callable[..., Term] = self.namespace[name]
        return function

    def _native_function(self, symbol: Symbol) -> Callable[..., Term] | None:
        """Functions of the Boolean connectives and of a stuck conditional; they take normal forms."""
        native = symbol.native
        if native is Builtin.IF:
            return self._stuck_if(symbol)
        return None if self.booleans is None else self.booleans.function(symbol)

    def _stuck_if(self, symbol: Symbol) -> Callable[..., Term]:
        def stuck(condition: Term, then: Term, other: Term) -> Term:
            if condition is self.true:
                return self.normalise(then)
            if condition is self.false:
                return self.normalise(other)
            term = symbol.make((condition, then, other))
            term.epoch = self.namespace["E"]
            return term

        return stuck

    def _evaluator(self, symbol: Symbol) -> Evaluator:
        """How an unevaluated term with this symbol is normalised."""
        if symbol.variable or not symbol.decls:
            return self._itself
        special = self._special_evaluator(symbol)
        if special is not None:
            return special
        if self.by_strategy(symbol):
            return self._strategic(symbol)
        name = self.function_name(symbol)
        namespace = self.namespace
        if symbol.nargs == 0:
            if symbol in self.rules or symbol.native in COMPUTE:
                return lambda term: namespace[name]()
            return self._constant_evaluator(symbol)
        lazy = self.lazy_positions(symbol)
        args = [f"a[{i}]" if i in lazy else f"norm(a[{i}])" for i in range(symbol.nargs)]
        if self.tracer is not None:
            args = [a if i in lazy else f"(down({i}), {a}, up())[1]" for i, a in enumerate(args)]
        if symbol.assoc:
            return self._assoc_evaluator(symbol, name)
        if self.colours is not None:
            argument, op = self.names.constant(self.argument), self.names.constant(symbol)
            args = [f"a[{i}]" if i in lazy else f"{argument}({op}, a[{i}])" for i in range(symbol.nargs)]
        call = f"{name}({', '.join(args)})"
        exec(compile(f"def e{symbol.number}(t):\n a = t.args\n return {call}\n", "<otsrw compiled>", "exec"), namespace)
        evaluator: Evaluator = namespace[f"e{symbol.number}"]
        return evaluator

    def _itself(self, term: Term) -> Term:
        term.epoch = self.namespace["E"]
        return term

    def _constant_evaluator(self, symbol: Symbol) -> Evaluator:
        """A constant without rules of its own: only a layer may rewrite it."""

        def evaluate(term: Term) -> Term:
            if self.layer is not None and symbol in self.layer.functions:
                return self.layer.functions[symbol]()
            term.epoch = self.namespace["E"]
            return term

        return evaluate

    def _assoc_evaluator(self, symbol: Symbol, name: str) -> Evaluator:
        namespace = self.namespace

        def evaluate(term: Term) -> Term:
            norm = self.normalise
            args = []
            for index, arg in enumerate(term.args):
                if self.tracer is not None:
                    self.place.append(index)
                    args.append(norm(arg))
                    self.place.pop()
                else:
                    args.append(norm(arg) if self.colours is None else self.argument(symbol, arg))
            result: Term = namespace[name](tuple(args))
            return result

        return evaluate

    def _special_evaluator(self, symbol: Symbol) -> Evaluator | None:
        native = symbol.native
        if native is None or (self.has_rules(symbol) and native not in (Builtin.AND, Builtin.OR, Builtin.XOR)):
            return None
        if native is Builtin.IF:
            return self._evaluate_if
        if native in (Builtin.AND, Builtin.OR, Builtin.IMPLIES) and not self.has_rules(symbol):
            return self._short_circuit(symbol)
        if native in SYNTACTIC_TESTS:
            return self._evaluate_equality
        if native is Builtin.MATCH:
            return self._evaluate_match
        if native is Builtin.CONJUNCTION:
            return self._evaluate_conjunction
        if native in (Builtin.AND_ALSO, Builtin.OR_ELSE):
            return self._evaluate_sequential
        if native is Builtin.SEARCH:
            return self._evaluate_search
        return None

    def _short_circuit(self, symbol: Symbol) -> Evaluator:
        """`and`, `or`, `implies`: stop at an argument that decides."""
        name = self.function_name(symbol)
        namespace = self.namespace
        assert symbol.native is not None
        deciding, result = {
            Builtin.AND: (self.false, self.false),
            Builtin.OR: (self.true, self.true),
            Builtin.IMPLIES: (self.false, self.true),
        }[symbol.native]

        def evaluate(term: Term) -> Term:
            args: list[Term] = []
            for index, arg in enumerate(term.args):
                self.place.append(index)
                value = self.normalise(arg)
                self.place.pop()
                if value is deciding and (symbol.assoc or index == 0):
                    assert result is not None
                    return result
                args.append(value)
            answer: Term = namespace[name](tuple(args)) if symbol.assoc else namespace[name](args[0], args[1])
            return answer

        return evaluate

    def _evaluate_if(self, term: Term) -> Term:
        condition = self.normalise(term.args[0])
        if condition is self.true:
            return self.normalise(term.args[1])
        if condition is self.false:
            return self.normalise(term.args[2])
        result = term.op.make((condition, term.args[1], term.args[2]))
        result.epoch = self.namespace["E"]
        return result

    def _evaluate_equality(self, term: Term) -> Term:
        first, second = (self.argument(term.op, arg) for arg in term.args)
        return self.compared(term.op, first, second)

    def compared(self, symbol: Symbol, first: Term, second: Term) -> Term:
        """What `==` or `=/=` says of two normal forms."""
        result = self.true if (first is second) is (symbol.native is _SAME) else self.false
        assert result is not None
        return result

    def _evaluate_match(self, term: Term) -> Term:
        found = next(self.matcher.match(term.args[0], self.normalise(term.args[1]), {}), None)
        result = self.true if found is not None else self.false
        assert result is not None
        return result

    def _evaluate_conjunction(self, term: Term) -> Term:
        first = self.normalise(term.args[0])
        if first is self.false:
            return first
        second = self.normalise(term.args[1])
        if second is self.false or first is self.true:
            return second
        if second is self.true:
            return first
        result = term.op.make((first, second))
        result.epoch = self.namespace["E"]
        return result

    def _evaluate_sequential(self, term: Term) -> Term:
        absorbing, neutral = (self.false, self.true) if term.op.native is Builtin.AND_ALSO else (self.true, self.false)
        first = self.normalise(term.args[0])
        if first is absorbing:
            return first
        second = self.normalise(term.args[1])
        if second is absorbing or first is neutral:
            return second
        if second is neutral or (first is second and term.op.native is Builtin.AND_ALSO):
            return first
        result = term.op.make((first, second))
        result.epoch = self.namespace["E"]
        return result

    def _evaluate_search(self, term: Term) -> Term:
        if self.search is None:
            return self._itself(term)
        return self.search(term)

    def _strategic(self, symbol: Symbol) -> Evaluator:
        """Follow an explicit strategy: numbers are arguments to evaluate, 0 is the top, negative means on demand."""
        strategy = symbol.strategy or (*range(1, symbol.nargs + 1), 0)
        rules = self.rules.get(symbol, [])
        demanded = [
            -i - 1
            for i in strategy
            if i < 0 and any(not r.lhs.args[-i - 1].op.variable for r in rules if -i <= symbol.nargs)
        ]

        def evaluate(term: Term) -> Term:
            args = list(term.args)
            for step in strategy:
                if step > 0:
                    if step <= len(args):
                        args[step - 1] = self.argument(symbol, args[step - 1])
                elif step == 0:
                    for position in demanded:
                        args[position] = self.argument(symbol, args[position])
                    result = self._try_rules(symbol, rules, symbol.make(tuple(args)))
                    if result is not None:
                        return result
            native = self._after_strategy(symbol, args)
            if native is not None:
                return native
            result = symbol.make(tuple(args))
            result.epoch = self.namespace["E"]
            return result

        return evaluate

    def _after_strategy(self, symbol: Symbol, args: list[Term]) -> Term | None:
        """A built-in operator that equations may decide, as `=*=`: none applied, so its own meaning remains."""
        if symbol.native is None:
            return None
        if symbol.native is Builtin.IF:
            return self._evaluate_if(symbol.make(tuple(args)))
        values = [self.argument(symbol, arg) for arg in args]
        if symbol.native is Builtin.IS and isinstance(values[1], LiteralTerm) and isinstance(values[1].value, Sort):
            return self.true if self.signature.order.leq(values[0].sort, values[1].value) else self.false
        if symbol.native in SYNTACTIC_TESTS:
            return self.compared(symbol, *values)
        result = self._try_rules(symbol, self.rules.get(symbol, []), symbol.make(tuple(values)))
        if result is not None:
            return result
        function = self._native_function(symbol)
        if function is None:
            return None
        return function(tuple(values)) if symbol.assoc else function(*values)

    def _try_rules(self, symbol: Symbol, rules: list[Rule], term: Term) -> Term | None:
        if term.op is not symbol:
            return self.normalise(term)
        layer = self.layer.rules.get(symbol, []) if self.layer is not None else []
        for rule in [*layer, *rules]:
            for found in self.rule_matcher.match(rule.lhs, term, {}):
                result = self.instance(rule, found)
                if result is not None:
                    return result
        return None

    # --- interpreted rules

    def instance(self, rule: Rule, found: dict[Term, Term]) -> Term | None:
        """The normal form of the rule's right side under a match, if its condition holds."""
        if rule.axiom.behavioural and not self.namespace["G"]:
            return None
        if rule.condition is not None:
            extended = self.satisfies(rule.condition, found)
            if extended is None:
                return None
            found = extended
        self.count()
        if self.tracer is not None:
            self._trace(rule, found)
        return self.normalise(substitute(rule.rhs, found))

    def satisfies(self, condition: Term, found: dict[Term, Term]) -> dict[Term, Term] | None:
        """The match extended by `:=` conditions, if every part of the condition holds."""
        return self._satisfy(conjuncts(condition), found)

    def _satisfy(self, parts: list[Term], found: dict[Term, Term]) -> dict[Term, Term] | None:
        if not parts:
            return found
        first, rest = parts[0], parts[1:]
        if first.op.native is not Builtin.MATCH:
            holds = self._in_green(substitute(first, found)) is self.true
            return self._satisfy(rest, found) if holds else None
        subject = self._in_green(substitute(first.args[1], found))
        for extended in self.matcher.match(first.args[0], subject, found):
            result = self._satisfy(rest, extended)
            if result is not None:
                return result
        return None

    def _in_green(self, term: Term) -> Term:
        """The normal form of a condition, which is visible whatever the term it is about."""
        if self.colours is None:
            return self.normalise(term)
        self.colours.green()
        result = self.normalise(term)
        self.colours.back()
        return result

    def argument(self, op: Symbol, term: Term) -> Term:
        """The normal form of an argument of `op`."""
        colour = self.colours.change(op, term) if self.colours is not None else None
        if self.colours is None or colour is None:
            return self.normalise(term)
        self.namespace[colour]()
        result = self.normalise(term)
        self.colours.back()
        return result

    def all_rules(self) -> list[tuple[Symbol, list[Rule]]]:
        """The rules in force, those of the layer included."""
        layered = self.layer.rules if self.layer is not None else {}
        return [*layered.items(), *self.rules.items()]

    # --- counting, tracing, running

    def count(self, rewrites: int = 1) -> None:
        self.namespace["n"] += rewrites
        if self.namespace["n"] > self.namespace["L"]:
            self._tick()

    def _tick(self) -> None:
        spent = self.namespace["n"]
        self.namespace["L"] = spent + TICK
        self.budget.check_rewrites(spent - self._spent)
        self.budget.check_time()
        self._ticks += 1
        if self._ticks % SWEEP_EVERY == 0:
            self.sweeper.sweep_if_large(self.signature)

    def _trace(self, rule: Rule, bindings: dict[Term, Term]) -> None:
        if self.tracer is not None:
            self.tracer(rule, bindings, tuple(self.place))

    @property
    def rewrites(self) -> int:
        count: int = self.namespace["n"]
        return count

    def new_epoch(self) -> None:
        self.namespace["E"] = self.colours.new_epoch() if self.colours is not None else object()
        self.namespace["B"] = object()

    def install(self, layer: Layer | None) -> None:
        """Make `layer` (or none) the equations that are tried first."""
        if self.layer is layer:
            return
        if self.layer is not None:
            self.namespace.update(self.layer.saved)
            self.namespace["EV"].update(self.layer.saved_evaluators)
            self.layer.saved.clear()
            self.layer.saved_evaluators.clear()
        self.layer = layer
        self.namespace["RC"] = layer is not None and layer.rewrites_what_is_in_line
        self.new_epoch()
        if layer is not None:
            layer.install()

    def run(self, term: Term, budget: Budget) -> Term:
        """The normal form of a term, within a budget."""
        self.budget = budget
        if self.booleans is not None and self.booleans.start_afresh():
            self.new_epoch()
        self._spent = self.rewrites
        self.namespace["L"] = self.rewrites + min(TICK, budget.max_rewrites)
        self.matcher.begin(budget)
        self.rule_matcher.begin(budget)
        self.place.clear()
        if self.colours is not None:
            self.colours.begin(term)
        return self.normalise(term)


def _loops(term: Term) -> None:
    """The normal form of a term was asked for while it was being computed."""
    shown = show_briefly(term)
    raise BudgetExceeded(
        "E404",
        f"this does not terminate: the normal form of {shown} depends on itself",
        hint="look at the equations of the operator shown, or use --trace",
    )


def ensure_depth(limit: int) -> None:
    """Generated functions call each other deeply; CPython 3.11 and later keep such frames on the heap.

    Large numbers are results like any other, so the limit on printing them goes, too.
    """
    if sys.getrecursionlimit() < limit:
        sys.setrecursionlimit(limit)
    sys.set_int_max_str_digits(0)

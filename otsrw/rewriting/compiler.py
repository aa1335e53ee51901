"""Equations to Python functions.

For each symbol one function is generated: it takes the arguments (in normal form, except where the strategy delays
them), tries the symbol's rules in order and returns the normal form. Left sides become chains of identity tests on
interned symbols (rewriting/rulewriter.py), right sides nested calls (rewriting/expressions.py). All functions of a
theory live in one namespace and find each other there by name, so that a proof passage can put its own function in
front of one of them without recompiling anything.

No text of the user reaches the generated source: every name in it is a letter and a number made here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from otsrw.records import NamedTuple
from otsrw.rewriting.expressions import Expressions
from otsrw.rewriting.generated import FunctionText
from otsrw.rewriting.literals import computation, folding
from otsrw.rewriting.rules import Rule, fits_lower_rank
from otsrw.rewriting.rulewriter import RuleWriter, calls_itself_last
from otsrw.theory.builtins import COMPUTE, Builtin
from otsrw.theory.terms import LiteralTerm, Symbol, Term

if TYPE_CHECKING:
    from otsrw.rewriting.functions import Functions

INDEX_FROM = 5
"""Number of rules from which a function dispatches on the head symbol of one argument."""


class FunctionCompiler:
    """Generates the function of one symbol."""

    def __init__(self, functions: Functions, symbol: Symbol) -> None:
        self.functions = functions
        self.rulebase = functions.rulebase
        self.runtime = functions.runtime
        self.symbol = symbol
        self.rules = self.rulebase.rules_of(symbol)
        self.lazy = self.rulebase.lazy_positions(symbol)
        self.text = FunctionText(symbol, self.runtime.names)
        self.constant = self.text.constant
        self.emit = self.text.emit
        self.expressions = Expressions(functions, self.text)
        self.writer = RuleWriter(functions, self.text, self.expressions)
        self.tables: dict[str, dict[Symbol, str]] = {}
        """Dispatch tables by name: they are filled with the functions named once those are defined."""
        self.irregular = (
            bool(self.rules) and symbol.has_no_least_rank() and not any(rule.lhs.sort.is_error for rule in self.rules)
        )
        conditional = any(rule.condition is not None for rule in self.rules)
        self.text.memoised = symbol.memo or symbol.comm or conditional or self.irregular

    def source(self) -> str:
        if self.symbol.assoc:
            self._associative()
        elif self.symbol.identity is not None or self.symbol.idem:
            self._collapsing()
        else:
            self._free()
        return str(self.text)

    # --- free operators

    def _free(self) -> None:
        index = _Index.of(self.symbol, self.rules, self.lazy)
        name = self.functions.name(self.symbol)
        if index is None:
            self._function(name, self.rules, may_loop=True)
            return
        helpers: dict[Symbol, str] = {}
        other = f"{name}_x"
        self._function(other, index.others, may_loop=False)
        for number, (head, rules) in enumerate(index.by_head.items()):
            helpers[head] = f"{name}_{number}"
            self._function(helpers[head], rules, may_loop=False)
        holder = self.constant({})
        self.tables[holder] = helpers
        params = ", ".join(self.text.params)
        self.emit(0, f"def {name}({params}):")
        self.emit(1, f"return {holder}.get(a{index.position}.op, {other})({params})")

    def _function(self, name: str, rules: list[Rule], may_loop: bool) -> None:
        text, symbol = self.text, self.symbol
        self.emit(0, f"def {name}({', '.join(text.params)}):")
        self.emit(1, "global n")
        self._other_symbol()
        alone = not symbol.comm and symbol.lower is None and symbol.upper is None
        text.looping = may_loop and not text.memoised and alone and any(map(calls_itself_last, rules))
        depth = 1
        if text.keeps_results:
            self._builtin(1)
            self._memo_head()
        if text.looping:
            self.emit(1, "while True:")
            depth = 2
        self._delayed(depth)
        if not text.keeps_results:
            self._builtin(depth)
        rules = self._ground_table(rules, depth)
        if symbol.comm and rules:
            self.emit(depth, "both = (a0, a1), (a1, a0)")
        for rule in rules:
            if symbol.comm:
                self.emit(depth, "for a0, a1 in both:")
            self.writer.rule(rule, depth + symbol.comm)
        self._stuck(depth)

    def _other_symbol(self) -> None:
        """Arguments that have come to fit other ranks, whose theory is another one."""
        symbol, params = self.symbol, self.text.params
        if symbol.lower is not None:
            takes = self.constant(symbol.lower.takes)
            args = [self.expressions.awaited(i) if i in self.lazy else p for i, p in enumerate(params)]
            call = f"(({', '.join(args)}))" if symbol.lower.assoc else f"({', '.join(args)})"
            name = self.functions.name(symbol.lower)
            self.emit(1, f"if {takes}({self.text.call_args}): return {name}{call}")
        elif symbol.upper is not None:
            takes = self.constant(symbol.takes)
            call = f"{self.functions.name(symbol.upper)}({', '.join(params)})"
            self.emit(1, f"if not {takes}({self.text.call_args}): return {call}")

    def _memo_head(self) -> None:
        self._node(1)
        self.text.known_result()
        if self.irregular and self.symbol.kind is not None:
            self.emit(1, f"if t.sort is {self.constant(self.symbol.kind.error)}:")
            self.text.normal_form(2)

    def _node(self, depth: int) -> None:
        """Bind `t` to the interned term of this call."""
        if self.symbol.comm:
            self.emit(depth, "if a0.serial > a1.serial: a0, a1 = a1, a0")
        table = self.constant(self.symbol.table.get)
        new = self.constant(_creator(self.symbol))
        self.emit(depth, f"t = {table}({self.text.call_args})")
        self.emit(depth, f"if t is None: t = {new}({self.text.call_args})")

    def _delayed(self, depth: int) -> None:
        """Remember delayed arguments as they came; those that fit a lower rank are evaluated at once."""
        for position in sorted(self.lazy):
            self.emit(depth, f"o{position} = a{position}")
        lower = fits_lower_rank(self.symbol) if self.lazy else None
        if lower is not None:
            self.emit(depth, f"if {self.constant(lower)}({self.text.call_args}):")
            for position in sorted(self.lazy):
                self.emit(depth + 1, f"a{position} = {self.expressions.awaited(position)}")

    def _builtin(self, depth: int) -> None:
        """The native meaning of a built-in operator on these arguments."""
        native = self.symbol.native
        if native is Builtin.EQUALS:
            self.emit(depth, "if a0 is a1: return TRUE")
            self.emit(depth, "if (a0 is TRUE and a1 is FALSE) or (a0 is FALSE and a1 is TRUE): return FALSE")
        elif native in COMPUTE:
            self._computed(depth, ", ".join(self.text.params))

    def _computed(self, depth: int, args: str) -> None:
        """Return what a built-in operator gives on literals."""
        self.emit(depth, f"r = {self.constant(computation(self.symbol, self.rulebase))}({args})")
        self.emit(depth, "if r is not None:")
        self.text.count(depth + 1)
        self.emit(depth + 1, "return r")

    def _ground_table(self, rules: list[Rule], depth: int) -> list[Rule]:
        """Ground rules that no earlier general rule can pre-empt become one dictionary look-up; gives the others."""
        if not self.symbol.nargs or self.runtime.tracer is not None:
            return rules
        table: dict[tuple[Term, ...], Term] = {}
        others: list[Rule] = []
        for rule in rules:
            if rule.is_ground and not any(self._may_match(other, rule.lhs) for other in others):
                table.setdefault(rule.lhs.args, rule.rhs)
            else:
                others.append(rule)
        if table:
            sorted_pair = "(a0, a1) if a0.serial < a1.serial else (a1, a0)"
            key = sorted_pair if self.symbol.comm else self.text.call_args
            for position in self.lazy:
                self.emit(depth, f"a{position} = {self.expressions.awaited(position)}")
            self.emit(depth, f"r = {self.constant(table)}.get({key})")
            self.emit(depth, "if r is not None:")
            self.text.count(depth + 1)
            self.text.give(depth + 1, "norm(r)")
        return others

    def _may_match(self, rule: Rule, subject: Term) -> bool:
        return rule.lhs is subject or next(self.runtime.rule_matcher.match(rule.lhs, subject, {}), None) is not None

    def _stuck(self, depth: int) -> None:
        """No rule applies: evaluate what was delayed and try again, or the term is in normal form."""
        if self.lazy:
            changed = " or ".join(f"a{i}.epoch is not E or a{i} is not o{i}" for i in sorted(self.lazy))
            self.emit(depth, f"if {changed}:")
            args = [self.expressions.awaited(i) if i in self.lazy else p for i, p in enumerate(self.text.params)]
            fresh = [f"b{i}" for i in range(len(args))]
            self.emit(depth + 1, f"{', '.join(fresh)}, = {', '.join(args)},")
            same = " and ".join(f"b{i} is o{i}" for i in sorted(self.lazy))
            again = f"{self.functions.name(self.symbol)}({', '.join(fresh)})"
            self.emit(depth + 1, f"if not ({same}): return {again}")
        values = self.rulebase.values
        if self.symbol.native is Builtin.EQUALS and values is not None:
            assert self.rulebase.true is not None
            truth_values = self.constant(self.rulebase.signature.order.below[self.rulebase.true.sort])
            has_value = self.constant(values.has)
            self.emit(depth, f"if a0.ground and a1.ground and a0.sort not in {truth_values}:")
            self.emit(depth + 1, f"if {has_value}(a0) and {has_value}(a1): return FALSE")
        if not self.text.keeps_results:
            self._node(depth)
        self.text.normal_form(depth)

    # --- operators with a theory

    def _collapsed(self) -> None:
        """The term of these arguments may be an argument, which is evaluated, or a term of another symbol."""
        value = "t" if self.symbol.upper is None and self.symbol.lower is None else "norm(t)"
        self.emit(1, f"if t.op is not {self.constant(self.symbol)}: return {value}")
        self.text.memoised = True
        self.text.known_result()

    def _collapsing(self) -> None:
        """A binary operator with identity or idempotence: the term may collapse to an argument."""
        self.emit(0, f"def {self.functions.name(self.symbol)}(a0, a1):")
        self.emit(1, "global n")
        self.emit(1, f"t = {self.constant(self.symbol.make)}((a0, a1))")
        self._collapsed()
        self.emit(1, "a0, a1 = t.args")
        self._builtin(1)
        for rule in self.rules:
            match = self.constant(self.runtime.rule_matcher.match)
            self.writer.matched(rule, 1, f"{match}({self.constant(rule.lhs)}, t, {{}})")
        self.text.normal_form(1)

    def _associative(self) -> None:
        name = self.functions.name(self.symbol)
        computes = self.symbol.native in COMPUTE
        self.emit(0, f"def {name}(args):")
        self.emit(1, "global n")
        if computes and not self.rules:
            self._computed(1, "*args")
        self.emit(1, f"t = {self.constant(self.symbol.make)}(args)")
        self._collapsed()
        self.emit(1, "args = t.args")
        if computes:
            self.emit(1, f"r = {self.constant(folding(self.symbol))}(args)")
            self.emit(1, "if r is not None:")
            self.text.count(2)
            self.text.give(2, f"{name}(r)")
        for rule in self.rules:
            self._collection_rule(rule, name)
        self.text.normal_form(1)

    def _collection_rule(self, rule: Rule, name: str) -> None:
        """A rule on a collection applies to a part of it; what is left over stays around the result."""
        matcher = self.runtime.rule_matcher
        patterns = self.constant(rule.lhs.args if rule.lhs.op is self.symbol else (rule.lhs,))
        subject = f"({self.constant(self.symbol)}, {patterns}, args, {{}}, True)"
        if self.symbol.comm:
            call = f"{self.constant(matcher.match_multiset)}{subject}"
            self.writer.matched(rule, 1, call, "s, rest", f"{name}((r, *rest)) if rest else r")
        else:
            call = f"{self.constant(matcher.match_list)}{subject}"
            result = f"{name}((*before, r, *after)) if before or after else r"
            self.writer.matched(rule, 1, call, "s, before, after", result)


class _Index(NamedTuple):
    """Many rules split by the head symbol of one argument, in their order; `others` apply whatever the head is."""

    position: int
    by_head: dict[Symbol, list[Rule]]
    others: list[Rule]

    @classmethod
    def of(cls, symbol: Symbol, rules: list[Rule], lazy: frozenset[int]) -> _Index | None:
        """None if there are too few rules for that, or too few that look at the same argument."""
        if len(rules) < INDEX_FROM or symbol.comm:
            return None
        best, most = None, 0
        for position in range(symbol.nargs):
            heads = [rule for rule in rules if _head(rule, position) is not None]
            if position not in lazy and len(heads) > most:
                best, most = position, len(heads)
        if best is None or most < INDEX_FROM:
            return None
        by_head = {
            head: [rule for rule in rules if _head(rule, best) in (None, head)]
            for head in dict.fromkeys(_head(rule, best) for rule in rules)
            if head is not None
        }
        return cls(best, by_head, [rule for rule in rules if _head(rule, best) is None])


def _head(rule: Rule, position: int) -> Symbol | None:
    """The symbol that an argument must have for a rule to apply; None if that does not tell."""
    arg = rule.lhs.args[position]
    if arg.op.variable or arg.op.has_theory or arg.op.native is not None or isinstance(arg, LiteralTerm):
        return None
    return arg.op


def _creator(symbol: Symbol) -> Callable[[tuple[Term, ...]], Term]:
    """Makes a term that is not in the table of its symbol yet."""
    new, table = symbol.new, symbol.table

    def create(args: tuple[Term, ...]) -> Term:
        term = table[args] = new(args)
        return term

    return create

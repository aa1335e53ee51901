"""One rule as Python text: tests on the arguments, the condition, the right side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otsrw.rewriting.expressions import Environment, Expressions
from otsrw.rewriting.generated import FunctionText
from otsrw.rewriting.rules import Rule, conjuncts, is_free_pattern
from otsrw.theory.builtins import Builtin
from otsrw.theory.terms import Term, variables_of

if TYPE_CHECKING:
    from otsrw.rewriting.functions import Functions


class RuleWriter:
    """Writes rules into the text of the function of their symbol."""

    def __init__(self, functions: Functions, text: FunctionText, expressions: Expressions) -> None:
        self.functions = functions
        self.rulebase = functions.rulebase
        self.runtime = functions.runtime
        self.text = text
        self.constant = text.constant
        self.expressions = expressions
        self.lazy = self.rulebase.lazy_positions(text.symbol)

    def rule(self, rule: Rule, depth: int) -> None:
        """A rule whose left side is matched symbol by symbol, or by the matcher if that is not possible."""
        text = self.text
        if not rule.is_free or _matches_theory(rule):
            match_all = self.constant(self.runtime.rule_matcher.match_all)
            self.matched(rule, depth, f"{match_all}({self.constant(rule.lhs.args)}, {text.call_args}, {{}})")
            return
        tests: list[str] = []
        environment: Environment = {}
        for index, arg in enumerate(rule.lhs.args):
            evaluated = index not in self.lazy
            self._pattern(arg, text.params[index], evaluated, environment, tests, text.symbol.polymorphic)
        if rule.condition is not None:
            for part in conjuncts(rule.condition):
                self._condition(part, environment, tests)
        if rule.axiom.behavioural:
            tests.insert(0, "G")
        if rule.axiom.otherwise and self.rulebase.values is not None and text.params:
            tests.append(self._are_values(text.params))
        if tests:
            text.emit(depth, "if " + " and ".join(tests) + ":")
            depth += 1
        self._fire(rule, depth, environment, may_continue=True)

    def matched(self, rule: Rule, depth: int, call: str, targets: str = "s", result: str = "r") -> None:
        """A rule whose left side needs the general matcher: one try for each substitution."""
        text = self.text
        text.emit(depth, f"for {targets} in {call}{' if G else ()' if rule.axiom.behavioural else ''}:")
        environment: Environment = {}
        for variable in rule.variables:
            name = text.temporary()
            text.emit(depth + 1, f"{name} = s[{self.constant(variable)}]")
            environment[variable] = (name, False)
        inner = depth + 1
        if rule.axiom.otherwise and self.rulebase.values is not None:
            text.emit(inner, f"if {self._are_values([environment[v][0] for v in rule.variables])}:")
            inner += 1
        for part in () if rule.condition is None else conjuncts(rule.condition):
            if part.op.native is Builtin.MATCH and not is_free_pattern(part.args[0]):
                inner = self._matched_condition(part, environment, inner)
                continue
            tests: list[str] = []
            self._condition(part, environment, tests)
            text.emit(inner, "if " + " and ".join(tests) + ":")
            inner += 1
        self._fire(rule, inner, environment, result)

    # --- left sides and conditions

    def _are_values(self, names: list[str]) -> str:
        """That an `owise` equation may apply: it takes what the others do not, not what has no value."""
        assert self.rulebase.values is not None
        has_value = self.constant(self.rulebase.values.has)
        return " and ".join(f"(not {name}.ground or {has_value}({name}))" for name in names) or "True"

    def _pattern(
        self,
        pattern: Term,
        name: str,
        evaluated: bool,
        environment: Environment,
        tests: list[str],
        of_any_kind: bool = False,
    ) -> None:
        """Tests that a value matches a pattern; an argument of `=` may be of any kind, whatever the pattern's is."""
        op = pattern.op
        if op.variable:
            known = environment.get(pattern)
            if known is not None:
                tests.append(f"{known[0]} is {name}")
                return
            below = self.rulebase.sort_test(pattern.sort, of_any_kind)
            if below is not None:
                tests.append(f"{name}.sort in {self.constant(below)}")
            environment[pattern] = (name, evaluated and not self._may_change_colour(pattern))
        elif pattern.ground:
            tests.append(f"{name} is {self.constant(pattern)}")
        else:
            self._inside(pattern, name, evaluated, environment, tests)

    def _inside(self, pattern: Term, name: str, evaluated: bool, environment: Environment, tests: list[str]) -> None:
        """Tests on the operator of a value and on its arguments."""
        op = pattern.op
        tests.append(f"{name}.op is {self.constant(op)}")
        inside = self.text.temporary()
        tests.append(f"({inside} := {name}.args)")
        kept = self.rulebase.evaluated_positions(op)
        for index, arg in enumerate(pattern.args):
            if arg.op.variable and arg in environment:
                tests.append(f"{environment[arg][0]} is {inside}[{index}]")
                continue
            part = self.text.temporary()
            tests.append(f"({part} := {inside}[{index}])")
            self._pattern(arg, part, evaluated and index in kept, environment, tests, op.polymorphic)

    def _may_change_colour(self, variable: Term) -> bool:
        """A state that was evaluated in one context may be used in another by the right side."""
        colours = self.runtime.colours
        return colours is not None and colours.order.is_hidden(variable.sort)

    def _condition(self, part: Term, environment: Environment, tests: list[str]) -> None:
        if part.op.native is Builtin.MATCH:
            name = self.text.temporary()
            tests.append(f"({name} := {self.expressions.condition_value(part.args[1], environment)})")
            self._pattern(part.args[0], name, True, environment, tests)
        else:
            tests.append(self.expressions.holds(part, environment))

    def _matched_condition(self, part: Term, environment: Environment, depth: int) -> int:
        """`pattern := term` modulo a theory: loop over the matches."""
        bound = [v for v in variables_of(part.args[0]) if v in environment]
        given = ", ".join(f"{self.constant(v)}: {environment[v][0]}" for v in bound)
        subject = self.expressions.condition_value(part.args[1], environment)
        matcher = self.constant(self.runtime.matcher.match)
        self.text.emit(depth, f"for s in {matcher}({self.constant(part.args[0])}, {subject}, {{{given}}}):")
        for variable in variables_of(part.args[0]):
            if variable not in environment:
                name = self.text.temporary()
                self.text.emit(depth + 1, f"{name} = s[{self.constant(variable)}]")
                environment[variable] = (name, True)
        return depth + 1

    # --- right sides

    def _fire(
        self, rule: Rule, depth: int, environment: Environment, result: str = "r", may_continue: bool = False
    ) -> None:
        """Count the step and return the right side; a self-call in tail position goes round the loop."""
        text = self.text
        text.count(depth)
        if self.runtime.tracer is not None:
            bindings = ", ".join(f"{self.constant(v)}: {name}" for v, (name, _) in environment.items())
            text.emit(depth, f"trace({self.constant(rule)}, {{{bindings}}})")
        if may_continue and text.looping and calls_itself_last(rule):
            self._go_round(rule, depth, environment)
            return
        value = self.expressions.evaluation(rule.rhs, environment)
        if result != "r":
            text.emit(depth, f"r = {value}")
            value = result
        text.give(depth, value)

    def _go_round(self, rule: Rule, depth: int, environment: Environment) -> None:
        """Continue with the arguments of the tail call, unless a passage has put another function in front."""
        text, symbol = self.text, self.text.symbol
        args = self.expressions.arguments(symbol, rule.rhs.args, environment)
        fresh = [f"b{i}" for i in range(len(args))]
        text.emit(depth, f"{', '.join(fresh)}, = {', '.join(args)},")
        unchanged = " and ".join(f"b{i} is a{i}" for i in range(len(args)))
        redex = f"{self.constant(symbol.make)}({text.call_args})"
        text.emit(depth, f"if {unchanged}: loop({redex})")
        name = self.functions.name(symbol)
        text.emit(depth, f"if {name} is not {name}_self: return {name}({', '.join(fresh)})")
        text.emit(depth, f"{', '.join(text.params)}, = {', '.join(fresh)},")
        text.emit(depth, "continue")


def calls_itself_last(rule: Rule) -> bool:
    """Is the right side a call of the symbol that the rule rewrites?"""
    return rule.rhs.op is rule.symbol and bool(rule.rhs.args)


def _matches_theory(rule: Rule) -> bool:
    """Does a condition match against a pattern with an equational theory?"""
    if rule.condition is None:
        return False
    return any(p.op.native is Builtin.MATCH and not is_free_pattern(p.args[0]) for p in conjuncts(rule.condition))

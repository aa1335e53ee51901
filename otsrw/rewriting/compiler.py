"""Equations to Python functions.

For each symbol one function is generated: it takes the arguments (in normal form, except where the strategy delays
them), tries the symbol's rules in order and returns the normal form. Left sides become chains of identity tests on
interned symbols, right sides nested calls. All functions of a theory live in one namespace and find each other there
by name, so that a proof passage can put its own function in front of one of them without recompiling anything.

No text of the user reaches the generated source: every name in it is a letter and a number made here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from otsrw.rewriting.rules import Rule, conjuncts, fits_lower_rank, is_free_pattern
from otsrw.theory.builtins import SYNTACTIC_TESTS, Builtin
from otsrw.theory.terms import LiteralTerm, Symbol, Term, variables_of

if TYPE_CHECKING:
    from otsrw.rewriting.machine import Machine

Environment = dict[Term, tuple[str, bool]]
"""The Python name of each bound variable, and whether its value is known to be in normal form."""

INDEX_FROM = 5
"""Number of rules from which a function dispatches on the head symbol of one argument."""


class FunctionCompiler:
    """Generates the function of one symbol."""

    def __init__(self, machine: Machine, symbol: Symbol) -> None:
        self.machine = machine
        self.symbol = symbol
        self.names = machine.names
        self.lines: list[str] = []
        self.temporaries = 0
        self.params = [f"a{i}" for i in range(symbol.nargs)]
        self.lazy = machine.lazy_positions(symbol)
        self.rules = machine.rules.get(symbol, [])
        self.memoised = symbol.memo or symbol.comm or any(rule.condition is not None for rule in self.rules)
        self.irregular = bool(self.rules) and symbol.has_no_least_rank()
        if self.irregular and not any(rule.lhs.sort.is_error for rule in self.rules):
            self.memoised = True
        else:
            self.irregular = False

    # --- small helpers

    def emit(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def temporary(self) -> str:
        self.temporaries += 1
        return f"t{self.temporaries}"

    def constant(self, value: object) -> str:
        return self.names.constant(value)

    def function(self, symbol: Symbol) -> str:
        return self.machine.function_name(symbol)

    @property
    def call_args(self) -> str:
        return "(" + "".join(p + "," for p in self.params) + ")"

    # --- whole functions

    def source(self) -> str:
        if self.symbol.assoc:
            self._associative()
        elif self.symbol.identity is not None or self.symbol.idem:
            self._collapsing()
        else:
            self._free()
        return "\n".join(self.lines) + "\n"

    def _free(self) -> None:
        groups = self._index()
        name = self.function(self.symbol)
        if groups is None:
            self._function(name, self.rules, loop=True)
            return
        position, by_head, default = groups
        table: dict[Symbol, str] = {}
        other = f"{name}_x"
        self._function(other, default, loop=False)
        for number, (head, rules) in enumerate(by_head.items()):
            table[head] = f"{name}_{number}"
            self._function(table[head], rules, loop=False)
        holder = self.names.constant({})
        self.machine.late_tables.append((holder, table))
        self.emit(0, f"def {name}({', '.join(self.params)}):")
        self.emit(1, f"return {holder}.get(a{position}.op, {other})({', '.join(self.params)})")

    def _index(self) -> tuple[int, dict[Symbol, list[Rule]], list[Rule]] | None:
        """Split many rules by the head symbol of one argument, keeping their order."""
        if len(self.rules) < INDEX_FROM or self.symbol.comm:
            return None
        best, most = None, 0
        for position in range(self.symbol.nargs):
            heads = [r for r in self.rules if self._head(r, position) is not None]
            if position not in self.lazy and len(heads) > most:
                best, most = position, len(heads)
        if best is None or most < INDEX_FROM:
            return None
        head_symbols = dict.fromkeys(self._head(r, best) for r in self.rules)
        by_head = {
            head: [r for r in self.rules if self._head(r, best) in (None, head)]
            for head in head_symbols
            if head is not None
        }
        return best, by_head, [r for r in self.rules if self._head(r, best) is None]

    @staticmethod
    def _head(rule: Rule, position: int) -> Symbol | None:
        arg = rule.lhs.args[position]
        if arg.op.variable or arg.op.has_theory or arg.op.native is not None or isinstance(arg, LiteralTerm):
            return None
        return arg.op

    def _function(self, name: str, rules: list[Rule], loop: bool) -> None:
        self.emit(0, f"def {name}({', '.join(self.params)}):")
        self.emit(1, "global n")
        self._other_symbol()
        alone = not self.symbol.comm and self.symbol.lower is None and self.symbol.upper is None
        loop = loop and not self.memoised and alone and bool(rules) and self._has_tail_call(rules)
        self.looping = loop
        depth = 1
        if self.memoised and self.symbol.nargs:
            self._builtin(1)
            self._memo_head()
        if loop:
            self.emit(1, "while True:")
            depth = 2
        for position in sorted(self.lazy):
            self.emit(depth, f"o{position} = a{position}")
        lower = fits_lower_rank(self.symbol) if self.lazy else None
        if lower is not None:
            self.emit(depth, f"if {self.constant(lower)}({self.call_args}):")
            for position in sorted(self.lazy):
                self.emit(depth + 1, f"a{position} = {self._awaited(position)}")
        if not (self.memoised and self.symbol.nargs):
            self._builtin(depth)
        rules = self._ground_table(rules, depth)
        if self.symbol.comm and rules:
            self.emit(depth, "both = (a0, a1), (a1, a0)")
        for rule in rules:
            if self.symbol.comm:
                self.emit(depth, "for a0, a1 in both:")
            self._rule(rule, depth + self.symbol.comm)
        self._stuck(depth)

    def _other_symbol(self) -> None:
        """Arguments that have come to fit other ranks, whose theory is another one."""
        if self.symbol.lower is not None:
            takes = self.constant(self.symbol.lower.takes)
            args = [self._awaited(i) if i in self.lazy else p for i, p in enumerate(self.params)]
            call = f"(({', '.join(args)}))" if self.symbol.lower.assoc else f"({', '.join(args)})"
            self.emit(1, f"if {takes}({self.call_args}): return {self.function(self.symbol.lower)}{call}")
        elif self.symbol.upper is not None:
            takes = self.constant(self.symbol.takes)
            call = f"{self.function(self.symbol.upper)}({', '.join(self.params)})"
            self.emit(1, f"if not {takes}({self.call_args}): return {call}")

    def _collapsed(self) -> None:
        """The term of these arguments may be an argument, which is evaluated, or a term of another symbol."""
        value = "t" if self.symbol.upper is None and self.symbol.lower is None else "norm(t)"
        self.emit(1, f"if t.op is not {self.constant(self.symbol)}: return {value}")

    def _has_tail_call(self, rules: list[Rule]) -> bool:
        return any(_tail(rule.rhs, self.symbol) for rule in rules)

    def _memo_head(self) -> None:
        self._node(1)
        self.emit(1, "if t.epoch is E: return t")
        self.emit(1, "if t.memo_epoch is E: return t.memo")
        if self.irregular and self.symbol.kind is not None:
            self.emit(1, f"if t.sort is {self.constant(self.symbol.kind.error)}:")
            self.emit(2, "t.epoch = E")
            self.emit(2, "return t")

    def _node(self, depth: int) -> None:
        """Bind `t` to the interned term of this call."""
        if self.symbol.comm:
            self.emit(depth, "if a0.serial > a1.serial: a0, a1 = a1, a0")
        table = self.constant(self.symbol.table.get)
        new = self.constant(self.machine.creator(self.symbol))
        self.emit(depth, f"t = {table}({self.call_args})")
        self.emit(depth, f"if t is None: t = {new}({self.call_args})")

    def _builtin(self, depth: int) -> None:
        """The native meaning of a built-in operator on these arguments."""
        native = self.symbol.native
        if native is None:
            return
        if native is Builtin.EQUALS:
            self.emit(depth, "if a0 is a1: return TRUE")
            self.emit(depth, "if (a0 is TRUE and a1 is FALSE) or (a0 is FALSE and a1 is TRUE): return FALSE")
        elif native in self.machine.computations:
            compute = self.constant(self.machine.computation(self.symbol))
            self.emit(depth, f"r = {compute}({', '.join(self.params)})")
            self.emit(depth, "if r is not None:")
            self._count(depth + 1)
            self.emit(depth + 1, "return r")

    def _ground_table(self, rules: list[Rule], depth: int) -> list[Rule]:
        """Ground rules that no earlier general rule can pre-empt become one dictionary look-up."""
        if not self.symbol.nargs or self.machine.tracer is not None:
            return rules
        table: dict[tuple[Term, ...], Term] = {}
        others: list[Rule] = []
        for rule in rules:
            if rule.is_ground and not any(self.machine.may_match(o, rule.lhs) for o in others):
                table.setdefault(rule.lhs.args, rule.rhs)
            else:
                others.append(rule)
        if table:
            key = "(a0, a1) if a0.serial < a1.serial else (a1, a0)" if self.symbol.comm else self.call_args
            for position in self.lazy:
                self.emit(depth, f"a{position} = {self._awaited(position)}")
            self.emit(depth, f"r = {self.constant(table)}.get({key})")
            self.emit(depth, "if r is not None:")
            self._count(depth + 1)
            self._return(depth + 1, "norm(r)")
        return others

    def _stuck(self, depth: int) -> None:
        """No rule applies: evaluate what was delayed and try again, or the term is in normal form."""
        if self.lazy:
            changed = " or ".join(f"a{i}.epoch is not E or a{i} is not o{i}" for i in sorted(self.lazy))
            self.emit(depth, f"if {changed}:")
            args = [self._awaited(i) if i in self.lazy else p for i, p in enumerate(self.params)]
            temporaries = [f"b{i}" for i in range(len(args))]
            self.emit(depth + 1, f"{', '.join(temporaries)}, = {', '.join(args)},")
            same = " and ".join(f"b{i} is o{i}" for i in sorted(self.lazy))
            self.emit(depth + 1, f"if not ({same}): return {self.function(self.symbol)}({', '.join(temporaries)})")
        if self.symbol.native is Builtin.EQUALS and self.machine.module.decided_equality:
            assert self.machine.true is not None
            truth_values = self.constant(self.machine.signature.order.below[self.machine.true.sort])
            self.emit(depth, f"if a0.ground and a1.ground and a0.sort not in {truth_values}: return FALSE")
        if not (self.memoised and self.symbol.nargs):
            self._node(depth)
        self.emit(depth, "t.epoch = E")
        self.emit(depth, "return t")

    def _awaited(self, position: int) -> str:
        """The value of an argument that was delayed."""
        if self.machine.colours is None:
            return f"norm(a{position})"
        return f"{self.constant(self.machine.argument)}({self.constant(self.symbol)}, a{position})"

    # --- operators with a theory

    def _collapsing(self) -> None:
        """A binary operator with identity or idempotence: the term may collapse to an argument."""
        name = self.function(self.symbol)
        make = self.constant(self.symbol.make)
        self.emit(0, f"def {name}(a0, a1):")
        self.emit(1, "global n")
        self.emit(1, f"t = {make}((a0, a1))")
        self._collapsed()
        self.emit(1, "if t.epoch is E: return t")
        self.emit(1, "if t.memo_epoch is E: return t.memo")
        self.memoised = True
        self.looping = False
        self.emit(1, "a0, a1 = t.args")
        self._builtin(1)
        for rule in self.rules:
            match = self.constant(self.machine.rule_matcher.match)
            self._generic_rule(rule, 1, f"{match}({self.constant(rule.lhs)}, t, {{}})")
        self.emit(1, "t.epoch = E")
        self.emit(1, "return t")

    def _associative(self) -> None:
        name = self.function(self.symbol)
        symbol = self.constant(self.symbol)
        self.memoised = True
        self.looping = False
        self.emit(0, f"def {name}(args):")
        self.emit(1, "global n")
        if self.symbol.native in self.machine.computations and not self.rules:
            self.emit(1, f"r = {self.constant(self.machine.computation(self.symbol))}(*args)")
            self.emit(1, "if r is not None:")
            self._count(2)
            self.emit(2, "return r")
        self.emit(1, f"t = {self.constant(self.symbol.make)}(args)")
        self._collapsed()
        self.emit(1, "if t.epoch is E: return t")
        self.emit(1, "if t.memo_epoch is E: return t.memo")
        self.emit(1, "args = t.args")
        if self.symbol.native in self.machine.computations:
            self.emit(1, f"r = {self.constant(self.machine.folding(self.symbol))}(args)")
            self.emit(1, "if r is not None:")
            self._count(2)
            self._return(2, f"{name}(r)")
        matcher = self.machine.rule_matcher
        for rule in self.rules:
            patterns = rule.lhs.args if rule.lhs.op is self.symbol else (rule.lhs,)
            if self.symbol.comm:
                call = f"{self.constant(matcher.match_multiset)}({symbol}, {self.constant(patterns)}, args, {{}}, True)"
                self._generic_rule(rule, 1, call, "s, rest", f"{name}((r, *rest)) if rest else r")
            else:
                call = f"{self.constant(matcher.match_list)}({symbol}, {self.constant(patterns)}, args, {{}}, True)"
                result = f"{name}((*before, r, *after)) if before or after else r"
                self._generic_rule(rule, 1, call, "s, before, after", result)
        self.emit(1, "t.epoch = E")
        self.emit(1, "return t")

    # --- rules

    def _rule(self, rule: Rule, depth: int) -> None:
        if not rule.is_free or self._matches_theory(rule):
            match_all = self.constant(self.machine.rule_matcher.match_all)
            call = f"{match_all}({self.constant(rule.lhs.args)}, {self.call_args}, {{}})"
            self._generic_rule(rule, depth, call)
            return
        tests: list[str] = []
        environment: Environment = {}
        for index, arg in enumerate(rule.lhs.args):
            evaluated = index not in self.lazy
            self._pattern(arg, self.params[index], evaluated, environment, tests, self.symbol.polymorphic)
        if rule.condition is not None:
            for part in conjuncts(rule.condition):
                self._condition(part, environment, tests)
        if rule.axiom.behavioural:
            tests.insert(0, "G")
        if tests:
            self.emit(depth, "if " + " and ".join(tests) + ":")
            depth += 1
        self._fire(rule, depth, environment, may_continue=True)

    def _matches_theory(self, rule: Rule) -> bool:
        """Does a condition match against a pattern with an equational theory?"""
        if rule.condition is None:
            return False
        return any(p.op.native is Builtin.MATCH and not is_free_pattern(p.args[0]) for p in conjuncts(rule.condition))

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
            below = self.machine.sort_test(pattern.sort, of_any_kind)
            if below is not None:
                tests.append(f"{name}.sort in {self.constant(below)}")
            environment[pattern] = (name, evaluated and not self._may_change_colour(pattern))
        elif pattern.ground:
            tests.append(f"{name} is {self.constant(pattern)}")
        else:
            tests.append(f"{name}.op is {self.constant(op)}")
            inside = self.temporary()
            tests.append(f"({inside} := {name}.args)")
            kept = self.machine.evaluated_positions(op)
            for index, arg in enumerate(pattern.args):
                if arg.op.variable and arg in environment:
                    tests.append(f"{environment[arg][0]} is {inside}[{index}]")
                    continue
                part = self.temporary()
                tests.append(f"({part} := {inside}[{index}])")
                self._pattern(arg, part, evaluated and index in kept, environment, tests, op.polymorphic)

    def _may_change_colour(self, variable: Term) -> bool:
        """A state that was evaluated in one context may be used in another by the right side."""
        colours = self.machine.colours
        return colours is not None and colours.order.is_hidden(variable.sort)

    def _generic_rule(self, rule: Rule, depth: int, call: str, targets: str = "s", result: str = "r") -> None:
        """A rule whose left side needs the general matcher: one try for each substitution."""
        self.emit(depth, f"for {targets} in {call}{' if G else ()' if rule.axiom.behavioural else ''}:")
        environment: Environment = {}
        for variable in rule.variables:
            name = self.temporary()
            self.emit(depth + 1, f"{name} = s[{self.constant(variable)}]")
            environment[variable] = (name, False)
        if rule.condition is None:
            self._fire(rule, depth + 1, environment, result)
            return
        parts = conjuncts(rule.condition)
        inner = depth + 1
        for part in parts:
            if part.op.native is Builtin.MATCH and not is_free_pattern(part.args[0]):
                inner = self._generic_match(part, environment, inner)
                continue
            tests: list[str] = []
            self._condition(part, environment, tests)
            self.emit(inner, "if " + " and ".join(tests) + ":")
            inner += 1
        self._fire(rule, inner, environment, result)

    def _generic_match(self, part: Term, environment: Environment, depth: int) -> int:
        """`pattern := term` modulo a theory: loop over the matches."""
        bound = [v for v in variables_of(part.args[0]) if v in environment]
        given = ", ".join(f"{self.constant(v)}: {environment[v][0]}" for v in bound)
        subject = self._coloured("green", self.evaluation(part.args[1], environment))
        matcher = self.constant(self.machine.matcher.match)
        self.emit(depth, f"for s in {matcher}({self.constant(part.args[0])}, {subject}, {{{given}}}):")
        for variable in variables_of(part.args[0]):
            if variable not in environment:
                name = self.temporary()
                self.emit(depth + 1, f"{name} = s[{self.constant(variable)}]")
                environment[variable] = (name, True)
        return depth + 1

    def _condition(self, part: Term, environment: Environment, tests: list[str]) -> None:
        if part.op.native is Builtin.MATCH:
            name = self.temporary()
            tests.append(f"({name} := {self._coloured('green', self.evaluation(part.args[1], environment))})")
            self._pattern(part.args[0], name, True, environment, tests)
        else:
            tests.append(self._coloured("green", self._holds(part, environment)))

    def _holds(self, term: Term, environment: Environment) -> str:
        """Its truth in line, unless a passage has equations on what is in line."""
        truth, general = self.truth(term, environment), f"({self.evaluation(term, environment)} is TRUE)"
        return truth if truth == general else f"({general} if RC else {truth})"

    def truth(self, term: Term, environment: Environment) -> str:
        """A Python condition that holds iff the term's normal form is `true`."""
        native = term.op.native
        if native is Builtin.AND and not self.machine.has_rules(term.op):
            return "(" + " and ".join(self.truth(arg, environment) for arg in term.args) + ")"
        if native is Builtin.NOT and not self.machine.has_rules(term.op):
            return f"({self.evaluation(term.args[0], environment)} is FALSE)"
        return f"({self.evaluation(term, environment)} is TRUE)"

    def _count(self, depth: int) -> None:
        self.emit(depth, "n += 1")
        self.emit(depth, "if n > L: tick()")

    def _fire(
        self, rule: Rule, depth: int, environment: Environment, result: str = "r", may_continue: bool = False
    ) -> None:
        """Count the step and return the right side; a self-call in tail position goes round the loop."""
        self._count(depth)
        if self.machine.tracer is not None:
            bindings = ", ".join(f"{self.constant(v)}: {name}" for v, (name, _) in environment.items())
            self.emit(depth, f"trace({self.constant(rule)}, {{{bindings}}})")
        if may_continue and self.looping and _tail(rule.rhs, self.symbol):
            args = self._arguments(self.symbol, rule.rhs.args, environment)
            fresh = [f"b{i}" for i in range(len(args))]
            self.emit(depth, f"{', '.join(fresh)}, = {', '.join(args)},")
            unchanged = " and ".join(f"b{i} is a{i}" for i in range(len(args)))
            redex = f"{self.constant(self.symbol.make)}({self.call_args})"
            self.emit(depth, f"if {unchanged}: loop({redex})")
            name = self.function(self.symbol)
            self.emit(depth, f"if {name} is not {name}_self: return {name}({', '.join(fresh)})")
            self.emit(depth, f"{', '.join(self.params)}, = {', '.join(fresh)},")
            self.emit(depth, "continue")
            return
        value = self.evaluation(rule.rhs, environment)
        if result != "r":
            self.emit(depth, f"r = {value}")
            value = result
        self._return(depth, value)

    def _return(self, depth: int, value: str) -> None:
        if not (self.memoised and self.symbol.nargs):
            self.emit(depth, f"return {value}")
            return
        self.emit(depth, f"r = {value}")
        self.emit(depth, "t.memo_epoch = E")
        self.emit(depth, "t.memo = r")
        self.emit(depth, "return r")

    # --- right sides

    def evaluation(self, term: Term, environment: Environment) -> str:
        """An expression for the normal form of an instance of `term`."""
        op = term.op
        if op.variable:
            if term not in environment:
                return f"norm({self.constant(term)})"
            name, evaluated = environment[term]
            # what is evaluated in one place is shown evaluated in the others, as terms are shared in CafeOBJ
            return name if evaluated else f"({name} if {name}.epoch is E else ({name} := norm({name})))"
        if term is self.machine.true:
            return "TRUE"
        if term is self.machine.false:
            return "FALSE"
        if isinstance(term, LiteralTerm):
            return self.constant(term)
        if not term.args:
            return self.machine.constant_expression(op)
        if term.ground and not self.machine.tracer:
            return f"norm({self.constant(term)})"
        special = self._special(term, environment)
        if special is not None:
            return special
        if self.machine.by_strategy(op):
            return f"norm({self.raw(term, environment)})"
        args = self._arguments(op, term.args, environment)
        if op.assoc:
            return f"{self.function(op)}(({', '.join(args)},))"
        return self._choice(term, args, environment) or f"{self.function(op)}({', '.join(args)})"

    def _choice(self, term: Term, args: list[str], environment: Environment) -> str | None:
        """A conditional defined by the user, in line: the branches need not be built before one of them is taken.

        If an open passage has equations on it, they come first; then the function is called.
        """
        choice = self.machine.choice(term.op)
        if choice is None or any(
            not self._fits(term.args[i], rule.lhs.args[i])
            for rule in self.machine.rules[term.op]
            for i in range(len(args))
            if i != choice.test
        ):
            return None
        name, test = self.function(term.op), self.temporary()
        yes, no = (self.evaluation(term.args[i], environment) for i in (choice.yes, choice.no))
        call = f"{name}({', '.join([*args[: choice.test], test, *args[choice.test + 1 :]])})"
        inline = f"{name} is {name}_self"
        return (
            f"({yes} if ({test} := {args[choice.test]}) is TRUE and {inline} "
            f"else {no} if {test} is FALSE and {inline} else {call})"
        )

    def _fits(self, term: Term, variable: Term) -> bool:
        """Will every instance of the term be of the variable's sort?"""
        below = self.machine.sort_test(variable.sort)
        return below is None or term.sort in below

    def _arguments(self, op: Symbol, args: tuple[Term, ...], environment: Environment) -> list[str]:
        lazy = self.machine.lazy_positions(op)
        return [
            self._placed(op, i, arg, environment) if i not in lazy else self.raw(arg, environment)
            for i, arg in enumerate(args)
        ]

    def _placed(self, op: Symbol, index: int, arg: Term, environment: Environment) -> str:
        """The value of an argument; when tracing, keep track of the place in the term."""
        expression = self.evaluation(arg, environment)
        colours = self.machine.colours
        if colours is not None:
            expression = self._coloured(colours.change(op, arg), expression)
        return f"(down({index}), {expression}, up())[1]" if self.machine.tracer is not None else expression

    def _coloured(self, colour: str | None, expression: str) -> str:
        """In a theory with behavioural equations: evaluate in a behavioural context (green) or in another (red)."""
        return (
            expression if colour is None or self.machine.colours is None else f"({colour}(), {expression}, back())[1]"
        )

    def _special(self, term: Term, environment: Environment) -> str | None:
        op = term.op
        native = op.native
        if native is None or self.machine.has_rules(op):
            return None
        args = term.args
        if native is Builtin.IF:
            test = self.temporary()
            stuck = f"{self.function(op)}({test}, {self.raw(args[1], environment)}, {self.raw(args[2], environment)})"
            condition, then, other = (self.evaluation(arg, environment) for arg in args)
            return f"({then} if ({test} := {condition}) is TRUE else {other} if {test} is FALSE else {stuck})"
        if native in SYNTACTIC_TESTS:
            first, second = (self._placed(op, i, arg, environment) for i, arg in enumerate(args))
            yes, no = ("TRUE", "FALSE") if native is Builtin.SAME else ("FALSE", "TRUE")
            return f"(norm({self.raw(term, environment)}) if RC else {yes} if {first} is {second} else {no})"
        if native in (Builtin.AND, Builtin.OR) and op.assoc:
            return self._short_circuit(op, args, environment, "FALSE" if native is Builtin.AND else "TRUE")
        if native is Builtin.IMPLIES:
            test = self.temporary()
            return (
                f"(TRUE if ({test} := {self._placed(op, 0, args[0], environment)}) is FALSE "
                f"else {self.function(op)}({test}, {self._placed(op, 1, args[1], environment)}))"
            )
        return None

    def _short_circuit(self, op: Symbol, args: tuple[Term, ...], environment: Environment, absorbing: str) -> str:
        expression = self._placed(op, len(args) - 1, args[-1], environment)
        for index in range(len(args) - 2, -1, -1):
            test = self.temporary()
            first = self._placed(op, index, args[index], environment)
            expression = (
                f"({absorbing} if ({test} := {first}) is {absorbing} else {self.function(op)}(({test}, {expression})))"
            )
        return expression

    def raw(self, term: Term, environment: Environment) -> str:
        """An expression for an instance of `term` as it stands, not evaluated."""
        if term.op.variable:
            return environment[term][0] if term in environment else self.constant(term)
        if term.ground:
            return self.constant(term)
        args = ", ".join(self.raw(arg, environment) for arg in term.args)
        return f"{self.constant(term.op.make)}(({args},))"


def _tail(rhs: Term, symbol: Symbol) -> bool:
    return rhs.op is symbol and bool(rhs.args)


class Names:
    """Names for the objects that generated code refers to."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.namespace = namespace
        self._known: dict[int, str] = {}
        self._kept: list[object] = []

    def constant(self, value: object) -> str:
        key = id(value)
        found = self._known.get(key)
        if found is None:
            found = f"c{len(self._known)}"
            self._known[key] = found
            self._kept.append(value)
            self.namespace[found] = value
        return found

"""Right sides and conditions of rules as Python expressions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from otsrw.rewriting.generated import FunctionText
from otsrw.theory.builtins import SYNTACTIC_TESTS, Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import LiteralTerm, Symbol, Term, variables_of

if TYPE_CHECKING:
    from otsrw.rewriting.functions import Functions

Environment = dict[Term, tuple[str, bool]]
"""The Python name of each bound variable, and whether its value is known to be in normal form."""

MAX_NESTING = 40
"""Levels of a term that are written as nested calls: Python reads at most 200 parentheses inside of each other."""


class Expressions:
    """Writes Python expressions for terms, in the text of one function."""

    def __init__(self, functions: Functions, text: FunctionText) -> None:
        self.functions = functions
        self.rulebase = functions.rulebase
        self.colours = functions.runtime.colours
        self.is_traced = functions.runtime.tracer is not None
        self.text = text
        self.constant = text.constant
        self._nesting = 0
        """Levels of terms around the one that is being written."""

    def evaluation(self, term: Term, environment: Environment) -> str:
        """An expression for the normal form of an instance of `term`."""
        op = term.op
        if op.variable:
            return self._variable(term, environment)
        if term is self.rulebase.true:
            return "TRUE"
        if term is self.rulebase.false:
            return "FALSE"
        if isinstance(term, LiteralTerm):
            return self.constant(term)
        if not term.args:
            return self.functions.constant(op)
        if term.ground and not self.is_traced:
            return f"norm({self.constant(term)})"
        if self._nesting >= MAX_NESTING:
            return f"norm({self._built(term, environment)})"
        with self._inside():
            return self._special(term, environment) or self._application(term, environment)

    @contextmanager
    def _inside(self, levels: int = 1) -> Iterator[None]:
        """What is written here stands so many levels further inside."""
        self._nesting += levels
        try:
            yield
        finally:
            self._nesting -= levels

    def _variable(self, variable: Term, environment: Environment) -> str:
        if variable not in environment:
            return f"norm({self.constant(variable)})"
        name, evaluated = environment[variable]
        # terms are shared in CafeOBJ: test_engine.py, "arguments evaluated in one place are evaluated in the others"
        return name if evaluated else f"({name} if {name}.epoch is E else ({name} := norm({name})))"

    def _application(self, term: Term, environment: Environment) -> str:
        op = term.op
        if self.rulebase.by_strategy(op):
            return f"norm({self.raw(term, environment)})"
        args = self.arguments(op, term.args, environment)
        if op.assoc:
            return f"{self.functions.name(op)}(({', '.join(args)},))"
        return self._choice(term, args, environment) or f"{self.functions.name(op)}({', '.join(args)})"

    def raw(self, term: Term, environment: Environment) -> str:
        """An expression for an instance of `term` as it stands, not evaluated."""
        if term.op.variable:
            return environment[term][0] if term in environment else self.constant(term)
        if term.ground:
            return self.constant(term)
        if self._nesting >= MAX_NESTING:
            return self._built(term, environment)
        with self._inside():
            args = ", ".join(self.raw(arg, environment) for arg in term.args)
        return f"{self.constant(term.op.make)}(({args},))"

    def _built(self, term: Term, environment: Environment) -> str:
        """An instance of a term, made when it is needed."""
        bound = [each for each in variables_of(term) if each in environment]

        def build(*values: Term) -> Term:
            return substitute(term, dict(zip(bound, values, strict=True)))

        return f"{self.constant(build)}({', '.join(environment[each][0] for each in bound)})"

    # --- arguments

    def arguments(self, op: Symbol, args: tuple[Term, ...], environment: Environment) -> list[str]:
        """Expressions for the arguments of a call of the function of `op`."""
        lazy = self.rulebase.lazy_positions(op)
        return [
            self._placed(op, i, arg, environment) if i not in lazy else self.raw(arg, environment)
            for i, arg in enumerate(args)
        ]

    def _placed(self, op: Symbol, index: int, arg: Term, environment: Environment) -> str:
        """The value of an argument; when tracing, keep track of the place in the term."""
        expression = self.evaluation(arg, environment)
        if self.colours is not None:
            expression = self._coloured(self.colours.change(op, arg), expression)
        return f"(down({index}), {expression}, up())[1]" if self.is_traced else expression

    def _coloured(self, colour: str | None, expression: str) -> str:
        """In a theory with behavioural equations: evaluate in a behavioural context (green) or in another (red)."""
        return expression if colour is None or self.colours is None else f"({colour}(), {expression}, back())[1]"

    def awaited(self, position: int) -> str:
        """The value of a parameter of the function, if the argument was delayed."""
        if self.colours is None:
            return f"norm(a{position})"
        argument = self.constant(self.functions.runtime.argument)
        return f"{argument}({self.constant(self.text.symbol)}, a{position})"

    # --- conditions

    def condition_value(self, term: Term, environment: Environment) -> str:
        """The normal form of the subject of a `:=` condition."""
        return self._coloured("green", self.evaluation(term, environment))

    def holds(self, term: Term, environment: Environment) -> str:
        """Is a condition true? In line, unless a passage has equations on what is in line."""
        truth, general = self._truth(term, environment), f"({self.evaluation(term, environment)} is TRUE)"
        return self._coloured("green", truth if truth == general else f"({general} if RC else {truth})")

    def _truth(self, term: Term, environment: Environment) -> str:
        """A Python condition that holds iff the term's normal form is `true`."""
        if not self.rulebase.has_rules(term.op):
            if term.op.native is Builtin.AND:
                return "(" + " and ".join(self._truth(arg, environment) for arg in term.args) + ")"
            if term.op.native is Builtin.NOT:
                return f"({self.evaluation(term.args[0], environment)} is FALSE)"
        return f"({self.evaluation(term, environment)} is TRUE)"

    # --- what is in line

    def _special(self, term: Term, environment: Environment) -> str | None:
        """Built-in operators in line; None for others, and for those that equations of the user rewrite."""
        op, args, native = term.op, term.args, term.op.native
        if native is None or self.rulebase.has_rules(op):
            return None
        if native is Builtin.IF:
            return self._conditional(term, environment)
        if native in SYNTACTIC_TESTS and self.rulebase.values is not None:
            return f"norm({self.raw(term, environment)})"
        if native in SYNTACTIC_TESTS:
            first, second = (self._placed(op, i, arg, environment) for i, arg in enumerate(args))
            yes, no = ("TRUE", "FALSE") if native is Builtin.SAME else ("FALSE", "TRUE")
            return f"(norm({self.raw(term, environment)}) if RC else {yes} if {first} is {second} else {no})"
        if self._evaluates_all_parts():
            return None
        if native in (Builtin.AND, Builtin.OR) and op.assoc:
            return self._short_circuit(op, args, environment, "FALSE" if native is Builtin.AND else "TRUE")
        if native is Builtin.IMPLIES:
            test = self.text.temporary()
            return (
                f"(TRUE if ({test} := {self._placed(op, 0, args[0], environment)}) is FALSE "
                f"else {self.functions.name(op)}({test}, {self._placed(op, 1, args[1], environment)}))"
            )
        return None

    def _evaluates_all_parts(self) -> bool:
        """Are all parts of a connective evaluated, since an ill-sorted one keeps it from having a value?"""
        booleans = self.functions.booleans
        return booleans is not None and booleans.by_sorts

    def _conditional(self, term: Term, environment: Environment) -> str:
        args, test = term.args, self.text.temporary()
        branches = f"{self.raw(args[1], environment)}, {self.raw(args[2], environment)}"
        stuck = f"{self.functions.name(term.op)}({test}, {branches})"
        condition, then, other = (self.evaluation(arg, environment) for arg in args)
        return f"({then} if ({test} := {condition}) is TRUE else {other} if {test} is FALSE else {stuck})"

    def _short_circuit(
        self, op: Symbol, args: tuple[Term, ...], environment: Environment, absorbing: str
    ) -> str | None:
        if self._nesting + len(args) > MAX_NESTING:
            return None
        with self._inside(len(args) - 1):
            expression = self._placed(op, len(args) - 1, args[-1], environment)
        for index in range(len(args) - 2, -1, -1):
            test = self.text.temporary()
            with self._inside(index):
                first = self._placed(op, index, args[index], environment)
            call = f"{self.functions.name(op)}(({test}, {expression}))"
            expression = f"({absorbing} if ({test} := {first}) is {absorbing} else {call})"
        return expression

    def _choice(self, term: Term, args: list[str], environment: Environment) -> str | None:
        """A conditional defined by the user, in line: the branches need not be built before one of them is taken.

        If an open passage has equations on it, they come first; then the function is called. None if `term` is none.
        """
        choice = self.functions.choice(term.op)
        if choice is None or any(
            not self._fits(term.args[i], rule.lhs.args[i])
            for rule in self.rulebase.rules_of(term.op)
            for i in range(len(args))
            if i != choice.test
        ):
            return None
        name, test = self.functions.name(term.op), self.text.temporary()
        yes, no = (self.evaluation(term.args[i], environment) for i in (choice.yes, choice.no))
        call = f"{name}({', '.join([*args[: choice.test], test, *args[choice.test + 1 :]])})"
        inline = f"{name} is {name}_self"
        return (
            f"({yes} if ({test} := {args[choice.test]}) is TRUE and {inline} "
            f"else {no} if {test} is FALSE and {inline} else {call})"
        )

    def _fits(self, term: Term, variable: Term) -> bool:
        """Will every instance of the term be of the variable's sort?"""
        below = self.rulebase.sort_test(variable.sort)
        return below is None or term.sort in below

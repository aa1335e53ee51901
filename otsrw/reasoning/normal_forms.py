"""Normal forms that were found earlier, under the same equations.

A case is looked at more than once: when it is split, with more lemmas, when its passage is written, and when the score
is checked. What a term is reduced to depends on the module, the equations in front of it and the rewrites that are
allowed, and on nothing else. So all workbenches of a module share what they found; all of it is forgotten when it has
become much.
"""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.records import NamedTuple
from otsrw.rewriting.budget import Budget
from otsrw.rewriting.layers import Layer, LayerFunctions
from otsrw.rewriting.machine import Machine
from otsrw.rewriting.rewriter import Rewriter
from otsrw.rewriting.rules import Rule
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.terms import Term

MAX_REWRITERS = 2_000
MAX_FORMS = 40_000
MAX_FUNCTIONS = 10_000
"""Functions for the equations about one symbol, and rules."""

SmallEquation = tuple[Term, Term]
"""The two sides."""


class DecidedForm(NamedTuple):
    """A normal form in which equations are decided that constructors decide, and the reductions that it took."""

    value: Term
    reductions: int


class NormalForms:
    """What terms of one module are reduced to under equations."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._machine = module.derived(Machine)
        self._rules: dict[SmallEquation, Rule] = {}
        self._functions: LayerFunctions = {}
        """Equations are known from other cases, most of them also together with those about the same symbol."""
        self._rewriters: dict[tuple[int, tuple[SmallEquation, ...]], Rewriter] = {}
        self._rewritten: dict[tuple[Rewriter, Term], Term] = {}
        self._decided: dict[tuple[Rewriter, Term], DecidedForm] = {}
        self._ring: object = None
        """The ring of all normal forms that are known: terms of different rings must not be compared."""

    def rewriter(self, equations: Iterable[SmallEquation], max_rewrites: int) -> Rewriter:
        """The one rewriter under these equations, in this order."""
        key = (max_rewrites, tuple(equations))
        found = self._rewriters.get(key)
        if found is None:
            if len(self._rewriters) >= MAX_REWRITERS:
                self._rewriters.clear()
            found = self._rewriters[key] = Rewriter(self._module, layer=self._layer(key[1]))
        return found

    def _layer(self, equations: tuple[SmallEquation, ...]) -> Layer:
        if len(self._functions) >= MAX_FUNCTIONS or len(self._rules) >= MAX_FUNCTIONS:
            self._functions.clear()
            self._rules.clear()
        layer = Layer(self._machine, self._functions)
        layer.add([rule for rule in map(self._rule, equations) if rule.is_usable])
        return layer

    def _rule(self, equation: SmallEquation) -> Rule:
        found = self._rules.get(equation)
        if found is None:
            left, right = equation
            found = self._rules[equation] = Rule.of(Axiom(left, right, None))
        return found

    def reduce(self, rewriter: Rewriter, term: Term, budget: Budget) -> Term:
        """The normal form; the budget is only looked at if it is not known."""
        found = self._rewritten.get((rewriter, term))
        if found is None:
            found = rewriter.reduce(term, budget).term
            self._forget_if_needed(rewriter)
            self._rewritten[rewriter, term] = found
        return found

    def decided(self, rewriter: Rewriter, term: Term) -> DecidedForm | None:
        """What `keep` was told; None if it was told nothing."""
        return self._decided.get((rewriter, term))

    def keep(self, rewriter: Rewriter, term: Term, decided: DecidedForm) -> None:
        self._forget_if_needed(rewriter)
        self._decided[rewriter, term] = decided

    def _forget_if_needed(self, rewriter: Rewriter) -> None:
        booleans = rewriter.machine.booleans
        ring = None if booleans is None else booleans.ring
        if ring is not self._ring or len(self._rewritten) >= MAX_FORMS or len(self._decided) >= MAX_FORMS:
            self._rewritten.clear()
            self._decided.clear()
            self._ring = ring

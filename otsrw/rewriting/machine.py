"""A compiled theory: its rules, the functions made of them, and how terms are evaluated with these.

A `Machine` belongs to a full signature and is compiled lazily, symbol by symbol; a proof passage puts a `Layer`
(rewriting/layers.py) over it.
"""

from __future__ import annotations

import sys

from otsrw.rewriting.booleans import Booleans
from otsrw.rewriting.budget import Budget
from otsrw.rewriting.evaluators import Evaluators
from otsrw.rewriting.functions import Functions
from otsrw.rewriting.interpreter import Interpreter
from otsrw.rewriting.rulebase import RuleBase
from otsrw.rewriting.rules import Rule
from otsrw.rewriting.runtime import Runtime, Tracer
from otsrw.rewriting.specials import Specials
from otsrw.theory.modules import Module
from otsrw.theory.terms import Symbol, Term


class Machine:
    """All equations of a module, compiled; the parts of the engine put together."""

    def __init__(
        self,
        module: Module,
        tracer: Tracer | None = None,
        transitions: bool = False,
        behavioural: bool = False,
        by_sorts: bool = False,
    ) -> None:
        """By sorts: connectives of ill-sorted Booleans stay, where the module has equations with ill-sorted terms."""
        self.rulebase = RuleBase(module, transitions)
        self.runtime = Runtime(self.rulebase, tracer, behavioural)
        self.interpreter = Interpreter(self.rulebase, self.runtime)
        self.booleans = Booleans.of(self.interpreter, by_sorts and self.rulebase.has_ill_sorted_terms)
        self.functions = Functions(self.rulebase, self.runtime, self.booleans)
        self.specials = Specials(self.functions)
        self.runtime.namespace["EV"] = Evaluators(self.functions, self.interpreter, self.specials)

    def rules_in_force(self) -> list[tuple[Symbol, list[Rule]]]:
        """The rules by symbol, those of the passage in front."""
        return [*self.runtime.overlay.rules.items(), *self.rulebase.rules.items()]

    def run(self, term: Term, budget: Budget) -> Term:
        """The normal form of a term, within a budget."""
        if self.booleans is not None and self.booleans.start_afresh():
            self.runtime.new_epoch()
        self.runtime.begin(term, budget)
        return self.runtime.normalise(term)


def machine_by_sorts(module: Module) -> Machine:
    """The machine that treats ill-sorted Booleans as CafeOBJ does: the usual one where there are none."""
    usual = module.derived(Machine)
    return Machine(module, by_sorts=True) if usual.rulebase.has_ill_sorted_terms else usual


def ensure_depth(limit: int) -> None:
    """Generated functions call each other deeply; CPython 3.11 and later keep such frames on the heap.

    Large numbers are results like any other, so the limit on printing them goes, too.
    """
    if sys.getrecursionlimit() < limit:
        sys.setrecursionlimit(limit)
    sys.set_int_max_str_digits(0)

"""A module with fresh constants, in which terms are reduced under equations that a case assumes."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from enum import StrEnum
from functools import cached_property

from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.constructors import Constructors
from otsrw.reasoning.integers import Integers
from otsrw.reasoning.normal_forms import NormalForms
from otsrw.records import dataclass
from otsrw.rewriting.budget import Budget
from otsrw.rewriting.rewriter import Rewriter
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.modules import Module
from otsrw.theory.signature import Signature
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import PLAIN, OpDecl, Symbol, Term

REWRITES = 2_000_000


class Why(StrEnum):
    """Why an equation holds in a case."""

    ASSUMPTION = "assumption"
    CONDITION = "condition"
    """It is a part of the effective condition that is kept as an atom."""
    FACT = "fact"
    """The constructors say so."""
    ARITHMETIC = "arithmetic"
    """Linear arithmetic says so."""
    DATA = "data"
    """It is a lemma about data, proved by structural induction."""
    HYPOTHESIS = "hypothesis"
    """It is the induction hypothesis of a lemma about data."""


@dataclass(frozen=True, eq=False, slots=True)
class Equation:
    """`left -> right`, and why it holds."""

    left: Term
    right: Term
    why: Why = Why.ASSUMPTION
    because: tuple[Equation, ...] = ()
    """For a fact of arithmetic in a proof score: what it follows from."""


class Workbench:
    """A module with fresh constants, in which terms are reduced under assumptions."""

    def __init__(self, module: Module, facts: tuple[Equation, ...] = ()) -> None:
        self.module = module
        self.facts = facts
        """Equations that hold in every case."""
        self.signature: Signature = module.signature
        self.connectives = Connectives(module.signature)
        self.constructors = module.derived(Constructors)
        self.forms = module.derived(NormalForms)
        self.constants: dict[Symbol, int] = {}
        self.parts: set[Symbol] = set()
        """Constants for parts of values that were split by their constructors."""
        self.decls: list[OpDecl] = []
        self.deadline: float | None = None
        self.reductions = 0
        self.unfinished = 0
        """Reductions that spent their budget."""
        self.max_rewrites = REWRITES
        """Rewrites of one reduction."""
        self._constants_of: dict[Sort, tuple[Term, ...]] = {}

    @cached_property
    def integers(self) -> Integers:
        """The built-in integers that the module sees."""
        return Integers(self.module)

    def anew(self) -> Workbench:
        """A workbench of the same module without fresh constants; what is known of the module is shared."""
        other = copy(self)
        other.signature = self.module.signature
        other.constants, other.parts, other.decls = {}, set(), []
        other.reductions = 0
        return other

    def without_facts(self) -> Workbench:
        """The same workbench, on which nothing holds in every case."""
        other = copy(self)
        other.facts = ()
        return other

    def constant(self, name: str, sort: Sort) -> Term:
        """The fresh constant of this name and sort."""
        taken = {s.decls[0].coarity for s in self.signature.constants_named(name)}
        decl = OpDecl((name,), (), sort, PLAIN, self.module.name)
        if sort in taken:
            for symbol in self.signature.constants_named(name):
                if symbol.decls[0].coarity is sort and symbol in self.constants:
                    return symbol.make(())
        extended = self.signature.extend(decl)
        assert extended is not None, f"{name} clashes with a declaration"
        self.signature = extended
        symbol = extended.own_symbols[0]
        self.constants[symbol] = len(self.constants)
        self.decls.append(symbol.decls[0])
        return symbol.make(())

    def part(self, sort: Sort) -> Term:
        """A fresh constant for a part of a value."""
        stem = sort.name[0].lower()
        number = 1
        while not self.is_free_name(f"{stem}{number}"):
            number += 1
        constant = self.constant(f"{stem}{number}", sort)
        self.parts.add(constant.op)
        return constant

    def is_constant(self, term: Term) -> bool:
        return term.op in self.constants

    def is_free_name(self, name: str) -> bool:
        return not self.signature.constants_named(name) and name not in self.module.variables

    def constants_of(self, sort: Sort) -> tuple[Term, ...]:
        """All elements of a sort that a tight module builds from constants alone; nothing for other sorts."""
        found = self._constants_of.get(sort)
        if found is None:
            found = self._constants_of[sort] = self._enumerated(sort)
        return found

    def _enumerated(self, sort: Sort) -> tuple[Term, ...]:
        order = self.module.signature.order
        home = next((m for m in self.module.closure() if sort in m.sorts), None)
        if home is None or not home.is_tight or order.below.get(sort) != frozenset((sort,)):
            return ()
        if not self.constructors.are_all(sort):
            return ()
        makers = [
            (symbol, decl)
            for symbol in self.module.signature.symbols()
            for decl in symbol.decls
            if decl.coarity is sort and decl.attributes.constructor
        ]
        if any(decl.arity for _, decl in makers):
            return ()
        return tuple(symbol.make(()) for symbol, _ in makers)

    def rewriter(self, equations: Iterable[Equation]) -> Rewriter:
        """Reduces under these equations and under the facts."""
        return self.forms.rewriter([(e.left, e.right) for e in (*equations, *self.facts)], self.max_rewrites)

    def reduce(self, rewriter: Rewriter, term: Term) -> Term:
        self.reductions += 1
        try:
            return self.forms.reduce(rewriter, term, Budget(self.max_rewrites, self.deadline))
        except BudgetExceeded:
            self.unfinished += 1
            raise

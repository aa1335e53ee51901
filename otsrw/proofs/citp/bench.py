"""The modules of goals: a context module, extended by the constants and assumptions of a goal."""

from __future__ import annotations

from collections.abc import Callable

from otsrw.proofs.citp.goals import Goal
from otsrw.proofs.citp.sentences import as_rule
from otsrw.proofs.passage import Passage
from otsrw.reasoning.connectives import Connectives
from otsrw.records import NamedTuple
from otsrw.rewriting.budget import Budget
from otsrw.rewriting.rewriter import Rewriter
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import TheoryProblem
from otsrw.theory.axioms import read_axiom
from otsrw.theory.library import Library
from otsrw.theory.modules import Axiom, Module, as_terms_of, translated
from otsrw.theory.opened import OpenModule
from otsrw.theory.parsing import parse_term, scope_of
from otsrw.theory.signature import Signature
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import PLAIN, OpDecl, Term

MAX_NAMES = 10_000
"""Names that are tried for a new constant."""


class ProofContext(NamedTuple):
    """The module in which a proof takes place, as it is when the proof begins."""

    name: str
    module: Module
    """The selected module or the open passage: the same proof context if it is the same object."""
    base: Module
    axioms: tuple[Axiom, ...] = ()
    """Axioms of a passage, beyond those of `base`; earlier ones are tried first."""
    decls: tuple[OpDecl, ...] = ()

    @classmethod
    def of_module(cls, module: Module) -> ProofContext:
        return cls(module.name, module, module)

    @classmethod
    def of_passage(cls, passage: Passage) -> ProofContext:
        module = passage.module
        if not module.is_thin:
            return cls("%", module, module)
        return cls("%", module, passage.opened, tuple(module.axioms), tuple(module.decls))


class NewConstant(NamedTuple):
    """A constant that was added to a goal, and the goal with it."""

    term: Term
    goal: Goal


class GoalBench:
    """Reads and reduces in the goals of one proof context."""

    def __init__(self, context: ProofContext, library: Library, budget: Callable[[], Budget]) -> None:
        self.context = context
        self.library = library
        self.signature: Signature = context.module.signature
        self.connectives = Connectives(self.signature)
        self.truths = (self.connectives.true, self.connectives.false)
        self.rewrites = 0
        self._budget = budget
        self._kept: tuple[tuple[Axiom, ...], Signature, bool, Rewriter] | None = None

    # --- modules and terms

    def module(self, goal: Goal) -> OpenModule:
        """The module of a goal, without its assumptions: terms are read in it."""
        module = OpenModule(self.context.base, goal.signature, (), (*self.context.decls, *goal.decls))
        module.variables = dict(self.context.module.variables)
        module.lets = dict(self.context.module.lets)
        module.name = f"#Goal-{goal.name}"
        return module

    def parse(self, bubble: tree.Bubble, goal: Goal, sort: Sort | None = None) -> Term:
        """The term that words mean in a goal; of the kind of `sort` if one is given."""
        kind = None if sort is None else goal.signature.order.kind.get(sort)
        return parse_term(bubble, scope_of(self.module(goal)), kind)

    def read(self, item: tree.AxiomDeclaration, goal: Goal) -> Axiom:
        """A sentence that is written in a goal. That it would not do as a rewrite rule is no matter."""
        axiom = read_axiom(item, self.module(goal), self.library, is_rule=False)
        assert axiom is not None, "a module without axioms has none twice"
        return axiom

    def rules_labelled(self, label: str, goal: Goal) -> list[Axiom]:
        """The sentences with this label that a goal sees."""
        memo: dict[Term, Term] = {}
        seen = [as_terms_of(goal.signature, a, memo) for a in (*reversed(goal.assumptions), *self.context.axioms)]
        for owner, axiom in self.context.base.flat_axioms():
            if label in axiom.labels:
                seen.append(translated(axiom, owner, goal.signature, memo))
        return list(dict.fromkeys(axiom for axiom in seen if label in axiom.labels))

    # --- constants

    def constant(self, goal: Goal, names: Callable[[int], str], sort: Sort) -> NewConstant:
        """A constant that is new in the goal: the first of `names(1)`, `names(2)`, ... that is free.

        CafeOBJ always takes the first: if that exists already, the goal notes that the two are merged there.
        """
        wanted = goal.signature.constants_named(names(1))
        twin = next((symbol.make(()) for symbol in wanted if symbol.make(()).sort is sort), None)
        for number in range(1, MAX_NAMES):
            decl = OpDecl((names(number),), (), sort, PLAIN, self.context.base.name)
            extended = None if goal.signature.constants_named(decl.name[0]) else goal.signature.extend(decl)
            if extended is not None:
                symbol = extended.own_symbols[0]
                term = symbol.make(())
                merged = goal.merged if twin is None else (*goal.merged, (term, twin))
                grown = goal._replace(signature=extended, decls=(*goal.decls, symbol.decls[0]), merged=merged)
                return NewConstant(term, grown)
        raise TheoryProblem("E309", f"all names like {names(1)} are taken")

    # --- reductions

    def reduce(self, goal: Goal, term: Term, transitions: bool = False) -> Term:
        """The normal form of a term under the assumptions of a goal; newer assumptions are tried first."""
        rewriter = self._rewriter(goal, transitions)
        foreign = rewriter.module.signature is not goal.signature
        found = rewriter.reduce(rewriter.module.signature.translate(term, {}) if foreign else term, self._budget())
        self.rewrites += found.rewrites
        return goal.signature.translate(found.term, {}) if foreign else found.term

    def _rewriter(self, goal: Goal, transitions: bool) -> Rewriter:
        kept = self._kept
        if kept is not None and kept[0] is goal.assumptions and kept[1] is goal.signature and kept[2] is transitions:
            return kept[3]
        rewriter = Rewriter(self.theory(goal), transitions=transitions)
        self._kept = (goal.assumptions, goal.signature, transitions, rewriter)
        return rewriter

    def theory(self, goal: Goal) -> OpenModule:
        """The module of a goal with its assumptions."""
        own = [as_rule(axiom, self.truths) for axiom in reversed(goal.assumptions)]
        module = self.module(goal)
        module.add_axioms([*own, *self.context.axioms])
        if self.context.base.sees_behavioural_axioms or any(axiom.behavioural for axiom in own):
            module.thicken()
        return module

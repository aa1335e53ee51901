"""The modules of goals: a context module, extended by the constants and assumptions of a goal."""

from __future__ import annotations

from collections.abc import Callable

from otsrw.proofs.citp.context import ProofContext
from otsrw.proofs.citp.goals import Goal
from otsrw.proofs.citp.numbers import NumberReading
from otsrw.proofs.citp.sentences import as_rule
from otsrw.reasoning.connectives import Connectives
from otsrw.records import NamedTuple
from otsrw.rewriting.budget import Budget
from otsrw.rewriting.rewriter import Rewriter
from otsrw.rewriting.search import SearchNote
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import TheoryProblem
from otsrw.theory.axioms import read_axiom
from otsrw.theory.library import Library
from otsrw.theory.modules import Axiom, as_terms_of, translated
from otsrw.theory.opened import OpenModule
from otsrw.theory.parsing import parse_term, scope_of
from otsrw.theory.signature import Signature
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import PLAIN, OpDecl, Term

MAX_NAMES = 10_000
"""Names that are tried for a new constant."""


class NewConstant(NamedTuple):
    """A constant that was added to a goal, and the goal with it."""

    term: Term
    goal: Goal


def _without_theories(term: Term, signature: Signature, memo: dict[Term, Term]) -> Term:
    """A term of a goal with `:theory` as a term of the goal's own signature: `a + b + c` becomes `a + (b + c)`."""
    if term not in memo:
        known = (signature.symbol_of(decl) for decl in term.op.decls)
        symbol = next((each for each in known if each is not None), None)
        args = tuple(_without_theories(arg, signature, memo) for arg in term.args)
        while symbol is not None and not symbol.assoc and len(args) > symbol.nargs:
            args = (*args[:-2], symbol.make(args[-2:]))
        memo[term] = term if symbol is None else symbol.make(args)
    return memo[term]


class GoalBench:
    """Reads and reduces in the goals of one proof context."""

    def __init__(self, context: ProofContext, library: Library, budget: Callable[[], Budget]) -> None:
        self.context = context
        self.library = library
        self.signature: Signature = context.module.signature
        self.connectives = Connectives(self.signature)
        self.truths = (self.connectives.true, self.connectives.false)
        self.rewrites = 0
        self.searched: list[SearchNote] = []
        """What search predicates have found since somebody looked."""
        self._budget = budget
        self.numbers: NumberReading | None = None
        """Refuses what CafeOBJ cannot read in a goal; None while nothing is refused."""
        self._kept: tuple[tuple[object, ...], Rewriter] | None = None
        """The last rewriter, and the parts of the goal that it was made of."""

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

    def parse_alone(self, bubble: tree.Bubble, goal: Goal, sort: Sort | None = None) -> Term:
        """As `parse`, for a term that CafeOBJ reads without knowing its sort."""
        term = self.parse(bubble, goal, sort)
        if self.numbers is not None:
            self.numbers.check_term(bubble, goal)
        return term

    def read(self, item: tree.AxiomDeclaration, goal: Goal) -> Axiom:
        """A sentence that is written in a goal. That it would not do as a rewrite rule is no matter."""
        axiom = read_axiom(item, self.module(goal), self.library, is_rule=False)
        assert axiom is not None, "a module without axioms has none twice"
        if self.numbers is not None:
            self.numbers.check_sentence(item, goal)
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
        self.searched += found.notes
        if not foreign:
            return found.term
        if goal.theories:
            return _without_theories(found.term, goal.signature, {})
        return goal.signature.translate(found.term, {})

    def _rewriter(self, goal: Goal, transitions: bool) -> Rewriter:
        wanted = (goal.assumptions, goal.signature, goal.theories, transitions)
        if self._kept is not None and all(one is other for one, other in zip(self._kept[0], wanted, strict=True)):
            return self._kept[1]
        rewriter = Rewriter(self.theory(goal), transitions=transitions)
        self._kept = (wanted, rewriter)
        return rewriter

    def theory(self, goal: Goal) -> OpenModule:
        """The module of a goal with its assumptions."""
        own = [as_rule(axiom, self.truths) for axiom in reversed(goal.assumptions)]
        module = self.module(goal)
        module.add_axioms([*own, *self.context.axioms])
        if self.context.base.sees_behavioural_axioms or any(axiom.behavioural for axiom in own) or goal.theories:
            module.thicken()
        known = module.signature
        for decl in goal.theories:
            module.add_operator(decl)
        module.read_again(known)
        return module

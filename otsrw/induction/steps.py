"""Induction on the reachable states (Theorem 3): base cases and induction cases of one predicate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from otsrw.induction.clauses import Clause, clause_of
from otsrw.ots.effects import mentioned
from otsrw.ots.formulas import unfold
from otsrw.ots.model import Ots, Transition
from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.data import DataTheory
from otsrw.reasoning.splitting import CaseSplitter, Leaf, Policy, conditions_first
from otsrw.reasoning.workbench import Equation, Workbench
from otsrw.rewriting.rewriter import Rewriter
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import equations_by_symbol
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, subterms


@dataclass(frozen=True, eq=False, slots=True)
class Predicate:
    """A state predicate to be proved: an invariant of the specification, or a lemma found on the way."""

    name: str
    parameters: tuple[Term, ...]
    formula: Term
    clauses: tuple[Clause, ...] = ()
    """The formula as clauses, all of which it implies."""


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """One induction case: a predicate, a transition (None: an initial state), and what stands for what."""

    predicate: Predicate
    transition: Transition | None
    bench: Workbench
    state: Term
    after: Term
    arguments: tuple[Term, ...]
    values: tuple[Term, ...]
    """The constants that stand for the predicate's parameters."""
    goal: Term
    starts: tuple[Assumptions, ...]
    """The cases to begin with: not effective, effective."""


class Induction:
    """Makes and splits the induction cases of an OTS."""

    def __init__(self, ots: Ots, policy: Policy = conditions_first, deadline: float | None = None) -> None:
        self.ots = ots
        self.rules = equations_by_symbol(ots.module)
        self.connectives = Connectives(ots.module.signature)
        rewriter = Rewriter(ots.module)
        self.theory = DataTheory(
            ots.module.signature, self.rules, self.connectives, lambda term: rewriter.reduce(term).term
        )
        self.splitter = CaseSplitter(ots.sort, self.rules, self._updating_functions(), policy, deadline)
        self.deadline = deadline
        self._memberships = self._membership_operators()

    def predicate(self, name: str, parameters: tuple[Term, ...], formula: Term) -> Predicate:
        """A predicate with its clauses."""
        ways = self.connectives.clauses(unfold(formula, self.ots), positive=False)
        clauses = tuple(Clause(self.ots.state, literals, parameters) for literals in ways)
        return Predicate(name, parameters, formula, clauses)

    def lemma(self, name: str, clause: Clause) -> Predicate:
        return Predicate(name, clause.parameters, clause.formula(self.connectives), (clause,))

    # --- the cases

    def base_cases(self, predicate: Predicate) -> list[Step]:
        steps = []
        for initial in self.ots.initials:
            bench = self._bench()
            values = self._constants(bench, predicate.parameters)
            arguments = tuple(self._constant(bench, sort.name.lower(), sort) for sort in initial.decls[0].arity)
            state = initial.make(arguments)
            goal = self._at(predicate, state, values)
            steps.append(Step(predicate, None, bench, state, state, arguments, values, goal, (Assumptions(bench),)))
        return steps

    def induction_case(self, predicate: Predicate, transition: Transition) -> Step:
        bench = self._bench()
        state = self._constant(bench, "s", self.ots.sort)
        arguments = self._constants(bench, transition.parameters)
        values = self._constants(bench, predicate.parameters)
        after = transition.operator.apply(state, arguments)
        before_term, after_term = self._at(predicate, state, values), self._at(predicate, after, values)
        goal = self.connectives.symbol(Builtin.IMPLIES).make((before_term, after_term))
        step = Step(predicate, transition, bench, state, after, arguments, values, goal, ())
        starts = tuple(self._starts(step, transition))
        return Step(predicate, transition, bench, state, after, arguments, values, goal, starts)

    def leaves(self, step: Step) -> Iterator[Leaf]:
        for start in step.starts:
            yield from self.splitter.leaves(step.bench, step.goal, start)

    def _bench(self) -> Workbench:
        bench = Workbench(self.ots.module, self._inequalities)
        bench.deadline = self.deadline
        return bench

    @cached_property
    def _inequalities(self) -> tuple[Equation, ...]:
        """That constants of enumerated sorts differ, where the specification does not say so itself."""
        bench = Workbench(self.ots.module)
        plain = bench.rewriter(())
        found = []
        for sort in self.ots.module.signature.order.sorts:
            for pair in combinations(bench.constants_of(sort), 2):
                same = self.connectives.equal(*pair)
                if sort is not self.connectives.true.sort and bench.reduce(plain, same) is same:
                    found.append(Equation(same, self.connectives.false, "fact"))
        return tuple(found)

    def _at(self, predicate: Predicate, state: Term, values: tuple[Term, ...]) -> Term:
        bindings = {self.ots.state: state, **dict(zip(predicate.parameters, values, strict=True))}
        return substitute(predicate.formula, bindings)

    def _constants(self, bench: Workbench, variables: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(self._constant(bench, v.op.name.lower(), v.sort) for v in variables)

    def _constant(self, bench: Workbench, stem: str, sort: Sort) -> Term:
        name, number = stem, 0
        while not bench.is_free_name(name) or self._is_taken(name):
            number += 1
            name = f"{stem}{number}"
        return bench.constant(name, sort)

    def _is_taken(self, name: str) -> bool:
        return any(symbol.name == name for symbol in self.ots.module.signature.symbols())

    # --- effective or not

    def _starts(self, step: Step, transition: Transition) -> Iterator[Assumptions]:
        nothing = Assumptions(step.bench)
        if transition.condition is None:
            yield nothing
            return
        bindings = {self.ots.state: step.state, **dict(zip(transition.parameters, step.arguments, strict=True))}
        condition = substitute(transition.condition, bindings)
        idle = self._idle(step, transition, condition)
        yield idle if idle is not None else nothing.assuming([Assumed(unfold(condition, self.ots), False)])
        yield nothing.assuming(self._effective(step, transition, unfold(condition, self.ots)))

    def _idle(self, step: Step, transition: Transition, condition: Term) -> Assumptions | None:
        """One case for all ways of not being effective, if the condition is an operator of its own."""
        assert transition.condition is not None
        if transition.condition.op not in self.ots.definitions:
            return None
        case = Assumptions(step.bench, (Equation(condition, self.connectives.false),))
        return case if case.reduce(step.goal) is self.connectives.true else None

    def _effective(self, step: Step, transition: Transition, condition: Term) -> list[Assumed]:
        conjuncts = list(_conjuncts(condition))
        used = self._used(transition, step, conjuncts)
        assumed: list[Assumed] = []
        for conjunct in conjuncts:
            members = self._memberships_in(conjunct, step, used)
            if members is None:
                assumed.append(Assumed(conjunct, True))
            else:
                assumed.append(Assumed(conjunct, True, is_condition=True))
                assumed += [Assumed(member, True) for member in members]
        return assumed

    def _used(self, transition: Transition, step: Step, conjuncts: list[Term]) -> dict[Term, int]:
        """How often each argument matters: in conjuncts, and in what the transition does."""
        assert transition.condition is not None
        clauses = self.connectives.clauses(unfold(transition.condition, self.ots))
        image = dict(zip(transition.parameters, step.arguments, strict=True))
        found: dict[Term, int] = {}
        for clause in clauses:
            for var in mentioned(self.ots, self.connectives, transition, clause):
                if var in image:
                    found[image[var]] = 2
        for conjunct in conjuncts:
            for argument in step.arguments:
                if argument in subterms(conjunct):
                    found[argument] = found.get(argument, 0) + 1
        return found

    def _memberships_in(self, conjunct: Term, step: Step, used: dict[Term, int]) -> list[Term] | None:
        """`o(s) = (e1 , e2 , rest)` with an otherwise unused rest says no more than e1 in o(s) and e2 in o(s)."""
        if conjunct.op.native is not Builtin.EQUALS:
            return None
        for collection, pattern in (conjunct.args, conjunct.args[::-1]):
            observed = self.ots.observer(collection.op) is not None and step.state in collection.args
            if not (observed and pattern.op.assoc and pattern.op.comm and pattern.op.identity is not None):
                continue
            rests = [e for e in pattern.args if step.bench.is_constant(e) and used.get(e) == 1]
            rests = [e for e in rests if e.sort is pattern.op.decls[0].coarity]
            if len(rests) != 1:
                continue
            members = []
            for element in pattern.args:
                if element is not rests[0]:
                    member = self._member(element, collection)
                    if member is None:
                        return None
                    members.append(member)
            return members
        return None

    def _member(self, element: Term, collection: Term) -> Term | None:
        kind = self.ots.module.signature.order.kind
        for symbol, place, other in self._memberships:
            kinds = symbol.arg_kinds
            if kinds[place] is kind[element.sort] and kinds[other] is kind[collection.sort]:
                return symbol.make((element, collection) if place < other else (collection, element))
        return None

    def _membership_operators(self) -> list[tuple[Symbol, int, int]]:
        found = []
        for symbol in self.rules:
            if symbol.nargs == 2 and symbol.native is None and symbol.kind is not None:
                if symbol.decls[0].coarity is not self.connectives.true.sort:
                    continue
                for place, other in ((0, 1), (1, 0)):
                    exact = self.theory.exactly_elements(symbol, place, other) is not None
                    if exact and self.theory.is_membership(symbol, place, other):
                        found.append((symbol, place, other))
                        break
        return found

    def _updating_functions(self) -> frozenset[Symbol]:
        """Defined functions on data in the new values of observers."""
        values = [case.value for t in self.ots.transitions for effect in t.effects for case in effect.cases]
        symbols = {term.op for value in values for term in subterms(value)}
        kept = {s for s in symbols if s in self.rules and s.native is None and self.ots.sort not in s.decls[0].arity}
        return frozenset(kept)

    # --- necessary lemmas

    def necessary_lemma(self, step: Step, leaf: Leaf) -> tuple[Clause, tuple[Equation, ...]]:
        """What excludes a false case, from as few of its assumptions as keep it false (Definition 8)."""
        kept = list(leaf.assumptions.equations)
        for equation in list(kept):
            if equation.why != "assumption" or step.bench.is_constant(equation.left) or self._is_needed(equation, kept):
                continue
            fewer = [other for other in kept if other is not equation]
            if Assumptions(step.bench, tuple(fewer)).reduce(step.goal) is self.connectives.false:
                kept = fewer
        return clause_of(step.bench, (step.state, self.ots.state), kept), tuple(kept)

    def _is_needed(self, equation: Equation, kept: list[Equation]) -> bool:
        """Memberships that the effective condition stands for belong to the lemma in any case."""
        conditions = [e for e in kept if e.why == "condition"]
        if equation.right is not self.connectives.true or not equation.left.args:
            return False
        return any(
            equation.left.args[place] in subterms(condition.left) and equation.left.args[other] in condition.left.args
            for symbol, place, other in self._memberships
            if symbol is equation.left.op
            for condition in conditions
        )


def _conjuncts(term: Term) -> Iterator[Term]:
    if term.op.native in (Builtin.AND, Builtin.AND_ALSO, Builtin.CONJUNCTION):
        for arg in term.args:
            yield from _conjuncts(arg)
    else:
        yield term

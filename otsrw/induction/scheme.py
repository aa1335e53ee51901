"""Makes the induction cases of a predicate and splits them (Theorem 3, Definition 10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain

from otsrw.induction.attempts import RefinedLeaf, SplitAttempt, shortest
from otsrw.induction.cases import CaseName, InductionCase, Predicate
from otsrw.induction.clauses import Clause, clause_of
from otsrw.induction.effective import EffectiveConditions
from otsrw.induction.free_indexes import index_patterns
from otsrw.induction.memberships import Memberships
from otsrw.induction.premises import KnownPredicates
from otsrw.ots.formulas import unfold
from otsrw.ots.model import Ots, Transition
from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.connectives import Connectives
from otsrw.reasoning.data_lemmas import is_about_data, stated_lemma
from otsrw.reasoning.inequalities import inequalities
from otsrw.reasoning.lemma_book import LemmaBook
from otsrw.reasoning.splitting import (
    CaseSplitter,
    Leaf,
    LeafOutcome,
    Policy,
    conditions_first,
    goal_first,
    whichever_is_shorter,
)
from otsrw.reasoning.workbench import Equation, Why, Workbench
from otsrw.records import NamedTuple, replace
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import equations_by_symbol
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Symbol, Term, subterms

MAX_PARTS = 40
"""A false leaf that premises split into more parts, not all of them closed, is left whole: it needs a lemma anyway."""


def _while_closed(leaves: Iterable[Leaf]) -> list[Leaf] | None:
    """All leaves if each is closed; None at the first that is not."""
    found = []
    for leaf in leaves:
        if not leaf.is_closed:
            return None
        found.append(leaf)
    return found


def _all_or_one(leaf: Leaf, parts: Iterable[Leaf]) -> tuple[Leaf, ...]:
    """All parts of a leaf, or the leaf itself if they are many and some of them are open."""
    found: list[Leaf] = []
    is_open = False
    for part in parts:
        found.append(part)
        is_open = is_open or not part.is_closed
        if is_open and len(found) > MAX_PARTS:
            return (leaf,)
    return tuple(found)


class _SplitterPair(NamedTuple):
    """Two ways to split cases by one policy."""

    full: CaseSplitter
    atoms: CaseSplitter
    """Never splits a value by its constructors."""


class _ClosedByAtoms(NamedTuple):
    """What splitting on atoms made of a case with the clauses of known predicates."""

    case: InductionCase
    clauses: list[tuple[Predicate, Clause]]
    leaves: list[Leaf] | None
    """None if some of them are not closed."""


class Induction:
    """Makes and splits the induction cases of an OTS; after the deadline, cases stay undecided."""

    def __init__(
        self,
        ots: Ots,
        policy: Policy = conditions_first,
        deadline: float | None = None,
        uses_premises: bool = True,
    ) -> None:
        self.ots = ots
        self.uses_premises = uses_premises
        """Are false leaves split with known predicates? Otherwise one is only excluded by an instance that is false."""
        self.rules = equations_by_symbol(ots.module)
        self.connectives = Connectives(ots.module.signature)
        self.deadline = deadline
        self.book = LemmaBook(ots.module, self.rules, ots.sort)
        """Lemmas about the data of the specification; those that are proved are used in all later cases."""
        self.borrowed: tuple[Equation, ...] = ()
        """Lemmas about data as rewrite rules that another process has proved, and asks to use."""
        self._data_predicates: dict[str, Predicate] = {}
        self._memberships = Memberships(ots, self.connectives)
        self._splitters = [self._splitter_pair(policy)]
        if policy is whichever_is_shorter:
            self._splitters.append(self._splitter_pair(goal_first))
        self.splitter = self._splitters[0].full
        self._last_closed: _ClosedByAtoms | None = None
        self._effective = EffectiveConditions(ots, self.connectives, self._memberships)

    def until(self, deadline: float | None) -> None:
        """Set another deadline."""
        self.deadline = deadline
        for splitter in chain.from_iterable(self._splitters):
            splitter.deadline = deadline

    def _splitter_pair(self, policy: Policy) -> _SplitterPair:
        updating, members = self._updating_functions(), self._memberships.operators
        return _SplitterPair(
            CaseSplitter(self.ots.sort, self.rules, updating, policy, self.deadline, members=members),
            CaseSplitter(self.ots.sort, self.rules, frozenset(), policy, self.deadline, shapes=False),
        )

    # --- predicates

    def predicate(self, name: str, parameters: tuple[Term, ...], formula: Term) -> Predicate:
        """A predicate with its clauses."""
        ways = self.connectives.clauses(unfold(formula, self.ots), positive=False)
        clauses = tuple(Clause(self.ots.state, literals, parameters) for literals in ways)
        return Predicate(name, parameters, formula, clauses)

    def lemma(self, name: str, clause: Clause) -> Predicate:
        formula = self.connectives.without_choices(clause.formula(self.connectives))
        return Predicate(name, clause.parameters, formula, (clause,))

    def necessary_lemma(self, case: InductionCase, leaf: Leaf) -> Clause:
        """What excludes a false case, from as few of its assumptions as keep it false (Definition 8)."""
        return self._excluding(case, leaf, case.goal)

    def lemma_before(self, case: InductionCase, leaf: Leaf) -> Clause:
        """The same, without what only says that the predicate holds before the step.

        It is necessary, too: the step leads from every state that violates it to one that violates the predicate.
        """
        after = self._at(case.predicate, case.after, case.values)
        is_enough = leaf.assumptions.reduce(after) is self.connectives.false
        return self._excluding(case, leaf, after if is_enough else case.goal)

    def _excluding(self, case: InductionCase, leaf: Leaf, goal: Term) -> Clause:
        """What no state satisfies if the goal holds: as few assumptions of the leaf as make the goal false."""
        kept = list(leaf.assumptions.equations)
        for equation in list(kept):
            if equation.why is not Why.ASSUMPTION or case.bench.is_constant(equation.left):
                continue
            # Memberships that stand for the effective condition belong to the lemma in any case.
            conditions = [other for other in kept if other.why is Why.CONDITION]
            if self._memberships.stands_for_condition(equation, conditions):
                continue
            fewer = [other for other in kept if other is not equation]
            if Assumptions(case.bench, tuple(fewer)).reduce(goal) is self.connectives.false:
                kept = fewer
        return self._memberships.without_rests(clause_of(case.bench, (case.state, self.ots.state), kept))

    # --- cases

    def case(self, predicate: Predicate, name: CaseName) -> InductionCase:
        """The case of a predicate that a name stands for."""
        if name.is_base:
            return self.base_case(predicate, self.ots.initials[name.number])
        return self.induction_case(predicate, self.ots.transitions[name.number])

    def base_case(self, predicate: Predicate, initial: Symbol) -> InductionCase:
        """The predicate holds in an initial state."""
        bench = self._bench()
        values = self._constants(bench, predicate.parameters)
        arguments = tuple(self._constant(bench, sort.name.lower(), sort) for sort in initial.decls[0].arity)
        state = initial.make(arguments)
        goal = self._at(predicate, state, values)
        return InductionCase(predicate, None, bench, state, state, arguments, values, goal, (Assumptions(bench),))

    def induction_case(self, predicate: Predicate, transition: Transition) -> InductionCase:
        """The predicate holds after the transition if it holds before."""
        bench = self._bench()
        state = self._constant(bench, "s", self.ots.sort)
        arguments = self._constants(bench, transition.parameters)
        values = self._constants(bench, predicate.parameters)
        after = transition.operator.apply(state, arguments)
        before_term, after_term = self._at(predicate, state, values), self._at(predicate, after, values)
        goal = self.connectives.symbol(Builtin.IMPLIES).make((before_term, after_term))
        case = InductionCase(predicate, transition, bench, state, after, arguments, values, goal, ())
        return replace(case, starts=tuple(self._effective.starts(case, transition)))

    def leaves(self, case: InductionCase) -> Iterator[Leaf]:
        for start in case.starts:
            yield from self.splitter.leaves(case.bench, case.goal, start)

    # --- lemmas about data

    def state_lemmas(self, names: Iterable[str]) -> None:
        """Prove lemmas about data that operators of the specification state; those that are not proved are not used."""
        self.book.prove_all_stated(
            symbol
            for name in names
            for symbol in self.rules
            if symbol.name == name and is_about_data(symbol, self.ots.sort, self.connectives)
        )

    def grant_lemmas(self, names: Iterable[str]) -> None:
        """Use lemmas about data without a proof: what is closed with them is not proved."""
        for name in names:
            for symbol in self.rules:
                lemma = stated_lemma(symbol, self.rules, self.connectives) if symbol.name == name else None
                if lemma is not None:
                    self._data_predicates[name] = self.predicate(name, lemma.variables, lemma.formula)

    @property
    def data_predicates(self) -> list[Predicate]:
        """Lemmas about data, proved or granted, that operators state, or that are no rewrite rules: premises."""
        for proof in self.book.proofs:
            lemma = proof.lemma
            if (lemma.stated or lemma.rule is None) and lemma.name not in self._data_predicates:
                predicate = self.predicate(lemma.name, lemma.variables, lemma.formula)
                self._data_predicates[lemma.name] = replace(predicate, about=lemma.about)
        return list(self._data_predicates.values())

    @property
    def told_by_elements(self) -> frozenset[Symbol]:
        """Predicates of whole collections for which lemmas about data say what they mean for single elements."""
        said = (predicate.about[0] for predicate in self.data_predicates if predicate.about)
        boolean = self.connectives.true.sort
        return frozenset(
            term.op for term in said if term.sort is boolean and all(argument.op.variable for argument in term.args)
        )

    def learn(self, case: InductionCase, leaves: Iterable[Leaf]) -> bool:
        """Look for lemmas about data that open leaves are stuck for, or that exclude one; True if there are new ones.

        The goal before it is split shows what functions are applied to; leaves may have taken their arguments apart.
        """
        open_ones = [leaf for leaf in leaves if leaf.outcome in (LeafOutcome.FALSE, LeafOutcome.UNDECIDED)]
        if not open_ones:
            return False
        equations = [equation for leaf in open_ones for equation in leaf.assumptions.equations]
        sides = [side for equation in equations for side in (equation.left, equation.right)]
        compared = self.book.compare(index_patterns(sides, case.state))  # a goal may have very many monomials
        terms = [start.reduce(case.goal) for start in case.starts] + [leaf.value for leaf in open_ones] + sides
        if self.book.for_stuck(terms) or compared:
            return True
        return any(self.book.for_facts(leaf.assumptions.equations) for leaf in open_ones)

    def learn_early(self, case: InductionCase, known: Iterable[Predicate]) -> bool:
        """Look for lemmas about data that the goal is stuck for before any value is taken apart; True if there are new.

        Nothing is looked for if splitting on atoms closes the case.
        """
        before = case.bench.reductions
        terms = [start.reduce(case.goal) for start in case.starts]
        case.bench.reductions = before  # whoever splits the case in another process does not ask this
        if not self.book.may_learn(terms) or self._closed_by_atoms(case, KnownPredicates(case, known, self.ots.state)):
            return False
        return bool(self.book.for_stuck(terms))

    # --- cases with premises

    def refined(self, case: InductionCase, known: Iterable[Predicate]) -> list[RefinedLeaf]:
        """The leaves of a case; those of an induction case that stay false are split further with known predicates.

        If splitting on atoms alone closes the whole case with them, then constructors are not needed.
        """
        if case.transition is None:
            return [RefinedLeaf(leaf, (leaf,)) for leaf in self.leaves(case)]
        source = KnownPredicates(case, known, self.ots.state)
        if self.uses_premises:
            found = self._by_atoms(case, source) or self._by_laws(case, source)
            if found is not None:
                return [RefinedLeaf(leaf, (leaf,)) for leaf in found]
        attempts = [SplitAttempt(case.bench, self._refining(case, pair.full, source)) for pair in self._splitters]
        return shortest(attempts)

    def _refining(self, case: InductionCase, splitter: CaseSplitter, source: KnownPredicates) -> Iterator[RefinedLeaf]:
        for start in case.starts:
            for leaf in splitter.leaves(case.bench, case.goal, start):
                yield RefinedLeaf(leaf, self._parts(case, leaf, source, splitter))

    def _by_atoms(self, case: InductionCase, source: KnownPredicates) -> list[Leaf] | None:
        """The leaves without taking a value apart, if all are closed, or lemmas about data have said all of updates.

        The latter only where these lemmas tell what predicates of whole collections mean for their elements: elsewhere
        it takes too long to check that such leaves leave nothing out.
        """
        closed = self._closed_by_atoms(case, source)
        if closed is not None or not self.told_by_elements:
            return closed
        atoms = self._splitters[0].atoms
        starts = [atoms.leaves(case.bench, case.goal, start, source) for start in case.starts]
        found = list(chain.from_iterable(starts))
        return found if all(leaf.is_closed or self._is_settled(leaf) for leaf in found) else None

    def _by_laws(self, case: InductionCase, source: KnownPredicates) -> list[Leaf] | None:
        """The leaves without taking apart collections that lemmas about data speak of, if all are closed.

        What functions make of such a collection is what the lemmas say; what it is made of leads to ever longer ones.
        """
        spoken = frozenset(variable.sort for predicate in source.about_data for variable in predicate.parameters)
        if not spoken:
            return None
        updating, members = self.splitter.updating, self._memberships.operators
        policy, deadline = self.splitter.policy, self.deadline
        splitter = CaseSplitter(self.ots.sort, self.rules, updating, policy, deadline, members=members, whole=spoken)
        starts = [splitter.leaves(case.bench, case.goal, start, source) for start in case.starts]
        return _while_closed(chain.from_iterable(starts))

    def _is_settled(self, leaf: Leaf) -> bool:
        """Is a leaf false, and speaks of no updated value?"""
        sides = (side for e in leaf.assumptions.equations for side in (e.left, e.right))
        spoken = {part.op for side in sides for part in subterms(side)}
        return leaf.outcome is LeafOutcome.FALSE and spoken.isdisjoint(self.splitter.updating)

    def _closed_by_atoms(self, case: InductionCase, source: KnownPredicates) -> list[Leaf] | None:
        """The leaves, if all are closed without taking a value apart; both who learn and who split ask for them."""
        known = self._last_closed
        if known is None or known.case is not case or known.clauses != source.clauses:
            known = self._last_closed = _ClosedByAtoms(case, source.clauses, self._close_by_atoms(case, source))
        return known.leaves

    def _close_by_atoms(self, case: InductionCase, source: KnownPredicates) -> list[Leaf] | None:
        for pair in self._splitters:
            starts = [pair.atoms.leaves(case.bench, case.goal, start, source) for start in case.starts]
            found = _while_closed(chain.from_iterable(starts))
            if found is not None:
                return found
        return None

    def closing(self, case: InductionCase, leaf: Leaf, known: Iterable[Predicate]) -> tuple[Leaf, ...] | None:
        """The leaves that known predicates split an open leaf of an induction case into, if they close all of them."""
        source = KnownPredicates(case, known, self.ots.state)
        if leaf.outcome is LeafOutcome.UNDECIDED or not self.uses_premises:
            parts = self._parts(case, leaf, source, self.splitter)
            return parts if parts[0].is_closed else None
        found = _while_closed(self.splitter.leaves(case.bench, case.goal, leaf.assumptions, source))
        return None if found is None else tuple(found)

    def _parts(
        self, case: InductionCase, leaf: Leaf, source: KnownPredicates, splitter: CaseSplitter
    ) -> tuple[Leaf, ...]:
        if leaf.outcome is LeafOutcome.FALSE and self.uses_premises:
            return _all_or_one(leaf, splitter.leaves(case.bench, case.goal, leaf.assumptions, source))
        premise = None if leaf.is_closed else source.refuted(leaf.assumptions)
        return (leaf if premise is None else replace(leaf, outcome=LeafOutcome.EXCLUDED, premise=premise),)

    # --- constants

    def _bench(self) -> Workbench:
        bench = Workbench(self.ots.module, (*self._inequalities, *self.book.facts, *self.borrowed))
        bench.deadline = self.deadline
        return bench

    @cached_property
    def _inequalities(self) -> tuple[Equation, ...]:
        return inequalities(self.ots.module)

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

    def _updating_functions(self) -> frozenset[Symbol]:
        """Defined functions on data in the new values of observers."""
        values = [case.value for t in self.ots.transitions for effect in t.effects for case in effect.cases]
        symbols = {term.op for value in values for term in subterms(value)}
        functions = {s for s in symbols if s in self.rules and s.native is None and s.decls}
        kept = {s for s in functions if self.ots.sort not in s.decls[0].arity}
        return frozenset(kept)

"""Which stronger lemma to try first: one that no state of a sample refutes, and that asks for simple lemmas itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import islice

from otsrw.induction.cases import InductionCase
from otsrw.induction.clauses import Clause
from otsrw.induction.closing import excluding
from otsrw.induction.conservation import conserved_sums, counted_sizes
from otsrw.induction.effort import Effort
from otsrw.induction.evidence import Evidence
from otsrw.induction.growing import generalised, growing_family
from otsrw.induction.proof import Proof
from otsrw.induction.scheme import Induction
from otsrw.induction.strengthening import MAX_SIZE, cost, stronger_clauses
from otsrw.induction.vocabulary import CaseVocabulary
from otsrw.induction.widening import widened
from otsrw.reasoning.splitting import Leaf, LeafOutcome
from otsrw.records import NamedTuple
from otsrw.search.space import StateSpace
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Symbol, Term

MAX_OUTLOOKS = 3

MAX_VARIABLES = 2
"""Variables of each sort in a simple lemma, or as many as the property has."""


class _Outlook(NamedTuple):
    """What a lemma will ask for: literals that compute with observed values, open cases, literals."""

    computing: int
    cases: int
    literals: int


class Strengthener:
    """Chooses stronger lemmas for cases, as far as a sample of a larger instance can tell."""

    def __init__(
        self, induction: Induction, space: StateSpace, deadline: float | None, effort: Effort | None = None
    ) -> None:
        self.induction = induction
        self.ots = induction.ots
        self.effort = effort or Effort()
        self.evidence = Evidence(induction.ots, space, deadline, self.effort)
        self.vocabulary = CaseVocabulary(self.ots, induction.connectives)
        self._most_variables: int | None = None
        self._avoided: frozenset[Symbol] = frozenset()

    def most_promising(
        self, proof: Proof, case: InductionCase, leaves: Iterable[Leaf], most: int, is_frugal: bool = False
    ) -> Clause | None:
        """The best candidate for the first of these leaves that has one, or for a later one if it computes less."""
        best: Clause | None = None
        choices = list(leaves)
        for avoided in dict.fromkeys((self.induction.told_by_elements, frozenset())):
            self._avoided = avoided
            for leaf in choices:
                if best is None or cost(best)[0]:
                    found = self.promising(proof, case, leaf, most, is_frugal)
                    if found is not None and (best is None or cost(found)[0] < cost(best)[0]):
                        best = found
            if best is not None:
                break
        return best

    def promising(
        self, proof: Proof, case: InductionCase, leaf: Leaf, most: int, is_frugal: bool = False
    ) -> Clause | None:
        """The best candidate, for as many labels as it holds for, made of at most so many literals of the case.

        Among equally simple ones it is that whose own induction asks for the simplest lemmas. A frugal choice has few
        variables.
        """
        self._most_variables = max(MAX_VARIABLES, _most_of_a_sort(proof.root.parameters)) if is_frugal else None
        best = self._best(proof, case, leaf, most)
        if best is None:
            return None
        wide = widened(best, self.induction.connectives, case.bench.constants_of, self.evidence.holds)
        if wide is best or frozenset(wide.literals) in proof.refuted or not self._holds_at_first(wide):
            return best
        needed = self._outlook(proof, best)
        return wide if needed.cases and self._outlook(proof, wide).cases <= needed.cases else best

    def _best(self, proof: Proof, case: InductionCase, leaf: Leaf, most: int) -> Clause | None:
        chain = clauses_above(proof, case.predicate.name)
        small = (clause for clause in self._candidates(proof, case, leaf) if len(clause.literals) <= most)
        found = (self._of_no_family(proof, chain, clause) for clause in small)
        ordered = (clause for clause in found if clause is not None and self._holds_at_first(clause))
        candidates = list(islice(ordered, MAX_OUTLOOKS))
        if not candidates:
            return None
        tied = [clause for clause in candidates if cost(clause)[:3] == cost(candidates[0])[:3]]
        return tied[0] if len(tied) == 1 else min(tied, key=lambda clause: self._outlook(proof, clause))

    def _candidates(self, proof: Proof, case: InductionCase, leaf: Leaf) -> list[Clause]:
        """Clauses that exclude the case and hold in the sample, without those that are known to be false."""
        self.evidence.remember(proof.refuting)
        self.evidence.suppose(proof.supposed)
        laws = [law for law in self._laws if self._excludes(law, case, leaf)]
        return [
            *(law for law in laws if frozenset(law.literals) not in proof.refuted),
            *filter(self._is_simple, self._stronger(proof, case, leaf)),
        ]

    def _stronger(self, proof: Proof, case: InductionCase, leaf: Leaf) -> list[Clause]:
        """Parts of the case that hold in the sample, in words of computed indexes and of any index."""
        described = self.vocabulary.described(case, leaf.assumptions)
        found = stronger_clauses(described, self.evidence, proof.refuted)
        freely = self.vocabulary.described_freely(case, leaf.assumptions)
        if freely is None:
            return found
        found += stronger_clauses(freely, self.evidence, proof.refuted)
        return sorted({frozenset(clause.literals): clause for clause in found}.values(), key=cost)

    def _is_simple(self, clause: Clause) -> bool:
        if any(literal.atom.op in self._avoided for literal in clause.literals):
            return False
        return self._most_variables is None or _most_of_a_sort(clause.parameters) <= self._most_variables

    @cached_property
    def _laws(self) -> list[Clause]:
        """What seems to be conserved, or to count what is in a collection; what data say of sizes is proved first."""
        sums = conserved_sums(self.ots, self.induction.connectives, self.evidence)
        counted = counted_sizes(self.ots, self.induction.connectives, self.evidence)
        self.induction.book.for_sizes(literal.atom for law in sums + counted for literal in law.literals)
        return sums + counted

    def _excludes(self, law: Clause, case: InductionCase, leaf: Leaf) -> bool:
        """Does the law exclude the case, if need be after splitting, and with lemmas about data?"""
        said = substitute(law.literals[0].atom, {self.ots.state: case.state})
        if leaf.assumptions.reduce(said) is self.induction.connectives.false:
            return True
        predicate = self.induction.lemma("candidate", law)
        return self.induction.closing(case, leaf, [*self.induction.data_predicates, predicate]) is not None

    def _holds_at_first(self, clause: Clause) -> bool:
        """Is its base case closed? Otherwise it would be given up as soon as it is looked at."""
        predicate = self.induction.lemma("candidate", clause)
        cases = (self.induction.base_case(predicate, initial) for initial in self.ots.initials)
        return all(leaf.is_closed for case in cases for leaf in self.induction.leaves(case))

    def _of_no_family(self, proof: Proof, chain: list[Clause], clause: Clause) -> Clause | None:
        """The clause; if lemmas of its shape grow for ever, what they have in common, or None if that is false."""
        family = growing_family([*chain, clause])
        if not family:
            return clause
        wider = generalised(family[-2], clause)
        is_new = wider is not None and frozenset(wider.literals) not in proof.refuted
        return wider if wider is not None and is_new and self.evidence.holds(wider) else None

    def _outlook(self, proof: Proof, clause: Clause) -> _Outlook:
        """How hard the lemmas are that a lemma will ask for."""
        predicate = self.induction.lemma("outlook", clause)
        known = [*(node.predicate for node in proof.nodes.values()), predicate]
        computing = cases = literals = 0
        for transition in self.ots.transitions:
            case = self.induction.induction_case(predicate, transition)
            if self.induction.learn_early(case, known):
                case = self.induction.induction_case(predicate, transition)
            for leaf in self.induction.leaves(case):
                if leaf.outcome is not LeafOutcome.FALSE or excluding(case, leaf, known) is not None:
                    continue
                cases += 1
                best = next(iter(self._candidates(proof, case, leaf)), None)
                costs = (1, MAX_SIZE) if best is None else cost(best)[:2]
                computing += costs[0]
                literals += costs[1]
            self.effort.add(case.bench.reductions)
        return _Outlook(computing, cases, literals)


def _most_of_a_sort(variables: Iterable[Term]) -> int:
    """How many variables have the same sort."""
    return max(Counter(variable.sort for variable in variables).values(), default=0)


def clauses_above(proof: Proof, name: str) -> list[Clause]:
    """The clauses of a lemma and of those above it, the property first; predicates of several clauses are left out."""
    above = [proof.nodes[each].predicate for each in proof.chain(proof.nodes[name])] if name in proof.nodes else []
    return [predicate.clauses[0] for predicate in above if len(predicate.clauses) == 1]

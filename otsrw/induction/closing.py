"""Which lemma excludes a case."""

from __future__ import annotations

from collections.abc import Iterable

from otsrw.induction.cases import InductionCase, Predicate
from otsrw.induction.clauses import InstanceFinder
from otsrw.induction.results import LemmaInstance
from otsrw.reasoning.splitting import Leaf


def finder_for(case: InductionCase, leaf: Leaf) -> InstanceFinder:
    """Looks for values among the terms of a case."""
    return InstanceFinder(leaf.assumptions, case.state, (*case.values, *case.arguments))


def excluding(case: InductionCase, leaf: Leaf, predicates: Iterable[Predicate]) -> LemmaInstance | None:
    """The first of the predicates, with values, that no state of this case satisfies."""
    finder = finder_for(case, leaf)
    for predicate in predicates:
        for clause in predicate.clauses:
            found = finder.find(clause)
            if found is not None and all(p in found for p in predicate.parameters):
                return LemmaInstance(predicate.name, tuple(found[p] for p in predicate.parameters))
    return None

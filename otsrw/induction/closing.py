"""Which lemma excludes a case."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from otsrw.induction.cases import InductionCase, Predicate
from otsrw.induction.clauses import InstanceFinder
from otsrw.induction.results import Closed, LemmaInstance, Node
from otsrw.induction.scheme import Induction
from otsrw.induction.steps import OpenCase
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


def known_predicates(induction: Induction, nodes: Mapping[str, Node]) -> list[Predicate]:
    """What a case may use: the predicates of the proof, and proved lemmas about data."""
    return [*induction.data_predicates, *(node.predicate for node in nodes.values())]


def closed_leaf(induction: Induction, case: InductionCase, leaf: Leaf) -> Closed:
    """A closed leaf with the lemma that excludes it, if it needs one."""
    premise = leaf.premise
    if premise is None:
        return Closed(case, leaf)
    about_data = any(premise.name == predicate.name for predicate in induction.data_predicates)
    return Closed(case, leaf, (LemmaInstance(premise.name, premise.values, about_data),))


def closed_by(induction: Induction, open_case: OpenCase, known: Iterable[Predicate]) -> tuple[Closed, ...]:
    """An open case as closed by known predicates; nothing if they do not close it."""
    leaves = induction.closing(open_case.case, open_case.leaf, known)
    return () if leaves is None else tuple(closed_leaf(induction, open_case.case, leaf) for leaf in leaves)

"""Lemmas that a new lemma makes superfluous: whatever violates one of them violates the new one as well.

A clause implies another one if an instance of it has literals of the other one only. A lemma that waits in the queue
and is implied by a new lemma leaves the tree, and the cases that it closed are closed by the new one. Nothing that
could be found is lost: a state that violates the lemma violates the new one, which is necessary for the property if the
lemma was. What a known lemma implies never joins the queue, because it closes the case.
"""

from __future__ import annotations

from collections.abc import Iterator

from otsrw.induction.clauses import MAX_MATCHING, Clause
from otsrw.induction.proof import Proof
from otsrw.induction.results import Closed, LemmaInstance, Node, NodeKind
from otsrw.induction.steps import Superseded
from otsrw.ots.stepping import Bindings
from otsrw.reasoning.connectives import Literal
from otsrw.reasoning.splitting import Premise
from otsrw.records import replace
from otsrw.rewriting.associative import MatchingTooLong
from otsrw.rewriting.matching import Matcher
from otsrw.theory.morphisms import substitute
from otsrw.theory.sorts import SortOrder

MAX_TRIED = 2000
"""Literals that are matched for one pair of clauses."""


def implying_instance(general: Clause, special: Clause, order: SortOrder) -> Bindings | None:
    """Values, in terms of the variables of a clause, for which all literals of another one are among its own.

    Then the other one implies it. None if none are found.
    """
    if general.state is not special.state:
        return None
    return next(_Matching(special, order).instances(general.literals, {general.state: special.state}), None)


class _Matching:
    """Looks for literals of one clause among those of another one."""

    def __init__(self, special: Clause, order: SortOrder) -> None:
        self._literals = special.literals
        self._matcher = Matcher(order, most=MAX_MATCHING)
        self._tried = 0

    def instances(self, literals: tuple[Literal, ...], bound: Bindings) -> Iterator[Bindings]:
        if not literals:
            yield bound
            return
        first, rest = literals[0], literals[1:]
        for literal in self._literals:
            if literal.positive is first.positive and literal.atom.op is first.atom.op:
                for found in self._matches(first, literal, bound):
                    yield from self.instances(rest, found)

    def _matches(self, pattern: Literal, literal: Literal, bound: Bindings) -> Iterator[Bindings]:
        self._tried += 1
        self._matcher.steps = 0
        if self._tried > MAX_TRIED:
            return
        try:
            yield from self._matcher.match(pattern.atom, literal.atom, bound)
        except MatchingTooLong:
            return


def superseded_by(proof: Proof, lemma: Node, order: SortOrder) -> tuple[Superseded, ...]:
    """The waiting lemmas that a new lemma, which is not in the tree yet, implies, with the cases they closed."""
    found = []
    parents = {node.parent for node in proof.nodes.values()}  # a lemma that waits again may have lemmas below it
    for name in proof.agenda.queue:
        node = proof.nodes[name]
        if node.kind is NodeKind.NECESSARY and name not in parents and (lemma.is_exact or not node.is_exact):
            values = implying_instance(lemma.predicate.clauses[0], node.predicate.clauses[0], order)
            cases = None if values is None else _closed_anew(proof, node, lemma, values)
            if cases is not None:
                found.append(Superseded(name, cases))
    return tuple(found)


def _closed_anew(proof: Proof, old: Node, new: Node, values: Bindings) -> dict[Closed, Closed] | None:
    """The cases that a lemma closes, each as the other lemma closes it; None if it does not close all of them."""
    found: dict[Closed, Closed] = {}
    for node in proof.nodes.values():
        if old.name in node.uses:
            for closed in node.cases:
                if any(instance.name == old.name for instance in closed.lemmas):
                    other = _closed_by(closed, old, new, values)
                    if other is None:
                        return None
                    found[closed] = other
    return found


def _closed_by(closed: Closed, old: Node, new: Node, values: Bindings) -> Closed | None:
    premise, assumptions = closed.leaf.premise, closed.leaf.assumptions
    if premise is None or premise.name != old.name:
        return None
    images = dict(zip(old.predicate.parameters, premise.values, strict=True))
    own = tuple(substitute(values[parameter], images) for parameter in new.predicate.parameters)
    at = {new.predicate.clauses[0].state: closed.case.state, **dict(zip(new.predicate.parameters, own, strict=True))}
    formula = substitute(new.predicate.formula, at)
    if assumptions.reduce(formula) is not assumptions.bench.connectives.false:
        return None
    leaf = replace(closed.leaf, premise=Premise(new.name, own, formula))
    return Closed(closed.case, leaf, (LemmaInstance(new.name, own),))

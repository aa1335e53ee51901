"""Classes of all counterexamples within a bound: which facts may be used, and which engine looks for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otsrw.application.loading import run_into
from otsrw.application.stages import Explored
from otsrw.ots import Instance
from otsrw.syntax.diagnostics import OtsrwError, Tell, did_you_mean
from otsrw.theory.modules import Module
from otsrw.traces.bounded import BoundedTraces
from otsrw.traces.classification import Classification, classify
from otsrw.traces.constraints import TracePredicate, Vocabulary
from otsrw.traces.explicit import ExplicitEngine
from otsrw.traces.predicates import (
    SpecifiedPredicates,
    collected_arguments,
    predicate_operators,
    property_variables,
    slots_named,
)
from otsrw.traces.renaming import EntityGroups, grouped
from otsrw.traces.symbolic import SymbolicEngine


@dataclass(frozen=True, slots=True)
class Facts:
    """What facts about counterexamples may mention."""

    predicates: tuple[str, ...] = ()
    """Files with predicates on states."""
    only: bool = False
    """Make facts of these predicates alone."""
    show: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    relations: bool = False
    """Let facts relate arguments of events to each other."""


def vocabulary_of(explored: Explored, facts: Facts, tell: Tell | None = None) -> Vocabulary:
    """The vocabulary of facts; the observers of the invariant and collected arguments are hidden unless shown."""
    assert explored.invariant is not None, "there is something to classify only if an invariant is violated"
    instance = explored.instantiated.instance
    hidden = property_variables(instance, explored.invariant) | _variables(facts.hide, instance)
    hidden |= collected_arguments(instance)
    hidden -= _variables(facts.show, instance)
    predicates = tuple(p for file in facts.predicates for p in _predicates(explored, file, facts.only, tell))
    return Vocabulary(predicates, not facts.only, not facts.only, hidden, facts.relations)


def classified(
    explored: Explored, vocabulary: Vocabulary, depth: int, engine: type[ExplicitEngine | SymbolicEngine]
) -> Classification:
    """The classes; the representative of each is replayed with the equations."""
    found = classify(engine(BoundedTraces(explored.graph.lts, explored.graph.safety, depth)), vocabulary)
    for example in found.classes:
        explored.graph.confirm(example.representative)
    return grouped(found, EntityGroups(explored.graph.interchangeable()))


def _variables(names: Sequence[str], instance: Instance) -> frozenset[str]:
    found: set[str] = set()
    for name in names:
        slots = slots_named(instance, name)
        if not slots:
            known = [slot.name for slot in instance.slots]
            raise OtsrwError("E519", f"there is no variable {name!r}", hint=did_you_mean(name, known))
        found.update(slots)
    return frozenset(found)


def _predicates(explored: Explored, file: str, only: bool, tell: Tell | None) -> list[TracePredicate]:
    """The predicates of a file; they are summaries unless facts are made of nothing else."""
    instance, recognised = explored.instantiated.instance, explored.instantiated.recognised
    module = _module_of(explored, file, tell)
    operators = [] if module is None else predicate_operators(module, instance.ots)
    if module is None or not operators:
        hint = f"declare one in a module that imports {recognised.ots.name}: op p : Sys Sys -> Bool"
        raise OtsrwError("E532", f"there is no predicate on states in {file!r}", hint=hint)
    specified = SpecifiedPredicates(instance, module, explored.graph)
    return [specified.predicate(operator, summary=not only) for operator in operators]


def _module_of(explored: Explored, file: str, tell: Tell | None) -> Module | None:
    """The last module of a file that sees the state sort, loaded after the specification; None if there is none."""
    recognised = explored.instantiated.recognised
    session, state = recognised.loaded.session, recognised.ots.sort
    known = dict(session.library.modules)
    run_into(session, file, tell)
    new = [module for name, module in session.library.modules.items() if known.get(name) is not module]
    candidates = [m for m in new if not m.all_parameters() and state in m.visible_sorts().get(state.name, ())]
    return candidates[-1] if candidates else None

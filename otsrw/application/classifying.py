"""Classes of all counterexamples within a bound: which facts may be used, and which engine looks for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from otsrw.application.loading import run_into
from otsrw.application.stages import Explored
from otsrw.application.systems import System
from otsrw.syntax.diagnostics import OtsrwError, Tell, did_you_mean
from otsrw.theory.modules import Module
from otsrw.traces.bounded import BoundedTraces
from otsrw.traces.claims import Claim
from otsrw.traces.classification import Classification, classify
from otsrw.traces.constraints import TracePredicate, Vocabulary
from otsrw.traces.explicit import ExplicitEngine
from otsrw.traces.lasso_traces import violation_traces
from otsrw.traces.predicates import (
    SpecifiedPredicates,
    collected_arguments,
    predicate_operators,
    property_variables,
    slots_named,
)
from otsrw.traces.renaming import EntityGroups, grouped
from otsrw.traces.symbolic import SymbolicEngine
from otsrw.traces.temporal import TemporalArena, TemporalProperty


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


@dataclass(frozen=True, eq=False, slots=True)
class ClassifiedSystem:
    """A system, what is claimed of it, and the specification behind it; that is None for a file of labels."""

    system: System
    explored: Explored | None

    @property
    def cut(self) -> bool:
        """Whether states were left out."""
        return self.explored is not None and self.explored.graph.cut

    def vocabulary(self, facts: Facts, tell: Tell | None = None) -> Vocabulary:
        """What facts may say; what the property mentions and collected arguments are hidden unless shown.

        The state of a file of labels is only a number, and hidden, too.
        """
        explored, predicates = self.explored, list[TracePredicate]()
        known = self.system.lts.observers or ("state",)
        hidden = frozenset() if self.system.lts.observers else frozenset(known)
        if explored is not None:
            instance = explored.instantiated.instance
            hidden = collected_arguments(instance)
            if explored.invariant is not None:
                hidden |= property_variables(instance, explored.invariant)
            predicates = [p for file in facts.predicates for p in _predicates(explored, file, facts.only, tell)]
        elif facts.predicates:
            raise OtsrwError("E532", "predicates on states need a specification, not a file of labels")
        temporal = self.temporal
        if temporal is not None:
            hidden |= {atom.name for atom in temporal.formula.atoms() if atom.name in known}
        hidden = (hidden | self._variables(facts.hide)) - self._variables(facts.show)
        return Vocabulary(tuple(predicates), not facts.only, not facts.only, hidden, facts.relations)

    @property
    def temporal(self) -> TemporalProperty | None:
        """The formula that is claimed, also for labels that are inevitable; None for an invariant."""
        return self.system.as_formula if self.system.claim.labels else self.system.temporal

    def classified(
        self, vocabulary: Vocabulary, depth: int, engine: type[ExplicitEngine | SymbolicEngine]
    ) -> Classification:
        """The classes; what shows each of them is replayed with the equations if there are any."""
        temporal, graph = self.temporal, self.system.graph
        if temporal is not None:
            watched = violation_traces(TemporalArena(self.system.lts, temporal), depth)
            found = classify(engine(watched.traces), vocabulary).with_paths(watched.system_path)
        else:
            assert self.system.safety is not None, "an invariant, labels or a formula are claimed"
            found = classify(engine(BoundedTraces(self.system.lts, self.system.safety, depth)), vocabulary)
        if graph is None:
            return found
        for example in found.classes:
            graph.confirm(example.representative)
        return found if temporal is not None else grouped(found, EntityGroups(graph.interchangeable()))

    def _variables(self, names: Sequence[str]) -> frozenset[str]:
        found: set[str] = set()
        known = self.system.lts.observers or ("state",)
        for name in names:
            slots = [name] if name in known else []
            if self.explored is not None:
                slots = slots_named(self.explored.instantiated.instance, name)
            if not slots:
                raise OtsrwError("E519", f"there is no variable {name!r}", hint=did_you_mean(name, known))
            found.update(slots)
        return frozenset(found)


def classified(explored: Explored, facts: Facts, depth: int) -> Classification:
    """The classes of the counterexamples of an invariant."""
    asked = ClassifiedSystem(System.of(explored, Claim()), explored)
    return asked.classified(asked.vocabulary(facts), depth, ExplicitEngine)


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

"""Classes of all counterexamples within a bound: which facts may be used, and which engine looks for them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from otsrw.application.loading import run_into
from otsrw.application.stages import Explored
from otsrw.application.systems import System
from otsrw.records import dataclass, replace
from otsrw.search.space import SearchListener
from otsrw.syntax.diagnostics import BudgetExceeded, OtsrwError, Tell, did_you_mean
from otsrw.theory.modules import Module
from otsrw.traces.bounded import BoundedTraces
from otsrw.traces.claims import Claim
from otsrw.traces.classification import Classification, classify
from otsrw.traces.constraints import TraceConstraint, TracePredicate, Vocabulary
from otsrw.traces.explicit import ExplicitEngine
from otsrw.traces.lasso_traces import violation_traces
from otsrw.traces.lasting_classes import ANY_LENGTH, MOST_NODES, LastingClasses, lasting_classes
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


@dataclass(frozen=True, slots=True)
class LargerBound:
    """Which larger bound is tried, to see whether classes last."""

    depth: int
    """The bound that they were found with."""
    bound: int | None
    """The bound to try; None for as many states as `max_states` allows."""
    max_states: int
    listener: SearchListener | None = None


@dataclass(frozen=True, eq=False, slots=True)
class ClassifiedSystem:
    """A system, what is claimed of it, and the specification behind it; that is None for a file of labels."""

    system: System
    explored: Explored | None
    modules: tuple[Module, ...] = ()
    """Modules with predicates on states."""

    @classmethod
    def of(cls, system: System, facts: Facts, tell: Tell | None = None) -> ClassifiedSystem:
        """The system with the predicates that facts may use, which are loaded after the specification."""
        if system.part is None and facts.predicates:
            raise OtsrwError("E532", "predicates on states need a specification, not a file of labels")
        modules = [_module_of(system.part, file, tell) for file in facts.predicates if system.part is not None]
        return cls(system, system.part, tuple(modules))

    @property
    def cut(self) -> bool:
        """Whether states were left out."""
        return self.explored is not None and self.explored.graph.cut

    def vocabulary(self, facts: Facts) -> Vocabulary:
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
            predicates = [p for module in self.modules for p in _predicates(explored, module, facts.only)]
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
        return grouped(found, EntityGroups(self.system.interchangeable()))

    def lasting(self, found: Classification, facts: Facts, asked: LargerBound) -> LastingClasses | None:
        """Whether the classes last with a larger bound; None if no larger one could be tried."""
        system = self.system.larger(asked.bound, asked.max_states, asked.listener) or self.system
        larger = replace(self, system=system, explored=system.part)
        bound = None if system.graph is None else system.graph.complete_depth
        bound = asked.bound or ANY_LENGTH if bound is None else bound
        predicates = {predicate.name: predicate for predicate in larger.vocabulary(facts).predicates}
        constraints = [each.constraint.with_predicates(predicates) for each in found.classes]
        for steps in sorted({bound, *(n for n in (2 * asked.depth, asked.depth + 1) if n < bound)}, reverse=True):
            if steps > asked.depth:
                with suppress(BudgetExceeded):
                    return larger.tried(constraints, steps)
        return None

    def tried(self, constraints: list[TraceConstraint], bound: int) -> LastingClasses:
        """The classes with a larger bound; what shows that one does not last is replayed."""
        temporal, graph, lts = self.temporal, self.system.graph, self.system.lts
        if temporal is None:
            assert self.system.safety is not None, "an invariant, labels or a formula are claimed"
            traces = BoundedTraces(lts, self.system.safety, bound)
            found = lasting_classes(traces, constraints, lambda path: path, lts)
        else:
            watched = violation_traces(TemporalArena(lts, temporal), bound, MOST_NODES)
            found = lasting_classes(watched.traces, constraints, watched.system_path, lts)
        for answer in (*found.answers, found.covers):
            if graph is not None and answer.satisfying is not None:
                graph.confirm(answer.satisfying)
        return found

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
    asked = ClassifiedSystem.of(System.of(explored, Claim()), facts)
    return asked.classified(asked.vocabulary(facts), depth, ExplicitEngine)


def _predicates(explored: Explored, module: Module, only: bool) -> list[TracePredicate]:
    """The predicates of a module; they are summaries unless facts are made of nothing else."""
    instance = explored.instantiated.instance
    specified = SpecifiedPredicates(instance, module, explored.graph)
    operators = predicate_operators(module, instance.ots)
    return [specified.predicate(operator, summary=not only) for operator in operators]


def _module_of(explored: Explored, file: str, tell: Tell | None) -> Module:
    """The last module of a file that sees the state sort, loaded after the specification; it has to have predicates."""
    recognised = explored.instantiated.recognised
    session, state = recognised.loaded.session, recognised.ots.sort
    known = dict(session.library.modules)
    run_into(session, file, tell)
    new = [module for name, module in session.library.modules.items() if known.get(name) is not module]
    candidates = [m for m in new if not m.all_parameters() and state in m.visible_sorts().get(state.name, ())]
    if not candidates or not predicate_operators(candidates[-1], explored.instantiated.instance.ots):
        hint = f"declare one in a module that imports {recognised.ots.name}: op p : Sys Sys -> Bool"
        raise OtsrwError("E532", f"there is no predicate on states in {file!r}", hint=hint)
    return candidates[-1]

"""How many entities are enough for runs of a given length: docs/entities.md has the theorem and its proof.

A run of k steps that violates a predicate speaks of few entities: those that the specification names, those of the
initial state, those that steps bring in, and those of the violation. Without the others it is a run as well, because
no equation looks at entities that its left side does not name. A step brings in the entities that its plan
enumerates; what it takes from observed values was there before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from otsrw.ots.binding import Enumerate, Plan, Theory
from otsrw.ots.instance import Instance, is_open
from otsrw.ots.model import Invariant
from otsrw.ots.stepping import transition_plans, violation_plans
from otsrw.records import dataclass
from otsrw.syntax.source import NOWHERE, Span
from otsrw.theory.printing import show, show_plainly
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import LiteralTerm, Symbol, Term, variables_of


@dataclass(frozen=True, slots=True)
class EntityDemand:
    """How many entities of a sort a run may speak of, and where they come from."""

    sort: str
    named: int
    """Constants of the specification."""
    initial: int
    """Most that an initial state has as arguments."""
    per_step: int
    """Most that one step brings in."""
    violation: int
    """Most that a violation brings in."""

    def enough(self, depth: int) -> int:
        """So many are enough for runs of that length; there is always one."""
        return max(1, self.named + self.initial + depth * self.per_step + self.violation)

    def depth(self, count: int) -> int | None:
        """The greatest length of runs that so many entities are enough for, -1 for none; None: for all."""
        if count < self.enough(0):
            return -1
        return None if not self.per_step else (count - self.enough(0)) // self.per_step


@dataclass(frozen=True, slots=True)
class DemandObstacle:
    """Why nothing is known of larger numbers of entities."""

    reason: str
    span: Span = NOWHERE

    def __str__(self) -> str:
        return self.reason if self.span is NOWHERE else f"{self.reason} (line {self.span.line})"


@dataclass(frozen=True, slots=True)
class EntityDemands:
    """The demands of all sorts that may have any number of entities, or why they are not known."""

    demands: tuple[EntityDemand, ...]
    obstacles: tuple[DemandObstacle, ...]

    def enough(self, depth: int) -> dict[str, int]:
        """So many entities of each sort are enough for runs of that length; nothing if that is not known."""
        return {} if self.obstacles else {demand.sort: demand.enough(depth) for demand in self.demands}

    def depth(self, given: Mapping[str, tuple[str, ...]]) -> int | None:
        """The greatest length of runs that the given entities are enough for, -1 for none; None: for all."""
        if self.obstacles or not self.demands:
            return -1
        depths = [demand.depth(len(given[demand.sort])) for demand in self.demands]
        return min((depth for depth in depths if depth is not None), default=None)


def entity_demands(instance: Instance, predicates: Iterable[Invariant] = ()) -> EntityDemands:
    """The demands of the sorts of an instance; the predicates are in the terms of the instance.

    Raises what planning raises if a parameter has no values to try.
    """
    return _DemandFinder(instance, tuple(predicates)).demands()


class _DemandFinder:
    def __init__(self, instance: Instance, predicates: tuple[Invariant, ...]) -> None:
        self.instance = instance
        self.predicates = predicates
        self.theory = Theory(instance)
        visible = instance.module.visible_sorts()
        own = {name: visible[name][-1] for name in instance.given}
        self.sorts = {name: sort for name, sort in own.items() if is_open(instance.base.module, sort)}

    def demands(self) -> EntityDemands:
        obstacles = tuple(self._obstacles())
        return EntityDemands(tuple(self._demand(name, sort) for name, sort in self.sorts.items()), obstacles)

    # --- what a run brings in

    def _demand(self, name: str, sort: Sort) -> EntityDemand:
        ots = self.instance.ots
        steps = [plan for t in ots.transitions for _, plan in transition_plans(self.theory, t)]
        violations = [plan for each in self.predicates for _, plan in violation_plans(self.theory, each)]
        starts = [sum(self._inside(part, sort) for part in symbol.decls[0].arity) for symbol in ots.initials]
        return EntityDemand(
            name,
            len(self._named(sort)),
            max(starts, default=0),
            max((self._brought(plan, sort) for plan in steps), default=0),
            max((self._brought(plan, sort) for plan in violations), default=0),
        )

    def _brought(self, plan: Plan, sort: Sort) -> int:
        return sum(self._inside(step.variable.sort, sort) for step in plan.steps if isinstance(step, Enumerate))

    def _inside(self, sort: Sort, entities: Sort) -> int:
        """Most entities that occur in an element of a sort."""
        return max((_occurrences(element, entities) for element in self.instance.domain(sort) or ()), default=0)

    def _named(self, sort: Sort) -> list[Symbol]:
        """The constants of a sort that the specification itself names."""
        signature = self.instance.base.module.signature
        return [s for s in signature.symbols() if s.decls and s.nargs == 0 and s.decls[0].coarity is sort]

    # --- what spoils the theorem

    def _obstacles(self) -> Iterator[DemandObstacle]:
        for slot in self.instance.arbitrary:
            yield DemandObstacle(f"nothing says what {slot.name} is initially", slot.observer.symbol.decls[0].span)
        for name, sort in self.sorts.items():
            yield from self._missing_entities(name, sort)
            yield from self._builders(name, sort)
        yield from self._free_variables()

    def _missing_entities(self, name: str, sort: Sort) -> Iterator[DemandObstacle]:
        domain = self.instance.domain(sort) or ()
        for symbol in self._named(sort):
            if self.instance.normal_form(self._own(symbol)) not in domain:
                yield DemandObstacle(f"{symbol.name} is no entity of {name} here", symbol.decls[0].span)
        for term in domain:
            if term.args or isinstance(term, LiteralTerm):
                yield DemandObstacle(f"{show(term)}, an entity of {name}, is no constant")

    def _own(self, symbol: Symbol) -> Term:
        """A constant of the specification in the module of the instance."""
        return self.instance.module.signature.translate(symbol.make(()), {})

    def _builders(self, name: str, sort: Sort) -> Iterator[DemandObstacle]:
        """Operators that make other elements of a sort, and that no equation evaluates."""
        signature = self.instance.module.signature
        for symbol in signature.symbols():
            if symbol.nargs and symbol.native is None and symbol not in self.instance.rules:
                for decl in symbol.decls:
                    if signature.order.leq(decl.coarity, sort) and self.instance.ots.sort not in decl.arity:
                        yield DemandObstacle(f"{symbol.name} makes other elements of {name}", decl.span)

    def _free_variables(self) -> Iterator[DemandObstacle]:
        """Equations that speak of values which their left side does not name; no search uses them."""
        for _, axiom in self.instance.base.module.flat_axioms():
            known = set(variables_of(axiom.lhs))
            parts = [axiom.rhs] if axiom.condition is None else [axiom.rhs, axiom.condition]
            free = [v for part in parts for v in variables_of(part) if v not in known]
            if free and not axiom.is_transition:
                reason = f"the equation for {show_plainly(axiom.lhs)} also speaks of {free[0].op.name}"
                yield DemandObstacle(reason, axiom.span)


def _occurrences(term: Term, sort: Sort) -> int:
    """How often constants of a sort occur in a term."""
    if term.args:
        return sum(_occurrences(arg, sort) for arg in term.args)
    return int(bool(term.op.decls) and term.op.decls[0].coarity is sort)

"""Classes of counterexamples: a few trace constraints that together cover all of them.

*Counterexample Classification*, Algorithms 1 to 3, with these changes: a constraint is minimised against the system and
the property, which are never dropped; redundant classes are removed one after the other, so that two which cover each
other's traces do not both go; classes of summary predicates are found first and stay, marked with what covers them.
They are a second view of the same counterexamples: the other classes cover all that can be covered without them.

Each constraint is sufficient: no trace within the bound satisfies it and the property. Each step is a question to an
engine, explicit or symbolic; both give the same answers, so both give the same classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from otsrw.display import Displayed
from otsrw.records import dataclass, replace
from otsrw.traces.bounded import Engine
from otsrw.traces.constraints import (
    Before,
    Contains,
    Equals,
    Fact,
    Moment,
    Placed,
    Satisfies,
    TraceConstraint,
    TracePredicate,
    Vocabulary,
)
from otsrw.traces.facts import facts_of
from otsrw.traces.lts import Path


@dataclass(frozen=True, slots=True)
class CounterexampleClass:
    """A constraint with a trace that shows it, canonical (Definition 8) if no other class has that trace.

    `covered_by` are the numbers of other classes that have all its traces; `covers` is how many it has itself.
    `image_of` is the number of an earlier class that becomes this one if entities are renamed as `renaming` says.
    """

    constraint: TraceConstraint
    representative: Path
    canonical: bool
    covers: int | None
    covered_by: tuple[int, ...] = ()
    image_of: int | None = None
    renaming: tuple[tuple[str, str], ...] = ()
    renamings: tuple[tuple[tuple[str, str], ...], ...] = ()
    """The renamings that make further classes of this one, if those are left out."""


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A counterexample that the vocabulary cannot tell from a trace that satisfies the property."""

    counterexample: Path
    satisfying: Path | None


@dataclass(frozen=True, repr=False, slots=True)
class Classification(Displayed):
    """All classes, those of summary predicates first; what was found so far if some trace stays unexplained."""

    classes: tuple[CounterexampleClass, ...]
    counterexamples: int | None
    unexplained: Unexplained | None = None

    @property
    def ideas(self) -> int:
        """How many classes there are if those that differ only in their entities are one."""
        return sum(found.image_of is None for found in self.classes)

    def with_paths(self, made: Callable[[Path], Path]) -> Classification:
        """The same with other paths, if the traces were those of a system that was made for the purpose."""
        classes = tuple(replace(found, representative=made(found.representative)) for found in self.classes)
        rest = self.unexplained
        if rest is not None:
            satisfying = None if rest.satisfying is None else made(rest.satisfying)
            rest = Unexplained(made(rest.counterexample), satisfying)
        return replace(self, classes=classes, unexplained=rest)

    def without_images(self) -> Classification:
        """One class for each idea, with the renamings that make other classes of it."""
        first = [number for number, found in enumerate(self.classes) if found.image_of is None]
        new = {number: position for position, number in enumerate(first)}
        kept = tuple(
            replace(
                self.classes[number],
                covered_by=tuple(new[other] for other in self.classes[number].covered_by if other in new),
                renamings=tuple(found.renaming for found in self.classes if found.image_of == number),
            )
            for number in first
        )
        return replace(self, classes=kept)


def classify(engine: Engine, vocabulary: Vocabulary) -> Classification:
    """Algorithm 1, once for what each summary predicate describes and once, without them, for all counterexamples."""
    named = tuple(p for p in vocabulary.predicates if p.summary)
    summaries = [c for predicate in named for c in _summary_classes(engine, vocabulary, predicate)]
    plain = replace(vocabulary, predicates=tuple(p for p in vocabulary.predicates if not p.summary))
    found: list[TraceConstraint] = []
    aside: list[TraceConstraint] = []
    unexplained: Unexplained | None = None
    while (path := engine.find(True, outside=[*found, *aside])) is not None:
        moments = engine.traces.moments_of(path)
        constraint = _explained(engine, moments, plain)
        if constraint is None and summaries and not aside:
            aside = summaries
            continue
        if constraint is None and named:
            constraint = _explained(engine, moments, vocabulary)
        if constraint is None:
            every = facts_of(moments, vocabulary, vocabulary.details[-1])
            satisfying = engine.find(False, [TraceConstraint(every)])
            unexplained = Unexplained(path, satisfying)
            break
        found.append(constraint)
    if unexplained is None:
        found = _without_redundant(engine, found, aside)
    return Classification(_described(engine, [*summaries, *found]), engine.count(True), unexplained)


def _summary_classes(engine: Engine, vocabulary: Vocabulary, predicate: TracePredicate) -> list[TraceConstraint]:
    """Classes for what a predicate describes: it alone if that is sufficient, else with a minimal set of facts."""
    described = TraceConstraint((Satisfies(predicate, tuple(range(predicate.arity))),))
    found: list[TraceConstraint] = []
    while (path := engine.find(True, [described], found)) is not None:
        facts = facts_of(engine.traces.moments_of(path), vocabulary)
        central = next(f for f in facts if isinstance(f, Satisfies) and f.predicate is predicate)
        others = tuple(fact for fact in facts if fact is not central)
        if not _is_sufficient(engine, facts):
            break
        found.append(TraceConstraint((*_minimised(engine, others, (central,)), central)))
    return found


def _explained(engine: Engine, moments: Sequence[Moment], vocabulary: Vocabulary) -> TraceConstraint | None:
    """A minimal sufficient constraint for a trace (Algorithm 2); none if all its facts are not sufficient.

    What says more of the trace, such as an index, is used only if less is not enough.
    """
    if _is_sufficient(engine, ()):  # no trace satisfies the property
        return TraceConstraint(())
    known: tuple[Fact, ...] = ()
    for detail in vocabulary.details:
        facts = facts_of(moments, vocabulary, detail)
        if not facts or facts == known or not _is_sufficient(engine, facts):
            known = facts
            continue
        single = None if vocabulary.relations else _widest_single(engine, facts)
        return single if single is not None else TraceConstraint(_minimised(engine, facts))
    return None


def _is_sufficient(engine: Engine, facts: Sequence[Fact]) -> bool:
    return engine.find(False, [TraceConstraint(tuple(facts))]) is None


def _widest_single(engine: Engine, facts: tuple[Fact, ...]) -> TraceConstraint | None:
    """A constraint of one fact that is sufficient and has at least the traces of any other such constraint it meets."""
    best: TraceConstraint | None = None
    seen: set[object] = set()
    for fact in reversed(facts):
        kind = _kind(fact)
        if isinstance(fact, Before | Placed) or kind in seen:
            continue
        seen.add(kind)
        if not _is_sufficient(engine, [fact]):
            continue
        other = TraceConstraint((fact,))
        if best is None or (_covers(engine, other, best) and not _covers(engine, best, other)):
            best = other
    return best


def _kind(fact: Fact) -> object:
    """Facts of one kind differ only in their positions."""
    match fact:
        case Equals(_, variable, value):
            return variable, value, isinstance(value, bool)
        case Contains(_, variable, element):
            return "in", variable, element
        case Satisfies(predicate, _):
            return predicate
    return None


def _covers(engine: Engine, one: TraceConstraint, other: TraceConstraint) -> bool:
    """Whether a constraint has every counterexample of another."""
    return engine.find(True, [other], [one]) is None


def _minimised(engine: Engine, facts: tuple[Fact, ...], always: tuple[Fact, ...] = ()) -> tuple[Fact, ...]:
    """What is left when facts are dropped in order, each if the others, and those kept always, are still sufficient.

    Many go at a time: a stretch that can be dropped as a whole would be dropped one by one, too.
    """
    kept = list(facts)
    stretches = [(0, len(facts))] if facts else []
    while stretches:
        start, end = stretches.pop()
        stretch = set(facts[start:end])
        without = [fact for fact in kept if fact not in stretch]
        if _is_sufficient(engine, (*without, *always)):
            kept = without
        elif end - start > 1:
            middle = (start + end) // 2
            stretches += [(middle, end), (start, middle)]
    return tuple(kept)


def _without_redundant(
    engine: Engine, constraints: list[TraceConstraint], aside: list[TraceConstraint]
) -> list[TraceConstraint]:
    """Algorithm 3, oldest first on the shrinking list; what is set aside is covered anyway."""
    kept = list(constraints)
    for constraint in constraints:
        others = [other for other in kept if other is not constraint]
        if engine.find(True, outside=[*others, *aside]) is None:
            kept = others
    return kept


def _described(engine: Engine, constraints: list[TraceConstraint]) -> tuple[CounterexampleClass, ...]:
    classes = []
    for number, constraint in enumerate(constraints):
        others = [other for other in constraints if other is not constraint]
        path = engine.find(True, [constraint], others)
        canonical = path is not None
        if path is None:
            path = engine.find(True, [constraint])
        if path is None:
            raise AssertionError("a class without counterexamples")
        covered_by = () if canonical else _coverers(engine, constraints, number)
        classes.append(CounterexampleClass(constraint, path, canonical, engine.count(True, [constraint]), covered_by))
    return tuple(classes)


def _coverers(engine: Engine, constraints: list[TraceConstraint], number: int) -> tuple[int, ...]:
    """The first class that covers another one alone; if there is none, all that share a trace with it."""
    others = [other for other in range(len(constraints)) if other != number]
    for other in others:
        if _covers(engine, constraints[other], constraints[number]):
            return (other,)
    return tuple(o for o in others if engine.find(True, [constraints[number], constraints[o]]) is not None)

"""What igf is compared with: exhaustive search by rewriting, and runs rebuilt step by step from the equations alone."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal

from otsrw.ots import Instance, Invariant, Stepper
from otsrw.ots.graph import StateGraph
from otsrw.ots.run import Run, replay
from otsrw.ots.stepping import Values
from otsrw.search.results import SearchResult
from otsrw.search.session import KeptState
from otsrw.search.space import Reachable
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Term


@dataclass(frozen=True)
class Seen:
    """For each invariant the least depth of a violation; whether all reachable states were visited, and how deep."""

    violated: dict[str, int]
    exhausted: bool
    depth: int
    states: int


def is_violated(instance: Instance, invariant: Invariant, history: Term) -> bool:
    """Is the invariant false in the state for some entities? Every choice is tried and reduced."""
    return _is_false(instance, invariant, {instance.ots.state: history})


def _is_false(instance: Instance, invariant: Invariant, given: dict[Term, Term]) -> bool:
    missing = [parameter for parameter in invariant.parameters if parameter not in given]
    domains = [instance.domain(parameter.sort) for parameter in missing]
    assert all(domain is not None for domain in domains)
    for values in product(*[domain for domain in domains if domain is not None]):
        bindings = {**given, **dict(zip(missing, values, strict=True))}
        if instance.normal_form(substitute(invariant.formula, bindings)) is instance.connectives.false:
            return True
    return False


def explored(instance: Instance, depth: int, most: int) -> Seen:
    """Breadth-first search by rewriting to a depth, or until there are too many states."""
    stepper = Stepper(instance)
    level = stepper.initial_states()
    seen = {state.values for state in level}
    violated: dict[str, int] = {}
    for done in range(depth + 1):
        for state in level:
            for invariant in instance.ots.invariants:
                if invariant.name not in violated and is_violated(instance, invariant, state.history):
                    violated[invariant.name] = done
        following = []
        for state in level:
            for _, after in stepper.successors(state):
                if after.values not in seen:
                    seen.add(after.values)
                    following.append(after)
        if not following or done == depth or len(seen) > most:
            return Seen(violated, not following, done, len(seen))
        level = following
    raise AssertionError("unreachable")


def is_real(run: Run, invariant: Invariant) -> bool:
    """Does every step obey the equations, from an initial state to a violation?"""
    instance = run.instance
    true = instance.connectives.true
    starts = Stepper(instance).initial_states()
    history = next((s.history for s in starts if s.values == run.states[0].values), None)
    if history is None:
        return False
    for action, after in zip(run.actions, run.states[1:], strict=True):
        arguments = tuple(a if a is not None else p for a, p in _pairs(action.arguments, action.transition.parameters))
        if action.transition.condition is not None:
            given = {instance.ots.state: history, **dict(zip(action.transition.parameters, arguments, strict=True))}
            if instance.normal_form(substitute(action.transition.condition, given)) is not true:
                return False
        history = action.transition.operator.apply(history, arguments)
        observed = [instance.normal_form(slot.observer.apply(history, slot.indexes)) for slot in instance.slots]
        if tuple(observed) != after.values:
            return False
    named = dict(run.violation)
    given = {instance.ots.state: history, **{p: named[p] for p in invariant.parameters if p in named}}
    return _is_false(instance, invariant, given)


def _pairs(given: tuple[Term | None, ...], parameters: tuple[Term, ...]) -> list[tuple[Term | None, Term]]:
    return list(zip(given, parameters, strict=True))


class RewritingSpace:
    """A state space without the cost of starting Maude; that Maude sees the same graphs is tested in tests/search."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def search(self, invariant: Invariant | None, depth: int, *others: object) -> SearchResult:
        del others
        found = self.reachable(depth)
        stepper = Stepper(self.instance)
        for kept in found.states if invariant is not None else ():
            run = replay(stepper, _path(found.states, kept))
            if invariant is not None and next(stepper.violations(invariant, run.states[-1]), None) is not None:
                run = replay(stepper, _path(found.states, kept), invariant)
                return self._result("violated", invariant, found, depth, run)
        return self._result("holds", invariant, found, depth)

    def _result(
        self,
        verdict: Literal["holds", "violated"],
        invariant: Invariant | None,
        found: Reachable,
        depth: int,
        run: Run | None = None,
    ) -> SearchResult:
        count = len(found.states)
        return SearchResult(verdict, invariant, self.instance.given, count, depth, (), found.exhausted, run, 0.0, 0)

    def reachable(self, depth: int, *others: object) -> Reachable:
        del others
        stepper = Stepper(self.instance)
        level = [(number, state) for number, state in enumerate(stepper.initial_states())]
        kept = [KeptState(number, 0, None, state.values) for number, state in level]
        seen = {state.values for _, state in level}
        for _ in range(depth):
            following = []
            for parent, state in level:
                for action, after in stepper.successors(state):
                    if after.values not in seen:
                        seen.add(after.values)
                        kept.append(KeptState(len(kept), parent, action.transition.name, after.values))
                        following.append((kept[-1].number, after))
            level = following
        return Reachable(kept, not level)

    def graph(self, *others: object) -> StateGraph:
        raise NotImplementedError

    def confirm(self, run: Run, invariant: Invariant, *others: object) -> bool:
        del others
        return is_real(run, invariant)


def _path(states: list[KeptState], last: KeptState) -> list[tuple[str | None, Values]]:
    """Transitions and values from an initial state to a kept one; states are numbered as they are kept."""
    steps: list[tuple[str | None, Values]] = [(last.transition, last.values)]
    while last.transition is not None:
        last = states[last.parent]
        steps.append((last.transition, last.values))
    return steps[::-1]

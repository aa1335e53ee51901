"""The searching half of induction-guided falsification: violations in R<=n, extended to runs of the invariant."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from otsrw.induction.cases import Predicate
from otsrw.induction.clauses import Clause
from otsrw.induction.climbing import Climber, StatePath
from otsrw.induction.closeness import Closeness
from otsrw.induction.kept import KeptStates, Witness
from otsrw.induction.results import Node
from otsrw.ots.model import Invariant, Transition
from otsrw.ots.run import ReplayMismatch, Run, replay
from otsrw.ots.stepping import State, Stepper, Values
from otsrw.search.results import SearchResult
from otsrw.search.space import Limits, StateSpace
from otsrw.theory.modules import Module

if TYPE_CHECKING:
    from otsrw.induction.state_blocks import StateBlocks


class Falsifier:
    """Looks for violations of an invariant, and of lemmas that are necessary for it, in a state space."""

    def __init__(self, space: StateSpace, name: str, depth: int, deadline: float | None) -> None:
        self.space = space
        self.depth = depth
        self.deadline = deadline
        self.stepper = Stepper(space.instance)
        self._invariant: Invariant = next(i for i in space.instance.ots.invariants if i.name == name)
        self.kept: KeptStates | None = None
        """The states within the depth, once they are explored."""
        self.blocks: StateBlocks | None = None
        """The kept states divided among several processes; None if one process evaluates lemmas in them."""

    def search(self, timeout: float | None) -> SearchResult:
        """A plain search: to keep all states costs more than to look at them once."""
        return self.space.search(self._invariant, self.depth, Limits(timeout))

    def explore(self) -> KeptStates:
        """The states within the depth, which are explored once and kept."""
        if self.kept is None:
            self.kept = KeptStates.explore(self.space, self.depth, self.deadline)
        return self.kept

    def violation(self, predicate: Predicate) -> Witness | None:
        """The first kept state that violates a predicate."""
        kept = self.explore()
        if self.blocks is not None:
            from otsrw.induction.state_blocks import CannotEvaluate

            try:
                place = self.blocks.first(predicate)
            except CannotEvaluate:
                return kept.violation(predicate)
            return None if place is None else kept.violation_at(place, predicate)
        return kept.violation(predicate)

    def divide(self, module: Module, jobs: int) -> None:
        """Have lemmas about a module evaluated by several processes, if there are many kept states."""
        from otsrw.induction.state_blocks import MANY_STATES, StateBlocks

        kept = self.explore()
        if self.blocks is None and len(kept.states) >= MANY_STATES:
            self.blocks = StateBlocks(kept, module, jobs)

    def close(self) -> None:
        """End the processes that evaluate lemmas, if there are any."""
        if self.blocks is not None:
            self.blocks.close()
            self.blocks = None

    def distance(self, clause: Clause) -> int:
        """How many steps a lemma is from being violated, as far as the kept states tell."""
        return self._closeness.distance(clause)

    @cached_property
    def _closeness(self) -> Closeness:
        kept = self.explore()
        initial = [state.values for state in kept.states if state.transition is None]
        return Closeness.from_initial(kept.conjunctions, initial)

    @cached_property
    def climber(self) -> Climber:
        return Climber(self.stepper, self._closeness)

    def beyond(self, predicate: Predicate) -> StatePath | None:
        """A run to a violation of a predicate beyond the kept states; None if none was found, though there may be one.

        Steps are taken from the kept states that seem closest to a violation.
        """
        invariant = self.explore().lookup.as_invariant(predicate)
        for clause in predicate.clauses:
            starts = [self.path_of(place) for place in self.climber.starts(clause)]
            path = self.climber.climb(clause, starts)
            if path is not None and next(self.stepper.violations(invariant, path[-1][1]), None) is not None:
                return path
        return None

    def path_of(self, position: int) -> StatePath:
        """The run to a kept state."""
        run = replay(self.stepper, self.explore().path(position), by_first=True)
        after = [(a.transition.name, state) for a, state in zip(run.actions, run.states[1:], strict=True)]
        return ((None, run.states[0]), *after)

    def run_of_invariant(self, nodes: Mapping[str, Node], claim: Node, path: StatePath) -> Run | None:
        """A run that violates the invariant, replayed and confirmed; None if a path to a violation of the claim
        cannot be extended to one.
        """
        found = self.extended(nodes, claim, path, self._invariant.name)
        if found is None:
            return None
        steps: list[tuple[str | None, Values]] = [(name, state.values) for name, state in found]
        run = replay(self.stepper, steps, self._invariant)
        if not self.space.confirm(run, self._invariant):
            raise ReplayMismatch("the search does not see the counterexample that rewriting found")
        return run

    def extended(self, nodes: Mapping[str, Node], claim: Node, path: StatePath, goal: str) -> StatePath | None:
        """A run to a violation of the claim, extended to one of the goal, an ancestor of the claim (Lemma 1)."""
        node = claim
        while node.name != goal:
            assert node.parent is not None and node.transition is not None
            parent = nodes[node.parent]
            predicate = self.explore().lookup.as_invariant(parent.predicate)
            last = path[-1][1]
            if next(self.stepper.violations(predicate, last), None) is None:
                steps = self.space.instance.ots.transitions_named(node.transition)
                after = next(filter(None, (self._violating_step(step, last, predicate) for step in steps)), None)
                if after is None:
                    return None
                path = (*path, (node.transition, after))
            node = parent
        return path

    def _violating_step(self, transition: Transition, state: State, predicate: Invariant) -> State | None:
        for action in self.stepper.actions(transition, state):
            after = self.stepper.apply(action, state)
            if next(self.stepper.violations(predicate, after), None) is not None:
                return after
        return None

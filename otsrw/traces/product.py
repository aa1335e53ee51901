"""The product of a system with an automaton of a property, and its two backward fixpoints.

A `Monitor` watches a run and is `decided` once the run violates (safety) or satisfies (inevitability) the property
whatever follows. In the product, `reach` are the nodes from which a decision can be reached and `avoid` those with a
maximal run that never meets one. One of the two is Viol, nodes with a violating continuation, the other Sat, nodes with
a satisfying one. Nodes from which an undecided run can come to the frontier of a bounded graph are `unknown`.

Linear in the reachable part of the product.
"""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

from otsrw.records import dataclass
from otsrw.traces.arena import Arena
from otsrw.traces.colours import Colour
from otsrw.traces.lts import Lts
from otsrw.traces.matching import ActionSequence


class Monitor(Protocol):
    """A deterministic automaton that reads transitions; mode `decided` is never left."""

    @property
    def decided(self) -> int: ...

    @property
    def decision_violates(self) -> bool:
        """Whether a decision means that the property is violated; otherwise that it is satisfied."""

    def start(self, state: int) -> int:
        """The mode in an initial state."""

    def step(self, mode: int, transition: int, action: int, target: int) -> int:
        """The mode after a transition."""


@dataclass(frozen=True, slots=True)
class Safety:
    """Nothing bad is ever seen: no state of one set, no transition of another."""

    bad_states: frozenset[int] = frozenset()
    bad_transitions: frozenset[int] = frozenset()

    @property
    def decided(self) -> int:
        return 1

    @property
    def decision_violates(self) -> bool:
        return True

    def start(self, state: int) -> int:
        return int(state in self.bad_states)

    def step(self, mode: int, transition: int, action: int, target: int) -> int:
        del action
        return int(mode == 1 or target in self.bad_states or transition in self.bad_transitions)


@dataclass(frozen=True, slots=True)
class Inevitability:
    """Inev(l1..ln); the mode is the number of labels seen so far."""

    sequence: ActionSequence

    @property
    def decided(self) -> int:
        return len(self.sequence)

    @property
    def decision_violates(self) -> bool:
        return False

    def start(self, state: int) -> int:
        del state
        return 0

    def step(self, mode: int, transition: int, action: int, target: int) -> int:
        del transition, target
        return mode + (self.sequence.steps[action] >> mode & 1)


@dataclass(frozen=True, slots=True)
class Anything:
    """No property: every run is worth a look (simulation)."""

    @property
    def decided(self) -> int:
        return 0

    @property
    def decision_violates(self) -> bool:
        return True

    def start(self, state: int) -> int:
        del state
        return 0

    def step(self, mode: int, transition: int, action: int, target: int) -> int:
        del mode, transition, action, target
        return 0


class Product(Arena):
    """The arena of a monitor: its modes are those of the monitor."""

    def __init__(self, lts: Lts, monitor: Monitor) -> None:
        super().__init__(lts, monitor.start, monitor.step)
        self.monitor = monitor

    @cached_property
    def undecided(self) -> bytearray:
        """Nodes at which the monitor has not decided yet."""
        decided = self.monitor.decided
        return bytearray(mode != decided for mode in self.modes)

    @cached_property
    def reach(self) -> bytearray:
        """Nodes from which a decision can be reached."""
        return self.backwards(node for node, undecided in enumerate(self.undecided) if not undecided)

    @cached_property
    def avoid(self) -> bytearray:
        """Undecided nodes from which an undecided run is infinite or ends in a deadlock."""
        alive = bytearray(self.undecided)
        choices = [sum(alive[self.heads[edge]] for edge in self.edges(node)) for node in range(len(alive))]
        frontier = self.lts.frontier
        stuck = []
        for node, state in enumerate(self.states):
            ends = self.offsets[node] == self.offsets[node + 1] and state not in frontier
            if alive[node] and not choices[node] and not ends:
                stuck.append(node)
        for node in stuck:
            alive[node] = 0
        while stuck:
            for edge in self.entering.of(stuck.pop()):
                tail = self.tails[edge]
                choices[tail] -= 1
                if alive[tail] and not choices[tail]:
                    alive[tail] = 0
                    stuck.append(tail)
        return alive

    @cached_property
    def unknown(self) -> bytearray:
        """Nodes from which an undecided run can come to the frontier."""
        frontier, undecided = self.lts.frontier, self.undecided
        if not frontier:
            return bytearray(len(self.states))
        seeds = (node for node, state in enumerate(self.states) if undecided[node] and state in frontier)
        return self.backwards(seeds, undecided)

    @property
    def violating(self) -> bytearray:
        """Viol: nodes with a violating continuation inside the graph."""
        return self.reach if self.monitor.decision_violates else self.avoid

    @property
    def satisfying(self) -> bytearray:
        """Sat: nodes with a satisfying continuation inside the graph."""
        return self.avoid if self.monitor.decision_violates else self.reach

    @property
    def may_violate(self) -> bytearray:
        return _either(self.violating, self.unknown)

    @property
    def may_satisfy(self) -> bytearray:
        return _either(self.satisfying, self.unknown)

    @cached_property
    def after_violation(self) -> bytes:
        """For each transition of the system whether runs take it only when they have violated the property."""
        if not self.monitor.decision_violates:
            return bytes(len(self.lts.sources))
        before, after = bytearray(len(self.lts.sources)), bytearray(len(self.lts.sources))
        for node, undecided in enumerate(self.undecided):
            taken = before if undecided else after
            for edge in self.edges(node):
                taken[self.transitions[edge]] = 1
        return bytes(late and not early for early, late in zip(before, after, strict=True))

    def colours(self) -> bytes:
        """A colour for each transition of the system; what follows a violation does not matter.

        A transition that runs take before and after a violation has the colour that it has before.
        """
        if not self.monitor.decision_violates:
            return super().colours()
        colours = bytearray(self.edge_colours())
        found = bytearray([Colour.UNREACHED]) * len(self.lts.sources)
        for node, undecided in enumerate(self.undecided):
            for edge in self.edges(node):
                transition = self.transitions[edge]
                if undecided or self.after_violation[transition]:
                    found[transition] = colours[edge]
        return bytes(found)

    def is_violated(self, node: int) -> bool:
        decided = self.modes[node] == self.monitor.decided
        return decided and self.monitor.decision_violates and not isinstance(self.monitor, Anything)


def _either(one: bytearray, other: bytearray) -> bytearray:
    return bytearray(a | b for a, b in zip(one, other, strict=True))

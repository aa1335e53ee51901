"""The product of a system with an automaton of a property, and its two backward fixpoints.

A `Monitor` watches a run and is `decided` once the run violates (safety) or satisfies (inevitability) the property
whatever follows. In the product, `reach` are the nodes from which a decision can be reached and `avoid` those with a
maximal run that never meets one. One of the two is Viol, nodes with a violating continuation, the other Sat, nodes with
a satisfying one. Nodes from which an undecided run can come to the frontier of a bounded graph are `unknown`.

Linear in the reachable part of the product.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from otsrw.traces.colours import Colour
from otsrw.traces.lts import Index, Lts
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


@dataclass(frozen=True, eq=False)
class Product:
    """Reachable nodes (state, mode), numbered; edge e of node v comes from `transitions[e]` and leads to `heads[e]`."""

    lts: Lts
    monitor: Monitor
    states: list[int]
    modes: list[int]
    initial: list[int]
    offsets: list[int]
    transitions: list[int]
    heads: list[int]

    @classmethod
    def of(cls, lts: Lts, monitor: Monitor) -> Product:
        numbers: dict[tuple[int, int], int] = {}
        states: list[int] = []
        modes: list[int] = []
        initial = []
        for state in dict.fromkeys(lts.initial):
            key = (state, monitor.start(state))
            numbers[key] = len(states)
            initial.append(len(states))
            states.append(state)
            modes.append(key[1])
        offsets, transitions, heads = [0], [], []
        out, order, actions, targets = lts.outgoing.offsets, lts.outgoing.transitions, lts.actions, lts.targets
        step = monitor.step
        node = 0
        while node < len(states):
            state, mode = states[node], modes[node]
            for position in range(out[state], out[state + 1]):
                transition = order[position]
                target = targets[transition]
                key = (target, step(mode, transition, actions[transition], target))
                head = numbers.get(key)
                if head is None:
                    head = numbers[key] = len(states)
                    states.append(target)
                    modes.append(key[1])
                transitions.append(transition)
                heads.append(head)
            offsets.append(len(heads))
            node += 1
        return cls(lts, monitor, states, modes, initial, offsets, transitions, heads)

    def edges(self, node: int) -> range:
        return range(self.offsets[node], self.offsets[node + 1])

    @cached_property
    def tails(self) -> list[int]:
        tails = [0] * len(self.heads)
        for node in range(len(self.states)):
            for edge in self.edges(node):
                tails[edge] = node
        return tails

    @cached_property
    def entering(self) -> Index:
        return Index.by(self.heads, len(self.states))

    def _backwards(self, seeds: Iterable[int], through: bytearray | None = None) -> bytearray:
        """Nodes from which a seed can be reached through nodes of one set."""
        found = bytearray(len(self.states))
        stack = []
        for node in seeds:
            found[node] = 1
            stack.append(node)
        tails, entering = self.tails, self.entering
        while stack:
            for edge in entering.of(stack.pop()):
                tail = tails[edge]
                if not found[tail] and (through is None or through[tail]):
                    found[tail] = 1
                    stack.append(tail)
        return found

    @cached_property
    def undecided(self) -> bytearray:
        decided = self.monitor.decided
        return bytearray(mode != decided for mode in self.modes)

    @cached_property
    def reach(self) -> bytearray:
        return self._backwards(node for node, undecided in enumerate(self.undecided) if not undecided)

    @cached_property
    def avoid(self) -> bytearray:
        """Undecided nodes with an undecided run that is infinite or ends in a deadlock, by removal of the others."""
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
        frontier, undecided = self.lts.frontier, self.undecided
        if not frontier:
            return bytearray(len(self.states))
        seeds = (node for node, state in enumerate(self.states) if undecided[node] and state in frontier)
        return self._backwards(seeds, undecided)

    @property
    def violating(self) -> bytearray:
        """Viol: nodes with a violating continuation inside the graph."""
        return self.reach if self.monitor.decision_violates else self.avoid

    @property
    def satisfying(self) -> bytearray:
        """Sat: nodes with a satisfying continuation inside the graph."""
        return self.avoid if self.monitor.decision_violates else self.reach

    @property
    def holds(self) -> bool:
        return not any(self.violating[node] for node in self.initial)

    def colours(self) -> bytes:
        """A colour for each transition of the system, over all nodes that take it.

        For inevitability the frontier may hide a violation, so nothing before it is correct; for safety a transition is
        correct if no violation follows within the graph.
        """
        doubtful = self.unknown
        may_violate = bytearray(self.violating)
        may_satisfy = bytearray(self.satisfying)
        for node, doubt in enumerate(doubtful):
            if doubt:
                may_satisfy[node] = 1
                if not self.monitor.decision_violates:
                    may_violate[node] = 1
        bits = bytearray(len(self.lts.sources))
        for transition, head in zip(self.transitions, self.heads, strict=True):
            bits[transition] |= 4 | may_violate[head] | may_satisfy[head] << 1
        return bytes(bits.translate(_COLOUR_OF_BITS))


_COLOUR_OF_BITS = bytes(
    Colour.UNREACHED
    if not bits & 4
    else Colour.CORRECT
    if not bits & 1
    else Colour.INCORRECT
    if not bits & 2
    else Colour.NEUTRAL
    for bits in range(256)
)

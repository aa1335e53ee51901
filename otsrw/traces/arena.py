"""A system with what is remembered of a run, and what can still become of it: the ground of colours and verbs.

Nodes are pairs of a state and a mode, which sums up what a property needs to know of the run so far. Which nodes have a
violating or a satisfying continuation depends on the kind of property.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import cached_property

from otsrw.traces.colours import Colour
from otsrw.traces.lts import Index, Lts


class Arena(ABC):
    """Reachable nodes (state, mode), numbered; edge e of node v comes from `transitions[e]` and leads to `heads[e]`."""

    def __init__(self, lts: Lts, start: Callable[[int], int], step: Callable[[int, int, int, int], int]) -> None:
        """`start` gives the mode in an initial state, `step` the one after a mode, a transition, its action, target."""
        self.lts = lts
        self.states: list[int] = []
        self.modes: list[int] = []
        self.initial: list[int] = []
        self.offsets: list[int] = [0]
        self.transitions: list[int] = []
        self.heads: list[int] = []
        self._explore(start, step)

    def _explore(self, start: Callable[[int], int], step: Callable[[int, int, int, int], int]) -> None:
        lts, states, modes = self.lts, self.states, self.modes
        numbers: dict[tuple[int, int], int] = {}
        for state in dict.fromkeys(lts.initial):
            key = (state, start(state))
            numbers[key] = len(states)
            self.initial.append(len(states))
            states.append(state)
            modes.append(key[1])
        out, order, actions, targets = lts.outgoing.offsets, lts.outgoing.transitions, lts.actions, lts.targets
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
                self.transitions.append(transition)
                self.heads.append(head)
            self.offsets.append(len(self.heads))
            node += 1

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

    def backwards(self, seeds: Iterable[int], through: bytearray | None = None) -> bytearray:
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

    @property
    @abstractmethod
    def violating(self) -> bytearray:
        """Viol: nodes with a violating continuation inside the graph."""

    @property
    @abstractmethod
    def unknown(self) -> bytearray:
        """Nodes with a continuation that may turn out to violate behind the frontier."""

    @property
    @abstractmethod
    def may_violate(self) -> bytearray:
        """Nodes from which a violation is not ruled out."""

    @property
    @abstractmethod
    def may_satisfy(self) -> bytearray:
        """Nodes from which satisfaction is not ruled out."""

    @abstractmethod
    def is_violated(self, node: int) -> bool:
        """Whether what has happened is a violation whatever follows."""

    @property
    def holds(self) -> bool:
        """Whether no run violates the property, as far as the graph goes."""
        return not any(self.violating[node] for node in self.initial)

    def colours(self) -> bytes:
        """A colour for each transition of the system, over all nodes that take it."""
        may_violate, may_satisfy = self.may_violate, self.may_satisfy
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

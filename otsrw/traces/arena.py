"""The arena of a system and a property: which runs can still violate the property, and which can still satisfy it.

Nodes are pairs of a state and a mode; the mode is what a property needs to know about the run so far. Each kind of
property decides which nodes have a violating or a satisfying continuation. Colours and the explorer are made from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from otsrw.traces.colours import Colour
from otsrw.traces.digraph import Digraph
from otsrw.traces.lts import Lts


class Arena(Digraph, ABC):
    """Reachable nodes (state, mode), numbered; edge e comes from the transition `transitions[e]` of the system."""

    def __init__(self, lts: Lts, start: Callable[[int], int], step: Callable[[int, int, int, int], int]) -> None:
        """`start(state)` is the mode in an initial state, `step(mode, transition, action, target)` the next mode."""
        super().__init__()
        self.lts = lts
        self.states: list[int] = []
        self.modes: list[int] = []
        self.initial: list[int] = []
        self.transitions: list[int] = []
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

"""The arena of a system and a property: which runs can still violate the property, and which can still satisfy it.

Nodes are pairs of a state and a mode; the mode is what a property needs to know about the run so far. Each kind of
property decides which nodes have a violating or a satisfying continuation. Colours and the explorer are made from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable

from otsrw.traces.colours import Colour
from otsrw.traces.digraph import Digraph
from otsrw.traces.lts import Lts
from otsrw.traces.numbering import PairNumbers


class Arena(Digraph, ABC):
    """Reachable nodes (state, mode), numbered; edge e comes from the transition `transitions[e]` of the system."""

    def __init__(self, lts: Lts, start: Callable[[int], int], step: Callable[[int, int, int, int], int]) -> None:
        """`start(state)` is the mode in an initial state, `step(mode, transition, action, target)` the next mode."""
        super().__init__()
        self.lts = lts
        self.states: array[int] = array("i")
        self.modes: array[int] = array("i")
        self.initial: list[int] = []
        self.transitions: array[int] = array("i")
        self._explore(start, step)

    def _explore(self, start: Callable[[int], int], step: Callable[[int, int, int, int], int]) -> None:
        lts, states, modes = self.lts, self.states, self.modes
        numbers = PairNumbers(lts.states)
        for state in dict.fromkeys(lts.initial):
            mode = start(state)
            numbers.of(mode)[state] = len(states)
            self.initial.append(len(states))
            states.append(state)
            modes.append(mode)
        out, order, actions, targets = lts.outgoing.offsets, lts.outgoing.transitions, lts.actions, lts.targets
        node = 0
        while node < len(states):
            state, mode = states[node], modes[node]
            for position in range(out[state], out[state + 1]):
                transition = order[position]
                target = targets[transition]
                after = step(mode, transition, actions[transition], target)
                known = numbers.of(after)
                head = known.get(target)
                if head is None:
                    head = known[target] = len(states)
                    states.append(target)
                    modes.append(after)
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
    def satisfying(self) -> bytearray:
        """Sat: nodes with a satisfying continuation inside the graph."""

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
        of_node = self._sides()
        bits = bytearray(len(self.lts.sources))
        for transition, head in zip(self.transitions, self.heads, strict=True):
            bits[transition] |= of_node[head]
        return bytes(bits.translate(_COLOUR_OF_BITS))

    def edge_colours(self) -> bytes:
        """A colour for each edge of the arena; it depends on where the edge leads."""
        of_node = self._sides().translate(_COLOUR_OF_BITS)
        return bytes(map(of_node.__getitem__, self.heads))

    def _sides(self) -> bytes:
        """For each node what may follow it, as the bits that `_colour_of` reads."""
        sides = zip(self.may_violate, self.may_satisfy, self.violating, self.satisfying, strict=True)
        return bytes(
            4 | bad | good << 1 | surely_bad << 3 | surely_good << 4 for bad, good, surely_bad, surely_good in sides
        )


def _colour_of(bits: int) -> Colour:
    """Bits 0 and 1: it may violate, it may satisfy; bit 2: some run takes it; bits 3 and 4: it is known to do so."""
    if not bits & 4:
        return Colour.UNREACHED
    if not bits & 1:
        return Colour.CORRECT
    if not bits & 2:
        return Colour.INCORRECT
    return Colour.NEUTRAL if bits & 24 == 24 else Colour.UNKNOWN


_COLOUR_OF_BITS = bytes(map(_colour_of, range(256)))

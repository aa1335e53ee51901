"""Labelled transition systems (Definition 1): states are integers, transitions are three integer arrays.

Transition number i is `sources[i] -labels[actions[i]]-> targets[i]`; `outgoing` and `incoming` list the numbers of a
state's transitions, both computed once in linear time. States may carry values of observers. A state in `frontier` was
not expanded, so nothing is known about what follows it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from otsrw.records import dataclass, field
from otsrw.traces.components import strong_components
from otsrw.traces.trace import Label, Trace, Value


@dataclass(frozen=True, slots=True)
class Index:
    """For each state a slice of `transitions`, in compressed rows."""

    offsets: array[int]
    transitions: array[int]

    def of(self, state: int) -> array[int]:
        return self.transitions[self.offsets[state] : self.offsets[state + 1]]

    def degree(self, state: int) -> int:
        return self.offsets[state + 1] - self.offsets[state]

    @classmethod
    def by(cls, keys: Sequence[int], count: int) -> Index:
        """Group positions of `keys` by their value, in order (a counting sort)."""
        offsets = array("i", bytes(4 * (count + 1)))
        for key in keys:
            offsets[key + 1] += 1
        total = 0
        for key in range(count + 1):
            total += offsets[key]
            offsets[key] = total
        free = offsets[:-1]
        transitions = array("i", bytes(4 * len(keys)))
        for position, key in enumerate(keys):
            transitions[free[key]] = position
            free[key] += 1
        return cls(offsets, transitions)


@dataclass(frozen=True, eq=False)
class Lts:
    """A labelled transition system: transition number k leads from `sources[k]` with `actions[k]` to `targets[k]`.

    >>> lts = Lts.of(2, [0], [(0, "ON", 1), (1, "OFF", 0)])
    >>> lts.labels, list(lts.targets), lts.label(1)
    (('ON', 'OFF'), [1, 0], 'OFF')
    """

    states: int
    initial: tuple[int, ...]
    labels: tuple[str, ...]
    events: tuple[Label, ...]
    sources: array[int]
    actions: array[int]
    targets: array[int]
    observers: tuple[str, ...] = ()
    valuations: Sequence[tuple[Value, ...]] = ()
    frontier: frozenset[int] = frozenset()
    declared: Mapping[str, int] = field(default_factory=dict)
    """Types of events with the number of their arguments, if something declares them: some may never happen."""
    collections: Mapping[str, Mapping[Value, tuple[str, ...]]] = field(default_factory=dict)
    """For observers that hold sets or bags: the elements of each of their values."""

    @classmethod
    def of(
        cls,
        states: int,
        initial: Iterable[int],
        transitions: Iterable[tuple[int, str | Label, int]],
        observers: Iterable[str] = (),
        valuations: Sequence[tuple[Value, ...]] = (),
        frontier: Iterable[int] = (),
        declared: Mapping[str, int] | None = None,
    ) -> Lts:
        """A system from triples; a label given as text is read with `Label.read` where its parts are needed."""
        numbers: dict[str | Label, int] = {}
        sources, actions, targets = array("l"), array("l"), array("l")
        for source, label, target in transitions:
            sources.append(source)
            actions.append(numbers.setdefault(label, len(numbers)))
            targets.append(target)
        labels = tuple(str(label) for label in numbers)
        events = tuple(label if isinstance(label, Label) else Label.read(label) for label in numbers)
        return cls(
            states,
            tuple(initial),
            labels,
            events,
            sources,
            actions,
            targets,
            tuple(observers),
            valuations,
            frozenset(frontier),
            declared or {},
        )

    @cached_property
    def outgoing(self) -> Index:
        return Index.by(self.sources, self.states)

    @cached_property
    def incoming(self) -> Index:
        return Index.by(self.targets, self.states)

    @cached_property
    def reachable(self) -> bytearray:
        """For each state, whether an initial state leads to it."""
        seen = bytearray(self.states)
        stack = list(dict.fromkeys(self.initial))
        for state in stack:
            seen[state] = 1
        offsets, order, targets = self.outgoing.offsets, self.outgoing.transitions, self.targets
        while stack:
            state = stack.pop()
            for position in range(offsets[state], offsets[state + 1]):
                target = targets[order[position]]
                if not seen[target]:
                    seen[target] = 1
                    stack.append(target)
        return seen

    @cached_property
    def components(self) -> tuple[array[int], int]:
        """The strong component of each state, and how many there are; those that are led to have smaller numbers."""
        heads = [self.targets[transition] for transition in self.outgoing.transitions]
        return strong_components(self.outgoing.offsets, heads)

    def label(self, transition: int) -> str:
        return self.labels[self.actions[transition]]

    def event(self, transition: int) -> Label:
        return self.events[self.actions[transition]]

    def observation(self, state: int) -> Mapping[str, Value]:
        """What is observed in a state; its number if there are no observers."""
        if not self.observers:
            return {"state": state}
        return dict(zip(self.observers, self.valuations[state], strict=True))


@dataclass(frozen=True, slots=True)
class Path:
    """A path of an Lts from an initial state; with `loop` a lasso whose last state is `states[loop]` again."""

    states: tuple[int, ...]
    transitions: tuple[int, ...]
    loop: int | None = None

    @property
    def length(self) -> int:
        return len(self.transitions)

    def trace(self, lts: Lts) -> Trace:
        labels: list[Label | None] = [None]
        labels += [lts.event(transition) for transition in self.transitions]
        observations = [lts.observation(state) for state in self.states]
        return Trace.of(zip(labels, observations, strict=True), self.loop, lts.observers or ("state",))

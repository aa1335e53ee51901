"""The product of a system and a temporal property, as a system of its own.

One state of the system may be met with different pasts: before and after the event that a formula waits for. In the
product it is a different state for each of them. Colours and neighbourhoods of a formula are those of the product, as a
transition may be harmless after one past and fatal after another.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from otsrw.records import dataclass
from otsrw.traces.lts import Lts, Path
from otsrw.traces.temporal import TemporalArena


@dataclass(frozen=True, eq=False, slots=True)
class Unfolding:
    """A state of `lts` is the state `states[n]` of the system, with the memory `memories[n]` of the property."""

    system: Lts
    lts: Lts
    states: Sequence[int]
    memories: Sequence[int]
    texts: tuple[str, ...]
    """What each memory says: what the rest of a run still has to do."""
    transitions: Sequence[int]
    """The transition of the system that each transition of the product comes from."""
    numbers: Sequence[int]
    """The state of the product that each node of the arena belongs to."""

    def name(self, node: int) -> str:
        """`12/1` is state 12 of the system with memory 1."""
        return f"{self.states[node]}/{self.memories[node]}"

    def nodes_of(self, path: Path) -> tuple[int, ...]:
        """The states of the product on a path of the system, once around its loop."""
        return _Walk(self, path).nodes

    def taken_on(self, path: Path) -> tuple[int, ...]:
        """The transitions of the product on a path of the system, once around its loop."""
        return _Walk(self, path).edges

    def rounds_of(self, path: Path) -> list[tuple[int, ...]]:
        """The states of the product on a path, and for a lasso also on later rounds until they repeat.

        Later rounds have the length of the path, too: what comes before the loop is the same in all of them.
        """
        walk = _Walk(self, path)
        rounds = [walk.nodes]
        if path.loop is None:
            return rounds
        met = {walk.nodes[path.loop]}
        while walk.nodes[-1] not in met:
            met.add(walk.nodes[-1])
            walk.again()
            rounds.append(walk.nodes)
        return rounds

    def system_path(self, path: Path) -> Path:
        """The path of the system behind a path of the product."""
        states = tuple(self.states[node] for node in path.states)
        return Path(states, tuple(self.transitions[edge] for edge in path.transitions), path.loop)


class _Walk:
    """A path of the system followed in the product."""

    def __init__(self, unfolding: Unfolding, path: Path) -> None:
        self._unfolding = unfolding
        self._path = path
        self.edges: tuple[int, ...] = ()
        start = next(node for node in unfolding.lts.initial if unfolding.states[node] == path.states[0])
        self.nodes = self._followed((start,), path.transitions)

    def again(self) -> None:
        """Go once more round the loop."""
        loop = self._path.loop
        assert loop is not None, "only a lasso has a second round"
        self.nodes = self._followed((*self.nodes[:loop], self.nodes[-1]), self._path.transitions[loop:])

    def _followed(self, nodes: tuple[int, ...], transitions: Sequence[int]) -> tuple[int, ...]:
        product, origins = self._unfolding.lts, self._unfolding.transitions
        visited, taken = list(nodes), []
        for transition in transitions:
            taken.append(next(e for e in product.outgoing.of(visited[-1]) if origins[e] == transition))
            visited.append(product.targets[taken[-1]])
        self.edges = tuple(taken)
        return tuple(visited)


def unfolded(arena: TemporalArena) -> tuple[Unfolding, bytes]:
    """The reachable product of a system and a formula, and a colour for each of its transitions.

    Nodes of the arena that have the same state and of which the rest of a run has to do the same are one.
    """
    number_of, representatives = _merged(arena)
    system, heads, colours = arena.lts, arena.heads, arena.edge_colours()
    sources, actions, targets, origins = array("l"), array("l"), array("l"), array("l")
    kept = bytearray()
    for number, node in enumerate(representatives):
        for edge in arena.edges(node):
            transition = arena.transitions[edge]
            sources.append(number)
            actions.append(system.actions[transition])
            targets.append(number_of[heads[edge]])
            origins.append(transition)
            kept.append(colours[edge])
    states = array("l", (arena.states[node] for node in representatives))
    initial = tuple(dict.fromkeys(number_of[node] for node in arena.initial))
    frontier = frozenset(n for n, state in enumerate(states) if state in system.frontier) if system.frontier else ()
    valuations = [system.valuations[state] for state in states] if system.observers else ()
    lts = Lts(
        len(states), initial, system.labels, system.events, sources, actions, targets, system.observers, valuations,
        frozenset(frontier), system.declared,
    )  # fmt: skip
    memories, texts = _memories(arena, representatives)
    return Unfolding(system, lts, states, memories, texts, origins, number_of), bytes(kept)


def _merged(arena: TemporalArena) -> tuple[Sequence[int], Sequence[int]]:
    """The number of each node in the product, and for each number the node that stands for it."""
    same = arena.same_modes
    if len(set(same)) == len(same):
        return range(len(arena)), range(len(arena))
    numbers: dict[tuple[int, int], int] = {}
    number_of, representatives = array("l"), array("l")
    for node, (state, mode) in enumerate(zip(arena.states, arena.modes, strict=True)):
        number = numbers.setdefault((state, same[mode]), len(numbers))
        if number == len(representatives):
            representatives.append(node)
        number_of.append(number)
    return number_of, representatives


def _memories(arena: TemporalArena, nodes: Sequence[int]) -> tuple[Sequence[int], tuple[str, ...]]:
    """The memory of each node, numbered in the order in which they occur, and what each of them says."""
    same, numbers, texts = arena.same_modes, dict[int, int](), list[str]()
    memories = array("l")
    for node in nodes:
        mode = arena.modes[node]
        number = numbers.setdefault(same[mode], len(numbers))
        if number == len(texts):
            texts.append(arena.remembered(mode))
        memories.append(number)
    return memories, tuple(texts)

"""The shortest run that violates a formula: to a violation, to a deadlock, or once around a loop.

Lassos are looked for in the product of the system with the automaton of `tight`, no longer than the best run that is
known. That is exact as long as `MOST_WORK` edges allow; after that the best run so far is given, and that it may not be
the shortest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from otsrw.traces.components import strong_components
from otsrw.traces.counterexamples import Counterexample
from otsrw.traces.lts import Lts, Path
from otsrw.traces.temporal import NO_EVENT, TemporalArena, counterexample_of, fair_marks
from otsrw.traces.tight import TightAutomaton

MOST_WORK = 400_000


def shortest_violation(arena: TemporalArena, most_work: int = MOST_WORK) -> Counterexample | None:
    """A shortest run that violates the formula; none if there is no run that does. It is checked."""
    known = counterexample_of(arena)
    if known is None:
        return None
    decided = _first_violated(arena)
    best = known if decided is None or known.length <= decided.length else decided
    search = _LassoSearch(arena, most_work)
    found = search.shorter_than(best.length)
    best = found if found is not None else best
    arena.check(best)
    return Counterexample(best, search.complete)


def _first_violated(arena: TemporalArena) -> Path | None:
    """A shortest run to a node at which the formula is violated whatever follows."""
    violated = arena.violated_modes
    if not any(violated):
        return None
    entered_by: dict[int, int] = dict.fromkeys(arena.initial, -1)
    queue = list(entered_by)
    for node in queue:
        if violated[arena.modes[node]]:
            return _path_to(arena, node, entered_by)
        for edge in arena.edges(node):
            head = arena.heads[edge]
            if head not in entered_by:
                entered_by[head] = edge
                queue.append(head)
    return None


def _path_to(arena: TemporalArena, node: int, entered_by: dict[int, int]) -> Path:
    states, transitions = [arena.states[node]], []
    while (edge := entered_by[node]) >= 0:
        node = arena.tails[edge]
        states.append(arena.states[node])
        transitions.append(arena.transitions[edge])
    return Path(tuple(reversed(states)), tuple(reversed(transitions)))


class _OutOfWork(Exception):
    """The search has looked at as many edges as it may."""


class _LassoSearch:
    """Nodes are a state and a promise of the tight automaton, numbered in the order of their depth."""

    def __init__(self, arena: TemporalArena, most_work: int) -> None:
        self._arena = arena
        self._lts: Lts = arena.lts
        self._automaton = TightAutomaton(~arena.claim.formula, arena.letters.atoms)
        self._fair_from = self._automaton.all_marks.bit_length()
        self._all_marks = (1 << self._fair_from + len(arena.fair)) - 1
        self._work = most_work
        self.complete = True
        self._numbers: dict[tuple[int, int], int] = {}
        self._keys: list[tuple[int, int]] = []
        self._depths: list[int] = []
        self._entered: list[tuple[int, int]] = []
        self._following: list[list[tuple[int, int, int]]] = []
        self._component: Sequence[int] = ()

    def shorter_than(self, length: int) -> Path | None:
        """A shortest run of fewer steps that ends in a deadlock or closes a loop; None if there is none."""
        if not self._automaton.is_small:
            self.complete = length == 0
            return None
        best: Path | None = None
        try:
            dead = self._explore(length)
            if dead is not None:
                best, length = self._stem(dead), self._depths[dead]
            for node in self._loop_entries():
                if self._depths[node] + 1 >= length:
                    break
                loop = self._loop(node, length - self._depths[node])
                if loop is not None:
                    best, length = self._lasso(node, loop), self._depths[node] + len(loop)
        except _OutOfWork:
            self.complete = False
        return best

    def _spend(self) -> None:
        self._work -= 1
        if self._work < 0:
            raise _OutOfWork

    def _explore(self, length: int) -> int | None:
        """Expand what lies fewer than `length` - 1 steps away; the first node that may stay in a deadlock."""
        lts, letters, automaton = self._lts, self._arena.letters, self._automaton
        for state in dict.fromkeys(lts.initial):
            for promise in automaton.starts(letters.at(NO_EVENT, state)):
                self._number(state, promise, 0, (-1, -1))
        dead: int | None = None
        node = 0
        while node < len(self._keys):
            state, promise = self._keys[node]
            depth = self._depths[node]
            ends = not lts.outgoing.degree(state) and state not in lts.frontier
            if ends and dead is None and depth < length:
                if automaton.is_constant(letters.at(NO_EVENT, state), promise):
                    dead, length = node, depth
            edges: list[tuple[int, int, int]] = []
            if depth + 1 < length:
                edges = list(self._edges(node, state, promise, depth))
            self._following.append(edges)
            node += 1
        return dead

    def _edges(self, node: int, state: int, promise: int, depth: int) -> Iterator[tuple[int, int, int]]:
        lts, letters, automaton = self._lts, self._arena.letters, self._automaton
        for transition in lts.outgoing.of(state):
            action, target = lts.actions[transition], lts.targets[transition]
            fair = fair_marks(self._arena.fair, state, action) << self._fair_from
            for after, marks in automaton.ways(letters.at(action, target), promise):
                self._spend()
                head = self._number(target, after, depth + 1, (node, transition))
                yield head, transition, marks | fair

    def _number(self, state: int, promise: int, depth: int, entered: tuple[int, int]) -> int:
        key = (state, promise)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._keys)
            self._keys.append(key)
            self._depths.append(depth)
            self._entered.append(entered)
        return number

    def _loop_entries(self) -> list[int]:
        """Nodes in components around which an accepted run may go, nearest first."""
        offsets, heads = [0], []
        for edges in self._following:
            heads += [head for head, _, _ in edges]
            offsets.append(len(heads))
        self._component = strong_components(offsets, heads)[0]
        seen: dict[int, int] = {}
        for node, edges in enumerate(self._following):
            for head, _, marks in edges:
                if self._component[head] == self._component[node]:
                    seen[self._component[node]] = seen.get(self._component[node], 0) | marks
        good = {number for number, marks in seen.items() if marks == self._all_marks}
        return [node for node in range(len(self._keys)) if self._component[node] in good]

    def _loop(self, start: int, room: int) -> list[int] | None:
        """The transitions of a shortest loop with all marks through a node, if it has fewer than `room`."""
        inside = self._component[start]
        found_by: dict[tuple[int, int], tuple[tuple[int, int], int]] = {}
        origin = (start, 0)
        layer = [origin]
        for _ in range(room - 1):
            following: list[tuple[int, int]] = []
            for at in layer:
                for head, transition, marks in self._following[at[0]]:
                    if self._component[head] != inside:
                        continue
                    self._spend()
                    after = (head, at[1] | marks)
                    if after in found_by:
                        continue
                    found_by[after] = (at, transition)
                    if after == (start, self._all_marks):
                        return _unwound(after, origin, found_by)
                    following.append(after)
            layer = following
        return None

    def _stem(self, node: int) -> Path:
        states, transitions = [self._keys[node][0]], []
        while self._entered[node][0] >= 0:
            node, transition = self._entered[node]
            states.append(self._keys[node][0])
            transitions.append(transition)
        return Path(tuple(reversed(states)), tuple(reversed(transitions)))

    def _lasso(self, node: int, loop: list[int]) -> Path:
        stem = self._stem(node)
        states = stem.states + tuple(self._lts.targets[transition] for transition in loop)
        return Path(states, stem.transitions + tuple(loop), stem.length)


def _unwound(
    node: tuple[int, int], origin: tuple[int, int], found_by: dict[tuple[int, int], tuple[tuple[int, int], int]]
) -> list[int]:
    loop: list[int] = []
    while True:
        node, transition = found_by[node]
        loop.append(transition)
        if node == origin:
            return loop[::-1]

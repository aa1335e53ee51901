"""Shortest runs: a counterexample of a property, a path to a state, either with a pattern of actions on the way.

Breadth first over nodes (state, mode of the monitor, actions of the pattern seen). A run that violates inevitability
ends in a deadlock or in a loop (`lassos`).
"""

from __future__ import annotations

from collections.abc import Callable, Container

from otsrw.records import dataclass
from otsrw.traces.lassos import WORK, Entry, LassoFinder
from otsrw.traces.lts import Lts, Path
from otsrw.traces.matching import ActionSequence
from otsrw.traces.product import Anything, Inevitability, Monitor, Safety

FIRST_STAGE = 2000

NO_PATTERN = ActionSequence((), ())


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A run that violates a property, and whether it is known that there is no shorter one."""

    path: Path
    shortest: bool = True


def shortest_counterexample(
    lts: Lts, monitor: Safety | Inevitability, pattern: ActionSequence = NO_PATTERN
) -> Path | None:
    """A run that violates the property and shows the pattern, as short as can be; none if there is no such run."""
    found = found_counterexample(lts, monitor, pattern)
    return None if found is None else found.path


def found_counterexample(
    lts: Lts, monitor: Safety | Inevitability, pattern: ActionSequence = NO_PATTERN
) -> Counterexample | None:
    """The same run, and whether it is known to be the shortest."""
    if isinstance(monitor, Inevitability):
        return _shortest_maximal(_PatternSearch(lts, monitor, pattern, monitor.decided), monitor.sequence)
    found = _PatternSearch(lts, monitor, pattern).path_to_first(lambda _, mode: mode == monitor.decided)
    return None if found is None else Counterexample(found)


def shortest_path(lts: Lts, goals: Container[int], pattern: ActionSequence = NO_PATTERN) -> Path | None:
    """A shortest path from an initial state to one of the goals that shows the pattern."""
    return _PatternSearch(lts, Anything(), pattern).path_to_first(lambda state, _: state in goals)


class _PatternSearch:
    """A search, breadth first, over a system, a monitor and a pattern; nodes with mode `forbidden` are left out."""

    def __init__(self, lts: Lts, monitor: Monitor, pattern: ActionSequence, forbidden: int | None = None) -> None:
        self.lts = lts
        self.monitor = monitor
        self.pattern = pattern
        self.forbidden = forbidden
        self.nodes: list[tuple[int, int, int]] = []
        self.parents: list[int] = []
        self.entered_by: list[int] = []
        self.depths: list[int] = []
        self.expanded = 0
        self._known: set[tuple[int, int, int]] = set()
        self._least: dict[tuple[int, int], int] = {}
        for state in lts.initial:
            mode = monitor.start(state)
            if mode != forbidden:
                self._add((state, mode, 0), -1, -1)

    def first(
        self, is_goal: Callable[[int, int], bool], most: int | None = None, depth: int | None = None
    ) -> int | None:
        """The nearest goal that has seen the pattern, among the first `most` nodes and above `depth`; resumes."""
        wanted = len(self.pattern)
        while not self.finished(depth) and (most is None or self.expanded < most):
            state, mode, seen = self.nodes[self.expanded]
            if seen == wanted and is_goal(state, mode):
                return self.expanded
            self._expand(self.expanded)
            self.expanded += 1
        return None

    def finished(self, depth: int | None) -> bool:
        """Whether all nodes above `depth` have been seen."""
        return self.expanded == len(self.nodes) or (depth is not None and self.depths[self.expanded] >= depth)

    def path_to_first(self, is_goal: Callable[[int, int], bool]) -> Path | None:
        node = self.first(is_goal)
        return None if node is None else self.path(node)

    def path(self, node: int) -> Path:
        states, transitions = [self.nodes[node][0]], []
        while self.parents[node] >= 0:
            transitions.append(self.entered_by[node])
            node = self.parents[node]
            states.append(self.nodes[node][0])
        return Path(tuple(reversed(states)), tuple(reversed(transitions)))

    def _expand(self, node: int) -> None:
        lts, step, steps = self.lts, self.monitor.step, self.pattern.steps
        state, mode, seen = self.nodes[node]
        for transition in lts.outgoing.of(state):
            action, target = lts.actions[transition], lts.targets[transition]
            after = step(mode, transition, action, target)
            if after != self.forbidden:
                shown = seen + (steps[action] >> seen & 1) if steps else seen
                self._add((target, after, shown), node, transition)

    def _add(self, key: tuple[int, int, int], parent: int, transition: int) -> None:
        if self._is_new(key):
            self.nodes.append(key)
            self.parents.append(parent)
            self.entered_by.append(transition)
            self.depths.append(self.depths[parent] + 1 if parent >= 0 else 0)

    def _is_new(self, key: tuple[int, int, int]) -> bool:
        """Whether a node has to be expanded.

        If a mode is forbidden, a smaller mode allows more runs: a node with a greater mode than a known one is not new.
        """
        if self.forbidden is None:
            if key in self._known:
                return False
            self._known.add(key)
            return True
        state, mode, seen = key
        if self._least.get((state, seen), self.forbidden) <= mode:
            return False
        self._least[state, seen] = mode
        return True


def _shortest_maximal(search: _PatternSearch, sequence: ActionSequence) -> Counterexample | None:
    """The shortest run that is maximal and never shows all of the sequence.

    Loops are looked for in stages, since one that is found bounds how far the search has to go. If a pattern has to be
    shown, not all loops are tried.
    """
    lts = search.lts
    best: Path | None = None
    most = FIRST_STAGE
    finder = LassoFinder(lts, sequence)
    while True:
        dead = search.first(
            lambda state, _: not lts.outgoing.degree(state) and state not in lts.frontier, most, _length(best)
        )
        if dead is not None:
            best = search.path(dead)
        if search.pattern.names:
            best = _pattern_inside_loop(search, sequence, best) or best
        if finder.has_loops:
            best = _shorter_lasso(search, finder, best) or best
        if dead is not None or search.finished(_length(best)):
            missed = finder.has_loops and (finder.gave_up or bool(search.pattern.names))
            return None if best is None else Counterexample(best, not missed)
        most *= 8


def _length(path: Path | None) -> int | None:
    return None if path is None else path.length


def _shorter_lasso(search: _PatternSearch, finder: LassoFinder, best: Path | None) -> Path | None:
    lts, wanted = search.lts, len(search.pattern)
    entries = [
        Entry(node, state, mode, search.depths[node])
        for node, (state, mode, seen) in enumerate(search.nodes)
        if seen == wanted
    ]
    found = finder.shortest(entries, _length(best))
    if found is None:
        return None
    entry, loop = found
    stem = search.path(entry.node)
    states = stem.states + tuple(lts.targets[transition] for transition in loop)
    return Path(states, stem.transitions + tuple(loop), stem.length)


def _pattern_inside_loop(search: _PatternSearch, sequence: ActionSequence, best: Path | None) -> Path | None:
    """A lasso shorter than `best` whose first round completes the pattern."""
    lts, wanted, everything = search.lts, len(search.pattern), (1 << len(sequence)) - 1
    work = WORK
    for node, (state, _, seen) in enumerate(search.nodes):
        if work < 0 or (best is not None and search.depths[node] >= best.length):
            break
        at, taken = node, 0
        while seen == wanted and search.parents[at] >= 0:
            work -= 1
            taken |= sequence.steps[lts.actions[search.entered_by[at]]]
            at = search.parents[at]
            if search.nodes[at][0] == state and (everything & ~taken) >> search.nodes[at][1]:
                path = search.path(node)
                return Path(path.states, path.transitions, search.depths[at])
    return None

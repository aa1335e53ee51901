"""All counterexamples that are as short as the shortest, in groups: others differ in names or in the order of events.

Systems with several processes have very many of them. They are counted, not listed: what is kept of the beginnings of
runs is their last state and their events, in no order. Runs with the same events are together, and so are runs whose
events become the same when interchangeable entities are exchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from otsrw.records import dataclass
from otsrw.traces.bounded import BoundedTraces
from otsrw.traces.lts import Lts, Path
from otsrw.traces.orbits import Exchange, connected, run_orbits

MOST_BEGINNINGS = 200_000
MOST_RUNS = 2_000

RunEvents = tuple[int, ...]
"""The numbers of the labels of a run, sorted."""
_Layer = dict[tuple[int, RunEvents], tuple[int, Path]]
"""For a last state and the events so far: how many runs there are, and the first of them."""


@dataclass(frozen=True, slots=True)
class RunGroup:
    """Runs with the same events, but for their order and the names of interchangeable entities."""

    example: Path
    runs: int
    renamings: int
    """How many different collections of events there are."""


@dataclass(frozen=True, slots=True)
class ShortestRuns:
    """The shortest counterexamples in groups."""

    groups: tuple[RunGroup, ...]
    renamed: int | None
    """How many there are if those that differ only in names of entities are one; None if they are too many to list."""
    counted: bool = True
    """Whether they were counted; otherwise they are too many, and there is no group."""

    @property
    def count(self) -> int:
        return sum(group.runs for group in self.groups)


def grouped_runs(
    lts: Lts, traces: BoundedTraces, system_path: Callable[[Path], Path], exchanges: Sequence[Exchange]
) -> ShortestRuns:
    """The shortest of some traces that meet something bad, as paths of `lts`."""
    found = _by_events(traces)
    if found is None:
        return ShortestRuns((), None, counted=False)
    numbers = {event: number for number, event in enumerate(traces.lts.events)}

    def image(events: RunEvents, exchange: Exchange) -> RunEvents | None:
        moved = [numbers.get(exchange.label(traces.lts.events[number])) for number in events]
        key = tuple(sorted(number for number in moved if number is not None))
        return key if key in found and len(key) == len(events) else None

    groups = tuple(
        RunGroup(system_path(found[same[0]][1]), sum(found[events][0] for events in same), len(same))
        for same in connected(found, exchanges, image)
    )
    count = sum(runs for runs, _ in found.values())
    renamed = None
    if count <= MOST_RUNS:
        renamed = len(run_orbits(lts, [system_path(path) for path in shortest_bad_paths(traces)], exchanges))
    return ShortestRuns(groups, renamed)


def _by_events(traces: BoundedTraces) -> dict[RunEvents, tuple[int, Path]] | None:
    """The shortest paths by their events: how many and the first; None if too many beginnings have to be kept."""
    near = _Nearness(traces)
    layer: _Layer = {(path.states[0], ()): (1, path) for path in near.starts()}
    for left in range(near.least, 0, -1):
        following: _Layer = {}
        for (state, events), (count, path) in layer.items():
            for transition, target in near.steps(state, left):
                key = target, tuple(sorted((*events, traces.lts.actions[transition])))
                known = following.get(key)
                first = _longer(path, transition, target) if known is None else known[1]
                following[key] = (count if known is None else known[0] + count), first
        if len(following) > MOST_BEGINNINGS:
            return None
        layer = following
    found: dict[RunEvents, tuple[int, Path]] = {}
    for (_, events), (count, path) in layer.items():
        known = found.get(events)
        found[events] = (count, path) if known is None else (known[0] + count, known[1])
    return found


def shortest_bad_paths(traces: BoundedTraces) -> Iterator[Path]:
    """All shortest paths that meet something bad, by initial states and transitions; none if the bound has none."""
    near = _Nearness(traces)
    stack = list(near.starts())[::-1]
    while stack:
        path = stack.pop()
        left = near.least - path.length
        if left:
            longer = [_longer(path, *step) for step in near.steps(path.states[-1], left)]
            stack += longer[::-1]
        else:
            yield path


def _longer(path: Path, transition: int, target: int) -> Path:
    return Path((*path.states, target), (*path.transitions, transition))


class _Nearness:
    """How many steps states are away from something bad; a bad state is 0 away."""

    def __init__(self, traces: BoundedTraces) -> None:
        self._traces = traces
        self._distance = _distances(traces)
        known = (self._distance[state] for state in traces.lts.initial if state in self._distance)
        self.least = min(known, default=traces.bound + 1)

    def starts(self) -> Iterator[Path]:
        if self.least <= self._traces.bound:
            for state in dict.fromkeys(self._traces.lts.initial):
                if self._distance.get(state) == self.least:
                    yield Path((state,), ())

    def steps(self, state: int, left: int) -> Iterator[tuple[int, int]]:
        """The transitions, with their targets, after which one step less is left."""
        for transition, target, bad, _ in self._traces.steps[state]:
            if (bad and left == 1) or (not bad and left > 1 and self._distance.get(target) == left - 1):
                yield transition, target


def _distances(traces: BoundedTraces) -> dict[int, int]:
    lts, safety = traces.lts, traces.safety
    found = dict.fromkeys(safety.bad_states, 0)
    for transition in safety.bad_transitions:
        found.setdefault(lts.sources[transition], 1)
    queue = sorted(found, key=found.__getitem__)
    for state in queue:
        for transition in lts.incoming.of(state):
            source = lts.sources[transition]
            if source not in found:
                found[source] = found[state] + 1
                queue.append(source)
    return found

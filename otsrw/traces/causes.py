"""Why a counterexample happens: which of its events each later one needs, and what would have prevented it.

An event needs an earlier one if it is not possible in the run without that one. This is tried: the run is followed in
the graph again with one event left out, and with it all events that are not possible any more. What differs before the
event that was lost, compared with the counterexample, is what it needed the other one for.
"""

from __future__ import annotations

from collections.abc import Callable

from otsrw.records import dataclass
from otsrw.traces.colours import Colour
from otsrw.traces.lts import Lts, Path
from otsrw.traces.simplification import Simplification
from otsrw.traces.trace import Label

SameEvent = Callable[[Label, Label], bool]
Violates = Callable[[Path], bool]


@dataclass(frozen=True, slots=True)
class CausedStep:
    """Step number `step`, counted from 0: the earlier steps it needs most directly, and observers that carry that."""

    step: int
    needs: tuple[int, ...]
    through: tuple[str, ...]
    needed: bool
    """Whether the violation does not happen without it."""


@dataclass(frozen=True, slots=True)
class CausalSlice:
    """The steps of a counterexample with what they need."""

    steps: tuple[CausedStep, ...]
    violation_needs: tuple[int, ...]
    """The steps that the violation needs most directly."""
    droppable: bool
    """Whether the run still violates the property if all steps that are not needed are left out at once."""
    uncertain: bool
    """Whether a run without some event left the known part of the graph: what it needs is then not known."""
    prevented: tuple[tuple[int, int], ...]
    """What would have prevented the violation: a position of the run, and a correct transition that leaves it there."""

    @property
    def kept(self) -> tuple[int, ...]:
        return tuple(found.step for found in self.steps if found.needed)


@dataclass(frozen=True, slots=True)
class _Replayed:
    """A run without some steps: the state before each step that is left, and the steps that were lost."""

    path: Path
    before: dict[int, int]
    lost: frozenset[int]
    left_graph: bool


def causal_slice(result: Simplification, same: SameEvent, violates: Violates) -> CausalSlice | None:
    """The slice of a counterexample; None if there is none. A run that violates is told by `violates`."""
    if result.counterexample is None:
        return None
    return _Causes(result, result.counterexample, same, violates).found()


class _Causes:
    def __init__(self, result: Simplification, path: Path, same: SameEvent, violates: Violates) -> None:
        self._result = result
        self._path = path
        self._same = same
        self._violates = violates

    def found(self) -> CausalSlice:
        count = self._path.length
        without = [self._replayed(frozenset([step])) for step in range(count)]
        needs = {step: {s for s in range(step) if step in without[s].lost} for step in range(count)}
        wanted = {step for step in range(count) if not self._violates(without[step].path)}
        direct = _most_direct(wanted, needs)
        steps = tuple(
            CausedStep(step, tuple(sorted(near)), self._through(near, without, step), step in wanted)
            for step in range(count)
            for near in [_most_direct(needs[step], needs)]
        )
        others = frozenset(range(count)) - wanted
        return CausalSlice(
            steps,
            tuple(sorted(direct)),
            self._violates(self._replayed(others).path),
            any(replayed.left_graph for replayed in without),
            tuple(self._prevented()),
        )

    def _replayed(self, skipped: frozenset[int]) -> _Replayed:
        lts, path = self._result.lts, self._path
        states, transitions = [path.states[0]], list[int]()
        before: dict[int, int] = {}
        lost, left, loop = set[int](), False, None
        for step, wanted in enumerate(path.transitions):
            if step == path.loop:
                loop = len(transitions)
            before[step] = states[-1]
            if step in skipped:
                continue
            transition = self._again(lts, states[-1], wanted)
            if transition is None:
                lost.add(step)
                left = left or states[-1] in lts.frontier
                continue
            transitions.append(transition)
            states.append(lts.targets[transition])
        closed = loop is not None and loop < len(transitions) and states[loop] == states[-1]
        return _Replayed(
            Path(tuple(states), tuple(transitions), loop if closed else None), before, frozenset(lost), left
        )

    def _again(self, lts: Lts, state: int, wanted: int) -> int | None:
        """A transition that leaves the state with the same event; the very label first."""
        leaving = lts.outgoing.of(state)
        label = lts.event(wanted)
        exact = [t for t in leaving if lts.event(t) == label]
        return next(iter(exact or [t for t in leaving if self._same(lts.event(t), label)]), None)

    def _through(self, needs: set[int], without: list[_Replayed], step: int) -> tuple[str, ...]:
        """The observers that differ before a step if one of the steps it needs is left out."""
        lts, found = self._result.lts, dict[str, None]()
        if not lts.observers:
            return ()
        here = lts.observation(self._path.states[step])
        for other in sorted(needs):
            there = lts.observation(without[other].before[step])
            found |= dict.fromkeys(name for name in here if here[name] != there[name])
        return tuple(found)

    def _prevented(self) -> list[tuple[int, int]]:
        result = self._result
        return [
            (position, transition)
            for position, state in enumerate(result.visited[:-1])
            for transition in result.coloured.outgoing.of(state)
            if result.colours[transition] == Colour.CORRECT
        ]


def _most_direct(wanted: set[int], needs: dict[int, set[int]]) -> set[int]:
    """Those of some steps that no other one of them needs."""
    return {step for step in wanted if not any(step in needs[other] for other in wanted)}

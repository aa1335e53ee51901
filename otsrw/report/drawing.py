"""A counterexample as a column of pieces: states with the transitions they did not take, and steps between them.

The layout is layered by construction: the run goes down, what leaves it goes to the right, and the return of a lasso is
a rail on the left. Dropped steps become one block that can be opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from otsrw.records import dataclass
from otsrw.report.traces import shown
from otsrw.traces.colours import Colour, NeighbourhoodType
from otsrw.traces.lts import Path
from otsrw.traces.simplification import Simplification
from otsrw.traces.trace import Value

MAX_BRANCHES = 6
MAX_DROPPED = 100
MAX_LABEL = 60
MAX_BRANCH_LABEL = 38
MAX_CHANGE = 76
_TOP = 24
_BRANCH = 34


@dataclass(frozen=True, slots=True)
class DrawnBranch:
    """A transition that leaves the run."""

    label: str
    whole: str
    """The label in full."""
    colour: str
    target: int
    y: int


@dataclass(frozen=True, slots=True)
class StatePiece:
    position: int
    state: int
    neighbourhood: str | None
    branches: tuple[DrawnBranch, ...]
    more: int
    rail: str
    below: str | None
    height: int
    is_state: bool = True


@dataclass(frozen=True, slots=True)
class StepPiece:
    number: int
    label: str
    colour: str
    rail: bool
    changed: str
    all_changed: str
    """What changed in full; empty if `changed` tells it all."""
    is_state: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """Pieces that are always shown, or, if `dropped`, hidden until a reader opens `[... n steps ...]`."""

    pieces: tuple[StatePiece | StepPiece, ...]
    dropped: bool = False
    steps: int = 0
    rail: bool = False
    omitted: int = 0


def counterexample_blocks(result: Simplification) -> list[Block]:
    """The counterexample from its initial state to its end."""
    path = result.counterexample
    if path is None:
        return []
    run = _DrawnRun(result, path, result.visited, result.taken, result.tags.neighbourhoods)
    blocks = [Block((run.state_piece(0),))]
    for stretch in result.abstracted:
        pieces: list[StatePiece | StepPiece] = []
        omitted = range(stretch.first + MAX_DROPPED, stretch.last - MAX_DROPPED) if not stretch.kept else range(0)
        for step in range(stretch.first, stretch.last + 1):
            if step in omitted:
                continue
            pieces += [run.step_piece(step), run.state_piece(step + 1)]
        if stretch.kept:
            blocks.append(Block(tuple(pieces)))
        else:
            last = pieces.pop()
            rail = path.loop is not None and stretch.first >= path.loop
            blocks += [Block(tuple(pieces), True, len(stretch), rail, len(omitted)), Block((last,))]
    return blocks


@dataclass(frozen=True, slots=True)
class _DrawnRun:
    """A counterexample with the states and transitions of the coloured graph on it."""

    result: Simplification
    path: Path
    visited: tuple[int, ...]
    taken: tuple[int, ...]
    kinds: Mapping[int, NeighbourhoodType]

    def step_piece(self, step: int) -> StepPiece:
        transition, path = self.taken[step], self.path
        rail = path.loop is not None and step >= path.loop
        return StepPiece(
            step + 1,
            _short(self.result.coloured.label(transition)),
            self._colour(transition),
            rail,
            *_shortened(self._changes(step)),
        )

    def _changes(self, step: int) -> str:
        """What a step changes in the observers, if there are any; of a collection, what came and what went."""
        lts, path = self.result.lts, self.path
        if not lts.observers:
            return ""
        before, after = (lts.observation(path.states[position]) for position in (step, step + 1))
        changes = [(name, before[name], value) for name, value in after.items() if value != before[name]]
        return ", ".join(self._change(*change) for change in changes)

    def _change(self, name: str, before: Value, after: Value) -> str:
        known = self.result.lts.collections.get(name, {})
        if before not in known or after not in known:
            return f"{name} = {shown(after)}"
        then, now = Counter(known[before]), Counter(known[after])
        moved = [f"+ {element}" for element in (now - then).elements()]
        moved += [f"- {element}" for element in (then - now).elements()]
        return f"{name} {' '.join(moved)}"

    def state_piece(self, position: int) -> StatePiece:
        lts, state, path = self.result.coloured, self.visited[position], self.path
        last = position == path.length
        closing = last and path.loop is not None
        taken = None if last else self.taken[position]
        others = [] if closing else [t for t in lts.outgoing.of(state) if t != taken]
        others.sort(key=lambda t: self.result.colours[t] in (Colour.NEUTRAL, Colour.UNKNOWN))
        branches = tuple(
            DrawnBranch(
                _short(lts.label(t), MAX_BRANCH_LABEL),
                lts.label(t),
                self._colour(t),
                self._number(lts.targets[t]),
                _TOP + row * _BRANCH,
            )
            for row, t in enumerate(others[:MAX_BRANCHES])
        )
        more = len(others) - len(branches)
        kind = self.kinds.get(state)
        return StatePiece(
            position,
            path.states[position],
            str(kind) if kind else None,
            branches,
            more,
            _rail(path, position),
            None if taken is None else self._colour(taken),
            2 * _TOP + _BRANCH * max(0, len(branches) - 1) + (18 if more else 0),
        )

    def _colour(self, transition: int) -> str:
        return Colour(self.result.colours[transition]).word

    def _number(self, state: int) -> int:
        """The state of the system at a state of the coloured graph."""
        unfolding = self.result.unfolding
        return state if unfolding is None else unfolding.states[state]


def _shortened(changes: str) -> tuple[str, str]:
    """What fits on a line, and all of it if that is more."""
    short = _short(changes, MAX_CHANGE)
    return short, "" if short == changes else changes


def _short(text: str, most: int = MAX_LABEL) -> str:
    return text if len(text) <= most else text[:most] + "..."


def _rail(path: Path, position: int) -> str:
    if path.loop is None or position < path.loop:
        return ""
    if position == path.length:
        return "leave"
    return "enter" if position == path.loop else "through"

"""A counterexample as a column of pieces: states with the transitions they did not take, and steps between them.

The layout is layered by construction: the run goes down, what leaves it goes to the right, and the return of a lasso is
a rail on the left. Dropped steps become one block that can be opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from otsrw.traces.colours import Colour, NeighbourhoodType
from otsrw.traces.lts import Path
from otsrw.traces.simplification import Simplification

MAX_BRANCHES = 6
MAX_DROPPED = 100
MAX_LABEL = 60
_TOP = 24
_BRANCH = 34


@dataclass(frozen=True, slots=True)
class DrawnBranch:
    """A transition that leaves the run."""

    label: str
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
    kinds = result.tags.neighbourhoods
    blocks = [Block((_state_piece(result, kinds, path, 0),))]
    for stretch in result.abstracted:
        pieces: list[StatePiece | StepPiece] = []
        omitted = range(stretch.first + MAX_DROPPED, stretch.last - MAX_DROPPED) if not stretch.kept else range(0)
        for step in range(stretch.first, stretch.last + 1):
            if step in omitted:
                continue
            pieces += [_step_piece(result, path, step), _state_piece(result, kinds, path, step + 1)]
        if stretch.kept:
            blocks.append(Block(tuple(pieces)))
        else:
            last = pieces.pop()
            rail = path.loop is not None and stretch.first >= path.loop
            blocks += [Block(tuple(pieces), True, len(stretch), rail, len(omitted)), Block((last,))]
    return blocks


def _step_piece(result: Simplification, path: Path, step: int) -> StepPiece:
    transition = path.transitions[step]
    rail = path.loop is not None and step >= path.loop
    return StepPiece(
        step + 1,
        _short(result.lts.label(transition)),
        Colour(result.colours[transition]).word,
        rail,
        _short(_changes(result, path, step), 2 * MAX_LABEL),
    )


def _changes(result: Simplification, path: Path, step: int) -> str:
    """What a step changes in the observers, if there are any."""
    if not result.lts.observers:
        return ""
    before, after = (result.lts.observation(path.states[position]) for position in (step, step + 1))
    return ", ".join(f"{name} = {value}" for name, value in after.items() if value != before[name])


def _state_piece(
    result: Simplification, kinds: Mapping[int, NeighbourhoodType], path: Path, position: int
) -> StatePiece:
    lts, state = result.lts, path.states[position]
    last = position == path.length
    closing = last and path.loop is not None
    taken = None if last else path.transitions[position]
    others = [] if closing else [t for t in lts.outgoing.of(state) if t != taken]
    others.sort(key=lambda t: result.colours[t] in (Colour.NEUTRAL, Colour.UNKNOWN))
    branches = tuple(
        DrawnBranch(_short(lts.label(t)), Colour(result.colours[t]).word, lts.targets[t], _TOP + row * _BRANCH)
        for row, t in enumerate(others[:MAX_BRANCHES])
    )
    more = len(others) - len(branches)
    kind = kinds.get(state)
    return StatePiece(
        position,
        state,
        str(kind) if kind else None,
        branches,
        more,
        _rail(path, position),
        None if taken is None else Colour(result.colours[taken]).word,
        2 * _TOP + _BRANCH * max(0, len(branches) - 1) + (18 if more else 0),
    )


def _short(text: str, most: int = MAX_LABEL) -> str:
    return text if len(text) <= most else text[:most] + "..."


def _rail(path: Path, position: int) -> str:
    if path.loop is None or position < path.loop:
        return ""
    if position == path.length:
        return "leave"
    return "enter" if position == path.loop else "through"

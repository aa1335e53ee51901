"""What a state space tells: how far it is, which states there are, and whether an invariant is violated."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Literal

from otsrw.display import Displayed
from otsrw.records import NamedTuple, dataclass
from otsrw.syntax.source import NOWHERE, Span

if TYPE_CHECKING:
    from otsrw.ots.instance import Instance
    from otsrw.ots.model import Invariant
    from otsrw.ots.run import Run
    from otsrw.ots.stepping import Values
    from otsrw.workers.shares import WorkerShare


@dataclass(frozen=True, slots=True)
class Progress:
    """What a question has seen so far."""

    depth: int
    states: int
    seconds: float
    memory: int
    levels: tuple[int, ...] = ()
    """States of R<=k, for the levels that are complete."""
    doing: str = ""
    """What others are doing for it, in words."""


@dataclass(frozen=True, eq=False, slots=True)
class KeptState:
    """A state of R<=n, the state it was first reached from, and by which transition.

    The transition of an initial state is None; its parent means nothing.
    """

    number: int
    parent: int
    transition: str | None
    values: Values


@dataclass(frozen=True, eq=False, slots=True)
class Reachable:
    """The states of R<=n in breadth-first order; `exhausted` says that there are no others at any depth."""

    states: list[KeptState]
    exhausted: bool


class TransitionCount(NamedTuple):
    """`enabled`: states in which the condition holds for some arguments. `taken`: pairs of states, a step apart."""

    enabled: int
    taken: int


class DoubtKind(Enum):
    """What makes one doubt that a specification says what it should."""

    NEVER_ENABLED = "never-enabled"
    NO_EFFECT = "no-effect"
    NEVER_TRUE = "never-true"
    CONSTANT = "constant"
    DEADLOCK = "deadlock"


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that never happens, or that ends everything: `reason` is the guilty condition or the way there."""

    kind: DoubtKind
    subject: str
    reason: str | None = None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Activity:
    """What the transitions did in the states that were counted, and which doubts follow.

    `whole` says that these are all reachable states. `cut` says that there were too many within the depth: then nothing
    is doubted but what was seen to end. `depth` is the bound of the graph. If `runs` is not 0, the states are those of
    random runs: then each transition is counted in every state as often as it was met.
    """

    transitions: dict[str, TransitionCount]
    states: int
    depth: int
    whole: bool
    cut: bool
    doubts: tuple[Doubt, ...]
    runs: int = 0


class Division(NamedTuple):
    """A search below the parts of a level: which level, how many parts, and whether the states there were counted."""

    level: int
    parts: int
    counted: bool


@dataclass(frozen=True, slots=True)
class WideWork:
    """How a search that is done by others was done.

    `orbits` is the number of renamings of interchangeable entities if one state of each orbit was counted, else None.
    `risk` is the probability that two states had one fingerprint: then a state is missing in the count, and, unless
    the work was divided, was not expanded.
    """

    workers: int
    orbits: int | None
    groups: tuple[tuple[str, ...], ...]
    risk: float
    shares: tuple[WorkerShare, ...]
    repeated: int
    """Tasks that were done again because a process had died."""
    division: Division | None = None
    """How the work was divided; None if it was done level by level, or by one process."""
    undivided: str | None = None
    """Why it was not divided although that was asked for."""


@dataclass(frozen=True, eq=False, slots=True)
class SampledStates:
    """Reachable states, each once; `exhausted` says that there are no others."""

    states: list[Values]
    exhausted: bool


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class SearchResult(Displayed):
    """`levels[k]` is the number of states of R<=k; for a violation the last level is not complete."""

    verdict: Literal["holds", "violated", "unknown"]
    invariant: Invariant | None
    entities: dict[str, tuple[str, ...]]
    states: int
    depth: int
    levels: tuple[int, ...]
    exhausted: bool
    run: Run | None
    seconds: float
    memory: int
    reason: str = ""
    """Why the verdict is unknown."""
    was_interrupted: bool = False
    """Did the user stop it?"""
    activity: Activity | None = None
    """How often each transition was enabled and taken, if it was counted."""
    work: WideWork | None = None
    """How the work was shared; None for a search in one Maude process."""
    merged: bool = False
    """Were states that differ only outside of the entities taken as one? Then `holds` says nothing of all of them."""


def unfinished(instance: Instance, invariant: Invariant | None, seen: Progress, reason: str) -> SearchResult:
    """The result of a search that was stopped: what it had seen, and why it ended."""
    depth = max(len(seen.levels) - 1, 0)
    return SearchResult(
        "unknown",
        invariant,
        instance.given,
        seen.states,
        depth,
        seen.levels,
        False,
        None,
        seen.seconds,
        seen.memory,
        reason,
    )

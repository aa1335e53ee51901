"""The records that the caller and the worker exchange, and how they are written: a JSON array a line.

Terms are told by number: a record brings the terms that were not told before in this answer, each with the numbers of
its arguments, and then mentions them.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import NamedTuple

TermEntry = tuple[str, list[int]]
"""The operator of a term, or a number, string or identifier as Maude prints it, and the numbers of the arguments."""

SoupText = list[int]
"""A state: the numbers of its elements."""


class Load(NamedTuple):
    """Replace what is loaded by this module; `states` is its sort of soups."""

    name: str
    text: str
    states: str
    initials: list[str]


class Explore(NamedTuple):
    """Look for a state within `depth` steps for which the predicate is not false; without one, count the states."""

    depth: int
    violation: str | None


class TellStates(NamedTuple):
    """Tell all states within `depth` steps."""

    depth: int


class SymmetryGroups(NamedTuple):
    """The names of interchangeable constants, and of the operators whose arguments have no order."""

    groups: list[list[str]]
    commutative: list[str]


class TellSample(NamedTuple):
    """Tell so many states, the first ones breadth first; if that is not all, also states on random walks.

    With interchangeable constants, one state an orbit of those found breadth first, which counts as several; then soups
    have to be printed one element a line.
    """

    states: int
    symmetry: SymmetryGroups | None = None


class MakeGraph(NamedTuple):
    """Tell all states and the events between them. None stands for no bound, and for no predicate."""

    depth: int | None
    max_states: int | None
    violation: str | None


class Walk(NamedTuple):
    """Go from state to state by the rules named; the first rule is None. Does the last state violate?"""

    steps: list[tuple[str | None, str]]
    violation: str


class Expand(NamedTuple):
    """Tell the fingerprints of all states one step after these; without states, those of the initial states.

    The states are packed; the new ones are told, too, if that is asked for.
    """

    states: str | None
    violation: str | None
    symmetry: SymmetryGroups | None
    tell: bool


class Survey(NamedTuple):
    """Explore, but only to the end of the first level with which at least so many states are known."""

    depth: int
    violation: str | None
    least: int


class SearchPart(NamedTuple):
    """Explore what follows a part of a level: the states of the level in their order, cut into `parts` pieces.

    Of the states that are one step beyond the depth at most `beyond` are told. The fingerprints of states are told
    if they are to be counted.
    """

    depth: int
    violation: str | None
    level: int
    parts: int
    part: int
    beyond: int
    counting: bool


class Follow(NamedTuple):
    """Tell a run whose states have these fingerprints, in hexadecimal digits."""

    fingerprints: list[str]
    symmetry: SymmetryGroups | None


Request = Load | Explore | TellStates | TellSample | MakeGraph | Walk | Expand | Survey | SearchPart | Follow


class Accepted(NamedTuple):
    """The module is loaded."""


class Rejected(NamedTuple):
    """Maude complains about the module."""

    complaints: str


class Seen(NamedTuple):
    """How far the worker is; `levels` has the states of R<=k for the levels that are complete."""

    depth: int
    states: int
    levels: list[int]
    memory: int


class Violation(NamedTuple):
    """A state violates the predicate; the path has rules and soups."""

    depth: int
    seen: Seen
    terms: list[TermEntry]
    path: list[tuple[str | None, SoupText]]


class Stuck(NamedTuple):
    """A condition, an observer after a step or the predicate has no value in the last state of the path."""

    terms: list[TermEntry]
    path: list[tuple[str | None, SoupText]]


class Finished(NamedTuple):
    """All states within the depth were seen; `exhausted` says that there are no others."""

    seen: Seen
    exhausted: bool


class StatesPart(NamedTuple):
    """Some of the states: number, number of the parent, rule (None for an initial state), soup.

    In a sample only the soups mean something.
    """

    terms: list[TermEntry]
    states: list[tuple[int, int, str | None, SoupText]]


class GraphPart(NamedTuple):
    """Some of a graph: soups, each with what the predicate says of it, and steps (source, event, target)."""

    terms: list[TermEntry]
    states: list[tuple[SoupText, str]]
    steps: list[tuple[int, int, int]]


class GraphDone(NamedTuple):
    """The graph is told; `cut` says that the number of states ended it, not the depth."""

    depth: int
    expanded: int
    cut: bool


class GraphStuck(NamedTuple):
    """A condition or an observer has no value in this state of the graph."""

    state: int


class Walked(NamedTuple):
    """Was every step one of the module, and did the last state violate?"""

    fine: bool


class ExpansionEnd(Enum):
    """Why an expansion ended: with the last state, with a violation, or where something has no value."""

    COMPLETE = "complete"
    VIOLATION = "violation"
    NO_VERDICT = "no-verdict"
    NO_NEXT_VALUE = "no-next-value"


class Expanded(NamedTuple):
    """The states after some states: fingerprints in a row, the place of the state that each follows, the states.

    `end` is an `ExpansionEnd`. A state that violates the predicate, or of which that is not known, is told as the last.
    `at` is the place of the state that was expanded last.
    """

    fingerprints: str
    parents: list[int]
    states: str
    end: str
    at: int
    memory: int
    seconds: float


class Surveyed(NamedTuple):
    """The levels that were asked for are complete, and others follow; the fingerprints of all states, in a row."""

    seen: Seen
    fingerprints: str
    seconds: float


class PartSearched(NamedTuple):
    """How many states each level below the part has, as far as the search went, and their fingerprints in a row.

    `end` is an `ExpansionEnd`. A state that violates the predicate, or of which that is not known, is told as the last;
    the path leads there, or to the state before one without a value. `beyond` are fingerprints of what follows the last
    level, and `more` says that these are not all.
    """

    levels: list[int]
    fingerprints: str
    end: str
    terms: list[TermEntry]
    path: list[tuple[str | None, SoupText]]
    beyond: str
    more: bool
    memory: int
    seconds: float


class Followed(NamedTuple):
    """A run, as far as there is one with the fingerprints wanted."""

    terms: list[TermEntry]
    path: list[tuple[str | None, SoupText]]


class Ended(NamedTuple):
    """The process is gone. The caller's side tells this, not the worker."""

    status: int


WorkerAnswer = (
    Violation
    | Stuck
    | Finished
    | StatesPart
    | GraphPart
    | GraphDone
    | GraphStuck
    | Walked
    | Expanded
    | Surveyed
    | PartSearched
    | Followed
)
"""What a question is answered with."""

Message = WorkerAnswer | Accepted | Rejected | Seen | Ended

PARTS = (StatesPart, GraphPart)
"""Answers after which others follow."""

_REQUESTS: dict[str, type[Request]] = {
    t.__name__: t for t in (Load, Explore, TellStates, TellSample, MakeGraph, Walk, Expand, Survey, SearchPart, Follow)
}
_MESSAGES: dict[str, type[Message]] = {
    t.__name__: t
    for t in (
        Violation,
        Stuck,
        Finished,
        StatesPart,
        GraphPart,
        GraphDone,
        GraphStuck,
        Walked,
        Expanded,
        Surveyed,
        PartSearched,
        Followed,
        Accepted,
        Rejected,
        Seen,
        Ended,
    )
}


def encode(record: Request | Message) -> str:
    """A line without its end."""
    return json.dumps([type(record).__name__, *record])


def decode_request(line: str) -> Request:
    name, *fields = json.loads(line)
    request = _REQUESTS[name](*fields)
    if isinstance(request, Expand | Follow | TellSample) and request.symmetry is not None:
        return request._replace(symmetry=SymmetryGroups(*request.symmetry))
    return request


def decode_message(line: str) -> Message:
    name, *fields = json.loads(line)
    if name == Violation.__name__:
        depth, seen, terms, path = fields
        return Violation(depth, Seen(*seen), terms, path)
    if name == Finished.__name__:
        seen, exhausted = fields
        return Finished(Seen(*seen), exhausted)
    if name == Surveyed.__name__:
        seen, *rest = fields
        return Surveyed(Seen(*seen), *rest)
    return _MESSAGES[name](*fields)

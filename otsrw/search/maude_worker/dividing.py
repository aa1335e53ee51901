"""A search in parts: all states up to a level, and then what follows some states of this level.

The states of a part are put into a tree, and Maude's own search goes from its root to the leaves and on. States come in
the order of their numbers, so the order of the leaves is kept. A clock is searched along: it ticks at the end of each
level, and Maude returns only for its ticks and for states that are not free of violations.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import maude
from maude import _maude

from .loaded import BAD, CLOCK, FORK, memory
from .messages import (
    ExpansionEnd,
    Explore,
    Finished,
    Load,
    PartSearched,
    SearchPart,
    Seen,
    SoupText,
    Stuck,
    Surveyed,
    Violation,
)
from .packing import FINGERPRINT, fingerprint
from .searching import MaudeSearch
from .terms import TermTable

_next = _maude.RewriteSequenceSearch___next
_number = _maude.RewriteSequenceSearch_getStateNr
_term = _maude.RewriteSequenceSearch_getStateTerm
_parent = _maude.RewriteSequenceSearch_getStateParent
_text = str


class _LevelMarks(NamedTuple):
    """The last state of each level below the leaves, and the state that ended the search, if any did."""

    ends: list[int]
    culprit: int | None


class DividedLevel:
    """A level of a search whose states are the leaves of further searches."""

    def __init__(
        self, module: Load, violation: str | None, depth: int, tell: Callable[[Seen], None], least: int | None = None
    ) -> None:
        self.violation = violation
        self._tell = tell
        self._search = MaudeSearch(module, Explore(depth, violation), tell, least=least, fork=True)
        loaded = self._loaded = self._search.module
        self._sort = next(sort for sort in loaded.getSorts() if str(sort) == module.states)
        self._fork: Any = loaded.parseTerm(f"{FORK}(X:OtsrwRun, Y:OtsrwRun)").symbol()
        self._clock = loaded.parseTerm(f"{CLOCK}({CLOCK}-start)")
        self._anything = loaded.parseTerm("X:[OtsrwRun]")
        is_fine = loaded.parseTerm(f"{BAD}(X:[OtsrwRun]) == false")
        self._stops = maude.EqualityCondition(is_fine, loaded.parseTerm("false"))
        self._violates: Any = None
        if violation is not None:
            self._violates = loaded.parseTerm(f"{violation}(X:{module.states})").symbol()
        self._states: list[int] = []

    @property
    def level(self) -> int:
        assert isinstance(self._search.outcome, Finished)
        return len(self._search.outcome.seen.levels) - 1

    def run(self) -> DividedLevel:
        """The same after a search up to the level."""
        self._search.run()
        return self

    def survey(self) -> Violation | Stuck | Finished | Surveyed:
        """Search up to the level and tell its states; the end of the search if it has one there."""
        begin = time.process_time()
        outcome = self._search.run()
        if not isinstance(outcome, Finished) or outcome.exhausted or self.level == self._search.depth:
            return outcome
        prints = _prints(self._search.term(number) for number in self._search.numbers())
        return Surveyed(outcome.seen, base64.b64encode(prints).decode(), time.process_time() - begin)

    def search(self, request: SearchPart, begin: float) -> PartSearched:
        """What follows a part of the level; the work began at this processor time."""
        self._states = self._states or self._search.numbers(self.level)
        count = len(self._states)
        part = self._states[count * request.part // request.parts : count * (request.part + 1) // request.parts]
        tree, height = self._tree([self._search.term(number) for number in part])
        below = tree.search(
            maude.AT_LEAST_ONE_STEP, self._anything, [self._stops], depth=height + 1 + request.depth - self.level
        )
        found = self._run(below, height)
        marks = found.ends if found.culprit is None else [*found.ends, found.culprit + 1]
        numbers = [range(before + 1, after) for before, after in pairwise(marks)]
        table, path, end = TermTable(), [], ExpansionEnd.COMPLETE
        if found.culprit is not None:
            end = self._end(below, found.culprit)
            last = _parent(below, found.culprit) if end is ExpansionEnd.NO_NEXT_VALUE else found.culprit
            path = self._path(below, last, found.ends[0], part, table)
        prints = _prints(_term(below, number) for level in numbers for number in level) if request.counting else b""
        beyond: list[bytes] = []
        if request.counting and end is ExpansionEnd.COMPLETE and len(numbers) == request.depth - self.level:
            beyond = self._beyond(below, numbers[-1], prints, request.beyond + 1)
        return PartSearched(
            list(map(len, numbers)),
            base64.b64encode(prints).decode(),
            end.value,
            table.news(),
            path,
            base64.b64encode(b"".join(beyond[: request.beyond])).decode(),
            len(beyond) > request.beyond,
            memory(),
            time.process_time() - begin,
        )

    def _tree(self, leaves: list[Any]) -> tuple[Any, int]:
        """A tree with these leaves, all of them as far from the root, beside the clock, and how far that is."""
        height = max(1, (len(leaves) - 1).bit_length())
        nodes = leaves + [leaves[-1]] * (2**height - len(leaves))
        while len(nodes) > 1:
            nodes = [self._fork.makeTerm(nodes[at : at + 2]) for at in range(0, len(nodes), 2)]
        root = self._fork.makeTerm([nodes[0], self._clock])
        root.reduce()
        return root, height

    def _run(self, below: Any, height: int) -> _LevelMarks:
        """Search to the end, or to the first state that is not free of violations.

        The first end is that of the leaves. A level without a state of its own is the end.
        """
        ticks: list[int] = []
        while _next(below) is not None:
            number: int = _number(below)
            if _parent(below, number) != (ticks[-1] if ticks else 0):
                return _LevelMarks(ticks[height:], number)
            ticks.append(number)
            if len(ticks) > height + 1:
                self._tell(Seen(self.level + len(ticks) - height - 1, number - ticks[height], [], memory()))
            if len(ticks) > height + 1 and ticks[-1] == ticks[-2] + 1:
                break
        return _LevelMarks(ticks[height:], None)

    def _end(self, below: Any, number: int) -> ExpansionEnd:
        state = _term(below, number)
        if not state.getSort() <= self._sort:
            return ExpansionEnd.NO_NEXT_VALUE
        if self._violates is None:
            return ExpansionEnd.NO_VERDICT
        verdict = self._violates.makeTerm([state])
        verdict.reduce()
        return ExpansionEnd.VIOLATION if str(verdict) == "true" else ExpansionEnd.NO_VERDICT

    def _path(
        self, below: Any, number: int, last_leaf: int, part: list[int], table: TermTable
    ) -> list[tuple[str | None, SoupText]]:
        """Rules and soups from an initial state on: to the leaf, and from there to the state."""
        found: list[tuple[str | None, SoupText]] = []
        while number > last_leaf:
            found.append((str(below.getRule(number).getLabel()), table.soup(_term(below, number))))
            number = _parent(below, number)
        leaf = _term(below, number)
        origin = next(each for each in part if self._search.term(each).equal(leaf))
        return self._search.path(origin, table) + found[::-1]

    def _beyond(self, below: Any, last: range, prints: bytes, most: int) -> list[bytes]:
        """Fingerprints of at most so many states after the last level that this search has not seen."""
        seen = {prints[at : at + FINGERPRINT] for at in range(0, len(prints), FINGERPRINT)} if last else set()
        found: dict[bytes, None] = {}
        for number in last:
            after = _term(below, number).search(maude.ONE_STEP, self._anything)
            while _next(after) is not None:
                told = fingerprint(_text(_term(after, _number(after))))
                if told not in seen:
                    found[told] = None
                    if len(found) == most:
                        return list(found)
        return list(found)


def _prints(terms: Iterator[Any]) -> bytes:
    return b"".join(fingerprint(_text(term)) for term in terms)

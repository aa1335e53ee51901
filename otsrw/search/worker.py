"""The process that runs Maude: one request in, messages out, one JSON document a line.

It is started as a script, because importing otsrw would take longer than a small search, and can be killed at any
time. Maude says what it does not like only on the process's standard error, so that is caught and sent along; its
standard output is thrown away.

How the search works. States are asked for one by one, but only those that do *not* violate the invariant: they come
numbered in breadth-first order, so a gap in the numbers is a violation, and nothing has to be read from Maude for the
others. A clock that ticks once a level is searched along with the system, so that there is always a later state to
reveal a gap, and so that the end of a level is seen.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator
from typing import Any

import maude
from maude import _maude

_PRINTED = ("s_", "-_", "_/_", "<Strings>", "<Qids>")
_TICK = 0.15
_ROOT, _CLOCK = "otsrw-root", "otsrw-clock"


class Messages:
    """The way back to the caller."""

    def __init__(self) -> None:
        self.out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the process lives)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(self.errors.fileno(), 2)

    def send(self, kind: str, **content: Any) -> None:
        self.out.write(json.dumps({"kind": kind, **content}) + "\n")
        self.out.flush()

    def complaints(self) -> str:
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")


def dump(term: Any) -> Any:
    """A term as nested lists; a number, a string or a quoted identifier as Maude prints it."""
    symbol = str(term.symbol()).replace("`", "")
    arguments = [dump(argument) for argument in term.arguments()]
    if symbol in _PRINTED:
        return [str(term)]
    return [symbol, *arguments]


class Search:
    """A bounded breadth-first search from all initial states."""

    def __init__(self, request: dict[str, Any], messages: Messages) -> None:
        self.messages = messages
        self.depth: int = request["depth"]
        self.keep: bool = request["keep"]
        maude.input(_wrapper(request, clock=True))
        self.module = maude.getModule("OTSRW-SEARCH")
        predicate = request["violation"]
        condition = (
            [maude.EqualityCondition(self.module.parseTerm(f"{predicate}(X:OtsrwRun)"), self.module.parseTerm("false"))]
            if predicate
            else []
        )
        start = self.module.parseTerm(_ROOT)
        target = self.module.parseTerm("X:OtsrwRun")
        arguments = (maude.AT_LEAST_ONE_STEP, target, *([condition] if condition else []))
        self.search = start.search(*arguments, depth=self.depth + 2)
        self.initials = len(request["initials"])
        self.sort = next(sort for sort in self.module.getSorts() if str(sort) == request["states"])
        self.depths = array("i", [0])
        self.clock = -1
        self.levels: list[int] = []
        """States seen so far, for every level that is complete."""
        self.states = 0
        self.kept: list[int] = []

    def run(self) -> None:
        step = _maude.RewriteSequenceSearch___next
        number_of = _maude.RewriteSequenceSearch_getStateNr
        search = self.search
        last, told = 0, time.monotonic()
        while step(search) is not None:
            number = number_of(search)
            while last < number:
                last += 1
                if not self._enter(last, is_gap=last < number):
                    return
            if not self.states % 256 and time.monotonic() - told > _TICK:
                told = time.monotonic()
                self._progress()
        self._finish(exhausted=True)

    def _enter(self, number: int, is_gap: bool) -> bool:
        """Count a state; False if the search is over."""
        parent: int = _maude.RewriteSequenceSearch_getStateParent(self.search, number)
        depth = self.depths[parent] + 1
        self.depths.append(depth)
        is_clock = parent == self.clock or (parent == 0 and number == self.initials + 1)
        if is_clock and not is_gap:
            self.clock = number
            self.levels.append(self.states)
            if len(self.levels) > 1 and self.levels[-1] == self.levels[-2]:
                self._finish(exhausted=True)
                return False
            return True
        if depth > self.depth + 1:
            self._finish(exhausted=False)
            return False
        self.states += 1
        if is_gap:
            self._violation(number, depth - 1)
            return False
        if self.keep:
            self.kept.append(number)
        return True

    def _progress(self) -> None:
        self.messages.send("progress", depth=len(self.levels), states=self.states, levels=self.levels, memory=_memory())

    def _violation(self, number: int, depth: int) -> None:
        if not self.search.getStateTerm(number).getSort() <= self.sort:
            self._stuck(number)
            return
        path = [
            (None if not i else path_rule(self.search, n), dump(self.search.getStateTerm(n)))
            for i, n in self._path(number)
        ]
        self.messages.send(
            "violation", depth=depth, states=self.states, path=path, levels=self.levels, memory=_memory()
        )

    def _stuck(self, number: int) -> None:
        """A condition or an observer has no value: a step from the parent of this state, or an initial state."""
        path = [
            (None if not i else path_rule(self.search, n), dump(self.search.getStateTerm(n)))
            for i, n in self._path(number)[:-1]
        ]
        self.messages.send("stuck", path=path, states=self.states, memory=_memory())

    def _path(self, number: int) -> list[tuple[int, int]]:
        numbers = []
        while number > 0:
            numbers.append(number)
            number = self.search.getStateParent(number)
        return list(enumerate(reversed(numbers)))

    def _finish(self, exhausted: bool) -> None:
        for number in self.kept:
            parent = self.search.getStateParent(number)
            rule = path_rule(self.search, number) if parent > 0 else None
            self.messages.send(
                "state", number=number, parent=parent, rule=rule, term=dump(self.search.getStateTerm(number))
            )
        levels = self.levels[: self.depth + 1]
        if exhausted and len(levels) > 1 and levels[-1] == levels[-2]:
            levels.pop()
        self.messages.send("done", states=self.states, levels=levels, exhausted=exhausted, memory=_memory())


class Table:
    """Terms by number, each told once: its symbol and the numbers of its arguments."""

    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}
        self.entries: list[Any] = []

    def number(self, term: Any) -> int:
        found = self._numbers.get(term)
        if found is None:
            symbol = str(term.symbol()).replace("`", "")
            inside = () if symbol in _PRINTED else map(self.number, arguments(term))
            entry = [str(term) if symbol in _PRINTED else symbol, *inside]
            found = self._numbers[term] = len(self.entries)
            self.entries.append(entry)
        return found


def arguments(term: Any) -> Iterator[Any]:
    """The arguments of a term, without the detour of the bindings' own iterator."""
    places = _maude.Term_arguments(term)
    valid, argument, move = (
        _maude.ArgumentIterator_valid,
        _maude.ArgumentIterator_argument,
        _maude.ArgumentIterator___next,
    )
    while valid(places):
        yield argument(places)
        move(places)


class Graph:
    """All states within some steps and the events between them, breadth first.

    A step takes two rewrites: the first one leaves an element in the soup that says what happened, the second one puts
    an element in its place that says that the soup is ready for another step.
    """

    def __init__(self, request: dict[str, Any], messages: Messages) -> None:
        self.messages = messages
        self.depth: int | None = request["depth"]
        self.most: int | None = request["max_states"]
        maude.input(_wrapper(request, clock=False))
        self.module = maude.getModule("OTSRW-SEARCH")
        self.graph = maude.RewriteGraph(self.module.parseTerm(_ROOT))
        self.table = Table()
        self.events: dict[int, int] = {}
        self.told = 0
        self.numbers: dict[int, int] = {}
        self.nodes: list[int] = []
        self.states: list[Any] = []
        self.steps: list[tuple[int, int, int]] = []
        self.violates = self._predicate(request["violation"]) if request["violation"] else None

    def _predicate(self, name: str) -> Any:
        return next(symbol for symbol in self.module.getSymbols() if str(symbol) == name)

    def run(self) -> None:
        for node in self._following(0):
            self._number(node)
        reached, expanded, layer_end, cut = 0, 0, len(self.nodes), False
        told = time.monotonic()
        while expanded < len(self.nodes) and not cut and reached != self.depth:
            node = self.nodes[expanded]
            for after in self._following(node):
                ready = self.graph.getNextState(after, 0)
                if ready < 0:
                    self._tell(reached)
                    self.messages.send("stuck", state=expanded)
                    return
                self.steps.append((expanded, self._event(after), self._number(ready)))
            expanded += 1
            if expanded == layer_end:
                reached, layer_end = reached + (len(self.nodes) > layer_end), len(self.nodes)
            cut = self.most is not None and self.most <= len(self.nodes) and expanded < len(self.nodes)
            if time.monotonic() - told > _TICK:
                told = time.monotonic()
                self._tell(reached)
        self._tell(reached)
        self.messages.send("done", depth=reached, expanded=expanded, cut=cut)

    def _following(self, node: int) -> Iterator[int]:
        index = 0
        while (following := self.graph.getNextState(node, index)) >= 0:
            yield following
            index += 1

    def _number(self, node: int) -> int:
        number = self.numbers.get(node)
        if number is None:
            number = self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
            soup = self.graph.getStateTerm(node)
            self.states.append((self._elements(soup), self._truth(soup)))
        return number

    def _elements(self, soup: Any) -> list[int]:
        return [self.table.number(element) for element in arguments(soup)]

    def _truth(self, soup: Any) -> str:
        """Whether a soup violates the invariant, as Maude says it."""
        if self.violates is None:
            return "false"
        term = self.violates.makeTerm([soup])
        term.reduce()
        return str(term)

    def _event(self, node: int) -> int:
        """What happened last; Maude sorts it to the front."""
        known = self.events.get(node)
        if known is None:
            told = next(arguments(self.graph.getStateTerm(node)))
            known = self.events[node] = self.table.number(next(arguments(told)))
        return known

    def _tell(self, depth: int) -> None:
        self.messages.send("part", terms=self.table.entries[self.told :], states=self.states, steps=self.steps)
        self.messages.send("progress", depth=depth, states=len(self.nodes), levels=[], memory=_memory())
        self.told, self.states, self.steps = len(self.table.entries), [], []


def walk(request: dict[str, Any], messages: Messages) -> None:
    """Is each state one step of its rule away from the one before, and does the last one violate the invariant?"""
    module = maude.getModule(request["name"])
    states = [module.parseTerm(text) for _, text in request["walk"]]
    first = [module.parseTerm(name) for name in request["initials"]]
    for term in (*states, *first):
        term.reduce()
    fine = any(states[0].equal(term) for term in first)
    for (rule, _), before, after in zip(request["walk"][1:], states[:-1], states[1:], strict=True):
        found = before.search(maude.ONE_STEP, after, depth=1)
        fine = fine and any(str(found.getRule().getLabel()) == rule for _ in found)
    if request["violation"]:
        last = module.parseTerm(f"{request['violation']}({request['walk'][-1][1]})")
        last.reduce()
        fine = fine and str(last) == "true"
    messages.send("walked", fine=fine)


def path_rule(search: Any, number: int) -> str:
    """The label of the rule that led to a state."""
    return str(search.getRule(number).getLabel())


def _wrapper(request: dict[str, Any], clock: bool) -> str:
    starts = "".join(f"  rl {_ROOT} => {name} .\n" for name in request["initials"])
    predicate = request["violation"]
    quiet = f"  eq {predicate}({_CLOCK}(X:OtsrwRun)) = false .\n" if predicate else ""
    ticking = (
        f"  op {_CLOCK} : OtsrwRun -> OtsrwRun [ctor] .\n  op {_ROOT}-of : -> OtsrwRun [ctor] .\n"
        f"  rl {_ROOT} => {_CLOCK}({_ROOT}-of) .\n"
        f"  rl {_CLOCK}(X:OtsrwRun) => {_CLOCK}({_CLOCK}(X:OtsrwRun)) .\n{quiet}"
    )
    return (
        f"mod OTSRW-SEARCH is\n  including {request['name']} .\n  sort OtsrwRun .\n"
        f"  subsort {request['states']} < OtsrwRun .\n  op {_ROOT} : -> OtsrwRun [ctor] .\n"
        f"{starts}{ticking if clock else ''}endm\n"
    )


def _memory() -> int:
    """The largest resident size so far, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def main() -> None:
    messages = Messages()
    request = json.loads(sys.stdin.readline())
    maude.init(advise=False)
    maude.input(request["text"])
    complaints = messages.complaints()
    if maude.getModule(request["name"]) is None or complaints:
        messages.send("rejected", complaints=complaints)
        return
    if "walk" in request:
        walk(request, messages)
        return
    search = Graph(request, messages) if "graph" in request else Search(request, messages)
    complaints = messages.complaints()
    if complaints:
        messages.send("rejected", complaints=complaints)
        return
    messages.send("ready")
    search.run()


if __name__ == "__main__":
    main()

"""Answers requests until there are no more, one JSON document a line.

Maude says what it does not like only on the process's standard error, so that is caught and sent along; its standard
output is thrown away. The process can be killed at any time.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time

import maude

from .dividing import DividedLevel
from .expanding import Expander
from .graphs import MaudeGraph
from .loaded import memory
from .messages import (
    Accepted,
    Expand,
    Explore,
    Finished,
    Follow,
    Load,
    MakeGraph,
    Message,
    Rejected,
    Request,
    SearchPart,
    Seen,
    Survey,
    Surveyed,
    SymmetryGroups,
    TellSample,
    TellStates,
    Walk,
    Walked,
    WorkerAnswer,
    decode_request,
    encode,
)
from .sampling import NoValue, OrbitSample
from .searching import MaudeSearch
from .terms import TermTable
from .walking import MaudeWalks

_MAX_LEVELS = 100
"""Levels of a sample; the clock of a search takes the longer the deeper it is."""


class Channel:
    """The way back to the caller."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the process lives)
        self._read = 0
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(self._errors.fileno(), 2)

    def send(self, message: Message) -> None:
        self._out.write(encode(message) + "\n")
        self._out.flush()

    def complaints(self) -> str:
        """What Maude has complained about since the last time."""
        self._errors.seek(self._read)
        found = self._errors.read()
        self._read += len(found)
        return found.decode("utf-8", "replace")


class Worker:
    """Answers requests about the module that is loaded.

    The last search is kept: if it is finished, its states are told without another search.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._module: Load | None = None
        self._search: MaudeSearch | None = None
        self._expanding: tuple[str | None, SymmetryGroups | None, Expander] | None = None
        self._divided: DividedLevel | None = None

    def answer(self, request: Request) -> None:
        if isinstance(request, Load):
            self._load(request)
            return
        assert self._module is not None
        if not isinstance(request, SearchPart):
            self._divided = None
        match request:
            case Explore():
                answer: WorkerAnswer | Rejected = self._explore(self._module, request)
            case TellStates():
                answer = self._tell_states(self._module, request)
            case TellSample():
                answer = self._tell_sample(self._module, request)
            case MakeGraph():
                self._search = None
                graph = MaudeGraph(self._module, request, self._channel.send)
                answer = self._rejected() or graph.run()
            case Walk():
                answer = walked(self._module, request)
            case Expand():
                answer = self._expander(request.violation, request.symmetry).expand(request)
            case Survey():
                answer = self._survey(self._module, request)
            case SearchPart():
                answer = self._search_part(self._module, request)
            case Follow():
                answer = self._expander(None, request.symmetry).follow(request)
        self._channel.send(answer)

    def _load(self, module: Load) -> None:
        self._search = None
        self._expanding = None
        self._divided = None
        self._module = module
        maude.input(module.text)
        complaints = self._channel.complaints()
        if maude.getModule(module.name) is None or complaints:
            self._channel.send(Rejected(complaints))
        else:
            self._channel.send(Accepted())

    def _expander(self, violation: str | None, symmetry: SymmetryGroups | None) -> Expander:
        """The one that was used last, if it is the same: it remembers terms."""
        assert self._module is not None
        if self._expanding is None or self._expanding[:2] != (violation, symmetry):
            self._expanding = violation, symmetry, Expander(self._module, violation, symmetry)
        return self._expanding[2]

    def _rejected(self) -> Rejected | None:
        complaints = self._channel.complaints()
        return Rejected(complaints) if complaints else None

    def _explore(self, module: Load, request: Explore) -> WorkerAnswer | Rejected:
        self._search = None  # what it holds is free for the next one
        self._search = MaudeSearch(module, request, self._channel.send)
        return self._rejected() or self._search.run()

    def _survey(self, module: Load, request: Survey) -> WorkerAnswer | Rejected:
        self._search = None
        found = DividedLevel(module, request.violation, request.depth, self._channel.send, request.least)
        answer = self._rejected() or found.survey()
        if isinstance(answer, Surveyed):
            self._divided = found
        return answer

    def _search_part(self, module: Load, request: SearchPart) -> WorkerAnswer | Rejected:
        """The level is searched again only if this process did not do it for its last answer."""
        begin = time.process_time()
        known = self._divided
        if known is None or (known.violation, known.level) != (request.violation, request.level):
            self._search = self._divided = None
            known = DividedLevel(module, request.violation, request.level, self._channel.send)
            rejected = self._rejected()
            if rejected is not None:
                return rejected
            self._divided = known.run()
        return known.search(request, begin)

    def _tell_states(self, module: Load, request: TellStates) -> WorkerAnswer | Rejected:
        known = self._search
        if known is None or known.depth != request.depth or not isinstance(known.outcome, Finished):
            answer = self._explore(module, Explore(request.depth, None))
            if not isinstance(answer, Finished):
                return answer
        assert self._search is not None and isinstance(self._search.outcome, Finished)
        for part in self._search.parts(TermTable()):
            self._channel.send(part)
        return self._search.outcome

    def _tell_sample(self, module: Load, request: TellSample) -> WorkerAnswer | Rejected:
        self._search = None
        if request.symmetry is not None:
            try:
                return self._tell_orbits(module, request, request.symmetry)
            except NoValue:
                pass  # the search below says what has none
        search = MaudeSearch(module, Explore(_MAX_LEVELS, None), self._channel.send, request.states)
        answer = self._rejected() or search.run()
        if not isinstance(answer, Finished):
            return answer
        table = TermTable()
        for part in search.parts(table):
            self._channel.send(part)
        if not answer.exhausted:
            for part in MaudeWalks(module, table).parts(request.states // 2):
                self._channel.send(part)
        return answer

    def _tell_orbits(self, module: Load, request: TellSample, symmetry: SymmetryGroups) -> WorkerAnswer:
        table = TermTable()
        sample = OrbitSample(self._expander(None, symmetry), request.states, symmetry)
        for part in sample.parts(table):
            self._channel.send(part)
        if not sample.exhausted:
            for part in MaudeWalks(module, table).parts(request.states // 2):
                self._channel.send(part)
        return Finished(Seen(0, 0, [], memory()), sample.exhausted)


def walked(loaded: Load, request: Walk) -> Walked:
    """Is each state one step of its rule away from the one before, and does the last one violate the invariant?"""
    module = maude.getModule(loaded.name)
    states = [module.parseTerm(text) for _, text in request.steps]
    first = [module.parseTerm(name) for name in loaded.initials]
    for term in (*states, *first):
        term.reduce()
    fine = any(states[0].equal(term) for term in first)
    for (rule, _), before, after in zip(request.steps[1:], states[:-1], states[1:], strict=True):
        fine = fine and any(_reduced(found).equal(after) for found, *_ in before.apply(rule))
    last = module.parseTerm(f"{request.violation}({request.steps[-1][1]})")
    last.reduce()
    return Walked(fine and str(last) == "true")


def _reduced(term: maude.Term) -> maude.Term:
    term.reduce()
    return term


def main() -> None:
    worker = Worker(Channel())
    maude.init(advise=False)
    for line in sys.stdin:
        worker.answer(decode_request(line))


if __name__ == "__main__":
    main()

"""Kept states in blocks, each known to a process of its own, so that lemmas are evaluated in all blocks at once.

The processes are children that stay: what they have computed of the terms of one lemma serves the next one. It takes
some 0.3 ms to ask them and about 1 microsecond to evaluate a lemma in a state, so that they are asked only if there are
many states.
"""

from __future__ import annotations

import os
import signal
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import pairwise
from multiprocessing import get_context

from otsrw.induction.bulk import TooManyGroups
from otsrw.induction.cases import Predicate
from otsrw.induction.kept import KeptStates
from otsrw.induction.sent_predicates import SentPredicate, read_predicate, written_predicate
from otsrw.records import NamedTuple
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.modules import Module

MANY_STATES = 10_000
"""Kept states from which on it pays to have lemmas evaluated by several processes."""


class CannotEvaluate(Exception):
    """A process died, or cannot tell: the lemma has to be evaluated in one process."""


class _Block(NamedTuple):
    """What a child knows: its states, and the module of the predicates that it is asked about."""

    kept: KeptStates
    module: Module


_block: list[_Block] = []
"""The block of this process, if it is a child."""


def _take(block: _Block) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its children
    _block.append(block)


def _first(sent: SentPredicate) -> int | None:
    """The first state of the block of this process that violates a predicate; -1 if that cannot be told."""
    kept, module = _block[0]
    plans = kept.lookup.ways_to_violate(read_predicate(sent, module)) or []
    try:
        return kept.conjunctions.solver.first(plans)
    except (OtsrwError, TooManyGroups):
        return -1


class StateBlocks:
    """The kept states of a proof, divided among as many processes as there are jobs."""

    def __init__(self, kept: KeptStates, module: Module, jobs: int) -> None:
        """Each block has a child of this process. Needs `os.fork`."""
        context = get_context("fork")
        count = len(kept.states)
        bounds = [count * job // jobs for job in range(jobs + 1)]
        self._module = module
        self._begins = bounds[:-1]
        blocks = (_Block(kept.part(begin, end), module) for begin, end in pairwise(bounds))
        self._workers: list[Executor] = [ProcessPoolExecutor(1, context, _take, (block,)) for block in blocks]

    def first(self, predicate: Predicate) -> int | None:
        """The first kept state that violates a predicate; None if none does. May raise `CannotEvaluate`."""
        sent = written_predicate(predicate, self._module)
        try:
            calls = [worker.submit(_first, sent) for worker in self._workers]
            places = [call.result() for call in calls]
        except (BrokenProcessPool, RuntimeError):
            raise CannotEvaluate from None
        if -1 in places:
            raise CannotEvaluate
        found = [begin + place for begin, place in zip(self._begins, places, strict=True) if place is not None]
        return min(found, default=None)

    def processes(self) -> list[int]:
        """The process identifiers of the children."""
        return [worker.submit(os.getpid).result() for worker in self._workers]

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.shutdown(cancel_futures=True)

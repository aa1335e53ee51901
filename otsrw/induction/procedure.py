"""Induction-guided falsification: steps of a prover, until the proof has a verdict or the prover stops."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from otsrw.induction.proof import Proof, ProofEnding
from otsrw.induction.prover import Prover
from otsrw.induction.results import (
    ClearSteps,
    IgfResult,
    IgfVerdict,
    NewsListener,
    Options,
    UnclearSteps,
    needed_data,
    settled,
)
from otsrw.induction.steps import LemmaChosen, Refuted, Stopped
from otsrw.ots.model import Invariant, Ots
from otsrw.records import NamedTuple
from otsrw.search.space import StateSpace

if TYPE_CHECKING:
    from otsrw.induction.saved import ProofKeeper


class SecondLook(NamedTuple):
    """After so many cases it is asked once whether the proof is given up."""

    cases: int
    ends: Callable[[], bool]


def igf(
    ots: Ots,
    space: StateSpace | None,
    invariant: Invariant,
    options: Options,
    listener: NewsListener | None = None,
    keeper: ProofKeeper | None = None,
    looks: Sequence[SecondLook] = (),
) -> IgfResult:
    """Decide an invariant of `ots`, searching in the space of one of its instances; without one, by induction alone.

    A keeper is given the proof as it grows, and begins with what it kept of a former one.

    >>> from otsrw.ots import Instance, find_ots
    >>> from otsrw.proofs import load
    >>> from otsrw.search import MaudeSpace
    >>> ots = find_ots(load("specs/tas-flawed.cafe"))
    >>> with MaudeSpace(Instance(ots, {"Pid": ("p1", "p2")})) as space:
    ...     igf(ots, space, ots.invariants[0], Options(depth=3)).verdict
    'falsified'
    """
    started = time.monotonic()
    prover = Prover(ots, space, invariant, options)
    proof = prover.new_proof()
    if keeper is not None:
        keeper.begin(proof, prover.induction)
    was_interrupted = False
    try:
        ending = advance(proof, prover, listener, keeper, looks)
    except KeyboardInterrupt:
        was_interrupted = True
        ending = ProofEnding(IgfVerdict.UNKNOWN, "interrupted")
    finally:
        prover.close()
    return IgfResult(
        ending.verdict,
        ending.reason,
        invariant,
        ots,
        None if space is None else space.instance,
        settled(proof.left_open(), ending.grounds),
        ending.run,
        ending.chain,
        proof.states,
        options.depth,
        proof.agenda.rounds,
        tuple(proof.dropped),
        time.monotonic() - started,
        was_interrupted,
        ending.grounds,
        needed_data(proof.nodes.values(), prover.induction.book.proofs),
        prover.induction.book.missing,
        _steps(ending, prover, proof, was_interrupted),
        None if prover.crew is None else prover.crew.work,
        prover.effort.spent,
    )


def _steps(
    ending: ProofEnding, prover: Prover, proof: Proof, was_interrupted: bool
) -> ClearSteps | UnclearSteps | None:
    """What is known of steps without a violation; None if the verdict says more."""
    if ending.verdict is not IgfVerdict.UNKNOWN:
        return None
    return UnclearSteps("the run was interrupted") if was_interrupted else prover.clear_steps(proof)


def out_of_cases(most: int) -> str:
    """The reason of a proof that has ended because it had so many cases."""
    return f"the budget of {most} cases is spent"


def given_up(cases: int) -> str:
    """The reason of a proof that a second look has ended."""
    return f"given up after {cases} cases"


def advance(
    proof: Proof,
    prover: Prover,
    listener: NewsListener | None = None,
    keeper: ProofKeeper | None = None,
    looks: Sequence[SecondLook] = (),
) -> ProofEnding:
    """Take steps until the proof has ended, or the prover stops: then the proof may be continued."""
    todo = sorted(looks, key=lambda look: look.cases)
    while proof.ending is None:
        news = proof.news()
        if listener is not None and news is not None:
            listener(news)
            prover.report_cases(listener, news)
        most = prover.options.max_cases
        if most is not None and proof.cases > most:
            return ProofEnding(IgfVerdict.UNKNOWN, out_of_cases(most))
        while todo and proof.cases > todo[0].cases:
            look = todo.pop(0)
            if look.ends():
                return ProofEnding(IgfVerdict.UNKNOWN, given_up(look.cases))
        result = prover.step(proof)
        if isinstance(result, Stopped):
            return ProofEnding(IgfVerdict.UNKNOWN, result.reason)
        proof.commit(result)
        if keeper is not None and isinstance(result, LemmaChosen | Refuted):
            keeper.keep(proof)
    return proof.ending

"""A proof is data: it can be stopped between any two steps, and another prover goes on with it."""

from __future__ import annotations

import pytest
from specifications import SPECS, instance_of, ots_of

from otsrw.induction.procedure import SecondLook, advance, igf
from otsrw.induction.proof import Proof
from otsrw.induction.prover import Prover
from otsrw.induction.results import IgfVerdict, News, NodeStatus, Options
from otsrw.induction.steps import Concluded, LemmaChosen, ObligationStatus, Refuted, Stopped
from otsrw.ots import Ots
from otsrw.search import RewritingSpace
from otsrw.theory.printing import show_plainly

_FALSE_LEMMA = "  op wrong : Sys Pid -> Bool\n  eq wrong(S, I) = (pc(S, I) = rs) .\n"


def tas() -> Ots:
    """TAS, with a predicate that is false after one step."""
    text = SPECS.joinpath("tas.cafe").read_text(encoding="utf-8")
    place = text.index("  eq mutex(")
    return ots_of(text[:place] + _FALSE_LEMMA + text[place:])


def prover_of(ots: Ots, options: Options) -> Prover:
    mutex = next(invariant for invariant in ots.invariants if invariant.name == "mutex")
    return Prover(ots, RewritingSpace(instance_of(ots)), mutex, options)


def told(proof: Proof) -> tuple[object, ...]:
    """All that a proof says, as text."""
    nodes = [
        (name, show_plainly(n.predicate.formula), n.kind, n.status, len(n.cases), len(n.undecided))
        for name, n in proof.nodes.items()
    ]
    statuses = [(obligation, status) for own in proof.agenda.obligations.values() for obligation, status in own.items()]
    counts = (
        proof.agenda.rounds,
        proof.cases,
        proof.retractions,
        proof.states,
        tuple(proof.agenda.queue),
        len(proof.agenda.waiting),
    )
    return nodes, statuses, counts, tuple(proof.dropped)


OPTIONS = {
    "plain": Options(depth=1, strengthen=False),
    "strengthened": Options(depth=1),
    "with a lemma that is false": Options(depth=0, lemmas=("wrong",)),
    "two processes": Options(depth=1, jobs=2),
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS.keys())
def test_a_new_prover_for_every_step_comes_to_the_same_proof(options: Options) -> None:
    ots = tas()
    one = prover_of(ots, options)
    alone = one.new_proof()
    expected = advance(alone, one)
    relayed = prover_of(ots, options).new_proof()
    while relayed.ending is None:
        result = prover_of(ots, options).step(relayed)
        assert not isinstance(result, Stopped)
        relayed.commit(result)
    assert (relayed.ending.verdict, relayed.ending.reason) == (expected.verdict, expected.reason)
    assert told(relayed) == told(alone)


def test_a_step_that_is_not_committed_changes_nothing() -> None:
    prover = prover_of(tas(), Options(depth=1))
    proof = prover.new_proof()
    while proof.ending is None:
        before = told(proof)
        result = prover.step(proof)
        assert told(proof) == before
        assert not isinstance(result, Stopped)
        proof.commit(result)


def test_a_predicate_is_proved_when_all_its_obligations_are_closed() -> None:
    prover = prover_of(tas(), Options(depth=1))
    proof = prover.new_proof()
    while proof.ending is None:
        result = prover.step(proof)
        assert not isinstance(result, Stopped)
        proof.commit(result)
        for name, node in proof.nodes.items():
            own = proof.agenda.obligations.get(name, {})
            is_closed = bool(own) and set(own.values()) == {ObligationStatus.CLOSED}
            assert (node.status is NodeStatus.CLOSED) == is_closed
    assert proof.ending.verdict is IgfVerdict.VERIFIED


def test_a_false_guess_is_the_result_of_a_step_and_dropped_by_a_restart() -> None:
    prover = prover_of(tas(), Options(depth=1, lemmas=("wrong",)))
    proof = prover.new_proof()
    kinds = []
    while proof.ending is None:
        result = prover.step(proof)
        assert not isinstance(result, Stopped)
        kinds.append(type(result))
        if isinstance(result, Refuted):
            assert result.guess.name == "wrong"
            assert result.state is not None
            assert "wrong" in proof.nodes
        proof.commit(result)
    assert kinds.count(Refuted) == proof.retractions == 1
    assert LemmaChosen in kinds
    assert kinds[-1] is Concluded
    assert "wrong" not in proof.nodes
    assert [(dropped.formula, dropped.is_false) for dropped in proof.dropped] == [("(pc(S,I) = rs)", True)]
    assert proof.ending.verdict is IgfVerdict.VERIFIED


def test_a_prover_without_time_stops_and_another_one_goes_on() -> None:
    ots = tas()
    prover = prover_of(ots, Options(depth=1))
    proof = prover.new_proof()
    for _ in range(3):
        result = prover.step(proof)
        assert not isinstance(result, Stopped)
        proof.commit(result)
    before = told(proof)
    assert advance(proof, prover_of(ots, Options(depth=1, timeout=-1))).reason == "the time is spent"
    assert (told(proof), proof.ending) == (before, None)
    assert advance(proof, prover).verdict is IgfVerdict.VERIFIED


@pytest.mark.parametrize("ends", [True, False])
def test_after_some_cases_it_is_asked_once_whether_to_give_up(ends: bool) -> None:
    ots = tas()
    prover = prover_of(ots, Options(depth=1))
    proof = prover.new_proof()
    asked: list[int] = []

    def look() -> bool:
        asked.append(proof.cases)
        return ends

    ending = advance(proof, prover, looks=(SecondLook(4, look),))
    assert len(asked) == 1
    assert asked[0] > 4
    assert ending.verdict is (IgfVerdict.UNKNOWN if ends else IgfVerdict.VERIFIED)


def test_news_come_before_every_step_on_a_case() -> None:
    ots = tas()
    mutex = next(invariant for invariant in ots.invariants if invariant.name == "mutex")
    heard: list[News] = []
    igf(ots, RewritingSpace(instance_of(ots)), mutex, Options(depth=1), heard.append)
    assert heard[0].doing == "mutex: base case"
    assert {news.doing for news in heard} >= {"mutex: enter", "mutex: leave", "lemma1: base case"}
    assert [news.cases for news in heard] == sorted(news.cases for news in heard)

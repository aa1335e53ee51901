"""The inductive half without a state space: nothing is searched, and the lemmas may be the user's alone."""

from __future__ import annotations

from specifications import ots_of_file

from otsrw.induction import IgfResult, Options, igf
from otsrw.induction.results import NodeStatus


def decide(invariant: str, options: Options) -> IgfResult:
    ots = ots_of_file("tas.cafe")
    return igf(ots, None, next(i for i in ots.invariants if i.name == invariant), options)


def test_a_given_lemma_is_enough_without_a_space() -> None:
    result = decide("mutex", Options(lemmas=("lock-lemma",), discover=False))
    assert result.verdict == "verified"
    assert result.states == 0 and result.instance is None and result.entities == {}
    assert set(result.nodes) == {"mutex", "lock-lemma"}


def test_without_discovery_a_case_stays_open() -> None:
    result = decide("mutex", Options(discover=False))
    assert result.verdict == "unknown"
    assert list(result.nodes) == ["mutex"]
    open_in = {case.transition and case.transition.name for case, _ in result.nodes["mutex"].undecided}
    assert open_in == {"enter"}


def test_with_discovery_necessary_lemmas_are_found_without_a_space() -> None:
    result = decide("mutex", Options(max_level=2))
    assert any(node.kind == "necessary" for node in result.nodes.values())


def test_nothing_is_proved_by_a_run_that_was_stopped() -> None:
    result = decide("mutex", Options(lemmas=("lock-lemma",), discover=False, timeout=1e-9))
    assert result.verdict == "unknown"
    assert not any(node.status is NodeStatus.PROVED for node in result.nodes.values())

"""Formulas evaluated in all states at once have the truth values that evaluating them state by state gives."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from specifications import instance_of, loaded, ots_of_file

from induction.generated import GAP, PNAT, System, systems
from otsrw.induction import bulk
from otsrw.induction.cases import Predicate
from otsrw.induction.kept import KeptStates
from otsrw.induction.lemmas import necessary_lemmas
from otsrw.induction.scheme import Induction
from otsrw.search import MaudeSpace, RewritingSpace
from otsrw.syntax.diagnostics import OtsrwError

FAMILIES = (None, "Bag", "Set", "Queue", "Nat")
DEPTH = 3


def one_by_one(kept: KeptStates, predicate: Predicate) -> int | None:
    """The first violating state by solving the plans in each state."""
    plans = kept.lookup.ways_to_violate(predicate) or []
    found = [n for n, state in enumerate(kept.states) if kept.lookup.violated(plans, state.values) is not None]
    return found[0] if found else None


def place_of(kept: KeptStates, predicate: Predicate) -> int | None:
    witness = kept.violation(predicate)
    return None if witness is None else witness.state


def in_other_order(kept: KeptStates, order: list[int]) -> KeptStates:
    return KeptStates(kept.instance, [kept.states[n] for n in order], kept.exhausted, kept.depth)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family or "labels")
def test_random_invariants_are_violated_in_the_same_states(family: str | None) -> None:
    told: Counter[bool] = Counter()

    @settings(max_examples=settings.default.max_examples // 6, suppress_health_check=list(HealthCheck))  # type: ignore[union-attr]
    @given(systems(family), st.randoms(use_true_random=False))
    def agree(system: System, chance: random.Random) -> None:
        ots, _ = loaded(system.text)
        induction = Induction(ots)
        try:
            kept = KeptStates.explore(RewritingSpace(instance_of(ots, system.entities(2))), DEPTH)
        except OtsrwError:
            reject()
        for name in system.invariants:
            invariant = next(i for i in ots.invariants if i.name == name)
            predicate = induction.predicate(name, invariant.parameters, invariant.formula)
            order = list(range(len(kept.states)))
            chance.shuffle(order)
            for states in (kept, in_other_order(kept, order[: len(order) // 2 + 1])):
                expected = one_by_one(states, predicate)
                assert place_of(states, predicate) == expected
                told[expected is None] += 1

    agree()
    assert told[True] > 10
    assert told[False] > 10


@pytest.mark.parametrize(
    ("file", "depth"), [("nspk.cafe", 2), ("ticket.cafe", 6), ("qlock.cafe", 4), ("hotel.cafe", 3)]
)
def test_lemmas_are_violated_in_the_same_states(file: str, depth: int) -> None:
    ots = ots_of_file(file)
    induction = Induction(ots)
    with MaudeSpace(instance_of(ots)) as space:
        kept = KeptStates.explore(space, depth)
    for invariant in ots.invariants:
        predicate = induction.predicate(invariant.name, invariant.parameters, invariant.formula)
        assert place_of(kept, predicate) == one_by_one(kept, predicate)
        for lemma in necessary_lemmas(induction, predicate).lemmas:
            claim = induction.lemma(lemma.name, lemma.clause)
            assert place_of(kept, claim) == one_by_one(kept, claim)


PARTIAL = (
    GAP
    + """  ops never small : Sys -> Bool
  var S : Sys
  eq at(init) = one .
  eq at(go(S)) = (if at(S) = one then two else zero fi) .
  eq never(S) = not (big(at(S)) and (at(S) = zero)) .
  eq small(S) = not big(at(S)) .
}
"""
)


def test_a_state_without_a_truth_value_is_passed_over() -> None:
    ots, _ = loaded(PARTIAL)
    kept = KeptStates.explore(RewritingSpace(instance_of(ots, {})), DEPTH)
    induction = Induction(ots)
    predicates = {i.name: induction.predicate(i.name, i.parameters, i.formula) for i in ots.invariants}
    assert place_of(kept, predicates["small"]) == 1
    assert kept.violation(predicates["never"]) is None


COUNTING = f"""{PNAT}
mod* COUNTING {{
  pr(NUM)
  *[Sys]*
  op init : -> Sys
  bop at : Sys -> Nat
  bop go : Sys -> Sys
  op small : Sys Nat -> Bool
  var S : Sys
  var N : Nat
  eq at(init) = 0 .
  eq at(go(S)) = s(at(S)) .
  eq small(S, N) = not (at(S) = s(s(N))) .
}}
"""


@pytest.mark.parametrize("most", [1, 100], ids=["one by one", "at once"])
def test_a_pattern_is_matched_in_all_states(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "MAX_GROUPS", most)
    ots, _ = loaded(COUNTING)
    kept = KeptStates.explore(RewritingSpace(instance_of(ots, {})), DEPTH)
    small = Induction(ots).predicate("small", ots.invariants[0].parameters, ots.invariants[0].formula)
    witness = kept.violation(small)
    assert witness is not None
    assert (witness.state, [str(value) for value in witness.bindings.values()]) == (2, ["0"])

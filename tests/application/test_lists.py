"""Lemmas about all elements of a list that a state holds, where the specification has no words for them."""

from __future__ import annotations

from pathlib import Path

import pytest
from specifications import SPECS, instance_of, ots_of

from otsrw.application import Decided, load_specification
from otsrw.application.deciding import DecisionQuestion, decide
from otsrw.application.lists import with_lists
from otsrw.induction import Options
from otsrw.ots.auxiliary import auxiliary_module
from otsrw.search import MaudeSpace
from otsrw.theory.printing import show_plainly

RELAY = """
mod! SIGNAL { [Signal] ops a b : -> Signal {constr} eq (a = b) = false . }
mod! LINE { pr(SIGNAL) [Line]
  op nil : -> Line {constr}  op _;_ : Signal Line -> Line {constr}
  op put : Line Signal -> Line
  vars X Y : Signal  var L : Line
  eq (nil = (X ; L)) = false .
  eq put(nil, X) = X ; nil .
  eq put((Y ; L), X) = Y ; put(L, X) . }
mod* RELAY { pr(LINE) *[Sys]*
  op init : -> Sys
  bop mode : Sys -> Signal   bop line : Sys -> Line   bop seen : Sys -> Signal
  bops send switch : Sys -> Sys   bop take : Sys Signal Line -> Sys
  op c-take : Sys Signal Line -> Bool
  op told : Sys -> Bool
  var S : Sys  var X : Signal  var L : Line
  eq mode(init) = a .  eq line(init) = nil .  eq seen(init) = a .
  eq mode(send(S)) = mode(S) .  eq line(send(S)) = put(line(S), mode(S)) .  eq seen(send(S)) = seen(S) .
  eq mode(switch(S)) = b .  eq line(switch(S)) = line(S) .  eq seen(switch(S)) = seen(S) .
  eq c-take(S, X, L) = (line(S) = (X ; L)) .
  eq mode(take(S, X, L)) = mode(S) .
  ceq line(take(S, X, L)) = L if c-take(S, X, L) .
  ceq seen(take(S, X, L)) = X if c-take(S, X, L) .
  ceq take(S, X, L) = S if not c-take(S, X, L) .
  eq told(S) = (seen(S) = b) implies (mode(S) = b) .
}
"""


def decided(text: str, invariant: str, folder: Path) -> Decided:
    file = folder / "spec.cafe"
    file.write_text(text, encoding="utf-8")
    recognised = load_specification(str(file)).recognised(invariant=invariant)
    return decide(recognised, DecisionQuestion(invariant, Options(max_cases=2000)))


def test_a_lemma_says_what_is_in_the_list(tmp_path: Path) -> None:
    found = decided(RELAY, "told", tmp_path)
    assert found.result.verdict == "verified" and found.score is not None
    assert "is-in, is-before of module RELAY-LISTS" in found.left_out
    assert "mod* RELAY-LISTS {\n  pr(RELAY)\n" in found.score.text
    lemmas = [show_plainly(node.predicate.formula) for node in found.result.nodes.values()]
    assert "(not ((mode(S) = a) and is-in(b,line(S))))" in lemmas


def test_a_false_invariant_of_such_a_system_is_falsified(tmp_path: Path) -> None:
    forgets = RELAY.replace("eq mode(switch(S)) = b .", "eq mode(switch(S)) = (if mode(S) = a then b else a fi) .")
    assert forgets != RELAY
    assert decided(forgets, "told", tmp_path).result.verdict == "falsified"


def test_what_was_loaded_does_not_get_the_module(tmp_path: Path) -> None:
    file = tmp_path / "spec.cafe"
    file.write_text(RELAY, encoding="utf-8")
    loaded = load_specification(str(file))
    wider = with_lists(loaded.recognised())
    assert wider is not None and wider.recognised.ots.module.name == "RELAY-LISTS"
    assert loaded.recognised().ots.module.name == "RELAY" and len(loaded.declarations) == 3


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("op told", "op is-in : Signal -> Bool op told", ("is-in2", "is-before")),
        ("op _;_ : Signal Line -> Line {constr}", "op _;_ : Signal Line -> Line", None),
        ("op nil : -> Line {constr}", "ops nil none : -> Line {constr}", None),
        ("mod! LINE", "mod* LINE", None),
    ],
)
def test_only_lists_of_free_constructors_get_predicates(old: str, new: str, names: tuple[str, ...] | None) -> None:
    assert old in RELAY
    found = auxiliary_module(ots_of(RELAY.replace(old, new)), ())
    assert (found and found.predicates) == names


ORDER = RELAY.replace(
    "op told",
    """op before : Signal Signal Line -> Bool   op is-in : Signal Line -> Bool   vars Y Z : Signal
  eq is-in(X, nil) = false .  eq is-in(X, (Y ; L)) = (X = Y) or is-in(X, L) .
  eq before(X, Y, nil) = false .
  eq before(X, Y, (Z ; L)) = ((X = Z) and is-in(Y, L)) or before(X, Y, L) .
  op sorted : Sys Signal Signal -> Bool   op alike : Sys Signal Signal -> Bool
  eq sorted(S, X, Y) = before(X, Y, line(S)) implies ((X = a) or (Y = b)) .
  eq alike(S, X, Y) = before(X, Y, line(S)) implies (X = Y) .
  op told""",
)


@pytest.mark.parametrize(("invariant", "depth"), [("sorted", None), ("alike", 3)])
def test_elements_in_some_order_are_looked_for_in_the_list(invariant: str, depth: int | None) -> None:
    """A step for each of `a`, the switch and `b`: three of them make a line that is not alike."""
    text = ORDER.replace(
        "ops a b : -> Signal {constr}", "ops a b : -> Signal {constr}  op more : Signal -> Signal {constr}"
    )
    instance = instance_of(ots_of(text), {})
    chosen = next(each for each in instance.ots.invariants if each.name == invariant)
    with MaudeSpace(instance) as space:
        found = space.search(chosen, 4)
    assert (found.depth if found.run is not None else None) == depth


def test_the_bakery_is_verified_with_nothing_given() -> None:
    """Its lemmas say what `first` means for two processes; one that is choosing is in the book with the number 0."""
    recognised = load_specification(str(SPECS / "bakery.cafe")).recognised(invariant="mutex")
    found = decide(recognised, DecisionQuestion("mutex", Options(max_cases=1000)))
    assert found.result.verdict == "verified" and found.score is not None
    lemmas = [show_plainly(node.predicate.formula) for node in found.result.nodes.values()]
    assert "((pc(S,J) = ch) implies is-in((<< J ; 0 >>),book(S)))" in lemmas
    assert not any("first" in lemma for lemma in lemmas)
    laws = [show_plainly(proof.lemma.formula) for proof in found.result.data]
    assert "(num(P,B) <= max(B))" in laws and "((P = P1) or (num(P,del(P1,B)) = num(P,B)))" in laws


@pytest.mark.slow
def test_the_alternating_bit_protocol_is_verified_with_nothing_given() -> None:
    recognised = load_specification(str(SPECS / "abp.cafe")).recognised(invariant="reliable")
    found = decide(recognised, DecisionQuestion("reliable", Options(max_cases=6000)))
    assert found.result.verdict == "verified" and found.score is not None

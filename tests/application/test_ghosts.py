"""Invariants that hold because a number counts entities, which no lemma in the specification's words can say."""

from __future__ import annotations

from pathlib import Path

import pytest

from otsrw.application import Decided, load_specification
from otsrw.application.deciding import DecisionQuestion, decide
from otsrw.application.ghosts import with_ghosts
from otsrw.induction import Options
from otsrw.theory.printing import show_plainly

POOL = """
mod! COUNT { [Count] op z : -> Count {constr} op _+1 : Count -> Count {constr} op less : Count -> Count
  vars M N : Count
  eq (z = (N +1)) = false . eq ((M +1) = (N +1)) = (M = N) .
  eq less(z) = z . eq less(N +1) = N . }
mod* CLIENT { [Client] }
mod* POOL { pr(CLIENT + COUNT) *[Sys]*
  op init : -> Sys
  bop on : Sys Client -> Bool  bop used : Sys -> Count  bop up : Sys -> Bool
  bops connect drop : Sys Client -> Sys  bop stop : Sys -> Sys
  ops c-connect c-drop : Sys Client -> Bool  op c-stop : Sys -> Bool
  op quiet : Sys Client -> Bool
  var S : Sys  vars C D : Client
  eq on(init, C) = false .  eq used(init) = z .  eq up(init) = true .
  eq c-connect(S, C) = up(S) and not on(S, C) .
  ceq on(connect(S, C), D) = (if C = D then true else on(S, D) fi) if c-connect(S, C) .
  ceq used(connect(S, C)) = used(S) +1 if c-connect(S, C) .
  eq up(connect(S, C)) = up(S) .
  ceq connect(S, C) = S if not c-connect(S, C) .
  eq c-drop(S, C) = on(S, C) .
  ceq on(drop(S, C), D) = (if C = D then false else on(S, D) fi) if c-drop(S, C) .
  ceq used(drop(S, C)) = less(used(S)) if c-drop(S, C) .
  eq up(drop(S, C)) = up(S) .
  ceq drop(S, C) = S if not c-drop(S, C) .
  eq c-stop(S) = (used(S) = z) .
  eq on(stop(S), D) = on(S, D) .
  eq used(stop(S)) = used(S) .
  ceq up(stop(S)) = false if c-stop(S) .
  ceq stop(S) = S if not c-stop(S) .
  eq quiet(S, C) = on(S, C) implies up(S) .
}
"""


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def written(text: str, folder: Path) -> str:
    file = folder / "spec.cafe"
    file.write_text(text, encoding="utf-8")
    return str(file)


def decided(text: str, folder: Path, cases: int = 2000) -> Decided:
    recognised = load_specification(written(text, folder)).recognised(invariant="quiet")
    return decide(recognised, DecisionQuestion("quiet", Options(max_cases=cases)))


def test_who_is_counted_is_observed_by_a_module_of_the_score(tmp_path: Path) -> None:
    found = decided(POOL, tmp_path)
    assert found.result.verdict == "verified" and found.score is not None
    assert "on-true of module POOL-COUNTED" in found.left_out
    assert "  pr(POOL-GROUPS)\n  bop on-true : Sys -> ClientGroup\n" in found.score.text
    lemmas = [show_plainly(node.predicate.formula) for node in found.result.nodes.values()]
    assert "(number-of(on-true(S)) = used(S))" in lemmas


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("eq c-stop(S) = (used(S) = z) .", "eq c-stop(S) = (used(S) = z) or (used(S) = (z +1)) ."),
        ("ceq used(connect(S, C)) = used(S) +1", "ceq used(connect(S, C)) = used(S)"),
        ("eq c-connect(S, C) = up(S) and not on(S, C) .", "eq c-connect(S, C) = not on(S, C) ."),
    ],
    ids=["stops with one client", "does not count", "connects after the stop"],
)
def test_it_is_falsified_where_the_number_does_not_protect(old: str, new: str, tmp_path: Path) -> None:
    assert decided(changed(POOL, (old, new)), tmp_path).result.verdict == "falsified"


def module_text(text: str, folder: Path) -> str | None:
    recognised = load_specification(written(text, folder)).recognised(invariant="quiet")
    found = with_ghosts(recognised, "quiet")
    return None if found is None else found.ghosts.module.text


TWICE = ("ceq used(connect(S, C)) = used(S) +1", "ceq used(connect(S, C)) = (used(S) +1) +1")
SOME = ("eq on(stop(S), D) = on(S, D) .", "eq on(stop(S), D) = on(S, D) and not odd(D) .")
ODD = ("op quiet :", "op odd : Client -> Bool  op quiet :")


@pytest.mark.parametrize("changes", [(TWICE,), (SOME, ODD)], ids=["counts by two", "nobody names who leaves"])
def test_there_is_none_where_nothing_is_counted_or_nobody_can_be_named(
    changes: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    assert module_text(changed(POOL, *changes), tmp_path) is None


def test_the_value_after_the_step_is_asked_where_the_equations_do_not_tell(tmp_path: Path) -> None:
    kind = ("if C = D then true else on(S, D) fi", "if C = D then up(S) else on(S, D) fi")
    text = module_text(changed(POOL, kind), tmp_path)
    assert text is not None
    assert "(if on(connect(S,C),C) then join(C, on-true(S)) else without(C, on-true(S)) fi)" in text


def test_names_that_are_taken_get_a_number(tmp_path: Path) -> None:
    text = module_text(changed(POOL, ("op quiet :", "ops nobody on-true : -> Client  op quiet :")), tmp_path)
    assert text is not None and "op nobody2 : -> ClientGroup {constr}" in text and "bop on-true2 : Sys" in text


def test_a_transition_that_neither_takes_in_nor_lets_go_keeps_the_group(tmp_path: Path) -> None:
    text = module_text(POOL, tmp_path)
    assert text is not None and "eq on-true(stop(S:Sys)) = on-true(S) ." in text


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("eq used(init) = 2 .", "((number-of(on-true(S)) + used(S)) = 2)"),
        ("eq used(init) = 1 .", "((number-of(on-true(S)) + used(S)) = 1)"),
    ],
)
def test_a_number_may_count_who_is_missing(change: str, says: str, tmp_path: Path) -> None:
    text = changed(
        POOL,
        ("pr(CLIENT + COUNT)", "pr(CLIENT + NAT)"),
        ("used : Sys -> Count", "used : Sys -> Nat"),
        ("eq used(init) = z .", change),
        ("up(S) and not on(S, C)", "up(S) and not on(S, C) and used(S) > 0"),
        ("used(S) +1", "sd(used(S), 1)"),
        ("less(used(S))", "used(S) + 1"),
        ("(used(S) = z)", "(used(S) = 0)"),
    )
    found = module_text(text, tmp_path)
    assert found is not None and says in found

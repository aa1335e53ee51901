"""Constants of a sort with few elements: a case in which no elements fit them is split into contradictions."""

from __future__ import annotations

import json
from itertools import combinations, product
from pathlib import Path

import pytest
from commands import run
from hypothesis import given
from hypothesis import strategies as st
from support import module_of

from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.enumerated import crowded_pair, elements, impossible_constant
from otsrw.reasoning.roles import Roles
from otsrw.reasoning.workbench import Workbench
from otsrw.theory.modules import equations_by_symbol
from otsrw.theory.terms import Term

RING = """mod! RING {
  [Node]
  ops n1 n2 n3 : -> Node {constr}
  op next : Node -> Node
  eq (n1 = n2) = false .  eq (n1 = n3) = false .  eq (n2 = n3) = false .
  eq next(n1) = n2 .  eq next(n2) = n1 .  eq next(n3) = n2 .
}"""
MODULE = module_of(RING, "RING")


def bench_with(names: str) -> tuple[Workbench, list[Term]]:
    bench = Workbench(MODULE)
    sort = MODULE.visible_sorts()["Node"][0]
    return bench, [bench.constant(name, sort) for name in names]


def differing(bench: Workbench, pairs: list[tuple[Term, Term]]) -> Assumptions:
    return Assumptions(bench).assuming([Assumed(bench.connectives.equal(a, b), False) for a, b in pairs])


@given(st.sets(st.sampled_from(list(combinations(range(4), 2)))))
def test_constants_that_differ_are_impossible_exactly_if_there_are_too_few_elements(
    pairs: set[tuple[int, int]],
) -> None:
    bench, constants = bench_with("abcd")
    found = impossible_constant(differing(bench, [(constants[i], constants[j]) for i, j in sorted(pairs)]))
    possible = any(all(choice[i] != choice[j] for i, j in pairs) for choice in product(range(3), repeat=4))
    assert (found is None) == possible


def test_constants_that_nothing_connects_are_judged_apart() -> None:
    """Seven constants have too many assignments to try, but four of them all differ."""
    bench, constants = bench_with("abcdefg")
    few, others = constants[:4], constants[4:]
    apart = list(combinations(others, 2))
    assert impossible_constant(differing(bench, [*combinations(few, 2), *apart])) in few
    assert impossible_constant(differing(bench, [*combinations(few[:3], 2), *apart])) is None


VOTES = """mod* VOTES {
  pr(RING)
  *[Sys]*
  bop sent : Sys Node Node -> Bool
  bop got : Sys Node Node -> Bool
  bop count : Sys Node Node -> Sys
  var S : Sys  vars I J N M : Node
  ceq got(count(S,N,M),I,J) = ((I = N and J = M) or got(S,I,J)) if sent(S,M,N) .
}"""


def test_places_at_which_one_variable_stands_are_of_one_role() -> None:
    module = module_of(RING + VOTES, "VOTES")
    rules = equations_by_symbol(module)
    roles = Roles([axiom for axioms in rules.values() for axiom in axioms], module.visible_sorts()["Sys"][0])
    sent, got = (module.signature.named((name,), 3)[0] for name in ("sent", "got"))
    assert roles.of((sent, 1)) == roles.of((got, 2)) and roles.of((sent, 2)) == roles.of((got, 1))
    assert roles.of((sent, 1)) != roles.of((sent, 2))


@pytest.mark.parametrize(("voters", "is_crowded"), [("abcd", True), ("abc", False)])
def test_too_many_constants_in_one_role_are_compared(voters: str, is_crowded: bool) -> None:
    module = module_of(RING + VOTES, "VOTES")
    bench = Workbench(module)
    sort, state_sort = (module.visible_sorts()[name][0] for name in ("Node", "Sys"))
    rules = equations_by_symbol(module)
    roles = Roles([axiom for axioms in rules.values() for axiom in axioms], state_sort)
    state, node = bench.constant("s", state_sort), bench.constant("n", sort)
    (sent,) = module.signature.named(("sent",), 3)
    constants = [bench.constant(name, sort) for name in voters]
    case = Assumptions(bench).assuming([Assumed(sent.make((state, each, node)), True) for each in constants])
    pair = crowded_pair(case, roles)
    assert (pair is not None) == is_crowded
    assert pair is None or set(pair.args) <= set(constants)


def test_constants_inside_of_values_are_compared_as_well() -> None:
    module = module_of(
        RING + "mod! PAIR { pr(RING) [Pair] op box : Node -> Pair {constr} op ok : Pair -> Bool }", "PAIR"
    )
    bench = Workbench(module)
    sort = module.visible_sorts()["Node"][0]
    (pair,), (ok,) = (module.signature.named((name,), 1) for name in ("box", "ok"))
    constants = [bench.constant(name, sort) for name in "abcd"]
    case = Assumptions(bench).assuming([Assumed(ok.make((pair.make((each,)),)), True) for each in constants])
    found = crowded_pair(case, Roles([], sort))
    assert found is not None and set(found.args) <= set(constants)


def test_an_argument_for_which_no_element_has_the_value_is_impossible() -> None:
    bench, (a,) = bench_with("a")
    (following,) = MODULE.signature.named(("next",), 1)
    image = following.make((a,))
    for element, is_possible in zip(bench.constants_of(a.sort), (True, True, False), strict=True):
        case = Assumptions(bench).assuming([Assumed(bench.connectives.equal(image, element), True)])
        assert (impossible_constant(case) is None) == is_possible


def test_the_alternatives_of_an_impossible_constant_leave_no_element_out() -> None:
    bench, constants = bench_with("abcd")
    case = differing(bench, list(combinations(constants, 2)))
    split = impossible_constant(case)
    assert split in constants
    assert split is not None
    named = bench.constants_of(split.sort)
    assert [each.formula for (each,) in elements(case, split)] == [bench.connectives.equal(split, n) for n in named]


LAMP = (
    RING.replace("mod! RING", "mod! NODE")
    + """
mod* LAMP {
  pr(NODE)
  *[Sys]*
  op init : -> Sys
  bop on : Sys Node -> Bool
  bop light : Sys Node -> Sys
  op four : Sys Node Node Node Node -> Bool
  op three : Sys Node Node Node -> Bool
  var S : Sys  vars I J K L : Node
  eq on(init,I) = false .
  eq on(light(S,J),I) = (I = J or on(S,I)) .
  eq four(S,I,J,K,L) = (on(S,I) and on(S,J) and on(S,K) and on(S,L))
    implies (I = J or I = K or I = L or J = K or J = L or K = L) .
  eq three(S,I,J,K) = (on(S,I) and on(S,J) and on(S,K)) implies (I = J or I = K or J = K) .
}"""
)


@pytest.mark.parametrize(("invariant", "verdict"), [("four", "verified"), ("three", "unknown")])
def test_four_of_three_lamps_are_not_on_but_three_may_be(invariant: str, verdict: str, tmp_path: Path) -> None:
    """With its proof score, which is checked for cases that are left out."""
    file = tmp_path / "lamp.cafe"
    file.write_text(LAMP, encoding="utf-8")
    code, out, _ = run("prove", str(file), "--inv", invariant, "--proof", str(tmp_path / "score.cafe"), "--json")
    assert (code, json.loads(out)["verdict"]) == ({"verified": 0, "unknown": 3}[verdict], verdict)

"""Unifiers: those found in Python are those of Maude, and what Maude does not tell is not made up."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import module_of, term_of

from otsrw.rewriting.matching import Matcher
from otsrw.soundness.syntactic import Problem, Unifier
from otsrw.soundness.unifiers import LIMIT, UnifierSet, UnifyingMaude, installed_maude, solve
from otsrw.theory.modules import Module
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Term, variable

MODULE = module_of(
    """
    mod! M { [Low Side < High] ops a b : -> Low {constr} op c : -> Side {constr} op d : -> High {constr}
      op f : High -> High {constr} op f : Low -> Low {constr}
      op g : High High -> High {constr} op m : High High -> High {constr comm}
      [High < List] op nil : -> List {constr} op _;_ : List List -> List {constr assoc id: nil}
      [High < Bag] op none : -> Bag {constr} op _,_ : Bag Bag -> Bag {constr assoc comm id: none}
      [Heap] op in : High -> Heap {constr} op _+_ : Heap Heap -> Heap {constr assoc comm}
      [Run] op one : High -> Run {constr} op _~_ : Run Run -> Run {constr assoc} }
    """,
    "M",
)


def unified(left: str, right: str, maude: UnifyingMaude | None = None, module: Module = MODULE) -> UnifierSet:
    problem = ((term_of(left, module), term_of(right, module)),)
    return solve([problem], module.signature, maude)[0]


NO_MAUDE = UnifyingMaude(None)


def random_term(random: Random, names: str, depth: int) -> Term:
    roll = random.random()
    symbols = MODULE.signature
    if roll < 0.4 or depth == 0:
        name = random.choice(names)
        return variable(name, symbols.sort_names["Low" if name in "LK" else "Side" if name == "S" else "High"][0])
    if roll < 0.6:
        return symbols.constants_named(random.choice("abcd"))[0].make(())
    name, count = random.choice([("f", 1), ("g", 2), ("m", 2)])
    return symbols.named((name,), count)[0].make(tuple(random_term(random, names, depth - 1) for _ in range(count)))


def covers(some: UnifierSet, others: UnifierSet, problem: Problem) -> bool:
    """Is every unifier of the second set an instance of one of the first?"""
    matcher = Matcher(MODULE.signature.order)

    def values(unifier: Unifier) -> tuple[Term, ...]:
        return tuple(substitute(side, unifier) for pair in problem for side in pair)

    return all(
        any(next(matcher.match_all(values(mine), values(other), {}), None) is not None for mine in some.unifiers)
        for other in others.unifiers
    )


def random_collection(random: Random, sign: str, names: str, rest: str) -> Term:
    elements = [random_term(random, names, 1) for _ in range(random.randint(1, 2))]
    kinds = {",": "Bag", "+": "Heap"}
    more = [variable(rest, MODULE.signature.sort_names[kinds[sign]][0])] if random.random() < 0.7 else []
    if sign == "+":
        makes = MODULE.signature.named(("in",), 1)[0].make
        elements = [makes((element,)) for element in elements]
    together = [*elements, *more]
    return MODULE.signature.named(("_", sign, "_"), 2)[0].make(tuple(together)) if len(together) > 1 else together[0]


def compare(plain: list[Problem]) -> None:
    """Unifiers found without Maude are unifiers, and as general as those that Maude finds."""
    ground = term_of("( a ; b )", MODULE)
    mine = solve(plain, MODULE.signature, NO_MAUDE)
    theirs = solve([(*problem, (ground, ground)) for problem in plain], MODULE.signature)
    for problem, one, other in zip(plain, mine, theirs, strict=True):
        assert one.missing == other.missing == "", problem
        for unifier in one.unifiers:
            left, right = problem[0]
            assert substitute(left, unifier) is substitute(right, unifier)
            assert all(MODULE.signature.order.leq(t.sort, v.sort) for v, t in unifier.items())
        assert covers(one, other, problem) and covers(other, one, problem), problem


@settings(max_examples=6)
@given(st.integers(0, 10**6))
def test_python_finds_the_unifiers_of_maude(seed: int) -> None:
    random = Random(seed)
    compare([((random_term(random, "XYL", 3), random_term(random, "ZWKS", 3)),) for _ in range(40)])


@pytest.mark.parametrize("sign", [",", "+"])
@settings(max_examples=6)
@given(seed=st.integers(0, 10**6))
def test_python_finds_the_unifiers_of_maude_for_collections(sign: str, seed: int) -> None:
    random = Random(seed)
    compare(
        [
            ((random_collection(random, sign, "XYL", "B"), random_collection(random, sign, "ZWKS", "C")),)
            for _ in range(40)
        ]
    )


@settings(max_examples=6)
@given(seed=st.integers(0, 10**6))
def test_python_finds_the_unifiers_of_maude_for_an_element_and_several_rests(seed: int) -> None:
    random = Random(seed)
    bag = MODULE.signature.named(("_", ",", "_"), 2)[0].make

    def problem() -> Problem:
        bags = [variable(name, MODULE.signature.sort_names["Bag"][0]) for name in random.choices("PQ", k=2)]
        elements = [random_term(random, "ZWKS", 1) for _ in range(random.randint(0, 2))]
        rest = variable("B", MODULE.signature.sort_names["Bag"][0])
        sides = bag((random_term(random, "XYL", 1), rest)), bag((*elements, *bags))
        return (sides if random.random() < 0.5 else sides[::-1],)

    compare([problem() for _ in range(40)])


SETS = module_of(
    """
    mod! SETS { [High < Set Bag Seq] ops a b : -> High {constr} op f : High -> High {constr}
      op _+_ : Seq Seq -> Seq {constr assoc}
      op empty : -> Set {constr} op __ : Set Set -> Set {constr assoc comm idem id: empty}
      op none : -> Bag {constr} op _,_ : Bag Bag -> Bag {constr assoc comm id: none} }
    """,
    "SETS",
)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("( X:High * S:Bag )", "( Y:High * T:Bag )"),
        ("( X:High * Y:High * S:Bag )", "( f(Y:High) * T:Bag )"),
        ("( X:High * a )", "( Y:High * Z:High )"),
        ("( X:High * S:Bag )", "( T:Bag * U:Bag )"),
        ("( f(X:High) * S:Bag )", "( a * f(Y:High) * T:Bag * U:Bag )"),
    ],
)
def test_unifiers_of_sets_are_those_of_bags_written_as_sets(left: str, right: str) -> None:
    """Idempotence is an equation, which is overlapped: unifying knows nothing of it."""
    bags = unified(left.replace("*", ","), right.replace("*", ","), NO_MAUDE, SETS)
    first, second = (side.replace("*", " ").replace("Bag", "Set") for side in (left, right))
    sets = unified(first, second, NO_MAUDE, SETS)
    assert bags.missing == sets.missing == ""
    as_sets = {tuple(sorted((v.op.name, _as_set(value)) for v, value in unifier.items())) for unifier in bags.unifiers}
    assert as_sets == {
        tuple(sorted((v.op.name, _as_set(value)) for v, value in unifier.items())) for unifier in sets.unifiers
    }


def _as_set(term: Term) -> str:
    if term.op.name in ("empty", "none"):
        return "{}"
    if term.op.assoc:
        return "{" + " ".join(sorted({_as_set(arg) for arg in term.args})) + "}"
    return f"{term.op.name}({', '.join(map(_as_set, term.args))})"


def test_the_overlap_of_a_set_with_its_idempotence() -> None:
    """`X X R` is written as it is, not as the set `X R` that it is."""
    high, sort = (SETS.signature.sort_names[name][0] for name in ("High", "Set"))
    union = SETS.signature.named(("_", "_"), 2)[0]
    e, s, x, r = variable("E", high), variable("S", sort), variable("X", sort), variable("R", sort)
    problem = ((union.make((e, s)), Term(union, (x, x, r), sort, False)),)
    (found,) = solve([problem], SETS.signature, NO_MAUDE)
    assert found.missing == ""
    shown = {tuple(_as_set(unifier[v]) for v in (s, x, r)) for unifier in found.unifiers}
    assert shown == {("{E() R() Z#1()}", "{E() Z#1()}", "R()"), ("{X() Z#2()}", "X()", "{E() Z#2()}")}


def test_what_has_no_common_sort_or_operator_needs_no_maude() -> None:
    assert unified("( A:Seq + B:Seq )", "X:High", NO_MAUDE, SETS) == UnifierSet(())
    assert unified("( A:Seq + B:Seq )", "f(X:High)", NO_MAUDE, SETS) == UnifierSet(())
    assert unified("( A:Seq + B:Seq )", "C:Seq", NO_MAUDE, SETS).unifiers
    assert unified("( R:Bag , S:Bag )", "X:High", NO_MAUDE, SETS).missing  # one of them may be empty
    assert unified("( R:Bag , S:Bag )", "f(X:High)", NO_MAUDE, SETS).missing


def test_sorts_are_lowered() -> None:
    (found,) = unified("g(X:High, Y:Low)", "g(L:Low, L:Low)").unifiers
    assert {value.sort.name for value in found.values()} == {"Low"}
    assert unified("L:Low", "S:Side").unifiers == ()
    (lowered,) = unified("f(X:High)", "L:Low").unifiers
    assert {v.op.name: t.sort.name for v, t in lowered.items()} == {"X": "Low", "L": "Low"}


def test_without_maude_lists_are_not_unified() -> None:
    assert (
        unified("( X:High ; B:List )", "( Y:High ; C:List )", NO_MAUDE).missing == "the package maude is not installed"
    )
    assert unified("( X:High , B:Bag )", "( Y:High , C:Bag )", NO_MAUDE).missing == ""


def test_several_rests_need_maude() -> None:
    assert unified("( A:Bag , B:Bag )", "( C:Bag , D:Bag )", NO_MAUDE).missing
    assert unified("( A:Bag , B:Bag )", "( X:High , Y:High , C:Bag )", NO_MAUDE).missing
    assert unified("( X:High , B:Bag )", "( Y:High , B:Bag )", NO_MAUDE).missing
    assert unified("( X:High , B:Bag )", "B:Bag", NO_MAUDE).missing


def test_incomplete_unification_is_told() -> None:
    found = unified("( R:Run ~ S:Run ~ R:Run )", "( T:Run ~ U:Run ~ T:Run ~ U:Run )")
    assert found.unifiers == () and "may not know all unifiers" in found.missing


def test_too_many_unifiers_are_none() -> None:
    left = " , ".join(f"{name}:Bag" for name in "ABCD")
    right = " , ".join(f"{name}:Bag" for name in "EFGH")
    assert unified(f"( {left} )", f"( {right} )") == UnifierSet((), f"more than {LIMIT} unifiers")


BROKEN = {
    "crash": ("import os, sys\nsys.stdin.readline()\nos.abort()\n", "broke down"),
    "silence": ("import time\ntime.sleep(600)\n", "took too long"),
    "deaf": ("raise SystemExit(3)\n", "broke down"),
}


@pytest.mark.parametrize(("script", "missing"), BROKEN.values(), ids=BROKEN)
def test_a_broken_worker_is_a_reason(script: str, missing: str, tmp_path: Path) -> None:
    path = tmp_path / "worker.py"
    path.write_text(script, encoding="utf-8")
    problems: list[Problem] = [((term_of("( X:High ; B:List )", MODULE), term_of("( Y:High ; C:List )", MODULE)),)] * 6
    found = solve(problems, MODULE.signature, UnifyingMaude(path, seconds=0.3))
    assert [missing in answer.missing for answer in found] == [True] * 6


def test_only_the_problem_that_breaks_maude_is_lost(tmp_path: Path) -> None:
    """This worker dies of a problem with two pairs."""
    script = installed_maude().script
    assert script is not None
    text = (
        Path(script)
        .read_text(encoding="utf-8")
        .replace("    parsed = [", "    if len(problem) > 1:\n        os.abort()\n    parsed = [")
    )
    path = tmp_path / "worker.py"
    path.write_text(text, encoding="utf-8")
    fine: Problem = ((term_of("( X:High ; B:List )", MODULE), term_of("( Y:High ; C:List )", MODULE)),)
    found = solve([fine, fine * 2, fine], MODULE.signature, UnifyingMaude(path))
    assert [bool(answer.missing) for answer in found] == [False, True, False]

"""Laws that exclude what a case says about data: found in its facts, tested on values, proved before they are used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run
from support import module_of

from otsrw.reasoning.assumptions import Assumed, Assumptions
from otsrw.reasoning.lemma_book import LemmaBook
from otsrw.reasoning.workbench import Workbench
from otsrw.theory.modules import equations_by_symbol
from otsrw.theory.terms import Term

LISTS = """
mod* ELEMENT { [Element] }
mod! LISTS { pr(ELEMENT) [List]
  op nil : -> List {constr}
  op add : Element List -> List {constr}
  op has : List Element -> Bool
  op cut : List Element -> List
  op none? : List -> Bool
  op first? : List Element -> Bool
  vars X Y : Element  var L : List
  eq has(nil, X) = false .
  eq has(add(Y, L), X) = (X = Y) or has(L, X) .
  eq cut(nil, X) = nil .
  eq cut(add(Y, L), X) = if X = Y then L else add(Y, cut(L, X)) fi .
  eq first?(nil, X) = false .
  eq first?(add(Y, L), X) = (X = Y) .
  eq none?(nil) = true .
  eq none?(add(Y, L)) = false .
}
"""
SHARED = """
mod* SHARED { pr(LISTS) *[Sys]*
  op init : -> Sys
  bops readers writers : Sys -> List
  bops read write : Sys Element -> Sys
  op exclusive : Sys Element Element -> Bool
  var S : Sys  vars X Y : Element
  eq readers(init) = nil .   eq writers(init) = nil .
  ceq readers(read(S, X)) = add(X, readers(S)) if none?(writers(S)) .
  eq writers(read(S, X)) = writers(S) .
  ceq read(S, X) = S if not none?(writers(S)) .
  eq readers(write(S, X)) = readers(S) .
  ceq writers(write(S, X)) = add(X, writers(S)) if none?(readers(S)) .
  ceq write(S, X) = S if not none?(readers(S)) .
  eq exclusive(S, X, Y) = not (has(readers(S), X) and has(writers(S), Y)) .
}
"""
MODULE = module_of(LISTS + "mod* TOP { pr(LISTS) [State] }", "TOP")


def book_and_bench() -> tuple[LemmaBook, Workbench]:
    return LemmaBook(MODULE, equations_by_symbol(MODULE), MODULE.visible_sorts()["State"][0]), Workbench(MODULE)


def called(name: str, *args: Term) -> Term:
    return next(s for s in MODULE.signature.symbols() if s.name == name and s.nargs == len(args)).make(args)


def facts(bench: Workbench, *said: tuple[Term, bool]) -> Assumptions:
    return Assumptions(bench).assuming([Assumed(atom, holds) for atom, holds in said])


@pytest.mark.parametrize("has, laws", [(True, ["(not (none?(L) and has(L,E)))"]), (False, [])])
def test_facts_that_no_value_satisfies_become_a_law(has: bool, laws: list[str]) -> None:
    book, bench = book_and_bench()
    sorts = MODULE.visible_sorts()
    values, element = bench.constant("l", sorts["List"][0]), bench.constant("e", sorts["Element"][0])
    case = facts(bench, (called("none?", values), True), (called("has", values, element), has))
    assert [proof.lemma.text for proof in book.for_facts(case.equations)] == laws
    assert book.for_facts(case.equations) == []  # each is told once


def test_facts_about_different_values_are_no_law() -> None:
    book, bench = book_and_bench()
    sorts = MODULE.visible_sorts()
    first, second = (bench.constant(name, sorts["List"][0]) for name in ("l", "m"))
    element = bench.constant("e", sorts["Element"][0])
    case = facts(bench, (called("none?", first), True), (called("has", second, element), True))
    assert book.for_facts(case.equations) == []


@pytest.mark.parametrize(
    "predicate, laws", [("first?", ["(not (first?(L,E) and (first?(L,E1) and (not (E = E1)))))"]), ("has", [])]
)
def test_that_only_one_value_satisfies_a_predicate_is_a_law(predicate: str, laws: list[str]) -> None:
    book, bench = book_and_bench()
    sorts = MODULE.visible_sorts()
    values = bench.constant("l", sorts["List"][0])
    first, second = (bench.constant(name, sorts["Element"][0]) for name in ("e", "f"))
    said = [(called(predicate, values, each), True) for each in (first, second)]
    case = facts(bench, *said, (bench.connectives.equal(first, second), False))
    assert [proof.lemma.text for proof in book.for_facts(case.equations)] == laws


def test_a_law_closes_what_no_lemma_about_the_state_did(tmp_path: Path) -> None:
    file, score = tmp_path / "shared.cafe", tmp_path / "score.cafe"
    file.write_text(LISTS + SHARED)
    code, out, _ = run(
        "igf", str(file), "--inv", "exclusive", "--json", "--proof", str(score), "--check-with", "cafeobj"
    )
    found = json.loads(out)
    assert (code, found["verdict"], found["lemmas"]) == (0, "verified", [])


def test_a_violation_is_no_less_found(tmp_path: Path) -> None:
    file = tmp_path / "shared.cafe"
    file.write_text(
        LISTS
        + SHARED.replace("if none?(readers(S))", "if none?(writers(S))").replace(
            "if not none?(readers(S))", "if not none?(writers(S))"
        )
    )
    assert run("igf", str(file), "--inv", "exclusive")[0] == 12

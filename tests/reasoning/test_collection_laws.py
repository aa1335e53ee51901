"""Laws about functions of one collection: found for stuck terms, proved, and true of values that nobody tried."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from support import module_of, term_of

from otsrw.reasoning.assumptions import Assumptions
from otsrw.reasoning.lemma_book import LemmaBook
from otsrw.reasoning.workbench import Workbench
from otsrw.theory.modules import Module, equations_by_symbol
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show_plainly
from otsrw.theory.sorts import COSMOS
from otsrw.theory.terms import Term, variables_of

MEANINGS = {
    "max": ("if max(B) < N then N else max(B) fi", "if N < max(B) then N else max(B) fi", "N"),
    "none": ("0", "1"),
    "num": ("if P = Q then N else num(P, B) fi", "if P = Q then N + 1 else num(P, B) fi"),
    "all": ("(P = Q) or ((0 < N) and (M < N))", "(P = Q) or (N < M)", "0 < N", "(P = Q) or (0 < N)"),
    "del": ("if P = Q then B else (< Q , N > ; del(P, B)) fi", "del(P, B)", "B"),
    "upd": ("if P = Q then (< P , M > ; B) else (< Q , N > ; upd(P, M, B)) fi", "(< Q , N > ; B)", "(< P , M > ; B)"),
}
"""What the functions of a book are, first as one would define them, then otherwise."""
USUAL = dict.fromkeys(MEANINGS, 0)


def book_with(meaning: dict[str, int]) -> Module:
    said = {name: choices[meaning[name]] for name, choices in MEANINGS.items()}
    return module_of(
        f"""
mod! PID {{ [Pid] ops a b c : -> Pid {{constr}} eq (a = b) = false . eq (a = c) = false . eq (b = c) = false . }}
mod! BOOK {{ pr(PID) pr(NAT) [Entry Book]
  op <_,_> : Pid Nat -> Entry {{constr}}
  op nil : -> Book {{constr}}   op _;_ : Entry Book -> Book {{constr}}
  op max : Book -> Nat   op num : Pid Book -> Nat   op all : Pid Nat Book -> Bool   op has : Entry Book -> Bool
  op del : Pid Book -> Book   op upd : Pid Nat Book -> Book
  vars P Q : Pid  vars M N : Nat  vars E F : Entry  var B : Book
  eq max(nil) = 0 .   eq max(< Q , N > ; B) = {said["max"]} .
  eq num(P, nil) = {said["none"]} .   eq num(P, (< Q , N > ; B)) = {said["num"]} .
  eq all(P, M, nil) = true .   eq all(P, M, (< Q , N > ; B)) = ({said["all"]}) and all(P, M, B) .
  eq has(E, nil) = false .   eq has(E, (F ; B)) = (E = F) or has(E, B) .
  eq del(P, nil) = nil .   eq del(P, (< Q , N > ; B)) = {said["del"]} .
  eq upd(P, M, nil) = (< P , M > ; nil) .   eq upd(P, M, (< Q , N > ; B)) = {said["upd"]} .
}}""",
        "BOOK",
    )


STUCK = (
    "all ( P:Pid , num ( Q:Pid , B:Book ) , B:Book )",
    "num ( P:Pid , B:Book ) < max ( B:Book )",
    "num ( P:Pid , del ( Q:Pid , B:Book ) )",
    "num ( P:Pid , upd ( Q:Pid , N:Nat , B:Book ) )",
    "has ( E:Entry , upd ( Q:Pid , N:Nat , B:Book ) )",
    "has ( E:Entry , del ( Q:Pid , B:Book ) )",
    "all ( P:Pid , N:Nat , B:Book ) and has ( E:Entry , B:Book )",
)


def laws(module: Module, *stuck: str) -> list[Term]:
    """The formulas that are proved for stuck terms, one term after the other."""
    book = LemmaBook(module, equations_by_symbol(module), COSMOS)
    for text in stuck:
        while book.for_stuck([term_of(text, module)]):
            pass
    return [proof.lemma.formula for proof in book.proofs]


@pytest.mark.parametrize(
    ("stuck", "expected"),
    [
        (STUCK[0], "(all(P,M,B) implies ((num(P1,B) = 0) or ((P = P1) or ((0 < num(P1,B)) and (M < num(P1,B))))))"),
        (STUCK[0], "((all(P,M,B) and has((< Q , 0 >),B)) implies (P = Q))"),
        (STUCK[1], "(num(P,B) <= max(B))"),
        (STUCK[2], "((P = P1) or (num(P,del(P1,B)) = num(P,B)))"),
        (STUCK[4], "((P = P1) or (has((< P1 , N1 >),upd(P,N,B)) iff has((< P1 , N1 >),B)))"),
        (STUCK[4], "(has((< P , N >),upd(P,N,B)) iff true)"),
        (STUCK[6], "((all(P,M,B) and has((< Q , N >),B)) implies ((P = Q) or ((0 < N) and (M < N))))"),
    ],
)
def test_a_law_is_found_and_proved(stuck: str, expected: str) -> None:
    assert expected in [show_plainly(law) for law in laws(book_with(USUAL), stuck)]


@pytest.mark.parametrize(
    ("stuck", "changed", "wrong"),
    [
        (STUCK[1], {"max": 1}, "(num(P,B) <= max(B))"),
        (STUCK[1], {"none": 1}, "(num(P,B) <= max(B))"),
        (STUCK[2], {"del": 2}, "((P = P1) or (num(P,del(P1,B)) = num(P,B)))"),
        (STUCK[4], {"upd": 2}, "((P = P1) or (has((< P1 , N1 >),upd(P,N,B)) iff has((< P1 , N1 >),B)))"),
    ],
)
def test_no_law_is_proved_that_is_false(stuck: str, changed: dict[str, int], wrong: str) -> None:
    assert wrong not in [show_plainly(law) for law in laws(book_with(USUAL | changed), stuck)]


def books(entries: list[tuple[str, int]]) -> Iterator[str]:
    """A book of these entries, and all that are left when first ones are taken away."""
    for start in range(len(entries) + 1):
        yield "".join(f"( < {p} , {n} > ; " for p, n in entries[start:]) + "nil" + " )" * len(entries[start:])


@settings(max_examples=12, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    st.fixed_dictionaries({name: st.integers(0, len(choices) - 1) for name, choices in MEANINGS.items()}),
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 4)), min_size=3, max_size=5),
    st.data(),
)
def test_what_is_proved_holds_for_larger_books(
    meaning: dict[str, int], entries: list[tuple[str, int]], data: st.DataObject
) -> None:
    module = book_with(meaning)
    plain = Assumptions(Workbench(module))
    values = {
        "Pid": [term_of(each, module) for each in "abc"],
        "Nat": [term_of(str(each), module) for each in (0, 3, 4)],
        "Entry": [term_of(f"< {p} , {n} >", module) for p, n in entries[:3]],
        "Book": [term_of(text, module) for text in books(entries)],
    }
    for law in laws(module, *data.draw(st.permutations(STUCK))[:4]):
        variables = variables_of(law)
        points = list(product(*(values[v.sort.name] for v in variables)))
        chosen = data.draw(st.lists(st.sampled_from(points), min_size=1, max_size=12))
        for point in chosen:
            claim = substitute(law, dict(zip(variables, point, strict=True)))
            assert show_plainly(plain.reduce(claim)) == "true", show_plainly(claim)

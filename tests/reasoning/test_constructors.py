"""Free constructors of tight modules and numerals are distinct; nothing else is claimed to be."""

from __future__ import annotations

import pytest
from support import module_of, term_of

from otsrw.reasoning.constructors import Constructors
from otsrw.theory.printing import show

TEXT = """
mod! LABEL { [Label] ops l1 l2 : -> Label {constr} }
mod* LOOSE { [Id] ops p q : -> Id {constr} }
mod! TREE { pr(LABEL) pr(LOOSE) pr(NAT)
  [Tree]
  op leaf : Label -> Tree {constr}
  op id : Id -> Tree {constr}
  op nat : Nat -> Tree {constr}
  op node : Tree Tree -> Tree {constr}
  op set : Tree Tree -> Tree {constr comm}
  op norm : Tree -> Tree {constr}
  op f : Tree -> Tree
  eq norm(norm(T:Tree)) = norm(T) .
}
"""

BAGS = """
mod* ELT { [Elt] }
mod! BAG { pr(ELT) [Elt < Bag] op empty : -> Bag {constr} op __ : Bag Bag -> Bag {constr assoc comm id: empty}
  ops e f : -> Elt  ops b c : -> Bag }
mod! LIST { pr(BAG) [Elt < List] op nil : -> List {constr} op _|_ : List List -> List {constr assoc id: nil}
  op k : -> List }
mod! SET { pr(BAG) [Elt < Set] op none : -> Set {constr} op _,_ : Set Set -> Set {constr assoc comm idem id: none}
  op s : -> Set }
mod! ONE { [Coll] ops zero one : -> Coll {constr} op _+_ : Coll Coll -> Coll {constr assoc comm id: zero}
  op c : -> Coll }
mod! OWN { pr(BAG) [Elt < Own] op no : -> Own {constr} op _&_ : Own Own -> Own {constr assoc comm id: no}
  eq (X:Elt & X) = no . }
"""


@pytest.mark.parametrize(
    ("module", "left", "right", "distinct"),
    [
        ("BAG", "e b", "empty", True),
        ("BAG", "b c", "empty", False),
        ("BAG", "e b", "b", True),
        ("BAG", "e e", "e", True),
        ("BAG", "e b", "e", False),
        ("BAG", "e b", "f", False),
        ("BAG", "e b", "c", False),
        ("LIST", "e | k", "nil", True),
        ("LIST", "k | e | k", "nil", True),
        ("LIST", "e | k", "k", False),
        ("SET", "e , s", "none", True),
        ("SET", "e , s", "s", False),
        ("ONE", "one + c", "zero", True),
        ("ONE", "c + c", "zero", False),
        ("OWN", "e & f", "no", False),
    ],
)
def test_a_collection_with_an_element_is_not_empty(module: str, left: str, right: str, distinct: bool) -> None:
    inside = module_of(BAGS, module)
    constructors = Constructors(inside)
    assert constructors.distinct(term_of(left, inside), term_of(right, inside)) is distinct
    assert constructors.distinct(term_of(right, inside), term_of(left, inside)) is distinct


@pytest.mark.parametrize(
    ("left", "right", "distinct"),
    [
        ("l1", "l2", True),
        ("l1", "l1", False),
        ("p", "q", False),
        ("true", "false", True),
        ("1", "2", True),
        ("leaf ( l1 )", "leaf ( l2 )", True),
        ("leaf ( l1 )", "id ( p )", True),
        ("id ( p )", "id ( q )", False),
        ("nat ( 3 )", "nat ( 4 )", True),
        ("node ( id ( p ) , leaf ( l1 ) )", "node ( id ( q ) , leaf ( l2 ) )", True),
        ("set ( leaf ( l1 ) , leaf ( l1 ) )", "leaf ( l1 )", False),
        ("norm ( leaf ( l1 ) )", "leaf ( l1 )", False),
        ("f ( leaf ( l1 ) )", "leaf ( l2 )", False),
        ("T:Tree", "leaf ( l2 )", False),
    ],
)
def test_distinct(left: str, right: str, distinct: bool) -> None:
    module = module_of(TEXT, "TREE")
    assert Constructors(module).distinct(term_of(left, module), term_of(right, module)) is distinct


def test_an_equation_between_constructor_terms_decomposes() -> None:
    module = module_of(TEXT, "TREE")
    left = term_of("node ( id ( p ) , node ( X:Tree , leaf ( l1 ) ) )", module)
    right = term_of("node ( id ( q ) , node ( f ( X:Tree ) , leaf ( l1 ) ) )", module)
    parts = Constructors(module).decompose(left, right)
    assert parts is not None
    assert [(show(a), show(b)) for a, b in parts] == [("p", "q"), ("X:Tree", "f(X:Tree)")]


def test_distinct_terms_do_not_decompose() -> None:
    module = module_of(TEXT, "TREE")
    assert Constructors(module).decompose(term_of("leaf ( l1 )", module), term_of("id ( p )", module)) is None


FREE = """
mod* PID { [Pid] }
mod! OWN { pr(PID) [Own] op own : Pid -> Own {constr} }
mod! TITLE { pr(PID) ops king queen : -> Pid {constr} }
mod! SWAP { pr(PID) [Swap] op swap : Pid Pid -> Swap {constr} vars X Y : Pid eq (swap(X, Y) = swap(Y, X)) = true . }
mod! SAME { [Same] ops one other third : -> Same {constr} eq (one = other) = true . eq (one = third) = false . }
mod! USUAL { pr(PID) [Usual] op usual : Pid Pid -> Usual {constr} vars U V X Y : Pid
  eq (usual(U, V) = usual(X, Y)) = (V = Y) and (U = X) . }
mod! KEY { pr(PID) [Key] op silent : Pid -> Key op mute : -> Key }
mod! MIXED { pr(PID) [Mixed] op said : Pid -> Mixed {constr} op unsaid : Pid -> Mixed }
mod! SEQ { pr(PID) [Pid < Seq] op nil : -> Seq {constr} op __ : Seq Seq -> Seq {constr assoc id: nil} vars X Y Z : Pid
  vars K L : Seq eq (X K = Y Z L) = (X = Y) and (K = Z L) . }
mod! ALL { pr(SEQ + OWN + TITLE + SWAP + SAME + USUAL + KEY + MIXED) }
"""


def test_free_constructors_know_the_owner_of_their_sort_and_equations_on_equality() -> None:
    free = {symbol.name for symbol in Constructors(module_of(FREE, "ALL")).free}
    assert free >= {"own", "usual", "third", "silent", "said"}
    assert not free & {"king", "queen", "swap", "one", "other", "mute", "unsaid"}


SORTS = """
mod* ELT { [Elt] op e : -> Elt }
mod! MAYBE { pr(ELT) [Elt < Maybe] op none : -> Maybe {constr} op f : Elt -> Maybe op g : Elt -> Elt }
"""


@pytest.mark.parametrize(("left", "distinct"), [("e", True), ("g ( e )", True), ("f ( e )", False), ("M:Maybe", False)])
def test_a_constructor_of_a_larger_sort_builds_no_element(left: str, distinct: bool) -> None:
    module = module_of(SORTS, "MAYBE")
    assert Constructors(module).distinct(term_of(left, module), term_of("none", module)) is distinct


def test_an_equation_on_equality_may_compare_bags_of_different_sizes() -> None:
    text = BAGS + "mod! SIZES { pr(BAG) vars E F : Elt vars B C : Bag eq ((E F B) = (E C)) = ((F B) = C) . }"
    inside = module_of(text, "SIZES")
    assert not Constructors(inside).distinct(term_of("e f b", inside), term_of("e c", inside))

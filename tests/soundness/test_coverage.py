"""A function is complete exactly if an enumeration of all arguments finds no gap."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otsrw.soundness import ObligationKind, Status
from soundness.claims import claim, report_on, report_on_ots, status_of

COMPLETE = ObligationKind.COMPLETE
LAB = "mod! LAB { [Lab] ops a b c : -> Lab {constr} eq (a = b) = false . eq (a = c) = false . eq (b = c) = false . %s }"
BAG = """mod! BAG { [Elt < Bag] ops a b : -> Elt {constr} op none : -> Bag {constr}
  op _,_ : Bag Bag -> Bag {constr assoc comm id: none} vars X Y : Elt vars B C : Bag eq (a = b) = false . %s }"""
LIST = """mod! LIST { [Elt < List] ops a b : -> Elt {constr} op nil : -> List {constr}
  op __ : List List -> List {constr assoc id: nil} vars X Y : Elt vars L : List %s }"""


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (LAB % "op f : Lab -> Lab eq f(a) = b . eq f(b) = c . eq f(c) = a .", "proved"),
        (LAB % "op f : Lab -> Lab eq f(a) = b . eq f(b) = c .", "refuted"),
        (LAB % "op f : Lab -> Lab ceq f(X:Lab) = b if X = a . ceq f(X:Lab) = c if not (X = a) .", "proved"),
        (LAB % "op f : Lab -> Lab ceq f(X:Lab) = b if X = a . ceq f(X:Lab) = c if X = b .", "refuted"),
        (LAB % "op f : Lab -> Lab ceq f(X:Lab) = b if X == a . ceq f(X:Lab) = c if not (X == a) .", "proved"),
        (LAB % "op f : Lab -> Lab ceq f(X:Lab) = c if not (X == a) .", "refuted"),
        (LAB % "op f : Lab Lab -> Lab eq f(X:Lab, X) = b . ceq f(X:Lab, Y:Lab) = c if not (X = Y) .", "proved"),
        (LAB % "op f : Lab Lab -> Lab eq f(X:Lab, X) = b .", "refuted"),
        (LAB % "op f : Lab -> Lab eq f(a) = b . eq f(X:Lab) = a [owise] .", "proved"),
        (LAB % "op f : -> Lab eq f = a .", "proved"),
        (BAG % "op f : Bag -> Bool eq f(none) = true . eq f((X , B)) = f(B) .", "proved"),
        (BAG % "op f : Bag -> Bool eq f((X , B)) = true .", "refuted"),
        (BAG % "op f : Bag -> Bool eq f(none) = true . eq f((a , B)) = true . eq f((b , B)) = true .", "proved"),
        (BAG % "op f : Bag -> Bool eq f(none) = true . eq f((a , B)) = true .", "refuted"),
        (BAG % "op f : Bag -> Bool eq f(none) = true . eq f(X) = true . eq f((X , Y , B)) = true .", "proved"),
        (BAG % "op f : Bag -> Bool eq f(none) = true . eq f((X , Y , B)) = true .", "refuted"),
        (LIST % "op f : List -> Bool eq f(nil) = true . eq f(X L) = f(L) .", "proved"),
        (LIST % "op f : List -> Bool eq f(nil) = true . eq f(L X) = f(L) .", "proved"),
        (LIST % "op f : List -> Bool eq f(X L) = f(L) .", "refuted"),
        ("mod! F { pr(NAT) op f : Nat -> Nat eq f(0) = 1 . eq f(P:NzNat) = P . }", "proved"),
        ("mod! F { pr(NAT) op f : Nat -> Nat eq f(0) = 1 . }", "refuted"),
        ("mod! F { pr(NAT) op f : Nat -> Nat eq f(0) = 1 . eq f(s N:Nat) = N . }", "refuted"),
        ("mod! F { pr(NAT) op f : Nat -> Nat ceq f(N:Nat) = 1 if N < 5 . ceq f(N:Nat) = 2 if 5 <= N . }", "proved"),
        ("mod* P { [P] op p : -> P } mod! F { pr(P) op f : P -> Bool eq f(p) = true . }", "open"),
        ("mod* P { [P] op p : -> P } mod! F { pr(P) op f : P -> Bool eq f(p) = true . eq f(X:P) = true . }", "proved"),
        ("mod! E { [E] op f : E -> Bool eq f(X:E) = true . }", "proved"),
        (
            "mod! T { [Lo < Hi] op l : -> Lo {constr} op h : -> Hi {constr} op f : Hi -> Hi eq f(X:Lo) = X . }",
            "refuted",
        ),
        (
            "mod! T { [Lo < Hi] op l : -> Lo {constr} op h : -> Hi {constr} op f : Hi -> Hi"
            " eq f(X:Lo) = X . eq f(h) = l . }",
            "proved",
        ),
    ],
)
def test_functions(text: str, status: str) -> None:
    assert status_of(text, COMPLETE, "f") == status


def test_a_loose_function_may_have_any_value() -> None:
    found = claim(report_on(LAB % "" + " mod* F { pr(LAB) op f : Lab -> Lab eq f(a) = b . }"), COMPLETE, "f")
    assert (found.status, found.evidence.split(":")[0]) == ("proved", "loose")


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        ("mod! F { pr(NAT) op f : Nat -> Nat eq f(N:Nat) = p N . }", ["refuted"]),
        ("mod! F { pr(NAT) op f : Nat -> Nat eq f(N:Nat) = (if N = 0 then 0 else p N fi) . }", []),
        ("mod! F { pr(NAT) op f : Nat -> Nat eq f(N:Nat) = (if N == 0 then 0 else p N fi) . }", []),
        ("mod! F { pr(NAT) op f : NzNat -> Nat eq f(N:NzNat) = p N . }", []),
        ("mod! F { pr(NAT) op f : Nat Nat -> Nat eq f(M:Nat, N:Nat) = M quo N . }", ["refuted"]),
        ("mod! F { pr(NAT) op f : Nat -> Nat ceq f(N:Nat) = p N if N > 0 . eq f(0) = 0 . }", []),
        ("mod! F { pr(NAT) op f : Nat -> Bool eq f(N:Nat) = (N > 0) and (p N = 3) . }", []),
        ("mod* F { pr(NAT) *[S]* op i : -> S op k : S -> Nat op f : S -> Nat eq f(X:S) = p k(X) . }", ["open"]),
    ],
)
def test_uses_of_partial_operators_are_guarded(text: str, statuses: list[str]) -> None:
    found = [each.status.value for each in report_on(text).of_kind(COMPLETE) if " " in each.subject]
    assert found == statuses


OTS = (
    LAB % ""
    + """ mod* M { pr(LAB) *[Sys]* op init : -> Sys bop n : Sys -> Lab bop t : Sys -> Sys op ok : Sys -> Bool
  var S : Sys eq n(init) = a . ceq n(t(S)) = b if n(S) = a . %s eq ok(S) = (n(S) = a) . }"""
)


@pytest.mark.parametrize(
    ("idle", "status"), [("ceq t(S) = S if not (n(S) = a) .", "proved"), ("", "open"), ("eq t(S) = S .", "proved")]
)
def test_idle_equations_define_observers(idle: str, status: str) -> None:
    found = claim(report_on_ots(OTS % idle), COMPLETE, "n")
    assert found.status == status
    assert found.decisive is (status == "proved")


# --- oracles

_LABELS = ("a", "b", "c")
_PAIRS = [("k", label) for label in _LABELS] + [("l", "")]


@st.composite
def _rows(draw: st.DrawFn) -> list[tuple[str, str, str]]:
    """Patterns of a function on a label and a box, with a condition on the label: '', 'a' or '-a'."""
    first = st.sampled_from([*_LABELS, "X"])
    second = st.sampled_from(["l", "k(a)", "k(b)", "k(c)", "k(X)", "k(Y)", "B"])
    condition = st.sampled_from(["", "", *_LABELS, *(f"-{label}" for label in _LABELS)])
    rows = draw(st.lists(st.tuples(first, second, condition), min_size=1, max_size=6))
    return [(one, two, given if one == "X" else "") for one, two, given in rows]


def _takes(row: tuple[str, str, str], label: str, box: tuple[str, str]) -> bool:
    one, two, condition = row
    if one not in ("X", label):
        return False
    if condition and (label == condition.removeprefix("-")) is condition.startswith("-"):
        return False
    if two == "B":
        return True
    if two == "l" or box[0] == "l":
        return two == box[0]
    inner = two[2]
    return inner == "Y" or (inner == "X" and (one != "X" or label == box[1])) or inner == box[1]


def _equation(row: tuple[str, str, str]) -> str:
    one, two, condition = row
    left = f"f({one}, {two})"
    if not condition:
        return f"eq {left} = a ."
    return f"ceq {left} = a if {'not ' if condition.startswith('-') else ''}(X = {condition[-1]}) ."


@settings(max_examples=60)
@given(_rows())
def test_patterns_against_all_arguments(rows: list[tuple[str, str, str]]) -> None:
    box = "[Box] op l : -> Box {constr} op k : Lab -> Box {constr} vars X Y : Lab var B : Box"
    text = LAB % f"{box} op f : Lab Box -> Lab {' '.join(map(_equation, rows))}"
    gaps = {
        f"f({label},{'l' if box == ('l', '') else f'k({box[1]})'})"
        for label, box in product(_LABELS, _PAIRS)
        if not any(_takes(row, label, box) for row in rows)
    }
    found = claim(report_on(text), COMPLETE, "f")
    assert found.status == (Status.REFUTED if gaps else Status.PROVED)
    if gaps:
        assert found.witness in gaps


_COLLECTIONS = ["none", "X", "a", "b", "X,B", "a,B", "b,B", "X,Y", "a,b", "a,X", "X,Y,B", "a,b,B", "X,X", "X,X,B"]


def _takes_bag(pattern: str, bag: Counter[str]) -> bool:
    parts = [] if pattern == "none" else pattern.split(",")
    is_open = "B" in parts
    wanted = [part for part in parts if part != "B"]
    for chosen in product("ab", repeat=len({part for part in wanted if part in "XY"})):
        names = dict(zip(sorted({part for part in wanted if part in "XY"}), chosen, strict=True))
        needed = Counter(names.get(part, part) for part in wanted)
        if needed <= bag and (is_open or needed == bag):
            return True
    return False


SILENT = """mod* ELT { [Elt] } mod! BAG { pr(ELT) [Elt < Bag] op empty : -> Bag op __ : Bag Bag -> Bag {assoc comm}
  op _in_ : Elt Bag -> Bool vars X Y : Elt var B : Bag eq (empty B) = B . eq X in empty = false . %s }"""


@pytest.mark.parametrize(
    ("equations", "status"),
    [
        ("eq X in Y = (X = Y) . eq X in (Y B) = (X = Y) or (X in B) .", "proved"),
        ("eq X in Y = (X = Y) .", "open or refuted"),
    ],
)
def test_collections_need_no_declared_constructor(equations: str, status: str) -> None:
    report = report_on(SILENT % equations)
    assert claim(report, COMPLETE, "_in_").status.value in status
    assert not [each for each in report.of_kind(COMPLETE) if each.subject == "__"]


QUEUES = """
mod* ELT { [Elt] }
mod! QUEUE { pr(ELT) [Queue] op nil : -> Queue {constr} op _;_ : Elt Queue -> Queue {constr}
  op top : Queue -> Elt op rest : Queue -> Queue op some? : Queue -> Bool var E : Elt var Q : Queue
  eq top(E ; Q) = E . eq rest(E ; Q) = Q . eq some?(nil) = false . eq some?(E ; Q) = true . }
mod* SYS { pr(QUEUE) *[Sys]* op init : -> Sys bop queue : Sys -> Queue bop last : Sys -> Elt bop take : Sys -> Sys
  op inv : Sys Elt -> Bool var S : Sys var E : Elt
  eq queue(init) = nil . %s }
"""
GUARDS = {
    "a condition": (
        "ceq last(take(S)) = top(queue(S)) if some?(queue(S)) . ceq take(S) = S if not some?(queue(S)) ."
        " ceq queue(take(S)) = rest(queue(S)) if some?(queue(S)) . eq inv(S, E) = true .",
        "proved",
    ),
    "a condition by = and a branch": (
        "eq last(take(S)) = (if queue(S) = nil then last(S) else top(queue(S)) fi) ."
        " eq queue(take(S)) = (if queue(S) = nil then nil else rest(queue(S)) fi) . eq inv(S, E) = true .",
        "proved",
    ),
    "the wrong branch": (
        "eq last(take(S)) = (if queue(S) = nil then top(queue(S)) else last(S) fi) ."
        " eq queue(take(S)) = queue(S) . eq inv(S, E) = true .",
        "open or refuted",
    ),
    "no condition": ("eq last(take(S)) = top(queue(S)) . eq queue(take(S)) = queue(S) .", "open or refuted"),
    "another conjunct": (
        "eq last(take(S)) = last(S) . eq queue(take(S)) = queue(S) ."
        " eq inv(S, E) = (top(queue(S)) = E and some?(queue(S))) .",
        "proved",
    ),
    "a premise": (
        "eq last(take(S)) = last(S) . eq queue(take(S)) = queue(S) ."
        " eq inv(S, E) = (some?(queue(S)) implies top(queue(S)) = E) .",
        "proved",
    ),
    "another disjunct that does not help": (
        "eq last(take(S)) = last(S) . eq queue(take(S)) = queue(S) ."
        " eq inv(S, E) = (some?(queue(S)) or top(queue(S)) = E) .",
        "open or refuted",
    ),
}


@pytest.mark.parametrize(("equations", "status"), GUARDS.values(), ids=GUARDS.keys())
def test_a_gap_that_no_equation_asks_for_is_no_harm(equations: str, status: str) -> None:
    found = claim(report_on_ots(QUEUES % equations), COMPLETE, "top").status.value
    assert found in status


def test_an_operator_that_joins_collections_is_a_function_if_constructors_are_declared() -> None:
    """Where none is declared, nobody else says what a collection is: it builds them."""
    text = """mod! BAG { [Elt < Bag] op a : -> Elt {constr} op none : -> Bag %s op __ : Bag Bag -> Bag {assoc comm}
      eq (none B:Bag) = B . }"""
    assert "__" not in {each.subject for each in report_on(text % "").of_kind(COMPLETE)}
    assert status_of(text % "{constr}", COMPLETE, "__") == "refuted"


@settings(max_examples=60)
@given(st.lists(st.sampled_from(_COLLECTIONS), min_size=1, max_size=5, unique=True))
def test_collections_against_all_small_ones(patterns: list[str]) -> None:
    equations = " ".join(f"eq f(({pattern.replace(',', ' , ')})) = true ." for pattern in patterns)
    found = claim(report_on(BAG % f"op f : Bag -> Bool {equations}"), COMPLETE, "f")
    bags = [Counter(bag) for size in range(5) for bag in combinations_with_replacement("ab", size)]
    gaps = [bag for bag in bags if not any(_takes_bag(pattern, bag) for pattern in patterns)]
    if found.status is Status.PROVED:
        assert gaps == []
    if found.status is Status.REFUTED:
        shown = Counter(letter for letter in found.witness.removeprefix("f").replace("none", "") if letter in "ab")
        assert not any(_takes_bag(pattern, shown) for pattern in patterns)
    if not gaps:
        assert found.status is not Status.REFUTED


@pytest.mark.parametrize("less", ["p p floor(S)", "p (p floor(S) + 0)"])
def test_a_guard_of_a_term_is_none_of_what_is_around_it(less: str) -> None:
    """`p p N` has no value for 1, and a guard that excludes 0 does not exclude that."""
    report = report_on_ots(
        f"""mod* LIFT {{ pr(NAT) *[Lift]* op init : -> Lift bop floor : Lift -> Nat bop sink : Lift -> Lift var S : Lift
        eq floor(init) = 3 . ceq floor(sink(S)) = {less} if 0 < floor(S) . ceq sink(S) = S if not 0 < floor(S) . }}"""
    )
    doubts = [each.subject for each in report.of_kind(COMPLETE) if each.status is Status.OPEN and each.decisive]
    assert len(doubts) == 1
    assert doubts[0].startswith("(p ((p") or doubts[0] == "(p (p floor(S)))"

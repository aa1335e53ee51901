"""Order independence: what depends on the order of equations is found, and what does not is proved."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from specifications import SPECS, loaded, ots_of, ots_of_file
from support import module_of

from otsrw.proofs.session import Session
from otsrw.soundness import pairs
from otsrw.soundness.cone import cone_of
from otsrw.soundness.obligations import Obligation, Status
from otsrw.soundness.order import check_order, order_obligations
from otsrw.soundness.pairs import PairOutcome
from otsrw.soundness.passages import order_score

from .random_equations import ARGUMENTS, STYLES, System, random_system


def obligations_of(text: str, module: str = "M") -> dict[str, Obligation]:
    """The obligations of a module of data, by function."""
    return {o.subject: o for o in order_obligations(cone_of(module_of(text, module)))}


def system_obligations(text: str) -> dict[str, Obligation]:
    return {o.subject: o for o in order_obligations(cone_of(ots_of(text)))}


BASE = """
mod* ELEM { [Elem] }
mod! COLOUR { [Colour] ops red blue green : -> Colour {constr} }
mod! NUM { [Num] op o : -> Num {constr} op n : Num -> Num {constr} }
mod! BAG { pr(ELEM) [Elem < Bag] op none : -> Bag {constr} op _+_ : Bag Bag -> Bag {constr assoc comm id: none} }
mod! SEQ { pr(ELEM) [Elem < Seq] op eps : -> Seq {constr} op _._ : Seq Seq -> Seq {constr assoc id: eps} }
mod! RUN { pr(COLOUR) [Run] op one : Colour -> Run {constr} op _~_ : Run Run -> Run {constr assoc} }
mod! ONCE { pr(ELEM) [Elem < Group] op nobody : -> Group {constr}
  op _&_ : Group Group -> Group {constr assoc comm id: nobody} eq (X:Elem & X:Elem) = X:Elem . }
mod! IDEM { pr(ELEM) [Elem < Heap] op void : -> Heap {constr}
  op _|_ : Heap Heap -> Heap {constr assoc comm idem id: void} }
mod! PAIR { pr(COLOUR) [Pair] op <_;_> : Colour Colour -> Pair {constr} }
"""


def data(body: str, imports: str = "COLOUR + NUM + BAG + SEQ + RUN + ONCE + IDEM + PAIR") -> str:
    return f"{BASE}mod! M {{ pr({imports})\n{body}\n}}"


PROVED = {
    "no overlap": ("op f : Colour -> Colour eq f(red) = blue . eq f(blue) = red . eq f(green) = red .", "f"),
    "the same value": ("op f : Colour -> Colour eq f(red) = blue . eq f(X:Colour) = blue .", "f"),
    "conditions exclude each other": (
        "op f : Colour -> Colour var X : Colour ceq f(X) = red if X = blue . ceq f(X) = X if not (X = blue) .",
        "f",
    ),
    "agree where both hold": (
        "op f : Colour Colour -> Colour vars X Y : Colour ceq f(X, Y) = X if X = Y . ceq f(X, Y) = Y if X = Y .",
        "f",
    ),
    "a lemma on data": (
        "op add : Num Num -> Num vars X Y : Num eq add(o, Y) = Y . eq add(n(X), Y) = n(add(X, Y)) ."
        " op even : Num -> Bool eq even(o) = true . eq even(n(o)) = false . eq even(n(n(X))) = even(X) ."
        " eq even(n(n(add(X, Y)))) = even(add(X, Y)) .",
        "even",
    ),
    "counting a bag": ("op size : Bag -> Num eq size(none) = o . eq size(X:Elem + B:Bag) = n(size(B:Bag)) .", "size"),
    "member of a set": (
        "op in : Elem Group -> Bool vars X Y : Elem var G : Group eq in(X, nobody) = false ."
        " eq in(X, (Y & G)) = (X = Y) or in(X, G) .",
        "in",
    ),
    "member of a set by attribute": (
        "op in : Elem Heap -> Bool vars X Y : Elem var G : Heap eq in(X, void) = false ."
        " eq in(X, (Y | G)) = (X = Y) or in(X, G) .",
        "in",
    ),
    "length of a sequence, from both ends": (
        "op len : Seq -> Num var X : Elem var L : Seq eq len(eps) = o . eq len(X . L) = n(len(L)) .",
        "len",
    ),
    "the first of a list without empty list": (
        "op first : Run -> Colour var C : Colour var R : Run eq first(one(C)) = C . eq first(one(C) ~ R) = C .",
        "first",
    ),
    "commutative": (
        "op mix : Colour Colour -> Colour {comm} vars X Y : Colour eq mix(X, X) = X . ceq mix(X, Y) = green"
        " if not (X = Y) .",
        "mix",
    ),
    "a match of one way": (
        "op fst : Pair -> Colour vars X Y : Colour var P : Pair ceq fst(P) = X if < X ; Y > := P .",
        "fst",
    ),
    "equality by parts": ("vars A B C D : Colour eq (< A ; B > = < C ; D >) = (A = C) and (B = D) .", "_=_"),
    "owise": ("op f : Colour -> Colour eq f(red) = blue . eq f(X:Colour) = red [owise] .", "f"),
}


@pytest.mark.parametrize(("body", "function"), PROVED.values(), ids=PROVED)
def test_what_does_not_depend_on_order_is_proved(body: str, function: str) -> None:
    found = obligations_of(data(body))
    assert [(o.subject, o.status, o.missing, o.witness) for o in found.values() if o.status is not Status.PROVED] == []
    assert found[function].evidence


REFUTED = {
    "a later constant": (
        "op f : Colour -> Colour ceq f(X:Colour) = red if X:Colour = green . eq f(X:Colour) = blue .",
        "f",
        r"f\(green\) is red by line \d+:\d+ and blue by line \d+:\d+",
    ),
    "a number beyond the small ones": (
        "pr(NAT) op f : Nat -> Colour ceq f(N:Nat) = red if N:Nat > 40 .\n eq f(N:Nat) = blue .",
        "f",
        r"f\(41\) is red by line 14 and blue by line 15",
    ),
    "any element of a bag": (
        "op some : Bag -> Elem eq some(X:Elem + B:Bag) = X:Elem .",
        "some",
        r"some\(\(e1 \+ e2\)\) is e1 and e2 by line 14 alone",
    ),
    "a key twice": (
        "[Ent] op _to_ : Elem Colour -> Ent {constr} [Ent < Map] op nil : -> Map {constr}"
        " op _/_ : Map Map -> Map {constr assoc comm id: nil} op get : Map Elem -> Colour"
        " vars X Y : Elem var C : Colour var A : Map eq get(nil, X) = red ."
        "\n eq get(((Y to C) / A), X) = (if X = Y then C else get(A, X) fi) .",
        "get",
        r"get\(\(\(e1 to red\) / \(e1 to blue\)\),e1\) is red and blue by line 15 alone",
    ),
    "size of a set": (
        "op size : Group -> Num eq size(nobody) = o . eq size(X:Elem & G:Group) = n(size(G:Group)) .",
        "size",
        r"size\(\(e1 & e1\)\) is n\(n\(o\)\) by line 14 and n\(o\) by line 9",
    ),
    "size of a set, with the variable that extensions have": (
        "op size : Group -> Num eq size(nobody) = o . eq size(X:Elem & R:Group) = n(size(R:Group)) .",
        "size",
        r"size\(\(e1 & e1\)\) is n\(n\(o\)\) by line 14 and n\(o\) by line 9",
    ),
    "size of a set by attribute": (
        "op size : Heap -> Num eq size(void) = o .\n eq size(X:Elem | G:Heap) = n(size(G:Heap)) .",
        "size",
        r"size\(e1\) is n\(n\(o\)\) by line 15 and n\(o\)",
    ),
    "a subsort": (
        "[Dark < Shade] op d : -> Dark {constr} op l : -> Shade {constr} op f : Shade -> Colour"
        " eq f(D:Dark) = red . eq f(S:Shade) = blue .",
        "f",
        r"f\(d\) is red",
    ),
    "a wrong lemma": (
        "op twice : Num -> Num op even : Num -> Bool var X : Num eq twice(o) = o ."
        " eq twice(n(X)) = n(n(twice(X))) . eq even(o) = true . eq even(n(o)) = false ."
        "\n eq even(n(n(X))) = even(X) .\n eq even(twice(X)) = false .",
        "even",
        r"even\(twice\(o\)\) is false by line 16 and true by line 14",
    ),
    "the last of a sequence": (
        "op end : Seq -> Elem var X : Elem var L : Seq eq end(X . L) = X . eq end(L . X) = X .",
        "end",
        r"end\(\(e1 \. e2\)\) is e1 by line 14:\d+ and e2 by line 14:\d+",
    ),
    "lists without empty list overlap in the middle": (
        "vars A B : Colour eq (one(red) ~ one(red)) = one(blue) .",
        "_~_",
        r"one\(red\) ~ \(one\(red\) ~ one\(red\)\) is",
    ),
    "several matches": (
        "op pick : Bag -> Elem var B : Bag var X : Elem var C : Bag ceq pick(B) = X if (X + C) := B .",
        "pick",
        r"pick\(\(e1 \+ e2\)\) is e\d and e\d by line 14 alone",
    ),
    "equality of a value with itself": (
        "vars A B C D : Colour eq (< A ; B > = < C ; D >) = (A = D) .",
        "_=_",
        r"because everything equals itself",
    ),
    "commutative by declaration only": (
        "op left : Colour Colour -> Colour {comm} eq left(X:Colour, Y:Colour) = X:Colour .",
        "left",
        r"left\((red,blue|blue,red)\) is (red|blue) and (red|blue) by line 14 alone",
    ),
    "an identity that is rewritten": (
        "op _*_ : Colour Colour -> Colour {assoc comm id: red} eq (X:Colour * Y:Colour) = blue .",
        "_*_",
        r"is blue by line 14",
    ),
    "a successor of a number": (
        "pr(NAT) op f : Nat -> Colour eq f(s N:Nat) = red .\n eq f(1) = blue .",
        "f",
        r"f\(\(?s 0\)?\) is red by line 14 and blue when its arguments are evaluated",
    ),
    "a built-in operator": (
        "pr(NAT) op f : Nat -> Colour vars M N : Nat eq f(0) = red . eq (M <= N) = true .",
        "_<=_",
        r"is true by line 14 and false when its arguments are evaluated",
    ),
    "a sum that is a numeral at once": (
        "pr(NAT) eq X:Nat + 1 = X .",
        "_+_",
        r"1 is 0 by line 14 and 1 when its arguments are evaluated",
    ),
}


_LOWERED = (
    "[A B < Top, C < Out] op a : -> A {constr} op b : -> B {constr} op f : A -> C {constr} op f : B -> C {constr}"
    " op f : Top -> Out {constr} op h : Top -> Colour op g : Out -> Colour eq g(f(X:Top)) = h(X) . eq g(Y:C) = red ."
)
REFUTED["an argument of the one lower sort"] = (f"{_LOWERED} eq h(a) = blue . eq h(b) = red .", "g", r"g\(f\(a\)\)")
REFUTED["an argument of the other lower sort"] = (f"{_LOWERED} eq h(a) = red . eq h(b) = blue .", "g", r"g\(f\(b\)\)")


@pytest.mark.parametrize(("body", "function", "witness"), REFUTED.values(), ids=REFUTED)
def test_what_depends_on_order_is_refuted_by_a_term(body: str, function: str, witness: str) -> None:
    found = obligations_of(data(body))[function]
    assert found.status is Status.REFUTED, found
    assert re.search(witness, "; ".join((found.witness, *found.notes))), found


OPEN = {
    "built-in operators in a left side": (
        "pr(NAT) op f : Nat -> Colour eq f(s N:Nat) = red . eq f(0) = red .",
        "f",
        "built-in operator s_",
    ),
    "==": (
        "op f : Colour Colour -> Colour vars X Y : Colour ceq f(X, Y) = red if X == Y . ceq f(X, Y) = Y if X = Y .",
        "f",
        "no proof can rely on _==_",
    ),
    "owise below another function": (
        "ops f g : Colour -> Colour eq f(red) = blue . eq f(X:Colour) = red [owise] ."
        " ceq g(X:Colour) = f(X:Colour) if not (X:Colour = red) . eq g(X:Colour) = f(f(f(X:Colour))) .",
        "g",
        "no proof can rely on owise",
    ),
    "a strategy": (
        "op f : Colour -> Colour {strat: (0)} eq f(red) = blue . eq f(X:Colour) = blue .",
        "f",
        "strategy of its own",
    ),
    "an empty sort": ("[None] op f : None -> Colour eq f(X:None) = red . eq f(X:None) = blue .", "f", "red = blue"),
    "a list that overlaps itself": (
        "op f : Run -> Colour vars R S : Run eq f(R ~ S ~ R) = red . eq f(R ~ R ~ S) = red . eq f(S ~ R ~ R) = blue .",
        "f",
        "",
    ),
}


OPEN["a left side of two sorts"] = (
    "[E < A B, P Q < R] op e : -> E {constr} op p : -> P {constr} op f : A -> P op f : B -> Q"
    " eq f(X:E) = p . eq f(Y:A) = p .",
    "f",
    "no sort of its own",
)


@pytest.mark.parametrize(("body", "function", "missing"), OPEN.values(), ids=OPEN)
def test_what_is_not_handled_is_not_proved(body: str, function: str, missing: str) -> None:
    found = obligations_of(data(body))[function]
    assert found.status is not Status.PROVED, found
    assert not missing or (found.status is Status.OPEN and missing in found.missing), found


# --- transition systems

SYSTEM = """
mod! PHASE {{ [Phase] ops p0 p1 p2 p3 : -> Phase {{constr}} op up : Phase -> Phase
  eq up(p0) = p1 . eq up(p1) = p2 . eq up(p2) = p3 . eq up(p3) = p3 . }}
mod* WHO {{ [Who] op boss : -> Who }}
mod* M {{ pr(PHASE + WHO) *[Sys]* op init : -> Sys bop ph : Sys -> Phase bop of : Sys Who -> Phase
  bop tick : Sys -> Sys bop go : Sys Who -> Sys op ok : Sys -> Bool op safe : Sys -> Bool
  var S : Sys vars I J : Who
  eq ph(init) = p0 .
  eq of(init, I) = {initially} .
  eq ph(tick(S)) = up(ph(S)) .
  eq of(tick(S), I) = of(S, I) .
  ceq ph(go(S, J)) = p0 if {condition} .
  {keyword} of(go(S, J), I) = (if I = J then p2 else of(S, I) fi){guard} .
  ceq go(S, J) = S if not (ph(S) = p3) .
  eq safe(S) = {safe} .
  {more}
}}
"""

FINE = {"initially": "p0", "condition": "ph(S) = p3", "keyword": "ceq", "guard": " if ph(S) = p3", "more": ""}
FINE["safe"] = "(ph(S) = p0)"

FLAWS = {
    "an idle step changes something": (
        {"keyword": "eq", "guard": ""},
        "of",
        r"of\(go\(s,boss\),boss\) is p2 by line 13 and p0 by line 14, where ph\(s\) = p0 and of\(s,boss\) = p0",
    ),
    "a weaker condition": (
        {"condition": "not (ph(S) = p1)"},
        "ph",
        r"ph\(go\(s,boss\)\) is p0 by line 12 and p2 by line 14, where ph\(s\) = p2",
    ),
    "a special initial value": (
        {"more": "eq of(init, boss) = p1 ."},
        "of",
        r"of\(init,boss\) is p0 by line 9 and p1 by line 16",
    ),
    "a state function": (
        {"safe": "ok(S)", "more": "ceq ok(S) = true if ph(S) = p3 . \n eq ok(S) = false ."},
        "ok",
        r"ok\(s\) is true by line 16 and false by line 17, where ph\(s\) = p3",
    ),
    "a step that is undone": (
        {"more": "bop undo : Sys -> Sys eq undo(tick(S)) = S . eq ph(undo(S)) = p0 . eq of(undo(S), I) = of(S, I) ."},
        "ph",
        r"ph\(undo\(tick\(s\)\)\) is p0 by line 16:\d+ and p1 by line 16:\d+, where ph\(s\) = p1",
    ),
}


def test_a_system_without_flaws_is_proved() -> None:
    assert {o.status for o in system_obligations(SYSTEM.format(**FINE)).values()} == {Status.PROVED}


@pytest.mark.parametrize(("change", "function", "witness"), FLAWS.values(), ids=FLAWS)
def test_a_witness_describes_the_state(change: dict[str, str], function: str, witness: str) -> None:
    found = system_obligations(SYSTEM.format(**{**FINE, **change}))
    assert found[function].status is Status.REFUTED, found
    assert re.fullmatch(witness, found[function].witness), found[function].witness


def test_an_idle_step_that_changes_something_gets_a_hint() -> None:
    found = system_obligations(SYSTEM.format(**{**FINE, "keyword": "eq", "guard": ""}))["of"]
    assert found.hint == (
        "line 14 says that go leaves the state as it is if not (ph(S) = p3): give line 13 the condition ph(S) = p3"
    )
    assert found.span.line == 14


def test_states_are_compared_by_all_observers() -> None:
    more = "bop twin : Sys -> Sys eq twin(S) = S . eq ph(twin(S)) = ph(S) . eq of(twin(S), I) = of(S, I) ."
    assert {o.status for o in system_obligations(SYSTEM.format(**{**FINE, "more": more})).values()} == {Status.PROVED}
    hidden = (
        more + " bop age : Sys -> Phase eq age(twin(S)) = up(age(S)) . eq age(init) = p0 . eq age(tick(S)) = age(S) ."
    )
    found = system_obligations(SYSTEM.format(**{**FINE, "more": hidden}))
    assert found["age"].status is Status.REFUTED


def test_an_element_of_a_witness_is_no_collection() -> None:
    """Both collections that X is a member of in a case say nothing of X, which has a sort below theirs."""
    text = r"""
mod* R { [R] }
mod* RS { pr(R) [R < Soup] op none : -> Soup {constr} op __ : Soup Soup -> Soup {constr assoc comm id: none}
  op _\in_ : R Soup -> Bool vars X Y : R var B : Soup
  eq X \in none = false . eq X \in (Y B) = (X = Y) or (X \in B) . }
mod* M { pr(RS) *[Sys]* op init : -> Sys bops a b : Sys -> Soup bop use : Sys R R -> Sys
  op c : Sys R R -> Bool op ok : Sys -> Bool var S : Sys vars X Y : R
  eq a(init) = none . eq b(init) = none .
  eq c(S, X, Y) = (X \in b(S) and Y \in b(S)) or (not (X \in a(S)) and Y \in b(S)) .
  eq a(use(S, X, Y)) = X Y a(S) . eq b(use(S, X, Y)) = X Y b(S) .
  ceq use(S, X, Y) = S if not c(S, X, Y) . eq ok(S) = true . }"""
    found = system_obligations(text)
    assert {name: found[name].status for name in "ab"} == {"a": Status.REFUTED, "b": Status.REFUTED}
    assert "use(s,r1,r1)" in found["b"].witness


def test_a_witness_keeps_to_what_equations_say_of_a_loose_constant() -> None:
    """That n(o) is below the limit is open, but the limit is no witness: the equation says that it is not n(o)."""
    less = "op _<_ : Num Num -> Bool vars X Y : Num eq X < o = false . eq o < n(Y) = true . eq n(X) < n(Y) = X < Y ."
    text = (
        f"{BASE}mod* M {{ pr(NUM) {less} op one : -> Num eq one = n(o) . op limit : -> Num eq (one < limit) = true . }}"
    )
    assert obligations_of(text)["_<_"].status is Status.OPEN


# --- case studies

VERIFIED = (
    "flag-turn", "iff", "nslpk", "otway-rees-tagged", "peterson", "qlock", "tas", "ticket-atomic", "two-phase-commit",
)  # fmt: skip


@pytest.mark.parametrize("name", VERIFIED)
def test_verified_case_studies_do_not_depend_on_order(name: str) -> None:
    orders = check_order(cone_of(ots_of_file(f"{name}.cafe")))
    assert [doubt for order in orders for doubt in order.doubts] == []
    assert sum(order.count(PairOutcome.INFEASIBLE) for order in orders) > 0


@pytest.mark.parametrize("name", ["bakery", "suzuki-kasami"])
def test_a_map_has_one_number_for_a_process(name: str) -> None:
    """The book and the arrays are no multisets of pairs, in which a process could occur twice."""
    orders = check_order(cone_of(ots_of_file(f"{name}.cafe")))
    assert [doubt for order in orders for doubt in order.doubts] == []


def test_the_same_twice() -> None:
    cone = cone_of(ots_of_file("suzuki-kasami.cafe"))
    assert order_obligations(cone) == order_obligations(cone)


@pytest.mark.parametrize("name", ["qlock", "peterson", "two-phase-commit"])
def test_every_condition_of_a_case_study_is_needed(name: str) -> None:
    """A conditional equation without its condition disagrees with another one."""
    text = SPECS.joinpath(f"{name}.cafe").read_text(encoding="utf-8")
    conditional = list(re.finditer(r"^( *)ceq (.*?)\s+if\s(.*?) \.$", text, re.MULTILINE | re.DOTALL))
    assert conditional
    for found in conditional:
        weakened = f"{text[: found.start()]}{found[1]}eq {found[2]} .{text[found.end() :]}"
        assert Status.REFUTED in {o.status for o in system_obligations(weakened).values()}, found[0]


# --- brute force


def _contradictions(system: System) -> list[str]:
    """What is claimed about a system and is not so."""
    found = obligations_of(system.text())
    problems = []
    settled = system.is_complete() and all(found[name].status is Status.PROVED for name in "fk")
    for function in ARGUMENTS:
        obligation = found[function]
        if obligation.status is Status.PROVED and settled and system.disagreement(function) is not None:
            problems.append(f"{function} is not proved: {system.disagreement(function)}")
        if obligation.status is Status.REFUTED and not _confirmed(system, obligation):
            problems.append(f"{obligation.witness} is not so")
    return problems


def _confirmed(system: System, obligation: Obligation) -> bool:
    """Has the witness two values?"""
    shown = obligation.witness.split(" is ")[0]
    elements = tuple(re.findall(r"\b[lh][12]\b", shown))
    once = system.style in ("idem", "once") and obligation.subject == "g"
    collection = tuple(sorted(set(elements) if once else elements)) if obligation.subject == "g" else elements
    arguments = (collection,) if obligation.subject in ("g", "t") else elements
    return len(system.values(obligation.subject, arguments)) > 1


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_free_functions_agree_with_brute_force(seed: int) -> None:
    system = random_system(seed, ("f", "k", "m"))
    assert _contradictions(system) == [], system.text()


@pytest.mark.parametrize("style", STYLES)
@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_functions_on_collections_agree_with_brute_force(style: str, seed: int) -> None:
    system = random_system(seed, ("f", "g", "t"), style)
    assert _contradictions(system) == [], system.text()


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_the_order_of_equations_does_not_matter_for_the_answer(seed: int, random: object) -> None:
    system = random_system(seed, ("f", "k"))
    shuffled = System(system.equations[::-1], system.style)
    one, other = obligations_of(system.text()), obligations_of(shuffled.text())
    proved = {name for name, o in one.items() if o.status is Status.PROVED}
    assert not {name for name, o in other.items() if o.status is Status.REFUTED} & proved


# --- beyond splitting

DEEPER = {
    "a lemma about a function, by induction": (
        "op _in_ : Elem Bag -> Bool op _out_ : Elem Bag -> Bool vars E F : Elem var B : Bag"
        " eq E in none = false . ceq E in (F + B) = true if E = F . ceq E in (F + B) = E in B if not (E = F) ."
        " eq E out none = true . eq E out (F + B) = not (E = F) and E out B ."
        " ceq E out B = false if E in B .",
        "_out_",
        "proved",
    ),
    "a wrong lemma about a function": (
        "op _in_ : Elem Bag -> Bool op _out_ : Elem Bag -> Bool vars E F : Elem var B : Bag"
        " eq E in none = false . ceq E in (F + B) = true if E = F . ceq E in (F + B) = E in B if not (E = F) ."
        " eq E out none = true . eq E out (F + B) = not (E = F) and E out B ."
        " ceq E out B = true if E in B .",
        "_out_",
        "refuted",
    ),
    "a condition that later assumptions decide": (
        "op _in_ : Elem Bag -> Bool vars E F : Elem var B : Bag"
        " eq E in none = false . ceq E in (F + B) = true if E = F . ceq E in (F + B) = E in B if not (E = F) ."
        " ceq E in (B + F) = (E = F) if (E in B) = false .",
        "_in_",
        "proved",
    ),
    "two ways to compare values": (
        "[Msg] ops hello bye : Colour -> Msg {constr} ops hello? bye? : Msg -> Bool op part : Msg -> Colour"
        " var C : Colour vars K L : Msg"
        " eq hello?(hello(C)) = true . eq hello?(bye(C)) = false . eq bye?(hello(C)) = false . eq bye?(bye(C)) = true ."
        " eq part(hello(C)) = C . eq part(bye(C)) = C ."
        " ceq (K = L) = hello?(K) and part(K) = part(L) if hello?(L) ."
        " ceq (K = L) = bye?(K) and part(K) = part(L) if bye?(L) .",
        "_=_",
        "proved",
    ),
}


@pytest.mark.parametrize(("equations", "function", "status"), DEEPER.values(), ids=DEEPER.keys())
def test_what_splitting_alone_does_not_join(equations: str, function: str, status: str) -> None:
    assert obligations_of(data(equations))[function].status == status


LOOSE_NUMBERS = """
mod* M {
  [Zero NonZero < Number]
  op 0 : -> Zero {constr}
  op s : Number -> NonZero {constr}
  op _less_ : Number Number -> Bool
  vars I J : Number var K : NonZero
  eq (0 = K) = false . eq (s(I) = s(J)) = (I = J) .
  eq I less 0 = false . eq 0 less K = true . eq s(I) less s(J) = I less J .
  %s
}
"""


@pytest.mark.parametrize(
    ("lemma", "status"),
    [
        ("ceq I less s(J) = false if (I = J) = false and (I less J) = false .", "proved"),
        ("ceq I less s(J) = false if (I less J) = false .", "refuted"),
    ],
)
def test_axioms_of_a_loose_module_agree_on_what_its_constructors_build(lemma: str, status: str) -> None:
    assert obligations_of(LOOSE_NUMBERS % lemma)["_less_"].status == status


# --- proof passages


@pytest.mark.parametrize("name", ["tas", "nslpk", "ticket-atomic"])
def test_joined_pairs_are_proof_passages(name: str, tmp_path: Path) -> None:
    path = SPECS / f"{name}.cafe"
    ots, declarations = loaded(path.read_text(encoding="utf-8"), path.parent)
    cone = cone_of(ots)
    score = order_score(cone, check_order(cone), declarations)
    session = Session()
    session.run_text(score.text, "<passages>")
    assert [problem.render() for problem in session.outcome.errors] == []
    assert [r.result for r in session.outcome.reductions()] == ["true"] * score.passages
    assert score.passages > 0
    if shutil.which("cafeobj") is None:
        pytest.skip("cafeobj is not installed, so nothing is compared with it")
    written = tmp_path / "passages.cafe"
    written.write_text(score.text, encoding="utf-8")
    told = subprocess.run(["cafeobj", "-batch", str(written)], capture_output=True, text=True, check=False).stdout
    assert sum(line.startswith("(true):Bool") for line in told.splitlines()) == score.passages
    assert "[Error]" not in told


# --- cones of one module share what is known


def test_a_function_is_checked_once_for_all_cones_of_a_module() -> None:
    ots = ots_of_file("nspk.cafe")
    first, *_ = ots.invariants
    few = {found.symbol: found for found in check_order(cone_of(ots, [first.name]))}
    all_of_them = {found.symbol: found for found in check_order(cone_of(ots))}
    assert len(all_of_them) > len(few) > 20
    assert [symbol.name for symbol, found in few.items() if all_of_them[symbol] is not found] == []


@pytest.mark.parametrize("name", ["qlock.cafe", "suzuki-kasami.cafe", "abp.cafe"])
def test_what_is_kept_is_what_is_found_anew(name: str) -> None:
    ots = ots_of_file(name)
    check_order(cone_of(ots))
    for invariant in ots.invariants:
        kept = order_obligations(cone_of(ots, [invariant.name]))
        anew = order_obligations(cone_of(ots_of_file(name), [invariant.name]))
        assert [(o.subject, o.status, o.evidence) for o in kept] == [(o.subject, o.status, o.evidence) for o in anew]


TWO_DECLARATIONS = """
mod! ELEM { [Elem < Seq] ops a b : -> Elem {constr} op _;_ : Elem Seq -> Seq {constr}
  op _in_ : Seq Seq -> Bool
  vars X Y : Elem vars L M : Seq
  eq X in Y = SAME . eq X in (Y ; L) = (X = Y) or X in L . eq (X ; L) in M = (X in M) and (L in M) .
}
mod! HEAP { pr(ELEM) [Elem < Heap] op void : -> Heap {constr}
  op _|_ : Heap Heap -> Heap {constr assoc comm idem id: void}
  op _in_ : Elem Heap -> Bool
  vars X Y : Elem var H : Heap
  eq X in void = false . eq X in Y = (X = Y) . eq X in (Y | H) = (X = Y) or X in H .
}
"""


@pytest.mark.parametrize(
    ("same", "status"), [("(X = Y)", Status.PROVED), ("true", Status.REFUTED), ("not (X = Y)", Status.REFUTED)]
)
def test_a_left_side_that_fits_two_declarations_is_overlapped(same: str, status: Status) -> None:
    """`X in Y` is about lists and about heaps, and neither declaration is lower than the other."""
    found = obligations_of(TWO_DECLARATIONS.replace("SAME", same), "HEAP")
    assert found["_in_"].status is status


LOOPING = """
mod! LOOPING { [Num] op z : -> Num {constr} op s : Num -> Num {constr} op g : Num -> Num
  op _+_ : Num Num -> Num {assoc comm}  vars M N : Num
  eq g(N) = s(N) .  eq s(M) + N = M + g(N) .  eq (z = s(N)) = false . }
"""


def test_few_overlaps_of_equations_that_loop_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them costs as many rewrites as a reduction may have."""
    monkeypatch.setattr(pairs, "MAX_REWRITES", 300)
    monkeypatch.setattr(pairs, "MAX_ENDLESS", 1)
    found = obligations_of(LOOPING, "LOOPING")
    assert found["_+_"].status is Status.OPEN
    told = " ".join((found["_+_"].missing, *found["_+_"].notes))
    assert "rewriting did not come to an end for other overlaps" in told
    assert found["_=_"].status is Status.PROVED, "what another function does is no doubt about this one"

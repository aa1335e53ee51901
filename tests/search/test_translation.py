"""What the translation must not lose or misread: small systems whose numbers of states can be counted by hand."""

from __future__ import annotations

from dataclasses import dataclass

import maude
import pytest
from specifications import instance_of, ots_of

from otsrw.search import MaudeSpace, translate
from otsrw.syntax.diagnostics import OtsrwError
from search.graphs import graph_by_maude, graph_by_rewriting


@dataclass(frozen=True)
class System:
    text: str
    states: tuple[int, ...]
    """Of R<=0, R<=1, ..."""
    exhausted: bool = False


_SYSTEMS = {
    "elements of a cons list by membership": System(
        """
mod! LIST { [Elt List] ops a b c : -> Elt {constr} op nil : -> List {constr} op cons : Elt List -> List {constr}
  op _in_ : Elt List -> Bool . vars X Y : Elt var L : List
  eq X in nil = false . eq X in cons(Y, L) = (X = Y) or (X in L) . }
mod* M { pr(LIST) *[Sys]* op init : -> Sys bop todo : Sys -> List bop done : Sys -> List
  bop take : Sys Elt -> Sys var S : Sys var X : Elt
  eq todo(init) = cons(a, cons(b, cons(a, nil))) . eq done(init) = nil .
  eq todo(take(S, X)) = todo(S) . ceq done(take(S, X)) = cons(X, done(S)) if X in todo(S) .
  ceq take(S, X) = S if not (X in todo(S)) . }
""",
        (1, 3, 7, 15),
    ),
    "two memberships in one condition": System(
        """
mod* E { [Elt] } mod! LIST { pr(E + NAT) [List] op nil : -> List {constr} op cons : Elt List -> List {constr}
  op w : Nat -> Elt {constr}
  op _in_ : Elt List -> Bool . vars X Y : Elt var L : List
  eq X in nil = false . eq X in cons(Y, L) = (X = Y) or (X in L) . }
mod* M { pr(LIST) *[Sys]* op init : -> Sys bop left : Sys -> List bop right : Sys -> List bop pair : Sys -> List
  bop join : Sys Elt Elt -> Sys op c-join : Sys Elt Elt -> Bool var S : Sys vars X Y : Elt
  eq left(init) = cons(w(1), cons(w(2), nil)) . eq right(init) = cons(w(3), cons(w(4), cons(w(5), nil))) .
  eq pair(init) = nil .
  eq c-join(S, X, Y) = X in left(S) and Y in right(S) and pair(S) = nil .
  eq left(join(S, X, Y)) = left(S) . eq right(join(S, X, Y)) = right(S) .
  ceq pair(join(S, X, Y)) = cons(X, cons(Y, nil)) if c-join(S, X, Y) .
  ceq join(S, X, Y) = S if not c-join(S, X, Y) . }
""",
        (1, 7),
        True,
    ),
    "elements of a list that is associative": System(
        """
mod! LIST { pr(NAT) [Elt < List] op w : Nat -> Elt {constr} op nil : -> List {constr}
  op _;_ : List List -> List {constr assoc id: nil}
  op _in_ : Elt List -> Bool . vars X Y : Elt var L : List
  eq X in nil = false . eq X in (Y ; L) = (X = Y) or (X in L) . }
mod* M { pr(LIST) *[Sys]* op init : -> Sys bop todo : Sys -> List bop last : Sys -> List
  bop take : Sys Elt -> Sys var S : Sys var X : Elt
  eq todo(init) = w(1) ; w(2) ; w(3) . eq last(init) = nil .
  eq todo(take(S, X)) = todo(S) . ceq last(take(S, X)) = X if X in todo(S) .
  ceq take(S, X) = S if not (X in todo(S)) . }
""",
        (1, 4),
        True,
    ),
    "a membership that says more than membership": System(
        """
mod! BAG' { pr(NAT) [Elt < Bag] op w : Nat -> Elt {constr} op void : -> Bag {constr}
  op _;_ : Bag Bag -> Bag {constr assoc comm id: void} op small : Elt -> Bool
  op _in_ : Elt Bag -> Bool . vars X Y : Elt var L : Bag var N : Nat
  eq small(w(N)) = N < 3 .
  eq X in void = false . eq X in (Y ; L) = ((X = Y) and small(X)) or (X in L) . }
mod* M { pr(BAG') *[Sys]* op init : -> Sys bop todo : Sys -> Bag bop last : Sys -> Bag
  bop take : Sys Elt -> Sys var S : Sys var X : Elt
  eq todo(init) = w(1) ; w(2) ; w(3) ; w(3) . eq last(init) = void .
  eq todo(take(S, X)) = todo(S) . ceq last(take(S, X)) = X if X in todo(S) .
  ceq take(S, X) = S if not (X in todo(S)) . }
""",
        (1, 3),
        True,
    ),
    "messages inside messages are no elements": System(
        """
mod! MSG { [Msg] op m : -> Msg {constr} op enc : Msg -> Msg {constr} }
mod! BAG' { pr(MSG) [Msg < Bag] op void : -> Bag {constr}
  op _;_ : Bag Bag -> Bag {constr assoc comm id: void}
  op _in_ : Msg Bag -> Bool . vars X Y : Msg var L : Bag
  eq X in void = false . eq X in (Y ; L) = (X = Y) or (X in L) . }
mod* M { pr(BAG') *[Sys]* op init : -> Sys bop nw : Sys -> Bag bop last : Sys -> Bag
  bop take : Sys Msg -> Sys var S : Sys var X : Msg
  eq nw(init) = enc(enc(m)) . eq last(init) = void .
  eq nw(take(S, X)) = nw(S) . ceq last(take(S, X)) = X if X in nw(S) .
  ceq take(S, X) = S if not (X in nw(S)) . }
""",
        (1, 2),
        True,
    ),
    "a set and a bag of the same elements": System(
        """
mod! DATA { pr(NAT) [Elt] op w : Nat -> Elt {constr} [Elt < Bag] op void : -> Bag {constr}
  op _;_ : Bag Bag -> Bag {constr assoc comm id: void} [Elt < Set] op none : -> Set {constr}
  op _&_ : Set Set -> Set {constr assoc comm idem id: none}
  op _in_ : Elt Set -> Bool . vars X Y : Elt var L : Set
  eq X in none = false . eq X in (Y & L) = (X = Y) or (X in L) . }
mod* M { pr(DATA) *[Sys]* op init : -> Sys bop bag : Sys -> Bag bop set : Sys -> Set
  bop move : Sys Elt Bag -> Sys bop back : Sys Elt -> Sys var S : Sys var X : Elt var B : Bag
  eq bag(init) = w(1) ; w(1) ; w(2) . eq set(init) = none .
  ceq bag(move(S, X, B)) = B if bag(S) = (X ; B) . ceq set(move(S, X, B)) = X & set(S) if bag(S) = (X ; B) .
  ceq move(S, X, B) = S if not (bag(S) = (X ; B)) .
  ceq bag(back(S, X)) = X ; bag(S) if X in set(S) and not (bag(S) = (X ; bag(init))) and bag(S) = void .
  eq set(back(S, X)) = set(S) .
  ceq back(S, X) = S if not (X in set(S) and not (bag(S) = (X ; bag(init))) and bag(S) = void) . }
""",
        (1, 3, 5, 6, 7),
        True,
    ),
    "a set without an empty set": System(
        """
mod! DATA { pr(NAT) [Elt < Set] op w : Nat -> Elt {constr} op _&_ : Set Set -> Set {constr assoc comm idem} }
mod* M { pr(DATA) *[Sys]* op init : -> Sys bop set : Sys -> Set bop last : Sys -> Set
  bop look : Sys Elt Set -> Sys bop grow : Sys -> Sys var S : Sys var X : Elt var R : Set
  eq set(init) = w(1) . eq last(init) = w(0) .
  eq set(look(S, X, R)) = set(S) . ceq last(look(S, X, R)) = X if set(S) = (X & R) .
  ceq look(S, X, R) = S if not (set(S) = (X & R)) .
  ceq set(grow(S)) = w(2) & set(S) if set(S) = w(1) . eq last(grow(S)) = last(S) .
  ceq grow(S) = S if not (set(S) = w(1)) . }
""",
        (1, 3, 5),
        True,
    ),
    "an observer at a computed index": System(
        """
mod! PID { [Pid] ops p q r : -> Pid {constr} op after : Pid -> Pid
  eq after(p) = q . eq after(q) = r . eq after(r) = p . }
mod* M { pr(PID) *[Sys]* op init : -> Sys bop turn : Sys -> Pid bop on : Sys Pid -> Bool
  bop pass : Sys -> Sys bop flip : Sys -> Sys var S : Sys var I : Pid
  eq turn(init) = p . eq on(init, I) = false .
  ceq turn(pass(S)) = after(turn(S)) if on(S, turn(S)) . eq on(pass(S), I) = on(S, I) .
  ceq pass(S) = S if not on(S, turn(S)) .
  eq turn(flip(S)) = turn(S) . eq on(flip(S), I) = if I = after(turn(S)) then not on(S, I) else on(S, I) fi . }
""",
        (1, 2),
        True,
    ),
    "conditions in the if of the equations, no equation for idling": System(
        """
mod* M { pr(NAT) *[Sys]* op init : -> Sys bop n : Sys -> Nat bop m : Sys -> Nat
  bop up : Sys -> Sys var S : Sys
  eq n(init) = 0 . eq m(init) = 2 .
  ceq n(up(S)) = n(S) + 1 if n(S) < m(S) . ceq n(up(S)) = n(S) if not (n(S) < m(S)) . eq m(up(S)) = m(S) . }
""",
        (1, 2, 3),
        True,
    ),
    "several initial states, one of them with an argument": System(
        """
mod! PID { [Pid] ops p q r : -> Pid {constr} }
mod* M { pr(PID) [Sys] op cold : -> Sys {constr} op hot : Pid -> Sys {constr} op go : Sys Pid -> Sys {constr}
  op at : Sys -> Pid op warm : Sys -> Bool var S : Sys vars I J : Pid
  eq at(cold) = p . eq warm(cold) = false . eq at(hot(I)) = I . eq warm(hot(I)) = true .
  ceq at(go(S, I)) = I if warm(S) or I = q . eq warm(go(S, I)) = warm(S) .
  ceq go(S, I) = S if not (warm(S) or I = q) . }
""",
        (4, 5),
        True,
    ),
    "an equality of its own": System(
        """
mod! EXP { [Exp] ops x y z : -> Exp {constr} op _*_ : Exp Exp -> Exp {constr} vars A B C D : Exp
  eq (x = y) = false . eq (x = z) = false . eq (y = z) = false . eq (x = (A * B)) = false . eq (y = (A * B)) = false .
  eq (z = (A * B)) = false .
  eq ((A * B) = (C * D)) = ((A = C) and (B = D)) or ((A = D) and (B = C)) . }
mod* M { pr(EXP) *[Sys]* op init : -> Sys bop l : Sys -> Exp bop r : Sys -> Exp bop same : Sys -> Bool
  bop mul : Sys Exp -> Sys bop meet : Sys -> Sys var S : Sys vars A B : Exp
  eq l(init) = x * y . eq r(init) = y * x . eq same(init) = false .
  eq l(meet(S)) = l(S) . eq r(meet(S)) = r(S) . ceq same(meet(S)) = true if l(S) = r(S) .
  ceq meet(S) = S if not (l(S) = r(S)) .
  ceq l(mul(S, A)) = A * z if r(S) = A . eq r(mul(S, A)) = r(S) . eq same(mul(S, A)) = same(S) .
  ceq mul(S, A) = S if not (r(S) = A) . }
""",
        (1, 3, 4),
        True,
    ),
    "built-in numbers, strings and quoted identifiers": System(
        """
mod* M { pr(INT) pr(STRING) pr(QID) *[Sys]* op init : -> Sys
  bop n : Sys -> Int bop s : Sys -> String bop q : Sys -> Qid bop down : Sys -> Sys bop say : Sys -> Sys var S : Sys
  eq n(init) = 1 . eq s(init) = "a \\"b\\"" . eq q(init) = 'start .
  ceq n(down(S)) = n(S) - 2 if n(S) > -4 . eq s(down(S)) = s(S) . eq q(down(S)) = 'down .
  ceq down(S) = S if not (n(S) > -4) .
  eq n(say(S)) = n(S) . eq s(say(S)) = "x" . eq q(say(S)) = q(S) . }
""",
        (1, 3, 5, 7, 8),
        True,
    ),
    "a subsort test and equations of last resort": System(
        """
mod! DATA { pr(NAT) [Good < Any] op g : -> Good {constr} op b : -> Any {constr} op rank : Any -> Nat var X : Any
  eq rank(g) = 1 . eq rank(X) = 7 [owise] . }
mod* M { pr(DATA) *[Sys]* op init : -> Sys bop v : Sys -> Any bop n : Sys -> Nat
  bop set : Sys Any -> Sys bop score : Sys -> Sys var S : Sys var X : Any
  eq v(init) = b . eq n(init) = 0 .
  eq v(set(S, X)) = X . eq n(set(S, X)) = n(S) .
  eq v(score(S)) = v(S) . ceq n(score(S)) = rank(v(S)) if (v(S) :is Good) or n(S) = 0 .
  ceq score(S) = S if not ((v(S) :is Good) or n(S) = 0) . }
""",
        (1, 3, 5, 6),
        True,
    ),
    "pairs": System(
        """
mod* M { pr(2TUPLE(NAT, NAT) * { sort 2Tuple -> Pair }) *[Sys]* op init : -> Sys bop v : Sys -> Pair
  bop swap : Sys -> Sys bop add : Sys Nat Nat -> Sys var S : Sys vars X Y : Nat
  eq v(init) = << 0 ; 1 >> .
  eq v(swap(S)) = << 2* v(S) ; 1* v(S) >> .
  ceq v(add(S, X, Y)) = << X + 1 ; Y >> if v(S) = << X ; Y >> and X < 2 .
  ceq add(S, X, Y) = S if not (v(S) = << X ; Y >> and X < 2) . }
""",
        (1, 3, 5, 7, 8),
        True,
    ),
    "names that mean something else to Maude": System(
        """
mod! ODD { [if Bool' none] ops init' true' s : -> if {constr} op _|_ : if if -> none {constr}
  op _:_ : if none -> none {constr} op some : if -> none {constr} op _=>_ : none if -> none {constr}
  op max : if -> if var X : if eq max(X) = s . }
mod* M { pr(ODD) *[Sys]* op init : -> Sys bop equals : Sys -> none bop _of : Sys -> none bop Obs : Sys if -> if
  bop rl : Sys if -> Sys bop __in : Sys if -> Sys var S : Sys vars X Y : if
  eq equals(init) = some(s) . eq init of = (s | s) . eq Obs(init, X) = X .
  eq equals(rl(S, X)) = (S of) => X . eq rl(S, X) of = S of . eq Obs(rl(S, X), Y) = max(Y) .
  eq equals(S X in) = equals(S) . eq (S X in) of = X | s . eq Obs(S X in, Y) = Obs(S, Y) . }
""",
        (1, 6),
    ),
    "an operator declared for several sorts": System(
        """
mod! DATA { pr(NAT) [A B < C] op a : -> A {constr} op b : -> B {constr} op f : A -> A {constr} op f : B -> B {constr}
  op f : C -> C {constr} op size : C -> Nat var X : C eq size(a) = 0 . eq size(b) = 0 . eq size(f(X)) = size(X) + 1 . }
mod* M { pr(DATA) *[Sys]* op init : -> Sys bop v : Sys -> C bop up : Sys -> Sys bop other : Sys -> Sys var S : Sys
  eq v(init) = a . ceq v(up(S)) = f(v(S)) if size(v(S)) < 2 . ceq up(S) = S if not (size(v(S)) < 2) .
  eq v(other(S)) = b . }
""",
        (1, 3, 5, 6),
        True,
    ),
    "a recursive function of the state": System(
        """
mod! PID { pr(NAT) [Pid] op pid : Nat -> Pid {constr} op k : -> Pid eq k = pid(2) . }
mod* M { pr(NAT) *[Sys]* op init : -> Sys bop n : Sys -> Nat op total : Sys Nat -> Nat
  bop up : Sys -> Sys op c-up : Sys -> Bool var S : Sys var N : NzNat
  eq n(init) = 0 . eq total(S, 0) = n(S) . eq total(S, N) = 1 + total(S, p N) .
  eq c-up(S) = total(S, 3) < 5 .
  ceq n(up(S)) = n(S) + 1 if c-up(S) . ceq up(S) = S if not c-up(S) . }
""",
        (1, 2, 3),
        True,
    ),
    "transitions that differ by odd characters only": System(
        """
mod* M { pr(NAT) *[Sys]* op init : -> Sys bop n : Sys -> Nat bop t+ : Sys -> Sys bop tplus : Sys -> Sys var S : Sys
  eq n(init) = 0 . ceq n(t+(S)) = 1 if n(S) = 0 . ceq t+(S) = S if not (n(S) = 0) .
  ceq n(tplus(S)) = 2 if n(S) = 0 . ceq tplus(S) = S if not (n(S) = 0) . }
""",
        (1, 3),
        True,
    ),
    "arguments as patterns on the left": System(
        """
mod! PID { [Pid] ops p q : -> Pid {constr} eq (p = q) = false . }
mod* M { pr(PID + NAT) *[Sys]* op init : -> Sys bop n : Sys Pid -> Nat bop t : Sys Pid -> Sys var S : Sys vars I J : Pid
  eq n(init, p) = 1 . eq n(init, q) = 2 .
  eq n(t(S, p), p) = 0 . eq n(t(S, p), q) = n(S, p) . eq n(t(S, q), I) = n(S, q) . }
""",
        (1, 3, 6),
        True,
    ),
    "strings are joined, measured, compared and changed": System(
        r"""
mod* M { pr(STRING) *[Sys]* op init : -> Sys bop word : Sys -> String bop size : Sys -> Nat
  bops grow lead up down : Sys -> Sys op short : Sys -> Bool op early : Sys -> Bool var S : Sys
  eq word(init) = "" . eq size(init) = 0 .
  eq short(S) = length(word(S)) < 2 . eq early(S) = string<(word(S), "ab") and not string=(word(S), "") .
  ceq word(grow(S)) = word(S) ++ "a" if short(S) . eq size(grow(S)) = length(word(S)) .
  ceq grow(S) = S if not short(S) .
  ceq word(lead(S)) = "\"\\ 'b" ++ (word(S) ++ "c") if early(S) . eq size(lead(S)) = size(S) .
  ceq lead(S) = S if not early(S) .
  eq word(up(S)) = upcase(word(S)) . eq size(up(S)) = size(S) .
  eq word(down(S)) = downcase(word(S)) . eq size(down(S)) = size(S) . }
""",
        (1, 2, 5, 11),
    ),
    "strings are compared in every way": System(
        """
mod* M { pr(STRING) *[Sys]* op init : -> Sys bop word : Sys -> String bops lt le gt ge eq : Sys -> Bool
  bop add : Sys -> Sys bop cut : Sys -> Sys var S : Sys
  eq word(init) = "a" . eq lt(init) = false . eq le(init) = false . eq gt(init) = false . eq ge(init) = false .
  eq eq(init) = false .
  eq word(add(S)) = word(S) ++ "a" . eq lt(add(S)) = string<(word(S), "aa") . eq le(add(S)) = string<=(word(S), "aa") .
  eq gt(add(S)) = string>(word(S), "aa") . eq ge(add(S)) = string>=(word(S), "aa") .
  eq eq(add(S)) = string=(word(S), "aa") .
  eq word(cut(S)) = "B" . eq lt(cut(S)) = string<("B", word(S)) . eq le(cut(S)) = string<=("B", word(S)) .
  eq gt(cut(S)) = string>("B", word(S)) . eq ge(cut(S)) = string>=("B", word(S)) . eq eq(cut(S)) = false . }
""",
        (1, 3, 6),
    ),
    "strings with characters outside ASCII are joined": System(
        """
mod* M { pr(STRING) *[Sys]* op init : -> Sys bop word : Sys -> String bop add : Sys -> Sys var S : Sys
  eq word(init) = "m\u00fcde" . eq word(add(S)) = word(S) ++ "\u00e9\t\u4e2d" . }
""",
        (1, 2, 3),
    ),
    "the distance and the quotient of positive numbers are positive": System(
        """
mod* M { pr(NAT) *[Sys]* op init : -> Sys bop far : Sys -> NzNat bop part : Sys -> NzNat bop go : Sys -> Sys
  var S : Sys eq far(init) = 3 . eq part(init) = 2 .
  eq far(go(S)) = d(far(S), 3) . eq part(go(S)) = part(S) quot far(S) . }
""",
        (1, 2, 3),
        True,
    ),
}


_WORDS = """
mod! WORD { [Letter Word] ops a b : -> Letter {constr} op nil : -> Word {constr}
  op __ : Letter Word -> Word {constr} op _+_ : Word Letter -> Word
  vars X Y : Letter var W : Word eq nil + X = X nil . eq (Y W) + X = Y (W + X) . }
mod! COUNT { [Count] op 0 : -> Count {constr} op s : Count -> Count {constr} }
mod* M { pr(WORD + COUNT) *[Sys]* op init : -> Sys bop word : Sys -> Word bop size : Sys -> Count
  bop add : Sys Letter -> Sys var S : Sys var X : Letter
  eq word(init) = nil . eq size(init) = 0 . eq word(add(S,X)) = word(S) + X . eq size(add(S,X)) = s(size(S)) . }
"""


def test_words_of_two_letters_are_told_apart_by_the_hash_of_maude() -> None:
    """Maude's hash of `f(x, rest)` and of `s(n)` ignores the order of nested last arguments; the pad makes it count."""
    instance = instance_of(ots_of(_WORDS))
    module = translate(instance)
    text = module.text + "mod ASK is protecting M-SYSTEM . endm"
    maude.init(advise=False)
    maude.input(text)
    asked = maude.getModule("ASK")
    found = list(asked.parseTerm("init").search(maude.ANY_STEPS, asked.parseTerm("X:Sys"), depth=8))
    hashes = {state.hash() for state, *_ in found}
    assert len(found) == 2**9 - 1
    assert len(hashes) > len(found) * 0.9
    ours, _ = graph_by_rewriting(instance, 5)
    assert graph_by_maude(instance, 5) == ours


@pytest.mark.parametrize("name", _SYSTEMS)
def test_a_small_system_has_all_its_states_in_both_engines(name: str) -> None:
    system = _SYSTEMS[name]
    instance = instance_of(ots_of(system.text))
    depth = len(system.states) - 1
    result = MaudeSpace(instance).search(None, depth)
    assert (result.levels, result.exhausted) == (system.states, system.exhausted)
    ours, _ = graph_by_rewriting(instance, depth + 1)
    assert graph_by_maude(instance, depth + 1) == ours


@pytest.mark.parametrize("measure", ["length(word(S))", 'if string<(word(S), "b") then 1 else 0 fi'])
def test_strings_with_characters_outside_ascii_are_not_measured(measure: str) -> None:
    text = f"""
mod* M {{ pr(STRING) *[Sys]* op init : -> Sys bop word : Sys -> String bop size : Sys -> Nat bop add : Sys -> Sys
  var S : Sys eq word(init) = "\u00e9" . eq size(init) = 0 .
  eq word(add(S)) = word(S) ++ "a" . eq size(add(S)) = {measure} . }}
"""
    with pytest.raises(OtsrwError) as problem:
        MaudeSpace(instance_of(ots_of(text))).search(None, 1)
    assert problem.value.problem.code == "E516"


@pytest.mark.parametrize("word", ["substring(word(S), 1)", "rsubstring(word(S), 1)", "capitalize(word(S))"])
def test_string_operators_on_which_maude_differs_are_refused(word: str) -> None:
    text = f"""
mod* M {{ pr(STRING) *[Sys]* op init : -> Sys bop word : Sys -> String bop add : Sys -> Sys
  var S : Sys eq word(init) = "abc" . eq word(add(S)) = {word} . }}
"""
    with pytest.raises(OtsrwError) as problem:
        MaudeSpace(instance_of(ots_of(text))).search(None, 1)
    assert problem.value.problem.code == "E516"

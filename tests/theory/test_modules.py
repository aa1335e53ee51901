"""Modules: parameters, views, renaming, sums, imports and names, as CafeOBJ 1.6.0 was seen to treat them."""

from __future__ import annotations

import pytest
from support import answers, check, error_codes, module_of, run

LIST = """mod! L(X :: TRIV) principal-sort L {
  [L] op nil : -> L . op __ : Elt L -> L . op len : L -> L . eq len(E:Elt X:L) = X . }
"""
A = "mod A { [A] op a : -> A . }\n"
B = "mod B { [B] op b : -> B . }\n"
THEORY = "mod* T { [E] op e : -> E . op _*_ : E E -> E . eq e * X:E = X . }\n"
POWER = THEORY + "mod! P(X :: T) { op p : E -> E . eq p(X:E) = X * X . op one : -> E . eq one = e . }\n"
TARGET = "mod! N { [B] ops a z : -> B . op _+_ : B B -> B . op _&_ : B B -> B . eq a & X:B = X . }\n"
PAIR = "mod! P(X :: TRIV, Y :: TRIV) { [P] op <_;_> : Elt.X Elt.Y -> P . op fst : P -> Elt.X . op snd : P -> Elt.Y .\n"
PAIR += "vars F : Elt.X . vars S : Elt.Y . eq fst(< F ; S >) = F . eq snd(< F ; S >) = S . }\n"
ORDER_THEORY = "mod* ORD { [E] pred _<_ : E E . }\nmod! MIN(X :: ORD) { op min : E E -> E . vars A B : E .\n"
ORDER_THEORY += "ceq min(A,B) = A if A < B . ceq min(A,B) = B if not (A < B) . }\n"

EXAMPLES = {
    "a parameter is instantiated by principal sort": LIST
    + """open L(NAT) .
red 1 (2 nil) .              --> (1 (2 nil)):L
red len(1 2 nil) .           --> (2 nil):L
close""",
    "arguments are given by name, by view or by position": LIST
    + A
    + """view V from TRIV to A { sort Elt -> A }
open L(X <= V) . red len(a nil) .  --> (nil):L
close
open L(V) . red len(a nil) .       --> (nil):L
close
open L[V] . red len(a nil) .       --> (nil):L
close
open L(A) . red len(a nil) .       --> (nil):L
close
open L(X <= A) . red len(a nil) .  --> (nil):L
close""",
    "a view may be written in line": POWER
    + TARGET
    + """open P(N { sort E -> B, op _*_ -> _&_, op e -> a }) .
red p(z) .                   --> (z & z):B
red p(a) .                   --> (a):B
red one .                    --> (a):B
close
open P(X <= view to N { sort E -> B, op _*_ -> _+_, op e -> z }) .
red p(a) .                   --> (a + a):B
red one .                    --> (z):B
close""",
    "the theory's own equations disappear": POWER
    + TARGET
    + """open P(N { sort E -> B, op _*_ -> _+_, op e -> a }) .
red p(a) .                   --> (a + a):B
close
open P . op m : -> E .
red e * m .                  --> (m):E
close""",
    "an operator maps to a term with variables": ORDER_THEORY
    + """view UP from ORD to NAT { sort E -> Nat, vars A B : E, op A < B -> B < A }
view DN from ORD to NAT { sort E -> Nat }
open MIN(UP) . red min(3,5) .  --> (5):NzNat
close
open MIN(DN) . red min(3,5) .  --> (3):NzNat
close
open MIN(NAT { sort E -> Nat, op (X:E < Y:E) -> (Y:Nat < X:Nat) }) .
red min(3,5) .               --> (5):NzNat
close""",
    "a constant maps to a term": """mod* C { [E] op c : -> E . op f : E -> E . }
mod! H(X :: C) { op h : -> E . eq h = f(c) . }
open H(NAT { sort E -> Nat, op c -> 1 + 2, op f(X:E) -> X:Nat + 2 }) .
red h .                      --> (5):NzNat
close""",
    "operators of the same name are mapped by name": """mod* MON { [M] op 0 : -> M . op _+_ : M M -> M . }
mod! DBL(X :: MON) { op dbl : M -> M . eq dbl(N:M) = N + N . op nul : -> M . eq nul = 0 . }
mod! PN { [PN] op 0 : -> PN . op s : PN -> PN . op _+_ : PN PN -> PN .
  eq 0 + N:PN = N . eq s(M:PN) + N:PN = s(M + N) . }
open DBL(PN) .
red dbl(s(0)) .              --> (s(s(0))):PN
red nul .                    --> (0):PN
close""",
    "two parameters, in any order": PAIR
    + A
    + B
    + """open P(A, B) . red fst(< a ; b >) .            --> (a):A
red snd(< a ; b >) .                              --> (b):B
close
open P(Y <= A, X <= B) . red fst(< b ; a >) .     --> (b):B
close
open P(NAT, NAT) . red snd(< 1 ; 2 >) .           --> (2):NzNat
close""",
    "a partial instance is instantiated later": PAIR
    + A
    + B
    + """mod! HALF { pr(P(X <= A)) }
open HALF(Y <= B) . red snd(< a ; b >) .          --> (b):B
close
open (P(X <= A))(Y <= B) . red fst(< a ; b >) .   --> (a):A
close""",
    "instances nest": LIST
    + PAIR
    + A
    + """open L(L(A) * { sort L -> LA, op nil -> none }) .
red len((a none) nil) .      --> (nil):L
close
mod! PA principal-sort P { pr(P(A, NAT)) }
open L(PA) .
red len(< a ; 1 > nil) .     --> (nil):L
close""",
    "a parameter is passed on": LIST
    + """mod! M(Y :: TRIV) { pr(L(Y)) op two : Elt Elt -> L . eq two(E:Elt,F:Elt) = E (F nil) . }
open M(NAT) .
red len(two(1,2)) .          --> (2 nil):L
close""",
    "an imported parameter is inherited": LIST
    + """mod! M { pr(L) op one : Elt -> L . eq one(E:Elt) = E nil . }
open M(NAT) .
red len(one(7)) .            --> (nil):L
close""",
    "a theory may depend on an earlier parameter": """mod* FUN(A :: TRIV) { op app : Elt -> Elt . }
mod! TWICE(X :: TRIV, Y :: FUN(X)) { op twice : Elt.X -> Elt.X . eq twice(E:Elt.X) = app(app(E)) . }
mod! N { [N] op z : -> N . op app : N -> N . eq app(z) = z . }
open TWICE(N, N) .
red twice(z) .               --> (z):N
close""",
    "an equation of a body is instantiated on both sides": """mod* C { [E] op c : -> E . op f : E -> E . }
mod! H(X :: C) { eq f(c) = c . }
mod! N { [N] ops d k : -> N . op g : N -> N . }
open H(N { sort E -> N, op c -> d, op f -> g }) .
red g(d) .                   --> (d):N
red g(k) .                   --> (g(k)):N
close""",
    "sorts and operators are renamed": A
    + """open A * { sort A -> AA, op a -> aa } .
red aa .                     --> (aa):AA
close
mod C { [C] op _+_ : C C -> C {assoc comm} . ops x y : -> C . op h_ : C -> C . op f : C -> C . op f : C C -> C .
  eq x + y = x . eq f(x) = y . eq f(x,x) = y . }
open C * { op _+_ -> plus, op (h_) -> (_hh) } .
red plus(y,plus(x,y)) .      --> (x):C
red x hh .                   --> (x hh):C
close
open C * { op f -> g } .
red g(x) .                   --> (y):C
red g(x,x) .                 --> (y):C
close""",
    "a renaming shares what it does not touch, parameters included": """mod* SYM { [Sym] }
mod! SEQ(S :: SYM) { [Seq] op nil : -> Seq . op _;_ : Sym Seq -> Seq . }
mod* CNR { [State] pred cnr : State State . }
mod! CHECK(X :: CNR) { pred check : State . eq check(S:State) = cnr(S,S) . }
mod! REL(S :: SYM, Q :: SEQ(S)) { preds r1 r2 : Seq Seq . eq r1(A:Seq,B:Seq) = true . eq r2(A:Seq,B:Seq) = false . }
mod! ALL(S :: SYM, Q :: SEQ(S)) { inc(CHECK(REL(S,Q){sort State -> Seq, op cnr -> r1}) * {op check -> check1})
  inc(CHECK(REL(S,Q){sort State -> Seq, op cnr -> r2}) * {op check -> check2}) op q : -> Seq . }
open ALL .
red check1(q) .              --> (true):Bool
red check2(q) .              --> (false):Bool
close""",
    "a renaming may swap": """mod AB { [A B] op a : -> A . op b : -> B . op f : A -> B . eq f(a) = b . }
open AB * { sort A -> B, sort B -> A } .
red f(a) .                   --> (b):A
red a .                      --> (a):B
close""",
    "a parameterised module is renamed, then instantiated": LIST
    + """open (L * { sort L -> LL })(NAT) .
red 1 nil .                  --> (1 nil):LL
close
open L(NAT) * { sort L -> NL, op nil -> none } .
red len(1 none) .            --> (none):NL
close""",
    "built-in modules are renamed": """open NAT * { sort Nat -> N, op _+_ -> plus } .
red plus(1,2) .              --> (3):NzNat
close""",
    "a renaming reaches an imported module": A
    + """mod M { pr(A) op f : A -> A . eq f(a) = a . }
open M * { sort A -> S, op a -> s } .
red f(s) .                   --> (s):S
close""",
    "sums put modules together": A
    + B
    + """open A + B . op f : A -> B . eq f(a) = b .
red f(a) .                   --> (b):B
close
mod AB { pr(A + B + A) op g : A B -> B . eq g(a,X:B) = X . }
open AB . red g(a,b) .       --> (b):B
close
open (A + B) * { op a -> aa } . red aa .  --> (aa):A
close
open L0(A + B { sort Elt -> B }) . red one(b) .  --> (one(b)):L
close""",
    "hidden sorts and behavioural operators work as others": """mod* CELL { *[ Cell ]* pr(NAT) op init : -> Cell .
  bop get : Cell -> Nat . bop put : Nat Cell -> Cell . var C : Cell . var N : Nat .
  eq get(init) = 0 . beq get(put(N,C)) = N . }
open CELL . op c : -> Cell .
red get(put(3,c)) .          --> (3):NzNat
red get(init) .              --> (0):Zero
bred get(put(4,init)) .      --> (4):NzNat
red put(1,c) .               --> (put(1,c)):Cell
close
open CELL * { hsort Cell -> Box, bop get -> peek } .
red peek(put(3,init)) .      --> (3):NzNat
close""",
    "sections group declarations": """mod! SEC { imports { protecting (NAT) }
  signature { [ S ] op s0 : -> S op f : S -> Nat }
  axioms { var X : S eq f(X) = 3 . } }
open SEC .
red f(s0) .                  --> (3):NzNat
close""",
    "a body is read signature first": """mod ORD1 { eq f(X) = a . [A] op a : -> A op f : A -> A var X : A }
open ORD1 .
red f(f(a)) .                --> (a):A
close""",
    "let names a term": """mod LT { [S] op a : -> S . op f : S -> S . let t = f(f(a)) . eq f(a) = a . }
open LT .
red t .                      --> (a):S
let u = f(t) .
red u .                      --> (a):S
close""",
    "a sort is qualified by its module": """mod S1 { [S] op a : -> S . } mod S2 { [S] op b : -> S . }
mod C { pr(S1) pr(S2) op f : S.S1 -> S.S2 . var X : S.S1 . eq f(X) = b . op g : S.S2 -> S.S2 . eq g(Y:S.S2) = Y . }
open C .
red f(a) == b .              --> (true):Bool
red g(b) == b .              --> (true):Bool
close""",
    "a constant is qualified by its sort": """
mod AB { [A B] op x : -> A . op x : -> B . op f : A -> A . op f : B -> B . op g : A -> A . }
open AB .
red (x):A .                  --> (x):A
red f((x):B) .               --> (f(x)):B
red g(x) .                   --> (g(x)):A
close""",
    "a declared sort that is visible already is the same": """mod S1 { [S] op a : -> S . }
mod S2 { pr(S1) [S < T] op b : -> S . op f : T -> T . eq f(X:S) = X . }
open S2 .
red f(a) .                   --> (a):S
red a == b .                 --> (false):Bool
close""",
    "operators of several numbers of arguments share a name": """
mod K { pr(NAT) [Sys] op s : -> Sys . op v : Sys -> Nat . eq v(s) = 3 . }
open K .
red v(s) + 1 .               --> (4):NzNat
red s(1) .                   --> (2):NzNat
close""",
    "rules of several imports come in CafeOBJ's order": """
mod O { [S] ops k ra rb rc rd re rx : -> S . op f : S -> S . eq f(k) = rx . }
mod A { pr(O) eq f(k) = ra . } mod B { pr(A) eq f(k) = rb . } mod C { pr(A) eq f(k) = rc . }
mod E { pr(O) eq f(k) = re . }
mod D { pr(B) pr(C) } mod G { pr(E) pr(D) } mod H { pr(D) pr(E) } mod I { pr(C) pr(E) pr(B) } mod J { pr(A) pr(B) }
mod K { pr(B) pr(A) } mod M { pr(A) pr(E) }
red in D : f(k) .            --> (rc):S
red in G : f(k) .            --> (rc):S
red in H : f(k) .            --> (re):S
red in I : f(k) .            --> (rb):S
red in J : f(k) .            --> (rb):S
red in K : f(k) .            --> (rb):S
red in M : f(k) .            --> (re):S
red in E + A : f(k) .        --> (ra):S
red in A + E : f(k) .        --> (ra):S""",
    "select chooses a module and close returns to it": A
    + """mod A2 { pr(A) eq a = b . op b : -> A . }
select A2 .
red a .                      --> (b):A
open A . op c : -> A . eq a = c .
red a .                      --> (c):A
close
red a .                      --> (b):A""",
    "the module an open one is made from stays as it was": A
    + """open A . op b : -> A . eq a = b .
mod M { pr(A) op f : A -> A . eq f(a) = a . }
red a .                      --> (b):A
red in M : f(a) .            --> (a):A
close""",
    "built-in tuples": """open 2TUPLE(NAT, BOOL) .
red 1* << 3 ; true >> .      --> (3):NzNat
red 2* << 3 ; true >> .      --> (true):Bool
close""",
    "make defines a module": LIST
    + """make LN (L(NAT) * { sort L -> NList })
open LN .
red len(1 nil) .             --> (nil):NList
close""",
}
EXAMPLES["sums put modules together"] = (
    "mod! L0(X :: TRIV) { [L] op one : Elt -> L . }\n" + EXAMPLES["sums put modules together"]
)


@pytest.mark.parametrize("text", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_modules_mean_what_they_mean_in_cafeobj(text: str) -> None:
    check(text)


KINDER = {
    "an alias qualifies a sort": LIST
    + A
    + B
    + """mod C { pr as LA (L(A)) pr as LB (L(B)) op f : L.LA -> A . eq f(X:L.LA) = a . }
open C .
red f(a nil) .               --> (a):A
close""",
    "one instance in two modules is one module": LIST
    + A
    + """mod M1 { pr(L(A)) op m1 : -> L . } mod M2 { pr(L(A)) op m2 : L -> L . eq m2(X:L) = X . }
mod M3 { pr(M1) pr(M2) }
open M3 .
red m2(m1) .                 --> (m1):L
red len(a nil) .             --> (nil):L
close""",
    "an instance imported twice is imported once": LIST
    + A
    + """mod M1 { pr(L(A)) pr(L(A)) }
open M1 .
red a nil .                  --> (a nil):L
close""",
    "a renamed instance in two modules is one module": LIST
    + A
    + """mod M1 { pr(L(A) * { sort L -> LA }) op m1 : -> LA . }
mod M2 { pr(L(A) * { sort L -> LA }) op m2 : LA -> LA . }
mod M3 { pr(M1) pr(M2) }
open M3 .
red m2(m1) .                 --> (m2(m1)):LA
close""",
    "an instance by one view in two modules is one module": LIST
    + A
    + """view V from TRIV to A { sort Elt -> A }
mod M1 { pr(L(V)) op m1 : -> L . } mod M2 { pr(L(X <= V)) op m2 : L -> L . } mod M3 { pr(M1) pr(M2) }
open M3 .
red m2(m1) .                 --> (m2(m1)):L
close""",
    "instances through a shared parameter are one module": LIST
    + """mod K(X :: TRIV) { pr(L(X)) op k : -> L . } mod J(X :: TRIV) { pr(L(X)) op j : L -> L . }
mod KJ(X :: TRIV) { pr(K(X)) pr(J(X)) }
open KJ(NAT) .
red j(k) .                   --> (j(k)):L
close""",
}


@pytest.mark.parametrize("text", KINDER.values(), ids=KINDER.keys())
def test_otsrw_accepts_more_than_cafeobj(text: str) -> None:
    check(text)


def test_parameters_of_one_theory_are_different_sorts() -> None:
    assert error_codes(PAIR + "open P . op x : -> Elt.X . op y : -> Elt.Y . red < x ; y > . close") == []
    assert error_codes(PAIR + "open P . op x : -> Elt.X . red < x ; x > . close") != []


def test_opening_an_instance_does_not_change_another() -> None:
    text = LIST + "open L(NAT) . eq nil = 1 nil . close open L(NAT) . red nil . close"
    assert [answer.result for answer in answers(text)] == ["nil"]


PROBLEMS = {
    "no such module": ("mod M { pr(NOPE) }", "E301"),
    "no such argument": (LIST + "mod M { pr(L(NOPE)) }", "E301"),
    "no parameters": (A + B + "mod M { pr(A(B)) }", "E3"),
    "too many arguments": (LIST + A + B + "mod M { pr(L(A, B)) }", "E3"),
    "no such parameter": (LIST + A + "mod M { pr(L(Z <= A)) }", "E3"),
    "no principal sort": (LIST + "mod AB { [A B] } mod M { pr(L(AB)) }", "E204"),
    "source sort of a view": (A + "view V from TRIV to A { sort Nope -> A }", "E"),
    "target sort of a view": (A + "view V from TRIV to A { sort Elt -> Nope }", "E"),
    "operator of a view": (POWER + TARGET + "mod M { pr(P(N { sort E -> B, op _*_ -> nope, op e -> a })) }", "E"),
    "sort of a renaming": (A + "mod M { pr(A * { sort Nope -> B }) }", "E"),
    "operator of a renaming": (A + "mod M { pr(A * { op nope -> b }) }", "E"),
    "ambiguous sort": ("mod S1 { [S] } mod S2 { [S] } mod C { pr(S1) pr(S2) op c : -> S . }", "E202"),
    "module that imports itself": ("mod M { pr(M) [S] }", "E3"),
    "built-in module redefined": ("mod NAT { [S] }", "E305"),
    "variable of an imported module": ("mod A { [S] op f : S -> S . var X : S } mod B { pr(A) eq f(X) = X . }", "E111"),
}


@pytest.mark.parametrize(("text", "code"), PROBLEMS.values(), ids=PROBLEMS.keys())
def test_a_wrong_module_is_reported_and_the_rest_still_runs(text: str, code: str) -> None:
    outcome = run(text + "\nmod! AFTER { [Z] op z : -> Z . } open AFTER . red z . close")
    assert outcome.errors
    assert all(problem.code.startswith(code) for problem in outcome.errors)
    assert [command.result for command in outcome.commands] == ["z"]


def test_an_incomplete_view_is_reported() -> None:
    text = POWER + "mod! K { [K] op k : -> K . } mod M { pr(P(K { sort E -> K })) }"
    outcome = run(text)
    assert outcome.errors or outcome.warnings


def test_modules_without_declarations_are_accepted() -> None:
    assert error_codes("mod A { } mod B { pr(A) } mod! C(X :: TRIV) { } mod D { pr(C(NAT)) }") == []


def test_least_sorts_respect_an_imported_order() -> None:
    module = module_of("mod A { [E < L] op a : -> E . } mod B { pr(A) [L < T] op f : T -> T . }", "B")
    order = module.signature.order
    sorts = {name: found[0] for name, found in module.visible_sorts().items()}
    assert order.leq(sorts["E"], sorts["T"])
    assert not order.leq(sorts["T"], sorts["E"])

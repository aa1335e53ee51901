"""The engine does what CafeOBJ 1.6.0 was seen to do: every example of the notes on its behaviour, with its result."""

from __future__ import annotations

import time

import pytest
from support import answers, check, error_codes, run, session_of

from otsrw.proofs import Settings
from otsrw.proofs.events import Answered
from otsrw.report.events import lines_of
from otsrw.syntax.source import Source

ELEMENTS = "mod* E { [E] ops a b c d : -> E . op f : E -> E . op g : E -> E . op h : E -> E . ops p q r : -> Bool .\n"
ORDER = """mod* O { [E] ops x a a1 a2 a3 a4 b b1 : -> E . op f : E -> E . }
mod* ORD { pr(O) eq f(x) = a1 . eq f(Y:E) = a2 . }
mod* ORD2 { pr(O) eq f(Y:E) = a2 . eq f(x) = a1 . }
mod* ORD3 { pr(ORD) eq f(Y:E) = b1 . }
mod* M2 { pr(O) eq f(x) = a . } mod* M3 { pr(O) eq f(x) = b . }
mod* M4 { pr(M2) pr(M3) } mod* M5 { pr(M3) pr(M2) } mod* M6 { pr(M2 + M3) } mod* M7 { pr(M3 + M2) }
"""
CHAIN = "mod* T { [S] ops a b c d : -> S . trans a => b . trans b => c . trans a => d . }\n"

EXAMPLES = {
    "floating-point numbers have single precision unless told otherwise": """
red in FLOAT : 1.0 + 2.0 .    --> (3.0d0):Float
red in FLOAT : 100000000.0 * 3.0 .    --> (3.0d8):Float
red in FLOAT : 0.0001 * 1.0 . --> (9.999999747378752d-5):Float
red in FLOAT : 1.0d-4 * 1.0 . --> (1.0d-4):Float
red in FLOAT : 12345678.9 + 0.0 .    --> (1.2345679d7):Float
red in FLOAT : 1.0 / 3.0 .    --> (0.3333333333333333d0):Float
red in FLOAT : 9999999.0 + 0.5 .    --> (9999999.5d0):Float""",
    "an overloaded identity is the one of the operator's own sort": """
mod! A0 { [A < As] op a : -> A {constr} op none : -> As {constr} op __ : As As -> As {constr assoc comm id: none}
  [B < Bs] op b : -> B {constr} op none : -> Bs {constr} op __ : Bs Bs -> Bs {constr assoc comm id: none} }
red in A0 : (b (none):Bs) .       --> (b):B
red in A0 : (a (none):As) .       --> (a):A
red in A0 : (b (none):Bs b) .     --> (b b):Bs""",
    "instances for identity elements stand where their equation stands": """
mod! A1 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc id: nil} op f : L -> L vars K L : L
  eq f(K a L) = b .   eq f(L) = d . }
red in A1 : f(a) .            --> (b):E
red in A1 : f(a c) .          --> (b):E
red in A1 : f(c a c) .        --> (b):E
red in A1 : f(c) .            --> (d):E
red in A1 : f(nil) .          --> (d):E
mod! A2 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc comm id: nil} op f : L -> L vars K L
  : L var X : E eq f(X K) = b . eq f(L) = d . }
red in A2 : f(a) .            --> (b):E
red in A2 : f(a c) .          --> (b):E
red in A2 : f(nil) .          --> (d):E
mod! A3 { [E] ops a b c d e : -> E op _+_ : E E -> E {comm id: e} op f : E -> E vars X Y : E eq f(X + a) = b .
  eq f(a) = c . eq f(X + Y) = d . }
red in A3 : f(a) .            --> (c):E
red in A3 : f(a + b) .        --> (b):E
red in A3 : f(c) .            --> (d):E
red in A3 : f(e) .            --> (d):E
mod! A4 { [E] ops a b c d e : -> E op _+_ : E E -> E {id: e} op f : E -> E vars X Y : E eq f(X + a) = b . eq
  f(a) = c . eq f(X + Y) = d . }
red in A4 : f(a) .            --> (b):E
red in A4 : f(a + b) .        --> (d):E
red in A4 : f(c) .            --> (d):E
red in A4 : f(e) .            --> (d):E
mod! A5 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc id: nil} vars K L : L eq a K b = c .
  eq a b = d . }
red in A5 : a b .             --> (c):E
red in A5 : c a b .           --> (c c):L
red in A5 : a c b .           --> (c):E
mod! A6 { [E < S] ops a b c : -> E op mt : -> S op _,_ : S S -> S {assoc comm id: mt} op has : E S -> Bool op rm
  : E S -> S vars X Y : E var S : S
 eq has(X, (X , S)) = true . eq has(X, S) = false . eq rm(X,(X , S)) = S . eq rm(X,S) = S . }
red in A6 : has(a, a) .       --> (true):Bool
red in A6 : has(a,(b , a)) .  --> (true):Bool
red in A6 : has(a, b) .       --> (false):Bool
red in A6 : rm(a,a) .         --> (mt):S
red in A6 : rm(a,(a , b)) .   --> (b):E
red in A6 : has(a, mt) .      --> (false):Bool
mod! A7 { pr(A6) op g : S -> S eq g((X:E , S:S)) = a . }
mod! A8 { pr(A7) eq g(S:S) = mt . }
red in A8 : g(a) .            --> (mt):S
red in A8 : g((a , b)) .      --> (mt):S
red in A8 : g(mt) .           --> (mt):S
mod! A9 { [E] ops a b c d e : -> E op _+_ : E E -> E {assoc comm idr: e} op f : E -> E vars X Y : E eq f(X + a)
  = b . eq f(Y) = c . }
red in A9 : f(a) .            --> (c):E
red in A9 : f(a + b) .        --> (b):E
red in A9 : f(a + e) .        --> (c):E
mod! S3 { [S] ops a b c : -> S op _*_ : S S -> S {comm} eq a * X:S = a . eq X:S * Y:S = c . }
red in S3 : a * b .           --> (a):S
red in S3 : b * a .           --> (a):S
red in S3 : b * c .           --> (c):S
mod! S4 { [S] ops a b c top : -> S op f : S S -> S {comm} vars X Y : S eq f(X,X) = X . eq f(c,X) = X . eq f(a,X)
  = a . eq f(X,Y) = top . }
red in S4 : f(c,b) .          --> (b):S
red in S4 : f(b,c) .          --> (b):S
red in S4 : f(a,b) .          --> (a):S
red in S4 : f(b,top) .        --> (top):S
red in S4 : f(b,b) .          --> (b):S""",
    "equations on connectives and == reach the conditions of the module": """
mod* P { [S] preds P Q : S op f : S -> S ops a b c : -> S   ceq f(X:S) = a if not P(X) .
  op k : S -> S  ceq k(X:S) = a if not P(X) and Q(X) . op h : S -> S ceq h(X:S) = a if X == c .  op g : S ->
  Bool eq g(X:S) = X == c .
  op e : S S -> S ceq e(X:S,Y:S) = a if not (X = Y) . op j : S -> S ceq j(X:S) = a if P(X) or Q(X) . op i : S ->
  S eq i(X:S) = if not P(X) then a else b fi .
  op d : S -> S ceq d(X:S) = a if X =/= b . }
open P .  eq (not P(b)) = true .  eq Q(b) = true .
red not P(b) .                --> (true):Bool
red f(b) .                    --> (a):S
red k(b) .                    --> (a):S
red i(b) .                    --> (a):S
close
open P . eq (P(b) and Q(b)) = true .
red P(b) and Q(b) .           --> (true):Bool
red k(b) .                    --> (k(b)):S
eq (not P(b) and Q(b)) = true .
red k(b) .                    --> (k(b)):S
close
open P . eq (b == c) = true .
red h(b) .                    --> (a):S
red g(b) .                    --> (true):Bool
red h(a) .                    --> (h(a)):S
close
open P . eq (b == c) = true . eq (a =/= b) = false .
red d(a) .                    --> (d(a)):S
red d(c) .                    --> (a):S
close
open P . eq (not (a = b)) = true .
red e(a,b) .                  --> (a):S
red e(b,a) .                  --> (a):S
red e(a,c) .                  --> (e(a,c)):S
close
open P . eq (P(b) or Q(b)) = true .
red j(b) .                    --> (a):S
red j(a) .                    --> (j(a)):S
close
open P .
red h(b) .                    --> (h(b)):S
red h(c) .                    --> (a):S
red f(b) .                    --> (f(b)):S
close
open P . eq not P(c) = true .
red i(c) .                    --> (a):S
red f(c) .                    --> (a):S
eq P(a) = false .
red f(a) .                    --> (a):S
red k(a) .                    --> (k(a)):S
close""",
    "instances for identities: those that would loop are left out": """
mod! B1 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc id: nil} op f : L -> L vars K L : L
  eq f(K L) = b . eq f(a) = c . eq f(nil) = d . }
red in B1 : f(a) .            --> (b):E
red in B1 : f(a c) .          --> (b):E
red in B1 : f(c) .            --> (b):E
red in B1 : f(nil) .          --> (b):E
mod! B2 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc comm id: nil} op f : L -> L vars K L
  : L eq f(K L) = b . eq f(a) = c . eq f(nil) = d . }
red in B2 : f(a) .            --> (b):E
red in B2 : f(a c) .          --> (b):E
red in B2 : f(c) .            --> (b):E
red in B2 : f(nil) .          --> (b):E
mod! B3 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc id: nil} op f : L L -> L op g : L ->
  L vars K L M : L eq f(K L, M) = f(L, g(K)) . eq f(nil, M) = M . }
red in B3 : f(a, b) .         --> (f(a,b)):L
red in B3 : f(a c, b) .       --> (f(c,g(a))):L
red in B3 : f(nil,b) .        --> (b):E
mod! B4 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc id: nil} op f : L -> L vars K L : L
  eq f(a) = c . eq f(nil) = d . eq f(K L) = b .  }
red in B4 : f(a) .            --> (c):E
red in B4 : f(a c) .          --> (b):E
red in B4 : f(c) .            --> (b):E
red in B4 : f(nil) .          --> (d):E
mod! B5 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc id: nil} op f : L -> L op h : L L ->
  L vars K L : L var X : E eq f(X L) = h(X,L) . eq f(K X) = h(K,X) . eq f(nil) = d .  }
red in B5 : f(a) .            --> (h(a,nil)):L
red in B5 : f(a c) .          --> (h(a,c)):L
red in B5 : f(nil) .          --> (d):E
mod! B6 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc id: nil} op f : L -> L op h : L L ->
  L vars K L : L var X : E eq f(K X L) = h(K,L) . eq f(nil) = d .  }
red in B6 : f(a) .            --> (h(nil,nil)):L
red in B6 : f(a c) .          --> (h(a,nil)):L
red in B6 : f(nil) .          --> (d):E
mod! B7 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc comm id: nil} op f : L -> L op h : L
  L -> L vars K L : L var X : E eq f(K X L) = h(K,L) . eq f(nil) = d .  }
red in B7 : f(a) .            --> (h(nil,nil)):L
red in B7 : f(nil) .          --> (d):E
mod! B8 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc id: nil} op f : L -> L op h : L L ->
  L vars K L : L var X : E eq f(K L) = h(K,L) . eq f(nil) = d .  }
red in B8 : f(a) .            --> (h(a,nil)):L
red in B8 : f(a c) .          --> (h(a,c)):L
red in B8 : f(nil) .          --> (h(nil,nil)):L
red in B8 : f(a b c) .        --> (h(a,(b c))):L""",
    "instances for identities: later variables first": """
mod! C1 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc id: nil} op f : L -> L op h : L L ->
  L vars K L : L var X : E eq f(K a L) = h(K,L) . eq f(nil) = d . }
red in C1 : f(a c a) .        --> (h((a c),nil)):L
red in C1 : f(c a) .          --> (h(c,nil)):L
red in C1 : f(a c) .          --> (h(nil,c)):L
red in C1 : f(a) .            --> (h(nil,nil)):L
red in C1 : f(a a) .          --> (h(a,nil)):L
red in C1 : f(c a c a) .      --> (h(c,(c a))):L
red in C1 : f(a c a c) .      --> (h((a c),c)):L
mod! C2 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc comm id: nil} op f : L -> L op h : L
  L -> L vars K L : L var X : E eq f(K a L) = h(K,L) . eq f(nil) = d . }
red in C2 : f(c a) .          --> (h(nil,c)):L
red in C2 : f(a c) .          --> (h(nil,c)):L
red in C2 : f(a) .            --> (h(nil,nil)):L
red in C2 : f(a a) .          --> (h(nil,a)):L
mod! C3 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc id: nil} op f : L L -> L op h : L L L
  L -> L vars K L K' L' : L var X : E eq f(K a L, K' b L') = h(K,L,K',L') . }
red in C3 : f(c a, b c) .     --> (h(c,nil,nil,c)):L
red in C3 : f(a, b c) .       --> (h(nil,nil,nil,c)):L
red in C3 : f(a a, b b) .     --> (h(a,nil,b,nil)):L
red in C3 : f(a, b b) .       --> (h(nil,nil,b,nil)):L
mod! C4 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc id: nil} op f : L -> L op h : L L L
  -> L vars K L M : L var X : E eq f(K X L X M) = h(K,L,M) . }
red in C4 : f(a a) .          --> (h(nil,nil,nil)):L
red in C4 : f(a b a) .        --> (h(nil,b,nil)):L
red in C4 : f(c a a) .        --> (h(c,nil,nil)):L
red in C4 : f(a b a b a) .    --> (h(a,a,a)):L
red in C4 : f(a b a b) .      --> (h(a,a,nil)):L
mod! C5 { [E < L] ops a b c d : -> E op nil : -> L op __ : L L -> L {assoc id: nil} op rev : L -> L vars K L : L
  var X : E eq rev(nil) = nil . eq rev(X L) = rev(L) X . op srt : L -> L op lt : E E -> Bool eq lt(a,b) = true .
  eq lt(b,c) = true . eq lt(a,c) = true .
 vars Y : E ceq srt(K X Y L) = srt(K Y X L) if lt(Y,X) . eq srt(L) = L . }
red in C5 : rev(a b c) .      --> ((c b) a):L
red in C5 : srt(c b a) .      --> (c (b a)):L
red in C5 : srt(b a) .        --> (b a):L
red in C5 : srt(c a b a) .    --> ((c a) (b a)):L""",
    "theories of a rank hold only there: a language over built-in numbers": """
mod! LANG { pr(NAT) pr(QID) [ Qid Nat < Exp ] [Code] op _+_ : Exp Exp -> Exp op _*_ : Exp Exp -> Exp
 op comp : Exp -> Code op simp : Exp -> Exp op push : Exp -> Code op _;_ : Code Code -> Code {assoc} ops add mul
  : -> Code
 vars E E' : Exp var N : Nat var Q : Qid
 eq comp(N) = push(N) . eq comp(Q) = push(Q) . eq comp(E + E') = comp(E) ; comp(E') ; add . eq comp(E * E') =
  comp(E) ; comp(E') ; mul .
 eq simp(0 + E) = simp(E) . eq simp(N) = N . eq simp(Q) = Q .
 op _-_ : Exp Exp -> Exp
 }
open LANG .
red 'x + 2 .                  --> ('x + 2):Exp
red 2 + 'x .                  --> (2 + 'x):Exp
red comp('x + 2) .            --> (push('x) ; (push(2) ; add)):Code
red comp('y + 'x) .           --> (push('y) ; (push('x) ; add)):Code
red comp('x + 'y + 3) .       --> (push('x) ; ((push('y) ; (push(3) ; add)) ; add)):Code
red comp(3 * 'x + 'y) .       --> ((push(3) ; (push('x) ; mul)) ; (push('y) ; add)):Code
red comp(3 * ('x + 'y)) .     --> (push(3) ; ((push('x) ; (push('y) ; add)) ; mul)):Code
red comp(('x + 'y) + 3) .     --> ((push('x) ; (push('y) ; add)) ; (push(3) ; add)):Code
red simp(0 + 'x) .            --> ('x):Qid
red simp('x + 0) .            --> (simp(('x + 0))):Exp
red 1 + 2 .                   --> (3):NzNat
red ('x + 1) + 2 .            --> (('x + 1) + 2):Exp
red 'x + (1 + 2) .            --> ('x + 3):Exp
red 1 + 'x + 2 .              --> (1 + ('x + 2)):Exp
red 'x + 1 + 2 .              --> ('x + 3):Exp
red 3 + 4 * 'x .              --> (3 + (4 * 'x)):Exp
red 'x - 1 .                  --> ('x - 1):Exp
red 3 - 1 .                   --> (3 - 1):Exp
red 2 - 5 .                   --> (2 - 5):Exp
ops n m : -> Nat .
red n + m == m + n .          --> (true):Bool
red 0 + n .                   --> (n):Nat
red n + 0 .                   --> (n):Nat
red 'x + n == n + 'x .        --> (false):Bool
red s(n) + m .                --> ((s n) + m):Nat
red 'x + 0 .                  --> ('x + 0):Exp
red 0 * 'x .                  --> (0 * 'x):Exp
red 1 * n .                   --> (n):Nat
red n < s n .                 --> (n < (s n)):Bool
red comp(n + m) .             --> (push((n + m))):Code
red comp(1 + 2) .             --> (push(3)):Code
close""",
    "theories of a rank hold only there: numbers with an error value": """
mod! PN { [Zero NzP < P < PE, E < PE] op 0 : -> Zero op s : P -> NzP op err : -> E op _+_ : P P -> P {assoc
  comm} op _+_ : PE PE -> PE vars X Y : P var Z : PE
 eq 0 + X = X . eq s(X) + Y = s(X + Y) . eq err + Z = err . eq Z + err = err . op p : PE -> PE eq p(s(X)) = X .
  eq p(0) = err . eq p(err) = err .
 op g : PE -> PE vars A B : PE eq g(A + B) = A . op h : P -> P eq h(X + s(0)) = X . op k : PE -> PE eq k(p(X) +
  Y) = Y . }
open PN . ops n m l : -> P . ops u v : -> PE .
red n + 0 .                   --> (n):P
red 0 + n .                   --> (n):P
red n + m == m + n .          --> (true):Bool
red u + v == v + u .          --> (false):Bool
red (n + m) + l == l + (m + n) . --> (true):Bool
red n + s(m) + s(l) .         --> (s(s((n + (m + l))))):NzP
red s(s(0)) + p(s(s(0))) .    --> (s(s(s(0)))):NzP
red s(0) + p(0) .             --> (err):E
red p(0) + s(0) .             --> (err):E
red err + n .                 --> (err):E
red n + err .                 --> (err):E
red u + n + m .               --> (u + (m + n)):PE
red (u + n) + m .             --> ((u + n) + m):PE
red n + m + u .               --> (n + (m + u)):PE
red g(u + v) .                --> (u):PE
red h(n + m) .                --> (h((m + n))):P
red h(s(0) + n) .             --> (h(s(n))):P
red p(s(n)) + m == m + n .    --> (true):Bool
red p(u) + n .                --> (p(u) + n):PE
red k(p(n) + m) .             --> (m):P
red k(m + p(n)) .             --> (k((m + p(n)))):PE
eq u = s(0) .
red u + n .                   --> (s(n)):NzP
red n + u .                   --> (s(n)):NzP
red g(u + n) .                --> (g(s(n))):PE
eq v = m .
red v + n == n + m .          --> (true):Bool
red p(s(v) + s(n)) .          --> (s((m + n))):NzP
close
open PN . ops n m : -> P . op u : -> PE . eq n + m = 0 . eq u + n = m . eq A:PE + s(0) = s(A) .
red m + n .                   --> (0):Zero
red n + m + s(0) .            --> (s(0)):NzP
red u + n .                   --> (m):P
red n + u .                   --> (n + u):PE
red u + s(0) .                --> (s(u)):?PE
red s(0) + u .                --> (s(0) + u):PE
close""",
    "11 final states at the greatest depth are found": """
mod! W { [ S ] ops a b c d : -> S  trans a => b .  trans b => c .  trans a => d . }
open W .
red a =(*,2)=>! c .           --> (true):Bool
red a =(1,1)=>! d .           --> (true):Bool
red a =(*,1)=>! X:S .         --> (true):Bool
red a =(*,1)=>! c .           --> (false):Bool
red a =(2,1)=>! X:S .         --> (true):Bool
red c =(*,1)=>! X:S .         --> (false):Bool
red b =(*,1)=>! X:S .         --> (true):Bool
red a =(1,*)=>! c .           --> (true):Bool
red a =(1,2)=>! X:S suchThat X == c . --> (true):Bool
close""",
    "assumptions on formulas apply to the polynomials they are": """
mod* P { ops p q r t : -> Bool }
open P .
eq (p and q) = not r .
red not r .                   --> (true xor r):Bool
red not t .                   --> (true xor t):Bool
red p and q .                 --> (true xor r):Bool
red p and q and t .           --> (t xor (r and t)):Bool
close
open P .
eq (p and q) = (r and t) .
close
open P .
eq (p xor (p and q)) = true .
red p xor (p and q) .         --> (true):Bool
red p and not q .             --> (true):Bool
red p implies q .             --> (false):Bool
close
open P .
eq (p xor (q and r)) = true .
red p xor (q and r) .         --> (true):Bool
red p xor (q and r) xor t .   --> (true xor t):Bool
close
open P .
eq (true xor (p and q)) = false .
red not (p and q) .           --> (false):Bool
red p implies not q .         --> (false):Bool
close
open P .
eq (p xor q xor (p and q)) = true .
red p or q .                  --> (true):Bool
close
open P .
eq (p and (q xor r)) = true .
red p and (q xor r) .         --> (true):Bool
close
open P .
eq (p and q) = true .
eq (p xor q) = false .
red p and q and r .           --> (r):Bool
red p xor q xor r .           --> (r):Bool
close
open P .
eq (p xor q) = r and t .
red p xor q xor (r and t) .   --> (false):Bool
eq (true xor p) = true .
red not p .                   --> (true):Bool
close""",
    "arguments evaluated in one place are evaluated in the others": """
mod* SYS { [Sys Pid N] op tk : Sys Pid -> N op init : -> Sys op r : Sys Pid -> Sys op z : -> N op c : Sys ->
  Bool op b : Pid -> N op pc : Sys Pid -> N op t : Sys Pid -> Sys pred p : Pid
  eq tk(init,I:Pid) = z .   eq tk(r(S:Sys,I:Pid),J:Pid) = if p(J) then z else tk(S,J) fi .
  eq pc(t(S:Sys,I:Pid),J:Pid) = if c(S) then b(J) else pc(S,J) fi . }
open SYS .  op s : -> Sys . ops i j k : -> Pid .  eq i = j .
red tk(r(s,k),i) .            --> (if p(j) then z else tk(s,j) fi):N
red tk(r(s,k),i) = tk(r(s,k),j) . --> (true):Bool
red tk(r(s,k),j) == tk(r(s,k),i) . --> (true):Bool
red pc(t(s,k),i) .            --> (if c(s) then b(i) else pc(s,i) fi):N
red pc(t(s,k),j) == pc(t(s,k),i) . --> (false):Bool
close""",
    "equations on = of one sort say nothing of another": """
mod! LAB { [LabelP LabelC] ops idlep gotval : -> LabelP {constr} . ops idlec busy : -> LabelC {constr} .
  eq (L1:LabelP = L2:LabelP) = (L1 == L2) . eq (L1:LabelC = L2:LabelC) = (L1 == L2) . }
mod* VAL { [Val] ops u v : -> Val }
mod* C { pr(LAB + VAL) [T] ops t w : -> T }
red in C : u = v .            --> (u = v):Bool
red in C : t = w .            --> (t = w):Bool
red in C : gotval = idlep .   --> (false):Bool
red in C : busy = busy .      --> (true):Bool""",
    "connectives of a sort above Bool are the user's": """
mod! PROP2 { [ Bool < Prop ] ops a b : -> Prop ops (_and_) (_or_) : Prop Prop -> Prop {assoc comm}
  op not_ : Prop -> Prop op val : Prop -> Bool ops x y : -> Bool vars P Q : Prop var B : Bool
  eq val(P and Q) = val(P) and val(Q) . eq val(not P) = not val(P) . eq val(P or Q) = val(P) or val(Q) . eq val(B) = B .
  eq val(a) = true . eq val(b) = false . }
open PROP2 .
red not b .                   --> (not b):Prop
red b and b .                 --> (b and b):Prop
red true and false .          --> (false):Bool
red not true .                --> (false):Bool
red val(not b and a) .        --> (true):Bool
red val(a and b) .            --> (false):Bool
red val(a or b) .             --> (true):Bool
red x and not x .             --> (false):Bool
red val(x and a) .            --> (x):Bool
close""",
    "precedence and associativity are those of the lowest rank": """
mod! LOW { [Low] op _+_ : Low Low -> Low {prec: 33} op _*_ : Low Low -> Low {prec: 31} op _-_ : Low Low -> Low
  {l-assoc}
  ops a b c : -> Low }
mod! HIGH { pr(LOW) [Low < High] op _+_ : High High -> High {prec: 21} op _*_ : High High -> High {prec: 41}
  op _-_ : High High -> High {r-assoc} ops x y z : -> High }
red in HIGH : x * y + z .     --> ((x * y) + z):High
red in HIGH : a + b * c .     --> (a + (b * c)):Low
red in HIGH : x - y - z .     --> ((x - y) - z):High
mod! LATER { [Low < High] op _-_ : High High -> High {r-assoc} op _-_ : Low Low -> Low {l-assoc} ops x y z : -> High }
red in LATER : x - y - z .    --> ((x - y) - z):High
mod! ACTION { [Gate < Mat] [Ket] op _x_ : Mat Mat -> Mat {assoc} op _x_ : Mat Ket -> Ket
  op _x_ : Gate Ket -> Ket {r-assoc} ops g h : -> Gate op k : -> Ket }
red in ACTION : g x h x g x k .    --> (g x (h x (g x k))):Ket
red in RAT : 1/2 * 3 + 4 .    --> (11/2):NzRat
mod! MORE { pr(INT) [Int < More] op _-_ : More More -> More {l-assoc} }
red in MORE : 1 - 2 - 3 .     --> (2):NzNat""",
    "an equation on == comes before what == means otherwise": """
mod M-SAME { [S-SAME] ops a b c : -> S-SAME op f : S-SAME -> S-SAME }
open M-SAME . eq (a == b) = true . eq f(c) = a .
red a == b .                  --> (true):Bool
red b == a .                  --> (false):Bool
red a =/= b .                 --> (true):Bool
red f(c) == a .               --> (true):Bool
red f(a) == f(b) .            --> (false):Bool
close
open M-SAME . eq (a == a) = false .
red a == a .                  --> (false):Bool
red b == b .                  --> (true):Bool
close""",
    "an operator may be qualified by a parameter": """
mod* EQ-ELT { [Elt] op same : Elt Elt -> Bool op _~_ : Elt Elt -> Bool {comm} }
mod! EQ-LIST (X :: EQ-ELT) { [List] op nil : -> List op _|_ : Elt List -> List op _~_ : List List -> Bool
  vars E F : Elt vars L M : List
  eq (E | L) ~ (F | M) = (E ~.X F) and (L ~ M) . eq nil ~ nil = true . }
open EQ-LIST . ops a b : -> Elt .
red (a | nil) ~ (b | nil) .   --> (a ~ b):Bool
close""",
    "views with blocks need no commas between them": """
mod* VIEWED { [Data] }
mod* PAIRED (X :: TRIV, Y :: TRIV) { [Pair] op pair : Elt.X Elt.Y -> Pair }
mod* BOTH { pr(PAIRED(X <= view to VIEWED { sort Elt -> Data }
    Y <= view to BOOL { sort Elt -> Bool })) op d : -> Data }
red in BOTH : pair(d, not true) .    --> (pair(d,false)):Pair""",
    "=*= is no behavioural context": """
mod* STACK-OBS { pr(NAT) *[ St ]* bop top_ : St -> Nat bop pop_ : St -> St bop push : Nat St -> St
  var N : Nat var S : St
  eq top push(N, S) = N . beq pop push(N, S) = S . }
open STACK-OBS . op s1 : -> St .
red pop push(1, s1) =*= s1 .  --> ((pop push(1,s1)) =*= s1):Bool
bred pop push(1, s1) =*= s1 . --> ((pop push(1,s1)) =*= s1):Bool
bred pop push(1, s1) == s1 .  --> (true):Bool
red s1 =*= s1 .               --> (s1 =*= s1):Bool
red top pop push(1, s1) .     --> (top s1):Nat
close""",
    "conditionals that the user defined are inlined, equations of a passage come first": """
mod! CHOICE { pr(NAT) op cond : Bool Nat Nat -> Nat ops f h k : Nat -> Nat op un : Nat -> Bool vars X Y : Nat
  eq cond(true, X, Y) = X . eq cond(false, X, Y) = Y .
  eq f(X) = cond(X > 0, f(sd(X, 1)) + 1, 0) . eq h(X) = cond(X > 3, p X, 7) . eq k(X) = cond(un(X), f(X), X) . }
red in CHOICE : f(30) .       --> (30):NzNat
red in CHOICE : h(5) .        --> (4):NzNat
red in CHOICE : h(2) .        --> (7):NzNat
red in CHOICE : k(3) .        --> (cond(un(3),3,3)):Nat
open CHOICE . eq cond(true, X, 0) = 100 .
red f(2) .                    --> (100):NzNat
red h(5) .                    --> (4):NzNat
close
open CHOICE . eq un(X) = X > 2 .
red k(3) .                    --> (3):NzNat
red k(2) .                    --> (2):NzNat
close""",
    "1 equality is logical, == is decided": ELEMENTS
    + """eq c = d . }
open E .
red a = a .                  --> (true):Bool
red a = b .                  --> (a = b):Bool
red a == b .                 --> (false):Bool
red c = d .                  --> (true):Bool
red X:E == Y:E .             --> (false):Bool
red X:E == X:E .             --> (true):Bool
red X:E = Y:E .              --> (X:E = Y:E):Bool
red (a = b) = (b = a) .      --> (true):Bool
red (a = b) = true .         --> ((a = b) = true):Bool
red true = false .           --> (false):Bool
red a =/= b .                --> (true):Bool
red c =/= d .                --> (false):Bool
close""",
    "1 distinct numerals are not unequal": """open NAT .
red 1 = 2 .                  --> (1 = 2):Bool
red 1 == 2 .                 --> (false):Bool
red 2 = 2 .                  --> (true):Bool
close""",
    "1 an assumed inequality works in both directions": ELEMENTS
    + """}
open E . eq (a = b) = false .
red a = b .                  --> (false):Bool
red b = a .                  --> (false):Bool
close
open E . eq (a = b) = true .
red a .                      --> (a):E
red b = a .                  --> (true):Bool
close
open E . eq (a = b) = false . eq a = b .
red a = b .                  --> (true):Bool
close""",
    "2 Booleans have the exclusive-or normal form": ELEMENTS
    + """}
open E .
red p or q .                                             --> (q xor (p xor (p and q))):Bool
red (p and q) implies r .                                --> ((q and p) xor (true xor (r and (p and q)))):Bool
red not (p or q) .                                       --> (true xor ((p and q) xor (p xor q))):Bool
red (p or q or r) and not p and not q .       --> ((r and q) xor (r xor ((q and (p and r)) xor (r and p)))):Bool
red (p implies q) and (q implies r) implies (p implies r) .  --> (true):Bool
red (p implies q) iff (not q implies not p) .            --> (true):Bool
red (p implies q) = (not p or q) .                       --> (true):Bool
red p = q .                                              --> (p = q):Bool
red p = true .                                           --> (p = true):Bool
red p == true .                                          --> (false):Bool
red if p then q else q fi .                              --> (if p then q else q fi):Bool
red p or-else not p .                                    --> (p or-else (true xor p)):Bool
red p and-also p .                                       --> (p):Bool
red true and-also q .                                    --> (q):Bool
red false and-also q .                                   --> (false):Bool
red false or-else q .                                    --> (q):Bool
red true or-else q .                                     --> (true):Bool
close""",
    "2 equations on connectives apply inside larger ones": ELEMENTS
    + """}
open E . eq (p and q) = false .
red p and r and q .          --> (false):Bool
red not (q and p) .          --> (true):Bool
red p or q .                 --> (p xor q):Bool
close""",
    "3 only the condition of an if is evaluated": ELEMENTS
    + """eq c = a . eq f(X:E) = b . }
open E .
red if p then c else f(d) fi .                           --> (if p then c else f(d) fi):E
red if p then f(c) else f(d) fi == b .                   --> (false):Bool
red if not p then a else b fi .                          --> (if (true xor p) then a else b fi):E
red if a = b then a else b fi .                          --> (if (a = b) then a else b fi):E
red (if p then a else b fi) = (if p then a else b fi) .  --> (true):Bool
red if true then c else f(d) fi .                        --> (a):E
red if p and not p then c else f(d) fi .                 --> (b):E
red if (if true then false else p fi) then a else d fi . --> (d):E
close""",
    "4 a condition must become true": ELEMENTS
    + """ceq f(X:E) = a if p .
ceq g(X:E) = a if X = b . ceq g(X:E) = c if not(X = b) .
ceq h(X:E) = a if X == b . ceq h(X:E) = c if X =/= b . }
open E .
red f(b) .                   --> (f(b)):E
red g(b) .                   --> (a):E
red g(c) .                   --> (g(c)):E
red h(d) .                   --> (c):E
red h(b) .                   --> (a):E
eq p = true .
red f(b) .                   --> (a):E
eq (d = b) = false .
red g(d) .                   --> (c):E
close""",
    "4 matching conditions bind variables, from left to right": """
mod* M { [E P] ops a b c d : -> E . op pr : E E -> P .
op f : E -> E . op g : E -> P . op h : E -> E . op k : E E -> E .
ceq f(X:E) = Y:E if pr(Y:E,Z:E) := g(X) . eq g(a) = pr(b,c) .
ceq h(X:E) = Y:E if Y:E := f(X) /\\ Y == b .
ceq k(X:E,Y:E) = a if X := Y . }
open M .
red f(a) .                   --> (b):E
red f(b) .                   --> (f(b)):E
red h(a) .                   --> (b):E
red h(b) .                   --> (h(b)):E
red k(b,b) .                 --> (a):E
red k(a,b) .                 --> (k(a,b)):E
close""",
    "4 every associative-commutative match is tried under a condition": """
mod* S { [E < S] ops a b c : -> E . op n : -> S .
op __ : S S -> S {assoc comm id: n} . pred good : E . op pick : S -> E . eq good(b) = true .
ceq pick(X:E M:S) = X if good(X) . }
open S .
red pick(a b c) .            --> (b):E
red pick(b) .                --> (b):E
red pick(a c) .              --> (pick((a c))):E
close""",
    "4 equations without an executable reading are ignored": ELEMENTS
    + """eq [:nonexec] : f(a) = b . eq g(a) = X:E . eq X:E = a . ceq h(a) = b if X:E = X . }
open E .
red f(a) .                   --> (f(a)):E
red g(a) .                   --> (g(a)):E
red b .                      --> (b):E
red h(a) .                   --> (h(a)):E
close""",
    "5 arguments that no pattern looks at are evaluated late": """mod* K { [E] ops a b loop : -> E . op k : E E -> E .
op k2 : E E -> E . eq k(X:E,Y:E) = X . eq k2(a,Y:E) = a . eq loop = loop . }
open K .
red k(a,loop) .              --> (a):E
red k2(a,loop) .             --> (a):E
close""",
    "5 only lower ranks are evaluated eagerly": """
mod* R { [N < E] ops m d loop : -> N . op e : -> E . op g : N -> N . op h : E E -> E . op h : N N -> N .
op k : E E -> E . op k : N N -> N .
eq loop = loop . eq g(X:N) = X . eq h(X:E,X) = X . eq h(X:E,Y:E) = d . eq k(X:E,Y:E) = X . }
open R .
red h(g(m),m) .              --> (m):N
red k(e,loop) .              --> (e):E
close""",
    "5 a user strategy is taken literally": """
mod* K { [E] ops a b c : -> E . op q : E -> E . op n : E -> E {strat: (0)} .
op cs : E E -> E {strat: (-1 -2)} . op hd : E -> E . op od : E E -> E {strat: (1 -2 0)} .
op m : E E -> E {strat: (1 0)} .
eq c = a . eq n(a) = b . eq q(a) = a . eq q(b) = b . eq od(X:E,a) = b . eq hd(cs(X:E,Y:E)) = X . }
open K .
red n(c) .                   --> (n(c)):E
red n(a) .                   --> (b):E
red cs(q(a),q(b)) .          --> (cs(q(a),q(b))):E
red hd(cs(q(a),q(b))) .      --> (a):E
red od(a,q(a)) .             --> (b):E
red m(c,c) .                 --> (m(a,c)):E
close""",
    "5 true and false are never rewritten": """mod* T { [S] op a : -> S . }
open T . eq true = false .
red true .                   --> (true):Bool
close""",
    "5 memo changes nothing but the time": """mod* F { pr(NAT) op fib : Nat -> Nat {memo} . op pred : NzNat -> Nat .
eq fib(0) = 0 . eq fib(1) = 1 . ceq fib(N:Nat) = fib(sd(N,1)) + fib(sd(N,2)) if N > 1 . }
open F .
red fib(20) .                --> (6765):NzNat
close""",
    "6 declaration order decides": ORDER
    + """open ORD . red f(x) .         --> (a1):E
close
open ORD2 . red f(x) .        --> (a2):E
close
open ORD3 . red f(x) .        --> (b1):E
close
open M4 . red f(x) .          --> (b):E
close
open M5 . red f(x) .          --> (a):E
close
open M6 . red f(x) .          --> (a):E
close
open M7 . red f(x) .          --> (a):E
close""",
    "6 equations of a passage come first": ORDER
    + """open ORD . eq f(Z:E) = a3 . red f(x) .             --> (a3):E
close
open ORD . eq f(Z:E) = a3 . eq f(x) = x . red f(x) .   --> (a3):E
close""",
    "6 equations added after a reduction come before the earlier ones": ORDER
    + """open ORD . eq f(Z:E) = a3 . red f(x) . --> (a3):E
eq f(x) = x . red f(x) .                  --> (x):E
eq f(W:E) = a4 . red f(x) .               --> (a4):E
close
open ORD . eq x = a3 . red x .            --> (a3):E
eq x = a4 . red x .                       --> (a4):E
eq x = a1 . eq x = a2 . red x .           --> (a1):E
close""",
    "6 the lower rank's equations come first": """mod* R { [Sub < Sup] op a : -> Sub . ops r1 r2 : -> Sup .
op f : Sup -> Sup . op f : Sub -> Sup . eq f(X:Sup) = r1 . eq f(Y:Sub) = r2 .
op g : Sup -> Sup . eq g(X:Sup) = r1 . eq g(Y:Sub) = r2 . }
open R .
red f(a) .                   --> (r2):Sup
red g(a) .                   --> (r1):Sup
close""",
    "7 associative and commutative equations apply inside larger terms": """mod* A { [E] ops a b c d 0 : -> E .
op _+_ : E E -> E {assoc comm} . op _;_ : E E -> E {assoc} . op f : E E -> E . op -_ : E -> E .
eq a + b = c . eq a ; b = c . eq f(X:E,X) = a . }
mod* G { [E] ops a b c 0 : -> E . op _+_ : E E -> E {assoc comm} . op -_ : E -> E .
eq X:E + - X = 0 . eq 0 + X:E = X . }
open A .
red b + d + a + d .          --> (c + (d + d)):E
red d ; a ; b ; d .          --> (d ; (c ; d)):E
red f(b + c, c + b) .        --> (a):E
red f(b ; c, c ; b) .        --> (f((b ; c),(c ; b))):E
close
open G .
red - (a + b) + a + b + c .  --> (c):E
close""",
    "7 an identity completes patterns, identity rules do not": """mod* I { [E] ops e a b : -> E . ops f g : E -> E .
op _+_ : E E -> E {assoc comm id: e} . op _*_ : E E -> E {assoc comm idr: e} .
eq f(X:E + a) = b . eq g(X:E * a) = b . }
open I .
red f(a) .                   --> (b):E
red g(a) .                   --> (g(a)):E
red a + e .                  --> (a):E
red e * a .                  --> (a):E
close""",
    "7 an explicit equation makes a set": """mod* S { [E] ops a b c : -> E . op __ : E E -> E {assoc comm} .
eq X:E X = X . }
open S .
red a b a b c c .            --> (a (b c)):E
close""",
    "9 ill-sorted but connected terms wait in the error sort": """
mod* S { [Sub < Sup] op a : -> Sub . ops e e1 : -> Sup .
op f : Sub -> Sub . op g : Sub -> Sub . op h : Sup -> Sub . eq g(X:Sub) = a . eq e1 = a . }
open S .
red f(e) .                   --> (f(e)):?Sup
red f(e1) .                  --> (f(a)):Sub
red g(h(e)) .                --> (a):Sub
red g(e) .                   --> (g(e)):?Sup
red g(e1) .                  --> (a):Sub
red e :is Sub .              --> (false):Bool
red e1 :is Sub .             --> (true):Bool
red a :is Sup .              --> (true):Bool
red f(e) :is Sup .           --> (false):Bool
red f(e) = f(e) .            --> (true):Bool
red f(e) == a .              --> (false):Bool
eq e = a .
red f(e) .                   --> (f(a)):Sub
red e :is Sub .              --> (true):Bool
close""",
    "9 connectives of ill-sorted Booleans stay": """
mod* S { [Sub < Sup] op a : -> Sub . op e : -> Sup . op b : -> Bool . op t : Sub -> Bool . op q : Sup -> Bool .
ops r u : Sup -> Bool . ops v w : Sup -> Sub . var X : Sup .
eq q(X) = t(X) . eq r(X) = false and q(X) . eq u(X) = b implies (b or q(X)) . ceq v(X) = a if not (false and q(X)) .
ceq w(X) = a if not (false and q(a)) . }
open S .
red q(a) and not q(a) .      --> (false):Bool
red false and q(e) .         --> (false and t(e)):?*Condition*
red q(e) and false .         --> (t(e) and false):?*Condition*
red true and q(e) .          --> (true and t(e)):?*Condition*
red r(e) .                   --> (false and t(e)):?*Condition*
red r(a) .                   --> (false):Bool
red u(a) .                   --> (true):Bool
red v(e) .                   --> (v(e)):Sub
red w(e) .                   --> (a):Sub
red if true then b else q(e) fi .    --> (b):Bool
red q(e) = q(e) .            --> (true):Bool
eq t(e) = true .
red r(e) .                   --> (false):Bool
red false implies q(e) .     --> (true):Bool
red u(e) .                   --> (true):Bool
red v(e) .                   --> (a):Sub
close""",
    "9 variables of a reduction are constants": """
mod* V { [E] op f : E -> E . var X : E . op a : -> E . eq f(a) = a . }
open V .
red f(X) .                   --> (f(X)):E
red f(Y:E) .                 --> (f(Y:E)):E
red X .                      --> X:E
close""",
    "11 transitions are for exec": CHAIN
    + """open T .
red a .                      --> (a):S
exec a .                     --> (c):S
close""",
    "11 search predicates are Boolean": CHAIN
    + """open T .
red a =(*,1)=>+ X:S .        --> (true):Bool
red a =(*,*)=>! X:S .        --> (true):Bool
red c ==> a .                --> (false):Bool
red a =(1,5)=>* c .          --> (true):Bool
red a =(1,1)=>* c .          --> (false):Bool
red a =(1,1)=>+ a .          --> (false):Bool
red a =(1,1)=>* a .          --> (true):Bool
red a =(*,*)=>! b .          --> (false):Bool
red a =(1,*)=>* X:S suchThat (X == d) .      --> (true):Bool
red b =(1,*)=>* X:S suchThat (X == d) .      --> (false):Bool
red not (a =(1,*)=>* d) .    --> (false):Bool
close""",
    "11 a search starts at the state that is written, under exec as well": CHAIN
    + """open T . op f : S -> S . eq f(a) = b .
exec a =(1,1)=>* b .         --> (true):Bool
exec a ==> b .               --> (true):Bool
exec a =(1,1)=>* c .         --> (false):Bool
exec f(a) =(1,*)=>* c .      --> (true):Bool
exec f(a) .                  --> (f(c)):S
exec (a =(1,*)=>+ c) and (a =(1,*)=>! d) .    --> (true):Bool
trans c => a .
exec a =(1,*)=>* d .         --> (true):Bool
close""",
    "11 states are taken modulo their equations": """
mod* N { [S] pr(NAT) op st : Nat -> S . op _,_ : S S -> S {assoc comm} .
ctrans st(N:Nat) => st(N + 1) if N < 5 . trans st(0) , st(5) => st(5) . }
open N .
red st(0) =(1,*)=>* st(5) .  --> (true):Bool
red st(0) =(1,4)=>* st(5) .  --> (false):Bool
red st(0) =(1,*)=>* st(6) .  --> (false):Bool
red (st(0) , st(0)) =(1,*)=>* (st(3) , st(4)) .  --> (true):Bool
exec st(0) .                 --> (st(5)):S
close""",
}


@pytest.mark.parametrize("text", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_the_engine_gives_the_result_of_cafeobj(text: str) -> None:
    check(text)


DEVIATIONS = {
    "idempotence holds inside longer products": """mod* S { [Elt < Set] ops a b : -> Elt . op empty : -> Set .
op __ : Set Set -> Set {assoc comm idem id: empty} . }
open S .
red a a .                    --> (a):Elt
red a b a .                  --> (a b):Set
red a b a b .                --> (b a):Set
red (a b a) == (b a) .       --> (true):Bool
close""",
    "a user-declared equality is the built-in one": """
mod* EQTRIV principal-sort Elt { [Elt] op _=_ : Elt Elt -> Bool {comm} .
eq (E:Elt = E) = true . }
mod* SOUP(D :: EQTRIV) { [Elt.D < Soup] op empty : -> Soup . op __ : Soup Soup -> Soup {assoc comm id: empty} .
op _\\in_ : Elt.D Soup -> Bool . vars E1 E2 : Elt.D . var S : Soup .
eq E1 \\in empty = false . eq E1 \\in (E2 S) = (E1 = E2) or E1 \\in S . }
mod* MSG principal-sort M { [M1 < M] ops m1 m2 : -> M1 . op _=_ : M M -> Bool {comm} . eq (X:M = X) = true . }
mod* SYS { pr(SOUP(MSG)) }
open SYS . op s : -> Soup .
eq (m1 = m2) = false .
red m1 = m2 .                --> (false):Bool
red m1 \\in (m2 s) .          --> (m1 \\in s):Bool
close""",
    "owise equations come last": """mod* W { [E] ops a b c : -> E . op f : E -> E .
eq f(X:E) = c {owise} . eq f(a) = b . }
open W .
red f(a) .                   --> (b):E
red f(b) .                   --> (c):E
close""",
    "attributes are shared by a subsort-overloaded family": """mod* F { [E < L] ops a b : -> E .
op _+_ : L L -> L {assoc comm} . op _+_ : E E -> E . }
open F .
red (a + b) == (b + a) .     --> (true):Bool
close""",
}


@pytest.mark.parametrize("text", DEVIATIONS.values(), ids=DEVIATIONS.keys())
def test_the_engine_deviates_from_cafeobj_on_purpose(text: str) -> None:
    check(text)


def test_a_search_tells_the_states_it_found() -> None:
    (answer,) = answers(CHAIN + "open T . red a =(*,*)=>! X:S . close")
    lines = [line.text for line in lines_of(Answered(answer))]
    assert [line.split("] ")[1] for line in lines if "Found" in line] == ["(d):S", "(c):S"]


PROBLEMS = {
    "undefined sort": ("mod* A { op a : -> T . }", ["E201"]),
    "undefined module": ("mod* A { pr(NOPE) }", ["E301"]),
    "unknown token": ("mod* A { [S] op a : -> S . } open A . red b . close", ["E111"]),
    "unparsable equation": ("mod* A { [S] op a : -> S . eq a = zz . }", ["E111"]),
    "ambiguous term": ("mod* A { [S] ops a b : -> S . op _+_ : S S -> S . } open A . red a + b + a . close", ["E112"]),
    "missing period": ("mod* A { [S] ops a b : -> S . } open A . red a red b . close", ["E102"]),
    "built-in module redefined": ("mod* BOOL { [S] }", ["E305"]),
    "nothing open": ("red true .", ["E306"]),
    "other component": ("mod* A { [S T] op a : -> S . op f : T -> T . } open A . red f(a) . close", ["E203"]),
}


@pytest.mark.parametrize(("text", "codes"), PROBLEMS.values(), ids=PROBLEMS.keys())
def test_a_mistake_is_reported_once(text: str, codes: list[str]) -> None:
    assert error_codes(text) == codes


WARNINGS = {
    "extra variable": "mod* A { [S] op a : -> S . eq a = X:S . }",
    "left side a variable": "mod* A { [S] op a : -> S . eq X:S = a . }",
    "variable redeclared": "mod* A { [S T] var X : S . var X : T . }",
    "module redefined": "mod* A { [S] } mod* A { [S] }",
    "close without open": "close",
    "open inside open": "mod* A { [S] } open A . open A . close",
}


@pytest.mark.parametrize("text", WARNINGS.values(), ids=WARNINGS.keys())
def test_a_doubtful_text_gives_one_warning_and_no_error(text: str) -> None:
    outcome = run(text)
    assert (len(outcome.warnings), outcome.errors) == (1, [])


DEPTH = 100_000
PEANO = """mod* P { [N] op 0 : -> N . op s : N -> N . op dec : N -> N .
op same : N N -> Bool . op up : N -> N . op dn : N -> N .
vars X Y : N . eq dec(0) = 0 . eq dec(s(X)) = dec(X) . eq same(s(X),s(Y)) = same(X,Y) . eq same(0,0) = true .
eq up(0) = 0 . eq up(s(X)) = s(s(up(X))) . eq dn(0) = 0 . eq dn(s(s(X))) = s(dn(X)) . }
"""


def test_terms_of_a_hundred_thousand_levels_are_parsed_reduced_and_printed() -> None:
    tall = "s(" * DEPTH + "0" + ")" * DEPTH
    text = f"{PEANO} open P . red dec({tall}) . red same({tall},{tall}) . red {tall} . red dn(up({tall})) . close"
    down, same, plain, back = answers(text)
    assert (down.result, same.result) == ("0", "true")
    assert plain.result == back.result == tall


def test_long_lists_and_sums_are_parsed_and_reduced() -> None:
    spec = """mod* L { [E < L] op nil : -> L . op a : -> E . op __ : L L -> L {assoc id: nil} .
    op _+_ : L L -> L {assoc comm} . op len : L -> L .
    eq len(nil) = nil . eq len(X:E L:L) = len(L) . eq a + a = a . }"""
    many = 2_000
    length, total = answers(f"{spec} open L . red len({'a ' * many}) . red {' + '.join(['a'] * many)} . close")
    assert (length.result, total.result) == ("nil", "a")


LOOPS = {
    "a constant": "op c : -> E . eq c = c . red c .",
    "two constants": "ops c d : -> E . eq c = d . eq d = c . red c .",
    "a growing term": "op a : -> E . op f : E -> E . eq f(X:E) = f(f(X)) . red f(a) .",
    "a growing context": "op a : -> E . op f : E -> E . op g : E -> E . eq f(X:E) = g(f(X)) . red f(a) .",
    "a condition that asks itself": "op a : -> E . op f : E -> E . ceq f(X:E) = a if f(X) = a . red f(a) .",
    "commutativity as an equation": "ops a b : -> E . op f : E E -> E . eq f(X:E,Y:E) = f(Y,X) . red f(a,b) .",
    "an associative-commutative sum": "op a : -> E . op _+_ : E E -> E {assoc comm} . eq a = a + a . red a .",
    "a growing argument": "op a : -> E . op f : E -> E . op s : E -> E . eq f(X:E) = f(s(X)) . red f(a) .",
    "a growing sum": "op a : -> E . op _+_ : E E -> E {assoc comm} . op f : E -> E . eq f(X:E) = f(X + a) . red f(a) .",
    "a Boolean": "op p : -> Bool . eq p = not p . red p .",
}


@pytest.mark.parametrize("body", LOOPS.values(), ids=LOOPS.keys())
def test_an_endless_evaluation_is_stopped_and_the_session_goes_on(body: str) -> None:
    text = f"mod* M {{ [E] }} open M . {body} close open M . red true . close"
    outcome = run(text, Settings(max_rewrites=200_000, timeout=5))
    assert [problem.code for problem in outcome.errors] in (["E401"], ["E402"], ["E403"], ["E404"])
    assert [command.result for command in outcome.commands] == [None, "true"]


COUNTING = "mod* M { pr(NAT) op f : Nat -> Nat . op g : Nat -> Nat . eq f(N:Nat) = RIGHT . } open M . red f(0) . close"
BUDGETS = {
    "rewrites": ("f(N + 1)", Settings(max_rewrites=1000), ["E401"]),
    "time": ("f(N + 1)", Settings(timeout=0.5), ["E402"]),
    "time, nesting": ("g(f(N + 1))", Settings(timeout=0.5), ["E402"]),
    "rewrites, nesting": ("g(f(N + 1))", Settings(max_rewrites=1000), ["E401"]),
    "depth": ("g(f(N + 1))", Settings(), ["E403"]),
    "a cycle needs no budget": ("f(N)", Settings(), ["E404"]),
}


@pytest.mark.parametrize(("right", "limits", "codes"), BUDGETS.values(), ids=BUDGETS.keys())
def test_each_budget_is_kept(right: str, limits: Settings, codes: list[str]) -> None:
    start = time.monotonic()
    assert error_codes(COUNTING.replace("RIGHT", right), limits) == codes
    if limits.timeout is not None:
        assert time.monotonic() - start < 10


CACHES = {
    "an equation added between two reductions": """open M .
red f(a) .                   --> (f(a)):E
eq a = b .
red f(a) .                   --> (f(b)):E
eq f(b) = c .
red f(a) .                   --> (c):E
eq c = d .
red f(a) .                   --> (d):E
close""",
    "a passage leaves nothing behind": """open M . eq a = b . eq f(b) = c .
red f(a) .                   --> (c):E
close
open M .
red f(a) .                   --> (f(a)):E
close
open M . eq f(a) = d .
red f(a) .                   --> (d):E
close
red in M : f(a) .            --> (f(a)):E""",
    "two passages with the same declarations": """open M . op n : -> E . eq n = a .
red g(n,n) .                 --> (g(a,a)):E
close
open M . op n : -> E .
red g(n,n) .                 --> (g(n,n)):E
close
open M . op n : -> E . eq n = b .
red g(n,n) .                 --> (g(b,b)):E
close""",
    "an equation on an argument of a cached term": """open M . op n : -> E .
red g(f(n),f(n)) == g(f(a),f(n)) . --> (false):Bool
eq n = a .
red g(f(n),f(n)) == g(f(a),f(n)) . --> (true):Bool
close""",
    "an equation on a Boolean atom": """open M .
red p and q .                --> (p and q):Bool
red p or q .                 --> (p xor (q xor (p and q))):Bool
eq p = true .
red p and q .                --> (q):Bool
red p or q .                 --> (true):Bool
eq q = false .
red p and q .                --> (false):Bool
close
open M .
red p and q .                --> (p and q):Bool
close""",
    "an equation makes a condition true": """open M .
red h(a) .                   --> (h(a)):E
eq p = true .
red h(a) .                   --> (a):E
close
open M .
red h(a) .                   --> (h(a)):E
eq (p and q) = true .
red h(a) .                   --> (h(a)):E
close""",
    "a reduction of another module inside a passage": """open M . eq a = b .
red a .                      --> (b):E
red in M : a .               --> (a):E
red a .                      --> (b):E
close""",
    "an operator and its equations declared after a reduction": """open M .
red f(a) .                   --> (f(a)):E
op k : E -> E . eq k(X:E) = f(X) . eq f(X:E) = X .
red k(a) .                   --> (a):E
close""",
    "a module redefined": """mod* K { pr(M) eq a = b . }
red in K : f(a) .            --> (f(b)):E
mod* K { pr(M) eq a = c . }
red in K : f(a) .            --> (f(c)):E
open K .
red f(a) .                   --> (f(c)):E
close""",
    "a subsort added in a passage": """open M . [Low < E] op low : -> Low . op m : E -> E . eq m(X:Low) = a .
red m(low) .                 --> (a):E
red m(b) .                   --> (m(b)):E
close""",
}
CACHED = """mod* M { [E] ops a b c d : -> E . op f : E -> E . op g : E E -> E . op h : E -> E . ops p q : -> Bool .
ceq h(X:E) = X if p . }
"""


@pytest.mark.parametrize("text", CACHES.values(), ids=CACHES.keys())
def test_no_result_is_remembered_from_other_equations(text: str) -> None:
    check(CACHED + text)


def test_an_error_leaves_the_session_usable() -> None:
    session = session_of(CACHED, Settings(max_rewrites=10_000))
    session.run_source(Source("<one>", "open M . eq a = f(a) . red a . close"))
    session.run_source(Source("<two>", "open M . red f(a) . eq f(a) = b . red f(a) . close"))
    assert len(session.outcome.errors) == 1
    assert [command.result for command in session.outcome.commands] == [None, "f(a)", "b"]


@pytest.mark.parametrize("depth", [39, 41, 150, 700])
def test_right_sides_may_be_nested_deeply(depth: int) -> None:
    nested = "f(" * depth + "X" + ")" * depth
    chosen = "if q(X) then f(X) else " * depth + "b" + " fi" * depth
    conjunction = " and ".join(["p(X)"] * (depth - 1) + ["q(X)"])
    module = f"""mod! D {{ [E] ops a b : -> E {{constr}} ops f g h : E -> E ops p q r : E -> Bool var X : E
      eq f(a) = b . eq f(b) = a . eq p(X) = true . eq q(a) = true . eq q(b) = false .
      eq g(X) = {nested} . eq h(X) = {chosen} . eq r(X) = {conjunction} . }}\n"""
    terms = ("g(a)", "h(a)", "h(b)", "r(a)", "r(b)")
    found = [each.result for each in answers(module + "".join(f"red in D : {term} .\n" for term in terms))]
    turned = "b" if depth % 2 else "a"
    assert found == [turned, "b", "b", "true", "false"]

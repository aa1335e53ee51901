"""Behavioural equations in their contexts; equivalence and membership that equations decide or coinduction proves."""

from __future__ import annotations

import pytest
from support import answers, check

EXAMPLES = {
    "one attribute that every method respects decides equivalence": """
mod* BEH1 { *[ H1 ]* [ D1 ] op g : D1 -> D1 bop rev_ : H1 -> H1 bop at_ : H1 -> D1 eq at rev S:H1 = g(at S:H1) . }
open BEH1 . op s : -> H1 . eq g(g(X:D1)) = X . red (rev rev s) =*= s .   --> (true):Bool
red (rev s) =*= s .   --> ((rev s) =*= s):Bool
close
""",
    "data arguments of methods are arbitrary": """
mod* BEH2 { *[ H2 ]* [ D2 ] bop put : H2 D2 -> H2 bop top_ : H2 -> D2 eq top put(S:H2, X:D2) = X . }
open BEH2 . ops s t : -> H2 . op d : -> D2 . red put(s, d) =*= put(t, d) .   --> (true):Bool
red s =*= t .   --> (s =*= t):Bool
close
""",
    "a method that no equation explains is no congruence": """
mod* BEH3 { *[ H3 ]* [ D3 ] ops a b : -> D3 bop go_ : H3 -> H3 bop at_ : H3 -> D3 }
open BEH3 . ops s t : -> H3 . eq at s = at t . red s =*= t .   --> (s =*= t):Bool
close
""",
    "an attribute with data arguments gives no equation": """
mod* BEH4 { *[ H4 ]* [ D4 ] op x : -> D4 op init : -> H4 bop at : H4 D4 -> D4 eq at(init, X:D4) = x . }
open BEH4 . op s : -> H4 . eq at(s, X:D4) = x . red s =*= init .   --> (s =*= init):Bool
close
""",
    "several attributes are believed only on request": """
mod* BEH5 { *[ H5 ]* bop up_ : H5 -> H5 bops (up?_) (on?_) : H5 -> Bool
  eq up? up S:H5 = true . eq on? up S:H5 = on? S:H5 . }
open BEH5 . op s : -> H5 . red (up up s) =*= (up s) .   --> ((up (up s)) =*= (up s)):Bool
close
set accept =*= proof on
mod* BEH6 { *[ H6 ]* bop up_ : H6 -> H6 bops (up?_) (on?_) : H6 -> Bool
  eq up? up S:H6 = true . eq on? up S:H6 = on? S:H6 . }
open BEH6 . op s : -> H6 . red (up up s) =*= (up s) .   --> (true):Bool
close
set accept =*= proof off
""",
    "a sum is compared modulo AC: believed only on request": """
mod* BEH7 { pr(NAT) *[ H7 ]* bop add : H7 Nat -> H7 bop sum_ : H7 -> Nat
  eq sum add(S:H7, N:Nat) = sum S:H7 + N:Nat . }
open BEH7 . op s : -> H7 . ops m n : -> Nat .
red add(add(s, m), n) =*= add(add(s, n), m) .   --> (add(add(s,m),n) =*= add(add(s,n),m)):Bool
close
""",
    "instances keep what was proved": """
mod* ADDING { [ D8 ] op _&_ : D8 D8 -> D8 }
mod* BEH8 (X :: ADDING) { *[ H8 ]* bop add : D8 H8 -> H8 bop sum_ : H8 -> D8
  eq sum add(N:D8, S:H8) = (sum S:H8) & N:D8 . }
open BEH8(NAT { sort D8 -> Nat, op _&_ -> _+_ }) . op s : -> H8 . ops m n : -> Nat .
red add(m, add(n, s)) =*= add(n, add(m, s)) .   --> (true):Bool
close
""",
    "an equation of a passage decides equivalence": """
mod* BEH9 { *[ H9 ]* [ E9 ] op in : E9 H9 -> Bool op _U_ : H9 H9 -> H9
  eq in(E:E9, S:H9 U T:H9) = in(E:E9, S:H9) or in(E:E9, T:H9) . }
open BEH9 . op e : -> E9 . ops s t : -> H9 . ceq S:H9 =*= T:H9 = true if in(e, S) == in(e, T) .
red (s U t) =*= (t U s) .   --> (true):Bool
red (s U t) =*= s .   --> ((s U t) =*= s):Bool
close
""",
    "behavioural equations are used where only behavioural operators look": """
mod* CTX1 { [ C1 ] *[ K1 ]* op push : C1 K1 -> K1 {coherent} op raw : K1 -> K1 bop top_ : K1 -> C1 bop pop_ : K1 -> K1
  op seen : K1 -> C1
  eq top push(X:C1, S:K1) = X . beq pop push(X:C1, S:K1) = S . }
open CTX1 . op s : -> K1 . ops d e : -> C1 .
red top pop push(d, push(e, s)) .   --> (e):C1
red pop push(e, s) .   --> (pop push(e,s)):K1
red pop push(e, s) == s .   --> (false):Bool
red seen(pop push(e, s)) .   --> (seen((pop push(e,s)))):C1
red top push(top pop push(d, push(e, s)), s) .   --> (e):C1
red (pop push(e, s)) =b= s .   --> (true):Bool
bred pop push(e, s) .   --> (s):K1
bred pop push(e, s) == s .   --> (true):Bool
close
""",
    "a state read in one context is evaluated again in another": """
mod* CTX2 { [ C2 ] *[ K2 ]* op empty : -> K2 op add : C2 K2 -> K2 bop _in_ : C2 K2 -> Bool vars E E' : C2 var S : K2
  eq E in add(E', S) = (E == E') or (E in S) . eq E in empty = false . }
open CTX2 . ops e e' : -> C2 . ops s s' : -> K2 . beq s = s' .
red s .   --> (s):K2
red e in s .   --> (e in s'):Bool
red e' in add(e, s) .   --> (e' in s'):Bool
red add(e, s) == add(e, s') .   --> (false):Bool
close
""",
    "a behavioural equation about another operator is not used": """
mod* CTX3 { [ C3 ] *[ K3 ]* op push : K3 -> K3 bop top_ : K3 -> C3 bop pop_ : K3 -> K3 beq pop push(S:K3) = S . }
open CTX3 . op s : -> K3 . red top pop push(s) .   --> (top (pop push(s))):C3
bred pop push(s) .   --> (pop push(s)):K3
close
""",
    "conditions are visible wherever the rule applies": """
mod* CTX4 { [ C4 ] *[ K4 ]* op init : -> K4 op put : C4 K4 -> K4 {coherent} bop get_ : K4 -> C4 bop take_ : K4 -> K4
  op empty : K4 -> Bool {coherent}
  eq empty(init) = true . eq empty(put(E:C4, B:K4)) = false . cq empty(take B:K4) = true if empty(B:K4) .
  bceq take put(E:C4, B:K4) = put(E:C4, take B) if not empty(B:K4) . bceq take put(E:C4, B:K4) = B if empty(B:K4) .
  cq get put(E:C4, B:K4) = E if empty(B:K4) . cq get put(E:C4, B:K4) = get B if not empty(B:K4) . }
open CTX4 . ops d e : -> C4 . red get take put(d, put(e, init)) .   --> (d):C4
red empty(take take put(d, init)) .   --> (true):Bool
close
""",
    "equations on sort membership come before the sorts": """
mod! IS1 { [ A1 < B1 ] op a : -> A1 ops b z : -> B1 op g : B1 -> B1 ceq g(X:B1) = a if X:B1 :is A1 . }
open IS1 . eq (z :is A1) = true . eq (a :is A1) = false .
red z :is A1 .   --> (true):Bool
red a :is A1 .   --> (false):Bool
red g(z) .   --> (a):A1
red g(b) .   --> (g(b)):B1
close
""",
    "membership of partial compositions": """
mod! IS2 { [ Node2, Edge2 < Path2 ] op _;_ : ?Path2 ?Path2 -> ?Path2 {assoc} ops (s_) (t_) : Path2 -> Node2
  var E : Edge2 var ?P : ?Path2
  eq (E ; ?P) :is Path2 = (?P :is Path2) and (s ?P) == (t E) .
  ceq s(E ; ?P) = s(E) if (E ; ?P) :is Path2 . }
open IS2 . ops e1 e2 : -> Edge2 . ops n1 n2 : -> Node2 . eq s e1 = n1 . eq t e1 = n2 . eq s e2 = n2 . eq t e2 = n1 .
red (e1 ; e2) :is Path2 .   --> (true):Bool
red (e1 ; e1) :is Path2 .   --> (false):Bool
red s (e1 ; e2) .   --> (n1):Node2
red s (e1 ; e1) .   --> (s (e1 ; e1)):?Node2
close
""",
}


@pytest.mark.parametrize("text", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_decided(text: str) -> None:
    check(text)


def test_a_proof_that_does_not_end_is_no_proof() -> None:
    text = """mod* M { *[ H ]* [ D ] op f : D -> D bop go_ : H -> H bop at_ : H -> D
      eq at go S:H = f(at S:H) . eq f(X:D) = f(f(X)) . }
    open M . ops s t : -> H . red s =*= t . close"""
    assert answers(text)[0].result == "(s =*= t)"

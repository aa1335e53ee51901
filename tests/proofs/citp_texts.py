"""Scripts that CafeOBJ 1.6.0 and otsrw run alike, and those with goals that CafeOBJ closes and is wrong about."""

from __future__ import annotations

NUMBERS = """
mod! NUM { [ N ]
  op z : -> N {constr} .
  op s : N -> N {constr} .
  op _+_ : N N -> N .
  eq z + X:N = X .
  eq s(X:N) + Y:N = s(X + Y) .
}
"""

PREDICATES = """
mod! PRED { pr(NUM)
  preds p q : N .   ops f g : N -> N .   ops a b c : -> N .   op l : N N -> Bool .
  eq [p0]: p(z) = true .   eq (s(M:N) = z) = false .   eq [ax2]: g(g(X:N)) = f(X) .   eq [ax6]: p(f(X:N)) = q(X) .
  eq [ax1 :nonexec]: p(X:N) implies q(X) = true .
  eq [ax4 :nonexec]: l(X:N,Y:N) = l(Y,X) .
  ceq [ax5 :nonexec]: q(X:N) = true if p(X) .
}
"""

SYSTEM = """
mod! PROCESS { [ Pid ] }
mod! SYSTEM { pr(PROCESS) [ Sys Label ]
  ops rs cs : -> Label {constr} .
  op init : -> Sys {constr} .   op enter : Sys Pid -> Sys {constr} .   op swap : Pid Sys Pid -> Sys {constr} .
  op pc : Sys Pid -> Label .
  eq pc(init,P:Pid) = rs .   eq pc(swap(R:Pid,S:Sys,P:Pid),Q:Pid) = rs .
  ceq pc(enter(S:Sys,P:Pid),Q:Pid) = cs if P = Q .
  ceq pc(enter(S:Sys,P:Pid),Q:Pid) = pc(S,Q) if not(P = Q) .
}
"""

ALIKE = {
    "induction, then constants, then reduction": NUMBERS
    + """
:verbose on
select NUM .
:goal { eq [rz]: M:N + z = M . eq [rs]: M:N + s(K:N) = s(M + K) . }
:ind on (M:N)
:apply (si tc rd)
:show proof
:describe proof
:show proved
""",
    "two induction variables": NUMBERS
    + """
:verbose on
select NUM .
:goal { eq [comm :nonexec]: x:N + y:N = y + x . }
:ind on (x:N y:N)
:apply (si)
:apply to 1 (rd)
:show proof
""",
    "arguments of transitions": SYSTEM
    + """
:verbose on
open SYSTEM .
:goal { eq [i1 :nonexec]: (pc(S:Sys,P:Pid) = cs) and (pc(S,P) = rs) = false . eq [i2]: pc(S:Sys,P:Pid) = pc(S,P) . }
:ind on (S:Sys)
:apply (si)
:apply (tc)
:show proof
:apply (rd)
close
:show proof
""",
    "case splits": NUMBERS
    + PREDICATES
    + """
:verbose on
select PRED .
:goal { eq [g1]: p(f(a)) = true . eq [g2]: p(f(b)) = true . }
:ctf { eq f(a) = a . }
:select root
:ctf [ f(a) . ]
:select root
:ctf [ a = b . ]
:select root
:ctf { eq true = p(a) . }
:select root
:ctf { eq p(a) = false . }
:select root
:csp { eq q(a) = true . eq [no]: q(a) = false . }
:apply (rd)
:select 2
:roll back
:show proof
""",
    "definitions": NUMBERS
    + PREDICATES
    + """
select PRED .
:goal { eq [g1]: q(a) = p(f(a)) . }
:def c1 = :ctf { eq f(a) = z . }
:def c2 = :ctf- [ p(a) . ]
:def s1 = :csp { eq f(a) = a . eq f(a) = z . }
:def i1 = :init as inst [ax1] by { X:N <- f(a) ; }
:def both = (c1 i1)
:show def
:apply (both)
:describe .
:apply (c2 RD-)
:show proof
""",
    "lemmas": NUMBERS
    + PREDICATES
    + """
:verbose on
select PRED .
:goal { eq [k]: g(g(X:N)) = f(X) . }
:apply (tc rd)
:goal { eq [g1]: q(a) = true . }
:use (k)
:init as i1 [ax1] by { X:N <- f(b) ; }
:init as i2 [ax5] by { X:N <- g(g(b)) ; }
:set(normalize-lhs,off)
:init [ax4] by { X:N <- a ; Y:N <- b ; }
:describe .
:red g(g(a)) .
:apply (rd)
:show proved
""",
    "conditions": NUMBERS
    + """
:verbose on
select NUM .
:goal { ceq [c]: x:N = y:N if (x = s(y)) /\\ (y = z) . eq x:N = x . }
:apply (tc)
:apply (ip rd)
:goal { ceq [c]: x:N = y:N if x = y . }
:apply (tc ip+)
:apply (nf ct)
""",
    "all at once": NUMBERS
    + """
select NUM .
:goal { eq [rz]: M:N + z = M . }
:ind on (M:N)
:auto
:show proof
:spoiler on
:goal { eq z + X:N = X . eq s(X:N) + z = s(X) . }
:apply (tc)
:show proof
:show flags
""",
    "cases of labelled equations": """
mod! FG { pr(NAT) ops F G : Nat -> Nat .
  ceq [CA-1]: F(X:Nat) = 5 if X <= 7 .   ceq [CA-2]: F(X:Nat) = 1 if 8 <= X .
  ceq [CA-3]: G(Y:Nat) = 2 if Y <= 4 .   ceq [CA-4]: G(Y:Nat) = 7 if 5 <= Y .
}
:verbose on
select FG .
:goal { eq 9 <= G(F(X:Nat)) + G(X:Nat) = true . }
:apply (tc ca rd)
:show proof
""",
    "contradictions": NUMBERS
    + PREDICATES
    + """
select PRED .
:goal { eq [g1]: q(a) = true . eq [g2]: q(b) = true . }
:csp { eq false = true . }
:apply (rd)
:describe proof
:goal { eq [g1]: q(a) = true . }
:csp { eq (true = false) = true . }
:apply (ct)
:show proof
""",
    "priorities": NUMBERS
    + PREDICATES
    + """
select PRED .
:goal { eq [g1]: q(a) = true . }
:csp { eq f(b) = b . }
:csp { eq f(b) = c . eq f(X:N) = a . }
:red f(b) .
:select 1-2
:red f(b) .
:red in 1 : f(b) .
""",
    "implications": NUMBERS
    + PREDICATES
    + """
select PRED .
:goal { ceq [w]: q(X:N) = true if p(X) . ceq [x]: X:N = z if p(X) /\\ q(X) = false . }
:apply (tc ip+ nf ct)
:show unproved
:goal { ceq [w]: true = q(X:N) if p(X) . }
:apply (tc ip+ nf ct)
:describe .
:spoiler on
:goal { ceq [w]: s(a) + a = f(a) if p(s(a) + a) . ceq [x]: s(a) + a = z if true and p(s(a) + a) and q(a) . }
:apply (ip+)
:show unproved
:goal { eq s(X:N) + a = f(X) . eq p(X:N + z) = q(z + X) . }
:ind on (X:N)
:apply (si)
:describe proof
:order (s, *, z)
:order ( )
""",
    "a theory in a goal": NUMBERS
    + PREDICATES
    + """
select PRED .
:goal { eq [c]: X:N + Y:N = Y + X . eq p(X:N + (Y:N + z)) = p(z + (Y + X)) . }
:theory _+_ : N N -> N { assoc comm }
:apply (tc rd)
:show proof
:show proved
""",
    "induction by a scheme": NUMBERS
    + """
:verbose on
select NUM .
:goal { eq [rz]: M:N + z = M . }
:ind { on (M:N) base (z) step (s(K:N)) }
:apply (rd)
:apply (rd)
:show proof
""",
    "what a search finds": """
mod! WALK { [ St ]  ops a b c d : -> St .  trans a => b .  trans b => c .  ctrans c => d if true . }
select WALK .
red a =(*,*)=>* X:St .
:set(show-rwl, on)
:goal { eq [y]: (a =(*,*)=>* d) = true . }
:apply (rd)
:goal { eq [y]: (a =(1,*)=>* b) = true . }
:apply (rd)
""",
    "the order of constructors": """
mod! ORD { [ E1 E2 < E  T ]
  op zz : -> E1 {constr} .   op aa : -> E2 {constr} .   op mm : -> E {constr} .   op a1 : -> T {constr} .
  op g : E1 E -> E2 {constr} .   op f : T E -> E1 {constr} .   op _;_ : E T -> E {constr} .   pred p : E .
}
:verbose on
select ORD .
:goal { eq p(x:E) = true . }
:ind on (x:E)
:order ( )
:apply (si)
:order (g, *, aa)
:apply to root (si)
""",
}
"""Scripts by what they are about."""

UNSOUND = {
    "sides of a conditional goal": (
        NUMBERS + PREDICATES + "select PRED .\n:goal { ceq z = s(z) if p(z) . }\n:apply (rd)",
        "it does not compare the sides",
    ),
    "variables that differ in case": (
        NUMBERS + "select NUM .\n:goal { eq x:N = X:N . }\n:apply (tc rd)",
        "X@N (here also X-2@N)",
    ),
    "a contradiction under a condition": (
        NUMBERS
        + PREDICATES
        + "select PRED .\n:goal { eq z = s(z) . }\n"
        + ":init as k { ceq true = false if z = s(X:N) . } by { X:N <- z ; }\n:apply (rd)",
        "its condition, (z = s(z)), is not shown to hold",
    ),
    "a truth value on the left": (
        NUMBERS + PREDICATES + "select PRED .\n:goal { eq z = s(z) . }\n:csp { eq true = p(a) . }\n:apply (rd)",
        "does not contradict anything",
    ),
    "constants of nested splits": (
        NUMBERS
        + PREDICATES
        + "select PRED .\n:goal { eq [g]: ((f(a) = g(b)) or (f(a) = z) or (g(b) = z)) = true . }\n"
        + ":ctf [ f(a) . ]\n:apply (rd-)\n:ctf [ g(b) . ]\n:apply (rd-)\n:apply (rd-)",
        "CTF#N (here also CTF-2#N)",
    ),
    "a split that leaves out a case": (
        NUMBERS + "select NUM .\n:goal { eq (z = z) = false . }\n:ctf { eq z = z . }\n:apply (rd)",
        "is left out",
    ),
    "a split into false and nothing": (
        NUMBERS + "select NUM .\n:goal { eq z = s(z) . }\n:ctf { eq true = false . }\n:apply (rd)",
        "is left out",
    ),
    "a split of an equation with variables": (
        NUMBERS
        + PREDICATES
        + "select PRED .\n:goal { eq (f(a) = z) = (f(b) = z) . }\n:ctf { eq f(X:N) = z . }\n:apply (rd)\n:apply (rd)",
        "may hold for some values of X",
    ),
    "induction over a part of a sort": (
        "mod! NZ { [ NzN < N ] op 0 : -> N {constr} . op s : N -> NzN {constr} . pred p : NzN .\n"
        "  eq p(s(0)) = false . eq p(s(X:NzN)) = p(X) . }\n"
        "select NZ .\n:goal { eq p(x:NzN) = true . }\n:ind on (x:NzN)\n:apply (si rd)",
        None,
    ),
    "a scheme that leaves out a constructor": (
        NUMBERS.replace("op s :", "op u : -> N {constr} .   op s :")
        + "select NUM .\n:goal { eq X:N + z = X . }\n"
        + ":ind { on (X:N) base (z) step (s(Y:N)) }\n:apply (rd)\n:apply (rd)\n",
        "built by u are left out",
    ),
    "values without constructors": (
        "mod! SUB { [ A < E ] op e : -> E {constr} . op a : -> A . pred p : E . eq p(e) = true . eq p(a) = false . }\n"
        "select SUB .\n:goal { eq p(x:E) = true . }\n:ind on (x:E)\n:apply (si rd)",
        "no constructor builds the values of sort A",
    ),
}
"""Scripts that CafeOBJ 1.6.0 ends with all goals discharged, and what otsrw says instead; None if it says nothing."""

"""Generated CafeOBJ texts for the speed comparison: Peano arithmetic, Boolean tautologies, a large proof score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

PEANO = """mod! PEANO {
  [ Nat List ]
  op 0 : -> Nat {constr}
  op s : Nat -> Nat {constr}
  op _+_ : Nat Nat -> Nat
  op fib : Nat -> Nat
  op ack : Nat Nat -> Nat
  op nil : -> List {constr}
  op cons : Nat List -> List {constr}
  op app : List List -> List
  op rev : List -> List
  op upto : Nat -> List
  vars M N : Nat  vars K L : List
  eq 0 + N = N .
  eq s(M) + N = s(M + N) .
  eq fib(0) = 0 .
  eq fib(s(0)) = s(0) .
  eq fib(s(s(N))) = fib(s(N)) + fib(N) .
  eq ack(0,N) = s(N) .
  eq ack(s(M),0) = ack(M,s(0)) .
  eq ack(s(M),s(N)) = ack(M,ack(s(M),N)) .
  eq app(nil,L) = L .
  eq app(cons(N,K),L) = cons(N,app(K,L)) .
  eq rev(nil) = nil .
  eq rev(cons(N,L)) = app(rev(L),cons(N,nil)) .
  eq upto(0) = nil .
  eq upto(s(N)) = cons(0,upto(N)) .
}
"""

MUTEX = """mod! LABEL { [Label] ops rs ws cs : -> Label {constr}
  eq (rs = ws) = false .  eq (rs = cs) = false .  eq (ws = cs) = false . }
mod* PID { [Pid] }
mod* MUTEX { pr(LABEL) pr(PID)
  *[Sys]*
  op init : -> Sys
  bop pc : Sys Pid -> Label
  bop locked : Sys -> Bool
  bops want try exit : Sys Pid -> Sys
  op c-want : Sys Pid -> Bool  op c-try : Sys Pid -> Bool  op c-exit : Sys Pid -> Bool
  var S : Sys  vars I J : Pid
  eq pc(init,I) = rs .
  eq locked(init) = false .
  eq c-want(S,I) = (pc(S,I) = rs) .
  ceq pc(want(S,I),J) = (if I = J then ws else pc(S,J) fi) if c-want(S,I) .
  ceq locked(want(S,I)) = locked(S) if c-want(S,I) .
  ceq want(S,I) = S if not c-want(S,I) .
  eq c-try(S,I) = (pc(S,I) = ws and not locked(S)) .
  ceq pc(try(S,I),J) = (if I = J then cs else pc(S,J) fi) if c-try(S,I) .
  ceq locked(try(S,I)) = true if c-try(S,I) .
  ceq try(S,I) = S if not c-try(S,I) .
  eq c-exit(S,I) = (pc(S,I) = cs) .
  ceq pc(exit(S,I),J) = (if I = J then rs else pc(S,J) fi) if c-exit(S,I) .
  ceq locked(exit(S,I)) = false if c-exit(S,I) .
  ceq exit(S,I) = S if not c-exit(S,I) .
}
mod* INV { pr(MUTEX)
  op inv1 : Sys Pid Pid -> Bool  op inv2 : Sys Pid -> Bool
  var S : Sys  vars I J : Pid
  eq inv1(S,I,J) = ((pc(S,I) = cs and pc(S,J) = cs) implies I = J) .
  eq inv2(S,I) = (pc(S,I) = cs implies locked(S)) .
}
"""
_GUARDS = {"want": "rs", "try": "ws", "exit": "cs"}
_LABELS = ("rs", "ws", "cs")


@dataclass(frozen=True, slots=True)
class Workload:
    """One text to time; `lines` is reported for proof scores only."""

    name: str
    text: str
    lines: int | None = None


def workloads() -> list[Workload]:
    """Sizes are such that CafeOBJ takes 1 to 20 seconds, and a size of each Boolean family it cannot finish."""
    return [
        Workload("fib(19), Peano", _peano(f"fib({_numeral(19)})")),
        Workload("Ackermann(3,5), Peano", _peano(f"ack({_numeral(3)},{_numeral(5)})")),
        Workload("reverse of 300 elements", _peano(f"rev(upto({_numeral(300)}))")),
        *(Workload(f"p1 or .. or p{n}", _boolean(n, _disjunction(n))) for n in (7, 12)),
        *(Workload(f"excluded middle, {n} atoms", _boolean(n, _excluded_middle(n))) for n in (6, 20)),
        *(Workload(f"implication chain, {n} atoms", _boolean(n, _chain(n))) for n in (7, 20)),
        _proof_score(5000),
    ]


def _numeral(n: int) -> str:
    return "s(" * n + "0" + ")" * n


def _peano(term: str) -> str:
    return f"{PEANO}red in PEANO : {term} .\n"


def _boolean(n: int, formula: str) -> str:
    return f"open BOOL .\nops {' '.join(_atoms(n))} : -> Bool .\nred {formula} .\nclose\n"


def _atoms(n: int) -> list[str]:
    return [f"p{index}" for index in range(1, n + 1)]


def _disjunction(n: int) -> str:
    return " or ".join(_atoms(n))


def _excluded_middle(n: int) -> str:
    return f"({_disjunction(n)}) or not ({_disjunction(n)})"


def _chain(n: int) -> str:
    atoms = _atoms(n)
    links = [f"({left} implies {right})" for left, right in pairwise(atoms)]
    return f"({' and '.join(links)}) implies ({atoms[0]} implies {atoms[-1]})"


def _proof_score(passages: int) -> Workload:
    cases = _cases()
    text = MUTEX + "".join(_passage(*cases[number % len(cases)]) for number in range(passages))
    return Workload(f"proof score, {passages} passages", text, text.count("\n"))


def _cases() -> list[tuple[str, str, Sequence[str]]]:
    """Transition, goal and assumptions, as the usual case splits of the mutual exclusion proof make them."""
    splits = [["eq i = k ."], ["eq (i = k) = false .", "eq j = k ."], ["eq (i = k) = false .", "eq (j = k) = false ."]]
    cases: list[tuple[str, str, Sequence[str]]] = []
    for transition, guard in _GUARDS.items():
        inv1 = f"inv1(s,i,j) implies inv1({transition}(s,k),i,j)"
        lemma = f"(inv2(s,i) and inv2(s,j)) implies {inv1}"
        inv2 = f"inv2(s,i) implies inv2({transition}(s,k),i)"
        for label in _LABELS:
            for split in splits:
                locked = "eq locked(s) = false ." if guard == "ws" else "eq locked(s) = true ."
                facts = [f"eq pc(s,k) = {guard} .", locked, *split, f"eq pc(s,j) = {label} ."]
                cases += [(transition, goal, facts) for goal in (inv1, lemma, inv2)]
        cases.append((transition, inv1, [f"eq c-{transition}(s,k) = false ."]))
    return cases


def _passage(transition: str, goal: str, assumptions: Sequence[str]) -> str:
    facts = "".join(f"  {assumption}\n" for assumption in assumptions)
    return f"-- {transition}\nopen INV .\n  op s : -> Sys .\n  ops i j k : -> Pid .\n{facts}  red {goal} .\nclose\n"

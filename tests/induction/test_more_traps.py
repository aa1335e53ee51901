"""More specifications that are false, or that mean two things, each by another feature of the language.

What is right was decided by hand. `holds` of a broken specification is what one of its readings gives: only check
can tell that there is another one, and igf must not verify it.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest
from specifications import instance_of, invariant_named, ots_of

from otsrw.induction.procedure import igf
from otsrw.induction.results import Options
from otsrw.ots import Ots
from otsrw.search import MaudeSpace, RewritingSpace
from otsrw.soundness import check
from otsrw.syntax.diagnostics import OtsrwError

_MARK = "mod! MARK { [Mark] ops ok bad : -> Mark {constr} }\n"
_STAGE = """mod! STAGE { [Stage] ops s0 s1 s2 s3 : -> Stage {constr} op up : Stage -> Stage
  eq up(s0) = s1 . eq up(s1) = s2 . eq up(s2) = s3 . eq up(s3) = s3 . }
"""
_LATE_IS_BAD = (
    "op judge : Stage -> Mark eq judge(s0) = ok . eq judge(s1) = ok . eq judge(s2) = ok . eq judge(s3) = bad ."
)
_ALL_OK = "op judge : Stage -> Mark eq judge(X:Stage) = ok ."
_SYSTEM = """
mod* M {{ pr(J) *[Sys]* op init : -> Sys bop stage : Sys -> Stage bop mark : Sys -> Mark
  bop grow : Sys -> Sys bop write : Sys -> Sys op safe : Sys -> Bool var S : Sys var G : Stage {declared}
  eq stage(init) = s0 . {initially} eq stage(grow(S)) = up(stage(S)) . eq mark(grow(S)) = mark(S) .
  eq stage(write(S)) = stage(S) . {after} {more} eq safe(S) = {claim} . }}
"""
_NUMBERS = """mod! J { pr(NUMBER + MARK) op judge : SORT -> Mark var N : SORT EQUATIONS }
mod* M { pr(J) *[Sys]* op init : -> Sys bop n : Sys -> SORT bop mark : Sys -> Mark bop grow : Sys -> Sys
  bop write : Sys -> Sys op safe : Sys -> Bool var S : Sys eq n(init) = 0 . eq mark(init) = ok .
  eq n(grow(S)) = NEXT . eq mark(grow(S)) = mark(S) . eq n(write(S)) = n(S) . eq mark(write(S)) = judge(n(S)) .
  eq safe(S) = (mark(S) = ok) . }"""


def _system(
    judge: str,
    written: str = "judge(stage(S))",
    after: str = "",
    more: str = "",
    declared: str = "",
    initially: str = "eq mark(init) = ok .",
    claim: str = "(mark(S) = ok)",
) -> str:
    """A system whose mark is written by a function on data; `judge` is what the module of that function says."""
    module = judge if judge.startswith("mod") else f"mod! J {{ pr(STAGE + MARK) vars X Y : Stage {judge} }}"
    after = after or f"eq mark(write(S)) = {written} ."
    filled = _SYSTEM.format(declared=declared, initially=initially, after=after, more=more, claim=claim)
    return _STAGE + _MARK + module + filled


def _numbers(equations: str, sort: str = "Nat", following: str = "n(S) + 1") -> str:
    text = _NUMBERS.replace("NUMBER", sort.upper()).replace("SORT", sort).replace("NEXT", following)
    return _MARK + text.replace("EQUATIONS", equations)


def _counter(module: str, sort: str, start: str, following: str, claim: str) -> str:
    return (
        f"mod* M {{ pr({module}) *[Sys]* op init : -> Sys bop n : Sys -> {sort} bop grow : Sys -> Sys "
        f"op safe : Sys -> Bool var S : Sys eq n(init) = {start} . eq n(grow(S)) = {following} . "
        f"eq safe(S) = {claim} . }}"
    )


_BAG = "[Stage < Bag] op z : -> Bag {constr} op _,_ : Bag Bag -> Bag {constr assoc comm id: z} vars B C : Bag"
_LIST = "[Stage < List] op nil : -> List {constr} op _;_ : List List -> List {constr assoc id: nil} vars K L : List"
_REVERSED = """mod* ELT { [Elt] }
mod! LIST { pr(ELT) [List] op nil : -> List {constr} op _|_ : Elt List -> List {constr} op app : List List -> List
  op rev : List -> List vars X Y : Elt vars K L : List
  eq app(nil, L) = L . eq app(X | K, L) = X | app(K, L) .
  eq rev(nil) = nil . eq rev(X | nil) = X | nil . eq rev(X | (Y | K)) = app(rev(K), X | nil) . }
mod* M { pr(LIST) *[Sys]* op init : -> Sys bops l m : Sys -> List bop add : Sys Elt -> Sys op safe : Sys -> Bool
  var S : Sys var X : Elt
  eq l(init) = nil . eq m(init) = nil . eq l(add(S, X)) = X | l(S) . eq m(add(S, X)) = app(m(S), X | nil) .
  eq safe(S) = (l(S) = rev(m(S))) . }"""
_SUBSORTS = """mod* PID { [Boss < Pid] op b : -> Boss }
mod* M { pr(PID + MARK) *[Sys]* op init : -> Sys bop at : Sys Pid -> Mark bop seen : Sys -> Mark
  bop look : Sys Pid -> Sys op safe : Sys -> Bool op known : Sys Boss -> Bool var S : Sys vars I J : Pid var B : Boss
  eq at(init, I) = (if I = b then ok else bad fi) . eq seen(init) = ok .
  eq at(look(S, I), J) = at(S, J) . eq seen(look(S, I)) = at(S, I) .
  eq known(S, B) = (at(S, B) = ok) . eq safe(S) = (seen(S) = ok) . }"""
_STARTS = """mod* M { pr(STAGE + MARK) *[Sys]* op init : Stage -> Sys bop stage : Sys -> Stage bop mark : Sys -> Mark
  bop t : Sys -> Sys op safe : Sys -> Bool var S : Sys var X : Stage
  eq stage(init(X)) = X . ceq mark(init(X)) = ok if not (X = s3) . MORE
  eq stage(t(S)) = stage(S) . eq mark(t(S)) = mark(S) . eq safe(S) = (mark(S) = ok) . }"""


class Trap(NamedTuple):
    """A text with what check says of it, what a deep search says, and the entities of loose sorts."""

    text: str
    check: str
    search: str
    entities: tuple[tuple[str, tuple[str, ...]], ...] = ()
    is_true: bool = False


TRAPS = {
    "an equation between constructors": Trap(_system(f"eq s3 = s2 . {_LATE_IS_BAD}"), "broken", "holds"),
    "one half of a pair without an order": Trap(
        _system(
            "[Pair] op pair : Stage Stage -> Pair {constr comm} op one : Pair -> Stage eq one(pair(X, Y)) = X . "
            + _LATE_IS_BAD,
            "judge(one(pair(s0, stage(S))))",
        ),
        "broken",
        "holds",
    ),
    "any element of a list": Trap(
        _system(
            f"{_LIST} {_LATE_IS_BAD} op any : List -> Mark eq any(nil) = ok . eq any(K ; X ; L) = judge(X) .",
            "any(s0 ; stage(S))",
        ),
        "broken",
        "violated",
    ),
    "both ends of a queue": Trap(
        _system(
            f"{_LIST} {_LATE_IS_BAD} op top : List -> Stage eq top(nil) = s0 . eq top(X ; K) = X . eq top(K ; X) = X .",
            "judge(top(s0 ; stage(S)))",
        ),
        "broken",
        "holds",
    ),
    "a pattern that the identity matches": Trap(
        _system(f"{_BAG} op g : Bag -> Mark eq g(z) = ok . eq g((B , C)) = bad .", "g(z)"), "broken", "holds"
    ),
    "a condition that binds by any of several matches": Trap(
        _system(
            f"{_BAG} {_LATE_IS_BAD} op g : Bag -> Mark eq g(z) = ok . ceq g(B) = judge(X) if (X , C) := B .",
            "g((s0 , stage(S)))",
        ),
        "broken",
        "holds",
    ),
    "the size of an idempotent collection": Trap(
        _system(
            f"pr(NAT) {_BAG.replace('comm id', 'comm idem id')} op size : Bag -> Nat "
            "eq size(z) = 0 . eq size((X , B)) = 1 + size(B) .",
            "(if size((s3 , stage(S))) = 2 then ok else bad fi)",
        ),
        "broken",
        "violated",
    ),
    "a conditional that another equation contradicts": Trap(
        _system("op judge : Stage -> Mark eq judge(X) = (if X = s3 then bad else ok fi) . eq judge(X) = ok ."),
        "broken",
        "violated",
    ),
    "the same in the other order": Trap(
        _system("op judge : Stage -> Mark eq judge(X) = ok . eq judge(X) = (if X = s3 then bad else ok fi) ."),
        "broken",
        "holds",
    ),
    "a gap between two comparisons": Trap(
        _numbers("ceq judge(N) = ok if N < 3 . ceq judge(N) = ok if 3 < N ."), "broken", "E512"
    ),
    "an overlap of two comparisons": Trap(
        _numbers("ceq judge(N) = ok if N <= 3 . ceq judge(N) = bad if 3 <= N ."), "broken", "violated"
    ),
    "a late number": Trap(_numbers("ceq judge(N) = ok if N < 4 . ceq judge(N) = bad if 4 <= N ."), "sound", "violated"),
    "a number below zero": Trap(
        _numbers("ceq judge(N) = ok if -3 < N . ceq judge(N) = bad if N <= -3 .", "Int", "n(S) - 1"),
        "sound",
        "violated",
    ),
    "a rational between 0 and 1": Trap(
        _counter("RAT", "Rat", "0", "n(S) + 1/2", "(n(S) < 1) implies (n(S) <= 0)"), "sound", "violated"
    ),
    "a symmetric difference": Trap(
        _counter("NAT", "Nat", "3", "sd(n(S), 1)", "0 < n(S)"), "sound", "violated"
    ),
    "a limit that is left open": Trap(
        "mod* LIM { pr(NAT) op lim : -> Nat }"
        + _counter("LIM", "Nat", "0", "(if n(S) < lim then n(S) + 1 else n(S) fi)", "n(S) <= 5"),
        "sound",
        "E512",
    ),
    "an instance of a module that takes both": Trap(
        _system(
            "mod! FIRST(X :: TRIV) { op first : Elt Elt -> Elt vars A B : Elt "
            "eq first(A, B) = A . eq first(A, B) = B . } "
            f"mod! J {{ pr(FIRST(STAGE {{ sort Elt -> Stage }})) pr(MARK) {_LATE_IS_BAD} }}",
            "judge(first(s0, stage(S)))",
        ),
        "broken",
        "holds",
    ),
    "a view whose axiom is not true": Trap(
        _system(
            "mod* ORD { [Elt] op _<<_ : Elt Elt -> Bool eq (X:Elt << X) = false . } "
            "mod! REL { pr(STAGE) op le : Stage Stage -> Bool vars X Y : Stage eq le(X, Y) = (X = Y) or (X = s0) . } "
            "mod! TEST(X :: ORD) { pr(MARK) op judge : Elt -> Mark "
            "eq judge(A:Elt) = (if A << A then bad else ok fi) . } "
            "mod! J { pr(TEST(REL { sort Elt -> Stage, op _<<_ -> le })) }"
        ),
        "sound",
        "violated",
    ),
    "an operator that is renamed to another one": Trap(
        _system(
            f"mod! J0 {{ pr(STAGE + MARK) {_ALL_OK} }} "
            "mod! J1 { pr(STAGE + MARK) op late : Stage -> Mark eq late(s3) = bad . } "
            "mod! J { pr(J0 + J1 * { op late -> judge }) }"
        ),
        "broken",
        "holds",
    ),
    "a behavioural equation between states": Trap(
        _system(_LATE_IS_BAD, more="beq grow(grow(S)) = S ."), "broken", "holds"
    ),
    "an equation on a connective": Trap(
        _system(_LATE_IS_BAD, more="eq ((mark(S) = bad) and (stage(S) = s3)) = false ."), "doubtful", "violated"
    ),
    "an equation on equality": Trap(
        _system(_LATE_IS_BAD, more="eq (mark(S) = bad) = false ."), "broken", "violated"
    ),
    "an observer that is defined twice": Trap(
        _system(_LATE_IS_BAD, after="eq mark(write(S)) = ok . eq mark(write(S)) = judge(stage(S)) ."), "broken", "holds"
    ),
    "a condition about the state after the step": Trap(
        _system(
            _ALL_OK,
            after="ceq mark(write(S)) = ok if stage(write(S)) = s0 . "
            "ceq mark(write(S)) = bad if not (stage(write(S)) = s0) .",
        ),
        "sound",
        "violated",
    ),
    "a condition without a value": Trap(
        _system(
            "op early : Stage -> Bool eq early(s0) = true . eq early(s1) = true . eq early(s2) = true .",
            after="ceq mark(write(S)) = ok if early(stage(S)) . ceq mark(write(S)) = bad if not early(stage(S)) .",
        ),
        "broken",
        "E513",
    ),
    "a loose function": Trap(
        _system(
            "mod* J { pr(STAGE + MARK) op judge : Stage -> Mark "
            "eq judge(s0) = ok . eq judge(s1) = ok . eq judge(s2) = ok . }"
        ),
        "sound",
        "E512",
    ),
    "no initial value": Trap(_system(_ALL_OK, initially=""), "sound", "violated"),
    "an initial value in some cases": Trap(_STAGE + _MARK + _STARTS.replace("MORE", ""), "sound", "E512"),
    "a bad initial value": Trap(
        _STAGE + _MARK + _STARTS.replace("MORE", "ceq mark(init(X)) = bad if X = s3 ."), "sound", "violated"
    ),
    "a second initial state": Trap(
        _system(_ALL_OK, declared="op start : -> Sys", more="eq stage(start) = s3 . eq mark(start) = bad ."),
        "sound",
        "violated",
    ),
    "two transitions of one name": Trap(
        _system(
            _ALL_OK,
            declared="bop write : Sys Stage -> Sys",
            more="eq stage(write(S, G)) = stage(S) . ceq mark(write(S, G)) = bad if stage(S) = s3 . "
            "ceq mark(write(S, G)) = mark(S) if not (stage(S) = s3) .",
        ),
        "sound",
        "violated",
    ),
    "a wrong function that a lemma would need": Trap(_REVERSED, "sound", "violated", (("Elt", ("e1", "e2")),)),
    "a lemma about a subsort only": Trap(
        _MARK + _SUBSORTS, "sound", "violated", (("Pid", ("q",)), ("Boss", ("b",)))
    ),
    "an equation for all other cases": Trap(
        _system("op judge : Stage -> Mark eq judge(s3) = bad . eq judge(X) = ok {owise} ."), "doubtful", "violated"
    ),
    "an observer in all other cases": Trap(
        _system(_ALL_OK, after="ceq mark(write(S)) = bad if stage(S) = s3 . eq mark(write(S)) = ok {owise} ."),
        "doubtful",
        "violated",
    ),
    "constants of two sorts with the same name": Trap(
        _system(
            f"mod! FLAG {{ [Flag] ops ok bad : -> Flag {{constr}} }} mod! J {{ pr(STAGE + MARK + FLAG) {_LATE_IS_BAD} "
            "op flag : Mark -> Flag eq flag(bad) = ok . eq flag(ok) = ok . }",
            claim="(flag(mark(S)) = (ok):Flag)",
        ),
        "sound",
        "holds",
        is_true=True,
    ),
}  # fmt: skip


def _ots(name: str) -> Ots:
    return ots_of(TRAPS[name].text)


@pytest.mark.parametrize("name", TRAPS)
def test_check_says_what_is_wrong(name: str) -> None:
    assert check(_ots(name)).verdict == TRAPS[name].check


@pytest.mark.parametrize("name", TRAPS)
def test_igf_verifies_what_is_true_only(name: str) -> None:
    trap = TRAPS[name]
    ots = _ots(name)
    invariant = next(i for i in ots.invariants if i.name == "safe")
    space = RewritingSpace(instance_of(ots, {sort: list(entities) for sort, entities in trap.entities}))
    for with_states in (True, False):
        try:
            options = Options(depth=1, timeout=60, max_cases=30)
            told = igf(ots, space if with_states else None, invariant, options).verdict.value
        except OtsrwError as error:
            assert error.problem.code == trap.search
            continue
        assert (told == "verified") == trap.is_true
        assert not (told == "falsified" and trap.search == "holds"), "they contradict each other"


@pytest.mark.parametrize("name", TRAPS)
def test_search_finds_the_violation(name: str) -> None:
    trap = TRAPS[name]
    instance = instance_of(_ots(name), {sort: list(entities) for sort, entities in trap.entities})
    for space in (MaudeSpace, RewritingSpace) if trap.check == "sound" else (RewritingSpace,):
        try:
            told: str = space(instance).search(invariant_named(instance, "safe"), 7).verdict
        except OtsrwError as error:
            told = error.problem.code
        assert told == trap.search, space


# --- what is not even recognised

_PEOPLE = """mod* PID { [Boss < Pid] }
mod* M { pr(PID + MARK) *[Sys]* op init : -> Sys bop at : Sys Pid -> Mark bop hit : Sys Pid -> Sys
  op safe : Sys Pid -> Bool op c-hit : Sys Pid -> Bool var S : Sys vars I J : Pid var B : Boss
  eq at(init, I) = ok . eq at(hit(S, I), J) = at(S, J) . eq c-hit(S, I) = true . MORE }"""


def test_a_predicate_that_is_defined_for_a_subsort_only_is_no_invariant() -> None:
    ots = ots_of(_MARK + _PEOPLE.replace("MORE", "eq safe(S, B) = (at(S, B) = ok) ."))
    assert ots.invariants == ()


def test_a_step_that_is_idle_for_a_subsort_only_is_refused() -> None:
    more = "eq safe(S, I) = true . ceq hit(S, B) = S if not c-hit(S, B) ."
    ots = ots_of(_MARK + _PEOPLE.replace("MORE", more))
    assert ["for some arguments" in finding.message for finding in ots.findings if finding.code == "E505"] == [True]
    assert ots.transitions[0].condition is None

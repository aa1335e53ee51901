"""Specifications that mean two things, or nothing: check refuses them, igf verifies none, search contradicts neither.

A system goes through four stages and writes a mark. What is wrong shows in the last stage only, or nowhere at all:
the real CafeOBJ accepts the proof scores that a prover without such care would write for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import pytest
from specifications import instance_of, invariant_named, ots_of

from otsrw.induction.procedure import igf
from otsrw.induction.results import Options
from otsrw.ots import Ots
from otsrw.search import MaudeSpace, RewritingSpace
from otsrw.soundness import check
from otsrw.syntax.diagnostics import OtsrwError

_DATA = """
mod! STAGE { [Stage] ops s0 s1 s2 s3 : -> Stage {constr} op up : Stage -> Stage
  eq up(s0) = s1 . eq up(s1) = s2 . eq up(s2) = s3 . eq up(s3) = s3 . }
mod! MARK { [Mark] ops ok bad : -> Mark {constr} }
"""
_SYSTEM = """
mod* M {{ pr({data}) *[Sys]* op init : -> Sys bop stage : Sys -> Stage bop mark : Sys -> Mark
  bop grow : Sys -> Sys bop write : Sys -> Sys op safe : Sys -> Bool var S : Sys var G : Stage
  eq stage(init) = s0 . eq mark(init) = ok .
  eq stage(grow(S)) = up(stage(S)) . eq mark(grow(S)) = mark(S) .
  eq stage(write(S)) = stage(S) . eq mark(write(S)) = {written} .
  eq safe(S) = (mark(S) = ok) . {more} }}
"""
DEEP = 6


class Trap(NamedTuple):
    """A text, and what is right: of check, of igf without a deep search, and of a deep search.

    If a search stops at a gap, so may igf when it extends a counterexample.
    """

    text: str
    check: str
    igf: str
    search: str
    entities: Mapping[str, list[str]] = MappingProxyType({})


def _system(module: str = "", written: str = "judge(stage(S))", data: str = "STAGE + MARK + J", more: str = "") -> str:
    return f"{_DATA} {module} {_SYSTEM.format(data=data, written=written, more=more)}"


def _judge(equations: str, more: str = "") -> str:
    return _system(f"mod! J {{ pr(STAGE + MARK) op judge : Stage -> Mark var X : Stage {more} {equations} }}")


_LOCAL = "STAGE + MARK"
_ELEMENTS = """
mod* ELT { [Elt] }
mod! SET { pr(ELT) [Elt < Set] op none : -> Set {constr} op __ : Set Set -> Set {constr assoc comm id: none}
  eq X:Elt X = X . }
"""
_PEOPLE = """mod* PEOPLE { [Boss < Man] }
mod! KIND { pr(PEOPLE) [Kind] ops high low : -> Kind {constr} op kind : Man -> Kind var B : Boss var X : Man
  eq kind(B) = high . eq kind(X) = low . }
mod* M { pr(KIND) *[Sys]* op init : -> Sys bop seen : Sys -> Kind bop see : Sys Man -> Sys
  op safe : Sys -> Bool var S : Sys var X : Man
  eq seen(init) = low . eq seen(see(S, X)) = kind(X) . eq safe(S) = (seen(S) = low) . }"""

TRAPS = {
    "a function that is right by the order of its equations": Trap(
        _judge("eq judge(s3) = bad . eq judge(X) = ok ."), "broken", "unknown", "violated"
    ),
    "the other order": Trap(_judge("eq judge(X) = ok . eq judge(s3) = bad ."), "broken", "unknown", "holds"),
    "a state function that is right by order": Trap(
        _system(
            data=_LOCAL,
            written="(if may(S) then bad else ok fi)",
            more="op may : Sys -> Bool ceq may(S) = true if stage(S) = s3 . eq may(S) = false .",
        ),
        "broken",
        "unknown",
        "violated",
    ),
    "a gap": Trap(_judge("eq judge(s0) = ok . eq judge(s1) = ok . eq judge(s2) = ok ."), "broken", "unknown", "E512"),
    "a gap in a condition": Trap(
        _judge(
            "ceq judge(X) = bad if look(X) . ceq judge(X) = ok if not look(X) .",
            "op look : Stage -> Bool eq look(s0) = false . eq look(s1) = false . eq look(s2) = false .",
        ),
        "broken",
        "unknown",
        "E512",
    ),
    "a third mark in an extension": Trap(
        _system(
            "mod* MORE { ex(MARK) op odd : -> Mark eq (odd = ok) = false . eq (odd = bad) = false . }"
            " mod! J { pr(STAGE + MORE) op judge : Stage -> Mark"
            " eq judge(s0) = ok . eq judge(s1) = ok . eq judge(s2) = ok . eq judge(s3) = odd . }"
        ),
        "broken",
        "unknown",
        "E512",
    ),
    "the predecessor of 0": Trap(
        _system(
            "mod! J { pr(STAGE + MARK + NAT) op left : Stage -> Nat"
            " eq left(s0) = 3 . eq left(s1) = 2 . eq left(s2) = 1 . eq left(s3) = 0 . }",
            written="(if (p left(stage(S))) = 7 then bad else ok fi)",
        ),
        "doubtful",
        "unknown",
        "E512",
    ),
    "marks that an equation makes equal": Trap(
        _judge("eq judge(X) = ok . eq (ok = bad) = true ."), "broken", "unknown", "holds"
    ),
    "a truth value that is rewritten": Trap(
        _judge("eq judge(X) = ok . eq true = false ."), "broken", "unknown", "holds"
    ),
    "a numeral that is rewritten": Trap(
        _system("mod! J { pr(STAGE + MARK + NAT) op judge : Stage -> Mark eq judge(X:Stage) = ok . eq 2 = 0 . }"),
        "broken",
        "unknown",
        "holds",
    ),
    "an equation that is ignored": Trap(_judge("eq judge(X) = ok . eq Y:Mark = ok ."), "broken", "unknown", "holds"),
    "a value of another sort": Trap(
        _system(
            "mod! J { pr(STAGE + MARK) [Fine < Stage] op best : -> Fine {constr} op raise : Stage -> Fine"
            " op judge : Stage -> Mark var X : Stage var F : Fine"
            " eq raise(X) = X . eq judge(F) = ok . eq judge(s0) = ok . eq judge(s1) = ok . eq judge(s2) = ok ."
            " eq judge(s3) = bad . }",
            written="judge(raise(stage(S)))",
        ),
        "broken",
        "not verified",
        "violated",
    ),
    "a state that no step makes": Trap(
        _system(data=_LOCAL, written="ok")
        + "mod* M2 { pr(M) op far : -> Sys bop jump : Sys -> Sys var S : Sys eq jump(S) = far . }",
        "broken",
        "unknown",
        "holds",
    ),
    "an equation that takes any element of a set": Trap(
        f"{_DATA} {_ELEMENTS}"
        """mod! PICK { pr(SET) op pick : Set -> Elt op joker : -> Elt eq pick(none) = joker .
             eq pick(X:Elt R:Set) = X . }
        mod* M { pr(PICK + MARK) *[Sys]* op init : -> Sys bop in : Sys -> Set bop mark : Sys -> Mark
          bop put : Sys Elt -> Sys bop write : Sys Elt -> Sys op safe : Sys -> Bool var S : Sys vars E F : Elt
          eq in(init) = none . eq mark(init) = ok .
          eq in(put(S, E)) = (E in(S)) . eq mark(put(S, E)) = mark(S) .
          eq in(write(S, E)) = in(S) . eq mark(write(S, E)) = (if pick(E in(S)) = E then mark(S) else bad fi) .
          eq safe(S) = (mark(S) = ok) . }""",
        "broken",
        "not verified",
        "violated",
        {"Elt": ["e1", "e2"]},
    ),
    "the size of a set": Trap(
        f"{_ELEMENTS}"
        """mod! SIZE { pr(SET + NAT) op size : Set -> Nat eq size(none) = 0 . eq size(X:Elt R:Set) = size(R) + 1 . }
        mod* M { pr(SIZE) *[Sys]* op init : -> Sys bop in : Sys -> Set bop n : Sys -> Nat bop put : Sys Elt -> Sys
          op safe : Sys -> Bool var S : Sys var E : Elt
          eq in(init) = none . eq n(init) = 0 . eq in(put(S, E)) = (E in(S)) . eq n(put(S, E)) = n(S) + 1 .
          eq safe(S) = (n(S) = size(in(S))) . }""",
        "broken",
        "not verified",
        "violated",
        {"Elt": ["e1", "e2"]},
    ),
    "an equation for a subsort": Trap(_PEOPLE, "broken", "not verified", "violated", {"Man": ["m1"], "Boss": ["b1"]}),
    "constants of a loose sort in a tight module": Trap(
        """mod* PID { [Pid] } mod! NAMED { pr(PID) ops king queen : -> Pid {constr} }
        mod* M { pr(NAMED) *[Sys]* op init : -> Sys bop who : Sys -> Pid bop t : Sys -> Sys
          op safe : Sys -> Bool var S : Sys
          eq who(init) = king . eq who(t(S)) = king . eq safe(S) = not (who(S) = queen) . }""",
        "doubtful",
        "unknown",
        "holds",
    ),
    "a special entity in the initial state": Trap(
        """mod* PID { [Pid] op p1 : -> Pid } mod! MARK { [Mark] ops ok bad : -> Mark {constr} }
        mod* M { pr(PID + MARK) *[Sys]* op init : -> Sys bop at : Sys Pid -> Mark bop t : Sys -> Sys
          op safe : Sys Pid -> Bool var S : Sys var I : Pid
          eq at(init, p1) = bad . eq at(init, I) = ok . eq at(t(S), I) = at(S, I) .
          eq safe(S, I) = (at(S, I) = ok) . }""",
        "broken",
        "unknown",
        "holds",
        {"Pid": ["q1", "q2"]},
    ),
    "a contradiction that nothing depends on": Trap(
        _judge("eq judge(X) = ok .", "op liar : Stage -> Bool eq liar(X) = not liar(X) ."),
        "sound",
        "verified",
        "holds",
    ),
    "nothing wrong": Trap(_judge("eq judge(X) = ok ."), "sound", "verified", "holds"),
}


def _ots(trap: Trap) -> Ots:
    return ots_of(trap.text)


@pytest.mark.parametrize("name", TRAPS)
def test_check_knows_a_trap(name: str) -> None:
    assert check(_ots(TRAPS[name])).verdict == TRAPS[name].check


@pytest.mark.parametrize("name", TRAPS)
def test_igf_verifies_no_trap(name: str) -> None:
    trap = TRAPS[name]
    ots = _ots(trap)
    invariant = next(i for i in ots.invariants if i.name == "safe")
    space = RewritingSpace(instance_of(ots, trap.entities))
    for depth in (1, 2):
        try:
            told = igf(ots, space, invariant, Options(depth=depth, timeout=60)).verdict.value
        except OtsrwError as error:
            told = error.problem.code
            assert told == trap.search, "a gap that a counterexample leads to"
            continue
        assert told == trap.igf or (trap.igf == "not verified" and told in ("falsified", "unknown"))
        assert not (told == "verified" and trap.search == "violated"), "they contradict each other"


@pytest.mark.parametrize("space", [MaudeSpace, RewritingSpace])
@pytest.mark.parametrize("name", TRAPS)
def test_search_tells_a_trap_by_its_values(name: str, space: type[MaudeSpace | RewritingSpace]) -> None:
    trap = TRAPS[name]
    instance = instance_of(_ots(trap), trap.entities)
    invariant = invariant_named(instance, "safe")
    try:
        told: str = space(instance).search(invariant, DEEP).verdict
    except OtsrwError as error:
        told = error.problem.code
    assert told == trap.search

"""Mutants of verified specifications: whenever search finds a violation, igf does not say verified."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from specifications import SPECS, instance_of, ots_of

from otsrw.induction.procedure import igf
from otsrw.induction.results import Options
from otsrw.search import search
from otsrw.search.space import MaudeSpace

SECONDS = 6.0


@dataclass(frozen=True)
class Mutant:
    """`old` in a specification becomes `new`; the least depth of a violation, or None if there is none so deep."""

    spec: str
    invariant: str
    old: str
    new: str
    violated: int | None
    depth: int = 12
    slow: bool = False


_ENTER_PETERSON = "(not flag(S, other(J)) or (turn(S) = J))"
_LOWER = "(if I = J then false else flag(S, I) fi)"

MUTANTS = {
    "tas: enter looks at no lock": Mutant("tas", "mutex", "(pc(S, J) = rs) and not locked(S)", "(pc(S, J) = rs)", 2),
    "tas: enter looks at the lock the wrong way": Mutant(
        "tas", "mutex", "(pc(S, J) = rs) and not locked(S)", "(pc(S, J) = rs) and locked(S)", None
    ),
    "tas: enter leaves the lock open": Mutant(
        "tas", "mutex", "locked(enter(S, J)) = true", "locked(enter(S, J)) = false", 2
    ),
    "tas: who leaves may be outside": Mutant(
        "tas", "mutex", "c-leave(S, J) = (pc(S, J) = cs)", "c-leave(S, J) = true", 3
    ),
    "tas: leave keeps the lock": Mutant(
        "tas", "mutex", "locked(leave(S, J)) = false", "locked(leave(S, J)) = true", None
    ),
    "tas: enter moves the others": Mutant(
        "tas", "mutex", "(if I = J then cs else pc(S, I) fi)", "(if I = J then pc(S, I) else cs fi)", 1
    ),
    "tas: initially inside": Mutant("tas", "mutex", "eq pc(init, I) = rs", "eq pc(init, I) = cs", 0),
    "tas: initially locked": Mutant("tas", "mutex", "eq locked(init) = false", "eq locked(init) = true", None),
    "qlock: try looks at no queue": Mutant("qlock", "mutex", " and (top(queue(S)) = J) .", " .", 4),
    "qlock: only the others may try": Mutant(
        "qlock", "mutex", "and (top(queue(S)) = J) .", "and not (top(queue(S)) = J) .", 5
    ),
    "qlock: the head leaves when it enters": Mutant(
        "qlock", "mutex", "eq queue(try(S, J)) = queue(S) .", "ceq queue(try(S, J)) = get(queue(S)) if c-try(S, J) .", 4
    ),
    "qlock: whoever wants empties the queue": Mutant(
        "qlock", "mutex", "queue(want(S, J)) = put(queue(S), J)", "queue(want(S, J)) = put(empty, J)", 4
    ),
    "qlock: exit without being inside": Mutant(
        "qlock", "mutex", "c-exit(S, J) = (pc(S, J) = cs)", "c-exit(S, J) = not (pc(S, J) = wt)", 5
    ),
    "qlock: exit keeps the queue": Mutant(
        "qlock", "mutex", "queue(exit(S, J)) = get(queue(S))", "queue(exit(S, J)) = queue(S)", None, 6
    ),
    "peterson: enter looks at nothing": Mutant("peterson", "mutex", f" and {_ENTER_PETERSON}", "", 6),
    "peterson: enter looks at the turn only": Mutant("peterson", "mutex", _ENTER_PETERSON, "(turn(S) = J)", None),
    "peterson: enter looks at its own flag": Mutant(
        "peterson", "mutex", _ENTER_PETERSON, "(not flag(S, J) or (turn(S) = J))", None
    ),
    "peterson: or is and": Mutant("peterson", "mutex", ") or (turn(S) = J))", ") and (turn(S) = J))", None),
    "peterson: the turn goes to oneself": Mutant(
        "peterson", "mutex", "turn(yield(S, J)) = other(J)", "turn(yield(S, J)) = J", 6
    ),
    "peterson: no flag is raised": Mutant(
        "peterson", "mutex", "(if I = J then true else flag(S, I) fi)", "flag(S, I)", 6
    ),
    "peterson: leave lowers the other flag": Mutant(
        "peterson", "mutex", _LOWER, "(if I = J then flag(S, I) else false fi)", 10
    ),
    "flag-turn: enter looks at no flag": Mutant(
        "flag-turn", "mutex", "(pc(S, J) = wt) and not flag(S, other(J)) .", "(pc(S, J) = wt) .", 4
    ),
    "flag-turn: enter looks at its own flag": Mutant(
        "flag-turn", "mutex", "and not flag(S, other(J)) .", "and not flag(S, J) .", None
    ),
    "flag-turn: no flag when it wants": Mutant(
        "flag-turn",
        "mutex",
        "ceq flag(want(S, J), I) = (if I = J then true else flag(S, I) fi)",
        "ceq flag(want(S, J), I) = flag(S, I)",
        4,
    ),
    "flag-turn: again without a flag": Mutant(
        "flag-turn",
        "mutex",
        "ceq flag(again(S, J), I) = (if I = J then true else flag(S, I) fi)",
        "ceq flag(again(S, J), I) = flag(S, I)",
        9,
    ),
    "flag-turn: again out of turn": Mutant(
        "flag-turn", "mutex", "(pc(S, J) = bk) and (turn(S) = J)", "(pc(S, J) = bk)", None
    ),
    "ticket-atomic: the machine stands still": Mutant(
        "ticket-atomic", "mutex", "tvm(draw(S, J)) = s(tvm(S))", "tvm(draw(S, J)) = tvm(S)", 4
    ),
    "ticket-atomic: enter at any turn": Mutant("ticket-atomic", "mutex", " and (ticket(S, J) = turn(S)) .", " .", 4),
    "two-phase-commit: refuse when prepared": Mutant(
        "two-phase-commit",
        "agreement",
        "c-refuse(S, Q) = (phase(S, Q) = working)",
        "c-refuse(S, Q) = not (phase(S, Q) = committed)",
        9,
        slow=True,
    ),
    "two-phase-commit: commit without hearing from all": Mutant(
        "two-phase-commit", "agreement", "(decision(S) = working) and everyone(heard(S))", "(decision(S) = working)", 3
    ),
    "two-phase-commit: abort after a decision": Mutant(
        "two-phase-commit", "agreement", "c-abort(S) = (decision(S) = working)", "c-abort(S) = true", 10, slow=True
    ),
    "two-phase-commit: collect from anybody": Mutant(
        "two-phase-commit",
        "agreement",
        "(decision(S) = working) and (ready(Q) \\in nw(S))",
        "(decision(S) = working)",
        6,
    ),
}


def _rows() -> list[object]:
    return [pytest.param(m, id=name, marks=[pytest.mark.slow] if m.slow else []) for name, m in MUTANTS.items()]


@pytest.mark.parametrize("mutant", _rows())
def test_a_mutant_is_not_verified_if_it_has_a_violation(mutant: Mutant) -> None:
    text = (SPECS / f"{mutant.spec}.cafe").read_text(encoding="utf-8")
    assert mutant.old in text
    ots = ots_of(text.replace(mutant.old, mutant.new, 1))
    instance = instance_of(ots)
    invariant = next(i for i in ots.invariants if i.name == mutant.invariant)
    found = search(instance, next(i for i in instance.ots.invariants if i.name == mutant.invariant), mutant.depth)
    assert (found.depth if found.verdict == "violated" else None) == mutant.violated
    depth = 1 if mutant.violated is None else max(0, mutant.violated - 1)
    verdict = igf(ots, MaudeSpace(instance), invariant, Options(depth=depth, timeout=SECONDS)).verdict
    assert verdict in (("falsified", "unknown") if mutant.violated is not None else ("verified", "unknown"))

"""Is a target of a goal proved? By reduction of its sides, or because the assumptions contradict each other.

CafeOBJ 1.6.0 says yes in some cases in which nothing is proved. Those are found here, too, and become doubts: the goal
stays open. docs/citp.md lists them.
"""

from __future__ import annotations

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import Goal, NoteKind, TacticNote, WrongClosing
from otsrw.proofs.citp.sentences import sides, with_constants
from otsrw.records import NamedTuple
from otsrw.theory.builtins import SYNTACTIC_TESTS, Builtin
from otsrw.theory.modules import Axiom, Module
from otsrw.theory.printing import show_briefly
from otsrw.theory.terms import Term, symbols_of


class TargetCheck(NamedTuple):
    """What was found out about a target. `normal` is the target with its sides and condition reduced."""

    is_proved: bool
    normal: Axiom
    notes: tuple[TacticNote, ...] = ()
    by_contradiction: bool = False
    doubt: str | None = None
    """Why CafeOBJ is wrong to discharge the target; None if it does not, or is right."""


class Contradiction(NamedTuple):
    """Why the assumptions of a goal cannot hold together, as CafeOBJ says it; `doubt` if that does not follow."""

    note: TacticNote
    doubt: str | None = None


def check(bench: GoalBench, goal: Goal, target: Axiom, tactic: str) -> TargetCheck:
    """Whether the target holds in the goal."""
    found = contradiction(bench, goal, tactic)
    if found is not None and found.doubt is None:
        return TargetCheck(True, target, (found.note,), by_contradiction=True)
    answer = _by_reduction(bench, goal, target)
    if answer.is_proved:
        return answer
    if found is not None:
        return answer._replace(doubt=found.doubt)
    return answer if answer.doubt is not None else answer._replace(doubt=_merged(bench, goal, target, tactic))


def _by_reduction(bench: GoalBench, goal: Goal, target: Axiom) -> TargetCheck:
    left = bench.reduce(goal, target.lhs)
    if target.is_transition:
        left = bench.reduce(goal, left, transitions=True)
    right = bench.reduce(goal, target.rhs)
    condition = None if target.condition is None else bench.reduce(goal, target.condition)
    normal = target._replace(lhs=left, rhs=right, condition=condition)
    if condition is not None and condition is not bench.connectives.true:
        return TargetCheck(False, normal)
    equal = left is right or (not target.is_transition and _equal(bench, goal, left, right))
    if equal:
        return TargetCheck(True, normal)
    doubt = None
    if condition is not None:
        doubt = (
            "it does not compare the sides of a conditional sentence whose condition holds, "
            f"and {show_briefly(left)} and {show_briefly(right)} are not the same"
        )
    return TargetCheck(False, normal, doubt=doubt)


def _equal(bench: GoalBench, goal: Goal, left: Term, right: Term) -> bool:
    return bench.reduce(goal, bench.connectives.equal(left, right)) is bench.connectives.true


def _merged(bench: GoalBench, goal: Goal, target: Axiom, tactic: str) -> str | None:
    """Is the target proved if unrelated constants are one constant, as in CafeOBJ?"""
    if not goal.merged:
        return None
    images = dict(goal.merged)
    assumptions = tuple(with_constants(axiom, images) for axiom in goal.assumptions)
    other = goal._replace(assumptions=assumptions, merged=())
    if not check(bench, other, with_constants(target, images), tactic).is_proved:
        return None
    names = ", ".join(f"{theirs.op.name} (here also {ours.op.name})" for ours, theirs in goal.merged)
    return f"it has one constant where the proof needs different ones: {names}"


def contradiction(bench: GoalBench, goal: Goal, tactic: str) -> Contradiction | None:
    """What makes the assumptions contradictory in CafeOBJ's eyes; one that really does is preferred."""
    found: Contradiction | None = None
    for axiom in reversed((*bench.context.axioms[::-1], *goal.assumptions)):
        seen = _contradictory(bench, goal, axiom, tactic)
        if seen is not None and seen.doubt is None:
            return seen
        found = found or seen
    true, false = bench.truths
    if bench.reduce(goal, bench.connectives.equal(true, false)) is true:
        return Contradiction(TacticNote(NoteKind.CONTRADICTION, tactic))
    return found


def _contradictory(bench: GoalBench, goal: Goal, axiom: Axiom, tactic: str) -> Contradiction | None:
    """A sentence `true = t` or `false = t` whose condition holds, or `true = false` under any condition."""
    if axiom.lhs not in bench.truths or axiom.lhs is axiom.rhs:
        return None
    holds = axiom.condition is None or bench.reduce(goal, axiom.condition) is bench.connectives.true
    if holds:
        note = TacticNote(NoteKind.CONTRADICTION, tactic, (axiom,))
        value = bench.reduce(goal, axiom.rhs)
        if value in bench.truths and value is not axiom.lhs:
            return Contradiction(note)
        reason = f"{show_briefly(axiom.lhs)} = {show_briefly(axiom.rhs)} does not contradict anything"
        return Contradiction(
            note, f"it takes every equation with a truth value on its left side for a contradiction; {reason}"
        )
    if axiom.rhs in bench.truths:
        condition = "" if axiom.condition is None else show_briefly(axiom.condition)
        reason = f"it takes a sentence for a contradiction although its condition, {condition}, is not shown to hold"
        return Contradiction(TacticNote(NoteKind.CONTRADICTORY_ASSUMPTION, tactic, (axiom,)), reason)
    return None


def granted(bench: GoalBench, goal: Goal, target: Axiom) -> tuple[str, ...]:
    """What a reduction of the target may rely on although it is about terms as they are written, not about values.

    Constants of a proof stand for any value: `c == d`, `c :is S`, a search from `c` and an `owise` look only at `c`.
    """
    found = bench.context.base.derived(_looks_at_terms)
    for axiom in (target, *goal.assumptions, *bench.context.axioms):
        found = found | _looking(axiom)
    return tuple(text for text in _LOOKS if text in found)


_LOOKS = {
    "== and =/=, which compare how terms are written, say what they say of values": SYNTACTIC_TESTS,
    "a term has the sort that a test with ':is' finds for it, and no lower one": (Builtin.IS,),
    "a search finds all that there is to find, and variables in its pattern stand for some value": (Builtin.SEARCH,),
    "=b=, which compares terms as far as it can, says what it says of states": (Builtin.BEHAVES,),
    "an equation with 'owise' is used only where no other equation holds": (),
}
"""What is taken for granted, and the operators that look at terms as they are written."""
_OTHERWISE = list(_LOOKS)[-1]


def _looking(axiom: Axiom) -> frozenset[str]:
    natives = {symbol.native for side in sides(axiom) for symbol in symbols_of(side)}
    found = {text for text, tests in _LOOKS.items() if natives.intersection(tests)}
    return frozenset(found | {_OTHERWISE} if axiom.otherwise else found)


def _looks_at_terms(module: Module) -> frozenset[str]:
    own = (axiom for inner in module.closure() if not inner.is_system for axiom in inner.axioms)
    return frozenset(text for axiom in own for text in _looking(axiom))


def doubts_of(goal: Goal, checks: list[TargetCheck]) -> tuple[WrongClosing, ...]:
    """The doubts of some checks, each once."""
    reasons = dict.fromkeys(found.doubt for found in checks if found.doubt is not None)
    return tuple(WrongClosing(goal.name, reason) for reason in reasons)

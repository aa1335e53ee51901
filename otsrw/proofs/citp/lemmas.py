"""Lemmas in a goal: `:init` adds an instance of a sentence, `:use` a sentence that was discharged before."""

from __future__ import annotations

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import Goal, NoteKind, TacticDefinition, TacticNote, TacticOutcome
from otsrw.proofs.citp.sentences import instance, labelled, plain_labels, sides
from otsrw.syntax.diagnostics import TheoryProblem
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import show_briefly


class InitFlags:
    """The flags of `:init`: are the terms of the substitution reduced, and the left side of the instance?"""

    def __init__(self, terms: bool, left: bool) -> None:
        self.terms = terms
        self.left = left


def initialise(bench: GoalBench, goal: Goal, lemma: TacticDefinition, flags: InitFlags) -> TacticOutcome:
    """The goal with an instance of a sentence as a new assumption."""
    axiom = lemma.axioms[0]
    bindings = {v: bench.reduce(goal, term) if flags.terms else term for v, term in lemma.bindings}
    made = stated = instance(axiom, bindings)
    if flags.left:
        made = made._replace(lhs=bench.reduce(goal, made.lhs))
    how = "INIT" if lemma.bindings else "NIL"
    labels = (lemma.label,) if lemma.label else (how, *plain_labels(axiom))
    made = labelled(made, *labels)
    note = TacticNote(NoteKind.INITIALIZED, "init", (made,), goal.name)
    assumed = (f"in goal {goal.name} the sentence given to :init holds: {_text(axiom)}",) if lemma.is_given else ()
    changed = goal._replace(assumptions=(*goal.assumptions, made))
    if made.condition is None and (made.lhs, made.rhs) == bench.truths[::-1]:
        changed = changed._replace(premises=(*goal.premises, stated.lhs))
    return TacticOutcome(changed, (), (note,), assumed=assumed)


def _text(axiom: Axiom) -> str:
    condition = "" if axiom.condition is None else f" if {show_briefly(axiom.condition)}"
    return f"{show_briefly(axiom.lhs)} = {show_briefly(axiom.rhs)}{condition}"


def sentence_labelled(bench: GoalBench, goal: Goal, label: str) -> Axiom:
    """The one sentence with a label that the goal sees."""
    found = bench.rules_labelled(label, goal)
    if not found:
        raise TheoryProblem("E309", f"no sentence has the label {label}")
    if len(found) > 1:
        hint = "give the instances labels of their own: ':init as NEW [label] by ..'"
        raise TheoryProblem("E309", f"several sentences have the label {label}", hint=hint)
    return found[0]


def used(goal: Goal, sentences: tuple[Axiom, ...]) -> Goal:
    """The goal with discharged sentences as assumptions."""
    known = [tuple(sides(axiom)) for axiom in goal.assumptions]
    fresh = tuple(axiom for axiom in sentences if tuple(sides(axiom)) not in known)
    return goal._replace(assumptions=(*goal.assumptions, *fresh))

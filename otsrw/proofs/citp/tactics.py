"""The built-in tactics that look at one goal: `tc`, `ip`, `ip+`, `rd`, `rd-`, `nf`, `ct`."""

from __future__ import annotations

from collections.abc import Callable

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.checking import TargetCheck, check, contradiction, doubts_of, granted
from otsrw.proofs.citp.goals import Goal, NoteKind, TacticNote, TacticOutcome, WrongClosing
from otsrw.proofs.citp.sentences import instance, labelled, under_label, variables_in
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.terms import Term, subterms

Tactic = Callable[[GoalBench, Goal], TacticOutcome]

# --- reduction


def check_targets(bench: GoalBench, goal: Goal, tactic: str) -> tuple[TacticOutcome, tuple[Axiom, ...]]:
    """Discharge the targets that hold; gives the goal with them as proved, and the normal forms of the others."""
    checks = [check(bench, goal, target, tactic) for target in goal.targets]
    notes: list[TacticNote] = []
    proved, left, normal = [], [], []
    for target, found in zip(goal.targets, checks, strict=True):
        if found.is_proved:
            notes += [*found.notes, TacticNote(NoteKind.DISCHARGED, tactic, (target,))]
            proved.append(under_label(_proof_label(found, tactic), target))
        else:
            left.append(target)
            normal.append(found.normal)
    changed = goal._replace(targets=tuple(left), proved=tuple(proved))
    done = (target for target, found in zip(goal.targets, checks, strict=True) if found.is_proved)
    assumed = tuple(dict.fromkeys(text for target in done for text in granted(bench, goal, target)))
    outcome = TacticOutcome(changed, (), tuple(notes), doubts_of(goal, checks), assumed=assumed)
    return outcome, tuple(normal)


def _proof_label(found: TargetCheck, tactic: str) -> str:
    return f"CT-{tactic}" if found.by_contradiction else tactic.upper()


def _closing(outcome: TacticOutcome, tactic: str) -> TacticOutcome:
    if outcome.goal.targets:
        return outcome
    note = TacticNote(NoteKind.GOAL_DISCHARGED, tactic, goal=outcome.goal.name)
    return outcome._replace(notes=(*outcome.notes, note))


def reduce_targets(bench: GoalBench, goal: Goal) -> TacticOutcome:
    """`rd`: what is not discharged becomes one new goal with its sentences reduced."""
    outcome, normal = check_targets(bench, goal, "rd")
    if goal.keeps_targets:
        return _closing(outcome, "rd")
    if not normal:
        return _closing(outcome, "rd")._replace(modules=1)
    parent = goal._replace(proved=outcome.goal.proved)
    return outcome._replace(goal=parent, children=(goal.child(1, "rd")._replace(targets=normal),), modules=1)


def reduce_in_place(bench: GoalBench, goal: Goal) -> TacticOutcome:
    """`rd-`: what is not discharged stays as it is."""
    return _closing(check_targets(bench, goal, "rd-")[0], "rd-")


def normalise(bench: GoalBench, goal: Goal) -> TacticOutcome:
    """`nf`: a new goal with the sentences reduced, if that changes one."""
    normal = normal_targets(bench, goal).targets
    if normal == goal.targets:
        return TacticOutcome(goal)
    return TacticOutcome(goal, (goal.child(1, "nf", "nf")._replace(targets=normal),), modules=1)


def normal_targets(bench: GoalBench, goal: Goal) -> Goal:
    """The goal with its sentences reduced."""
    found = []
    for target in goal.targets:
        condition = None if target.condition is None else bench.reduce(goal, target.condition)
        left, right = bench.reduce(goal, target.lhs), bench.reduce(goal, target.rhs)
        holds = condition is bench.connectives.true
        found.append(target._replace(lhs=left, rhs=right, condition=None if holds else condition))
    return goal._replace(targets=tuple(found))


def contradict(bench: GoalBench, goal: Goal) -> TacticOutcome:
    """`ct`: discharge all targets if the assumptions contradict each other."""
    found = contradiction(bench, goal, "ct")
    if found is None:
        return TacticOutcome(goal)
    if found.doubt is not None:
        return TacticOutcome(goal, doubts=(WrongClosing(goal.name, found.doubt),))
    proved = tuple(under_label("CT", target) for target in goal.targets)
    notes = (found.note, TacticNote(NoteKind.ALL_DISCHARGED, "ct", goal.targets))
    return TacticOutcome(goal._replace(targets=(), proved=proved), (), notes)


# --- constants for variables


def constants_for_variables(bench: GoalBench, goal: Goal) -> TacticOutcome:
    """`tc`: a goal for each target, with a new constant for each variable."""
    if len(goal.targets) == 1 and not variables_in(goal.targets[0]):
        return TacticOutcome(goal)
    children = [
        _with_constants(bench, goal.child(number, "tc"), target) for number, target in enumerate(goal.targets, 1)
    ]
    return TacticOutcome(goal, tuple(children), modules=len(children))


def _with_constants(bench: GoalBench, child: Goal, target: Axiom) -> Goal:
    bindings: dict[Term, Term] = {}
    for each in variables_in(target):
        made = bench.constant(child, _names_for(each), each.sort)
        child = made.goal._replace(constants=(*made.goal.constants, made.term))
        bindings[each] = made.term
    if not bindings:
        return child._replace(targets=(target,))
    return child._replace(targets=(under_label("TC", instance(target, bindings)),))


def _names_for(variable: Term) -> Callable[[int], str]:
    stem, sort = variable.op.name.upper(), variable.sort.name
    return lambda number: f"{stem}@{sort}" if number == 1 else f"{stem}-{number}@{sort}"


# --- conditions


def assume_conditions(bench: GoalBench, goal: Goal) -> TacticOutcome:
    """`ip`: the condition of a target becomes assumptions, if it has no variables."""
    return _per_target(bench, goal, _assuming_condition)


def implied_by_condition(bench: GoalBench, goal: Goal) -> TacticOutcome:
    """`ip+`: a conditional target becomes an implication."""
    outcome = _per_target(bench, goal, _as_implication)
    notes = tuple(
        TacticNote(NoteKind.CONVERTED, "ip+", child.targets)
        for child in reversed(outcome.children)
        if child.targets[0].labels[:1] == ("IP+",)
    )
    return outcome._replace(notes=notes)


def _per_target(bench: GoalBench, goal: Goal, change: Callable[[GoalBench, Goal, Axiom], Goal | None]) -> TacticOutcome:
    """A goal for each target, the last target first; nothing if there is one target that does not change."""
    children: list[Goal] = []
    some = len(goal.targets) > 1
    for number, target in enumerate(reversed(goal.targets), 1):
        child = goal.child(number, "ip")._replace(targets=(target,))
        changed = change(bench, child, target) if _has_ground_condition(bench, target) else None
        some = some or changed is not None
        children.append(changed or child)
    return TacticOutcome(goal, tuple(children), modules=len(children)) if some else TacticOutcome(goal)


def _has_ground_condition(bench: GoalBench, target: Axiom) -> bool:
    return target.condition is not None and target.condition.ground and target.condition is not bench.connectives.true


def _conjuncts(term: Term) -> list[Term]:
    if term.op.native is Builtin.CONJUNCTION:
        return [part for arg in term.args for part in _conjuncts(arg)]
    return [term]


def _assuming_condition(bench: GoalBench, child: Goal, target: Axiom) -> Goal:
    assert target.condition is not None
    made = [assumption_of(bench, child, part) for part in reversed(_conjuncts(target.condition))]
    fresh = tuple(labelled(axiom, "IP") for axiom in made if axiom.lhs is not axiom.rhs)
    return child._replace(assumptions=(*child.assumptions, *fresh), targets=(target._replace(condition=None),))


def assumption_of(bench: GoalBench, goal: Goal, condition: Term) -> Axiom:
    """The sentence that a condition is, with its sides reduced."""
    native = condition.op.native
    if native in (Builtin.EQUALS, Builtin.MATCH):
        left, right = oriented(*condition.args) if native is Builtin.EQUALS else condition.args[::-1]
        return Axiom(bench.reduce(goal, left), bench.reduce(goal, right), None)
    return Axiom(bench.reduce(goal, condition), bench.connectives.true, None)


def oriented(left: Term, right: Term) -> tuple[Term, Term]:
    """The sides of an equation in a term, of which the order is not known: what is no value comes first."""
    return (right, left) if is_value(left) and not is_value(right) else (left, right)


def is_value(term: Term) -> bool:
    """Is the term built by constructors and literals only?"""
    return all(part.op.is_constructor or not part.op.decls for part in subterms(term)) and term.ground


def _as_implication(bench: GoalBench, child: Goal, target: Axiom) -> Goal | None:
    if target.is_transition:
        return None
    assert target.condition is not None
    connectives = bench.connectives
    made = [assumption_of(bench, child, part) for part in reversed(_conjuncts(target.condition))]
    parts = [_formula(bench, axiom) for axiom in made if axiom.lhs is not axiom.rhs]
    premise = parts[0] if parts else connectives.true
    for part in parts[1:]:
        premise = connectives.symbol(Builtin.AND).make((premise, part))
    claim = connectives.symbol(Builtin.IMPLIES).make((premise, _formula(bench, target)))
    converted = target._replace(lhs=claim, rhs=connectives.true, condition=None)
    return child._replace(targets=(under_label("IP+", converted),))


def _formula(bench: GoalBench, axiom: Axiom) -> Term:
    """`l = r` as a term; one side alone if the other is true."""
    true = bench.connectives.true
    if true in (axiom.lhs, axiom.rhs):
        return axiom.rhs if axiom.lhs is true else axiom.lhs
    return bench.connectives.equal(axiom.lhs, axiom.rhs)


# --- all of them

TACTICS: dict[str, Tactic] = {
    "tc": constants_for_variables,
    "ip": assume_conditions,
    "ip+": implied_by_condition,
    "rd": reduce_targets,
    "rd-": reduce_in_place,
    "nf": normalise,
    "ct": contradict,
}

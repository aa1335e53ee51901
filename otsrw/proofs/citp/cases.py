"""`ca`: cases from the conditions of equations whose label begins with `CA-`.

Every ground term of a target that such equations rewrite gives as many cases as there are equations. That their
conditions cover everything is taken for granted, as in CafeOBJ.
"""

from __future__ import annotations

from itertools import product

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.checking import check
from otsrw.proofs.citp.goals import Goal, NoteKind, TacticNote, TacticOutcome
from otsrw.proofs.citp.sentences import labelled, sides, under_label
from otsrw.proofs.citp.tactics import normal_targets
from otsrw.rewriting.matching import Matcher
from otsrw.syntax.diagnostics import BudgetExceeded
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom, translated
from otsrw.theory.morphisms import substitute
from otsrw.theory.terms import Symbol, Term, subterms

MAX_CASES = 2_000
"""Cases that one application may make."""

_CONJUNCTION = Builtin.CONJUNCTION


def analyse_cases(bench: GoalBench, goal: Goal, at_once: bool) -> TacticOutcome:
    """A goal for each combination of conditions, for each target; impossible ones are discharged.

    With `at_once` targets are reduced first, and those without cases are checked.
    """
    rules = _case_rules(bench, goal)
    children: list[Goal] = []
    notes: list[TacticNote] = []
    used = False
    for target in (normal_targets(bench, goal) if at_once else goal).targets:
        combinations = _combinations(goal, target, rules)
        used = used or bool(combinations)
        if not combinations and (len(goal.targets) > 1 or target not in goal.targets):
            child = goal.child(len(children) + 1, "ca")._replace(targets=(target,))
            child, told = _without_cases(bench, child) if at_once else (child, ())
            children.append(child)
            notes += told
        for conditions in combinations:
            child = goal.child(len(children) + 1, "ca")._replace(targets=(target,))
            children.append(_assuming(bench, child, conditions))
    for index, child in enumerate(children):
        if _is_impossible(bench, child):
            proved = tuple(under_label("LE", target) for target in child.targets)
            children[index] = child._replace(targets=(), proved=proved)
            notes.append(TacticNote(NoteKind.NEW_GOAL_DISCHARGED, "le", goal=child.name))
    assumed = (f"the conditions of the equations labelled CA- cover all cases of goal {goal.name}",) if used else ()
    return TacticOutcome(goal, tuple(children), tuple(notes), assumed=assumed, modules=len(children))


def _without_cases(bench: GoalBench, child: Goal) -> tuple[Goal, tuple[TacticNote, ...]]:
    """A goal for a target without cases, discharged if the target holds."""
    target = child.targets[0]
    if not check(bench, child, target, "ca").is_proved:
        return child, ()
    done = child._replace(targets=(), proved=(under_label("ST", target),))
    return done, (TacticNote(NoteKind.CASE_DISCHARGED, "ca", (target,)),)


def _case_rules(bench: GoalBench, goal: Goal) -> list[Axiom]:
    memo: dict[Term, Term] = {}
    return [
        translated(axiom, owner, goal.signature, memo)
        for owner, axiom in bench.context.base.flat_axioms()
        if axiom.condition is not None and any(label.upper().startswith("CA-") for label in axiom.labels)
    ]


def _combinations(goal: Goal, target: Axiom, rules: list[Axiom]) -> list[list[Term]]:
    """The conditions of each case; in the order of CafeOBJ, which turns its list around at every step."""
    matcher = Matcher(goal.signature.order)

    def is_case_term(term: Term) -> bool:
        return any(next(matcher.match(rule.lhs, term, {}), None) is not None for rule in rules)

    terms = dict.fromkeys(part for side in sides(target) for part in subterms(side) if part.ground and part.args)
    choices: list[list[Term]] = []
    seen: set[Term] = set()
    for term in terms:
        if any(is_case_term(inner) for inner in subterms(term) if inner is not term and inner.args):
            continue
        conditions: list[Term] = []
        for rule in rules:
            bindings = next(matcher.match(rule.lhs, term, {}), None)
            assert rule.condition is not None
            condition = None if bindings is None else substitute(rule.condition, bindings)
            if condition is not None and condition.ground and condition not in seen:
                seen.add(condition)
                conditions.insert(0, condition)
        if conditions:
            choices.append(conditions)
    ordered: list[tuple[Term, ...]] = []
    for count, combination in enumerate(product(*choices) if choices else ()):
        if count >= MAX_CASES:
            raise BudgetExceeded("E401", f"ca would make more than {MAX_CASES} cases of goal {goal.name}")
        ordered = [combination, *ordered][::-1]
    return [[part for condition in reversed(case) for part in _parts(condition)] for case in ordered]


def _parts(condition: Term) -> list[Term]:
    if condition.op.native is _CONJUNCTION:
        return [part for arg in condition.args for part in _parts(arg)]
    return [condition]


def _assuming(bench: GoalBench, child: Goal, conditions: list[Term]) -> Goal:
    fresh: dict[tuple[Term, Term], Axiom] = {}
    for condition in conditions:
        axiom = _assumption(bench, child, condition, {known.lhs.op for known in fresh.values()})
        if axiom.lhs is not axiom.rhs:
            fresh.setdefault((axiom.lhs, axiom.rhs), labelled(axiom, "CA"))
    return child._replace(assumptions=(*child.assumptions, *fresh.values()))


def _assumption(bench: GoalBench, child: Goal, condition: Term, busy: set[Symbol]) -> Axiom:
    """`t = true` and `t = false` are about t; another equation is taken as it is, a predicate is true.

    In CafeOBJ the first assumption about an operator hides the older equations for it until the case is complete: a
    term with one of the `busy` operators at its top is reduced below it only (experiment e15).
    """

    def reduced(term: Term) -> Term:
        if term.op in busy:
            return term.op.make(tuple(bench.reduce(child, arg) for arg in term.args))
        return bench.reduce(child, term)

    if condition.op.native is Builtin.EQUALS:
        for value, other in (condition.args, condition.args[::-1]):
            if value in bench.truths:
                return Axiom(reduced(other), value, None)
    return Axiom(reduced(condition), bench.connectives.true, None)


def _is_impossible(bench: GoalBench, child: Goal) -> bool:
    """Do two comparisons of numbers chain to one that is false, as in `8 <= x` and `x <= 4`?"""
    strict = {Builtin.LESS: True, Builtin.LESS_EQUAL: False}
    known = [
        (axiom.lhs.args[0], axiom.lhs.args[1], strict[axiom.lhs.op.native])
        for axiom in child.assumptions
        if axiom.condition is None and axiom.rhs is bench.connectives.true and axiom.lhs.op.native in strict
    ]
    for low, middle, first in known:
        for other, high, second in known:
            if middle is other and low is not high and _exceeds(bench, child, low, high, first or second):
                return True
    return False


def _exceeds(bench: GoalBench, child: Goal, low: Term, high: Term, is_strict: bool) -> bool:
    """Is `high` below `low`, or, if they must differ, not above it?"""
    native = Builtin.LESS_EQUAL if is_strict else Builtin.LESS
    symbols = [symbol for symbol in child.signature.symbols() if symbol.native is native]
    for symbol in symbols:
        if symbol.kind is not None and symbol.arg_kinds[0] is child.signature.order.kind.get(low.sort):
            return bench.reduce(child, symbol.make((high, low))) is bench.connectives.true
    return False

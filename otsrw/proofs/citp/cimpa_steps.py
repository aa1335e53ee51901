"""The tactics of CiMPA, the proof assistant of CafeInMaude, where they differ from CITP's.

Constructors and sentences are taken in the order of their names, constants have other names, and induction hypotheses
are not used by rewriting: `:imp` puts an instance of one in front of a target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import ROOT, Goal, TacticDefinition, TacticOutcome
from otsrw.proofs.citp.induct import ProofConstructor, of_sort, values_left_out
from otsrw.proofs.citp.sentences import NONEXEC, instance, plain_labels, variables_in
from otsrw.syntax.diagnostics import TheoryProblem
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.morphisms import Substitution
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term, subterms


def in_order(sentences: Iterable[Axiom]) -> tuple[Axiom, ...]:
    """Sentences in the order of Maude's sets: by the operators of their left sides, then by their arguments."""
    return tuple(sorted(sentences, key=lambda axiom: [part.op.name for part in subterms(axiom.lhs)]))


def by_name(constructors: Iterable[ProofConstructor]) -> tuple[ProofConstructor, ...]:
    """Constructors in the order of Maude's sets."""
    return tuple(sorted(constructors, key=lambda c: (c.decl.text, [sort.name for sort in c.decl.arity])))


# --- induction and constants


def induction(
    bench: GoalBench, goal: Goal, variable: Term, constructors: tuple[ProofConstructor, ...], lemmas: Iterable[Axiom]
) -> TacticOutcome:
    """A goal for each constructor, with a hypothesis for each argument of the sort of the variable."""
    found = of_sort(constructors, variable.sort, goal)
    if not found:
        raise TheoryProblem("E309", f"sort {variable.sort.name} has no constructors", hint="declare them with {constr}")
    children = []
    for number, constructor in enumerate(found, 1):
        child, args = _arguments(bench, goal.child(number, "SI"), constructor, "", variable)
        smaller = [arg for arg in args if goal.signature.order.leq(arg.sort, variable.sort)]
        term = constructor.symbol.make(args)
        hypotheses = [_hypothesis(a, {variable: each}) for a in goal.targets for each in smaller]
        known = [_hypothesis(a, {variable: each}) for a in lemmas for each in smaller[:1]]
        children.append(
            child._replace(
                induction_constants=(*child.induction_constants, *args),
                assumptions=(*child.assumptions, *hypotheses, *known),
                targets=tuple(instance(target, {variable: term}) for target in goal.targets),
                claim=None,
                premises=(),
            )
        )
    gap = values_left_out(bench, constructors, variable.sort, goal)
    return TacticOutcome(goal, tuple(children), gap=gap)


def _hypothesis(axiom: Axiom, bindings: Substitution) -> Axiom:
    made = instance(axiom, bindings)
    return made._replace(labels=(*plain_labels(axiom), NONEXEC))


def constants(bench: GoalBench, goal: Goal) -> TacticOutcome:
    """A goal for each target, with a constant for each variable; names keep their case."""
    children = []
    for number, target in enumerate(goal.targets, 1):
        child = goal.child(number, "TC")
        bindings: Substitution = {}
        for variable in variables_in(target):
            made = bench.constant(child, _stem(f"{variable.op.name}@{variable.sort.name}"), variable.sort)
            child = made.goal._replace(constants=(*made.goal.constants, made.term))
            bindings[variable] = made.term
        children.append(child._replace(targets=(instance(target, bindings),), claim=None, premises=()))
    return TacticOutcome(goal, tuple(children))


def _stem(name: str) -> Callable[[int], str]:
    """The name, and others like it if it is taken."""
    return lambda number: name if number == 1 else f"{name}.{number}"


def _arguments(
    bench: GoalBench, goal: Goal, constructor: ProofConstructor, mark: str, variable: Term | None = None
) -> tuple[Goal, tuple[Term, ...]]:
    """New constants for the arguments of a constructor: `P#Pid`, then `P0#Pid`, `P1#Pid`; `mark` follows the `#`."""
    args: list[Term] = []
    taken: set[str] = set()
    for sort in constructor.decl.arity:
        first = sort.name[:1]
        if variable is not None and sort is variable.sort and f"{variable.op.name}#{mark}{sort.name}" not in taken:
            name = f"{variable.op.name}#{mark}{sort.name}"
        else:
            name = f"{first}#{mark}{sort.name}"
        count = 0
        while name in taken:
            name = f"{first}{count}#{mark}{sort.name}"
            count += 1
        taken.add(name)
        made = bench.constant(goal, _stem(name), sort)
        goal = made.goal
        args.append(made.term)
    return goal, tuple(args)


# --- cases


def split(
    bench: GoalBench, goal: Goal, case: TacticDefinition, constructors: tuple[ProofConstructor, ...]
) -> TacticOutcome:
    """The goals of a defined case split."""
    true, false = bench.truths
    if case.axioms:
        axiom = case.axioms[0]
        pair = (axiom, Axiom(bench.connectives.equal(axiom.lhs, axiom.rhs), false, None))
        varies = "the equation has variables: it may hold for some values and not for others"
        return _cases(goal, case, pair, varies if variables_in(axiom) else None)
    term = case.term
    assert term is not None
    gap = None if term.ground else "the term has variables: it may have different values"
    if term.sort is true.sort and case.keyword.startswith(":ctf"):
        return _cases(goal, case, (Axiom(term, true, None), Axiom(term, false, None)), gap)
    if case.keyword.startswith(":ctf"):
        return _constructor_cases(bench, goal, case, term, constructors)
    return _sequence_cases(bench, goal, case, term, constructors)


def _cases(goal: Goal, case: TacticDefinition, axioms: Iterable[Axiom], gap: str | None) -> TacticOutcome:
    children = []
    for number, axiom in enumerate(axioms, 1):
        child = goal.child(number, case.name, f"[{case.name}]")
        assumption = axiom._replace(labels=(case.name,))
        children.append(child._replace(assumptions=(*child.assumptions, assumption)))
    return TacticOutcome(goal, tuple(children), gap=gap)


def _constructor_cases(
    bench: GoalBench, goal: Goal, case: TacticDefinition, term: Term, constructors: tuple[ProofConstructor, ...]
) -> TacticOutcome:
    found = of_sort(constructors, term.sort, goal)
    if not found:
        raise TheoryProblem("E309", f"sort {term.sort.name} has no constructors", hint="declare them with {constr}")
    children = []
    for number, constructor in enumerate(found, 1):
        grown, args = _arguments(bench, goal, constructor, f"CS{_mark(goal)}")
        children.append(_with_value(grown, number, case, term, constructor.symbol.make(args), args))
    gap = values_left_out(bench, constructors, term.sort, goal)
    return TacticOutcome(goal, tuple(children), gap=gap)


def _mark(goal: Goal) -> str:
    return "" if goal.name == ROOT else f"{goal.name}."


def _with_value(
    goal: Goal, number: int, case: TacticDefinition, term: Term, value: Term, fresh: tuple[Term, ...]
) -> Goal:
    child = goal.child(number, case.name, f"[{case.name}]")
    return child._replace(
        induction_constants=(*child.induction_constants, *fresh),
        assumptions=(*child.assumptions, Axiom(term, value, None, labels=(case.name,))),
    )


def _sequence_cases(
    bench: GoalBench, goal: Goal, case: TacticDefinition, term: Term, constructors: tuple[ProofConstructor, ...]
) -> TacticOutcome:
    """`:cvs` and `:csv`: a sequence is empty, or a value in front of a sequence, or behind one."""
    empty, pair = _of_sequence(constructors, term.sort)
    if empty is None or pair is None:
        message = f"{case.keyword} needs a sort with an empty sequence and an operator that joins two"
        raise TheoryProblem("E309", message)
    in_front = case.keyword == ":cvs"
    mark = f"{'EVS' if in_front else 'ESV'}{_mark(goal)}"
    grown, (first, second) = _arguments(bench, goal, pair, mark)
    rest = second if in_front else first
    children = [_with_value(goal, 1, case, term, empty.symbol.make(()), ())]
    for made, value, fresh in _elements(bench, grown, term.sort, constructors, mark):
        joined = pair.symbol.make((value, rest) if in_front else (rest, value))
        children.append(_with_value(made, len(children) + 1, case, term, joined, (first, second, *fresh)))
    gap = None
    if not (pair.symbol.assoc and pair.symbol.identity is empty.symbol.make(())):
        gap = f"{pair.decl.text} is not declared with assoc and id: {empty.decl.text}"
    for lower in goal.signature.order.below.get(term.sort, ()):
        gap = gap or (None if lower is term.sort else _uncovered(bench, constructors, lower, goal))
    return TacticOutcome(goal, tuple(children), gap=gap)


def _of_sequence(
    constructors: tuple[ProofConstructor, ...], sort: Sort
) -> tuple[ProofConstructor | None, ProofConstructor | None]:
    """The empty sequence of a sort, and the operator that joins two; None for both if it has other constructors."""
    exact = [c for c in constructors if c.decl.coarity is sort]
    empty = next((c for c in exact if not c.decl.arity), None)
    pair = next((c for c in exact if c.decl.arity == (sort, sort)), None)
    return (empty, pair) if len(exact) == 2 else (None, None)


def is_sequence(constructors: tuple[ProofConstructor, ...], sort: Sort) -> bool:
    """Are the values of the sort sequences, which `:cvs` splits?"""
    return None not in _of_sequence(constructors, sort)


def _uncovered(bench: GoalBench, constructors: tuple[ProofConstructor, ...], sort: Sort, goal: Goal) -> str | None:
    """Values of an element sort that no case is about; a sort without constructors has a case of its own."""
    if not any(c.decl.coarity is sort for c in constructors):
        return None
    return values_left_out(bench, constructors, sort, goal)


def _elements(
    bench: GoalBench, goal: Goal, sort: Sort, constructors: tuple[ProofConstructor, ...], mark: str
) -> list[tuple[Goal, Term, tuple[Term, ...]]]:
    """The values that a sequence may have: built by constructors of the sorts below, or a constant if there are none.

    Several constants of one sort are one new constant.
    """
    order = goal.signature.order
    lower = sorted((s for s in order.below.get(sort, ()) if s is not sort), key=lambda s: s.name)
    found: list[tuple[Goal, Term, tuple[Term, ...]]] = []
    joined = 0
    for each in lower:
        own = [c for c in constructors if c.decl.coarity is each]
        plain = [c for c in own if not c.decl.arity]
        if not own:
            made = bench.constant(goal, _stem(f"{mark}Sub{each.name}"), each)
            found.append((made.goal, made.term, (made.term,)))
        if len(plain) > 1:
            made = bench.constant(goal, _stem(f"{each.name[:1]}{joined}{mark}{each.name}"), each)
            joined += 1
            found.append((made.goal, made.term, (made.term,)))
            own = [c for c in own if c.decl.arity]
        for constructor in own:
            grown, args = _arguments(bench, goal, constructor, f"{mark}Sub")
            found.append((grown, constructor.symbol.make(args), args))
    return found


# --- implication and reduction


def implication(bench: GoalBench, goal: Goal, premise: Axiom, bindings: Substitution) -> Goal | None:
    """The goal with an instance of a sentence in front of its target; None if it has several targets."""
    if len(goal.targets) != 1 or premise.rhs is not bench.connectives.true or premise.condition is not None:
        return None
    target = goal.targets[0]
    stated = instance(premise, bindings).lhs
    known = bench.reduce(goal, stated)
    claim = target.lhs if target.rhs is bench.connectives.true else bench.connectives.equal(target.rhs, target.lhs)
    whole = bench.connectives.symbol(Builtin.IMPLIES).make((known, claim))
    changed = target._replace(lhs=whole, rhs=bench.connectives.true)
    premises = (*goal.premises, stated)
    return goal._replace(targets=(changed,), form="[imp]", claim=goal.claim or target, premises=premises)


def reduction(bench: GoalBench, goal: Goal) -> Goal:
    """The goal, discharged if all targets have two sides with the same normal form; if not, the others are reduced."""
    left: list[Axiom] = []
    is_open = False
    for target in goal.targets:
        one, other = bench.reduce(goal, target.lhs), bench.reduce(goal, target.rhs)
        holds = one is other and target.condition is None
        left.append(target if holds else target._replace(lhs=one, rhs=other))
        is_open = is_open or not holds
    if not is_open:
        return goal._replace(targets=(), proved=goal.targets)
    claim = goal.claim or (goal.targets[0] if len(goal.targets) == 1 else None)
    return goal._replace(targets=tuple(left), claim=claim)

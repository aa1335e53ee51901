"""Case splitting: `:ctf {eq L = R .}`, `:ctf [t .]` and `:csp {eq .. . eq .. .}`."""

from __future__ import annotations

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import Goal, TacticDefinition, TacticOutcome
from otsrw.proofs.citp.induct import ProofConstructor, of_sort, values_left_out
from otsrw.proofs.citp.sentences import labelled, plain_labels, variables_in
from otsrw.syntax.diagnostics import TheoryProblem
from otsrw.theory.builtins import Builtin
from otsrw.theory.modules import Axiom
from otsrw.theory.printing import show_briefly
from otsrw.theory.terms import Term


def split(
    bench: GoalBench, goal: Goal, case: TacticDefinition, constructors: tuple[ProofConstructor, ...]
) -> TacticOutcome:
    """The goals of a case split; `case.name` is empty if it has no name."""
    if case.keyword.startswith(":csp"):
        outcome = _given_cases(bench, goal, case)
    elif case.term is None:
        outcome = _two_cases(bench, goal, case, case.axioms[0])
    elif case.term.sort is bench.connectives.true.sort:
        outcome = _truth_cases(bench, goal, case, case.term)
    else:
        outcome = _constructor_cases(bench, goal, case, case.term, constructors)
    keeps = bool(case.name) and case.keyword.endswith("-")
    children = tuple(child._replace(keeps_targets=keeps) for child in outcome.children)
    return outcome._replace(children=children, modules=max(outcome.modules, len(children)))


def _child(goal: Goal, number: int, case: TacticDefinition, axiom: Axiom) -> Goal:
    if case.name:
        child = goal.child(number, case.name, case.form)
        label = case.name
    else:
        kind = case.keyword[1:4]
        child = goal.child(number, kind)
        label = kind.upper()
    own = plain_labels(axiom) if case.keyword.startswith(":csp") else ()
    return child._replace(assumptions=(*child.assumptions, labelled(axiom, *own, label)))


def _two_cases(bench: GoalBench, goal: Goal, case: TacticDefinition, axiom: Axiom) -> TacticOutcome:
    """An equation holds, or it does not. CafeOBJ leaves out a case that says nothing: that is a gap."""
    true, false = bench.truths
    left, right = axiom.lhs, axiom.rhs
    if left in bench.truths and right not in bench.truths:
        left, right = right, left
    plain = axiom._replace(lhs=left, rhs=right)
    if right in bench.truths and left not in bench.truths:
        other = Axiom(left, false if right is true else true, None)
    else:
        other = Axiom(bench.connectives.equal(left, right), false, None)
    gap: str | None = None
    cases = [plain, other]
    if left is right:
        cases = [other]
        gap = f"the case {show_briefly(left)} = {show_briefly(right)} is left out, and it is the only one there is"
    elif left in bench.truths and right in bench.truths:
        cases = [plain]
        gap = f"the case in which {show_briefly(left)} and {show_briefly(right)} differ is left out"
    elif variables_in(plain):
        names = ", ".join(v.op.name for v in variables_in(plain))
        gap = f"the equation may hold for some values of {names} and not for others: no case covers that"
    children = tuple(_child(goal, number, case, each) for number, each in enumerate(cases, 1))
    return TacticOutcome(goal, children, gap=gap, modules=2)


def _truth_cases(bench: GoalBench, goal: Goal, case: TacticDefinition, term: Term) -> TacticOutcome:
    """A condition is true or false; an equation is split as an equation."""
    true, false = bench.truths
    if term.op.native is Builtin.EQUALS:
        left, right = term.args
        outcome = _two_cases(bench, goal, case, Axiom(left, right, None))
        if len(outcome.children) == 2:
            return outcome
    gap = None if term.ground else "the condition has variables: it may hold for some values and not for others"
    children = tuple(_child(goal, k, case, Axiom(term, value, None)) for k, value in enumerate((true, false), 1))
    return TacticOutcome(goal, children, gap=gap)


def _constructor_cases(
    bench: GoalBench, goal: Goal, case: TacticDefinition, term: Term, constructors: tuple[ProofConstructor, ...]
) -> TacticOutcome:
    """A value is built by one of the constructors of its sort, from new constants."""
    found = of_sort(constructors, term.sort, goal)
    if not found:
        message = f"sort {term.sort.name} has no constructors"
        raise TheoryProblem("E309", message, hint="declare them with {constr}")
    gap = values_left_out(bench, constructors, term.sort, goal)
    if not term.ground:
        gap = "the term has variables: its values may be built by different constructors"
    children = []
    for number, constructor in enumerate(found, 1):
        grown, args = _arguments(bench, goal, constructor)
        child = _child(grown, number, case, Axiom(term, constructor.symbol.make(args), None))
        children.append(child._replace(induction_constants=(*child.induction_constants, *args)))
    return TacticOutcome(goal, tuple(children), gap=gap)


def _arguments(bench: GoalBench, goal: Goal, constructor: ProofConstructor) -> tuple[Goal, tuple[Term, ...]]:
    args: list[Term] = []
    counts: dict[str, int] = {}
    for sort in constructor.decl.arity:
        first = counts[sort.name] = counts.get(sort.name, 0) + 1

        def names(number: int, first: int = first, sort_name: str = sort.name) -> str:
            count = first + number - 1
            return f"CTF#{sort_name}" if count == 1 else f"CTF-{count}#{sort_name}"

        made = bench.constant(goal, names, sort)
        goal = made.goal
        args.append(made.term)
    return goal, tuple(args)


def _given_cases(bench: GoalBench, goal: Goal, case: TacticDefinition) -> TacticOutcome:
    """A goal for each given equation; that they cover everything is taken for granted unless it can be shown."""
    children = tuple(_child(goal, number, case, axiom) for number, axiom in enumerate(case.axioms, 1))
    if _covers(bench, goal, case.axioms):
        return TacticOutcome(goal, children)
    cases = ", ".join(f"{show_briefly(a.lhs, 60)} = {show_briefly(a.rhs, 60)}" for a in case.axioms)
    return TacticOutcome(goal, children, assumed=(f"in goal {goal.name} one of the cases of :csp holds: {cases}",))


def _covers(bench: GoalBench, goal: Goal, axioms: tuple[Axiom, ...]) -> bool:
    """Does the disjunction of the cases reduce to true?"""
    if any(axiom.is_transition or variables_in(axiom) for axiom in axioms):
        return False
    some: Term = bench.connectives.false
    for axiom in axioms:
        same = bench.connectives.equal(axiom.lhs, axiom.rhs)
        if axiom.rhs in bench.truths:
            same = axiom.lhs if axiom.rhs is bench.connectives.true else bench.connectives.negate(axiom.lhs)
        some = bench.connectives.symbol(Builtin.OR).make((some, same))
    return bench.reduce(goal, some) is bench.connectives.true

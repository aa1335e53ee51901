"""`:ind { on (V:S) base (t . t) hypo (t) step (t . t) }`: induction by a scheme that the user gives.

CafeOBJ 1.6.0 prints all that is given, and uses the first base and the operator of the first step. What these two leave
out is a gap (experiment u4).
"""

from __future__ import annotations

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import Goal, TacticOutcome
from otsrw.proofs.citp.induct import ProofConstructor, base_goal, of_sort, step_goal, values_left_out
from otsrw.proofs.citp.reading import Group, induction_variables
from otsrw.records import NamedTuple
from otsrw.syntax import tree
from otsrw.syntax.diagnostics import SyntaxProblem, TheoryProblem
from otsrw.theory.parsing import parse_term, scope_of
from otsrw.theory.terms import Term

_USAGE = "':ind { on (V:S) base (t) step (t) }'"
_PARTS = ("base", "hypo", "step")


class InductionScheme(NamedTuple):
    """The induction variable, and the terms of the three parts."""

    variable: Term
    bases: tuple[Term, ...]
    hypotheses: tuple[Term, ...]
    steps: tuple[Term, ...]


def induction_scheme(body: tree.Bubble, goal: Goal, bench: GoalBench) -> InductionScheme:
    """Read what stands in the braces."""
    rest = Group(body, _USAGE).inner
    on = Group(rest.part(1, len(rest)), _USAGE)
    variables = induction_variables(rest.part(0, len(on.inner) + 3), goal)
    if len(variables) != 1:
        raise SyntaxProblem("E106", "a scheme is for one variable", body.span, f"write {_USAGE}")
    found: dict[str, tuple[Term, ...]] = {}
    rest = on.rest
    while rest.words:
        if rest.words[0] not in _PARTS or rest.words[0] in found:
            raise SyntaxProblem("E101", f"write {_USAGE}", rest.span)
        group = Group(rest.part(1, len(rest)), _USAGE)
        found[rest.words[0]] = _terms(group.inner, goal, bench, variables[0])
        rest = group.rest
    if not found.get("base") or not found.get("step"):
        raise SyntaxProblem("E101", "a scheme has a base and a step", body.span, f"write {_USAGE}")
    return InductionScheme(variables[0], found["base"], found.get("hypo", ()), found["step"])


def _terms(body: tree.Bubble, goal: Goal, bench: GoalBench, variable: Term) -> tuple[Term, ...]:
    """The terms between periods that stand alone, each of the sort of the variable."""
    ends = [index for index, word in enumerate(body.words) if word == "."] + [len(body)]
    starts = [0, *(end + 1 for end in ends[:-1])]
    parts = [body.part(start, end) for start, end in zip(starts, ends, strict=True) if start < end]
    kind = goal.signature.order.kind.get(variable.sort)
    found = tuple(parse_term(part, scope_of(bench.context.module), kind) for part in parts)
    for term, part in zip(found, parts, strict=True):
        if not goal.signature.order.leq(term.sort, variable.sort):
            message = f"a term of sort {variable.sort.name} is needed, not of {term.sort.name}"
            raise TheoryProblem("E309", message, part.span)
    return found


def induction_by_scheme(
    bench: GoalBench, goal: Goal, scheme: InductionScheme, constructors: tuple[ProofConstructor, ...]
) -> TacticOutcome:
    """A goal for the first base, and one for the operator of the first step."""
    sort, base, step = scheme.variable.sort, scheme.bases[0], scheme.steps[0]
    known = of_sort(constructors, sort, goal)
    builder = next((c for c in known if c.symbol is step.op and c.decl.arity), None)
    if builder is None:
        raise TheoryProblem("E309", "a step begins with a constructor that takes arguments")
    parent = goal._replace(variables=(scheme.variable,), bases=scheme.bases, steps=scheme.steps)
    children = (
        base_goal(parent.child(1, "ind"), [(base,)]),
        step_goal(bench, parent.child(2, "ind"), (builder,)),
    )
    left = [c.decl.text for c in known if c is not builder and not (c.is_constant and c.symbol is base.op)]
    gap = f"values built by {', '.join(left)} are left out" if left else None
    return TacticOutcome(
        parent, children, gap=gap or values_left_out(bench, constructors, sort, goal), modules=len(children)
    )

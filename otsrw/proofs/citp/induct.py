"""`si`: simultaneous structural induction over the constructors of the sorts of induction variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from otsrw.proofs.citp.bench import GoalBench
from otsrw.proofs.citp.goals import Goal, TacticOutcome
from otsrw.proofs.citp.sentences import instance, labelled, plain_labels, variables_in
from otsrw.records import NamedTuple
from otsrw.syntax.diagnostics import TheoryProblem
from otsrw.theory.modules import Module
from otsrw.theory.morphisms import Substitution
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import OpDecl, Symbol, Term


class ProofConstructor(NamedTuple):
    """An operator that builds values: declared with `constr` in a module that is not built in, or a truth value."""

    symbol: Symbol
    decl: OpDecl

    @property
    def is_constant(self) -> bool:
        return not self.decl.arity

    @property
    def spelling(self) -> str:
        return "".join(self.decl.name)


def constructors_of(module: Module) -> tuple[ProofConstructor, ...]:
    """All constructors that a module sees, in CafeOBJ's order: by number of arguments, `true` first, then by name."""
    built_in = {decl for inner in module.closure() if inner.is_system for decl in inner.decls}
    found = [
        ProofConstructor(symbol, decl)
        for symbol in module.signature.symbols()
        for decl in symbol.decls
        if (decl.attributes.constructor and decl not in built_in) or _is_truth_value(decl)
    ]
    return tuple(sorted(found, key=lambda c: (len(c.decl.arity), c.spelling != "true", c.spelling)))


def _is_truth_value(decl: OpDecl) -> bool:
    return decl.name in (("true",), ("false",)) and not decl.arity and decl.coarity.name == "Bool"


def of_sort(constructors: Iterable[ProofConstructor], sort: Sort, goal: Goal) -> list[ProofConstructor]:
    """The constructors whose values are of the sort."""
    return [c for c in constructors if goal.signature.order.leq(c.decl.coarity, sort)]


def values_left_out(bench: GoalBench, constructors: Iterable[ProofConstructor], sort: Sort, goal: Goal) -> str | None:
    """Why the constructors of a sort do not build all its values; None if they do, as far as declarations tell."""
    order = goal.signature.order
    built_in = {s for inner in bench.context.base.closure() if inner.is_system for s in inner.sorts}
    known = list(constructors)
    for lower in sorted(order.below.get(sort, ()), key=lambda s: s.name):
        if lower in built_in and lower.name != "Bool":
            return (
                f"the values of the built-in sort {lower.name} are of sort {sort.name}, and no constructor builds them"
            )
        if not any(order.leq(c.decl.coarity, lower) for c in known):
            return f"no constructor builds the values of sort {lower.name}, which are of sort {sort.name}, too"
    return None


class _Step(NamedTuple):
    """What stands for an induction variable in a case: the term, and the constant that the hypothesis is about."""

    term: Term
    smaller: Term | None
    """None if the constructor takes no value of the sort: there is no hypothesis then."""
    constants: tuple[Term, ...]


def structural_induction(bench: GoalBench, goal: Goal, constructors: tuple[ProofConstructor, ...]) -> TacticOutcome:
    """One goal for all base cases together, then one for each other combination of constructors."""
    if not goal.variables or any(v not in variables_in(t) for v in goal.variables for t in goal.targets):
        return TacticOutcome(goal)
    choices = [_choices(constructors, variable, goal) for variable in goal.variables]
    combinations = list(product(*choices))
    bases = [c for c in combinations if all(each.is_constant for each in c)]
    steps = [c for c in combinations if not all(each.is_constant for each in c)]
    children: list[Goal] = []
    if bases:
        constants = [tuple(c.symbol.make(()) for c in combination) for combination in bases]
        children.append(base_goal(goal.child(1, "si"), constants))
    for combination in steps:
        children.append(step_goal(bench, goal.child(len(children) + 1, "si"), combination))
    gaps = (values_left_out(bench, constructors, variable.sort, goal) for variable in goal.variables)
    gap = next((gap for gap in gaps if gap is not None), None)
    return TacticOutcome(goal, tuple(children), gap=gap, modules=len(steps) + 1)


def _choices(constructors: tuple[ProofConstructor, ...], variable: Term, goal: Goal) -> list[ProofConstructor]:
    found = of_sort(constructors, variable.sort, goal)
    if not found:
        raise TheoryProblem("E309", f"sort {variable.sort.name} has no constructors", hint="declare them with {constr}")
    for each in found:
        if len(_recursive(each, variable.sort, goal)) > 1:
            message = f"constructor {each.decl.text} takes several arguments of sort {variable.sort.name}"
            raise TheoryProblem("E309", message, hint="si of CITP does not handle such constructors")
    return found


def _recursive(constructor: ProofConstructor, sort: Sort, goal: Goal) -> list[int]:
    """The arguments that may be of the sort of the induction variable."""
    return [k for k, each in enumerate(constructor.decl.arity) if goal.signature.order.leq(sort, each)]


def base_goal(child: Goal, bases: list[tuple[Term, ...]]) -> Goal:
    """The goal in which these values stand for the induction variables."""
    targets = []
    for target in child.targets:
        for combination in reversed(bases):
            bindings = dict(zip(child.variables, combination, strict=True))
            targets.append(labelled(instance(target, bindings), "INDUCTION-BASE"))
    return child._replace(targets=tuple(targets))


def step_goal(bench: GoalBench, child: Goal, combination: tuple[ProofConstructor, ...]) -> Goal:
    """The goal in which values built by these constructors stand for the variables, with its hypotheses."""
    steps: list[_Step] = []
    for variable, constructor in zip(child.variables, combination, strict=True):
        child, step = _step(bench, child, variable, constructor)
        steps.append(step)
    listed = tuple(constant for step in steps for constant in step.constants)
    hypotheses = []
    for target in child.targets:
        labels = ("SI", *plain_labels(target))
        for bindings in _smaller_instances(child.variables, steps):
            hypotheses.append(labelled(instance(target, bindings), *labels))
    whole = {v: step.term for v, step in zip(child.variables, steps, strict=True)}
    return child._replace(
        induction_constants=(*child.induction_constants, *listed),
        assumptions=(*child.assumptions, *hypotheses),
        targets=tuple(labelled(instance(target, whole), "STEP") for target in child.targets),
    )


def _smaller_instances(variables: tuple[Term, ...], steps: list[_Step]) -> Iterator[Substitution]:
    """All ways to take the smaller constant or the whole term for each variable, the first variable fastest."""
    options = [[step.term] if step.smaller is None else [step.smaller, step.term] for step in steps]
    whole = tuple(step.term for step in steps)
    for backwards in product(*reversed(options)):
        chosen = backwards[::-1]
        if chosen != whole:
            yield dict(zip(variables, chosen, strict=True))


def _step(bench: GoalBench, child: Goal, variable: Term, constructor: ProofConstructor) -> tuple[Goal, _Step]:
    if constructor.is_constant:
        term = constructor.symbol.make(())
        return child, _Step(term, None, (term,))
    recursive = _recursive(constructor, variable.sort, child)
    args: dict[int, Term] = {}
    smaller: Term | None = None
    counts: dict[str, int] = {}
    places = [*recursive, *(k for k in range(len(constructor.decl.arity)) if k not in recursive)]
    for place in places:
        sort = constructor.decl.arity[place]
        first = counts[sort.name] = counts.get(sort.name, 0) + 1
        stem = variable.op.name
        child, args[place] = _new_constant(bench, child, stem, sort, first)
        if place in recursive and sort is variable.sort:
            smaller = args[place]
    term = constructor.symbol.make(tuple(args[k] for k in range(len(args))))
    return child, _Step(term, smaller, tuple(args[k] for k in places))


def _new_constant(bench: GoalBench, child: Goal, stem: str, sort: Sort, first: int) -> tuple[Goal, Term]:
    def names(number: int) -> str:
        count = first + number - 1
        return f"{stem}#{sort.name}" if count == 1 else f"{stem}{count}#{sort.name}"

    made = bench.constant(child, names, sort)
    return made.goal, made.term

"""Passages of a proof score which show that its splits leave nothing out.

A split on an atom, `a` or `not a`, needs no passage. The others do: a value is one of the constructor terms of its
sort, shown for each constructor; a transition is not effective, or what its effective condition unfolds to holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from otsrw.induction.cases import InductionCase
from otsrw.induction.ill_sorted import sorted_cases
from otsrw.induction.results import Closed
from otsrw.induction.small_passages import small_cases
from otsrw.ots.formulas import unfold
from otsrw.ots.model import Ots, Transition
from otsrw.reasoning.shapes import cell_shapes_of, shapes_of
from otsrw.reasoning.workbench import Equation, Workbench
from otsrw.theory.builtins import Builtin
from otsrw.theory.morphisms import substitute
from otsrw.theory.printing import show, show_plainly, show_with_sort
from otsrw.theory.sorts import Sort
from otsrw.theory.terms import Term


def constants_of(bench: Workbench, terms: Iterable[Term]) -> list[str]:
    """The declarations of the fresh constants in some terms."""
    found: dict[Term, None] = {}
    todo = list(terms)
    while todo:
        term = todo.pop()
        if bench.is_constant(term):
            found[term] = None
        todo += term.args
    groups: dict[str, list[str]] = {}
    for term in sorted(found, key=lambda t: bench.constants[t.op]):
        groups.setdefault(term.op.decls[0].coarity.name, []).append(term.op.name)
    return [f"  op{'s' * (len(names) > 1)} {' '.join(names)} : -> {sort} ." for sort, names in groups.items()]


def value_passages(ots: Ots, cases: Iterable[Closed], module: str) -> Iterator[list[str]]:
    """For each sort whose values were told apart by their constructors: every value is one of some terms."""
    bench = Workbench(ots.module)
    for sort in _split_sorts(cases):
        value = bench.constant(f"value of {sort.name}", sort)
        shapes = cell_shapes_of(value, bench) or shapes_of(value, bench)
        if not shapes:
            continue
        texts = [_unambiguous(shape, bench) for shape in shapes]
        yield [f"-- every value of {sort.name} is one of {', '.join(map(show, shapes))}: a passage for each"]
        for text in texts:
            goal = " or ".join(f"({text} = {other})" for other in texts)
            yield [f"open {module} .", *constants_of(bench, shapes), f"  red {goal} .", "close"]


def _unambiguous(term: Term, bench: Workbench) -> str:
    """The text of a term, with its sort if a constant of another sort has the same name."""
    several = not term.args and len(bench.module.signature.constants_named(term.op.name)) > 1
    return show_with_sort(term) if several else show(term)


def _split_sorts(cases: Iterable[Closed]) -> list[Sort]:
    """The sorts of values that some case takes to be one of the constants of a sort, or takes apart."""
    found: dict[Sort, None] = {}
    for closed in cases:
        bench = closed.case.bench
        for equation in closed.leaf.assumptions.equations:
            sort, value = equation.left.sort, equation.right
            is_taken_apart = any(part.op in bench.parts for part in (value, *value.args))
            if sort is not bench.connectives.true.sort and (value in bench.constants_of(sort) or is_taken_apart):
                found[sort] = None
    return sorted(found, key=lambda sort: sort.name)


def effective_passages(ots: Ots, cases: Iterable[Closed], module: str) -> Iterator[list[str]]:
    """For each transition: it is not effective, or what the cases assume instead of the condition holds."""
    seen: set[Transition] = set()
    for closed in cases:
        case, transition = closed.case, closed.case.transition
        if transition is None or transition.condition is None or transition in seen:
            continue
        seen.add(transition)
        condition, meaning = _condition(ots, case, transition.condition)
        if condition is meaning:
            continue
        connectives = case.bench.connectives
        goal = connectives.symbol(Builtin.OR).make((connectives.negate(condition), meaning))
        head = [f"-- {show(case.after)} is not effective, or its effective condition holds as it is assumed below"]
        for assumed in _passage_cases(case.bench, goal):
            yield [
                *head,
                f"open {module} .",
                *constants_of(case.bench, [case.state, *case.arguments]),
                *(f"  eq {show_plainly(each.left)} = {show(each.right)} ." for each in assumed),
                f"  red (not {show_plainly(condition)}) or {show_plainly(meaning)} .",
                "close",
            ]
            head = []


def _passage_cases(bench: Workbench, goal: Term) -> Iterator[tuple[Equation, ...]]:
    """What the passages assume that show the goal: mostly there is one, which assumes nothing."""
    for small in small_cases(bench, goal):
        yield from ((*small, *added) for added in sorted_cases(bench, small, goal))


def effective_condition(ots: Ots, case: InductionCase) -> list[Term]:
    """The effective condition in the case; none in a base case, or if the transition is always effective."""
    if case.transition is None or case.transition.condition is None:
        return []
    return [_condition(ots, case, case.transition.condition)[0]]


def _condition(ots: Ots, case: InductionCase, condition: Term) -> tuple[Term, Term]:
    """The effective condition in the case, and without defined operators."""
    assert case.transition is not None
    bindings = {ots.state: case.state, **dict(zip(case.transition.parameters, case.arguments, strict=True))}
    stated = substitute(condition, bindings)
    return stated, unfold(stated, ots)

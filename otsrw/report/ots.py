"""What was understood of an OTS, as tables and as a document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.table import Table

from otsrw.ots.binding import Enumerate, Member, PatternMatch, Plan, Theory
from otsrw.ots.enough import EntityDemand, EntityDemands
from otsrw.ots.formulas import unfold
from otsrw.ots.instance import Instance
from otsrw.ots.model import Invariant, Ots, StateOperator, Transition
from otsrw.ots.stepping import transition_plans
from otsrw.report.documents import header, problem_document
from otsrw.report.tables import titled
from otsrw.report.words import counted
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError
from otsrw.theory.modules import equations_by_symbol
from otsrw.theory.printing import show_plainly


def ots_document(
    ots: Ots,
    entities: dict[str, tuple[str, ...]],
    findings: list[Diagnostic],
    demands: EntityDemands | None = None,
) -> dict[str, Any]:
    return header("ots") | {
        "module": ots.name,
        "sort": ots.sort.name,
        "initial": [symbol.name for symbol in ots.initials],
        "observers": [_operator_document(observer) for observer in ots.observers],
        "transitions": [_transition_document(transition) for transition in ots.transitions],
        "invariants": [_invariant_document(ots, invariant) for invariant in ots.invariants],
        "entities": {name: list(words) for name, words in entities.items()},
        "enough": enough_document(demands),
        "findings": [problem_document(finding) for finding in findings],
    }


def _operator_document(operator: StateOperator) -> dict[str, Any]:
    return {
        "name": operator.name,
        "indexes": [sort.name for sort in operator.indexes],
        "sort": operator.value.name,
    }


def _transition_document(transition: Transition) -> dict[str, Any]:
    return {
        "name": transition.name,
        "parameters": [{"name": p.op.name, "sort": p.sort.name} for p in transition.parameters],
        "condition": None if transition.condition is None else show_plainly(transition.condition),
    }


def _invariant_document(ots: Ots, invariant: Invariant) -> dict[str, Any]:
    return {
        "name": invariant.name,
        "parameters": [{"name": p.op.name, "sort": p.sort.name} for p in invariant.parameters],
        "formula": show_plainly(invariant.formula),
        "named": invariant.name in ots.suggested,
    }


def ots_tables(ots: Ots, instance: Instance | None) -> list[Table]:
    """State, transitions with how their parameters get values, invariants."""
    return [_observer_table(ots), _transition_table(ots, instance), _invariant_table(ots)]


def _observer_table(ots: Ots) -> Table:
    table = titled(f"{ots.name}: states of sort {ots.sort.name}")
    for heading in ("observer", "value", "initially"):
        table.add_column(heading, overflow="fold")
    for observer in ots.observers:
        inside = ", ".join(sort.name for sort in observer.indexes)
        table.add_row(
            f"{observer.name}({inside})" if inside else observer.name, observer.value.name, _initial(ots, observer)
        )
    return table


def _initial(ots: Ots, observer: StateOperator) -> str:
    found = []
    for axiom in equations_by_symbol(ots.module).get(observer.symbol, ()):
        if observer.state_of(axiom.lhs).op in ots.initials:
            condition = "" if axiom.condition is None else f" if {show_plainly(axiom.condition)}"
            found.append(show_plainly(axiom.rhs) + condition)
    return "; ".join(dict.fromkeys(found))


def _transition_table(ots: Ots, instance: Instance | None) -> Table:
    table = titled("transitions")
    for heading in ("transition", "effective condition", "how its parameters get values"):
        table.add_column(heading, overflow="fold")
    theory = None if instance is None else Theory(instance)
    for transition in ots.transitions:
        inside = ", ".join(f"{p.op.name} : {p.sort.name}" for p in transition.parameters)
        condition = "always" if transition.condition is None else show_plainly(unfold(transition.condition, ots))
        table.add_row(
            f"{transition.name}({inside})" if inside else transition.name, condition, _how(theory, transition)
        )
    return table


def _how(theory: Theory | None, transition: Transition) -> str:
    if theory is None or not transition.parameters:
        return ""
    named = theory.instance.ots.transitions_named(transition.name)
    own = next(each for each in named if len(each.parameters) == len(transition.parameters))
    try:
        return _described(plan for _, plan in transition_plans(theory, own))
    except OtsrwError as error:
        return f"not at all: {error.problem.message}"


def _described(plans: Iterable[Plan]) -> str:
    lines: dict[str, None] = {}
    for plan in plans:
        lines[_plan_text(plan)] = None
    return "\nor ".join(line for line in lines if line)


def _plan_text(plan: Plan) -> str:
    parts: list[str] = []
    enumerated = [step.variable.op.name for step in plan.steps if isinstance(step, Enumerate)]
    if enumerated:
        parts.append(f"each {', '.join(enumerated)}")
    for step in plan.steps:
        if isinstance(step, PatternMatch):
            parts.append(f"{show_plainly(step.pattern)} matching {show_plainly(step.subject)}")
        elif isinstance(step, Member):
            parts.append(f"{show_plainly(step.pattern)} in {show_plainly(step.collection)}")
    return ", ".join(parts)


def _invariant_table(ots: Ots) -> Table:
    table = titled("invariant candidates")
    for heading in ("invariant", "formula"):
        table.add_column(heading, overflow="fold")
    for invariant in ots.invariants:
        mark = " *" if invariant.name in ots.suggested else ""
        inside = ", ".join(f"{p.op.name} : {p.sort.name}" for p in invariant.parameters)
        table.add_row(f"{invariant.name}({inside}){mark}", show_plainly(invariant.formula))
    return table


def enough_lines(demands: EntityDemands) -> list[str]:
    """How many entities are enough for k steps, or the equation that keeps that from being known."""
    if demands.obstacles:
        return [f"no number of entities is known to be enough: {demands.obstacles[0]}"] if demands.demands else []
    parts = [f"{each.sort} {each.enough(0)}{_growth(each)}" for each in demands.demands]
    return [f"enough entities for k steps: {', '.join(parts)}"] if parts else []


def _growth(demand: EntityDemand) -> str:
    return "" if not demand.per_step else " + k" if demand.per_step == 1 else f" + {demand.per_step}k"


def enough_document(demands: EntityDemands | None) -> dict[str, Any] | None:
    if demands is None:
        return None
    return {
        "sorts": {each.sort: {"constant": each.enough(0), "per_step": each.per_step} for each in demands.demands},
        "obstacles": [obstacle.reason for obstacle in demands.obstacles],
    }


def ots_verdict(ots: Ots, findings: list[Diagnostic]) -> tuple[str, str]:
    """What was understood, in one line, and its colour."""
    errors = sum(finding.is_error for finding in findings)
    numbers = {"observer": ots.observers, "transition": ots.transitions, "invariant candidate": ots.invariants}
    text = f"{ots.name}: {', '.join(counted(len(found), noun) for noun, found in numbers.items())}"
    return (f"{text}, {counted(errors, 'error')}", "red") if errors else (text, "green")

"""`otsrw ots FILE`: what otsrw understood of a specification."""

from __future__ import annotations

import argparse

from otsrw.application import Recognised
from otsrw.application.entities import trial_instance
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame
from otsrw.ots import Instance
from otsrw.ots.enough import EntityDemands, entity_demands
from otsrw.report.ots import enough_lines, ots_document, ots_tables, ots_verdict
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError, ProblemKind


def execute(options: argparse.Namespace) -> int:
    return in_frame("ots", options, _describe)


def _describe(frame: CommandFrame) -> Ending:
    console = frame.console
    recognised = frame.loaded().recognised(frame.options.module)
    ots, entities = recognised.ots, recognised.entities(frame.options.entities)
    instance, problem = _instance(recognised, frame.options.entities)
    findings = [*ots.findings, *([] if problem is None else [problem])]
    for finding in findings:
        console.problem(finding)
    demands = _demands(recognised, frame.options.entities, instance)

    def show() -> None:
        for table in ots_tables(ots, instance):
            console.show(table)
        shown = "; ".join(f"{name} = {' '.join(words)}" for name, words in entities.items())
        console.line(f"entities: {shown or 'none given'}")
        for line in () if demands is None else enough_lines(demands):
            console.line(line)
        console.verdict(*ots_verdict(ots, findings))

    code = exits.BAD_INPUT if any(finding.is_error for finding in findings) else exits.HOLDS
    return Ending(code, lambda: ots_document(ots, entities, findings, demands), show)


def _instance(recognised: Recognised, given: list[str]) -> tuple[Instance | None, Diagnostic | None]:
    """The instance, or why there is none; that entities are missing is no fault of the file: a search asks for them."""
    try:
        return recognised.instantiated(given).instance, None
    except OtsrwError as error:
        problem = error.problem
        return None, problem.under("W505") if problem.kind is ProblemKind.MISSING_ENTITIES else problem


def _demands(recognised: Recognised, given: list[str], known: Instance | None) -> EntityDemands | None:
    """How many entities are enough for all invariants; None if some parameter has no values to try."""
    try:
        instance = known or trial_instance(recognised, given)
        return entity_demands(instance, instance.ots.invariants)
    except OtsrwError:
        return None

"""`otsrw ots FILE`: what otsrw understood of a specification."""

from __future__ import annotations

import argparse

from otsrw.cli import exits
from otsrw.cli.specification import Refused, load, refuse
from otsrw.ots import entities_of
from otsrw.report.console import Console
from otsrw.report.ots import ots_document, ots_tables
from otsrw.syntax.diagnostics import Diagnostic, OtsrwError, ProblemKind


def execute(options: argparse.Namespace) -> int:
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    try:
        specification = load(options, console)
        ots = specification.ots
        findings: list[Diagnostic] = list(ots.findings)
        try:
            entities = entities_of(ots, options.entities)
        except OtsrwError as error:
            raise refuse(error, console, options.file) from None
    except Refused as refused:
        return refused.end("ots", console)
    instance = None
    try:
        instance = specification.instance()
    except OtsrwError as error:
        problem = error.problem
        # that entities are missing is no fault of the file: a search will ask for them
        findings.append(problem.under("W505") if problem.kind is ProblemKind.MISSING_ENTITIES else problem)
    for finding in findings:
        console.problem(finding)
    if options.json:
        console.document(ots_document(ots, entities, findings))
    else:
        for table in ots_tables(ots, instance):
            console.show(table)
        shown = "; ".join(f"{name} = {' '.join(words)}" for name, words in entities.items())
        console.line(f"entities: {shown or 'none given'}")
    errors = sum(finding.is_error for finding in findings)
    observers, transitions = len(ots.observers), len(ots.transitions)
    console.verdict(
        f"{ots.name}: {observers} observers, {transitions} transitions, {len(ots.invariants)} invariant candidates"
        + (f", {errors} errors" if errors else ""),
        "red" if errors else "green",
    )
    return exits.BAD_INPUT if errors else exits.HOLDS

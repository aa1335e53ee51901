"""`otsrw lemmas FILE --inv I`: the necessary lemmas of every induction case."""

from __future__ import annotations

import argparse
import time
from functools import partial

from otsrw.cli import exits
from otsrw.cli.specification import Specification, on_specification
from otsrw.induction.lemmas import necessary_lemmas
from otsrw.induction.steps import Induction
from otsrw.ots import Instance
from otsrw.reasoning.splitting import POLICIES
from otsrw.report.console import Console
from otsrw.report.igf import lemma_table, lemma_verdict, lemmas_document, undecided_document
from otsrw.report.progress import progress_view
from otsrw.syntax.diagnostics import OtsrwError

_EXITS = {"red": exits.VIOLATED, "yellow": exits.UNKNOWN, "green": exits.HOLDS}


def execute(options: argparse.Namespace) -> int:
    return on_specification("lemmas", options, partial(_split, options))


def _split(options: argparse.Namespace, specification: Specification, console: Console) -> int:
    start = time.monotonic()
    deadline = None if options.timeout is None else start + options.timeout
    name = specification.invariant_name(options.inv)
    invariant = next(i for i in specification.ots.invariants if i.name == name)
    induction = Induction(specification.ots, POLICIES[options.policy], deadline)
    predicate = induction.predicate(name, invariant.parameters, invariant.formula)
    with progress_view(not options.json and not options.quiet) as view:
        view.task(f"induction cases of {name}")
        report = necessary_lemmas(induction, predicate, _instance(specification))
    seconds = time.monotonic() - start
    if options.json:
        console.document(lemmas_document(report, seconds))
    else:
        console.show(lemma_table(report))
        for step, leaf in report.undecided:
            shown = undecided_document(step, leaf)
            console.line(f"undecided in {shown['transition'] or 'the base case'}: {'; '.join(shown['assumptions'])}")
            console.line(f"  {shown['reason']}: {shown['term']}")
    text, style = lemma_verdict(report)
    console.verdict(f"{text}; {seconds:.2f} s", style)
    return _EXITS[style]


def _instance(specification: Specification) -> Instance | None:
    """Induction needs no entities; with them it can be checked whether equations depend on their order."""
    try:
        return specification.instance()
    except OtsrwError:
        return None

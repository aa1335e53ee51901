"""`otsrw demo`: induction-guided falsification finds the attack on NSPK that a search of that depth does not see."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from otsrw.cli import exits
from otsrw.cli.bundled import bundled_folder
from otsrw.cli.igf import replay_command, told
from otsrw.cli.specification import Refused, Specification, invariant_of, load, refuse
from otsrw.induction.lemmas import necessary_lemmas
from otsrw.induction.procedure import igf
from otsrw.induction.results import INTERRUPTED, IgfResult, Options
from otsrw.induction.steps import Induction
from otsrw.report.charts import run_chart
from otsrw.report.console import Console
from otsrw.report.igf import igf_document, igf_verdict, lemma_table
from otsrw.report.igf_page import igf_page
from otsrw.report.progress import progress_view
from otsrw.report.search import level_table, verdict_line
from otsrw.search.session import Limits, search
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.theory.printing import show_plainly

INVARIANT = "secrecy"
DEPTH = 3


def execute(options: argparse.Namespace) -> int:
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    file = _nearby(bundled_folder("specs") / "nspk.cafe")
    options = argparse.Namespace(**vars(options), file=file, module=None, entities=[], inv=INVARIANT)
    try:
        specification = load(options, console)
        try:
            result = _tour(specification, options, console)
            Path(options.html).write_text(igf_page(result, None, options.file), encoding="utf-8")
        except OtsrwError as error:
            raise refuse(error, console, options.file) from None
        except OSError as error:
            console.complain(f"cannot write {options.html}: {error.strerror}")
            return exits.USAGE
    except Refused as refused:
        return refused.end("demo", console)
    replay = replay_command(options, result) if result.verdict == "falsified" else None
    if options.json:
        console.document(igf_document(result, None, replay) | {"schema": "otsrw/demo/1"})
    else:
        console.line(f"\nThe report: {Path(options.html).resolve()}")
        if replay is not None:
            console.line(f"The same with any specification: {replay} --html F")
        console.verdict(*igf_verdict(result))
    if result.reason == INTERRUPTED:
        return exits.INTERRUPTED
    return exits.HOLDS if result.verdict == "falsified" else exits.UNKNOWN


def _nearby(path: Path) -> str:
    """A path as one would type it here."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def _tour(specification: Specification, options: argparse.Namespace, console: Console) -> IgfResult:
    """Property, search, lemmas and attack, each shown when it is known."""
    ots, instance = specification.ots, specification.instance()
    invariant = invariant_of(instance, INVARIANT)
    console.line(f"1. The property. {options.file} has the Needham-Schroeder public-key protocol; {INVARIANT} says")
    console.line(f"     {show_plainly(invariant.formula)}")
    with progress_view(not options.json and not options.quiet) as view:
        view.task("search")
        searched = search(instance, invariant, DEPTH, Limits(options.timeout), view.search_progress)
    console.line(f"\n2. A search of depth {DEPTH} sees nothing.")
    console.show(level_table([searched]))
    console.line(verdict_line(searched)[0])
    stated = next(i for i in ots.invariants if i.name == INVARIANT)
    induction = Induction(ots)
    report = necessary_lemmas(induction, induction.predicate(INVARIANT, stated.parameters, stated.formula))
    console.line("\n3. Induction says what must hold as well, case by case: the necessary lemmas.")
    console.show(lemma_table(report))
    with progress_view(not options.json and not options.quiet) as view:
        view.task("igf")
        result = igf(ots, instance, stated, Options(depth=DEPTH, timeout=options.timeout), told(view))
    if result.run is not None:
        found = result.nodes[result.chain[-1]]
        console.line(f"\n4. A lemma is false within depth {DEPTH}, the one for {found.transition}:")
        console.line(f"     {show_plainly(found.predicate.formula)}")
        console.line(f"   Then so is {INVARIANT}: one more {found.transition}, and the attack is complete.\n")
        console.show(run_chart(result.run))
    return result

"""`otsrw demo`: induction-guided falsification finds the attack on NSPK that a search of that depth does not see."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from otsrw.application import Instantiated
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame, replay_command, save
from otsrw.cli.pictures import picture_for_run
from otsrw.induction.results import IgfResult, Options
from otsrw.proofs.bundled import bundled_folder
from otsrw.report.charts import run_chart
from otsrw.report.igf import igf_document, igf_verdict, lemma_table
from otsrw.report.igf_page import igf_page
from otsrw.report.search import level_table, verdict_line
from otsrw.search import Limits
from otsrw.theory.printing import show_plainly

INVARIANT = "secrecy"
DEPTH = 3


def execute(options: argparse.Namespace) -> int:
    file = _nearby(bundled_folder("specs") / "nspk.cafe")
    options = argparse.Namespace(**vars(options), file=file, module=None, entities=[], inv=INVARIANT)
    return in_frame("demo", options, _demonstrate)


def _nearby(path: Path) -> str:
    """A path as one would type it here."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def _demonstrate(frame: CommandFrame) -> Ending:
    options, console = frame.options, frame.console
    result = _tour(frame, frame.instantiated())
    save(options.html, igf_page(result, None, options.file, picture=picture_for_run(frame, result.run)))
    replay = None
    if result.verdict == "falsified":
        asked = argparse.Namespace(**{**vars(options), "command": "igf"})
        replay = replay_command(asked, INVARIANT, result.depth, result.entities)

    def show() -> None:
        console.line(f"\nThe report: {Path(options.html).resolve()}")
        if replay is not None:
            console.line(f"The same with any specification: {replay} --html F")
        console.verdict(*igf_verdict(result))

    code = exits.HOLDS if result.verdict == "falsified" else exits.UNKNOWN
    return Ending(
        exits.INTERRUPTED if result.was_interrupted else code,
        lambda: igf_document(result, None, replay) | {"schema": "otsrw/demo/1"},
        show,
    )


def _tour(frame: CommandFrame, nspk: Instantiated) -> IgfResult:
    """Property, search, lemmas and attack, each shown when it is known."""
    console, timeout = frame.console, frame.options.timeout
    invariant = nspk.invariant(INVARIANT)
    file = frame.options.file
    console.line(f"1. The property. {file} has the Needham-Schroeder public-key protocol; {INVARIANT} says")
    console.line(f"     {show_plainly(invariant.formula)}")
    with frame.progress() as view:
        view.task("search")
        searched = nspk.search(invariant, DEPTH, Limits(timeout), view.search_progress)
    console.line(f"\n2. A search of depth {DEPTH} sees nothing.")
    console.show(level_table([searched]))
    console.line(verdict_line(searched)[0])
    console.line("\n3. Induction says what must hold as well, case by case: the necessary lemmas.")
    console.show(lemma_table(nspk.recognised.lemmas(INVARIANT)))
    with frame.progress() as view:
        view.task("igf")
        result = nspk.decided(INVARIANT, Options(depth=DEPTH, timeout=timeout), view.igf_progress).result
    if result.run is not None:
        found = result.nodes[result.chain[-1]]
        console.line(f"\n4. A lemma is false within depth {DEPTH}, the one for {found.transition}:")
        console.line(f"     {show_plainly(found.predicate.formula)}")
        console.line(f"   Then so is {INVARIANT}: one more {found.transition}, and the attack is complete.\n")
        console.show(run_chart(result.run))
    return result

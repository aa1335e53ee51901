"""`otsrw demo`: induction-guided falsification finds an attack that a search of the same depth does not see."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from otsrw.application import Instantiated
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame, replay_command, save
from otsrw.cli.pictures import picture_for_run
from otsrw.induction.results import IgfResult, Options
from otsrw.ots.run import Run
from otsrw.proofs.bundled import bundled_folder
from otsrw.records import dataclass
from otsrw.report.charts import run_chart
from otsrw.report.igf import igf_document, igf_verdict, lemma_table
from otsrw.report.igf_page import igf_page
from otsrw.report.search import level_table, verdict_line
from otsrw.report.traces import run_table
from otsrw.search import Limits
from otsrw.theory.printing import show_plainly


@dataclass(frozen=True, slots=True)
class Story:
    """A bundled specification, and how its attack is found."""

    protocol: str
    invariant: str
    depth: int
    entities: tuple[str, ...] = ()
    strengthen: bool = True
    is_drawn: bool = True
    """Is the attack drawn as a sequence chart? Otherwise it is a table."""
    remark: str = ""
    """What a deeper search would cost."""


STORIES = {
    "nspk": Story("the Needham-Schroeder public-key protocol", "secrecy", 3),
    "ikp": Story(
        "the payment protocol iKP, here with three honest buyers and three honest sellers",
        "agreement",
        2,
        ("Buyer=b1,b2,b3,ib", "Seller=s1,s2,s3,is"),
        strengthen=False,
        is_drawn=False,
        remark="The attack has five steps; a plain search that deep spent 8 GB without finding it (bench/RESULTS.md).",
    ),
}


def execute(options: argparse.Namespace) -> int:
    story = STORIES[options.story]
    file = _nearby(bundled_folder("specs") / f"{options.story}.cafe")
    asked = {"file": file, "module": None, "entities": list(story.entities), "inv": story.invariant}
    options = argparse.Namespace(**vars(options), **asked, depth=story.depth, no_strengthen=not story.strengthen)
    return in_frame("demo", options, _demonstrate)


def _nearby(path: Path) -> str:
    """A path as one would type it here."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative


def _demonstrate(frame: CommandFrame) -> Ending:
    options, console = frame.options, frame.console
    result = _tour(frame, STORIES[options.story], frame.instantiated())
    save(options.html, igf_page(result, None, options.file, picture=picture_for_run(frame, result.run)))
    replay = None
    if result.verdict == "falsified":
        asked = argparse.Namespace(**{**vars(options), "command": "igf"})
        choices = ["--no-strengthen"] if options.no_strengthen else []
        replay = replay_command(asked, options.inv, result.depth, result.entities, choices)

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


def _tour(frame: CommandFrame, story: Story, system: Instantiated) -> IgfResult:
    """Property, search, lemmas and attack, each shown when it is known."""
    console, timeout = frame.console, frame.options.timeout
    invariant = system.invariant(story.invariant)
    file = frame.options.file
    console.line(f"1. The property. {file} has {story.protocol}; {story.invariant} says")
    console.line(f"     {show_plainly(invariant.formula)}")
    with frame.progress() as view:
        view.task("search")
        searched = system.search(invariant, story.depth, Limits(timeout), view.search_progress)
    console.line(f"\n2. A search of depth {story.depth} sees nothing.")
    console.show(level_table([searched]))
    console.line(verdict_line(searched)[0])
    if story.remark:
        console.line(story.remark)
    console.line("\n3. Induction says what must hold as well, case by case: the necessary lemmas.")
    console.show(lemma_table(system.recognised.lemmas(story.invariant)))
    with frame.progress() as view:
        view.task("igf")
        options = Options(depth=story.depth, timeout=timeout, strengthen=story.strengthen)
        result = system.decided(story.invariant, options, view.igf_progress).result
    if result.run is not None:
        _show_attack(frame, story, result, result.run)
    return result


def _show_attack(frame: CommandFrame, story: Story, result: IgfResult, run: Run) -> None:
    console = frame.console
    *above, last = result.chain
    found = result.nodes[last]
    names = " <- ".join((story.invariant, *above[1:], last))
    console.line(f"\n4. A lemma is false within depth {story.depth}, the one for {found.transition}:")
    console.line(f"     {show_plainly(found.predicate.formula)}")
    if len(above) == 1:
        console.line(f"   Then so is {story.invariant}: one more {found.transition}, and the attack is complete.\n")
    else:
        console.line(f"   Then so is every one above it, {names}: a step each, and the attack is complete.\n")
    console.show(run_chart(run) if story.is_drawn else run_table(run))

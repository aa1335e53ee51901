"""`otsrw check FILE`: does the specification mean one thing?

With entities: does every transition happen, and does every invariant say something? With `--score`: does the proof
score leave no case out?
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from otsrw.application import Loaded, LoadFailed
from otsrw.application.loading import STANDARD_INPUT
from otsrw.application.stages import ALL_INVARIANTS
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame, save
from otsrw.ots import Ots
from otsrw.proofs import Settings
from otsrw.proofs.files import decode, load_source
from otsrw.records import replace
from otsrw.report.check import check_document, check_lines, summary
from otsrw.report.words import counted
from otsrw.soundness import SoundnessReport, SoundnessVerdict, check, cone_of
from otsrw.soundness.domains import settled
from otsrw.soundness.order import check_order
from otsrw.soundness.passages import order_score
from otsrw.syntax.diagnostics import OtsrwError, ProblemKind
from otsrw.syntax.source import Source
from otsrw.theory.modules import Module

if TYPE_CHECKING:
    from otsrw.search.results import Activity

_COLOURS = {SoundnessVerdict.SOUND: "green", SoundnessVerdict.DOUBTFUL: "yellow", SoundnessVerdict.BROKEN: "red"}

COUNTED = 1000
"""States that are looked at for what never happens."""


def execute(options: argparse.Namespace) -> int:
    return in_frame("check", options, _check_score if options.score else _check)


def _check(frame: CommandFrame) -> Ending:
    options = frame.options
    loaded = frame.loaded()
    states: Activity | None = None
    subject, predicates = _subject(frame, loaded)
    with frame.progress() as view:
        view.task("obligations")
        report = check(subject, predicates)
        if options.entities or options.depth is not None:
            view.task("transitions")
            states = _states(frame, loaded)
    written: tuple[str, ...] = ()
    if options.proof:
        score = order_score(cone := cone_of(subject, predicates), check_order(cone), loaded.declarations)
        save(options.proof, score.text)
        written = (f"proof passages of {score.passages} joined cases written to {options.proof}",)
    return _ending(frame, report, written, states)


def _states(frame: CommandFrame, loaded: Loaded) -> Activity:
    """What transitions do in the states of an instance."""
    options = frame.options
    recognised = frame.understood(loaded.recognised(options.module, options.inv))
    names = recognised.invariants(options.inv or ALL_INVARIANTS) if recognised.ots.invariants else ()
    found = recognised.instantiated(options.entities).observed(names, options.depth, COUNTED)
    if found is None:
        raise OtsrwError(
            "E519",
            "the states of this instance cannot be counted",
            hint="'otsrw search' says why; without --with and --depth only the equations are checked",
        )
    return found


def _check_score(frame: CommandFrame) -> Ending:
    """The claims of a proof score, and those about the equations that it rests on."""
    from otsrw.induction.score_checking import score_report

    options = frame.options
    if options.proof or options.module or options.entities or options.depth is not None:
        others = "--proof, --module, --with or --depth"
        raise OtsrwError("E519", f"--score does not go with {others}", hint="leave one of them out")
    with frame.progress() as view:
        view.task("passages")
        settings = Settings(max_rewrites=options.max_rewrites, timeout=options.timeout)
        found = score_report(_source(options.file), [options.inv] if options.inv else [], settings)
    if found.errors:
        raise LoadFailed(found.errors)
    if found.ots is None:
        raise OtsrwError(
            "E612",
            "no passage here is about a step of an OTS",
            hint="a passage of a proof score ends in 'red P(s,x) implies P(t(s,y),x) .' for constants s, x, y",
        )
    for warning in found.warnings:
        frame.console.problem(warning)
    report = check(found.ots, found.predicates, found.operators)
    shown = tuple(settled(each, found.proved) for each in report.obligations)
    report = replace(report, obligations=(*shown, *found.obligations))
    passages, reductions = counted(found.passages, "passage"), counted(found.reductions, "reduction")
    proved = f"{passages} about {', '.join(found.predicates)}; {reductions}"
    return _ending(frame, report, (proved,))


def _source(name: str) -> Source:
    if name == STANDARD_INPUT:
        return Source("<stdin>", decode(sys.stdin.buffer.read()))
    return load_source(name, name)


def _ending(
    frame: CommandFrame, report: SoundnessReport, notes: Iterable[str], states: Activity | None = None
) -> Ending:
    console = frame.console

    def show() -> None:
        *lines, _ = check_lines(report, frame.options.all)
        for line in (*lines, *notes):
            console.line(line)
        text = summary(report)
        if states is not None:
            from otsrw.report.activity import extent_line, show_doubts, with_doubts

            show_doubts(console, states)
            console.line(extent_line(states))
            text = with_doubts(text, states)
        console.verdict(text, _COLOURS[report.verdict])

    return Ending(exits.of_verdict(report.verdict), lambda: check_document(report, states), show)


def _subject(frame: CommandFrame, loaded: Loaded) -> tuple[Ots | Module, Iterable[str] | None]:
    """The OTS of the file with the invariant asked for, or with all; else its last module, which is about data."""
    wanted = frame.options.inv
    try:
        recognised = loaded.recognised(frame.options.module, wanted)
    except OtsrwError as error:
        if error.problem.kind is not ProblemKind.SPECIFICATION or wanted is not None:
            raise
        return loaded.data_module(frame.options.module), None
    return recognised.ots, None if wanted is None else [recognised.invariant(wanted).name]

"""`otsrw check FILE`: does the specification mean one thing? Order, termination, completeness, protection, equality."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from otsrw.application import Loaded
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame, save
from otsrw.ots import Ots
from otsrw.report.check import check_document, check_lines, summary
from otsrw.soundness import SoundnessVerdict, check, cone_of
from otsrw.soundness.order import check_order
from otsrw.soundness.passages import order_score
from otsrw.syntax.diagnostics import OtsrwError, ProblemKind
from otsrw.theory.modules import Module

_COLOURS = {SoundnessVerdict.SOUND: "green", SoundnessVerdict.DOUBTFUL: "yellow", SoundnessVerdict.BROKEN: "red"}


def execute(options: argparse.Namespace) -> int:
    return in_frame("check", options, _check)


def _check(frame: CommandFrame) -> Ending:
    options, console = frame.options, frame.console
    loaded = frame.loaded()
    subject, predicates = _subject(frame, loaded)
    with frame.progress() as view:
        view.task("obligations")
        report = check(subject, predicates)
    if options.proof:
        score = order_score(cone := cone_of(subject, predicates), check_order(cone), loaded.declarations)
        save(options.proof, score.text)

    def show() -> None:
        *lines, _ = check_lines(report, options.all)
        for line in lines:
            console.line(line)
        if options.proof:
            console.line(f"proof passages of {score.passages} joined cases written to {options.proof}")
        console.verdict(summary(report), _COLOURS[report.verdict])

    return Ending(exits.of_verdict(report.verdict), lambda: check_document(report), show)


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

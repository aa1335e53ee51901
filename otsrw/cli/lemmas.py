"""`otsrw lemmas FILE --inv I`: the necessary lemmas of every induction case."""

from __future__ import annotations

import argparse

from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame
from otsrw.reasoning.splitting import POLICIES
from otsrw.report.igf import lemma_table, lemma_verdict, lemmas_document, undecided_document


def execute(options: argparse.Namespace) -> int:
    return in_frame("lemmas", options, _split)


def _split(frame: CommandFrame) -> Ending:
    options, console = frame.options, frame.console
    recognised = frame.recognised()
    name = recognised.invariant(options.inv).name
    with frame.progress() as view:
        view.task(f"induction cases of {name}")
        report = recognised.lemmas(name, POLICIES[options.policy], options.timeout)
    seconds = frame.seconds

    def show() -> None:
        console.show(lemma_table(report))
        for step, leaf in report.undecided:
            shown = undecided_document(step, leaf)
            console.line(f"undecided in {shown['transition'] or 'the base case'}: {'; '.join(shown['assumptions'])}")
            console.line(f"  {shown['reason']}: {shown['term']}")
        text, style = lemma_verdict(report)
        console.verdict(f"{text}; {seconds:.2f} s", style)

    return Ending(exits.of_verdict(report.outcome), lambda: lemmas_document(report, seconds), show)

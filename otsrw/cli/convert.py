"""`otsrw convert FILE... --as cimpa|score`: a proof score as a script, a script as a proof score."""

from __future__ import annotations

import argparse

from otsrw.application.converting import Conversion, score_of_script, script_of_score
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame, save
from otsrw.proofs import Settings
from otsrw.proofs.workspace import Dialect
from otsrw.report.documents import header
from otsrw.report.words import counted


def execute(options: argparse.Namespace) -> int:
    options.file = options.files[-1]  # where a problem without a place is told
    return in_frame("convert", options, _convert)


def _convert(frame: CommandFrame) -> Ending:
    options = frame.options
    settings = Settings(max_rewrites=options.max_rewrites, timeout=options.timeout)
    settings.dialect = None if options.dialect is None else Dialect(options.dialect)
    is_script = options.form == "cimpa"
    if is_script:
        made = script_of_score(options.files, settings, options.id)
    else:
        made = score_of_script(options.files, settings)
    for problem in made.warnings:
        frame.console.problem(problem)
    if options.output:
        save(options.output, made.text)

    def show() -> None:
        if not options.output:
            print(made.text, end="")
            return
        parts = counted(made.parts, "case") if is_script else counted(made.parts, "passage")
        frame.console.verdict(f"written: {options.output}, {counted(len(made.proofs), 'proof')} of {parts}", "green")

    return Ending(exits.HOLDS, lambda: _document(options.form, made), show)


def _document(form: str, made: Conversion) -> dict[str, object]:
    warnings = [problem.header() for problem in made.warnings]
    return header("convert") | {
        "form": form,
        "proofs": list(made.proofs),
        "parts": made.parts,
        "warnings": warnings,
        "text": made.text,
    }

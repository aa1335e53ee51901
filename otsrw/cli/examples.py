"""`otsrw examples [NAME] [--copy FOLDER]`: the specifications that come with otsrw."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from otsrw.application.examples import Example, bundled_examples, copied, example_named
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame
from otsrw.report.examples import example_table, examples_document
from otsrw.report.words import counted


def execute(options: argparse.Namespace) -> int:
    options.file = options.name or "examples"
    return in_frame("examples", options, _list_or_copy)


def _list_or_copy(frame: CommandFrame) -> Ending:
    options = frame.options
    examples = bundled_examples() if options.name is None else [example_named(options.name)]
    files = [] if options.copy is None else copied(examples, Path(options.copy))
    return Ending(
        exits.HOLDS,
        lambda: examples_document(examples, files),
        lambda: _show(frame, examples, files),
    )


def _show(frame: CommandFrame, examples: list[Example], files: list[Path]) -> None:
    console, folder = frame.console, frame.options.copy
    if folder is not None:
        first = os.path.join(folder, examples[0].file.name)
        console.line(f"next: otsrw ots {first}")
        console.verdict(f"copied: {counted(len(files), 'file')} to {folder}", "green")
    elif frame.options.name is not None:
        console.line(examples[0].introduction)
        console.verdict(f"{examples[0].name}: {examples[0].file}", "green")
    else:
        console.show(example_table(examples))
        console.line("otsrw examples NAME explains one; --copy FOLDER copies it, or all, with what they load")
        console.verdict(f"{counted(len(examples), 'example')} in {examples[0].file.parent}", "green")

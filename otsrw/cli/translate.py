"""`otsrw translate FILE`: the Maude module of an OTS."""

from __future__ import annotations

import argparse

from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending, in_frame, save
from otsrw.report.documents import header
from otsrw.search.module import MaudeModule


def execute(options: argparse.Namespace) -> int:
    return in_frame("translate", options, _translate)


def _translate(frame: CommandFrame) -> Ending:
    options = frame.options
    instantiated = frame.instantiated()
    module = instantiated.translated(None if options.inv is None else [instantiated.invariant(options.inv)])
    text = _commented(module, options.file)
    if options.output:
        save(options.output, text)
    document = header("translate") | {"module": module.name, "text": text, "violations": module.violations}

    def show() -> None:
        if options.output:
            frame.console.verdict(f"written: {options.output}", "green")
        else:
            print(text, end="")

    return Ending(exits.HOLDS, lambda: document, show)


def _commented(module: MaudeModule, file: str) -> str:
    lines = [f"*** made by otsrw from {file}", module.text.rstrip()]
    lines += [
        f"*** search [1, 5] {initial} =>* S:{module.states} such that {predicate}(S:{module.states}) = true ."
        for predicate in module.violations.values()
        for initial in module.initials[:1]
    ]
    return "\n".join(lines) + "\n"

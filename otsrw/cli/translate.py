"""`otsrw translate FILE`: the Maude module of an OTS."""

from __future__ import annotations

import argparse
from pathlib import Path

from otsrw.cli import exits
from otsrw.cli.specification import Refused, check_findings, invariant_of, load, refuse
from otsrw.report.console import Console
from otsrw.report.documents import header
from otsrw.search.module import MaudeModule, translate
from otsrw.syntax.diagnostics import OtsrwError


def execute(options: argparse.Namespace) -> int:
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    try:
        specification = load(options, console)
        check_findings(specification, console)
        try:
            instance = specification.instance()
            wanted = None
            if options.inv is not None:
                wanted = [invariant_of(instance, specification.invariant_name(options.inv))]
            module = translate(instance, wanted)
        except OtsrwError as error:
            raise refuse(error, console, options.file) from None
    except Refused as refused:
        return refused.end("translate", console)
    text = _commented(module, options.file)
    if options.output:
        try:
            Path(options.output).write_text(text, encoding="utf-8")
        except OSError as error:
            console.complain(f"cannot write {options.output}: {error.strerror}")
            return exits.USAGE
        console.verdict(f"written: {options.output}", "green")
    elif not options.json:
        print(text, end="")
    if options.json:
        console.document(header("translate") | {"module": module.name, "text": text, "violations": module.violations})
    return exits.HOLDS


def _commented(module: MaudeModule, file: str) -> str:
    lines = [f"*** made by otsrw from {file}", module.text.rstrip()]
    lines += [
        f"*** search [1, 5] {initial} =>* S:{module.states} such that {predicate}(S:{module.states}) = true ."
        for predicate in module.violations.values()
        for initial in module.initials[:1]
    ]
    return "\n".join(lines) + "\n"

"""`otsrw translate FILE`: the Maude module of an OTS."""

from __future__ import annotations

import argparse
from functools import partial

from otsrw.cli import exits
from otsrw.cli.specification import Specification, invariant_of, on_specification, save
from otsrw.report.console import Console
from otsrw.report.documents import header
from otsrw.search.module import MaudeModule, translate


def execute(options: argparse.Namespace) -> int:
    return on_specification("translate", options, partial(_translate, options))


def _translate(options: argparse.Namespace, specification: Specification, console: Console) -> int:
    instance = specification.instance()
    wanted = None
    if options.inv is not None:
        wanted = [invariant_of(instance, specification.invariant_name(options.inv))]
    module = translate(instance, wanted)
    text = _commented(module, options.file)
    if options.output:
        save(options.output, text)
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

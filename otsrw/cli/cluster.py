"""`otsrw cluster`: workers on this machine, for `--cluster ADDRESS` of `otsrw search`, `igf` and `prove`."""

from __future__ import annotations

import argparse
import time

from otsrw.cli import exits
from otsrw.report.console import Console
from otsrw.report.documents import header, refusal_document
from otsrw.report.words import counted
from otsrw.syntax.diagnostics import OtsrwError
from otsrw.workers.cluster import local_cluster

_TICK = 0.2


def execute(options: argparse.Namespace) -> int:
    """Start the workers, say where they are, and wait until Ctrl-C or until the time is over."""
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    try:
        cluster = local_cluster(options.workers, options.memory * 1_000_000, options.port)
    except OtsrwError as error:
        problems = error.all_problems()
        for problem in problems:
            console.problem(problem)
        if options.json:
            console.document(refusal_document("cluster", problems))
        return exits.code_of_all(problems)
    address = cluster.scheduler_address
    if options.json:
        console.document(header("cluster") | {"address": address, "workers": options.workers})
    else:
        console.line(f"use them with: otsrw search FILE --cluster {address}, or igf, or prove")
        console.verdict(f"listening: {counted(options.workers, 'worker')} at {address}; Ctrl-C ends them", "green")
    console.flush()
    end = None if options.timeout is None else time.monotonic() + options.timeout
    try:
        while end is None or time.monotonic() < end:
            time.sleep(_TICK)
    except KeyboardInterrupt:
        pass
    finally:
        cluster.close(timeout=5)
    return exits.HOLDS

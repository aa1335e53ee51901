"""`otsrw demo`: the bundled Ticket and NSPK specifications with the papers' proof passages."""

from __future__ import annotations

import argparse
import time

from otsrw.cli import exits
from otsrw.cli.bundled import bundled_folder
from otsrw.cli.run import exit_code
from otsrw.proofs.results import Outcome
from otsrw.proofs.session import Session, Settings
from otsrw.report.console import Console
from otsrw.report.documents import run_document

_TOUR = (
    ("ticket-attack.cafe", "Ticket: six steps into the critical section, twice (mutual exclusion becomes false)"),
    ("ticket-enter.cafe", "Ticket: the induction case 'enter', and the lemma that closes it"),
    ("nspk-attack.cafe", "NSPK: Lowe's attack replayed (secrecy becomes false)"),
    ("nspk-send2.cafe", "NSPK: the induction case 'send2' and its lemma"),
    ("nspk-send3.cafe", "NSPK: the induction case 'send3' and its lemma"),
    ("tas-mutex.cafe", "Test-and-set: a complete proof score of mutual exclusion"),
)


def execute(options: argparse.Namespace) -> int:
    console = Console(json=options.json, quiet=options.quiet, verbose=options.verbose)
    start = time.perf_counter()
    outcomes: list[Outcome] = []
    rows = []
    for name, title in _TOUR:
        session = Session(Settings(max_rewrites=options.max_rewrites, timeout=options.timeout))
        session.run_file(bundled_folder("proofs") / name, f"proofs/{name}")
        outcomes.append(session.outcome)
        for problem in session.outcome.errors:
            console.problem(problem)
        rows.append((title, session.outcome))
    seconds = time.perf_counter() - start
    total = Outcome([c for o in outcomes for c in o.commands], [p for o in outcomes for p in o.problems])
    if options.json:
        console.document(run_document(total, seconds, None) | {"schema": "otsrw/demo/1"})
    else:
        console.demo_table(rows)
        console.run_verdict(total, seconds, None)
    return exit_code(total, None) if total.errors else exits.HOLDS

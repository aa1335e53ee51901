"""Proofs to take home: scripts that igf writes for the verified specifications, run by CafeOBJ 1.6.0 and by otsrw.

    python bench/take_home.py [SPEC...] [--as citp|cimpa] [--limit 1800]

Without SPEC: every file of specs/ and specs/literature whose first invariant igf proves by induction. A script for
CiMPA is run by otsrw alone. Exit code 12 if a script is missing or some goal stays open.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from sections import circumstances, table
from tools import CAFEOBJ, OTSRW
from versus_citp import CLOSED, TimedRun, timed

FINISHED = "PROOF FINISHED!"
VERIFIED = (
    "abp",
    "tas",
    "qlock",
    "iff",
    "job-pool",
    "flag-turn",
    "peterson",
    "ticket-atomic",
    "nslpk",
    "otway-rees-tagged",
    "two-phase-commit",
    "ikp-repaired",
    "mcs",
    "suzuki-kasami",
    "literature/client-server",
    "literature/consensus-forall",
    "literature/distributed-lock",
    "literature/firewall",
    "literature/lock-server",
    "literature/lockserv",
    "literature/naive-consensus",
    "literature/quorum-leader-election",
    "literature/ricart-agrawala",
    "literature/sharded-kv",
    "literature/simple-decentralized-lock",
    "literature/simple-election",
    "literature/toy-consensus",
    "literature/transaction-commit",
    "literature/two-phase-commit",
)
_ACCEPTED, _REFUSED = 0, 12


class ScriptFigures(NamedTuple):
    """What is measured of one specification, as cells of a table, and whether everything was accepted."""

    cells: list[str]
    is_accepted: bool


def measured(spec: str, form: str, limit: float) -> ScriptFigures:
    """Write the script of a specification and have its goals closed."""
    file = spec if spec.endswith(".cafe") else f"specs/{spec}.cafe"
    name = os.path.relpath(file, "specs").removesuffix(".cafe")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.cafe"
        made = timed([*OTSRW, "igf", file, "--proof", str(path), "--as", form, "-q"], limit)
        if not path.exists():
            said = made.output.strip().splitlines()
            why = "time is up" if made.code is None else said[-1][:100] if said else "nothing"
            return ScriptFigures([name, f"{made.seconds:.1f}", "none", why, "", "", ""], False)
        text = path.read_text("utf-8")
        goals = text.count("\n:goal")
        counts = [str(goals), str(text.count(":ctf"))]
        end = CLOSED if form == "citp" else FINISHED
        theirs = timed([*CAFEOBJ, str(path)], limit) if form == "citp" else None
        ours = timed([*OTSRW, "run", "--expect", "true", str(path)], limit)
    runs = [run for run in (theirs, ours) if run is not None]
    shown = [cell for run in runs for cell in (_closed(run, goals, end), f"{run.seconds:.1f}")]
    accepted = all(run.output.count(end) == goals for run in runs) and ours.code == 0
    return ScriptFigures([name, f"{made.seconds:.1f}", *counts, *shown], accepted)


def _closed(run: TimedRun, goals: int, end: str) -> str:
    closed = run.output.count(end)
    stopped = "" if run.code is not None else ", time is up"
    return f"all {goals}" if closed == goals else f"{closed} of {goals}{stopped}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="*", metavar="SPEC", help="tas, literature/lockserv, or a file")
    parser.add_argument("--as", dest="form", choices=("citp", "cimpa"), default="citp")
    parser.add_argument("--limit", type=float, default=1800.0, help="seconds for one run of a program (1800)")
    options = parser.parse_args()
    rows, code = [], _ACCEPTED
    for spec in options.specs or VERIFIED:
        found = measured(spec, options.form, options.limit)
        rows.append(found.cells)
        code = code if found.is_accepted else _REFUSED
        print(" | ".join(found.cells), file=sys.stderr, flush=True)
    theirs = ["closed by CafeOBJ", "cpu s"] if options.form == "citp" else []
    headings = ["specification", "igf, cpu s", "goals", "splits", *theirs, "closed by otsrw", "cpu s"]
    print("\n".join([circumstances(), "", *table(headings, [row[: len(headings)] for row in rows])]))
    sys.exit(code)


if __name__ == "__main__":
    main()

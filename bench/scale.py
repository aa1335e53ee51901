"""What --symmetry, --compact and --jobs cost and save, next to a search in one Maude process.

    python bench/scale.py [--limit S] [--write] [NAME...]

Every row is one run of `otsrw search`. Cpu seconds are those of the command and all its processes; memory is that of
the command and its Maude processes together, as the command says. `--write` puts the table into bench/RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path

from sections import circumstances, table, write_section

ROOT = Path(__file__).parents[1]
PLAIN: tuple[str, ...] = ()
SYMMETRY, COMPACT = ("--symmetry",), ("--compact",)
RUNS: dict[str, tuple[list[str], list[tuple[str, ...]]]] = {
    "Qlock, 5 processes": (["qlock.cafe", "--with", "Pid=5", "--depth", "60"], [PLAIN, SYMMETRY, COMPACT]),
    "Qlock, 6 processes": (["qlock.cafe", "--with", "Pid=6", "--depth", "60"], [PLAIN, SYMMETRY]),
    "Ticket, 5 processes, depth 15": (
        ["ticket-atomic.cafe", "--with", "Pid=5", "--depth", "15"],
        [PLAIN, SYMMETRY, COMPACT],
    ),
    "Ticket, 6 processes, depth 15": (
        ["ticket-atomic.cafe", "--with", "Pid=6", "--depth", "15"],
        [SYMMETRY],
    ),
    "MCS, 4 processes": (
        ["mcs.cafe", "--with", "Pid=4", "--depth", "100"],
        [PLAIN, SYMMETRY, COMPACT, ("--compact", "--jobs", "2"), ("--symmetry", "--jobs", "2")],
    ),
    "MCS, 5 processes, depth 22": (["mcs.cafe", "--with", "Pid=5", "--depth", "22"], [PLAIN, SYMMETRY]),
    "MCS, 6 processes, depth 16": (["mcs.cafe", "--with", "Pid=6", "--depth", "16"], [PLAIN, SYMMETRY]),
    "NSPK, 2 honest principals, depth 5": (
        ["nspk.cafe", "--inv", "send2-lemma", "--depth", "5"],
        [PLAIN, SYMMETRY, COMPACT, ("--jobs", "2")],
    ),
    "NSPK, 4 honest principals": (
        ["nspk.cafe", "--with", "Prin=p1,p2,p3,p4,intr", "--depth", "4"],
        [PLAIN, SYMMETRY],
    ),
}


def measure(words: list[str], means: tuple[str, ...], limit: float) -> tuple[str, ...]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "otsrw", "search", f"specs/{words[0]}", *words[1:], *means, "--json"]
    command += ["--count", "0", "--timeout", str(limit)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = json.loads(done.stdout)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    verdict = f"{found['verdict']}{' (exhausted)' if found['exhausted'] else ''}, depth {found['depth']}"
    states = f"{found['states']:,} {found['unit']}".replace(",", " ")
    return " ".join(means) or "one process", verdict, states, f"{cpu:.1f}", f"{found['memory'] / 1e6:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of one run (60)")
    parser.add_argument("--write", action="store_true", help="put the table into bench/RESULTS.md")
    parser.add_argument("names", nargs="*", help="parts of names of rows (all)")
    options = parser.parse_args()
    rows = []
    for name, (words, choices) in RUNS.items():
        if options.names and not any(part in name for part in options.names):
            continue
        for means in choices:
            rows.append((name, *measure(words, means, options.limit)))
            print(" | ".join(rows[-1]), flush=True)
    if options.write:
        lines = ["## Orbits, fingerprints, processes", "", f"`python bench/scale.py --write`; {circumstances()}.", ""]
        lines += table(("system", "search", "verdict", "counted", "cpu s", "MB"), rows)
        write_section("scale", lines, ROOT / "bench" / "RESULTS.md")


if __name__ == "__main__":
    main()

"""What --symmetry, --compact and --jobs cost and save, next to a search in one Maude process.

    python bench/scale.py [--limit S] [--write] [NAME...]

Every row is one run of `otsrw search`. Cpu seconds and memory are those of the command and all its processes together;
of a search that is shared, those of the worker that took most are told, too. `--write` puts the table into
bench/RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from sections import circumstances, table, write_section
from spending import spent
from tools import OTSRW

ROOT = Path(__file__).parents[1]
PLAIN: tuple[str, ...] = ()
SYMMETRY, COMPACT = ("--symmetry",), ("--compact",)
Runs = dict[str, tuple[list[str], list[tuple[str, ...]]]]
"""By the name of a system: the words of a search, and by which means it is done."""
RUNS: Runs = {
    "Qlock, 5 processes": (["qlock.cafe", "--with", "Pid=5", "--depth", "60"], [PLAIN, SYMMETRY, COMPACT]),
    "Qlock, 6 processes": (["qlock.cafe", "--with", "Pid=6", "--depth", "60"], [PLAIN, SYMMETRY]),
    "Ticket, 5 processes, depth 15": (
        ["ticket-atomic.cafe", "--with", "Pid=5", "--depth", "15"],
        [PLAIN, SYMMETRY, COMPACT],
    ),
    "Ticket, 6 processes, depth 15": (
        ["ticket-atomic.cafe", "--with", "Pid=6", "--depth", "15"],
        [PLAIN, SYMMETRY],
    ),
    "MCS, 4 processes": (
        ["mcs.cafe", "--with", "Pid=4", "--depth", "100"],
        [PLAIN, SYMMETRY, COMPACT, ("--compact", "--jobs", "2"), ("--symmetry", "--jobs", "2")],
    ),
    "MCS, 5 processes, depth 22": (["mcs.cafe", "--with", "Pid=5", "--depth", "22"], [PLAIN, SYMMETRY]),
    "MCS, 6 processes, depth 16": (["mcs.cafe", "--with", "Pid=6", "--depth", "16"], [PLAIN, SYMMETRY]),
    "NSPK, 2 honest principals, depth 5": (
        ["nspk.cafe", "--inv", "send2-lemma", "--depth", "5"],
        [PLAIN, SYMMETRY, COMPACT, ("--jobs", "1"), ("--jobs", "2"), ("--jobs", "2", "--uncounted")],
    ),
    "NSPK, 4 honest principals": (
        ["nspk.cafe", "--with", "Prin=p1,p2,p3,p4,intr", "--depth", "4"],
        [PLAIN, SYMMETRY, ("--jobs", "2")],
    ),
}


def measure(words: list[str], means: tuple[str, ...], limit: float) -> tuple[str, ...]:
    """One row, without the name of the system."""
    command = [*OTSRW, "search", f"specs/{words[0]}", *words[1:], *means, "--json", "--count", "0"]
    done = spent([*command, "--timeout", str(limit)], ROOT, 2 * limit + 60)
    found = json.loads(done.stdout)
    verdict = f"{found['verdict']}{' (exhausted)' if found['exhausted'] else ''}, depth {found['depth']}"
    states = f"{found['states']:,} {found['unit']}".replace(",", " ")
    slowest = max((share["cpu"] for share in (found["work"] or {}).get("shares", ())), default=0.0)
    most = f"{slowest:.1f}" if slowest else ""
    return " ".join(means) or "one process", verdict, states, f"{done.cpu:.1f}", most, str(done.megabytes)


def section(runs: Runs, limit: float, command: str) -> list[str]:
    """The rows of these runs as a section of a page."""
    rows = []
    for name, (words, choices) in runs.items():
        for means in choices:
            rows.append((name, *measure(words, means, limit)))
            print(" | ".join(rows[-1]), file=sys.stderr, flush=True)
    lines = ["## Orbits, fingerprints, processes", "", f"`{command}`; {circumstances()}.", ""]
    columns = ("system", "search", "verdict", "counted", "cpu s", "of the busiest worker", "MB")
    return lines + table(columns, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of one run (60)")
    parser.add_argument("--write", action="store_true", help="put the table into bench/RESULTS.md")
    parser.add_argument("names", nargs="*", help="parts of names of rows (all)")
    options = parser.parse_args()
    chosen = {n: run for n, run in RUNS.items() if not options.names or any(part in n for part in options.names)}
    lines = section(chosen, options.limit, f"python bench/scale.py --limit {options.limit:g}")
    if options.write:
        write_section("scale", lines, ROOT / "bench" / "RESULTS.md")
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    main()

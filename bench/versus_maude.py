"""Bounded search by otsrw from CafeOBJ text, and by Maude's own `search` on a hand-written module, side by side.

Both search the same states for a property that is not violated there, in turns on one machine. Start-up is measured
apart, by the same command with depth 0 (Maude: without a search), and taken off. The table goes to standard output.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sections import table

ROOT = Path(__file__).parents[1]
ROUNDS = 3
OTSRW = (sys.executable, "-m", "otsrw")
MAUDE = ("maude", "-no-banner", "-no-advise")


@dataclass(frozen=True)
class Case:
    """The same question twice: an invariant on top of a specification, a goal for a hand-written module."""

    title: str
    spec: str
    entities: str
    invariant: str
    module: str
    goal: str
    depth: int


CASES = (
    Case(
        "NSPK, 3 principals",
        "nspk.cafe",
        "Prin=p1,p2,intr",
        "",
        "nspk.maude",
        "(nw : (enc1(Q, N, intr) , NW)) (nonces : NS) S"
        " such that not (N in NS or-else creator(N) == intr or-else partner(N) == intr)",
        5,
    ),
    Case(
        "Ticket, 4 processes",
        "ticket.cafe",
        "Pid=p1,p2,p3,p4",
        "op late : Sys Pid -> Bool eq late(S:Sys, I:Pid) = not (pc(S:Sys, I:Pid) = cs and tvm(S:Sys) = 0) .",
        "ticket.maude",
        "(pc[I] : cs) (tvm : 0) S",
        18,
    ),
)


@dataclass(frozen=True)
class Measured:
    """What a process took; `startup` is the wall-clock part before the search."""

    wall: float
    cpu: float
    megabytes: float
    states: int
    startup: float


def by_maude(case: Case) -> Measured:
    command = [*MAUDE, str(ROOT / "bench" / "by_hand" / case.module)]
    start = _run(command, "quit\n")
    whole = _run(command, f"search [1, {case.depth}] init =>* {case.goal} .\nquit\n")
    found = re.search(r"No solution\.\s*states: (\d+)", whole[3])
    if found is None:
        raise SystemExit(f"{case.title}: Maude found something:\n{whole[3]}")
    return Measured(whole[0] - start[0], whole[1] - start[1], whole[2], int(found[1]), start[0])


def by_otsrw(case: Case) -> Measured:
    words, text = question(case)
    start = _run([*OTSRW, *words, "--depth", "0"], text)
    whole = _run([*OTSRW, *words, "--depth", str(case.depth)], text)
    found = json.loads(whole[3])
    if found.get("verdict") != "holds":
        raise SystemExit(f"{case.title}: otsrw says {found}")
    return Measured(whole[0] - start[0], whole[1] - start[1], found["memory"] / 1e6, found["states"], start[0])


def question(case: Case) -> tuple[list[str], str]:
    """The words of the command line of otsrw, but for the depth, and its input."""
    text = (ROOT / "specs" / case.spec).read_text(encoding="utf-8")
    if case.invariant:
        text += f"\nmod* BENCH {{ pr({case.spec.removesuffix('.cafe').upper()}) {case.invariant} }}\n"
    invariant = "late" if case.invariant else "send2-lemma"
    return ["search", "-", "--json", "--with", case.entities, "--inv", invariant], text


def _run(command: list[str], text: str) -> tuple[float, float, float, str]:
    """Wall-clock and processor seconds, the largest resident size in megabytes, and the output."""
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as out:
        given.write(text)
        given.seek(0)
        began = time.monotonic()
        process = subprocess.Popen(command, stdin=given, stdout=out, stderr=subprocess.DEVNULL, cwd=ROOT)
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
        wall = time.monotonic() - began
        out.seek(0)
        return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000, out.read()


COLUMNS = ("system", "depth", "states", "tool", "start-up s", "search s", "search cpu s", "ratio", "memory MB")


def rows(cases: Sequence[Case], number: int) -> Iterator[tuple[str, ...]]:
    """Two rows a case: medians of some rounds in turns."""
    for case in cases:
        rounds = [(by_maude(case), by_otsrw(case)) for _ in range(number)]
        theirs, ours = (statistics.median(pair[place].wall for pair in rounds) for place in (0, 1))
        for place, tool in enumerate(("maude, by hand", "otsrw")):
            runs = [pair[place] for pair in rounds]
            if len({run.states for pair in rounds for run in pair}) != 1:
                raise SystemExit(f"{case.title}: the numbers of states differ")
            wall, cpu, memory, startup = (
                statistics.median(getattr(run, name) for run in runs)
                for name in ("wall", "cpu", "megabytes", "startup")
            )
            yield (
                case.title,
                str(case.depth),
                f"{runs[0].states:,}",
                tool,
                f"{startup:.2f}",
                f"{wall:.2f}",
                f"{cpu:.2f}",
                f"{theirs / ours:.1f}x" if place else "",
                f"{memory:.0f}",
            )


def main() -> None:
    print("\n".join(table(COLUMNS, list(rows(CASES, ROUNDS)))))


if __name__ == "__main__":
    main()

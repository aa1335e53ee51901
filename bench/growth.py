"""How plain search and IGF grow with the depth of the search, on NSPK (flawed) and NSLPK (repaired).

    python bench/growth.py [--limit S]

Prints the table and draws the chart docs/pictures/growth.svg from it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from line_chart import Panel, Point, draw
from sections import table

ROOT = Path(__file__).parents[1]
CHART = ROOT / "docs" / "pictures" / "growth.svg"
SYSTEMS = {"NSPK, secrecy": "nspk.cafe", "NSLPK, secrecy": "nslpk.cafe"}
DEPTHS = {"search": range(6), "igf": range(1, 5)}


@dataclass(frozen=True, slots=True)
class Measured:
    system: str
    command: str
    depth: int
    verdict: str
    states: int
    seconds: float


def measure(system: str, command: str, depth: int, limit: float) -> Measured:
    words = [sys.executable, "-m", "otsrw", command, f"specs/{SYSTEMS[system]}", "--inv", "secrecy", "--json"]
    words += ["--depth", str(depth), "--timeout", str(limit)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=2 * limit + 60)
    found = json.loads(done.stdout)
    return Measured(system, command, depth, found["verdict"], found["states"], found["seconds"])


def lines_of(measured: list[Measured]) -> list[str]:
    """The table of a page."""
    rows = [(m.system, m.command, str(m.depth), m.verdict, str(m.states), f"{m.seconds:.2f}") for m in measured]
    return table(("system", "command", "depth", "verdict", "states", "seconds"), rows)


def chart(measured: list[Measured]) -> str:
    panels = []
    for system in SYSTEMS:
        lines = {
            command: [
                Point(m.depth, max(m.seconds, 0.01), m.verdict)
                for m in measured
                if (m.system, m.command) == (system, command)
            ]
            for command in DEPTHS
        }
        panels.append(Panel(system, lines))
    return draw(panels, "depth of the search", "seconds")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how search and igf grow with depth.")
    parser.add_argument("--limit", type=float, default=60, metavar="S", help="seconds for each run")
    print("\n".join(lines_of(measured_and_drawn(parser.parse_args().limit))))


def measured_and_drawn(limit: float) -> list[Measured]:
    measured = []
    for system in SYSTEMS:
        for command, depths in DEPTHS.items():
            for depth in depths:
                measured.append(measure(system, command, depth, limit))
                print(measured[-1], file=sys.stderr)
    CHART.write_text(chart(measured), encoding="utf-8")
    return measured


if __name__ == "__main__":
    main()

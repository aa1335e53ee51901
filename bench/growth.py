"""How plain search and IGF grow with the depth of the search, on NSPK (flawed) and NSLPK (repaired).

    python bench/growth.py [--limit S]

Writes the section `growth` of bench/RESULTS.md and the chart docs/pictures/growth.svg, which is drawn from it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from line_chart import Panel, Point, draw
from sections import circumstances, table, write_section

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


def section(measured: list[Measured], limit: float) -> list[str]:
    rows = [(m.system, m.command, str(m.depth), m.verdict, str(m.states), f"{m.seconds:.2f}") for m in measured]
    return [
        "## Growth with the depth of the search",
        "",
        "![seconds by depth](../docs/pictures/growth.svg)",
        "",
        *table(("system", "command", "depth", "verdict", "states", "seconds"), rows),
        "",
        f"- `python bench/growth.py --limit {limit:g}`: one run each; seconds as the command reports them",
        "- `search` answers for this instance and this depth only; `igf` falsifies, or verifies for all depths",
        "- hollow marks: stopped at the limit, unknown",
        f"- {circumstances()}",
    ]


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
    limit = parser.parse_args().limit
    measured = []
    for system in SYSTEMS:
        for command, depths in DEPTHS.items():
            for depth in depths:
                measured.append(measure(system, command, depth, limit))
                print(measured[-1], file=sys.stderr)
    write_section("growth", section(measured, limit))
    CHART.write_text(chart(measured), encoding="utf-8")


if __name__ == "__main__":
    main()

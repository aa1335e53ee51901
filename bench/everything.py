"""Every comparison once, in short mode: `python bench/everything.py` rewrites the section `short` of bench/RESULTS.md.

Needs `cafeobj` and `maude`; a comparison whose tool is missing is left out, and the section says so. The other sections
hold the long measurements; growth.py, which is short anyway, writes its own.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import growth
import neighbourhoods
import speed
import versus_cafeobj
import versus_maude
from sections import circumstances, table, write_section
from tools import OTSRW
from workloads import workloads

ROOT = Path(__file__).parents[1]
LIMIT = 10.0
STATES = 20_000


def generated_texts() -> Iterator[str]:
    rows = [speed.row(speed.measure(workload, LIMIT, OTSRW), LIMIT) for workload in workloads()]
    yield from table(speed.COLUMNS, rows)


def bundled_proofs() -> Iterator[str]:
    options = versus_cafeobj.Options(LIMIT, OTSRW, None, None)
    sources = versus_cafeobj.find_sources([ROOT / "proofs"])
    reports = [versus_cafeobj.compare_file(source, options) for source in sources]
    compared = [comparison for report in reports for comparison in report.comparisons]
    both = [report for report in reports if report.cafeobj.finished and report.otsrw.finished]
    cafeobj, otsrw = (sum(getattr(report, tool).seconds for report in both) for tool in ("cafeobj", "otsrw"))
    yield from table(
        ("files", "agreeing files", "agreeing reductions", "cafeobj s", "otsrw s", "ratio"),
        [
            (
                str(len(reports)),
                str(sum(report.agrees for report in reports)),
                f"{sum(comparison.agrees for comparison in compared)} of {len(compared)}",
                f"{cafeobj:.1f}",
                f"{otsrw:.1f}",
                f"{cafeobj / otsrw:.1f}x",
            )
        ],
    )


def bounded_search() -> Iterator[str]:
    shallow = [replace(case, depth=case.depth - 1) for case in versus_maude.CASES]
    yield from table(versus_maude.COLUMNS, list(versus_maude.rows(shallow, 1)))


def simplification() -> Iterator[str]:
    yield from table(neighbourhoods.COLUMNS, list(neighbourhoods.rows(STATES)))


PARTS: tuple[tuple[str, str | None, Callable[[], Iterator[str]]], ...] = (
    (f"Generated texts, at most {LIMIT:g} s each", "cafeobj", generated_texts),
    ("The files in `proofs/`, whole processes", "cafeobj", bundled_proofs),
    ("Bounded search against hand-written Maude modules, one round", "maude", bounded_search),
    (f"`simplify` on generated systems of {STATES} states", None, simplification),
)


def main() -> None:
    lines = ["## `make bench`: everything once, in short mode", ""]
    for title, tool, measure in PARTS:
        print(f"running: {title}", file=sys.stderr)
        lines += [f"### {title}", ""]
        if tool is not None and shutil.which(tool) is None:
            lines += [f"Not measured: {tool} is not installed.", ""]
            continue
        lines += [*measure(), ""]
    write_section("short", [*lines, f"- {circumstances()}"])
    subprocess.run([sys.executable, growth.__file__, "--limit", "40"], check=True)


if __name__ == "__main__":
    main()

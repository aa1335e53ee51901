"""Compares otsrw with CafeOBJ on files and folders: results, errors and time, file by file.

    python bench/versus_cafeobj.py PATH... [--reference DIR] [--save DIR] [--jobs N] [--json F]

A file agrees when every reduction CafeOBJ finished has the same result in otsrw (modulo AC and printing) and otsrw
reports no error that CafeOBJ does not. That can hold vacuously, so files without a compared reduction are counted
apart; a crash of otsrw never agrees. CafeOBJ stops at its first error: then only the reductions before it count.
Exit code 0 if all files agree, 12 otherwise.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path

from cafeobj_output import Agreement, Reduction, Signature, compare, read_signature, token_bag
from one_equality import with_one_equality
from rich.console import Console
from rich.progress import track
from rich.table import Table
from tools import OTSRW, Output, Run, read_cafeobj, read_otsrw, run_cafeobj, run_otsrw, save, saved

SUFFIXES = frozenset({".cafe", ".mod", ".cafeobj"})
MISSING_IN_OTSRW = "missing in otsrw"
MISSING_IN_CAFEOBJ = "missing in CafeOBJ"
SORT_DIFFERS = "sort differs"
_AGREEING = frozenset({Agreement.EXACT.value, Agreement.MODULO_AC.value, Agreement.PROBABLE.value})


@dataclass(frozen=True, slots=True)
class Comparison:
    """One reduction in both tools; either side is None if that tool did not do it."""

    verdict: str
    cafeobj: Reduction | None
    otsrw: Reduction | None

    @property
    def agrees(self) -> bool:
        return self.verdict in _AGREEING


@dataclass(frozen=True, slots=True)
class FileReport:
    file: str
    outcome: str
    agrees: bool
    cafeobj: Run
    otsrw: Run
    comparisons: tuple[Comparison, ...]

    @property
    def disagreements(self) -> tuple[Comparison, ...]:
        return tuple(comparison for comparison in self.comparisons if not comparison.agrees)


@dataclass(frozen=True, slots=True)
class Options:
    timeout: float
    otsrw: tuple[str, ...]
    reference: Path | None
    save: Path | None
    one_equality: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """A file to compare and its name relative to the PATH it was found under."""

    path: Path
    name: Path


# --- comparing --------------------------------------------------------------------------------------------------------


def compare_runs(file: str, cafeobj: Run, otsrw: Run, signature: Signature) -> FileReport:
    """The report of one file from both runs."""
    pairs = _align(cafeobj.reductions, otsrw.reductions)
    if not cafeobj.finished:
        pairs = [pair for pair in pairs if pair[0] is not None]
    comparisons = tuple(_compare_pair(left, right, signature) for left, right in pairs)
    agrees = (
        all(comparison.agrees for comparison in comparisons)
        and not otsrw.timed_out
        and not otsrw.crashed
        and (otsrw.error is None or cafeobj.error is not None)
    )
    return FileReport(file, _outcome(cafeobj, otsrw, comparisons), agrees, cafeobj, otsrw, comparisons)


def _outcome(cafeobj: Run, otsrw: Run, comparisons: Sequence[Comparison]) -> str:
    if cafeobj.timed_out or otsrw.timed_out:
        return "timeout"
    if any(comparison.verdict in (Agreement.DIFFERENT.value, SORT_DIFFERS) for comparison in comparisons):
        return "differs"
    if cafeobj.error and otsrw.error:
        return "both error"
    if otsrw.error:
        return "only otsrw errors"
    if any(not comparison.agrees for comparison in comparisons):
        return "differs"
    return "only cafeobj errors" if cafeobj.error else "same"


def _compare_pair(cafeobj: Reduction | None, otsrw: Reduction | None, signature: Signature) -> Comparison:
    if otsrw is None:
        return Comparison(MISSING_IN_OTSRW, cafeobj, None)
    if cafeobj is None:
        return Comparison(MISSING_IN_CAFEOBJ, None, otsrw)
    verdict = compare(cafeobj.result, otsrw.result, signature).value
    if verdict in _AGREEING and cafeobj.sort != otsrw.sort:
        verdict = SORT_DIFFERS
    return Comparison(verdict, cafeobj, otsrw)


_Pair = tuple[Reduction | None, Reduction | None]


def _align(left: Sequence[Reduction], right: Sequence[Reduction]) -> list[_Pair]:
    """Pairs by position, or by target where one tool left out reductions in the middle."""
    left_keys, right_keys = [_key(one) for one in left], [_key(one) for one in right]
    shorter = min(len(left), len(right))
    if left_keys[:shorter] == right_keys[:shorter]:
        return _by_position(left, right)
    pairs: list[_Pair] = []
    matcher = SequenceMatcher(None, left_keys, right_keys, autojunk=False)
    for _, start, end, other_start, other_end in matcher.get_opcodes():
        pairs += _by_position(left[start:end], right[other_start:other_end])
    return pairs


def _by_position(left: Sequence[Reduction], right: Sequence[Reduction]) -> list[_Pair]:
    shorter = min(len(left), len(right))
    pairs: list[_Pair] = list(zip(left[:shorter], right[:shorter], strict=True))
    pairs += [(one, None) for one in left[shorter:]]
    pairs += [(None, one) for one in right[shorter:]]
    return pairs


def _key(reduction: Reduction) -> tuple[str, frozenset[tuple[str, int]]]:
    return reduction.kind, frozenset(token_bag(reduction.target).items())


# --- running ----------------------------------------------------------------------------------------------------------


def find_sources(paths: Sequence[Path]) -> list[Source]:
    """The given files, and the CafeOBJ files under the given folders."""
    sources = []
    for path in paths:
        if path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
            sources += [Source(file, file.relative_to(path)) for file in files]
        else:
            sources.append(Source(path, Path(path.name)))
    return sources


def compare_file(source: Source, options: Options) -> FileReport:
    """Runs both tools on one file and compares."""
    path = source.path.resolve()
    cafeobj = _cafeobj_output(path, source.name, options)
    otsrw = run_otsrw(path, options.timeout, options.otsrw)
    return compare_runs(str(source.path), read_cafeobj(cafeobj), read_otsrw(otsrw), read_signature(path))


def _cafeobj_output(path: Path, name: Path, options: Options) -> Output:
    with tempfile.TemporaryDirectory() as folder:
        read = with_one_equality(path, Path(folder)) if options.one_equality else path
        output = saved(path, options.reference) if options.reference and read == path else None
        if output is None:
            output = run_cafeobj(read, options.timeout)
            if options.save:
                save(output, options.save / name)
    return output


# --- reporting --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Summary:
    files: int
    files_agreeing: int
    agreeing_without_reductions: int
    outcomes: dict[str, int]
    reductions: int
    reductions_agreeing: int
    verdicts: dict[str, int]
    finished_by_both: int
    cafeobj_seconds: float
    otsrw_seconds: float


def summarise(reports: Sequence[FileReport]) -> Summary:
    comparisons = [comparison for report in reports for comparison in report.comparisons]
    finished = [report for report in reports if report.cafeobj.finished and report.otsrw.finished]
    return Summary(
        files=len(reports),
        files_agreeing=sum(report.agrees for report in reports),
        agreeing_without_reductions=sum(report.agrees and not report.comparisons for report in reports),
        outcomes=dict(Counter(report.outcome for report in reports)),
        reductions=len(comparisons),
        reductions_agreeing=sum(comparison.agrees for comparison in comparisons),
        verdicts=dict(Counter(comparison.verdict for comparison in comparisons)),
        finished_by_both=len(finished),
        cafeobj_seconds=sum(report.cafeobj.seconds for report in finished),
        otsrw_seconds=sum(report.otsrw.seconds for report in finished),
    )


def report_table(reports: Sequence[FileReport]) -> Table:
    table = Table(show_edge=False)
    table.add_column("file", overflow="fold")
    for column in ("reductions\ncafeobj", "\notsrw", "not\nagreeing", "seconds\ncafeobj", "\notsrw", "\nratio"):
        table.add_column(column, justify="right")
    table.add_column("outcome", overflow="fold")
    for report in reports:
        counts = (len(report.cafeobj.reductions), len(report.otsrw.reductions), len(report.disagreements))
        times = (_seconds(report.cafeobj), _seconds(report.otsrw), _file_ratio(report))
        table.add_row(report.file, *map(str, counts), *times, _explained(report), style="" if report.agrees else "red")
    return table


def _explained(report: FileReport) -> str:
    lines = [report.outcome]
    if report.cafeobj.error:
        lines.append(f"cafeobj stopped at error: {_short(report.cafeobj.error)}")
    if report.otsrw.error:
        lines.append(f"otsrw: {_short(report.otsrw.error)}")
    lines += [f"{name} did not finish" for name, run in _named(report) if run.timed_out]
    return "\n".join(lines)


def _named(report: FileReport) -> tuple[tuple[str, Run], tuple[str, Run]]:
    return ("cafeobj", report.cafeobj), ("otsrw", report.otsrw)


def _short(text: str, width: int = 160) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."


def _seconds(run: Run) -> str:
    return f">{run.seconds:.1f}" if run.timed_out else f"{run.seconds:.2f}"


def _file_ratio(report: FileReport) -> str:
    finished = report.cafeobj.finished and report.otsrw.finished
    return _ratio(report.cafeobj.seconds, report.otsrw.seconds) if finished else "-"


def _ratio(cafeobj: float, otsrw: float) -> str:
    return f"{cafeobj / otsrw:.2f}x" if otsrw > 0 else "-"


def _percent(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "none"


def print_summary(summary: Summary, console: Console) -> None:
    def line(text: str) -> None:
        console.print(text, highlight=False, markup=False, soft_wrap=True)

    line(f"outcomes: {_counts(summary.outcomes)}")
    line(
        f"reductions agreeing: {_percent(summary.reductions_agreeing, summary.reductions)}: {_counts(summary.verdicts)}"
    )
    line(
        f"time over the {summary.finished_by_both} files both finished: cafeobj {summary.cafeobj_seconds:.2f} s, "
        f"otsrw {summary.otsrw_seconds:.2f} s, ratio {_ratio(summary.cafeobj_seconds, summary.otsrw_seconds)}"
    )
    line(
        f"files agreeing: {_percent(summary.files_agreeing, summary.files)}, "
        f"{summary.agreeing_without_reductions} of them without a reduction to compare"
    )


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "none"


def print_differences(reports: Sequence[FileReport], limit: int, console: Console) -> None:
    shown = [(report.file, one) for report in reports for one in report.disagreements][:limit]
    for file, comparison in shown:
        either = comparison.cafeobj or comparison.otsrw
        header = f"{file}: {comparison.verdict}: {either.kind} in {either.module} : {either.target}" if either else file
        lines = [header]
        for name, reduction in (("cafeobj", comparison.cafeobj), ("otsrw", comparison.otsrw)):
            lines.append(f"  {name:8}" + (f"({reduction.result}):{reduction.sort}" if reduction else "-"))
        console.print("\n".join(lines), highlight=False, markup=False, soft_wrap=True)


def write_json(reports: Sequence[FileReport], summary: Summary, path: Path) -> None:
    files = [asdict(report) | {"disagreements": len(report.disagreements)} for report in reports]
    path.write_text(json.dumps({"summary": asdict(summary), "files": files}, indent=1), encoding="utf-8")


# --- the command ------------------------------------------------------------------------------------------------------


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare otsrw with CafeOBJ on files and folders.")
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files, or folders searched recursively")
    parser.add_argument("--timeout", type=float, default=120, metavar="S", help="seconds for each tool and file")
    parser.add_argument("--reference", type=Path, metavar="DIR", help="read CafeOBJ's output from DIR where it has it")
    parser.add_argument("--save", type=Path, metavar="DIR", help="write CafeOBJ's output below DIR")
    parser.add_argument(
        "--one-equality", action="store_true", help="let CafeOBJ read files that declare a _=_ without the declaration"
    )
    parser.add_argument("--otsrw", default=shlex.join(OTSRW), metavar="CMD", help="how otsrw is started")
    parser.add_argument("--json", type=Path, metavar="F", help="write the full report")
    parser.add_argument("--show-differences", type=int, default=0, metavar="N", help="print the first N differences")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="files compared at the same time")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    given = parse_arguments(arguments)
    options = Options(given.timeout, tuple(shlex.split(given.otsrw)), given.reference, given.save, given.one_equality)
    missing = [path for path in given.paths if not path.exists()]
    if missing:
        print(f"no such file: {missing[0]}", file=sys.stderr)
        return 2
    sources = find_sources(given.paths)
    with ThreadPoolExecutor(given.jobs) as pool:
        running = pool.map(lambda source: compare_file(source, options), sources)
        progress = track(running, "comparing", total=len(sources), console=Console(stderr=True), transient=True)
        reports = list(progress)
    console = Console(width=None if sys.stdout.isatty() else 200)
    console.print(report_table(reports))
    print_differences(reports, given.show_differences, console)
    summary = summarise(reports)
    if given.json:
        write_json(reports, summary, given.json)
    print_summary(summary, console)
    return 0 if all(report.agrees for report in reports) else 12


if __name__ == "__main__":
    sys.exit(main())

"""Compares `otsrw prove` with IPSG on IPSG's case studies: verdicts, cpu seconds, and CafeOBJ's word on our scores.

    python bench/versus_ipsg.py --tool IPSG-TOOL --studies IPSG-TLS [--only TAS Qlock ...] [--timeout S] [--runs N]

IPSG-TOOL and IPSG-TLS are checkouts of github.com/duongtd23/IPSG-tool and github.com/duongtd23/IPSG-TLS, or the
environment variables IPSG_TOOL and IPSG_STUDIES name them; nothing of them belongs to this repository. Both are copied
into a temporary folder, because IPSG writes proof scores next to its input. It runs on Debian's Maude 3.2.

IPSG is timed from its start until it asks for the next command after the last input file. That it wrote a score does
not say that every reduction in it gives true: it says nothing about that, and neither does this comparison.

A study whose equations contradict each other is run as it is, and again with a mend: lines of the specification that
are left out or say something else, and nothing but these lines.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from tools import OTSRW

PROMPT = b"IPSG> "


@dataclass(frozen=True, slots=True)
class Study:
    """The files of a case study, in order; a specification that its input does not load comes first."""

    name: str
    files: tuple[str, ...]
    mend: Mend | None = None


@dataclass(frozen=True, slots=True)
class Mend:
    """Lines of a file by number, and what they say instead; an empty line is left out."""

    file: str
    lines: Mapping[int, str]

    @contextmanager
    def applied(self, folder: Path) -> Iterator[None]:
        """The file is mended for a while."""
        path = folder / self.file
        before = path.read_text(encoding="utf-8")
        texts = before.splitlines(keepends=True)
        for number, text in self.lines.items():
            texts[number - 1] = f"{text}\n"
        path.write_text("".join(texts), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(before, encoding="utf-8")


SDS_MEND = Mend(
    "SDS/sds.cafe",
    {
        **dict.fromkeys((37, 66, 67, *range(76, 82), *range(83, 87)), ""),
        194: "    D = aenc(pubK(B), D2) and",
        195: "    D2 = aenc(priK(A), B || K)) .",
    },
)
"""A sequence is in no single piece of data: that is left out, since another equation says when it is.

Decryption is said where it is used, by what it undoes: a function for it would need a value for the wrong key.
"""

ASDS_MEND = Mend(
    "ASDS-RT/asds.cafe",
    {
        1: "mod* TIMEVAL {",
        **dict.fromkeys((16, 17, 18, 19, 93, 94), ""),
        22: "  eq [transitive :nonexec]: ((T <= T1 and T1 <= T2) implies T <= T2) = true .",
        28: "  ceq (X + T2 <= X) = false if 0 < T2 .",
        48: "  eq put((Y L), X) = Y put(L,X) .  eq put(Y, X) = Y X .",
        60: "  [Nat < Nat-]",
        67: "  op _<_ : Nat- Nat- -> Bool  op -1 : -> Nat- {constr}  var Z : Nat-",
        68: "  eq (Z < Z) = false .",
        76: "  op dec : Nat- -> Nat- .",
        78: "  eq dec(0) = -1 .  eq dec(-1) = -1 .",
        79: "  eq (-1 < X) = true .  eq (X < -1) = false .",
        86: "  op _.._ : Nat Nat- -> List",
        89: "  ceq M .. s(N) = nil if s(N) < M .",
        90: "  ceq M .. s(N) = put(M .. N, s(N)) if not (s(N) < M) .",
        91: "  eq M .. -1 = nil .  eq 0 .. 0 = put(nil, 0) .  eq s(M) .. 0 = nil .",
        109: "  op u : Sys -> Timeval",
        116: "  eq d1 <= 0 = false .",
        117: "  eq d2 <= 0 = false .",
    },
)
"""`M .. N` is the list from M to N, and -1 is a value of its own; times are elements of a loose module."""

STUDIES = (
    Study("TAS", ("TAS/input.cafe",)),
    Study("Qlock", ("Qlock/input.cafe",)),
    Study("Cloud", ("Cloud/input.cafe",)),
    Study("IFF", ("IFF/input.cafe",)),
    Study("A-Anderson", ("A-Anderson/input.cafe",)),
    Study("MCS", ("MCS/input.cafe",)),
    Study("SKP", ("SKP/input.cafe",)),
    Study("SDS", ("SDS/input.cafe",)),
    Study("SDS-mended", ("SDS/input.cafe",), SDS_MEND),
    Study("ASDS-RT", ("ASDS-RT/asds.cafe", "ASDS-RT/input.cafe")),
    Study("ASDS-RT-mended", ("ASDS-RT/asds.cafe", "ASDS-RT/input.cafe"), ASDS_MEND),
    Study("NSLPK", ("NSLPK/nslpk.cafe", *(f"NSLPK/input{part}.cafe" for part in (
        "0+1+2+3+4+5+6", "7+8", "9+10+11", "12", "13", "14", "15", "16", "17+18+19+20")))),
    Study("TLS", ("TLS/tls12.cafe", "TLS/invariants.cafe", *(f"TLS/inputs/input{part}.cafe" for part in (
        "1", "2", "3", "4+5", *map(str, range(6, 21)))))),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Times:
    """What a tool did: its verdict and its cpu seconds; None if it was stopped."""

    verdict: str
    seconds: float | None

    def __str__(self) -> str:
        return f"{self.verdict} ({'stopped' if self.seconds is None else f'{self.seconds:.1f}'})"


def children_seconds() -> float:
    """Cpu seconds of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_ipsg(study: Study, folder: Path, timeout: float) -> Times:
    """Load the files one after the other, and end IPSG when it asks for more."""
    before, started = children_seconds(), time.monotonic()
    process = subprocess.Popen(
        ["maude", "-allow-files", "-no-banner", "-no-ansi-color", "ipsg.maude"],
        cwd=folder,
        env=os.environ | {"PWD": str(folder)},  # Maude believes PWD, not the system
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdin is not None and process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    said, finished = b"", True
    try:
        for count, file in enumerate(study.files, 1):  # the first prompt comes with the answer to the first command
            process.stdin.write(f"load {file} .\n".encode())
            process.stdin.flush()
            while said.count(PROMPT) <= count:
                said += process.stdout.read() or b""
                if time.monotonic() - started > timeout or process.poll() is not None:
                    finished = False
                    break
                time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    return Times("score written" if finished else "stopped", children_seconds() - before if finished else None)


def run_otsrw(study: Study, folder: Path, timeout: float) -> Times:
    """Our verdict; what is proved is written to a score next to the study."""
    command = [*OTSRW, "prove", "--json", "--proof", f"{study.name}.score.cafe", "--timeout", str(timeout)]
    before = children_seconds()
    done = subprocess.run([*command, *study.files], cwd=folder, capture_output=True, text=True, check=False)
    document = json.loads(done.stdout)
    if "verdict" not in document:
        return Times(f"error {document['errors'][0]['code']}", children_seconds() - before)
    goals = [goal for goal in document["goals"] if goal["kind"] == "goal"]
    verified = sum(goal["verdict"] != "unknown" for goal in goals)
    closed = sum(goal["verdict"] == "unknown" and not goal["open"] for goal in goals)
    text = f"{document['verdict']}, {verified} of {len(goals)} goals"
    return Times(text + (f", {closed} closed" if closed else ""), children_seconds() - before)


def cafeobj_accepts(score: Path, timeout: float) -> str:
    """Does CafeOBJ reduce every passage of a score to true?"""
    if not score.exists():
        return "no score"
    if shutil.which("cafeobj") is None:
        return "not installed"
    try:
        done = subprocess.run(
            ["cafeobj", "-q", "-batch", score.name],
            cwd=score.parent,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "stopped"
    results = [line for line in done.stdout.splitlines() if line.startswith("(") and line.endswith(":Bool")]
    true = sum(line.startswith("(true)") for line in results)
    fine = true == len(results) == score.read_text(encoding="utf-8").count("\n  red ") and "[Error]" not in done.stdout
    return f"yes, {true} passages" if fine else f"no: {true} of {len(results)} true"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--tool", default=os.environ.get("IPSG_TOOL"), help="a checkout of IPSG-tool")
    parser.add_argument("--studies", default=os.environ.get("IPSG_STUDIES"), help="a checkout of IPSG-TLS")
    parser.add_argument("--only", nargs="+", default=[study.name for study in STUDIES], metavar="NAME")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for each tool and study (300)")
    parser.add_argument("--runs", type=int, default=1, help="how often each tool runs; the least is told (1)")
    parser.add_argument("--markdown", metavar="F", help="write the table to a file")
    parser.add_argument("--no-ipsg", action="store_true", help="run otsrw alone")
    options = parser.parse_args()
    if not options.tool or not options.studies:
        parser.error("name the checkouts with --tool and --studies, or IPSG_TOOL and IPSG_STUDIES")
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(options.tool, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git"))
        shutil.copytree(options.studies, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git"))
        for study in STUDIES:
            if study.name in options.only:
                with nullcontext() if study.mend is None else study.mend.applied(folder):
                    rows.append(compared(study, folder, options))
                print(*rows[-1], file=sys.stderr, flush=True)
    show(rows, options.markdown)
    return 0


def compared(study: Study, folder: Path, options: argparse.Namespace) -> tuple[str, Times, str, Times | None]:
    """Both tools on one study, each as fast as it was in one of the runs."""
    ours = fastest(run_otsrw(study, folder, options.timeout) for _ in range(options.runs))
    accepted = cafeobj_accepts(folder / f"{study.name}.score.cafe", options.timeout)
    if options.no_ipsg:
        return study.name, ours, accepted, None
    theirs = fastest(run_ipsg(study, folder, options.timeout) for _ in range(options.runs))
    return study.name, ours, accepted, theirs


def fastest(runs: Iterable[Times]) -> Times:
    """The run that took least; one that was stopped is not repeated."""
    found: list[Times] = []
    for each in runs:
        found.append(each)
        if each.seconds is None:
            break
    return min(found, key=lambda each: float("inf") if each.seconds is None else each.seconds)


def show(rows: list[tuple[str, Times, str, Times | None]], markdown: str | None) -> None:
    heads = ("study", "otsrw prove", "cpu s", "accepted by CafeOBJ", "IPSG", "cpu s")
    table = Table(*heads)
    lines = [f"| {' | '.join(heads)} |", "|---|---|---|---|---|---|"]
    for name, ours, accepted, theirs in rows:
        cells = [name, ours.verdict, _seconds(ours), accepted, theirs.verdict if theirs else "-", _seconds(theirs)]
        table.add_row(*cells)
        lines.append(f"| {' | '.join(cells)} |")
    Console().print(table)
    if markdown:
        Path(markdown).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _seconds(times: Times | None) -> str:
    return "-" if times is None or times.seconds is None else f"{times.seconds:.2f}"


if __name__ == "__main__":
    sys.exit(main())

"""One row of bench/reach.py: what a command found and what it took. Rows are recorded as they come."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import tlc
from reach_questions import MAUDE, TLC, Question, System
from spending import spent
from tools import OTSRW

ROOT = Path(__file__).parents[1]
MEASURED = ("otsrw", "specs", "bench", ":!bench/RESULTS.md")
"""The paths on which figures depend."""


class Limits(NamedTuple):
    """Of one command."""

    megabytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ReachRow:
    """What one command found, and what it cost; `busiest` are the processor seconds of the worker that took most."""

    question: Question
    verdict: str
    states: int
    cpu: float
    megabytes: int
    unit: str = "states"
    busiest: float | None = None
    steps: int | None = None
    at: str = ""

    @property
    def is_decided(self) -> bool:
        return not self.verdict.startswith("unknown")

    @property
    def is_found(self) -> bool:
        """Is this a violation?"""
        return self.verdict.startswith(("violated", "falsified"))


@cache
def version() -> str:
    """The last commit that changed what is measured; marked if there are changes that are not committed."""
    last = _git("log", "-1", "--format=%h", "--", *MEASURED)
    return f"{last} with changes" if _git("status", "--porcelain", "--untracked-files=no", "--", *MEASURED) else last


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


class Record:
    """The rows of a run, in a file with one line each."""

    def __init__(self, path: Path, limits: Limits, go_on: bool) -> None:
        self._path = path
        self._limits = limits
        self._rows: dict[Question, ReachRow] = {}
        self._kept = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        if go_on and path.is_file():
            self._read()
        else:
            path.write_text("", "utf-8")

    def _read(self) -> None:
        for line in self._path.read_text("utf-8").splitlines():
            kept = json.loads(line)
            if (kept["version"], kept["limits"]) == (version(), list(self._limits)):
                row = row_of(kept["row"])
                self._rows[row.question] = row
        self._kept = len(self._rows)

    def row(self, question: Question) -> ReachRow | None:
        """The row of a question, measured if it is not known; None if the tool is not there."""
        if question not in self._rows:
            row = asked(question, self._limits)
            if row is None:
                return None
            self._rows[question] = row
            kept = {"version": version(), "limits": self._limits, "row": asdict(row)}
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(kept) + "\n")
        return self._rows[question]

    def told(self) -> str:
        """Whether it was one run, and from when to when."""
        times = sorted(row.at for row in self._rows.values())
        between = f"{len(self._rows)} rows, measured from {times[0]} to {times[-1]} UTC"
        if not self._kept:
            return f"{between}, in one go."
        return f"{between}, {self._kept} of them before it was interrupted and continued with the same version."


def row_of(kept: dict[str, Any]) -> ReachRow:
    system, tool, depth = kept.pop("question")
    name, size, file, invariant, given = system
    return ReachRow(Question(System(name, size, file, invariant, tuple(given)), tool, depth), **kept)


def asked(question: Question, limits: Limits) -> ReachRow | None:
    tool = question.tool.split()[0]
    ask: Callable[[Question, Limits], ReachRow | None] = {MAUDE: by_maude, TLC: by_tlc}.get(tool, by_otsrw)
    return ask(question, limits)


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d %H:%M}"


def _about(system: System) -> list[str]:
    return [system.file, "--inv", system.invariant, *(word for each in system.given for word in ("--with", each))]


def by_otsrw(question: Question, limits: Limits) -> ReachRow:
    system, tool, depth = question
    command, *options = tool.split()
    words = [*OTSRW, command, *_about(system), "--json", "--count", "0", "--timeout", f"{limits.seconds:g}"]
    words += [] if depth is None else ["--depth", str(depth)]
    if command == "search" and "--memory" not in options:
        words += ["--memory", str(limits.megabytes)]
    done = spent([*words, *options], ROOT, 2 * limits.seconds + 60)
    found = json.loads(done.stdout)
    steps = len(found["trace"]["states"]) - 1 if found["trace"] else None
    verdict = f"unknown: {found['reason']}" if found["verdict"] == "unknown" else str(found["verdict"])
    if steps is not None:
        verdict += f", {steps} steps"
    if found["exhausted"]:
        verdict += ", exhausted"
    shares = [share["cpu"] for share in (found.get("work") or {}).get("shares", ())]
    busiest = max(shares, default=None)
    unit = found.get("unit", "states")
    return ReachRow(question, verdict, found["states"], done.cpu, done.megabytes, unit, busiest, steps, _now())


def by_maude(question: Question, limits: Limits) -> ReachRow | None:
    """The same question to the `maude` program; nothing of otsrw runs while it is measured."""
    if shutil.which("maude") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "system.maude"
        spent([*OTSRW, "translate", *_about(question.system), "-o", str(module)], ROOT, limits.seconds)
        text = module.read_text("utf-8")
        violates, sort = re.findall(r"op (violates-\S+) : \[(\S+)\] -> Bool", text)[0]
        initial = re.findall(r"--- initial states\s+eq (\S+) =", text)[0]
        goal = f"search [1, {question.depth}] {initial} =>* X:{sort} such that {violates}(X:{sort}) .\nquit\n"
        words = ["maude", "-no-banner", "-no-advise", str(module)]
        done = spent(words, ROOT, limits.seconds, goal, limits.megabytes * 1_000_000)
    found = re.search(r"states: (\d+)", done.stdout)
    if found is None:
        return ReachRow(question, "unknown: the memory or the time is spent", 0, done.cpu, done.megabytes, at=_now())
    verdict = "holds" if "No solution." in done.stdout else "violated"
    return ReachRow(question, verdict, int(found[1]), done.cpu, done.megabytes, at=_now())


def by_tlc(question: Question, limits: Limits) -> ReachRow | None:
    """The same question to TLC. The first violation that it meets may be another one, after fewer states or more."""
    system, tool, depth = question
    command = tlc.tlc()
    if command is None or depth is None:
        return None
    symmetric = "--symmetry" in tool
    file = Path(system.file).name
    found = tlc.check(command, file, system.given, system.invariant, depth, limits.seconds, symmetric)
    unit = "orbits" if symmetric else "states"
    return ReachRow(question, found.verdict, found.states, found.spent.cpu, found.spent.megabytes, unit, at=_now())

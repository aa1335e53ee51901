"""The same module, searched by otsrw and checked by umaudemc: `python bench/versus_umaudemc.py`.

`otsrw translate` writes a Maude module; a few lines more make an LTL problem of it, and `umaudemc check` asks whether
no violation is ever met. Seconds are those of whole processes; the systems are finite, so both answer for all depths.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sections import table
from tools import OTSRW, execute

ROOT = Path(__file__).parents[1]
LIMIT = 120.0
DEPTH = "1000"
COLUMNS = ("system", "verdict", "tool", "states", "steps of the counterexample", "seconds", "ratio")
_DEEP = ("/bin/sh", "-c", 'ulimit -s unlimited; exec "$@"', "sh")
"""Maude's model checker recurses as deep as runs are long: with a usual stack it crashes on the larger systems."""
_PROBLEM = """load {file}
sload model-checker
mod PROBLEM is
  protecting {module} .
  including MODEL-CHECKER .
  subsort Sys < State .
  op bad : -> Prop [ctor] .
  var S : Sys .
  eq S |= bad = violates-{invariant}(S) .
endm
"""


@dataclass(frozen=True, slots=True)
class Case:
    title: str
    spec: str
    entities: str
    invariant: str = "mutex"


CASES = (
    Case("Qlock, 6 processes", "qlock.cafe", "Pid=6"),
    Case("MCS, 4 processes", "mcs.cafe", "Pid=4"),
    Case("Qlock, flawed, 4 processes", "qlock-flawed.cafe", "Pid=4"),
)


def umaudemc() -> str | None:
    """The command, if it is installed: next to this Python, or anywhere."""
    beside = Path(sys.executable).with_name("umaudemc")
    return str(beside) if beside.exists() else shutil.which("umaudemc")


def rows(command: str) -> Iterator[tuple[str, ...]]:
    """Two rows a case."""
    for case in CASES:
        verdict, states, steps, seconds = by_otsrw(case)
        other = by_umaudemc(case, command)
        if other[0] != verdict:
            raise SystemExit(f"{case.title}: otsrw says {verdict}, umaudemc {other[0]}")
        yield case.title, verdict, "umaudemc", other[1], other[2], f"{other[3]:.2f}", ""
        yield case.title, verdict, "otsrw", states, steps, f"{seconds:.2f}", f"{other[3] / seconds:.1f}x"


def by_otsrw(case: Case) -> tuple[str, str, str, float]:
    words = [*OTSRW, "search", f"specs/{case.spec}", "--with", case.entities, "--inv", case.invariant]
    done = execute([*words, "--depth", DEPTH, "--json"], ROOT, LIMIT)
    found = json.loads(done.stdout)
    steps = "" if found["trace"] is None else str(len(found["trace"]["states"]) - 1)
    return found["verdict"], f"{found['states']:,}", steps, done.seconds


def by_umaudemc(case: Case, command: str) -> tuple[str, str, str, float]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = [*OTSRW, "translate", f"specs/{case.spec}", "--with", case.entities, "-o", str(folder / "system.maude")]
        execute(words, ROOT, LIMIT)
        module = re.search(r"^mod (\S+) is", (folder / "system.maude").read_text("utf-8"), re.MULTILINE)
        assert module is not None
        problem = folder / "problem.maude"
        problem.write_text(_PROBLEM.format(file="system.maude", module=module[1], invariant=case.invariant))
        words = [*_DEEP, command, "check", "-m", "PROBLEM", "-f", "json", "--slabel", ".", "--elabel", "%l"]
        done = execute([*words, str(problem), "init", "[] ~ bad"], folder, LIMIT)
    answer = re.search(r"is (not )?satisfied in the initial state \((\d+) system states", done.stdout)
    if answer is None:
        raise SystemExit(f"{case.title}: umaudemc says {done.stdout[-300:]} {done.stderr[-300:]}")
    steps = ""
    if answer[1]:
        found = json.loads(done.stdout[done.stdout.index("{") :])
        steps = f"{len(found['path']) // 2 + len(found['cycle']) // 2}, a lasso"
    return "violated" if answer[1] else "holds", f"{int(answer[2]):,}", steps, done.seconds


def main() -> None:
    command = umaudemc()
    if command is None:
        raise SystemExit("umaudemc is not installed: pip install umaudemc")
    print("\n".join(table(COLUMNS, list(rows(command)))))


if __name__ == "__main__":
    main()

"""Public scripts of CiMPA, all of them: steps, goals that stay open, errors, processor seconds.

`python bench/cimpa_files.py FOLDER...` looks for files with `:goal` below the folders. The specification of a script is
the file that declares modules, the opened one among them, and has neither goals nor passages: in its folder, in the
nearest one above, or anywhere below that. If there are several, all of them are tried, alone and one after the other;
the run that leaves the fewest goals is shown.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

from sections import circumstances, table
from tools import OTSRW
from versus_citp import timed

_MODULE = re.compile(r"(?m)^\s*mod[!*]?\s")
_GOAL = re.compile(r"(?m)^\s*:goal\b")
_PASSAGE = re.compile(r"(?m)^\s*open\s")
_STEP = re.compile(r"(?m)^\s*(:[a-z]+-?)")


class FileRun(NamedTuple):
    """A script and what became of it; `message` is the first error, empty if there is none."""

    proofs: int
    left: int
    errors: int
    message: str
    assumed: int
    gaps: int
    """Splits of CiMPA that leave out a case (W701)."""
    seconds: float


def scripts(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*.cafe")) if _GOAL.search(path.read_text("utf-8", "replace"))]


def specifications(script: Path, top: Path) -> list[Path]:
    """Files that may be what the script is about; none if it declares its modules itself or loads them."""
    text = script.read_text("utf-8", "replace")
    if _MODULE.search(text) or re.search(r"(?m)^\s*(in|load)\s", text):
        return []
    opened = re.search(r"(?m)^\s*open\s+([^\s.]+)", text)
    name = "" if opened is None else opened.group(1)
    for pattern in ("*.cafe", "**/*.cafe"):
        folder = script.parent
        while folder != top.parent:
            found = [path for path in sorted(folder.glob(pattern)) if _declares(path, name)]
            if found:
                return found[:2]
            folder = folder.parent
    return []


def _declares(path: Path, name: str) -> bool:
    text = path.read_text("utf-8", "replace")
    declares = re.search(rf"(?m)^\s*mod[!*]?\s*{re.escape(name)}", text)
    return declares is not None and not _GOAL.search(text) and not _PASSAGE.search(text)


def run(files: tuple[Path, ...], limit: float) -> FileRun:
    """Run the files as one session."""
    with tempfile.TemporaryDirectory() as name:
        target = Path(name) / "run.json"
        done = timed(["sh", "-c", '"$@" > "$0"', str(target), *OTSRW, "run", "--json", "-q", *map(str, files)], limit)
        try:
            document: dict[str, Any] = json.loads(target.read_text("utf-8"))
        except json.JSONDecodeError:
            reason = "stopped at the time limit" if done.code is None else done.output
            return FileRun(0, 0, 1, reason, 0, 0, done.seconds)
    goals, errors = document["goals"], document["errors"]
    first = f"{errors[0]['code']}: {errors[0]['message']}" if errors else ""
    left, assumed = sum(len(goal["open"]) for goal in goals), sum(len(goal["assumed"]) for goal in goals)
    gaps = sum(warning["code"] == "W701" for warning in document["warnings"])
    return FileRun(len(goals), left, len(errors), first, assumed, gaps, done.seconds)


def best_run(script: Path, top: Path, limit: float) -> FileRun:
    """The run with the specification that leaves the fewest goals; the least processor time of three such runs."""
    known = specifications(script, top)
    choices = [(*some, script) for count in range(min(len(known), 1), 3) for some in permutations(known, count)]
    runs = {files: run(files, limit) for files in choices}
    files = min(runs, key=lambda each: (not runs[each].proofs, runs[each].errors, runs[each].left))
    return min((runs[files], run(files, limit), run(files, limit)), key=lambda each: each.seconds)


def row(script: Path, top: Path, limit: float) -> list[str]:
    """The row of the table for a script."""
    found = best_run(script, top, limit)
    steps = len(_STEP.findall(script.read_text("utf-8", "replace")))
    state = found.message[:90] if found.errors else "finished" if found.proofs and not found.left else "open"
    granted = f", takes {found.assumed} for granted" if found.assumed else ""
    granted += f", {found.gaps} splits leave out a case" if found.gaps else ""
    left = str(found.left) if found.proofs else "-"
    return [str(script.relative_to(top)), str(steps), left, state + granted, f"{found.seconds:.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for one run (120)")
    options = parser.parse_args()
    rows = [
        [folder.name, *row(script, folder, options.limit)] for folder in options.folders for script in scripts(folder)
    ]
    print("\n".join([circumstances(), "", *table(["of", "file", "steps", "goals left", "state", "cpu s"], rows)]))


if __name__ == "__main__":
    main()

"""Scripts of CiMPA, run by CafeInMaude and by otsrw: the goals after each step, and processor seconds.

`python bench/versus_cafeinmaude.py FOLDER NAME=SPEC,SCRIPT...`, where FOLDER is a checkout of ariesco/CafeInMaude, and
SPEC and SCRIPT are paths in it. CafeInMaude reads files only from the folder of its sources, so both are copied.
With `--citp FILE` files with goals of CITP are run by CafeOBJ and by otsrw in the same run, in a table of their own.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import NamedTuple

from sections import circumstances, table
from versus_citp import files as run_citp_files

_GOAL = re.compile(r"Next\s+goal\s+is\s+([0-9-]+)|(PROOF\s+FINISHED!)")


class ScriptRun(NamedTuple):
    """The goals that came up, in order, with `finished` at the end if the proof was finished, and the cost."""

    goals: list[str]
    seconds: float


def measured(command: list[str], folder: Path, given: str, limit: float) -> ScriptRun:
    """Run a program until it has finished the proof, has nothing more to read, or the limit is reached."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(given)
    process.stdin.flush()
    watch = threading.Timer(limit, process.kill)
    watch.start()
    goals: list[str] = []
    for line in process.stdout:
        for found in _GOAL.finditer(line):
            goals.append(found.group(1) or "finished")
        if goals[-1:] == ["finished"] or "does not exit" in line:
            break
    watch.cancel()
    process.kill()
    process.stdout.close()
    process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ScriptRun(goals, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def compared(root: Path, spec: Path, script: Path, limit: float) -> list[str]:
    """Cells of a row: goals and seconds of both, and whether the goals agree as far as both came."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in (*(root / "src").glob("*.maude"), root / spec, root / script):
            shutil.copy(path, folder)
        maude = ["maude", "-allow-files", "-no-banner", "-no-ansi-color", str(folder / "cafeInMaude.maude")]
        theirs = measured(maude, folder, f"load {spec.name} .\nload {script.name} .\n", limit)
        runs = [
            measured([sys.executable, "-m", "otsrw", "run", spec.name, script.name], folder, "", limit)
            for _ in range(3)
        ]
    ours = min(runs, key=lambda run: run.seconds)
    common = min(len(theirs.goals), len(ours.goals))
    agree = "yes" if theirs.goals[:common] == ours.goals[:common] else "no"
    return [_shown(theirs), f"{theirs.seconds:.2f}", _shown(ours), f"{ours.seconds:.2f}", agree]


def _shown(run: ScriptRun) -> str:
    end = "finished" if run.goals[-1:] == ["finished"] else "stopped"
    return f"{len(run.goals)}, {end}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("scripts", nargs="+", metavar="NAME=SPEC,SCRIPT")
    parser.add_argument("--citp", action="append", default=[], metavar="FILE", help="a file for CITP; may be repeated")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one run (60)")
    options = parser.parse_args()
    rows = []
    for each in options.scripts:
        name, _, files = each.partition("=")
        spec, script = map(Path, files.split(","))
        rows.append([name, *compared(options.folder, spec, script, options.limit)])
    headings = ["script", "goals closed by CafeInMaude", "cpu s", "goals closed by otsrw", "cpu s", "the same goals"]
    print("\n".join([circumstances(), "", *table(headings, rows)]))
    if options.citp:
        print()
        sys.exit(run_citp_files(options.citp, options.limit))


if __name__ == "__main__":
    main()

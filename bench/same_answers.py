"""Do one process, two processes and a cluster give the same answers?

    python bench/same_answers.py [FILE...]

Every file (all of specs/ and specs/literature/ if none is named) is given to `search`, `igf` and `prove`, with
`--jobs 1`, `--jobs 2` and `--cluster`, each in a process of its own. The documents have to be the same but for times
and for what was given to whom. Exit 12 if any of them differs. What takes longer than --seconds is not compared.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = {
    "search": ("--depth", "4", "--count", "0"),
    "igf": ("--max-cases", "150", "--count", "0"),
    "prove": (),
}
MEASURED = frozenset({"seconds", "memory", "cpu", "work"})
"""Entries of a document that may differ."""


class Comparison(NamedTuple):
    """A question about a file, and what those who were asked have answered: all the same, or not."""

    command: str
    file: str
    verdict: str
    differences: tuple[str, ...]


@contextmanager
def cluster(workers: int = 2) -> Iterator[str]:
    """The address of a cluster on this machine."""
    words = [sys.executable, "-m", "otsrw", "cluster", "--json", "--workers", str(workers)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        lines: list[str] = []
        for line in process.stdout:
            lines.append(line)
            if line == "}\n":
                break
        yield json.loads("".join(lines))["address"]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def unmeasured(value: Any) -> Any:
    """A document without what is measured."""
    if isinstance(value, dict):
        return {name: unmeasured(each) for name, each in value.items() if name not in MEASURED}
    return [unmeasured(each) for each in value] if isinstance(value, list) else value


class NoAnswer(Exception):
    """A command has not ended in time."""


def answer(command: str, file: str, seconds: int, *means: str) -> Any:
    """The exit code and the document of a command."""
    words = [sys.executable, "-m", "otsrw", command, file, "--json", *QUESTIONS[command], *means]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise NoAnswer from None
    return {"code": done.returncode} | unmeasured(json.loads(done.stdout or "{}"))


def compared(command: str, file: str, address: str, seconds: int) -> Comparison:
    alone = answer(command, file, seconds, "--jobs", "1")
    others = {"--jobs 2": ("--jobs", "2"), "--cluster": ("--cluster", address)}
    differences = [
        f"{name}: {', '.join(differing(alone, found)) or 'the order'}"
        for name, means in others.items()
        if (found := answer(command, file, seconds, *means)) != alone
    ]
    return Comparison(command, file, alone.get("verdict", f"exit {alone.get('code')}"), tuple(differences))


def differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """The entries in which two documents differ."""
    return [name for name in dict.fromkeys((*one, *other)) if one.get(name) != other.get(name)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--command", action="append", choices=QUESTIONS, help="ask this only; may be repeated")
    parser.add_argument("--seconds", type=int, default=120, help="for each answer (120)")
    options = parser.parse_args()
    specs = ROOT / "specs"
    files = options.files or [str(path) for path in sorted([*specs.glob("*.cafe"), *specs.glob("literature/*.cafe")])]
    different = asked = missing = 0
    with cluster() as address:
        for file in files:
            for command in options.command or QUESTIONS:
                asked += 1
                try:
                    found = compared(command, file, address, options.seconds)
                except NoAnswer:
                    missing += 1
                    print(f"{command:7} {Path(file).name:45} {'':12} not compared", flush=True)
                    continue
                different += bool(found.differences)
                told = "; ".join(found.differences) or "the same"
                print(f"{command:7} {Path(file).name:45} {found.verdict:12} {told}", flush=True)
    print(f"{asked} questions: {different} with different answers, {missing} not compared")
    return 12 if different else 0


if __name__ == "__main__":
    sys.exit(main())

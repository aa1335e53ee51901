"""Runs `igf` on a folder of systems with nothing but file and invariant given, and compares verdicts with what is true.

A folder has a file `truth.toml`: for every file a table, for every invariant in it `true` or `false`.
"""

from __future__ import annotations

import json
import resource
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sections import circumstances, table, write_section
from tools import OTSRW, execute

ROOT = Path(__file__).parents[1]
COLUMNS = ("system", "invariant", "true?", "verdict", "right?", "lemmas", "cases", "states", "cpu s")
_DECIDED = {"verified": True, "falsified": False}


@dataclass(frozen=True, slots=True)
class Claim:
    """An invariant of a file, and whether it is one."""

    file: Path
    invariant: str
    is_true: bool


@dataclass(frozen=True, slots=True)
class DecidedClaim:
    """What igf says about a claim; the verdict is `none` if it left no document."""

    claim: Claim
    verdict: str
    reason: str
    lemmas: int
    cases: int
    states: int
    cpu_seconds: float

    @property
    def is_right(self) -> bool | None:
        """None if it is undecided."""
        said = _DECIDED.get(self.verdict)
        return None if said is None else said is self.claim.is_true


def claims_in(folder: Path) -> Iterator[Claim]:
    known = tomllib.loads((folder / "truth.toml").read_text("utf-8"))
    for name, invariants in known.items():
        for invariant, is_true in invariants.items():
            yield Claim(folder / f"{name}.cafe", invariant, is_true)


def decide(claim: Claim, limit: float) -> DecidedClaim:
    """One run of igf, ended after `limit` seconds."""
    before = _cpu_seconds()
    words = ["igf", str(claim.file), "--inv", claim.invariant, "--json", "--timeout", f"{limit:g}"]
    output = execute([*OTSRW, *words], ROOT, limit + 20)
    spent = _cpu_seconds() - before
    try:
        document = json.loads(output.stdout)
        reason = document["reason"] if document["verdict"] == "unknown" else ""
        lemmas, cases, states = len(document["lemmas"]), document["cases"], document["states"]
        return DecidedClaim(claim, document["verdict"], reason, lemmas, cases, states, spent)
    except (ValueError, KeyError):
        last = (output.stderr.strip().splitlines() or [f"stopped after {limit:g} s"])[-1]
        return DecidedClaim(claim, "none", last, 0, 0, 0, spent)


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def row(found: DecidedClaim) -> list[str]:
    right = {True: "right", False: "WRONG", None: "open"}[found.is_right]
    verdict = f"{found.verdict}: {found.reason}" if found.reason else found.verdict
    numbers = [str(found.lemmas), str(found.cases), str(found.states), f"{found.cpu_seconds:.1f}"]
    is_true = "yes" if found.claim.is_true else "no"
    return [found.claim.file.stem, found.claim.invariant, is_true, verdict, right, *numbers]


def all_decided(claims: Iterable[Claim], limit: float) -> list[DecidedClaim]:
    """Decide claims one at a time, telling each row when it is known."""
    found = []
    for claim in claims:
        found.append(decide(claim, limit))
        print(" | ".join(row(found[-1])), file=sys.stderr, flush=True)
    return found


def summary(found: Sequence[DecidedClaim]) -> str:
    decided = [each for each in found if each.is_right is not None]
    wrong = sum(each.is_right is False for each in decided)
    return f"{len(decided)} of {len(found)} decided, {wrong} wrongly"


def write_results(name: str, heading: Sequence[str], lines: Sequence[str]) -> None:
    """Put a section into bench/RESULTS.md, and where `make bench` takes the end of that page from."""
    section = [*heading, "", f"{circumstances()}.", "", *lines]
    for page in ("RESULTS.md", "public_files.md"):
        write_section(name, section, ROOT / "bench" / page)


def plain_table(found: Sequence[DecidedClaim]) -> list[str]:
    return table(COLUMNS, [row(each) for each in found])

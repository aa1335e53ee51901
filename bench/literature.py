"""igf on the suite of the invariant literature, next to the seconds that others published.

    python bench/literature.py [--timeout 120] [--only lockserv toy-consensus] [--write]

The systems are in specs/literature, in our own words; nothing but file and invariant is given. What others published
is in bench/literature.toml, with its sources. `--write` puts the table into docs/literature.md. The exit code is 12
if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from sections import circumstances, table, write_section
from verdicts import ROOT, DecidedClaim, all_decided, claims_in, summary

FOLDER = ROOT / "specs" / "literature"
PAGE = ROOT / "docs" / "literature.md"
COLUMNS = (
    "system",
    "verdict",
    "by",
    "lemmas",
    "cases",
    "states",
    "cpu s",
    "endive",
    "endive, paper",
    "IC3PO",
    "DistAI",
)
_PUBLISHED = ("endive", "fmcad", "ic3po", "distai")

Published = Mapping[str, Mapping[str, object]]


def published() -> Published:
    found: Published = tomllib.loads((Path(__file__).parent / "literature.toml").read_text("utf-8"))
    return found


def row(found: DecidedClaim, others: Published) -> list[str]:
    name = found.claim.file.stem
    verdict = f"unknown: {found.reason}" if found.verdict == "unknown" else found.verdict
    way = "" if found.is_right is None else "induction" if found.cases else "all states"
    numbers = [str(found.lemmas), str(found.cases), str(found.states), f"{found.cpu_seconds:.1f}"]
    return [name, verdict, way, *numbers, *(str(others.get(name, {}).get(tool, "")) for tool in _PUBLISHED)]


def lines_of(found: Sequence[DecidedClaim], limit: float) -> list[str]:
    rows = [row(each, published()) for each in found]
    note = f"{summary(found)}, at most {limit:g} s each. {circumstances()}. `python bench/literature.py --write`."
    return [note, "", *table(COLUMNS, rows)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds for each igf (120)")
    parser.add_argument("--only", nargs="*", help="systems, without .cafe")
    parser.add_argument("--write", action="store_true", help="write the table into docs/literature.md")
    options = parser.parse_args()
    claims = [claim for claim in claims_in(FOLDER) if not options.only or claim.file.stem in options.only]
    found = all_decided(claims, options.timeout)
    lines = lines_of(found, options.timeout)
    print("\n".join(lines))
    if options.write:
        write_section("literature", lines, PAGE)
    return 12 if any(each.is_right is False for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())

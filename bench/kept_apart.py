"""igf on published specifications that are not among those of `published.py`, with nothing but the invariant given.

    python bench/kept_apart.py CORPUS [--only iff ...] [--timeout 100] [--write]

CORPUS is a folder with checkouts of public repositories, each called `owner+name`, as in `published.py`. A system in
several files is run through a file that takes them in, in order. `--write` puts the table into bench/RESULTS.md.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sections import table
from verdicts import Claim, DecidedClaim, all_decided, write_results

TITLE = "Published specifications kept apart, nothing given"
COLUMNS = ("repository", "file", "invariant", "verdict", "lemmas", "cases", "states", "cpu s")


class KeptRow(NamedTuple):
    """A repository, the files of a system in it, in order, and its main invariant."""

    repository: str
    files: tuple[str, ...]
    invariant: str


_RECLAMATION = "duongtd23/Reclamation-CafeOBJ-verification"
ROWS = (
    KeptRow("canhminhdo/cafeobj-examples", ("tas/tas.cafe",), "mutex"),
    KeptRow("canhminhdo/cafeobj-examples", ("qlock/qlock.cafe",), "mutex"),
    KeptRow("canhminhdo/cafeobj-examples", ("nslpk/nslpk.cafe",), "inv"),
    KeptRow("canhminhdo/cafeobj-examples", ("bb84/bb84.cafe",), "inv1"),
    KeptRow("canhminhdo/bb84", ("cafeobj/bb84.cafe",), "inv1"),
    KeptRow("duongtd23/ipsg-10", ("tas/tas.cafe",), "mutex"),
    KeptRow("duongtd23/ipsg-10", ("qlock/qlock.cafe",), "inv1"),
    KeptRow("duongtd23/ipsg-10", ("iff/iff.cafe",), "inv1"),
    KeptRow("duongtd23/ipsg-10", ("mcs/mcs.cafe",), "mutex"),
    KeptRow("duongtd23/tls10-cimpg", ("IFF/iff.cafe",), "inv1"),
    KeptRow("duongtd23/PQTLS", ("IFF/iff.cafe",), "inv1"),
    KeptRow("ariesco/CafeInMaude", ("examples/CCiMPG/MCS/mcs.cafe",), "mutex"),
    KeptRow("ariesco/CafeInMaude", ("examples/CCiMPG/NSLPK/nslpk.cafe",), "inv1"),
    KeptRow("ariesco/CafeInMaude", ("examples/CCiMPG/NSLPK2/nslpk.cafe",), "inv100"),
    KeptRow("ariesco/CafeInMaude", ("examples/CCiMPG/ABP/abp.cafe",), "inv1"),
    KeptRow(
        "tswd/CafeOBJ",
        ("todo/2010/infSearchQlock/qlock.mod", "todo/2010/infSearchQlock/mex.mod"),
        "mutualEx",
    ),
    KeptRow("duongtd23/IFF-formal-verification", ("iff.cafe",), "iden"),
    KeptRow("duongtd23/NSLPK-formal-verification", ("nslpk.cafe", "invariants.cafe"), "keySe"),
    KeptRow("duongtd23/PQSSH", ("SDS/sds.cafe",), "keySe"),
    KeptRow(_RECLAMATION, ("common.cafe", "shared-counter/sc-hp.cafe", "shared-counter/properties.cafe"), "safety1"),
    KeptRow(_RECLAMATION, ("common.cafe", "stack/stack.cafe", "stack/properties.cafe"), "safety1"),
    KeptRow("BSI-Bund/CafeOBJ-PACE", ("pace.mod", "invariants.mod"), "inv100"),
    KeptRow("duongtd23/tls10-cimpg", ("tls.cafe",), "inv1"),
)


def claims_of(corpus: Path, rows: Sequence[KeptRow], folder: Path) -> Iterator[tuple[KeptRow, Claim]]:
    """The rows whose files are there; several files become one that takes them in."""
    for number, row in enumerate(rows):
        files = [corpus / row.repository.replace("/", "+") / name for name in row.files]
        missing = [file for file in files if not file.is_file()]
        if missing:
            print(f"left out, not there: {missing[0]}", file=sys.stderr)
            continue
        file = files[0]
        if len(files) > 1:
            file = folder / f"{file.stem}-{number}.cafe"
            file.write_text("".join(f"in {each}\n" for each in files), encoding="utf-8")
        yield row, Claim(file, row.invariant, True)


def cells(row: KeptRow, found: DecidedClaim) -> list[str]:
    verdict = f"{found.verdict}: {found.reason}" if found.reason else found.verdict
    numbers = [str(found.lemmas), str(found.cases), str(found.states), f"{found.cpu_seconds:.1f}"]
    return [row.repository, ", ".join(row.files), row.invariant, verdict.replace("|", r"\|"), *numbers]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", nargs="*", default=[], metavar="STEM", help="names of first files, tas or iff")
    parser.add_argument("--timeout", type=float, default=100.0, help="seconds for each igf (100)")
    parser.add_argument("--write", action="store_true", help="write the table into bench/RESULTS.md")
    options = parser.parse_args()
    rows = [row for row in ROWS if not options.only or Path(row.files[0]).stem in options.only]
    with tempfile.TemporaryDirectory() as name:
        known = list(claims_of(options.corpus.resolve(), rows, Path(name)))
        found = all_decided([claim for _, claim in known], options.timeout)
    decided = sum(each.is_right is not None for each in found)
    note = f"{decided} of {len(found)} decided, at most {options.timeout:g} s each."
    lines = [note, "", *table(COLUMNS, [cells(row, each) for (row, _), each in zip(known, found, strict=True)])]
    print("\n".join(lines))
    if options.write:
        command = "`python bench/kept_apart.py CORPUS --write`: `otsrw igf FILE --inv I` and no other option."
        write_results("kept-apart", [f"## {TITLE}", "", command], lines)
    return 12 if any(each.is_right is False for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())

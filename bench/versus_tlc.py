"""The states of our specifications, counted by TLC on models that were written by hand in TLA+.

    python bench/versus_tlc.py [NAME...]

For NSPK, iKP and Ticket, level by level: R<=0, R<=1, ... must have as many states in both, and as many orbits where
entities are interchangeable. Exit code 1 if one differs. What the tools take is measured by bench/reach.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import versus_maude
from sections import table
from tlc import check, tlc
from tools import OTSRW, execute

ROOT = Path(__file__).parents[1]
LIMIT = 300.0
COLUMNS = ("system", "depth", "states", "tool", "seconds", "ratio")
LEVELS = ("system", "counted", "invariant", "depth", "TLC", "otsrw", "")


class Counted(NamedTuple):
    """Which states are counted, down to which depth."""

    system: str
    file: str
    given: tuple[str, ...]
    invariant: str
    depth: int
    symmetric: bool = False


COUNTED = (
    Counted("NSPK, 2 honest", "nspk.cafe", ("Prin=p1,p2,intr",), "send2-lemma", 5),
    Counted("NSPK, 4 honest", "nspk.cafe", ("Prin=p1,p2,p3,p4,intr",), "secrecy", 3),
    Counted("NSPK, 2 honest", "nspk.cafe", ("Prin=p1,p2,intr",), "send2-lemma", 5, symmetric=True),
    Counted("NSPK, 4 honest", "nspk.cafe", ("Prin=p1,p2,p3,p4,intr",), "send2-lemma", 4, symmetric=True),
    Counted("iKP, 1+1", "ikp.cafe", ("Buyer=b1,ib", "Seller=s1,is"), "receipt", 5),
    Counted("iKP, 2+2", "ikp.cafe", ("Buyer=b1,b2,ib", "Seller=s1,s2,is"), "agreement", 4),
    Counted("iKP, 3+3", "ikp.cafe", ("Buyer=b1,b2,b3,ib", "Seller=s1,s2,s3,is"), "agreement", 3),
    Counted("iKP, 2+2", "ikp.cafe", ("Buyer=b1,b2,ib", "Seller=s1,s2,is"), "agreement", 4, symmetric=True),
    Counted("iKP, 3+3", "ikp.cafe", ("Buyer=b1,b2,b3,ib", "Seller=s1,s2,s3,is"), "agreement", 3, symmetric=True),
    Counted("Ticket, 4 processes", "ticket.cafe", ("Pid=p1,p2,p3,p4",), "mutex", 5),
)


def levels(command: list[str], counted: Counted) -> Iterator[tuple[str, ...]]:
    """One row for each depth: the states that both have, and whether they are as many."""
    unit = "orbits" if counted.symmetric else "states"
    for depth in range(counted.depth + 1):
        theirs = check(
            command, counted.file, counted.given, counted.invariant, depth, LIMIT, symmetric=counted.symmetric
        )
        ours = _counted_by_otsrw(counted, depth)
        same = "same" if (theirs.verdict, theirs.states) == ours else "DIFFERENT"
        yield counted.system, unit, counted.invariant, str(depth), str(theirs.states), str(ours[1]), same


def _counted_by_otsrw(counted: Counted, depth: int) -> tuple[str, int]:
    words = [*OTSRW, "search", f"specs/{counted.file}", "--inv", counted.invariant, "--depth", str(depth)]
    words += [word for sort in counted.given for word in ("--with", sort)]
    words += ["--json", "--count", "0", *(["--symmetry"] if counted.symmetric else [])]
    found = json.loads(execute(words, ROOT, LIMIT).stdout)
    return found["verdict"], found["states"]


def rows(command: list[str]) -> Iterator[tuple[str, ...]]:
    """Two rows: TLC and otsrw on Ticket, with a property that holds; seconds by clock, as in versus_maude.py."""
    case = next(case for case in versus_maude.CASES if case.spec == "ticket.cafe")
    theirs = check(command, case.spec, [case.entities], "late", case.depth, LIMIT)
    ours = versus_maude.by_otsrw(case)
    if theirs.states != ours.states:
        raise SystemExit(f"{case.title}: TLC has {theirs.states} states, otsrw {ours.states}")
    own, seconds = ours.startup + ours.wall, theirs.spent.seconds
    yield case.title, str(case.depth), f"{ours.states:,}", "TLC, by hand", f"{seconds:.2f}", ""
    yield case.title, str(case.depth), f"{ours.states:,}", "otsrw", f"{own:.2f}", f"{seconds / own:.1f}x"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="parts of names of systems (all)")
    options = parser.parse_args()
    command = tlc()
    if command is None:
        raise SystemExit("TLC is not to be had: it needs java, and access to PyPI")
    found = []
    for counted in COUNTED:
        if not options.names or any(name in counted.system for name in options.names):
            for row in levels(command, counted):
                found.append(row)
                print(" | ".join(row), file=sys.stderr, flush=True)
    print("\n".join(table(LEVELS, found)))
    sys.exit(any(row[-1] != "same" for row in found))


if __name__ == "__main__":
    main()

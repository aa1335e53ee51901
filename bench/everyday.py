"""igf on everyday systems, with nothing but file and invariant given: how many are decided, and is any verdict wrong?

    python bench/everyday.py [--set everyday|fresh|...|fresh5] [--timeout 120] [--only bank raft] [--write]

The systems in bench/everyday and bench/fresh are written as their users would write them: locks, banks, caches,
elections, buffers; about a third of the invariants are false. Whoever wrote the first knew the documents of the prover,
and it was mended on some of them: they are no held-out set. Those in bench/fresh, bench/fresh2 to bench/fresh5 were
written later, each before its author looked at the prover, and bench/RESULTS.md keeps the tables of their first runs.
`--write` puts the table into bench/RESULTS.md. The exit code is 12 if a verdict is wrong.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from verdicts import all_decided, claims_in, plain_table, summary, write_results

HERE = Path(__file__).parent
TITLES = {
    "everyday": "Everyday systems, nothing given",
    "fresh": "Fresh everyday systems, nothing given",
    "fresh2": "Everyday systems of a third hand, rerun as a whole",
    "fresh3": "Everyday systems of a fourth hand, nothing given",
    "fresh4": "Everyday systems of a fifth hand, nothing given",
    "fresh5": "Everyday systems of a sixth hand, nothing given",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", choices=TITLES, default="everyday", help="the folder in bench (everyday)")
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds for each igf (120)")
    parser.add_argument("--only", nargs="*", help="systems, without .cafe")
    parser.add_argument("--write", action="store_true", help="write the table into bench/RESULTS.md")
    options = parser.parse_args()
    claims = [claim for claim in claims_in(HERE / options.set) if not options.only or claim.file.stem in options.only]
    found = all_decided(claims, options.timeout)
    lines = [f"{summary(found)}, at most {options.timeout:g} s each.", "", *plain_table(found)]
    print("\n".join(lines))
    if options.write:
        command = f"`python bench/everyday.py --set {options.set} --write`."
        write_results(options.set, [f"## {TITLES[options.set]}", "", command], lines)
    return 12 if any(each.is_right is False for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())

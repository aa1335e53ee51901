"""Explanations of random systems beside an oracle in plain Python.

    python bench/random_explanations.py [--systems N] [--seed FIRST]

Each system is explained for a formula (on its product), an invariant and inevitable labels; every other one is a
bounded graph with states that were not expanded. Compared are verdicts, colours, neighbourhoods, counterexamples and
what the explorer calls possible. For every fifth there is a system of three processes, some of them interchangeable,
whose classes are compared up to renaming. Exit code 12 if anything disagrees; the seed is told.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from random_lts.comparing import Comparison, compared
from random_lts.comparing_symmetry import compared_symmetry
from sections import circumstances, table

SYMMETRIC_EVERY = 5


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    told: Counter[str] = Counter()
    wrong = 0
    for seed in range(options.seed, options.seed + options.systems):
        outcomes: list[Comparison] = [compared(seed)]
        if seed % SYMMETRIC_EVERY == 0:
            outcomes.append(compared_symmetry(seed))
        for outcome in outcomes:
            told += outcome.told
            wrong += len(outcome.disagreements)
            for sentence in outcome.disagreements:
                print(f"seed {seed}: {sentence}")
    rows = [(kind, str(count)) for kind, count in sorted(told.items())]
    print("\n".join([*table(("answers that agree with the oracle", "number"), rows), "", f"disagreements: {wrong}"]))
    print(circumstances())
    return 12 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

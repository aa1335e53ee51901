"""Random systems, clean ones and ones with planted defects: check, search and igf against an independent oracle.

    python bench/random_soundness.py 2000 --seed 0 --jobs 2 --cafeobj-every 20

Prints what was told how often, and every disagreement; each is saved with its seed and its text in a folder.
"""

from __future__ import annotations

import argparse
import gc
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from random_ots.comparing import Outcome, Settings, compared
from random_ots.drawing import draw
from random_ots.printing import printed

TOO_SLOW = 120
"""Seconds for one system; then it is left, and counted."""


def _raise_timeout(*_: object) -> None:
    raise TimeoutError


def one(seed: int, settings: Settings) -> Outcome:
    """Compare the system of a seed, within its time."""
    signal.signal(signal.SIGALRM, _raise_timeout)
    signal.alarm(TOO_SLOW)
    try:
        return compared(seed, settings)
    finally:
        signal.alarm(0)


def _prepare() -> None:
    gc.set_threshold(200_000, 20, 20)  # as the command line does


def outcomes(seeds: range, settings: Settings, jobs: int) -> Iterator[Outcome]:
    """The outcome of every seed, as they come."""
    if jobs == 1:
        _prepare()
        yield from (one(seed, settings) for seed in seeds)
        return
    with get_context("spawn").Pool(jobs, _prepare, maxtasksperchild=200) as pool:
        yield from pool.imap_unordered(partial(one, settings=settings), seeds, chunksize=5)


def save(outcome: Outcome, folder: Path) -> Path:
    """Write the text of a system with its disagreements as comments."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"seed-{outcome.seed}.cafe"
    comments = [f"-- seed {outcome.seed}, {outcome.plant}", *(f"-- {each}" for each in outcome.disagreements)]
    path.write_text("\n".join([*comments, printed(draw(outcome.seed))]), encoding="utf-8")
    return path


def report(plants: Counter[str], told: Counter[str], disagreements: int, seconds: float) -> None:
    """Print the summary."""
    print(f"\n{sum(plants.values())} systems in {seconds:.0f} s, {disagreements} with disagreements")
    print("| planted | systems |\n| --- | --- |")
    for plant, count in sorted(plants.items()):
        print(f"| {plant} | {count} |")
    print("\n| told | times |\n| --- | --- |")
    for what, count in sorted(told.items()):
        print(f"| {what} | {count} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", type=int, nargs="?", default=200, help="how many systems (200)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first one (0)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=3.0, help="time of igf for an invariant (3)")
    parser.add_argument("--maude-every", type=int, default=10, help="systems that Maude searches: every 10th")
    parser.add_argument("--cafeobj-every", type=int, default=20, help="systems whose scores CafeOBJ gets: every 20th")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after so much time")
    parser.add_argument("--save", type=Path, default=Path("soundness-disagreements"), help="folder of disagreements")
    options = parser.parse_args()
    settings = Settings(options.seconds, options.maude_every, options.cafeobj_every)
    seeds = range(options.seed, options.seed + options.number)
    plants: Counter[str] = Counter()
    told: Counter[str] = Counter()
    disagreements = 0
    started = time.monotonic()
    for number, outcome in enumerate(outcomes(seeds, settings, options.jobs), 1):
        plants[outcome.plant] += 1
        told += outcome.told
        if outcome.disagreements:
            disagreements += 1
            print(f"{save(outcome, options.save)}: {outcome.plant}: {'; '.join(outcome.disagreements)}", flush=True)
        if number % 100 == 0:
            print(f"{number} systems, {disagreements} disagreements", file=sys.stderr, flush=True)
        if time.monotonic() - started > options.minutes * 60:
            break
    report(plants, told, disagreements, time.monotonic() - started)
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())

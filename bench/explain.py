"""How long classification and exploration take on specifications.

    .venv/bin/python bench/explain.py [SECONDS]

Classification of Alice, Bob and Eve with growing bounds; of the symmetric Needham-Schroeder protocol up to the bound
that takes longer than SECONDS (120 unless told); the time of one verb of the explorer on the hotels.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from sections import table

from otsrw.ots import Instance, entities_of, find_ots
from otsrw.proofs.session import Session
from otsrw.traces import BoundedTraces, ExplicitEngine, Explorer, Vocabulary, classify
from otsrw.traces.observed import observed_graph
from otsrw.traces.predicates import collected_arguments, property_variables

SPECS = Path(__file__).parents[1] / "specs"


def instance_of(file: str) -> Instance:
    session = Session()
    session.run_file(SPECS / file)
    ots = find_ots(session.library)
    return Instance(ots, entities_of(ots))


CLASSES = ("OTS", "bound", "states", "counterexamples", "classes", "graph s", "classes s")
VERBS = ("hotel", "states", "graph s", "tables s", "slowest of 100 verbs, ms")
HOTELS = ("hotel.cafe", "hotel-2-13.cafe", "hotel-3-114.cafe", "hotel-3-23.cafe", "hotel-4-116.cafe")


def classified(
    instance: Instance, name: str, bound: int, hidden: frozenset[str] = frozenset()
) -> tuple[list[str], float]:
    """A row, and the seconds it took."""
    invariant = next(i for i in instance.ots.invariants if i.name == name)
    start = time.perf_counter()
    graph = observed_graph(instance, bound, invariant)
    middle = time.perf_counter()
    hidden |= property_variables(instance, invariant) | collected_arguments(instance)
    found = classify(ExplicitEngine(BoundedTraces(graph.lts, graph.safety, bound)), Vocabulary(hidden=hidden))
    end = time.perf_counter()
    count = found.counterexamples or 0
    row = [instance.ots.name, str(bound), str(graph.lts.states), f"{count:.2g}" if count < 1e300 else "> 1e300"]
    return [*row, str(len(found.classes)), f"{middle - start:.2f}", f"{end - middle:.2f}"], end - start


def class_rows(limit: float) -> Iterator[list[str]]:
    """Alice, Bob and Eve; the symmetric protocol until a bound takes longer than the limit."""
    eve = instance_of("alice-bob-eve.cafe")
    for bound in (10, 25, 50, 75, 100):
        yield classified(eve, "unread", bound)[0]
    symmetric = instance_of("needham-schroeder-symmetric.cafe")
    bound, seconds = 9, 0.0
    while seconds < limit:
        row, seconds = classified(symmetric, "secrecy", bound, frozenset(["nw", "log", "rand"]))
        yield row
        bound += 1


def explored(file: str) -> list[str]:
    """The row of a hotel."""
    instance = instance_of(file)
    invariant = next(i for i in instance.ots.invariants if i.name == "safe")
    start = time.perf_counter()
    graph = observed_graph(instance, None, invariant, 50_000)
    built = time.perf_counter()
    explorer = Explorer(graph.lts, graph.safety)
    explorer.jump()
    ready = time.perf_counter()
    verbs: list[Callable[[], object]] = [explorer.forward, explorer.other_parameters, explorer.other_outcome]
    verbs += [explorer.back, explorer.undo]
    slowest = 0.0
    for verb in verbs * 20:
        before = time.perf_counter()
        verb()
        slowest = max(slowest, time.perf_counter() - before)
    return [file, str(graph.lts.states), f"{built - start:.1f}", f"{ready - built:.2f}", f"{1000 * slowest:.1f}"]


def main() -> None:
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 120.0
    gc.set_threshold(200_000, 20, 20)
    print("\n".join(table(CLASSES, list(class_rows(limit)))))
    print()
    print("\n".join(table(VERBS, [explored(file) for file in HOTELS])))


if __name__ == "__main__":
    main()

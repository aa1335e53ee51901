"""How long classification and exploration take on specifications.

    .venv/bin/python bench/explain.py [SECONDS]
    .venv/bin/python bench/explain.py --first-answer [OTSRW]

Nothing is hidden but the observers of the invariants. Classification of Alice, Bob and Eve with growing bounds; of the
Needham-Schroeder protocols in finite scopes, beside the times that *Counterexample Classification* prints for its own
models; of the symmetric protocol without a scope up to the bound that takes longer than SECONDS (120 unless told); the
time of one verb of the explorer on the hotels.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sections import table

from otsrw.ots import Instance, entities_of, find_ots
from otsrw.proofs.session import Session
from otsrw.search import maude_or_rewriting
from otsrw.theory.modules import Module
from otsrw.traces import BoundedTraces, ExplicitEngine, Explorer, Vocabulary, classify
from otsrw.traces.constraints import TracePredicate
from otsrw.traces.observed import ObservedGraph, observed_graph
from otsrw.traces.predicates import SpecifiedPredicates, collected_arguments, predicate_operators, property_variables

SPECS = Path(__file__).parents[1] / "specs"
BOUNDS = (10, 25, 50, 75, 100)
CLASSES = (
    "specification",
    "predicates",
    "bound",
    "states",
    "counterexamples",
    "classes",
    "graph s",
    "classes s",
    "the paper's s",
)
VERBS = ("hotel", "states", "graph s", "tables s", "slowest of 100 verbs, ms")
FIRST_ANSWERS = (
    ("mcs.cafe", "--with", "Pid=4", "--max-states", "600000"),
    ("nspk.cafe", "--inv", "secrecy", "--depth", "5", "--max-states", "600000"),
    ("otway-rees.cafe", "--inv", "secrecy"),
)
HOTELS = ("hotel.cafe", "hotel-2-13.cafe", "hotel-3-114.cafe", "hotel-3-23.cafe", "hotel-4-116.cafe")


@dataclass(frozen=True)
class Protocol:
    """A scope, the module of its predicate, and the paper's total seconds (Table 1) without and with the predicate."""

    spec: str
    predicates: str
    module: str
    paper: tuple[tuple[float, ...], tuple[float, ...]]


PROTOCOLS = (
    Protocol(
        "needham-schroeder-symmetric-scope.cafe",
        "nss-replay.cafe",
        "NSS-REPLAY",
        ((7.56, 16.24, 70.41, 267.96, 674.66), (10.23, 43.55, 226.37, 903.44, 1955.13)),
    ),
    Protocol(
        "nspk-scope.cafe",
        "nspk-man-in-the-middle.cafe",
        "NSPK-MAN-IN-THE-MIDDLE",
        ((12.46, 24.04, 97.78, 349.21, 893.71), (100.61, 125.70, 251.89, 615.85, 1396.92)),
    ),
)


def session_of(file: str) -> tuple[Session, Instance]:
    session = Session()
    session.run_file(SPECS / file)
    ots = find_ots(session.library)
    return session, Instance(ots, entities_of(ots))


def instance_of(file: str) -> Instance:
    return session_of(file)[1]


def predicates_of(module: Module, instance: Instance, graph: ObservedGraph) -> tuple[TracePredicate, ...]:
    specified = SpecifiedPredicates(instance, module, graph)
    return tuple(specified.predicate(symbol, summary=True) for symbol in predicate_operators(module, instance.ots))


def classified(
    spec: str,
    instance: Instance,
    name: str,
    bound: int,
    module: Module | None = None,
    paper: float | None = None,
) -> tuple[list[str], float]:
    """A row, and the seconds it took."""
    invariant = next(i for i in instance.ots.invariants if i.name == name)
    start = time.perf_counter()
    graph = observed_graph(maude_or_rewriting(instance), bound, invariant)
    middle = time.perf_counter()
    hidden = property_variables(instance, invariant) | collected_arguments(instance)
    predicates = () if module is None else predicates_of(module, instance, graph)
    traces = BoundedTraces(graph.lts, graph.safety, bound)
    found = classify(ExplicitEngine(traces), Vocabulary(predicates, hidden=hidden))
    end = time.perf_counter()
    count = found.counterexamples or 0
    names = ", ".join(predicate.name for predicate in predicates) or "generic"
    row = [spec, names, str(bound), str(graph.lts.states), f"{count:.2g}", str(len(found.classes))]
    row += [f"{middle - start:.2f}", f"{end - middle:.2f}", "" if paper is None else f"{paper:.1f}"]
    return row, end - start


def scoped(protocol: Protocol) -> Iterator[list[str]]:
    session, instance = session_of(protocol.spec)
    session.run_file(SPECS / "predicates" / protocol.predicates)
    for module, paper in zip((None, session.library.modules[protocol.module]), protocol.paper, strict=True):
        for bound, seconds in zip(BOUNDS, paper, strict=True):
            spec = protocol.spec.removesuffix(".cafe")
            yield classified(spec, instance, "secrecy", bound, module, seconds)[0]


def class_rows(limit: float) -> Iterator[list[str]]:
    """Alice, Bob and Eve; the protocols in their scopes; the symmetric one without, until a bound takes too long."""
    eve = instance_of("alice-bob-eve.cafe")
    for bound in BOUNDS:
        yield classified("alice-bob-eve", eve, "unread", bound)[0]
    for protocol in PROTOCOLS:
        yield from scoped(protocol)
    symmetric = instance_of("needham-schroeder-symmetric.cafe")
    bound, seconds = 9, 0.0
    while seconds < limit:
        row, seconds = classified("needham-schroeder-symmetric", symmetric, "secrecy", bound)
        yield row
        bound += 1


def explored(file: str) -> list[str]:
    """The row of a hotel."""
    instance = instance_of(file)
    invariant = next(i for i in instance.ots.invariants if i.name == "safe")
    start = time.perf_counter()
    graph = observed_graph(maude_or_rewriting(instance), None, invariant, 50_000)
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


def first_answer(command: str, arguments: tuple[str, ...]) -> list[str]:
    """Processor seconds of the command and all it starts, and the most that one of them has in memory."""
    words = [command, "explore", str(SPECS / arguments[0]), *arguments[1:], "--script", "look", "--json"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(words)}")
    seconds = used.ru_utime + used.ru_stime
    return [" ".join(arguments), f"{seconds:.1f}", str(used.ru_maxrss // 1024)]


def main() -> None:
    if sys.argv[1:2] == ["--first-answer"]:
        command = sys.argv[2] if len(sys.argv) > 2 else str(Path(sys.executable).with_name("otsrw"))
        rows = [first_answer(command, arguments) for arguments in FIRST_ANSWERS]
        print("\n".join(table(("explore", "cpu s", "MB"), rows)))
        return
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 120.0
    gc.set_threshold(200_000, 20, 20)
    print("\n".join(table(CLASSES, list(class_rows(limit)))))
    print()
    print("\n".join(table(VERBS, [explored(file) for file in HOTELS])))


if __name__ == "__main__":
    main()

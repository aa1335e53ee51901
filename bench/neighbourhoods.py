"""How long `otsrw simplify` takes on systems of 200 000 states and 600 000 transitions.

    .venv/bin/python bench/neighbourhoods.py [STATES]

Two systems, the same on every run: one strongly connected with short loops, one without loops whose shortest
counterexample is long. For each the time to read the file and the time for everything after that.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Iterator

from sections import table

from otsrw.syntax.source import Source
from otsrw.traces import ActionSequence, Lts, read_aut, simplify_inevitability
from otsrw.traces.formats import write_aut

Edge = tuple[int, str, int]


def connected(size: int) -> Iterator[Edge]:
    for state in range(size):
        yield state, "X", (state * 7 + 1) % size
        yield state, "ABC"[state % 3] if state % 5 == 0 else "Y", (state + 1) % size
        yield state, f"Z !{state % 50}", state // 2


def layered(size: int) -> Iterator[Edge]:
    choose = random.Random(1)
    for state in range(size - 1):
        for _ in range(3):
            target = min(size - 1, state + 1 + choose.randrange(200))
            yield state, choose.choice("ABCPQRST"), target


COLUMNS = ("system", "labels", "read s", "simplify s", "neighbourhoods", "counterexample")


def rows(size: int) -> Iterator[tuple[str, ...]]:
    for make in (connected, layered):
        text = write_aut(Lts.of(size, [0], make(size)))
        for labels in (("A",), ("A", "B", "C")):
            start = time.perf_counter()
            lts = read_aut(Source("generated.aut", text))
            read = time.perf_counter()
            result = simplify_inevitability(lts, ActionSequence.of(lts, labels))
            end = time.perf_counter()
            length = "-" if result.counterexample is None else str(result.counterexample.length)
            yield (
                make.__name__,
                str(len(labels)),
                f"{read - start:.2f}",
                f"{end - read:.2f}",
                str(len(result.neighbourhoods)),
                length,
            )


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    gc.set_threshold(200_000, 20, 20)
    print("\n".join(table(COLUMNS, list(rows(size)))))


if __name__ == "__main__":
    main()

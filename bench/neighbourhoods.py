"""How long `otsrw simplify` takes on systems of 200 000 states and 600 000 transitions, and twice as many with --ltl.

    .venv/bin/python bench/neighbourhoods.py [STATES]

Two systems, the same on every run: one strongly connected with short loops, one without loops whose shortest
counterexample is long. For each the time to read the file and the time for everything after that. Last, the cpu seconds
and the memory of the whole command for a formula on a file of twice the size, 1 200 000 transitions.
"""

from __future__ import annotations

import gc
import random
import resource
import subprocess
import sys
import tempfile
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


FORMULA = "[] (A -> <> B)"


def formula_row(size: int) -> tuple[str, ...]:
    """A run of the command on a file, in a process of its own: children of no other kind have run before."""
    with tempfile.NamedTemporaryFile("w", suffix=".aut") as file:
        file.write(write_aut(Lts.of(size, [0], connected(size))))
        file.flush()
        command = [sys.executable, "-m", "otsrw", "simplify", file.name, "-q", "--ltl", FORMULA]
        found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return str(3 * size), FORMULA, f"{used.ru_utime + used.ru_stime:.1f}", str(used.ru_maxrss // 1024), found


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    gc.set_threshold(200_000, 20, 20)
    print("\n".join(table(COLUMNS, list(rows(size)))))
    print()
    print("\n".join(table(("transitions", "formula", "cpu s", "MB", "verdict"), [formula_row(2 * size)])))


if __name__ == "__main__":
    main()

"""Runs something again whenever a file has changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence

POLL = 0.3
"""Seconds between two looks at the files."""

Stamps = dict[str, tuple[int, int]]
"""When a file was changed last, and its size."""


def run_on_change(
    paths: Sequence[str],
    suffixes: tuple[str, ...],
    run: Callable[[], set[str]],
    wait: Callable[[], None] = lambda: time.sleep(POLL),
) -> None:
    """Run, and again whenever a file has changed, until Ctrl-C.

    Watched are the paths, what lies below a folder and has one of the suffixes, and the files that the last run named.
    """
    used: set[str] = set()
    try:
        while True:
            before = stamps([*paths, *used], suffixes)
            used = run()
            now = stamps([*paths, *used], suffixes)
            known = {name: before.get(name, stamp) for name, stamp in now.items()}
            while stamps([*paths, *used], suffixes) == known:
                wait()
    except KeyboardInterrupt:
        return


def stamps(paths: Sequence[str], suffixes: tuple[str, ...]) -> Stamps:
    """The stamps of all files that are watched; one that is gone has none."""
    found: Stamps = {}
    for name in _files(paths, suffixes):
        try:
            status = os.stat(name)
        except OSError:
            continue
        found[os.path.realpath(name)] = status.st_mtime_ns, status.st_size
    return found


def _files(paths: Sequence[str], suffixes: tuple[str, ...]) -> Iterator[str]:
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for root, folders, names in os.walk(path):
            folders[:] = [name for name in folders if not name.startswith(".")]
            yield from (os.path.join(root, name) for name in names if name.endswith(suffixes))

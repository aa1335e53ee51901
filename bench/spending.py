"""What a command takes: processor time and memory, of itself and of all processes that it starts."""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_LOOK = 0.05


class Spent(NamedTuple):
    """Output, exit code (None if killed at the limit), processor seconds, most memory at a time, seconds by clock."""

    stdout: str
    code: int | None
    cpu: float
    megabytes: int
    seconds: float


def spent(command: Sequence[str], folder: Path, limit: float, given: str = "", most: int | None = None) -> Spent:
    """Run a command with this input; at most so many seconds, and bytes of address space for each process.

    Memory is the sum of resident sizes of all its processes, looked at twenty times a second, and at least what the
    largest of them had.
    """
    with tempfile.TemporaryFile("w+") as source, tempfile.TemporaryFile("w+") as out:
        source.write(given)
        source.seek(0)
        begun = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdin=source, stdout=out, stderr=subprocess.DEVNULL)
        if most is not None:
            resource.prlimit(process.pid, resource.RLIMIT_AS, (most, most))
        peak = 0
        ended = threading.Event()

        def watch() -> None:
            nonlocal peak
            while not ended.wait(_LOOK):
                peak = max(peak, sum(map(_resident, _family(process.pid))))

        watcher = threading.Thread(target=watch)
        clock = threading.Timer(limit, process.kill)
        watcher.start()
        clock.start()
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begun
        is_late = not clock.is_alive()
        clock.cancel()
        ended.set()
        watcher.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        most_of_one = used.ru_maxrss * 1024
        code = None if is_late else process.returncode
        megabytes = round(max(peak, most_of_one) / 1e6)
        return Spent(out.read(), code, used.ru_utime + used.ru_stime, megabytes, seconds)


def _family(process: int) -> list[int]:
    """A process and all that it and its threads have started."""
    found = [process]
    for each in found:
        try:
            for task in os.listdir(f"/proc/{each}/task"):
                found += map(int, Path(f"/proc/{each}/task/{task}/children").read_text().split())
        except OSError:
            continue
    return found


def _resident(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0

"""What each worker of a team has done."""

from __future__ import annotations

from otsrw.records import NamedTuple


class WorkerShare(NamedTuple):
    """What one worker did: tasks, how much it found, and the seconds it took, by clock and of processor.

    What is found are states in a search, and cases in a proof. The processor time is that of tasks which belong to
    work of several; it is 0 where one process did all.
    """

    worker: str
    tasks: int
    found: int
    seconds: float
    cpu: float


class Ledger:
    """What each worker of a team has done so far."""

    def __init__(self) -> None:
        self._shares: dict[str, WorkerShare] = {}
        self.repeated = 0
        """Tasks that were done again because a process had died."""

    @property
    def shares(self) -> tuple[WorkerShare, ...]:
        return tuple(self._shares[name] for name in sorted(self._shares))

    def enter(self, worker: str, found: int, seconds: float, cpu: float) -> None:
        """A worker has done one task more."""
        before = self._shares.get(worker, WorkerShare(worker, 0, 0, 0.0, 0.0))
        self._shares[worker] = WorkerShare(
            worker, before.tasks + 1, before.found + found, before.seconds + seconds, before.cpu + cpu
        )

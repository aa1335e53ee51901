"""Workers of a cluster of dask.distributed, and a cluster on this machine for trying.

The scheduler of the cluster gives a task to another worker if the one that does it dies. If the scheduler itself, or
the last worker, stays away, the command ends with what is known.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from typing import Any, ParamSpec, TypeVar
from uuid import uuid4

from otsrw.syntax.diagnostics import OtsrwError
from otsrw.workers.team import Pulse, Pulses, Team, WorkersGone

CONNECTING = 5.0
"""Seconds in which a cluster has to answer."""
PATIENCE = 15.0
"""Seconds for which a cluster may be without a scheduler or without workers."""
WORKER_MEMORY = 2_000_000_000
"""Bytes that the Maude process of a worker may take."""

_RETRIES = 3
_LOOK = 0.5

_P = ParamSpec("_P")
_T = TypeVar("_T")


class ClusterWorkers(Executor):
    """The workers of the cluster at an address."""

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        distributed = _distributed()
        self.address = address
        self._patience = patience
        try:
            self._client = distributed.Client(address, timeout=CONNECTING, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise OtsrwError(
                "E543",
                f"no cluster answers at {address!r}",
                hint="'otsrw cluster' starts one on this machine and says its address",
                notes=[str(error).splitlines()[0]] if str(error) else [],
            ) from None
        self._executor = self._client.get_executor(pure=False, retries=_RETRIES)
        self.workers = max(1, sum(info["nthreads"] for info in self._known().values()))
        self._looked = self._well = time.monotonic()
        self.topic = f"otsrw-{uuid4().hex}"
        self.pulses = Pulses()
        self._client.subscribe_topic(self.topic, self._heard)

    def _heard(self, event: tuple[float, Any]) -> None:
        """A worker has told how far it is."""
        self.pulses.tell(Pulse(*event[1]))

    def _known(self) -> dict[str, Any]:
        """The workers that the scheduler has told us of."""
        found: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
        return found

    def processes(self) -> list[int]:
        """The process identifiers of the workers, each on its own machine."""
        return [int(found) for found in self._client.run(os.getpid).values()]

    def watch(self) -> None:
        """Raise `WorkersGone` if there is no cluster any more."""
        now = time.monotonic()
        if now - self._looked < _LOOK:
            return
        self._looked = now
        if self._is_well():
            self._well = now
        elif now - self._well > self._patience:
            raise WorkersGone(f"the cluster at {self.address} is gone")

    def _is_well(self) -> bool:
        if self._client.status != "running":
            return False
        try:
            return bool(self._known())
        except Exception:
            return False

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        future: Future[_T] = self._executor.submit(fn, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        """Leave the cluster; what it still does for us is not waited for."""
        self._client.close(timeout=2)


def cluster_team(cluster: ClusterWorkers) -> Team:
    """The team of a command on a cluster."""
    from distributed.scheduler import KilledWorker

    lost = (CancelledError, KilledWorker)
    return Team(cluster, cluster.workers, cluster.watch, WORKER_MEMORY, lost, cluster.pulses, cluster.topic)


def tell_cluster(topic: str, pulse: Pulse) -> None:
    """Tell those who listen to a topic how far this worker is."""
    _distributed().get_worker().log_event(topic, list(pulse))


def local_cluster(workers: int, memory: int, port: int) -> Any:
    """A cluster of so many worker processes on this machine; it listens on the port, 0 stands for a free one."""
    distributed = _distributed()
    try:
        return distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            memory_limit=memory,
            scheduler_port=port,
            dashboard_address=None,
            processes=True,
        )
    except (OSError, RuntimeError) as error:
        hint = "choose another --port, or none for a free one"
        raise OtsrwError("E533", f"cannot start a cluster on port {port}: {error}", hint=hint) from None


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise OtsrwError(
            "E530", "the Python package 'distributed' is not installed", hint="pip install 'otsrw[cluster]'"
        ) from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters of its troubles is told by us
    return distributed

"""Who splits the induction cases of a specification, if not this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from otsrw.application.stages import Recognised

if TYPE_CHECKING:
    from otsrw.induction.parallel import CaseCrew


@contextmanager
def crew_for(recognised: Recognised, cluster: str | None) -> Iterator[CaseCrew | None]:
    """The workers of the cluster at an address, which is left at the end; None without an address."""
    if cluster is None:
        yield None
        return
    from otsrw.induction.parallel import CaseCrew
    from otsrw.workers.cluster import ClusterWorkers, cluster_team

    with ClusterWorkers(cluster) as workers:
        yield CaseCrew(cluster_team(workers), "\n".join(recognised.loaded.declarations), cluster)

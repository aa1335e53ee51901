"""How induction cases were split by other processes, for people and programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from otsrw.report.documents import share_documents
from otsrw.report.words import counted

if TYPE_CHECKING:
    from otsrw.induction.parallel import CaseWork


def case_work_document(work: CaseWork | None) -> dict[str, Any] | None:
    """None if one process has split all cases."""
    if work is None:
        return None
    return {
        "workers": work.workers,
        "cluster": work.cluster,
        "repeated_tasks": work.repeated,
        "undone": work.undone,
        "shares": share_documents(work.shares, "cases"),
    }


def case_work_lines(work: CaseWork | None) -> list[str]:
    """What is to be said about cases that were split by a cluster, or by processes that died."""
    if work is None:
        return []
    lines = []
    if work.cluster is not None:
        names = ", ".join(f"{share.worker} {counted(share.tasks, 'task')}" for share in work.shares)
        lines.append(f"tasks of the cluster at {work.cluster}: {names or 'none'}")
    if work.repeated:
        lines.append(f"{counted(work.repeated, 'task')} had to be repeated because a process died or failed")
    if work.undone is not None:
        lines.append(f"this process has split cases itself: {work.undone}")
    return lines

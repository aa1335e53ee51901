"""The same question about several invariants, of one file or of several: a verdict line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from otsrw.application import Recognised
from otsrw.cli import exits
from otsrw.cli.frame import CommandFrame, Ending
from otsrw.report.documents import several_document
from otsrw.syntax.diagnostics import OtsrwError

_SEVERITY = (exits.HOLDS, exits.ASSUMING, exits.UNKNOWN, exits.VIOLATED, exits.INTERRUPTED)
"""The exit codes of verdicts, the worst one last."""

Decide = Callable[[CommandFrame, Recognised, str], Ending]


def ask_about_each(frame: CommandFrame, files: Sequence[str], decide: Decide) -> Ending:
    """Decide every invariant asked for of every file; the worst verdict is the exit code."""
    written = [f"--{name}" for name in ("html", "itf", "proof", "state") if getattr(frame.options, name, None)]
    if written:
        raise OtsrwError("E519", f"{written[0]} is for one file and one invariant", hint="name them")
    parts: list[tuple[str, Ending]] = []
    for file in files:
        part = frame.about(file)
        recognised = part.recognised()
        for name in recognised.invariants(part.options.inv):
            parts.append((file, decide(frame.about(file, name), recognised, name)))
    return Ending(
        max((ending.code for _, ending in parts), key=_SEVERITY.index, default=exits.HOLDS),
        lambda: several_document(frame.command, [(file, ending.document()) for file, ending in parts]),
        lambda: _show(parts),
    )


def _show(parts: list[tuple[str, Ending]]) -> None:
    for _, ending in parts:
        ending.show()

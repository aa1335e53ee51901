"""Tables of a page, and sections that a script rewrites: between `<!-- name -->` and `<!-- /name -->`."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path


def write_section(name: str, lines: Sequence[str], path: Path) -> None:
    """Replaces a section where it stands, or adds it at the end."""
    text = "\n".join([f"<!-- {name} -->", *lines, f"<!-- /{name} -->"])
    old = path.read_text("utf-8")
    section = re.compile(rf"<!-- {name} -->.*<!-- /{name} -->", re.DOTALL)
    new = section.sub(lambda _: text, old) if section.search(old) else f"{old.rstrip()}\n\n{text}\n"
    path.write_text(new, "utf-8")


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [_row(headings), _row(["---"] * len(headings)), *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def circumstances() -> str:
    """When and where it was measured."""
    match = re.search(r"^model name\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    model = match.group(1) if match else platform.machine()
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, Python {platform.python_version()}, {model},"
        f" {os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f} at the end"
    )
